//! A quick pass over an enormous file for the few lines that contain a word.
//!
//! Searches for the word alone, in bounded memory. Only short lines of metadata are looked for this
//! way, so longer lines are skipped.

use std::io::{self, Read};

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

const CHUNK: usize = 1024 * 1024;
/// The longest line that is searched.
const LONGEST: usize = 1024 * 1024;

/// An occurrence of the word.
#[derive(Debug, Clone, Copy)]
pub struct SweepHit<'a> {
    lines: &'a [u8],
    at: usize,
}

impl<'a> SweepHit<'a> {
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

    /// The byte before the word; a newline at the beginning of a line.
    pub fn before(self) -> u8 {
        let at = self.at.checked_sub(1);
        at.map_or(b'\n', |at| self.lines[at])
    }
}

/// Passes each occurrence of the word to `take`, in order.
pub fn sweep(
    mut source: impl Read,
    word: &[u8],
    mut take: impl FnMut(SweepHit<'_>),
) -> io::Result<()> {
    let finder = Finder::new(word);
    let mut search = |lines: &[u8]| {
        for at in finder.find_iter(lines) {
            take(SweepHit { lines, at });
        }
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
                search(&buffer);
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
        search(&buffer[start..end]);
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
