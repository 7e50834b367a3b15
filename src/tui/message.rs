//! What happens to the picker, and what it wants done: the two ends of `update`.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, FixedOffset};
use crossterm::event::{KeyEvent, MouseEvent};

use crate::history::Lacking;
use crate::list::Row;
use crate::preview;
use crate::resume::{Decision, Finding, Plan};
use crate::search::{Generation, Reply, RowId};
use crate::store::{Registry, Trouble};
use crate::transcript::{Branch, Turn};

use super::history::HistoryNews;
use super::kin::Family;
use super::layout::Switch;
use super::preflight::{Beginning, PathReply, Probed};
use super::request::Request;
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
    /// What time it is now, in the person's zone.
    Clock(DateTime<FixedOffset>),
    /// The scan knows how many files there are.
    Listed(usize),
    /// Rows came, changed or, where there is none, went.
    Rows(Vec<(RowId, Option<Arc<Row>>)>),
    /// Which rows are forks of one another, all of them anew.
    Related(Vec<(RowId, Family)>),
    /// The scan is over.
    Scanned(Trouble),
    /// Git told what belongs to this repository.
    Here(Here),
    Running(Registry),
    /// The names that rows have, for completing operators.
    Names(Names),
    Found(Reply),
    Previewed(Previewed),
    /// What was found out about sessions that are to be resumed.
    Probed(Probed),
    /// What was found to run a new session.
    Beginning(Box<Beginning>),
    /// What a typed directory is or could be.
    Path(PathReply),
    Tell(Notice),
    History(HistoryNews),
    /// The process was asked to end.
    Terminate,
    Interrupt,
}

/// What is known about the place where the person stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Here {
    pub kind: HereKind,
    /// Does any project folder belong to it?
    pub inhabited: bool,
    /// Has it more than one working tree?
    pub several_trees: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HereKind {
    Directory,
    Repository,
    /// The current directory is gone.
    Nowhere,
}

/// Names that can follow an operator, those of most rows first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    pub projects: Vec<String>,
    pub branches: Vec<String>,
    pub tags: Vec<String>,
    pub models: Vec<String>,
}

impl HereKind {
    /// What the scope around the person is called; nothing where there is none.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::Directory => Some("this directory"),
            Self::Repository => Some("this repo"),
            Self::Nowhere => None,
        }
    }
}

/// A line for the person, until the next key.
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
    pub card: Arc<preview::Card>,
    pub scroll: preview::Scroll,
    /// How wide its lines may be.
    pub columns: usize,
    /// What was found of what is looked for, in the whole conversation.
    pub found: Matches,
    /// Turns before the first line and behind the last that are not laid out.
    pub before: usize,
    pub behind: usize,
    pub known: preview::Known,
    /// The numbers of the turns whose lines these are.
    pub shown: Range<i64>,
    /// Those of them that are held with their texts, and the number of the first.
    pub turns: Vec<Arc<Turn>>,
    pub first: i64,
    /// What the conversation begins with.
    pub head: preview::Head,
    /// The agents that were read.
    pub agents: preview::Agents,
    /// Every end that the conversation has had.
    pub branches: Arc<Vec<Branch>>,
}

impl Page {
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

/// A session that the person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub title: String,
    pub plan: Plan,
    /// What was decided without asking, and not shown yet.
    pub decided: Vec<Decision>,
    /// What is left to decide, if nothing is run.
    pub open: Vec<Finding>,
}

impl Chosen {
    /// A choice with nothing left to say.
    pub fn new(title: String, plan: Plan) -> Self {
        Self {
            title,
            plan,
            decided: Vec::new(),
            open: Vec::new(),
        }
    }
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
