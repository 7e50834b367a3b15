//! From a transcript to folded text: all of it, or what was added since the last time.

use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use super::display::{display_text, profile};
use super::prefix::{Prefix, Summing};
use super::segment::Part;
use super::table::TableWriter;
use crate::files;
use crate::search::{Bits, fold_long_onto};
use crate::store::FileVersion;
use crate::transcript::{Checkpoint, Passage, passages};

/// Comes after every passage. Folding leaves no control characters.
pub const SEPARATOR: u8 = 0x1f;
/// So much text is handed on at a time.
const PIECE: usize = 4 * 1024 * 1024;

/// How far a file was read, and how to tell that this part of it is still the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extent {
    pub version: FileVersion,
    pub checkpoint: Checkpoint,
    /// Checksums of the bytes before the checkpoint.
    pub prefix: Prefix,
    pub left_out: LeftOut,
}

/// Bytes left out of long outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Before the checkpoint.
    pub settled: u64,
    /// After it, in what is read again.
    pub provisional: u64,
}

impl LeftOut {
    pub fn all(self) -> u64 {
        self.settled + self.provisional
    }
}

/// What people and Claude said, and what tools were given and answered.
pub type Parts = [Part; 2];

/// The result of reading a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// From its beginning: what was known is void.
    Whole,
    /// From the checkpoint on.
    Added,
}

/// Reads a transcript and hands out its text in pieces. Goes on after the known part where that is
/// still what it was. `begin` hears which of the two it is before the first piece.
pub fn extract(
    path: &Path,
    known: Option<&Extent>,
    is_stopped: &dyn Fn() -> bool,
    begin: impl FnOnce(Reading),
    mut piece: impl FnMut(Parts),
) -> io::Result<Extent> {
    let mut file = files::open(path)?;
    let version = FileVersion::of(&file.metadata()?);
    let known = known.filter(|known| {
        let before = known.version;
        let is_longer = version.size > before.size && version.inode == before.inode;
        is_longer
            && known
                .prefix
                .is_kept(&file, known.checkpoint.offset)
                .unwrap_or(false)
    });
    begin(known.map_or(Reading::Whole, |_| Reading::Added));
    let start = known.map_or_else(Checkpoint::default, |known| known.checkpoint.clone());
    let mut settled = known.map_or(0, |known| known.left_out.settled);
    let mut cuts = Vec::new();
    file.seek(SeekFrom::Start(start.offset))?;
    let mut writers = [PartWriter::default(), PartWriter::default()];
    let before = known.map_or_else(Prefix::default, |known| known.prefix.clone());
    let mut source = Summing::new(&file, before, start.offset);
    let checkpoint = passages(&mut source, &start, is_stopped, &mut |passage| {
        if passage.cut > 0 {
            cuts.push((passage.lines.start, passage.cut));
        }
        writers[usize::from(passage.voice.is_tool())].push(passage);
        if writers
            .iter()
            .map(|writer| writer.text.len())
            .sum::<usize>()
            >= PIECE
        {
            piece(writers.each_mut().map(PartWriter::take));
        }
    })?;
    piece(writers.each_mut().map(PartWriter::take));
    let mut provisional = 0;
    for (start, cut) in cuts {
        if start < checkpoint.offset {
            settled += cut;
        } else {
            provisional += cut;
        }
    }
    Ok(Extent {
        version,
        prefix: source.finish(checkpoint.offset)?,
        checkpoint,
        left_out: LeftOut {
            settled,
            provisional,
        },
    })
}

#[derive(Debug, Default)]
pub(super) struct PartWriter {
    text: Vec<u8>,
    caps: Bits,
    table: TableWriter,
}

impl PartWriter {
    pub(super) fn push(&mut self, passage: &Passage<'_>) {
        let start = self.text.len();
        let text = display_text(passage.voice, passage.text);
        fold_long_onto(
            &mut self.text,
            &mut self.caps,
            &text,
            profile(passage.voice),
        );
        self.text.push(SEPARATOR);
        self.caps.resize(self.text.len());
        self.table.push(passage, self.text.len() - start);
    }

    pub(super) fn take(&mut self) -> Part {
        let Self { text, caps, table } = self;
        Part {
            text: std::mem::take(text),
            caps: std::mem::take(caps),
            table: table.take(),
        }
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
