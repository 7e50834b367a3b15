//! The query line: text, a cursor between graphemes, and the edits that readline taught people.
//!
//! Holds one line of bounded length: what is pasted loses its line breaks and escapes here.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::{beginning, sanitize, width};

/// In bytes. Longer queries find nothing that shorter ones do not. A paste of a megabyte is cut to this.
const LONGEST: usize = 1000;

/// What a key does to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edit {
    Left,
    Right,
    WordLeft,
    WordRight,
    Start,
    End,
    DeleteBack,
    DeleteForward,
    DeleteWordBack,
    DeleteWordForward,
    DeleteToStart,
}

/// A line of text that is being edited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    text: String,
    /// In bytes, always between two graphemes.
    cursor: usize,
}

impl Input {
    /// A line with the cursor at its end.
    pub fn new(text: &str) -> Self {
        let mut input = Self::default();
        input.insert(text);
        input
    }

    pub fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::Left => self.cursor = self.before(),
            Edit::Right => self.cursor = self.after(),
            Edit::WordLeft => self.cursor = self.word_before(),
            Edit::WordRight => self.cursor = self.word_after(),
            Edit::Start => self.cursor = 0,
            Edit::End => self.cursor = self.text.len(),
            Edit::DeleteBack => self.delete(self.before(), self.cursor),
            Edit::DeleteForward => self.delete(self.cursor, self.after()),
            Edit::DeleteWordBack => self.delete(self.word_before(), self.cursor),
            Edit::DeleteWordForward => self.delete(self.cursor, self.word_after()),
            Edit::DeleteToStart => self.delete(0, self.cursor),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub fn is_at_end(&self) -> bool {
        self.cursor == self.text.len()
    }

    /// Columns of text before the cursor.
    pub fn cursor_column(&self) -> usize {
        width(&self.text[..self.cursor])
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.cursor = 0;
    }

    /// Inserts typed or pasted text, made safe and cut to what fits.
    pub fn insert(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.text.len());
        // Escapes take more than they leave: looked at is what could fit, not all of a paste.
        let safe = sanitize(beginning(text, room));
        self.text.insert_str(self.cursor, &safe);
        self.cursor += safe.len();
        // A combining mark joins what stands before it, so the place may now be inside.
        let mut starts = self.text.grapheme_indices(true).map(|(at, _)| at);
        let boundary = starts.find(|at| *at >= self.cursor);
        self.cursor = boundary.unwrap_or(self.text.len());
    }

    fn delete(&mut self, start: usize, end: usize) {
        self.text.drain(start..end);
        self.cursor = start;
    }

    fn before(&self) -> usize {
        self.text[..self.cursor]
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        let rest = &self.text[self.cursor..];
        self.cursor + rest.graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let before = self.text[..self.cursor].trim_end();
        let word = before.rsplit(char::is_whitespace).next();
        before.len() - word.map_or(0, str::len)
    }

    fn word_after(&self) -> usize {
        let rest = &self.text[self.cursor..];
        let gap = rest.len() - rest.trim_start().len();
        let word = rest[gap..].find(char::is_whitespace);
        self.cursor + word.map_or(rest.len(), |length| gap + length)
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
