//! The cache: what was read once, kept under the platform's cache directory and nowhere else.
//!
//! Everything in it can be lost at any time. A file that is missing, damaged or of another version
//! is no error, but not there. A file is replaced in one step, so that of two processes that write
//! at once the last one wins. Its folders and files are for their owner only.

mod dir;
mod file;
mod order;
mod record;
mod summaries;

pub use dir::{CacheDir, is_inside};
pub use file::{CacheFile, HEADER};
pub use order::seeds;
pub use summaries::Summaries;
