//! Rows: sessions as a person sees them, one per session id, filtered, sorted and counted.
//!
//! Works on what the store found and never on the disk. The picker and `list` share it.

mod family;
mod filter;
mod rows;
mod scope;
mod sort;

pub use family::families;
pub use filter::{Filter, Include, Page, Selection, has_prefix};
pub use rows::{Row, Rows};
pub use scope::{Distance, Scope};
pub use sort::Sort;
