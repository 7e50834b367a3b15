//! The prompt history: what was asked, in every project, for as long as there is a history.
//!
//! Claude Code writes each prompt as a line at the end of `history.jsonl` and never sweeps that
//! file, so it knows of conversations that are long deleted. `backwards` reads a file from its
//! end, `prompts` merges the histories of several config directories, `follow` reads what is
//! added later, `pastes` puts back what a prompt only refers to, `order` says which prompt comes
//! first, `sessions` knows who asked. Nothing here writes: that is the business of `edit`.

mod backwards;
mod entry;
mod follow;
mod order;
mod pastes;
mod prompts;
mod sessions;
mod skipped;

pub use backwards::{Backwards, HistoryLine, LineEnd};
pub use entry::{LATEST, Paste, PasteKind, Prompt, fingerprint};
pub use follow::{HistoryFollower, HistoryGrowth};
pub use order::{Collapsed, MOST_RECALLED, collapse, recall};
pub use pastes::{
    Lacking, MAX_INLINE, PromptPart, StoredPastes, content_hash, expand, flat, is_hash,
    paste_folder, paste_path, stored_pastes,
};
pub use prompts::{FoundPrompt, Passed, PromptPos, Prompts, Reread, history_path};
pub use sessions::{PastSession, PastSessions};
pub use skipped::{Skip, Skipped, skipped_path};
