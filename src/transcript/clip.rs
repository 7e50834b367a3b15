//! Very long lines, with their long strings cut while they are read.
//!
//! A line of 150 MB is a picture or the output of a tool: one or two enormous strings that nobody
//! reads to the end, in a frame that says what they are. Parsed as it stands it would take three
//! times its size in memory. Here only the beginning of such a string is kept, with a note of how
//! much was left out, and the line is never held whole. Valid JSON stays valid; nothing else is
//! changed, and nothing is validated.

use std::io::{self, Read, Write};

use memchr::{memchr, memchr2};

use crate::json::cut_before;

/// Lines up to this long are read as they stand.
const LONG_LINE: usize = 1024 * 1024;
const CHUNK: usize = 256 * 1024;

/// What of a long line is kept, in bytes.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// A string up to this long is kept whole.
    longest: usize,
    /// So much is kept of a longer one.
    kept: usize,
    /// From this size of the line on, strings longer than `kept` are cut: a thousand strings of
    /// middle size are as much as one that is enormous.
    plenty: usize,
}

const LIMITS: Limits = Limits {
    longest: 256 * 1024,
    kept: 16 * 1024,
    plenty: 8 * 1024 * 1024,
};

/// Puts the next `length` bytes of `source` into `line`, in place of what it held. If that is a
/// very long line, strings of more than 256 KiB in it end after 16 KiB with `… [N bytes left
/// out]`. A source that ends early gives what is there.
pub fn read_line(source: &mut impl Read, length: usize, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    let mut source = source.take(length as u64);
    if length <= LONG_LINE {
        source.read_to_end(line)?;
        return Ok(());
    }
    let mut clipper = Clipper::new(LIMITS);
    let mut chunk = vec![0; CHUNK];
    loop {
        match source.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(read) => clipper.take(&chunk[..read], line),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// What a string ends with that was cut.
const LEFT_OUT: &str = " bytes left out]";

/// Was the end of this text left out when it was read?
pub fn is_clipped(text: &str) -> bool {
    text.ends_with(LEFT_OUT)
}

/// Copies a line piece by piece, and leaves out the rest of long strings.
struct Clipper {
    limits: Limits,
    place: Place,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Outside,
    /// In a string that starts there in the copy, and of which so many bytes were left out.
    String {
        start: usize,
        left_out: usize,
    },
    /// The same, right behind a backslash.
    Escape {
        start: usize,
        left_out: usize,
    },
}

impl Clipper {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            place: Place::Outside,
        }
    }

    fn take(&mut self, mut bytes: &[u8], line: &mut Vec<u8>) {
        while !bytes.is_empty() {
            let used = match self.place {
                Place::Outside => self.take_outside(bytes, line),
                Place::String { start, left_out } => self.take_string(bytes, line, start, left_out),
                Place::Escape { start, left_out } => {
                    let left_out = self.keep(&bytes[..1], line, start, left_out);
                    self.place = Place::String { start, left_out };
                    1
                }
            };
            bytes = &bytes[used..];
        }
    }

    fn take_outside(&mut self, bytes: &[u8], line: &mut Vec<u8>) -> usize {
        let quote = memchr(b'"', bytes);
        let used = quote.map_or(bytes.len(), |quote| quote + 1);
        line.extend_from_slice(&bytes[..used]);
        if quote.is_some() {
            self.place = Place::String {
                start: line.len(),
                left_out: 0,
            };
        }
        used
    }

    fn take_string(
        &mut self,
        bytes: &[u8],
        line: &mut Vec<u8>,
        start: usize,
        left_out: usize,
    ) -> usize {
        let Some(at) = memchr2(b'"', b'\\', bytes) else {
            let left_out = self.keep(bytes, line, start, left_out);
            self.place = Place::String { start, left_out };
            return bytes.len();
        };
        if bytes[at] == b'\\' {
            let left_out = self.keep(&bytes[..=at], line, start, left_out);
            self.place = Place::Escape { start, left_out };
        } else {
            let left_out = self.keep(&bytes[..at], line, start, left_out);
            if left_out > 0 {
                // Writing to memory does not fail.
                let _ = write!(line, " … [{left_out}{LEFT_OUT}");
            }
            line.push(b'"');
            self.place = Place::Outside;
        }
        at + 1
    }

    /// Copies a piece of a string, or cuts the string if it is too long now. Gives how much was
    /// left out of it so far.
    fn keep(&self, piece: &[u8], line: &mut Vec<u8>, start: usize, left_out: usize) -> usize {
        if left_out > 0 {
            return left_out + piece.len();
        }
        line.extend_from_slice(piece);
        let length = line.len() - start;
        let longest = if start < self.limits.plenty {
            self.limits.longest
        } else {
            self.limits.kept
        };
        if length <= longest {
            return 0;
        }
        let kept = cut_before(&line[start..], self.limits.kept);
        line.truncate(start + kept);
        length - kept
    }
}

#[cfg(test)]
#[path = "clip_tests.rs"]
mod tests;
