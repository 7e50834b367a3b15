//! A file that stops being read when nobody wants what is in it any more.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Asks before every read whether to go on.
pub struct Stoppable<'a> {
    pub file: File,
    pub go_on: &'a dyn Fn() -> bool,
}

#[derive(Debug, thiserror::Error)]
#[error("nobody wants it any more")]
struct Stopped;

pub fn stopped() -> io::Error {
    io::Error::other(Stopped)
}

/// Did reading end because it was told to?
pub fn is_stopped(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<Stopped>)
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.go_on)() {
            self.file.read(buffer)
        } else {
            Err(stopped())
        }
    }
}

impl Seek for Stoppable<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
