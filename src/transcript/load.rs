//! The first pass: the whole file in chunks, and of each line only its link.
//!
//! Memory follows the links that are kept and the longest line, never the file. In large files
//! everything before a compaction without preserved messages is dropped as it is passed, as
//! Claude Code does when it resumes.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use memchr::{memchr, memmem, memrchr};

use super::index::{Index, IndexStart, Pointer};
use super::link::{ParsedLine, parse};
use super::parts::SharedEnding;
use crate::files;
use crate::json::{End, Fields, field};

const CHUNK: usize = 1024 * 1024;
/// How many torn beginnings on one line are passed over: a crash leaves one.
pub(super) const MOST_STUBS: usize = 16;
/// From this size on Claude Code loads only what follows the last compaction.
const LARGE_FILE: u64 = 5 * 1024 * 1024;

/// How much of a file is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadExtent {
    /// What resuming loads: of a large file only what follows the last compaction.
    Resumed,
    /// Everything, also what a compaction has done with.
    Everything,
}

/// Loads the links of a transcript.
pub fn load(path: &Path, extent: LoadExtent) -> io::Result<Index> {
    let file = files::open(path)?;
    let size = file.metadata()?.len();
    load_from(file, size, extent)
}

/// Loads links from anything that reads like a file of `size` bytes.
pub fn load_from(source: impl Read, size: u64, extent: LoadExtent) -> io::Result<Index> {
    let mut loader = Loader {
        cuts: size > LARGE_FILE && extent == LoadExtent::Resumed,
        ..Loader::default()
    };
    for_each_block(source, |lines, offset| match lines.last() {
        Some(b'\n') => loader.take_lines(lines, offset),
        _ => loader.take_end(lines, offset),
    })?;
    Ok(loader.index)
}

/// Reads a source in blocks of whole lines, and last what follows the last newline. Says where in
/// the source each block starts. Holds a chunk, or the longest line.
pub fn for_each_block(mut source: impl Read, mut take: impl FnMut(&[u8], u64)) -> io::Result<()> {
    let mut buffer: Vec<u8> = Vec::new();
    let mut offset = 0_u64;
    loop {
        let searched = buffer.len();
        if read_chunk(&mut source, &mut buffer)? == 0 {
            break;
        }
        let Some(newline) = memrchr(b'\n', &buffer[searched..]) else {
            continue;
        };
        let whole = searched + newline + 1;
        take(&buffer[..whole], offset);
        buffer.drain(..whole);
        offset += whole as u64;
        if buffer.capacity() > 8 * CHUNK && buffer.len() < CHUNK {
            // One very long line must not hold its memory for the rest of the source.
            buffer.shrink_to(2 * CHUNK);
        }
    }
    take(&buffer, offset);
    Ok(())
}

/// Loads the links of the last `window` bytes of a source of `size` bytes: the newest part of a
/// conversation, long before the whole is read. What hangs on something before them is no gap.
pub fn load_end(mut source: impl Read + Seek, size: u64, window: u64) -> io::Result<Index> {
    let start = size.saturating_sub(window);
    if start == 0 {
        source.seek(SeekFrom::Start(0))?;
        return load_from(source, size, LoadExtent::Resumed);
    }
    source.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::with_capacity(usize::try_from(size - start).unwrap_or_default());
    source.take(size - start).read_to_end(&mut bytes)?;
    let mut loader = Loader {
        cuts: size > LARGE_FILE,
        ..Loader::default()
    };
    // The first line is seldom whole.
    let first = memchr(b'\n', &bytes).map_or(bytes.len(), |newline| newline + 1);
    let last = memrchr(b'\n', &bytes).map_or(first, |newline| newline + 1);
    loader.take_lines(&bytes[first..last], start + first as u64);
    loader.take_end(&bytes[last..], start + last as u64);
    loader.index.start = IndexStart::Window;
    Ok(loader.index)
}

/// Appends up to one chunk. Grows by what is needed: doubling would hold a line of 150 MB twice.
fn read_chunk(source: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<usize> {
    buffer.reserve_exact(CHUNK);
    source.take(CHUNK as u64).read_to_end(buffer)
}

#[derive(Default)]
struct Loader {
    index: Index,
    /// How the lines end at the moment.
    ending: SharedEnding,
    /// Drop what lies before a compaction?
    cuts: bool,
}

impl Loader {
    fn take_lines(&mut self, lines: &[u8], offset: u64) {
        let mut at = 0;
        while let Some(length) = memchr(b'\n', &lines[at..]) {
            self.take_line(&lines[at..at + length], offset + at as u64);
            at += length + 1;
        }
    }

    /// What follows the last newline: nothing, a whole line, or one that a crash tore.
    fn take_end(&mut self, rest: &[u8], offset: u64) {
        if is_blank(rest) {
            self.index.health.nul_runs += u64::from(rest.contains(&0));
            return;
        }
        self.index.health.torn_end = !matches!(Fields::new(rest).end(), End::Closed(_));
        self.take_line(rest, offset);
    }

    fn take_line(&mut self, line: &[u8], offset: u64) {
        self.index.health.lines += 1;
        let has_bom = offset == 0 && line.starts_with(b"\xef\xbb\xbf");
        let bom = if has_bom { 3 } else { 0 };
        let nuls = line[bom..].iter().take_while(|b| **b == 0).count();
        self.index.health.nul_runs += u64::from(nuls > 0);
        let line = &line[bom + nuls..];
        let space = line.len() - line.trim_ascii_start().len();
        let offset = offset + (bom + nuls + space) as u64;
        self.take_objects(&line[space..], offset, nuls > 0);
    }

    /// Takes the object that `bytes` start with, and any that follow on the line. An object is glued
    /// if it is not the first on its line: Claude Code reads only the first.
    fn take_objects(&mut self, mut bytes: &[u8], mut offset: u64, mut is_glued: bool) {
        let mut objects = 0;
        let mut stubs = 0;
        while !is_blank(bytes) {
            let (parsed, end) = parse(bytes, &mut self.ending);
            let used = match end {
                // Behind a stub, what does not say where it belongs is a piece of the stub: the
                // report on an agent's progress holds whole entries.
                End::Closed(length) if stubs > 0 && !belongs(&parsed, &bytes[..length]) => length,
                End::Closed(length) => {
                    self.index.health.glued += u64::from(objects > 0);
                    self.take(parsed, offset, &bytes[..length], is_glued);
                    length
                }
                End::Broken => {
                    if stubs == 0 {
                        self.index.health.note_bad();
                    }
                    stubs += 1;
                    if stubs > MOST_STUBS {
                        return;
                    }
                    // A torn stub: the next writer began its line right after it.
                    next_opening(bytes).unwrap_or(bytes.len())
                }
            };
            bytes = &bytes[used..];
            offset += used as u64;
            objects += 1;
            is_glued = true;
        }
    }

    fn take(&mut self, parsed: ParsedLine, offset: u64, line: &[u8], is_glued: bool) {
        match parsed {
            ParsedLine::Link(mut link) => {
                link.is_glued = is_glued;
                link.offset = offset;
                link.length = line.len();
                // A sub-agent's compaction is none of the conversation's.
                let cut = !link.is_sidechain
                    && link
                        .boundary
                        .as_ref()
                        .is_some_and(|boundary| self.cuts && !boundary.has_preserved());
                if cut {
                    self.index.drop_all();
                }
                self.index.add(link);
            }
            ParsedLine::Pointer { leaf, explicit } => {
                self.index.pointer = Some(Pointer {
                    leaf,
                    explicit,
                    offset,
                });
            }
            ParsedLine::Other => self.index.metadata.note(line, offset),
        }
    }
}

/// Is this something that Claude Code writes as a line of its own?
fn belongs(parsed: &ParsedLine, object: &[u8]) -> bool {
    match parsed {
        ParsedLine::Link(_) => field(object, b"parentUuid").is_some(),
        ParsedLine::Pointer { .. } => true,
        ParsedLine::Other => field(object, b"sessionId").is_some(),
    }
}

/// Where inside a broken line the next entry opens, by the two ways in which entries open.
pub(super) fn next_opening(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.get(1..)?;
    [&b"{\"parentUuid\":"[..], b"{\"type\":\""]
        .iter()
        .filter_map(|opening| memmem::find(rest, opening))
        .min()
        .map(|at| at + 1)
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| b.is_ascii_whitespace() || *b == 0)
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
