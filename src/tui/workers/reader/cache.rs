//! Conversations that were read recently: going back to one costs nothing.
//!
//! Holds a limited number of bytes, and always the conversation that was put last.

use std::path::PathBuf;

use super::open::{FileStamp, OpenConversation};

/// Bytes that are kept in total: some dozens of usual conversations, or a single enormous one.
const MOST_BYTES: usize = 24 * 1024 * 1024;

/// Identifies a conversation. Width and folds are told apart further inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheKey {
    pub path: PathBuf,
    pub stamp: FileStamp,
    /// The leaf; `None` is the one that resuming takes.
    pub leaf: Option<String>,
    /// The number of compactions before which it was read, too.
    pub earlier: usize,
}

#[derive(Debug, Default)]
pub struct Cache {
    /// The least recently used first.
    pub(super) opened: Vec<(CacheKey, OpenConversation)>,
}

impl Cache {
    /// A conversation, or else the same one as it was before the file changed, or before more of it
    /// was read.
    pub fn take_newest(&mut self, key: &CacheKey) -> Option<(CacheKey, OpenConversation)> {
        let is_older = |known: &CacheKey| (&known.path, &known.leaf) == (&key.path, &key.leaf);
        let at = self.opened.iter().position(|(known, _)| known == key);
        let older = || self.opened.iter().rposition(|(known, _)| is_older(known));
        Some(self.opened.remove(at.or_else(older)?))
    }

    pub fn put(&mut self, key: CacheKey, opened: OpenConversation) {
        self.opened.push((key, opened));
        while self.weight() > MOST_BYTES && self.opened.len() > 1 {
            self.opened.remove(0);
        }
    }

    pub fn weight(&self) -> usize {
        self.opened.iter().map(|(_, it)| it.weight()).sum()
    }
}
