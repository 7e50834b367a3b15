//! What is added to a history after it was read.
//!
//! Reads from the last known byte to the last complete line; an incomplete line is read later. A
//! file that was replaced, truncated or rewritten has to be read from the start.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::memchr_iter;

use super::prompts::{FoundPrompt, Passed, parse};
use super::skipped::Skipped;
use crate::files;

/// Most bytes to read at a time. A history that grew by more is read in several steps.
const MOST: u64 = 16 * 1024 * 1024;

/// One history, and how far it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryFollower {
    root: u16,
    path: PathBuf,
    /// The first byte that was not read yet.
    at: u64,
    identity: Option<FileIdentity>,
    seam: Seam,
}

/// The last known bytes and their offset. They differ in a file that was rewritten under the same
/// name and has grown since.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Seam {
    from: u64,
    bytes: Vec<u8>,
}

impl Seam {
    const LENGTH: u64 = 64;

    /// The bytes before this offset.
    fn before(mut file: &File, end: u64) -> io::Result<Self> {
        let from = end.saturating_sub(Self::LENGTH);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.take(end - from).read_to_end(&mut bytes)?;
        Ok(Self { from, bytes })
    }

    fn is_in(&self, file: &File) -> io::Result<bool> {
        let end = self.from + self.bytes.len() as u64;
        Ok(Self::before(file, end)?.bytes == self.bytes)
    }
}

/// Device and inode: they tell files apart that had the same name one after the other.
type FileIdentity = (u64, u64);

#[cfg(unix)]
fn identity(found: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> FileIdentity {
    (0, 0)
}

/// How a history changed since the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryGrowth {
    /// Entries in the order in which they were written, and how many lines were skipped.
    Added(Vec<FoundPrompt>, Passed),
    /// It is another file now.
    Replaced,
}

impl HistoryFollower {
    pub fn new(root: u16, path: PathBuf) -> Self {
        Self {
            root,
            path,
            at: 0,
            identity: None,
            seam: Seam::default(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Up to where the file is known, in bytes.
    pub fn known(&self) -> u64 {
        self.at
    }

    /// The file is known up to its current end.
    pub(super) fn begin(&mut self, file: &File) -> io::Result<()> {
        let found = file.metadata()?;
        self.at = found.len();
        self.identity = Some(identity(&found));
        self.seam = Seam::before(file, self.at)?;
        Ok(())
    }

    /// The line from here on is incomplete.
    pub(super) fn wait_at(&mut self, offset: u64) {
        self.at = offset;
    }

    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        cfg!(unix) && self.identity.is_some() && self.identity == other.identity
    }

    /// Reads what was added.
    pub fn look(&mut self, skipped: &Skipped) -> io::Result<HistoryGrowth> {
        let nothing = HistoryGrowth::Added(Vec::new(), Passed::default());
        let now = match fs::metadata(&self.path) {
            Ok(now) if now.is_file() => now,
            Ok(_) => return Ok(nothing),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let was_there = self.identity.take().is_some();
                return Ok(if was_there {
                    HistoryGrowth::Replaced
                } else {
                    nothing
                });
            }
            Err(error) => return Err(error),
        };
        let same = self.identity.is_none_or(|known| known == identity(&now));
        if !same || now.len() < self.at {
            return Ok(HistoryGrowth::Replaced);
        }
        self.identity = Some(identity(&now));
        let mut file = files::open(&self.path)?;
        if !self.seam.is_in(&file)? {
            return Ok(HistoryGrowth::Replaced);
        }
        file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = Vec::new();
        let mut limit = MOST;
        loop {
            let read = file.by_ref().take(limit).read_to_end(&mut bytes)?;
            // A line longer than this is read to its end.
            if read == 0 || memchr::memchr(b'\n', &bytes).is_some() {
                break;
            }
            limit *= 2;
        }
        let real = self.path.canonicalize()?;
        let growth = self.take(&bytes, &real, skipped);
        self.seam = Seam::before(&file, self.at)?;
        Ok(growth)
    }

    fn take(&mut self, bytes: &[u8], real: &Path, skipped: &Skipped) -> HistoryGrowth {
        let mut added = Vec::new();
        let mut passed = Passed::default();
        let mut from = 0;
        for end in memchr_iter(b'\n', bytes) {
            let line = &bytes[from..end];
            let offset = self.at + from as u64;
            from = end + 1;
            if let Some(entry) = parse(self.root, offset, line, &mut passed)
                && !skipped.has(real, &entry.prompt)
            {
                added.push(entry);
            }
        }
        self.at += from as u64;
        HistoryGrowth::Added(added, passed)
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
