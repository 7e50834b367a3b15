//! How a half-typed operator could go on.

use std::ops::Range;

/// The values that rows have, as the caller collected them, in the order to offer them in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    pub projects: &'a [String],
    pub branches: &'a [String],
    pub tags: &'a [String],
    pub models: &'a [String],
}

/// A text that could take the place of what is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The bytes of the query to replace.
    pub replace: Range<usize>,
    /// What to put there: an operator up to its colon, or a value with a space behind it.
    pub insert: String,
    /// What it does, in a few words; empty for values.
    pub hint: &'static str,
}

/// The completions at a caret, given as a byte offset into the query.
pub fn completions(text: &str, caret: usize, values: Values<'_>) -> Vec<Completion> {
    let _ = (text, caret, values);
    Vec::new()
}
