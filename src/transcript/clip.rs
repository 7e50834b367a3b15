//! Very long lines, with their long strings cut while they are read.
//!
//! A line of 150 MB is a picture or the output of a tool: one or two enormous strings in a small
//! frame. Parsing it whole would take three times its size in memory. Only the beginning of such a
//! string is kept, with a note of how much was left out, and the line is never held whole. Valid JSON
//! stays valid; nothing else is changed, and nothing is validated.

use std::io::{self, Read, Write};

use memchr::{memchr, memchr2};

use crate::json::cut_before;

/// Lines up to this long are read unchanged.
const LONG_LINE: usize = 1024 * 1024;
const CHUNK: usize = 256 * 1024;

/// What of a long line is kept, in bytes.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// A string up to this long is kept whole.
    longest: usize,
    /// Bytes that are kept of a longer string.
    kept: usize,
    /// Beyond this size of the line, strings longer than `kept` are cut: a thousand strings of medium
    /// size are as much as an enormous one.
    plenty: usize,
}

const LIMITS: Limits = Limits {
    longest: 256 * 1024,
    kept: 16 * 1024,
    plenty: 8 * 1024 * 1024,
};

/// Replaces the content of `line` with the next `length` bytes of `source`. In a very long line,
/// strings of more than 256 KiB end after 16 KiB with `… [N bytes left out]`. A source that ends early
/// is no error.
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

/// The end of a string that was cut.
const LEFT_OUT: &str = " bytes left out]";

/// Copies a line piece by piece, and leaves out the rest of long strings.
struct Clipper {
    limits: Limits,
    /// The string that the next byte is in.
    string: Option<OpenString>,
}

#[derive(Debug, Clone, Copy)]
struct OpenString {
    /// Where it starts in the copy.
    start: usize,
    left_out: usize,
    /// Is the next byte after a backslash?
    is_escaped: bool,
}

impl Clipper {
    fn new(limits: Limits) -> Self {
        let string = None;
        Self { limits, string }
    }

    fn take(&mut self, mut bytes: &[u8], line: &mut Vec<u8>) {
        while !bytes.is_empty() {
            let used = match self.string.take() {
                None => self.take_outside(bytes, line),
                Some(string) => self.take_string(bytes, line, string),
            };
            bytes = &bytes[used..];
        }
    }

    fn take_outside(&mut self, bytes: &[u8], line: &mut Vec<u8>) -> usize {
        let quote = memchr(b'"', bytes);
        let used = quote.map_or(bytes.len(), |quote| quote + 1);
        line.extend_from_slice(&bytes[..used]);
        self.string = quote.map(|_| OpenString {
            start: line.len(),
            left_out: 0,
            is_escaped: false,
        });
        used
    }

    fn take_string(&mut self, bytes: &[u8], line: &mut Vec<u8>, mut string: OpenString) -> usize {
        let special = if string.is_escaped {
            Some(0)
        } else {
            memchr2(b'"', b'\\', bytes)
        };
        let is_end = special.is_some_and(|at| !string.is_escaped && bytes[at] == b'"');
        let used = special.map_or(bytes.len(), |at| at + 1);
        let kept = if is_end { used - 1 } else { used };
        self.keep(&bytes[..kept], line, &mut string);
        if !is_end {
            string.is_escaped = special.is_some() && !string.is_escaped;
            self.string = Some(string);
            return used;
        }
        if string.left_out > 0 {
            // Writing to memory does not fail.
            let _ = write!(line, " … [{}{LEFT_OUT}", string.left_out);
        }
        line.push(b'"');
        used
    }

    /// Copies a piece of a string, or cuts the string if it is too long now.
    fn keep(&self, piece: &[u8], line: &mut Vec<u8>, string: &mut OpenString) {
        if string.left_out > 0 {
            string.left_out += piece.len();
            return;
        }
        line.extend_from_slice(piece);
        let length = line.len() - string.start;
        let longest = if string.start < self.limits.plenty {
            self.limits.longest
        } else {
            self.limits.kept
        };
        if length > longest {
            let kept = cut_before(&line[string.start..], self.limits.kept);
            line.truncate(string.start + kept);
            string.left_out = length - kept;
        }
    }
}

#[cfg(test)]
#[path = "clip_tests.rs"]
mod tests;
