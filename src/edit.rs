//! Writing to the user's data: only here, and only on request.
//!
//! `lock` is the lock that Claude Code holds while it writes the history, `append` adds complete lines
//! under it, `recorder` turns prompts into such lines and undoes the last one. The state of this
//! program is in its own directory, never in Claude Code's.

mod append;
mod lock;
mod pending;
mod private;
mod recorder;

pub use append::append;
pub use lock::{Lock, STALE, WriteError};
pub use private::{folder as private_folder, replace, sweep, temporary_in};
pub use recorder::{Recorder, Undone};
