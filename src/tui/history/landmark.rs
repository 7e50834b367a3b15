//! Where one is in the history, to stay there and to come back to it. Moves nothing itself.

use super::{History, HistoryScope};
use crate::search::View;

/// What the cursor stays with when there is another answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follow {
    /// Nobody chose yet: the first row.
    #[default]
    Best,
    Prompt,
    /// A prompt that was left before, as soon as it is there again.
    Mark(Mark),
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
