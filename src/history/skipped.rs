//! Entries that were undone after they had been written: this program does not show them.
//!
//! Claude Code does the same within a session: the entry stays on disk, and its time is remembered
//! as one to skip. Here it is remembered for good, in a small text file that is read along with the
//! history. `edit` writes it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::entry::Prompt;
use super::pastes::content_hash;
use crate::files;

/// Where they are remembered, below the folder for what this program remembers.
pub fn skipped_path(state: &Path) -> PathBuf {
    state.join("skipped-prompts.tsv")
}

/// The line that hides a prompt of a history, which is known by its real path. Two sessions may have
/// asked in the same millisecond, and so may two prompts that name no session.
pub fn skip_line(history: &Path, prompt: &Prompt) -> String {
    let session = prompt.session.as_deref().unwrap_or_default();
    let hash = content_hash(prompt.display.as_bytes());
    let (time, history) = (prompt.timestamp, history.display());
    format!("{time}\t{session}\t#{hash}\t{history}")
}

/// All such lines, by their time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skipped(HashMap<i64, Vec<String>>);

impl Skipped {
    /// Reads them from the folder for what this program remembers.
    pub fn load(state: &Path) -> io::Result<Self> {
        match files::read(&skipped_path(state), files::LARGE) {
            Ok(text) => Ok(Self::parse(&String::from_utf8_lossy(&text))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Reads the text. A line that cannot be understood hides nothing.
    pub fn parse(text: &str) -> Self {
        let mut skipped = Self::default();
        for line in text.lines() {
            let time = line.split('\t').next().unwrap_or_default();
            if let Ok(time) = time.parse() {
                skipped.0.entry(time).or_default().push(line.to_owned());
            }
        }
        skipped
    }

    pub fn has(&self, history: &Path, prompt: &Prompt) -> bool {
        let known = self.0.get(&prompt.timestamp);
        known.is_some_and(|lines| lines.contains(&skip_line(history, prompt)))
    }
}

#[cfg(test)]
#[path = "skipped_tests.rs"]
mod tests;
