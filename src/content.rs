//! The text of all conversations: extracted, folded, kept in the cache, and searched.
//!
//! `extract` reads a transcript, `segment` holds text in bulk with a `filter` and a `table` of its
//! passages, `shelf` opens it and says what is damaged, `library` knows which text belongs to which file, `manifest` and `store` keep that.
//! `wanted` is what a query asks, `judge` finds out which conversations have it, `excerpt` shows
//! where, `suggest` says what was meant. `index` holds everything together, `reading` and `worker` are the threads.

mod bytes;
mod excerpt;
mod extract;
mod filter;
mod index;
mod judge;
mod library;
mod manifest;
mod reading;
mod segment;
mod shelf;
mod store;
mod suggest;
mod table;
#[cfg(test)]
mod testing;
mod wanted;
mod worker;

pub use excerpt::{Excerpt, best, best_first, excerpt};
pub use index::{Index, Progress};
pub use judge::{Closeness, FoundPassage};
pub use library::{FileKey, FileKeys};
pub use reading::{ReadJob, ReadStep, Readers};
pub use suggest::Suggestion;
pub use wanted::Wanted;
pub use worker::{
    ContentAnswer, ContentHit, ContentReply, ContentRequest, ContentSearch, ContentSources,
    ContentWorker, RowExcerpt,
};
