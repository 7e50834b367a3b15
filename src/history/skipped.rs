//! Entries that were undone after they had been written: this program does not show them.
//!
//! Claude Code does the same within a session: the entry stays on disk, and its time is remembered
//! as one to skip. Here it is remembered for good, in a small text file that is read along with the
//! history. `edit` writes it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::entry::Prompt;
use super::pastes::{content_hash, is_hash};
use crate::files;

/// One entry that is passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The history that it is in, by its real path.
    pub history: PathBuf,
    pub timestamp: i64,
    /// Two sessions may have asked in the same millisecond.
    pub session: String,
    /// So may two prompts that name no session: the hash of what was asked. Entries of the first
    /// version have none.
    pub text: Option<String>,
}

/// Marks the hash in a line: no path begins with it.
const HASH: char = '#';

impl Skip {
    /// Passes over this prompt of that history.
    pub fn of(prompt: &Prompt, history: PathBuf) -> Self {
        Self {
            history,
            timestamp: prompt.timestamp,
            session: prompt.session.clone().unwrap_or_default(),
            text: Some(content_hash(prompt.display.as_bytes())),
        }
    }

    /// As a line of the text, without its newline.
    pub fn line(&self) -> String {
        let hash = self.text.as_ref();
        let hash = hash.map_or(String::new(), |hash| format!("{HASH}{hash}\t"));
        let history = self.history.to_string_lossy();
        format!("{}\t{}\t{hash}{history}", self.timestamp, self.session)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let timestamp = parts.next()?.parse().ok()?;
        let session = parts.next()?.to_owned();
        let rest = parts.next()?;
        let hashed = rest
            .strip_prefix(HASH)
            .and_then(|rest| rest.split_once('\t'));
        let (text, history) = match hashed {
            Some((hash, history)) if is_hash(hash) => (Some(hash.to_owned()), history),
            Some(_) | None => (None, rest),
        };
        Some(Self {
            history: PathBuf::from(history),
            timestamp,
            session,
            text,
        })
    }

    fn is_of(&self, history: &Path, prompt: &Prompt) -> bool {
        let is_text = |hash: &String| *hash == content_hash(prompt.display.as_bytes());
        self.session == prompt.session.as_deref().unwrap_or_default()
            && self.history == history
            && self.text.as_ref().is_none_or(is_text)
    }
}

/// Where they are remembered, below the folder for what this program remembers.
pub fn skipped_path(state: &Path) -> PathBuf {
    state.join("skipped-prompts.tsv")
}

/// All of them, by their time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skipped(HashMap<i64, Vec<Skip>>);

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
        text.lines()
            .filter_map(Skip::parse)
            .for_each(|skip| skipped.add(skip));
        skipped
    }

    pub fn add(&mut self, skip: Skip) {
        self.0.entry(skip.timestamp).or_default().push(skip);
    }

    pub fn has(&self, history: &Path, prompt: &Prompt) -> bool {
        let known = self.0.get(&prompt.timestamp);
        known.is_some_and(|skips| skips.iter().any(|skip| skip.is_of(history, prompt)))
    }
}

#[cfg(test)]
#[path = "skipped_tests.rs"]
mod tests;
