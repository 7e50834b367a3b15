//! Finds Claude Code sessions: the library under the `claude-resume` command.
//!
//! Data flows one way, from the disk to the screen:
//!
//! ```text
//! disk -> store (stat, then both ends of each file) -> list -> search -> tui -> resume
//! disk -> transcript (links, then the chain from its leaf) -> preview (lines) -> reader (pages) -> tui
//! ```
//!
//! - [`paths`]: where Claude Code keeps things, and what it calls them
//! - [`text`]: text that is safe and fits
//! - [`json`]: the fields of a line, without parsing it
//! - [`files`]: regular files, opened without waiting
//! - [`record`]: what the lines of a transcript are
//! - [`store`]: from a config directory to sessions
//! - [`transcript`]: from a file to the conversation in it
//! - [`history`]: what was asked, in every project
//! - [`preview`]: from a conversation to lines of a width
//! - [`reader`]: pages of a conversation, and what is found in it
//! - [`edit`]: every write to the user's data
//! - [`cache`]: what was read once and need not be read again
//! - [`list`]: from sessions to rows
//! - [`search`]: from what is typed to ranked rows
//! - [`content`]: the text of all conversations, and what is found in it
//! - [`resume`]: from a session to the command that resumes it
//! - [`tui`]: the picker
//! - [`config`]: what the user set, and what is remembered
//! - [`demo`]: sample sessions to try it on
//! - [`cli`]: the commands; the only room that prints, reads the environment and exits
//!
//! `docs/ARCHITECTURE.md` is the map of the house, and a test holds its walls.

pub mod cache;
pub mod cli;
pub mod config;
pub mod content;
pub mod demo;
pub mod edit;
pub mod files;
pub mod history;
pub mod json;
pub mod list;
pub mod paths;
pub mod preview;
pub mod reader;
pub mod record;
pub mod resume;
pub mod search;
pub mod store;
pub mod text;
pub mod transcript;
pub mod tui;
