//! Very long lines, with their long strings cut before they are parsed.
//!
//! A line of 150 MB is a picture or the output of a tool: one or two enormous strings in a small
//! frame. Parsing it whole would take three times its size in memory. Only the beginning of such a
//! string is kept, with a note of how much was left out. Valid JSON stays valid; nothing else is
//! changed, and nothing is validated.

use std::io::{self, Read, Write};

use memchr::memchr;

use crate::json::{cut_before, string_end};

/// Lines up to this long are read unchanged.
const LONG_LINE: usize = 1024 * 1024;

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
    line.reserve_exact(length);
    source.take(length as u64).read_to_end(line)?;
    if length > LONG_LINE {
        *line = clipped(line, LIMITS);
    }
    Ok(())
}

/// The end of a string that was cut.
const LEFT_OUT: &str = " bytes left out]";

/// A copy of a line without the ends of its long strings.
fn clipped(line: &[u8], limits: Limits) -> Vec<u8> {
    let mut copy = Vec::new();
    let mut rest = line;
    while let Some(quote) = memchr(b'"', rest) {
        let (outside, inside) = rest.split_at(quote + 1);
        copy.extend_from_slice(outside);
        let end = string_end(inside, 0);
        let (string, behind) = inside.split_at(end.unwrap_or(inside.len()));
        let longest = if copy.len() < limits.plenty {
            limits.longest
        } else {
            limits.kept
        };
        if string.len() > longest {
            let kept = cut_before(string, limits.kept);
            copy.extend_from_slice(&string[..kept]);
            let _ = write!(copy, " … [{}{LEFT_OUT}", string.len() - kept);
        } else {
            copy.extend_from_slice(string);
        }
        // The closing quote, unless the line is torn.
        let (close, behind) = behind.split_at(usize::from(end.is_some()));
        copy.extend_from_slice(close);
        rest = behind;
    }
    copy.extend_from_slice(rest);
    copy
}

#[cfg(test)]
#[path = "clip_tests.rs"]
mod tests;
