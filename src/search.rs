//! Search as you type: from one line of text to ranked rows, over a hundred thousand sessions.
//!
//! `query` reads what was typed, `haystack` holds what can be found, `rank` decides what matches
//! and in which order, `archive` does the same for the prompt history, `worker` does it on a thread
//! of its own, and `highlight` says which part of a text on screen matched. Nothing here reads files, asks the clock or knows a terminal.

mod archive;
mod bits;
mod column;
mod complete;
mod document;
mod fold;
mod haystack;
mod highlight;
mod needle;
mod query;
mod rank;
mod searcher;
mod sieve;
mod worker;

pub use archive::{Archive, ConversationFate, PromptAnswer, PromptHit, View};
pub use complete::{Completion, Values, completions};
pub use document::{
    Distance, Document, Field, RowContext, RowId, SessionFlag, SessionFlags, project_label,
};
pub use highlight::highlight;
pub use query::{Problem, Query};
pub use rank::Tier;
pub use searcher::Searcher;
pub use worker::{Generation, IndexRequest, MatchCounts, Reply, Search, SearchHit, Worker};
