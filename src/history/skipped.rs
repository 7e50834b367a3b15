//! Entries that were taken back after they had been written: no read of ours shows them.
//!
//! Claude Code does the same within a session: what is on disk stays there, and its time is
//! remembered as one to pass over. Here it is remembered for good, in a small text that is read
//! by whoever opens the history. Written by `edit`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// One entry that is passed over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Skip {
    /// The history that it stands in, by its real path.
    pub history: PathBuf,
    pub timestamp: i64,
    /// Two sessions may have asked in the same millisecond.
    pub session: String,
}

impl Skip {
    /// As a line of the text, without its newline.
    pub fn line(&self) -> String {
        let history = self.history.to_string_lossy();
        format!("{}\t{}\t{history}", self.timestamp, self.session)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let timestamp = parts.next()?.parse().ok()?;
        let session = parts.next()?.to_owned();
        let history = PathBuf::from(parts.next()?);
        Some(Self {
            history,
            timestamp,
            session,
        })
    }
}

/// Where they are remembered, below the folder for what this program remembers.
pub fn skipped_path(state: &Path) -> PathBuf {
    state.join("skipped-prompts.tsv")
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skipped(HashSet<Skip>);

impl Skipped {
    /// Reads them from the folder for what this program remembers.
    pub fn load(state: &Path) -> Self {
        let text = fs::read(skipped_path(state)).unwrap_or_default();
        Self::parse(&String::from_utf8_lossy(&text))
    }

    /// Reads the text. A line that cannot be understood hides nothing.
    pub fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(Skip::parse).collect())
    }

    pub fn add(&mut self, skip: Skip) {
        self.0.insert(skip);
    }

    pub fn has(&self, history: &Path, timestamp: i64, session: Option<&str>) -> bool {
        !self.0.is_empty()
            && self.0.contains(&Skip {
                history: history.to_owned(),
                timestamp,
                session: session.unwrap_or_default().to_owned(),
            })
    }
}

#[cfg(test)]
#[path = "skipped_tests.rs"]
mod tests;
