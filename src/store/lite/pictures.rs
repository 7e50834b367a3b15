//! A line that is long because of its pictures, without them.
//!
//! A picture is one string of base64, so bytes without a quote, a backslash or a line break are left
//! out of it piece by piece. What remains is a line like any other.

use std::io;

use memchr::memchr3;

use super::lines::WindowEnd;
use super::{Buffer, READ_ON, Source};

/// How much of a file may be read for the sake of pictures. A prompt has seldom more than one, and
/// Claude takes at most 32 MB in a request.
const MOST: usize = 64 * 1024 * 1024;
/// What is read at a time, and what of it is kept or left out as a whole.
const STEP: usize = 256 * 1024;
const PIECE: usize = 16 * 1024;

/// A line, and where it ends in the file.
#[derive(Debug)]
pub struct LineWithoutPictures {
    pub bytes: Vec<u8>,
    pub end: usize,
    pub ending: WindowEnd,
}

/// Reads the line that starts at an offset. `None` if too much remains of it, or if `spare` is not
/// enough to find its end.
pub fn read_line(
    source: &impl Source,
    buffer: &mut Buffer,
    start: usize,
    size: usize,
    spare: &mut Spare,
) -> io::Result<Option<LineWithoutPictures>> {
    let mut bytes = Vec::new();
    let mut at = start;
    while bytes.len() < READ_ON && spare.0 > 0 {
        let chunk = buffer.fill(source, at, STEP.min(size.saturating_sub(at)))?;
        if chunk.is_empty() {
            let ending = WindowEnd::File;
            return Ok(Some(LineWithoutPictures {
                bytes,
                end: at,
                ending,
            }));
        }
        for piece in chunk.chunks(PIECE) {
            if memchr3(b'"', b'\\', b'\n', piece).is_none() {
                at += piece.len();
                continue;
            }
            if let Some(newline) = memchr::memchr(b'\n', piece) {
                bytes.extend_from_slice(&piece[..=newline]);
                let (end, ending) = (at + newline + 1, WindowEnd::Line);
                return Ok(Some(LineWithoutPictures { bytes, end, ending }));
            }
            bytes.extend_from_slice(piece);
            at += piece.len();
        }
        spare.0 = spare.0.saturating_sub(chunk.len());
    }
    Ok(None)
}

/// How much of a file may still be read for its pictures.
#[derive(Debug)]
pub struct Spare(usize);

impl Default for Spare {
    fn default() -> Self {
        Self(MOST)
    }
}
