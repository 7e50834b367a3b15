//! What is asked of the thread that searches conversations, and what it answers.

use std::path::PathBuf;
use std::sync::Arc;

use super::excerpt::Excerpt;
use super::index::Progress;
use super::suggest::Suggestion;
use crate::list::Row;
use crate::search::{ContentCandidates, Generation, Query, RowId};

/// What to look for, in which conversations, in which order.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentSearch {
    pub generation: Generation,
    pub query: Query,
    pub rows: ContentCandidates,
}

#[derive(Debug)]
pub enum ContentRequest {
    /// Rows came, changed or, where there is none, went.
    Rows(Vec<(RowId, Option<Arc<Row>>)>),
    Search(ContentSearch),
    /// Rows are on the screen: once no more come, what is stored is opened and compared with them.
    Open,
    /// All sessions of these roots have come as rows.
    Scanned(Vec<PathBuf>),
    /// The passages of these rows, for the query that was answered last.
    Excerpts(Generation, Vec<RowId>),
    /// A word that would find something in place of one that does not occur, for the same query.
    Suggest(Generation),
}

/// What a search has found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentReply {
    pub generation: Generation,
    /// The best first, equals in the order of the screen. What was not compared yet comes last.
    pub hits: Vec<RowId>,
    /// Hits of hidden kinds, and hits beyond reach.
    pub hidden: usize,
    pub elsewhere: usize,
    /// Conversations that were searched, of those that can be shown.
    pub searched: usize,
    pub progress: Progress,
    /// Is the order that of the best? Otherwise some hits were not compared yet.
    pub is_ranked: bool,
    /// Was everything looked at that is known, and compared?
    pub is_complete: bool,
}

/// The best passage of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowExcerpt {
    pub row: RowId,
    pub excerpt: Excerpt,
    /// Passages that match besides it.
    pub more: usize,
}

#[derive(Debug)]
pub enum ContentAnswer {
    Found(ContentReply),
    Excerpts(Generation, Vec<RowExcerpt>),
    Suggested(Generation, Box<Suggestion>),
    /// Something about the cache that should be known.
    Trouble(String),
}
