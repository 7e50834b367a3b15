//! Lines of a window, from the front or from the back, with what the window cut off.

use std::ops::ControlFlow;

use memchr::{memchr, memrchr};

use crate::json::{End, Fields};

/// What comes after the last byte of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowEnd {
    /// The end of the file: a last line without a newline is whole, or a crash tore it.
    File,
    /// The start of a line.
    Line,
    /// More of the last line, not read yet.
    Cut,
    /// More of the last line, never to be read: its beginning is all there will be.
    GiveUp,
}

/// Bytes of a file around its end or start.
#[derive(Debug)]
pub struct FileWindow<'a> {
    pub bytes: &'a [u8],
    /// Does the window start inside a line?
    pub cut_start: bool,
    pub ending: WindowEnd,
    /// The region of the lines before `tail_start`.
    pub region: Region,
    /// Where the last 64 KiB of the file start in the window; `usize::MAX` if they are after it.
    pub tail_start: usize,
}

impl FileWindow<'_> {
    /// The region of the line at an offset.
    pub fn region_at(&self, offset: usize) -> Region {
        if offset >= self.tail_start {
            Region::Tail
        } else {
            self.region
        }
    }

    /// Does the file end in this window, and inside a line?
    pub fn ends_torn(&self) -> bool {
        let rest = match memrchr(b'\n', self.bytes) {
            Some(newline) => &self.bytes[newline + 1..],
            None if self.cut_start => return false,
            None => self.bytes,
        };
        let is_blank = rest.iter().all(|b| b.is_ascii_whitespace() || *b == 0);
        self.ending == WindowEnd::File && !is_blank && !is_closed(rest)
    }
}

/// Where a line is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// In the last 64 KiB.
    Tail,
    /// Before that, with everything in between read.
    BeforeTail,
    /// At the start of a file whose middle was not read: the last value here may be stale.
    Start,
}

/// A line, and whether the window shows all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowLine<'a> {
    Whole(&'a [u8]),
    CutAtStart(&'a [u8]),
    CutAtEnd(&'a [u8]),
}

/// Calls `each` for every line from the front until it breaks. Returns the offset of
/// the first unused byte: the start of a line whose end is not in the window.
pub fn forward<'a>(
    bytes: &'a [u8],
    ending: WindowEnd,
    mut each: impl FnMut(WindowLine<'a>) -> ControlFlow<()>,
) -> usize {
    let mut at = 0;
    while let Some(length) = memchr(b'\n', &bytes[at..]) {
        let line = without_nuls(&bytes[at..at + length]);
        at += length + 1;
        if each(WindowLine::Whole(line)).is_break() {
            return bytes.len();
        }
    }
    let rest = &bytes[at..];
    match ending {
        // The last line: there is nothing left to break off.
        WindowEnd::File if is_closed(without_nuls(rest)) => {
            let _ = each(WindowLine::Whole(without_nuls(rest)));
        }
        WindowEnd::GiveUp => {
            let _ = each(WindowLine::CutAtEnd(rest));
        }
        WindowEnd::Cut => return at,
        WindowEnd::File | WindowEnd::Line => {}
    }
    bytes.len()
}

/// The lines of a window from the back, each with its offset. The one cut at the start comes
/// last, and only if its end is really the end of a line.
pub fn backward<'a>(window: &FileWindow<'a>) -> impl Iterator<Item = (usize, WindowLine<'a>)> {
    let bytes = window.bytes;
    let cut_start = window.cut_start;
    let mut end = match (window.ending, memrchr(b'\n', bytes)) {
        (WindowEnd::File, Some(newline)) if is_closed(&bytes[newline + 1..]) => Some(bytes.len()),
        (WindowEnd::File, None) if !cut_start && is_closed(bytes) => Some(bytes.len()),
        (WindowEnd::Line, _) => Some(bytes.len()),
        (_, Some(newline)) => Some(newline),
        (_, None) => None,
    };
    std::iter::from_fn(move || {
        let stop = end?;
        if let Some(newline) = memrchr(b'\n', &bytes[..stop]) {
            end = Some(newline);
            let line = without_nuls(&bytes[newline + 1..stop]);
            return Some((newline + 1, WindowLine::Whole(line)));
        }
        end = None;
        let line = &bytes[..stop];
        Some(if cut_start {
            (0, WindowLine::CutAtStart(line))
        } else {
            (0, WindowLine::Whole(without_nuls(line)))
        })
    })
}

/// A line without the NUL bytes that a lost power supply left in front of it.
fn without_nuls(line: &[u8]) -> &[u8] {
    if line.first() != Some(&0) {
        return line;
    }
    let start = line.iter().position(|b| *b != 0).unwrap_or(line.len());
    &line[start..]
}

/// Where the first line break stands: what is before it belongs to a line cut at the start.
pub fn first_line_start(bytes: &[u8]) -> usize {
    memchr(b'\n', bytes).map_or(bytes.len(), |newline| newline + 1)
}

/// Is this one whole JSON object? A line without a newline may have been torn by a crash.
fn is_closed(line: &[u8]) -> bool {
    matches!(Fields::new(line).end(), End::Closed(_))
}
