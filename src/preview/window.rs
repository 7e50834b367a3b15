//! A window on a conversation: the turns around the viewport, as many as may be held.
//!
//! A usual conversation is one window. Of an enormous one only so much is read and laid out at a
//! time; near an edge the viewer requests the turns around it.

use std::ops::Range;

use super::agents::Agents;
use crate::transcript::Turn;

/// What part of a conversation is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnWindow {
    pub around: Around,
    /// So many turns at most.
    pub turns: usize,
    pub budget: Budget,
}

/// What a window lies around.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Around {
    #[default]
    End,
    Beginning,
    /// The turn of this number.
    Turn(i64),
    /// The turn that was opened nearest to this time, in milliseconds since the epoch.
    Moment(i64),
}

/// Bytes that a window may take, roughly. Memory is a few times as much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Of lines that are laid out.
    pub lines: usize,
    /// Of the file, for the turns that are held with their texts.
    pub texts: usize,
    /// Of lines on either side that are laid out in any case: where little is shown of much, a
    /// screen still has to be filled.
    pub least: usize,
}

impl Default for Budget {
    /// Some ten thousand lines: hours of reading on either side.
    fn default() -> Self {
        Self {
            lines: 8 * 1024 * 1024,
            texts: 8 * 1024 * 1024,
            least: 64 * 1024,
        }
    }
}

/// Who has the turns that a book does not hold.
pub trait Library {
    /// The turns that are read together with one, and the number of the first. `None` if they
    /// cannot be read.
    fn stretch(&mut self, number: i64) -> Option<(i64, Vec<Turn>)>;

    /// Sees to it that the agents are there that a turn shows, before it is laid out. Says whether
    /// any has come.
    fn agents_of(&mut self, number: i64, turn: &Turn, agents: &mut Agents) -> Arrival;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    Nothing,
    Agents,
}

/// A window while it grows, turn by turn, evenly on both sides of where it began.
#[derive(Debug)]
pub(super) struct WindowGrowth {
    /// Turns whose lines are shown, and those among them whose texts are held.
    pub shown: Range<i64>,
    pub held: Range<i64>,
    anchor: i64,
    all: Range<i64>,
    /// Bytes of lines before and after the turn that it lies around, and those of texts.
    before: usize,
    behind: usize,
    texts: usize,
}

impl WindowGrowth {
    pub fn new(anchor: i64, all: Range<i64>) -> Self {
        Self {
            shown: anchor..anchor,
            held: anchor..anchor,
            anchor,
            all,
            before: 0,
            behind: 0,
            texts: 0,
        }
    }

    /// The next turn to be laid out, if there is room for one.
    pub fn next(&self, window: TurnWindow) -> Option<i64> {
        if self.shown.is_empty() {
            return Some(self.anchor);
        }
        let before = (self.shown.start > self.all.start).then(|| self.shown.start - 1);
        let behind = (self.shown.end < self.all.end).then_some(self.shown.end);
        let count = usize::try_from(self.shown.end - self.shown.start).unwrap_or(usize::MAX);
        let lines = self.before.saturating_add(self.behind);
        let budget = window.budget;
        let is_wanted = |turn: &i64, lines_there: usize| {
            // A turn that fills the window alone must not keep its reader from the next one.
            let is_next = self.anchor.abs_diff(*turn) == 1;
            if is_next && matches!(window.around, Around::Turn(_)) {
                return true;
            }
            count < window.turns
                && lines <= budget.lines
                && (!self.is_full(budget) || lines_there < budget.least)
        };
        let before = before.filter(|turn| is_wanted(turn, self.before));
        let behind = behind.filter(|turn| is_wanted(turn, self.behind));
        match (before, behind) {
            (Some(_), Some(behind)) if self.behind < self.before => Some(behind),
            (before, behind) => before.or(behind),
        }
    }

    /// Are as many texts held as may be?
    pub fn is_full(&self, budget: Budget) -> bool {
        self.texts > budget.texts
    }

    /// A turn was laid out; its texts are held if there was room for them.
    pub fn take(&mut self, turn: i64, lines: usize, texts: usize, budget: Budget) {
        if !self.is_full(budget) {
            self.texts = self.texts.saturating_add(texts);
            self.held = self.held.start.min(turn)..self.held.end.max(turn + 1);
        }
        if turn < self.anchor {
            self.before = self.before.saturating_add(lines);
        } else {
            self.behind = self.behind.saturating_add(lines);
        }
        self.shown = self.shown.start.min(turn)..self.shown.end.max(turn + 1);
    }
}
