//! What happens to the picker, and what it wants done.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, FixedOffset};
use crossterm::event::{KeyEvent, MouseEvent};

use crate::history::Lacking;
use crate::list::Row;
use crate::preview;
use crate::search::{Generation, Reply, RowId};
use crate::store::{Registry, Trouble};
use crate::transcript::{Branch, Turn};

use super::data::{Here, Names};
use super::families::Family;
use super::layout::Switch;
use super::request::Request;
use super::screens::{Beginning, Chosen, HistoryNews, PathReply, Probed};
use super::seek::{MatchPos, Matches};

/// Something happened.
#[derive(Debug)]
pub enum Message {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
    Resize {
        columns: u16,
        rows: u16,
    },
    /// The time, in the local zone.
    Clock(DateTime<FixedOffset>),
    /// The scan knows how many files there are.
    Listed(usize),
    /// Rows came, changed or, where there is none, went.
    Rows(Vec<(RowId, Option<Arc<Row>>)>),
    /// Which rows are forks of one another; replaces what was known.
    Related(Vec<(RowId, Family)>),
    /// The scan is over.
    Scanned(Trouble),
    /// What the current directory is.
    Here(Here),
    Running(Registry),
    /// Names for completing operators.
    Names(Names),
    Found(Reply),
    Previewed(Previewed),
    /// The facts about sessions that may be resumed.
    Probed(Probed),
    /// The program that would run a new session.
    Beginning(Box<Beginning>),
    /// What a typed directory is, or could be.
    Path(PathReply),
    Tell(Notice),
    History(HistoryNews),
    /// The process was asked to end.
    Terminate,
    Interrupt,
}

/// A line in the footer, until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    Done(String),
    Trouble(String),
}

/// The preview that was asked for.
#[derive(Debug)]
pub struct Previewed {
    pub generation: Generation,
    pub result: Result<Page, String>,
}

/// A conversation laid out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// What is known of the whole.
    pub card: Arc<preview::SessionCard>,
    pub scroll: preview::Scroll,
    /// How wide its lines may be.
    pub columns: usize,
    /// What was found of what is looked for, in the whole conversation.
    pub found: Matches,
    /// Turns before the first line and behind the last that are not laid out.
    pub before: usize,
    pub behind: usize,
    pub known: preview::Coverage,
    /// The numbers of the turns whose lines these are.
    pub shown: Range<i64>,
    /// Those of them that are held with their texts, and the number of the first.
    pub turns: Vec<Arc<Turn>>,
    pub first: i64,
    /// What the conversation begins with.
    pub head: preview::LedgerHead,
    /// The agents that were read.
    pub agents: preview::Agents,
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

    /// The lines that match.
    pub fn matches(&self) -> Vec<usize> {
        let marks = self.found.marks.iter();
        marks.filter_map(|mark| self.line_of(*mark)).collect()
    }

    /// The line to show first, if it is here.
    pub fn landing(&self) -> Option<usize> {
        self.line_of(self.found.landing?)
    }
}

/// Something is to be done.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Ask the workers.
    Ask(Request),
    /// Put a text on the clipboard.
    Copy {
        what: &'static str,
        text: String,
    },
    Mouse(Switch),
    /// Show a text in another program, which has the terminal meanwhile.
    Outside {
        opener: Opener,
        text: String,
    },
    Suspend,
    /// Draw everything again, whatever the terminal shows.
    Redraw,
    Leave(Outcome),
}

/// Which program a text is shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opener {
    Pager,
    Editor,
}

/// How the picker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// What is to be run, or several things to be printed.
    Chosen(Vec<Chosen>),
    /// What is to be run, each in a tmux window of its own, also where it is only one.
    Windows(Vec<Chosen>),
    /// A prompt, to be printed, and what it refers to and does not have.
    Prompt {
        text: String,
        lacking: Lacking,
    },
    Nothing,
    Interrupted,
    Terminated,
}
