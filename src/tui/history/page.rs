//! The prompt under the cursor in full, as the thread of the history laid it out.

use std::ops::Range;
use std::path::PathBuf;

use super::History;
use crate::history::Lacking;
use crate::preview::Span;

/// A prompt, or all of a session, laid out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastPage {
    pub lines: Vec<Vec<Span>>,
    /// The prompt as one text, with what was pasted.
    pub text: String,
    /// What that refers to and does not have.
    pub lacking: Lacking,
    /// How many bytes are not laid out. If there are any, the last line is there to say so.
    pub more: usize,
    /// Is the directory that it was asked in still there?
    pub has_project: bool,
    /// What is looked for: lines and the bytes of them, in order.
    pub found: Vec<(usize, Range<usize>)>,
    /// The lines that a match begins in.
    pub matches: Vec<usize>,
    /// Was the rest not looked through, because there are so many?
    pub has_more_matches: bool,
    /// Where all words that are searched for were met, from the beginning on.
    pub landing: Option<usize>,
    /// The config directory whose history holds it.
    pub root: PathBuf,
}

impl History {
    /// The page, if it is that of the row under the cursor.
    pub fn current_page(&self) -> Option<&PastPage> {
        let (of, page) = self.page.as_ref()?;
        let cursor = self.cursor()?;
        (of.row == cursor.row && of.view == self.view).then_some(page)
    }

    /// How many bytes are read until the page under the cursor is there, if that takes a moment:
    /// it may be another page that comes first.
    pub fn labour(&self) -> Option<u64> {
        let (_, bytes) = self.laborious.as_ref()?;
        self.current_page().is_none().then_some(*bytes)
    }
}
