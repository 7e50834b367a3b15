//! Folded text in bulk: first in memory, then in a file that never changes again.
//!
//! A file has four areas: the text, its capitals, the rows of the filter, and the tables of
//! passages. Each is divided into blocks with a checksum each, and a block is checked when it is
//! first read. What fails the check is an error, never an answer.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::filter;
use super::store::SegmentFiles;
use crate::files;
use crate::search::Bits;

/// Bytes of text in a block.
pub const BLOCK: usize = 16 * 1024;
/// Bytes of a table in a block.
const TABLE_BLOCK: usize = 4 * 1024;
const MAGIC: &[u8; 8] = b"crtext01";
const FOOTER: usize = 32;

/// Text of one file, with its capitals and its table of passages.
#[derive(Debug, Default)]
pub struct Part {
    pub text: Vec<u8>,
    pub caps: Bits,
    pub table: Vec<u8>,
}

/// Where a part is in a segment. There are many of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    text: Range<u32>,
    table: Range<u32>,
}

impl Chunk {
    /// Nothing, if a segment cannot be that large.
    pub fn new(text: Range<usize>, table: Range<usize>) -> Option<Self> {
        let short = |range: Range<usize>| {
            let end = u32::try_from(range.end).ok()?;
            Some(u32::try_from(range.start).ok()?.min(end)..end)
        };
        Some(Self {
            text: short(text)?,
            table: short(table)?,
        })
    }

    pub fn text(&self) -> Range<usize> {
        self.text.start as usize..self.text.end as usize
    }

    pub fn table(&self) -> Range<usize> {
        self.table.start as usize..self.table.end as usize
    }
}

/// A segment in memory, to which text is added.
#[derive(Debug, Default)]
pub struct OpenSegment {
    pub text: Vec<u8>,
    pub caps: Bits,
    pub tables: Vec<u8>,
}

impl OpenSegment {
    pub fn push(&mut self, part: &Part) -> Option<Chunk> {
        let (text, table) = (self.text.len(), self.tables.len());
        self.text.extend_from_slice(&part.text);
        self.caps.extend(&part.caps);
        self.caps.resize(self.text.len());
        self.tables.extend_from_slice(&part.table);
        Chunk::new(text..self.text.len(), table..self.tables.len())
    }

    /// Writes the file of this segment.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let caps = self.caps.to_bytes();
        let rows = filter::rows(&self.text);
        let layout = Layout::new(self.text.len(), self.tables.len());
        let mut sums = Vec::new();
        for (area, bytes) in [&self.text, &caps, &rows, &self.tables]
            .into_iter()
            .enumerate()
        {
            out.write_all(bytes)?;
            for block in bytes.chunks(layout.areas[area].block) {
                sums.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
            }
        }
        out.write_all(&sums)?;
        let mut footer = Vec::with_capacity(FOOTER);
        footer.extend_from_slice(MAGIC);
        footer.extend_from_slice(&(self.text.len() as u64).to_le_bytes());
        footer.extend_from_slice(&(self.tables.len() as u64).to_le_bytes());
        footer.extend_from_slice(&crc32fast::hash(&sums).to_le_bytes());
        footer.extend_from_slice(&crc32fast::hash(&footer).to_le_bytes());
        out.write_all(&footer)
    }
}

/// The areas of a file, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Area {
    Text,
    Caps,
    Rows,
    Tables,
}

#[derive(Debug, Clone, Copy)]
struct AreaLayout {
    /// Where it begins in the file.
    start: usize,
    length: usize,
    block: usize,
    /// The number of its first checksum.
    first: usize,
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    areas: [AreaLayout; 4],
    /// Where the checksums begin.
    end: usize,
    sums: usize,
}

impl Layout {
    fn new(text: usize, tables: usize) -> Self {
        let row = text.div_ceil(BLOCK).div_ceil(8);
        let sizes = [
            (text, BLOCK),
            (text.div_ceil(8), BLOCK / 8),
            (filter::ROWS * row, row.max(1)),
            (tables, TABLE_BLOCK),
        ];
        let (mut end, mut sums) = (0, 0);
        let areas = sizes.map(|(length, block)| {
            let (start, first) = (end, sums);
            end += length;
            sums += length.div_ceil(block);
            AreaLayout {
                start,
                length,
                block,
                first,
            }
        });
        Self { areas, end, sums }
    }
}

/// Where the file of a segment is.
#[derive(Debug, Clone)]
pub enum SegmentFile {
    /// In the cache, by its name. It is open only while it is used often.
    Named(Arc<SegmentFiles>, Arc<str>),
    /// It has no name, and several segments share it.
    Unnamed(Arc<File>),
}

impl SegmentFile {
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(_, name) => Some(name),
            Self::Unnamed(_) => None,
        }
    }

    fn get(&self) -> io::Result<Arc<File>> {
        match self {
            Self::Named(files, name) => files.open(name),
            Self::Unnamed(file) => Ok(Arc::clone(file)),
        }
    }

    pub fn length(&self) -> io::Result<usize> {
        let length = self.get()?.metadata()?.len();
        usize::try_from(length).map_err(|_| damaged())
    }

    fn read(&self, buffer: &mut [u8], at: usize) -> io::Result<()> {
        files::read_exact_at(&*self.get()?, buffer, at)
    }
}

/// A segment in a file.
#[derive(Debug)]
pub struct Segment {
    file: SegmentFile,
    base: usize,
    layout: Layout,
    sums: Vec<u32>,
    /// The blocks that were found to be what was written.
    checked: Mutex<Bits>,
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the stored text is damaged")
}

impl Segment {
    /// Opens the segment in a part of a file.
    pub fn open(file: SegmentFile, range: Range<usize>) -> io::Result<Self> {
        let (base, size) = (range.start, range.len());
        let mut footer = [0; FOOTER];
        let at = size.checked_sub(FOOTER).ok_or_else(damaged)?;
        file.read(&mut footer, base + at)?;
        let number = |at: usize| {
            let bytes = footer[at..at + 8].try_into().unwrap_or_default();
            usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| damaged())
        };
        let sum = |at: usize| u32::from_le_bytes(footer[at..at + 4].try_into().unwrap_or_default());
        if footer[..8] != *MAGIC || crc32fast::hash(&footer[..28]) != sum(28) {
            return Err(damaged());
        }
        let (text, tables) = (number(8)?, number(16)?);
        if text.max(tables) > size {
            return Err(damaged());
        }
        let layout = Layout::new(text, tables);
        if layout.end + 4 * layout.sums + FOOTER != size {
            return Err(damaged());
        }
        let mut bytes = vec![0; 4 * layout.sums];
        file.read(&mut bytes, base + layout.end)?;
        if crc32fast::hash(&bytes) != sum(24) {
            return Err(damaged());
        }
        let sums = bytes
            .chunks_exact(4)
            .map(|sum| u32::from_le_bytes(sum.try_into().unwrap_or_default()))
            .collect();
        let checked = Mutex::new(Bits::with_len(layout.sums));
        Ok(Self {
            file,
            base,
            layout,
            sums,
            checked,
        })
    }

    pub fn text_len(&self) -> usize {
        self.layout.areas[Area::Text as usize].length
    }

    /// Reads blocks of text.
    pub fn text(&self, blocks: Range<usize>, buffer: &mut Vec<u8>) -> io::Result<()> {
        self.read(Area::Text, blocks, buffer)
    }

    /// Reads the capitals of blocks of text.
    pub fn caps(&self, blocks: Range<usize>) -> io::Result<Bits> {
        let mut bytes = Vec::new();
        self.read(Area::Caps, blocks, &mut bytes)?;
        Ok(Bits::from_bytes(&bytes))
    }

    /// Reads a part of the tables.
    pub fn table(&self, range: &Range<usize>) -> io::Result<Vec<u8>> {
        let first = range.start / TABLE_BLOCK;
        let mut bytes = Vec::new();
        self.read(
            Area::Tables,
            first..range.end.div_ceil(TABLE_BLOCK),
            &mut bytes,
        )?;
        let start = range.start - first * TABLE_BLOCK;
        let wanted = bytes.get(start..start + range.len());
        Ok(wanted.ok_or_else(damaged)?.to_vec())
    }

    /// The blocks in which a folded word may begin. Nothing if the filter cannot tell.
    pub fn candidates(&self, word: &[u8]) -> io::Result<Option<Bits>> {
        let mut rows = Vec::new();
        for row in filter::rows_of(word) {
            let mut bytes = Vec::new();
            self.read(Area::Rows, row..row + 1, &mut bytes)?;
            rows.push(Bits::from_bytes(&bytes));
        }
        Ok(filter::in_all(rows.into_iter()))
    }

    fn read(&self, area: Area, blocks: Range<usize>, buffer: &mut Vec<u8>) -> io::Result<()> {
        let area = self.layout.areas[area as usize];
        let start = (blocks.start * area.block).min(area.length);
        let end = (blocks.end * area.block).min(area.length).max(start);
        buffer.resize(end - start, 0);
        self.file.read(buffer, self.base + area.start + start)?;
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, block) in (area.first + blocks.start..).zip(buffer.chunks(area.block)) {
            if checked.get(at) {
                continue;
            }
            if self.sums.get(at) != Some(&crc32fast::hash(block)) {
                return Err(damaged());
            }
            checked.set(at, true);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "segment_tests.rs"]
mod tests;
