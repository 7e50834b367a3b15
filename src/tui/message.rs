//! What happens to the picker, and what it wants done.

use std::sync::Arc;

use chrono::{DateTime, FixedOffset};
use crossterm::event::{KeyEvent, MouseEvent};

use crate::content::ContentAnswer;
use crate::history::Lacking;
use crate::list::Row;
use crate::reader::Page;
use crate::search::{Generation, Reply, RowId};
use crate::store::{Registry, Trouble};

use super::clipboard::{Copied, Multiplexer};
use super::screens::{Beginning, Chosen, HistoryNews, PathReply, Probed};
use super::{Family, Here, Names, Request};

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
    /// These rows come from the cache, and nobody has looked at their files yet.
    Unchecked(Vec<RowId>),
    /// These rows are as their files are now.
    Checked(Vec<RowId>),
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
    /// What was found inside conversations.
    Inside(ContentAnswer),
    Previewed(Previewed),
    /// The facts about sessions that may be resumed.
    Probed(Probed),
    /// The program that would run a new session.
    Beginning(Box<Beginning>),
    /// What a typed directory is, or could be.
    Path(PathReply),
    Tell(Notice),
    /// A text is to go to the clipboard of the terminal.
    ToTerminal {
        text: String,
        multiplexer: Multiplexer,
    },
    /// What became of a copy.
    Copied(Copied),
    History(HistoryNews),
    /// The process was asked to end.
    Leave(Outcome),
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
    /// Send a text to the clipboard of the terminal.
    ToTerminal {
        text: String,
        multiplexer: Multiplexer,
    },
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
