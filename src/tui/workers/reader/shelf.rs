//! Conversations that were read lately: going back to one costs nothing.
//!
//! Holds a limited number of bytes, and always the one that was put there last.

use std::path::PathBuf;

use super::open::{FileStamp, Opened};

/// Bytes that are kept altogether: some dozens of usual conversations, or one that is enormous.
const MOST_BYTES: usize = 24 * 1024 * 1024;

/// What tells one conversation from another. Width and folds are told apart further inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    pub path: PathBuf,
    pub stamp: FileStamp,
    /// The entry that it ends in, where that is not what resuming takes.
    pub leaf: Option<String>,
    /// How many compactions were looked behind.
    pub earlier: usize,
}

#[derive(Debug, Default)]
pub struct Shelf {
    /// The one that was used last comes last.
    opened: Vec<(Title, Opened)>,
}

impl Shelf {
    /// A conversation, or else the same one as it was before the file changed, or before more of it
    /// was read.
    pub fn take_newest(&mut self, title: &Title) -> Option<(Title, Opened)> {
        let is_it = |(known, _): &(Title, Opened)| known == title;
        let is_older =
            |(known, _): &(Title, Opened)| known.path == title.path && known.leaf == title.leaf;
        let at = self.opened.iter().position(is_it);
        let at = at.or_else(|| self.opened.iter().rposition(is_older))?;
        Some(self.opened.remove(at))
    }

    pub fn put(&mut self, title: Title, opened: Opened) {
        self.opened.push((title, opened));
        let mut held: usize = self.opened.iter().map(|(_, it)| it.weight()).sum();
        while held > MOST_BYTES && self.opened.len() > 1 {
            let (_, gone) = self.opened.remove(0);
            held -= gone.weight();
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.opened.len()
    }

    #[cfg(test)]
    pub fn weight(&self) -> usize {
        self.opened.iter().map(|(_, it)| it.weight()).sum()
    }
}
