//! A quick pass over an enormous file for the few lines that hold a word.
//!
//! Looks for the word alone and reads nothing else, in bounded memory. What is looked for this way
//! is metadata, which is short: a line beyond the limit is passed over.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

const CHUNK: usize = 1024 * 1024;
/// The longest line that is looked into.
const LONGEST: usize = 1024 * 1024;

/// A place in a line where the word stands.
#[derive(Debug, Clone, Copy)]
pub struct Hit<'a> {
    lines: &'a [u8],
    at: usize,
}

impl<'a> Hit<'a> {
    /// The whole line.
    pub fn line(self) -> &'a [u8] {
        let (before, after) = self.lines.split_at(self.at);
        let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let end = memchr(b'\n', after).map_or(self.lines.len(), |newline| self.at + newline);
        &self.lines[start..end]
    }

    /// What follows, from the beginning of the word on.
    pub fn rest(self) -> &'a [u8] {
        &self.lines[self.at..]
    }

    /// The byte before the word; a line break at the beginning of a line.
    pub fn before(self) -> u8 {
        let at = self.at.checked_sub(1);
        at.map_or(b'\n', |at| self.lines[at])
    }
}

/// Hands out each place where the word stands, in order, until it is told to stop.
pub fn sweep(
    mut source: impl Read,
    word: &[u8],
    mut take: impl FnMut(Hit<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let finder = Finder::new(word);
    let mut search = |lines: &[u8]| {
        let mut hits = finder.find_iter(lines).map(|at| Hit { lines, at });
        hits.try_for_each(&mut take)
    };
    let mut buffer = Vec::with_capacity(CHUNK + LONGEST);
    // In the middle of a line that is too long?
    let mut passing = false;
    loop {
        let read = source
            .by_ref()
            .take(CHUNK as u64)
            .read_to_end(&mut buffer)?;
        if read == 0 {
            if !passing {
                let _ = search(&buffer);
            }
            return Ok(());
        }
        let mut start = 0;
        if passing {
            let Some(newline) = memchr(b'\n', &buffer) else {
                buffer.clear();
                continue;
            };
            start = newline + 1;
            passing = false;
        }
        let end = memrchr(b'\n', &buffer).map_or(start, |newline| (newline + 1).max(start));
        if search(&buffer[start..end]).is_break() {
            return Ok(());
        }
        buffer.drain(..end);
        if buffer.len() > LONGEST {
            buffer.clear();
            passing = true;
        }
    }
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
