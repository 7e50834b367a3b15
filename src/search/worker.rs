//! The thread that owns everything that can be found, and answers the newest query.
//!
//! A reply always carries the whole result so far: the first one for a query what contains every
//! word (`Tier::Substring`), the second one also the fuzzy matches below (`Tier::Fuzzy`). Where
//! there is nothing to match fuzzily, or little, the second one comes alone. Rows that come or go
//! during a query lead to further replies of the same generation.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::document::{Distance, Document, RowId};
use super::query::Query;
use super::rank::Tier;
use super::searcher::{ContentCandidates, Searcher};
use crate::list::{Include, Sort};

/// Numbers searches. A larger one is newer, and makes all smaller ones stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Generation(pub u64);

/// What to look for, among which rows, in which order.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub generation: Generation,
    pub query: Query,
    pub order: Sort,
    /// Rows farther away than this are only counted.
    pub reach: Distance,
    /// Rows of hidden kinds that are not included are only counted.
    pub include: Include,
}

#[derive(Debug)]
pub enum IndexRequest {
    /// Adds rows, or replaces those that are known.
    Put(Vec<(RowId, Document)>),
    Remove(Vec<RowId>),
    Search(Search),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchHit {
    pub row: RowId,
    pub tier: Tier,
}

/// How many rows there are beside the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchCounts {
    /// Rows that an empty query would show: within reach, of no hidden kind.
    pub shown: usize,
    /// Matching rows within reach that are of a hidden kind.
    pub hidden: usize,
    /// Matching rows beyond reach that are of no hidden kind.
    pub elsewhere: usize,
    /// How many of these two only have the letters.
    pub loose_hidden: usize,
    pub loose_elsewhere: usize,
    /// All rows that were looked at.
    pub searched: usize,
}

/// The result of a search as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub generation: Generation,
    /// The tier that is complete with this reply; nothing more is to come after `Fuzzy`.
    pub tier: Tier,
    /// Everything to show, in order.
    pub hits: Vec<SearchHit>,
    pub counts: MatchCounts,
}

/// The way to the thread. Dropping it ends the thread.
#[derive(Debug)]
pub struct Worker {
    requests: Sender<IndexRequest>,
    newest: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the thread. Replies are handed to `reply` on that thread.
    pub fn start(reply: impl Fn(Reply) + Send + 'static) -> io::Result<Self> {
        Self::start_after(|| {}, reply, |_, _| {})
    }

    /// Starts the thread, which calls `first` before anything else. After each answer it hands the
    /// rows that a search in conversations has to look at to `content`.
    pub fn start_after(
        first: impl FnOnce() + Send + 'static,
        reply: impl Fn(Reply) + Send + 'static,
        content: impl Fn(&Search, ContentCandidates) + Send + 'static,
    ) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                first();
                run(&inbox, &seen, &reply, &content);
            })?;
        Ok(Self { requests, newest })
    }

    /// Never blocks. A search makes every earlier one stale at once.
    pub fn send(&self, request: IndexRequest) {
        if let IndexRequest::Search(search) = &request {
            let Generation(generation) = search.generation;
            self.newest.fetch_max(generation, Ordering::Relaxed);
        }
        // The thread ends only after this sender is gone.
        let _ = self.requests.send(request);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Cancels the pass that may be under way.
        self.newest.store(u64::MAX, Ordering::Relaxed);
    }
}

fn run(
    inbox: &Receiver<IndexRequest>,
    newest: &AtomicU64,
    reply: &impl Fn(Reply),
    content: &impl Fn(&Search, ContentCandidates),
) {
    let mut searcher = Searcher::default();
    let mut standing: Option<Search> = None;
    while let Ok(request) = inbox.recv() {
        // Whatever has piled up is one change, and only the last search counts.
        for request in std::iter::once(request).chain(inbox.try_iter()) {
            match request {
                IndexRequest::Put(rows) => searcher.put(&rows),
                IndexRequest::Remove(rows) => searcher.remove(&rows),
                IndexRequest::Search(search) => {
                    let older = |known: &Search| known.generation <= search.generation;
                    if standing.as_ref().is_none_or(older) {
                        standing = Some(search);
                    }
                }
            }
        }
        if let Some(search) = &standing {
            let Generation(generation) = search.generation;
            let is_stale = || newest.load(Ordering::Relaxed) > generation;
            searcher.answer(search, &is_stale, reply);
            if let Some(candidates) = searcher.content_candidates(search, &is_stale) {
                content(search, candidates);
            }
        }
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
