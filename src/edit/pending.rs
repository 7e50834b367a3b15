//! Prompts that could not be written because another process would not let go of the lock.
//!
//! They wait in files of their own, one for each process that had to give up, and whoever records
//! next writes them first. A file is claimed by giving it another name, so no two take it; one whose
//! claimant died is anybody's after a minute.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::private;

/// Nobody takes longer with what was claimed.
const ORPHANED: Duration = Duration::from_secs(60);

/// Where they wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    folder: PathBuf,
}

/// Lines for one history that this process has claimed.
#[derive(Debug)]
pub struct Claimed {
    pub lines: String,
    path: PathBuf,
    original: PathBuf,
}

impl Claimed {
    /// They are written.
    pub fn done(self) {
        let _ = fs::remove_file(&self.path);
    }

    /// They are not, and wait again.
    pub fn give_back(self) {
        let _ = fs::rename(&self.path, &self.original);
    }
}

impl Pending {
    pub fn new(state: &Path) -> Self {
        Self {
            folder: state.join("pending-prompts"),
        }
    }

    /// Lets lines wait. The first line of the file says which history they are for.
    pub fn put(&self, history: &Path, lines: &str) -> io::Result<()> {
        private::folder(&self.folder)?;
        let text = format!("{}\n{lines}", history.display());
        let pid = std::process::id();
        let name = |n: u32| self.folder.join(format!("{pid}-{n}.jsonl"));
        let path = (0..u32::MAX).map(name).find(|path| !path.exists());
        let path = path.ok_or_else(|| io::Error::other("too many prompts wait"))?;
        private::replace(&path, text.as_bytes())
    }

    /// Claims what waits for a history.
    pub fn claim(&self, history: &Path) -> Vec<Claimed> {
        let mut claimed = Vec::new();
        for original in self.waiting() {
            let path = original.with_extension(format!("claimed-{}", std::process::id()));
            if fs::rename(&original, &path).is_err() {
                continue;
            }
            // From now on it counts as claimed, not from when it was written.
            if let Ok(file) = File::options().append(true).open(&path) {
                let _ = file.set_modified(SystemTime::now());
            }
            let original = original.with_extension("jsonl");
            let text = fs::read_to_string(&path).unwrap_or_default();
            let found = Claimed {
                lines: rest(&text, history).unwrap_or_default().to_owned(),
                path,
                original,
            };
            if found.lines.is_empty() {
                found.give_back();
            } else {
                claimed.push(found);
            }
        }
        claimed
    }

    /// Takes one line away, if it still waits.
    pub fn remove(&self, history: &Path, is_wanted: impl Fn(&str) -> bool) -> bool {
        for claimed in self.claim(history) {
            let kept: String = claimed
                .lines
                .split_inclusive('\n')
                .filter(|line| !is_wanted(line))
                .collect();
            if kept == claimed.lines {
                claimed.give_back();
                continue;
            }
            let again = kept.is_empty() || self.put(history, &kept).is_ok();
            if again {
                claimed.done();
            } else {
                claimed.give_back();
            }
            return again;
        }
        false
    }

    fn waiting(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| is_free(path))
            .collect();
        paths.sort();
        paths
    }
}

/// Does it wait, or has whoever claimed it died?
fn is_free(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let age = || {
        fs::metadata(path)?
            .modified()?
            .elapsed()
            .map_err(io::Error::other)
    };
    extension == "jsonl"
        || extension.starts_with("claimed-") && age().is_ok_and(|age| age > ORPHANED)
}

fn rest<'a>(text: &'a str, history: &Path) -> Option<&'a str> {
    let (named, lines) = text.split_once('\n')?;
    (Path::new(named) == history).then_some(lines)
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod tests;
