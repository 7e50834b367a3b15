//! Writing to the person's data: only here, and only because the person asked for it.
//!
//! `lock` is the lock that Claude Code's own writers of the history wait for, `append` adds whole
//! lines to it, `recorder` turns prompts into such lines and takes the last one back. What is
//! kept for ourselves is in the folder for what this program remembers, never in Claude Code's.

mod append;
mod lock;
mod pending;
mod private;
mod recorder;

pub use append::{AppendError, append};
pub use lock::{Lock, LockError, STALE};
pub use private::{folder as private_folder, replace};
pub use recorder::{NewContent, NewPaste, NewPrompt, Recorder, Undone};
