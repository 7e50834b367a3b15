//! Prompts that could not be written because another process held the lock.
//!
//! They wait in files, one for each process that gave up, and the next process that records writes
//! them first. A process claims a file by renaming it, so no two take it; if that process dies, the
//! file is free again after a minute.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempPath;

use super::private;
use crate::files;

/// A claim that is older belongs to a process that died.
const ORPHANED: Duration = Duration::from_secs(60);

/// How many random letters and digits a name has.
const RANDOM: usize = 16;

/// Where they wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingFolder {
    folder: PathBuf,
}

/// Lines for one history that this process has claimed. Unless they are written, they wait again.
#[derive(Debug)]
pub struct Claimed {
    pub lines: String,
    path: PathBuf,
    /// What it is called again if it is given back.
    original: Option<PathBuf>,
}

impl Claimed {
    /// They are written.
    pub fn done(mut self) {
        self.original = None;
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let Some(original) = self.original.take() else {
            return;
        };
        if let Ok(path) = TempPath::try_from_path(&self.path)
            && let Err(error) = path.persist_noclobber(original)
        {
            // As if this process had died: the file is free later.
            let _ = error.path.keep();
        }
    }
}

impl PendingFolder {
    pub fn new(state: &Path) -> Self {
        Self {
            folder: state.join("pending-prompts"),
        }
    }

    /// Lets lines wait. The first line of the file says which history they are for.
    pub fn put(&self, history: &Path, lines: &str) -> io::Result<()> {
        private::folder(&self.folder)?;
        let text = format!("{}\n{lines}", history.display());
        // The name is unique, and the file is complete before it can be claimed.
        let mut file = tempfile::Builder::new()
            .prefix("")
            .rand_bytes(RANDOM)
            .suffix(".tmp")
            .tempfile_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        let path = file.path().with_extension("jsonl");
        file.persist_noclobber(path)?;
        Ok(())
    }

    /// Claims what waits for a history.
    pub fn claim(&self, history: &Path) -> Vec<Claimed> {
        let mut claimed = Vec::new();
        for original in self.waiting() {
            let path = original.with_extension(format!("claimed-{}", std::process::id()));
            // It counts as claimed from now on, not from when it was written: so no other process
            // ever sees a claim that is old.
            let renewed = files::open_with(File::options().append(true), &original)
                .and_then(|file| file.set_modified(SystemTime::now()));
            if renewed.is_err() || fs::rename(&original, &path).is_err() {
                continue;
            }
            let text = files::read_text(&path, files::LARGE).unwrap_or_default();
            let lines = match text.split_once('\n') {
                Some((named, lines)) if Path::new(named) == history => lines.to_owned(),
                _ => String::new(),
            };
            claimed.push(Claimed {
                lines,
                path,
                original: Some(original.with_extension("jsonl")),
            });
        }
        // What is for another history waits again.
        claimed.retain(|claimed| !claimed.lines.is_empty());
        claimed
    }

    /// Takes one line away, if it still waits.
    pub fn remove(&self, history: &Path, is_wanted: impl Fn(&str) -> bool) -> bool {
        for claimed in self.claim(history) {
            let lines = claimed.lines.split_inclusive('\n');
            let kept: String = lines.filter(|line| !is_wanted(line)).collect();
            if kept == claimed.lines {
                continue;
            }
            let again = kept.is_empty() || self.put(history, &kept).is_ok();
            if again {
                claimed.done();
            }
            return again;
        }
        false
    }

    fn waiting(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = paths.filter(|path| is_free(path)).collect();
        paths.sort();
        paths
    }
}

/// Whether it waits, or the process that claimed it died.
fn is_free(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let modified = || fs::metadata(path)?.modified();
    let age = || modified().ok()?.elapsed().ok();
    extension == "jsonl"
        || extension.starts_with("claimed-") && age().is_some_and(|age| age > ORPHANED)
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod tests;
