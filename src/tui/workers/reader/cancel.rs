//! A file whose reading can be cancelled.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::files;

/// Checks before every read whether to go on.
pub struct CancellableFile<'a> {
    file: File,
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> CancellableFile<'a> {
    pub fn new(path: &Path, go_on: &'a dyn Fn() -> bool) -> io::Result<Self> {
        let file = files::open(path)?;
        Ok(Self { file, go_on })
    }
}

#[derive(Debug, thiserror::Error)]
#[error("cancelled")]
struct Cancelled;

pub fn cancelled() -> io::Error {
    io::Error::other(Cancelled)
}

pub fn is_cancelled(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<Cancelled>)
}

impl Read for CancellableFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.go_on)() {
            self.file.read(buffer)
        } else {
            Err(cancelled())
        }
    }
}

impl Seek for CancellableFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
