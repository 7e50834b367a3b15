//! A regular expression as typed between slashes. The only user of `regex`.
//!
//! It looks at folded text, so what is typed is made comparable, too: case never counts, and what is
//! not ASCII is folded. Its size is limited, because it is compiled at each key.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

use super::fold::Folded;

/// Bytes of a compiled expression, and of what a search with it remembers.
const MOST_BYTES: usize = 1 << 20;
/// Groups within groups. More would take much stack.
const DEEPEST: u32 = 50;

/// A regular expression, ready to be looked for in many texts.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    regex: Regex,
}

/// What was typed is all there is to it.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Or why that cannot be looked for, in one line.
    pub fn new(text: &str) -> Result<Self, String> {
        let pattern = Self::of_syntax(text, &folded(text))?;
        if pattern.regex.is_match(b"") {
            return Err("it matches every text".to_owned());
        }
        Ok(pattern)
    }

    /// An expression that stands for what was typed.
    pub fn of_syntax(typed: &str, syntax: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(syntax)
            .case_insensitive(true)
            .size_limit(MOST_BYTES)
            .dfa_size_limit(MOST_BYTES)
            .nest_limit(DEEPEST)
            .build()
            .map_err(|error| reason(&error))?;
        let text = typed.to_owned();
        Ok(Self { text, regex })
    }

    /// A text as part of such an expression.
    pub fn escaped(text: &str) -> String {
        regex::escape(&Folded::new(text).text)
    }

    /// As it was typed, without the slashes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// For folded text, one field or passage at a time.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }

    pub fn begins(&self, folded: &[u8]) -> bool {
        self.regex.find(folded).is_some_and(|it| it.start() == 0)
    }

    /// Where it matches more than nothing, without overlaps.
    pub fn places<'a>(&'a self, folded: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let places = self.regex.find_iter(folded).map(|found| found.range());
        places.filter(|range| !range.is_empty())
    }
}

/// Folds letters, and leaves alone what may be syntax.
fn folded(text: &str) -> String {
    let mut runs = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_end = |c: char| c.is_ascii() != first.is_ascii();
        let (run, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
        if run.is_ascii() {
            runs.push_str(run);
        } else {
            // A full-width bracket is a letter like any other.
            runs.push_str(&regex::escape(&Folded::new(run).text));
        }
        rest = after;
    }
    runs
}

fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        // A drawing of where it is comes before the line that says what.
        error => {
            let text = error.to_string();
            let line = text.lines().next_back().unwrap_or_default();
            line.trim_start_matches("error: ").to_owned()
        }
    }
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
