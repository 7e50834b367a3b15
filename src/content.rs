//! The text of all conversations: extracted, folded, kept in the cache, and searched.
//!
//! In: `extract` reads a transcript, from where it ended if `prefix` finds that nothing before has
//! changed. `display` is the form of a passage that is stored and shown. `segment` holds text in
//! bulk, with a `filter` of its blocks and a `table` of its passages; `shelf` opens it and says what
//! is damaged. `library` knows which text belongs to which file, `manifest` and `store` keep that.
//!
//! Out: `wanted` is what a query asks. `matcher` finds it in chunks of text, `row_matcher` decides which
//! conversations have it, `rank` how good they are. `excerpt` shows where, `suggest` what was meant.
//!
//! `index` holds everything together. `driver` keeps it up to date and answers a query, for the
//! picker and the command line alike; `reading` and `worker` are the threads, `messages` what is asked
//! of the latter.

mod bytes;
mod display;
mod driver;
mod excerpt;
mod extract;
mod filter;
mod index;
mod library;
mod manifest;
mod matcher;
mod messages;
mod prefix;
mod rank;
mod reading;
mod record;
mod repeats;
mod row_matcher;
mod segment;
mod shelf;
mod store;
mod suggest;
mod table;
#[cfg(test)]
mod testing;
mod wanted;
mod worker;

pub use driver::{ContentSources, SearchDriver};
pub use excerpt::Excerpt;
pub use index::{Index, Progress, transcripts};
pub use library::{FileKey, FileKeys};
pub use messages::{ContentAnswer, ContentReply, ContentRequest, ContentSearch, RowExcerpt};
pub use rank::{Closeness, Rank};
pub use reading::{ReadJob, ReadStep, Readers};
pub use row_matcher::FoundPassage;
pub use suggest::Suggestion;
pub use wanted::Wanted;
pub use worker::ContentWorker;
