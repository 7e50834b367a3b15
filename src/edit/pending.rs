//! Prompts that could not be written because another process held the lock of the history.
//!
//! They wait in one file per history, and the next process that records writes them first. Only
//! processes of ours use this file, so a lock of the operating system is enough: it ends with the
//! process that holds it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::private;
use crate::files;
use crate::history::content_hash;

/// What waits for a history. No other process of ours changes it until this is dropped.
#[derive(Debug)]
pub struct Pending {
    pub lines: String,
    file: File,
}

impl Pending {
    /// Claims what waits, unless another process has it.
    pub fn claim(state: &Path, history: &Path) -> io::Result<Self> {
        let mut file = open(state, history)?;
        file.try_lock()?;
        if file.metadata()?.len() > files::LARGE {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut lines = String::new();
        file.read_to_string(&mut lines)?;
        // A process may have died while it wrote the last one.
        lines.truncate(lines.rfind('\n').map_or(0, |at| at + 1));
        Ok(Self { lines, file })
    }

    /// From now on only these lines wait.
    pub fn keep(mut self, lines: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        write(&mut self.file, lines)
    }
}

/// Lets lines wait.
pub fn put(state: &Path, history: &Path, lines: &str) -> io::Result<()> {
    let mut file = open(state, history)?;
    file.lock()?;
    write(&mut file, lines)
}

fn write(file: &mut File, lines: &str) -> io::Result<()> {
    file.write_all(lines.as_bytes())?;
    file.sync_all()
}

fn open(state: &Path, history: &Path) -> io::Result<File> {
    private::folder(state)?;
    let name = content_hash(history.to_string_lossy().as_bytes());
    let path = state.join(format!("pending-prompts-{name}.jsonl"));
    let mut options = private::options();
    files::open_with(options.create(true).read(true).append(true), &path)
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod tests;
