//! Where one is in the history, to stay there and to come back to it. Moves nothing itself.

use super::{History, HistoryScope};
use crate::history::fingerprint;
use crate::search::{RowId, View};

/// So many rows above and below are looked at for a prompt that has moved.
const AROUND: usize = 50;

/// What the cursor stays with when there is another answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follow {
    /// Nobody chose yet: the first row.
    #[default]
    Best,
    Prompt,
    /// A prompt that was left before, as soon as it is there again.
    Mark(Mark),
    /// A prompt of entries that have other numbers by now.
    Near(Near),
}

/// Where the cursor was when everything was read again: the same prompt stands there or thereabouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near {
    /// What was asked.
    prompt: u64,
    position: usize,
    /// How many rows were in sight above it.
    line: usize,
}

/// A prompt that the cursor was on, and how many rows were in sight above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub group: u32,
    pub line: usize,
}

/// A list that was left for another one, to come back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landmark {
    pub view: View,
    pub query: String,
    pub scope: Option<HistoryScope>,
    pub mark: Option<Mark>,
}

/// The history as it was left for a session, to come back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub list: Landmark,
    /// The session that was meant.
    pub session: Option<String>,
    /// What was typed in the list of sessions then.
    pub typed: String,
}

impl Landmark {
    /// A list that nobody was in yet.
    pub fn new(view: View, query: String, scope: Option<HistoryScope>) -> Self {
        Self {
            view,
            query,
            scope,
            mark: None,
        }
    }
}

impl History {
    /// The next answer is another list: its best row is the one to be on.
    pub fn follow_best(&mut self) {
        self.follow = Follow::Best;
    }

    /// The next answer is another list: the cursor is to be on this prompt, if it has it.
    pub fn follow_mark(&mut self, mark: Option<Mark>) {
        self.follow = mark.map_or(Follow::Best, Follow::Mark);
    }

    /// Where the cursor is, for a list whose entries will be others. Nowhere, if nobody chose it.
    pub fn near(&self) -> Option<Near> {
        match self.follow {
            Follow::Best => None,
            // It was not reached yet.
            Follow::Near(near) => Some(near),
            Follow::Prompt | Follow::Mark(_) => Some(Near {
                prompt: fingerprint(&self.cursor_row()?.prompt),
                position: self.position,
                line: self.mark()?.line,
            }),
        }
    }

    pub fn follow_near(&mut self, near: Option<Near>) {
        self.follow = near.map_or(Follow::Best, Follow::Near);
    }

    /// Puts the cursor where it was: on the same prompt, if it is within sight of there.
    pub(super) fn go_near(&mut self, near: Near) {
        let from = near.position.saturating_sub(AROUND);
        let around = self.hits.iter().enumerate().skip(from).take(2 * AROUND);
        let is_it = |row: RowId| {
            let row = self.row(row);
            row.is_some_and(|row| fingerprint(&row.prompt) == near.prompt)
        };
        let found = around
            .filter(|(_, hit)| is_it(hit.row))
            .map(|(position, _)| position)
            .min_by_key(|position| position.abs_diff(near.position));
        let last = self.hits.len().saturating_sub(1);
        self.position = found.unwrap_or(near.position).min(last);
        self.top = self.position.saturating_sub(near.line);
        // The list is read from its top on: what is farther down comes later.
        if found.is_some() || self.progress.over {
            self.follow = Follow::Prompt;
        }
    }

    /// From now on the cursor stays with its prompt.
    pub fn stay(&mut self) {
        self.follow = Follow::Prompt;
    }

    /// Where the cursor is.
    pub fn mark(&self) -> Option<Mark> {
        let group = self.cursor()?.group;
        let line = self.position - self.top.min(self.position);
        Some(Mark { group, line })
    }

    /// The list as it is, to come back to.
    pub fn landmark(&self) -> Landmark {
        Landmark {
            view: self.view,
            query: self.asked.parsed.clone(),
            scope: self.scope,
            mark: self.mark(),
        }
    }
}
