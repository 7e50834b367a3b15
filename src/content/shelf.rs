//! A segment of a library: in memory, in a file that is opened when it is first read, or dropped.
//!
//! What could not be read is either damaged, so that it has to be dropped and its files read again,
//! or only unavailable, so that another try may succeed.

use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::segment::{OpenSegment, Segment, SegmentFile};
use crate::cache::HEADER;
use crate::files::is_exhausted;

/// Why stored text could not be read.
#[derive(Debug)]
pub enum TextError {
    /// It is not what was written.
    Damaged,
    /// Nothing is known to be wrong with it.
    Unavailable(io::Error),
}

/// A segment that can be searched.
#[derive(Debug)]
pub enum Shelf {
    Open(OpenSegment),
    Sealed(SealedSegment),
    /// It was damaged, or rewritten. Nothing is in it any more.
    Dropped,
}

/// A segment that is written.
#[derive(Debug)]
pub struct SealedSegment {
    file: SegmentFile,
    /// Filled in when it is first read.
    segment: OnceLock<Segment>,
    /// Has the disk failed to read it before?
    has_failed: AtomicBool,
}

impl SealedSegment {
    /// A segment of the cache, which is not opened yet.
    pub fn unopened(file: SegmentFile) -> Self {
        Self {
            file,
            segment: OnceLock::new(),
            has_failed: AtomicBool::new(false),
        }
    }

    /// One that was just written in this part of a file.
    pub fn written(file: SegmentFile, range: Range<usize>) -> io::Result<Self> {
        let segment = Segment::open(file.clone(), range)?;
        let this = Self::unopened(file);
        let _ = this.segment.set(segment);
        Ok(this)
    }

    /// The name of its file in the cache, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.file.name()
    }

    /// Opens it if that was not done yet.
    pub fn open(&self) -> Result<&Segment, TextError> {
        if let Some(segment) = self.segment.get() {
            return Ok(segment);
        }
        let opened = self.file.length().and_then(|end| {
            let range = HEADER.min(end)..end;
            Segment::open(self.file.clone(), range)
        });
        let segment = opened.map_err(|error| self.judged(error))?;
        Ok(self.segment.get_or_init(|| segment))
    }

    /// What an error says about the segment. A disk that fails once may recover.
    pub fn judged(&self, error: io::Error) -> TextError {
        let is_short = is_exhausted(&error) || error.kind() == io::ErrorKind::OutOfMemory;
        #[cfg(unix)]
        let is_disk = error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error());
        #[cfg(not(unix))]
        let is_disk = false;
        if is_short || (is_disk && !self.has_failed.swap(true, Ordering::Relaxed)) {
            TextError::Unavailable(error)
        } else {
            TextError::Damaged
        }
    }
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
