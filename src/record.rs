//! What the lines of a transcript are: fields, entry types, timestamps, and which user text was
//! really typed.
//!
//! Knows the vocabulary of the format and nothing about files, windows or chains. Whatever it
//! does not know is `Other`: new versions add types, and none of them may break a reader.

mod entry;
mod line;
mod prompt;
mod timestamp;
mod user_text;

pub use entry::EntryType;
pub use line::{Line, Tokens};
pub use prompt::{PROMPT_UNITS, UserPrompt, one_line};
pub use timestamp::{parse_epoch, parse_timestamp};
pub use user_text::{CONTINUED, UserText};
