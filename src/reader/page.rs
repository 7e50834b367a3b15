//! A page of a conversation: what is asked for, and what is laid out.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::findings::{Find, MatchPos, Matches};
use super::target::{Landing, Target};
use crate::preview::{
    Agents, Around, CardFacts, Coverage, LedgerHead, Options, Scroll, SessionCard,
};
use crate::search::Generation;
use crate::transcript::{Branch, Turn};

/// A conversation to lay out. The newest request cancels all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewRequest {
    pub generation: Generation,
    pub path: PathBuf,
    /// Lines of the viewport.
    pub rows: usize,
    /// What the list knows about it.
    pub facts: CardFacts,
    pub spec: PageSpec,
}

/// How a conversation is laid out, and what is searched for in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSpec {
    pub columns: usize,
    pub options: Options,
    /// Which part of it to lay out, and the maximum number of turns.
    pub around: Around,
    pub turns: usize,
    /// The leaf of the branch; `None` is the branch that resuming takes.
    pub leaf: Option<String>,
    pub find: Find,
    /// The passage to show first. The branch, the folds and what is before compactions are chosen for
    /// it.
    pub target: Option<Target>,
}

/// A conversation laid out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// What is known of the whole.
    pub card: Arc<SessionCard>,
    pub scroll: Scroll,
    /// How wide its lines may be.
    pub columns: usize,
    /// What was found of what is looked for, in the whole conversation.
    pub found: Matches,
    /// Where the passage is that was to be shown first.
    pub landing: Option<Arc<Landing>>,
    /// Turns before the first line and behind the last that are not laid out.
    pub before: usize,
    pub behind: usize,
    pub known: Coverage,
    /// The numbers of the turns whose lines these are.
    pub shown: Range<i64>,
    /// Those of them that are held with their texts, and the number of the first.
    pub turns: Vec<Arc<Turn>>,
    pub first: i64,
    /// What the conversation begins with.
    pub head: LedgerHead,
    /// The agents that were read.
    pub agents: Agents,
    /// Every end that the conversation has had.
    pub branches: Arc<Vec<Branch>>,
}

impl Page {
    /// Do its lines say who speaks? Prompts of the history do not, and have no card either.
    pub fn has_margin(&self) -> bool {
        !self.card.lines.is_empty()
    }

    /// The numbers of the turns that are held with their texts.
    pub fn held(&self) -> Range<i64> {
        let count = i64::try_from(self.turns.len()).unwrap_or_default();
        self.first..self.first + count
    }

    /// The turn of this number, if it is held with its texts.
    pub fn turn(&self, number: i64) -> Option<&Arc<Turn>> {
        self.turns.get(usize::try_from(number - self.first).ok()?)
    }

    /// The line of a match, if its message is among these.
    pub fn line_of(&self, mark: MatchPos) -> Option<usize> {
        if !self.shown.contains(&mark.place.turn) {
            return None;
        }
        let lines = self.scroll.lines_of(mark.place);
        Some((lines.start + mark.offset).min(lines.end.saturating_sub(1)))
    }

    /// A line by its message, to be compared with matches.
    pub fn mark_of(&self, line: usize) -> Option<MatchPos> {
        let place = self.scroll.get(line)?.place;
        let offset = line - self.scroll.at_or_behind(place).min(line);
        Some(MatchPos { place, offset })
    }
}
