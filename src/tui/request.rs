//! What the picker asks of the workers: the one list of requests, from `update` to the worker.
//!
//! A request carries what its worker needs to know of the state. Replies come as messages.

use crate::reader::PreviewRequest;
use crate::resume::{FoundSession, Fresh, Launch, Situation, Staying};
use crate::search::{Generation, Query, RowId, Search, View};
use crate::store::{Millis, ScanDepth};

/// Work for one of the workers.
#[derive(Debug, PartialEq)]
pub enum Request {
    Search(Box<Search>),
    Preview(Box<PreviewRequest>),
    /// Scan the store again.
    Rescan(ScanDepth),
    Prompts(HistoryRequest),
    /// Look up the facts before sessions are resumed.
    Probe(Box<ProbeRequest>),
    /// Look for the program of a new session.
    Begin(Generation, Box<Fresh>),
    /// Look at a directory that is being typed.
    Path(PathRequest),
}

/// Work for the worker of the prompt history.
#[derive(Debug, PartialEq)]
pub enum HistoryRequest {
    /// The history is shown. `session` is the one that the session scope means.
    Open {
        session: Option<String>,
        /// Milliseconds since the epoch.
        now: i64,
    },
    /// Another session, or none, is in the session scope.
    Session(Option<String>),
    Search(Box<Search>, View),
    /// The texts of these prompts.
    Rows(Vec<RowId>),
    Page(PageOf),
    /// A file changed.
    Changed,
    /// Read everything that may have changed again.
    Refresh,
}

/// Identifies a page of prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOf {
    pub row: RowId,
    pub view: View,
    pub columns: usize,
    /// Seconds that local time is ahead of UTC.
    pub offset: i32,
    /// The text in the find bar.
    pub find: Option<String>,
    /// The words of the query.
    pub words: Vec<Query>,
}

impl PageOf {
    /// The same page without anything to find in it.
    #[must_use]
    pub fn plain(&self) -> Self {
        Self {
            find: None,
            words: Vec::new(),
            ..self.clone()
        }
    }
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
