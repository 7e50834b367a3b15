//! The lines of a file from its end, one block at a time.
//!
//! Blocks are read only when they are needed, so the newest lines of a huge file cost as much as
//! those of a small one. Lines and characters may cross the edges of blocks: a line is returned only
//! when all of it is there. What a line means is not known here.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memrchr;

/// The first block: a few hundred prompts.
const FIRST_BLOCK: usize = 64 * 1024;
/// Later blocks.
const BLOCK: usize = 256 * 1024;

/// A line without its newline, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryLine<'a> {
    pub offset: u64,
    pub bytes: &'a [u8],
    pub end: LineEnd,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnd {
    Newline,
    /// It is the last one, and may still be written to.
    Open,
}

#[derive(Debug)]
pub struct Backwards<R> {
    source: R,
    /// Bytes of the file from `start` on; those from `limit` on have been returned.
    held: Vec<u8>,
    start: u64,
    limit: usize,
    /// From here on `held` has no newline before `limit`.
    searched: usize,
    next_block: usize,
    block: usize,
    end: Option<LineEnd>,
}

impl<R: Read + Seek> Backwards<R> {
    /// Begins at the current end of the source.
    pub fn new(source: R) -> io::Result<Self> {
        Self::with_blocks(source, FIRST_BLOCK, BLOCK)
    }

    /// The same with blocks of another size.
    pub fn with_blocks(mut source: R, first: usize, block: usize) -> io::Result<Self> {
        let start = source.seek(SeekFrom::End(0))?;
        Ok(Self {
            source,
            held: Vec::new(),
            start,
            limit: 0,
            searched: 0,
            next_block: first.max(1),
            block: block.max(1),
            end: None,
        })
    }

    /// The line before the one that was returned last. A newline at the very end closes the last
    /// line and does not begin another one.
    pub fn next_line(&mut self) -> io::Result<Option<HistoryLine<'_>>> {
        let end = match self.end {
            Some(end) => end,
            None if self.start == 0 => return Ok(None),
            None => {
                self.fetch()?;
                if self.held.last() == Some(&b'\n') {
                    self.limit -= 1;
                    self.searched = self.limit;
                    LineEnd::Newline
                } else {
                    LineEnd::Open
                }
            }
        };
        let newline = loop {
            let newline = memrchr(b'\n', &self.held[..self.searched]);
            if newline.is_some() || self.start == 0 {
                break newline;
            }
            self.fetch()?;
        };
        // The first line of the file has no newline before it.
        let from = newline.map_or(0, |at| at + 1);
        let to = std::mem::replace(&mut self.limit, newline.unwrap_or(0));
        self.searched = self.limit;
        self.end = newline.map(|_| LineEnd::Newline);
        Ok(Some(HistoryLine {
            offset: self.start + from as u64,
            bytes: &self.held[from..to],
            end,
        }))
    }

    /// Reads the block before the bytes that are held.
    fn fetch(&mut self) -> io::Result<()> {
        // A line longer than a block is fetched in steps that double, or it would be copied as
        // often as it has blocks.
        let wanted = self.next_block.max(self.limit) as u64;
        self.next_block = self.block;
        let length = wanted.min(self.start);
        self.start -= length;
        self.source.seek(SeekFrom::Start(self.start))?;
        let length = usize::try_from(length).map_err(io::Error::other)?;
        let mut held = vec![0; length + self.limit];
        self.source.read_exact(&mut held[..length])?;
        held[length..].copy_from_slice(&self.held[..self.limit]);
        self.searched = length;
        self.limit += length;
        self.held = held;
        Ok(())
    }
}

#[cfg(test)]
#[path = "backwards_tests.rs"]
mod tests;
