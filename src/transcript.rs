//! The conversation in a transcript: which of its lines resuming would bring back, in order.
//!
//! A transcript is a tree of entries in one append-only file, with rewound branches, duplicates
//! and compactions in it. `load` walks the file once and keeps only links; `compaction` puts
//! preserved messages where the compaction left them; `chain` finds the leaf and walks to the
//! root; `messages` reads the lines that are shown. Knows nothing of screens.

mod chain;
mod compaction;
mod index;
mod link;
mod load;
mod messages;

pub use chain::{Chain, Leaf, LeafRule};
pub use index::{Health, Index};
pub use link::{Boundary, EntryId, Link, Preserved};
pub use load::{load, load_from};
pub use messages::{Message, read_messages};
