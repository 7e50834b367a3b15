//! Where one is in the history, to stay there and to come back to it.

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
    /// Everything is read again: the prompt that the cursor was on.
    Near(Near),
    /// That prompt did not come again, so the cursor is on another one until it does: who writes
    /// a file anew may not be done yet.
    Instead(Mark),
}

/// Where the cursor was when everything was read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near {
    mark: Mark,
    position: usize,
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

    /// Where the cursor is, for when everything is read again. Nowhere, if nobody chose it.
    pub fn near(&self) -> Option<Near> {
        let mark = match self.follow {
            Follow::Best => return None,
            // It was not reached yet.
            Follow::Near(near) => return Some(near),
            Follow::Instead(mark) => mark,
            Follow::Prompt | Follow::Mark(_) => self.mark()?,
        };
        let position = self.position;
        Some(Near { mark, position })
    }

    pub fn follow_near(&mut self, near: Option<Near>) {
        self.follow = near.map_or(Follow::Best, Follow::Near);
    }

    /// Puts the cursor where it is to be among other hits. `before` is where it was.
    pub(super) fn place_cursor(&mut self, before: Option<Mark>) {
        let (wanted, before) = match self.follow {
            Follow::Best => (None, None),
            Follow::Prompt => (None, before),
            Follow::Mark(mark) => (Some(mark), None),
            Follow::Near(near) => (Some(near.mark), None),
            Follow::Instead(mark) => (Some(mark), before),
        };
        // The same prompt may be another entry by now: somebody asked it again.
        let find = |mark: Mark| {
            let position = self.hits.iter().position(|hit| hit.group == mark.group)?;
            Some((position, mark.line))
        };
        let reached = wanted.and_then(find);
        let last = self.hits.len().saturating_sub(1);
        let (position, line) = match (reached.or(before.and_then(find)), self.follow) {
            (Some(found), _) => found,
            (None, Follow::Prompt | Follow::Instead(_)) => {
                self.position = self.position.min(last);
                return;
            }
            (None, Follow::Near(near)) => (near.position.min(last), near.mark.line),
            (None, Follow::Best | Follow::Mark(_)) => (0, 0),
        };
        self.position = position;
        self.top = position.saturating_sub(line);
        match self.follow {
            _ if reached.is_some() => self.follow = Follow::Prompt,
            // The list is read from its top on: what is farther down comes later.
            Follow::Near(near) if !self.is_counting() && !self.hits.is_empty() => {
                self.follow = Follow::Instead(near.mark);
            }
            _ => {}
        }
    }

    /// From now on the cursor stays with its prompt.
    pub fn stay(&mut self) {
        self.follow = Follow::Prompt;
    }

    /// The same, unless it is on its way back to one.
    pub fn settle(&mut self) {
        if !matches!(self.follow, Follow::Near(_) | Follow::Instead(_)) {
            self.stay();
        }
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
