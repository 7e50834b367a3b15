//! What the lines of a transcript are: fields, entry types, timestamps, which user text was really
//! typed, and what of it a listing shows.
//!
//! Knows the vocabulary of the format and nothing about files, windows or chains. Whatever it
//! does not know is `Other`: new versions add types, and none of them may break a reader.

mod entry;
mod headline;
mod line;
mod prompt;
mod timestamp;
mod user_text;

pub use entry::EntryType;
pub use headline::headline;
pub use line::{Line, Tokens};
pub use prompt::{PROMPT_UNITS, UserPrompt, is_command, one_line};
pub use timestamp::{parse_epoch, parse_timestamp};
pub use user_text::{CONTINUED, UserText};
