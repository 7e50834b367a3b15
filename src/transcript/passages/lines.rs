//! The lines of a file, a chunk at a time.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memrchr};

/// So much is read at once: the processor's own cache holds it while it is looked at.
const CHUNK: usize = 256 * 1024;
/// A longer line is not held.
const LONGEST: usize = 64 * 1024 * 1024;

/// A line without its newline.
#[derive(Debug, Clone, Copy)]
pub struct FileLine<'a> {
    /// `None` for a line that is too long.
    pub bytes: Option<&'a [u8]>,
    pub offset: u64,
    /// Just after its newline.
    pub end: u64,
    /// Is it the last one, without a newline?
    pub is_torn: bool,
}

pub fn for_each_line(
    mut source: impl Read,
    mut offset: u64,
    is_stopped: &dyn Fn() -> bool,
    take: &mut dyn FnMut(FileLine<'_>),
) -> io::Result<()> {
    let mut buffer = Vec::new();
    // Bytes of the current line that were dropped.
    let mut passed = 0;
    loop {
        if is_stopped() {
            return Err(ErrorKind::Interrupted.into());
        }
        let searched = buffer.len();
        // Doubling would hold a long line twice.
        buffer.reserve_exact(CHUNK);
        let mut chunk = source.by_ref().take(CHUNK as u64);
        if chunk.read_to_end(&mut buffer)? == 0 {
            break;
        }
        let Some(newline) = memrchr(b'\n', &buffer[searched..]) else {
            if buffer.len() > LONGEST || passed > 0 {
                passed += buffer.len() as u64;
                buffer = Vec::new();
            }
            continue;
        };
        let whole = searched + newline + 1;
        let mut at = 0;
        while let Some(length) = memchr(b'\n', &buffer[at..whole]) {
            let bytes = &buffer[at..at + length];
            let end = offset + passed + length as u64 + 1;
            take(FileLine {
                bytes: (passed == 0).then_some(bytes),
                offset,
                end,
                is_torn: false,
            });
            (offset, passed) = (end, 0);
            at += length + 1;
        }
        buffer.drain(..whole);
        if buffer.capacity() > 32 * CHUNK && buffer.len() < CHUNK {
            // One very long line must not hold its memory for the rest of the file.
            buffer.shrink_to(2 * CHUNK);
        }
    }
    if passed > 0 || !buffer.is_empty() {
        take(FileLine {
            bytes: (passed == 0).then_some(&buffer),
            offset,
            end: offset + passed + buffer.len() as u64,
            is_torn: true,
        });
    }
    Ok(())
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
