//! What the picker asks of the workers: the one list of requests, from `update` to the worker.
//!
//! A request carries what its worker needs to know of the state. Replies come as messages.

use std::sync::Arc;

use chrono::{DateTime, FixedOffset};

use super::clipboard::Clip;
use crate::list::Row;
use crate::reader::{PageSpec, PreviewRequest};
use crate::resume::{FoundSession, Fresh, Launch, Situation, Staying};
use crate::search::{Generation, RowId, Search, View};
use crate::store::{Millis, ScanDepth};

/// Work for one of the workers.
#[derive(Debug, PartialEq)]
pub enum Request {
    Search(Box<Search>),
    /// The passages in which these rows have what is searched for.
    Excerpts(Generation, Vec<RowId>),
    /// A word that would find something where a search in conversations found nothing.
    Suggest(Generation),
    Preview(Box<PreviewRequest>),
    /// Scan the store again.
    Rescan(ScanDepth),
    /// Look at the files of a row that was not checked yet.
    Check(CheckRequest),
    Prompts(HistoryRequest),
    /// Look up the facts before sessions are resumed.
    Probe(Box<ProbeRequest>),
    /// Look for the program of a new session.
    Begin(Generation, Box<Fresh>),
    /// Look at a directory that is being typed.
    Path(PathRequest),
    /// Put a text on the clipboard.
    Copy(Clip),
}

/// A row, and what is known of its files.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    pub row: RowId,
    pub what: Arc<Row>,
}

impl PartialEq for CheckRequest {
    fn eq(&self, other: &Self) -> bool {
        self.row == other.row
    }
}

/// Work for the worker of the prompt history.
#[derive(Debug, PartialEq)]
pub enum HistoryRequest {
    /// Read everything that may have changed: the history is shown, or a person wants it.
    Refresh(DateTime<FixedOffset>),
    /// `session` is the one in the session scope.
    Search {
        search: Box<Search>,
        view: View,
        session: Option<String>,
    },
    /// How many prompts have these words, if the history was read.
    Count(Box<Search>),
    /// The texts of these prompts.
    Rows(Vec<RowId>),
    /// A prompt, or all prompts of a session, laid out.
    Page {
        generation: Generation,
        row: RowId,
        spec: Box<PageSpec>,
    },
    /// A file changed.
    Changed,
}

/// The sessions to look up.
#[derive(Debug, Clone)]
pub struct ProbeRequest {
    pub generation: Generation,
    /// Titles and sessions.
    pub sessions: Vec<(String, FoundSession)>,
    /// Sessions that cannot be resumed.
    pub left: Vec<Staying>,
    pub launch: Launch,
    /// Looks the facts up, or makes them up for the sample sessions.
    pub look: fn(&FoundSession, &Launch, Millis) -> Situation,
    pub now: Millis,
}

impl PartialEq for ProbeRequest {
    fn eq(&self, other: &Self) -> bool {
        self.generation == other.generation
    }
}

/// A typed directory to complete or to enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathRequest {
    Complete(String),
    Enter(String),
}

impl PathRequest {
    pub fn typed(&self) -> &str {
        match self {
            Self::Complete(typed) | Self::Enter(typed) => typed,
        }
    }
}
