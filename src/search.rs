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
mod glob;
mod haystack;
mod highlight;
mod needle;
mod operator;
mod pattern;
mod pull_request;
mod query;
mod rank;
mod searcher;
mod sieve;
mod token;
mod worker;

pub use archive::{Archive, ConversationFate, PromptAnswer, PromptHit, View};
pub use bits::Bits;
pub use complete::{Completion, Values, completions};
pub use document::{
    Distance, Document, Field, RowContext, RowId, SessionFlag, SessionFlags, project_label,
};
pub use fold::{FoldProfile, fold_long_onto, trace};
pub use glob::{NameKind, NamePattern};
pub use highlight::{highlight, is_left_out, whole_marks};
pub use needle::{Needle, Stretch};
pub use operator::{ContentTrait, Facet, Operator, Role};
pub use pattern::Pattern;
pub use query::{Problem, Query, Sign, Term, Test, replace_word};
pub use rank::Tier;
pub use searcher::{ContentCandidates, Searcher};
pub use worker::{Generation, IndexRequest, MatchCounts, Reply, Search, SearchHit, Worker};
