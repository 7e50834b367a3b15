//! The prompt history: every prompt of every project.
//!
//! Claude Code appends each prompt as a line to `history.jsonl` and never cleans that file up, so it
//! has prompts of sessions that were deleted long ago. `backwards` reads a file from its end,
//! `prompts` merges the histories of several config directories, `follow` reads what is added later,
//! `pastes` puts pasted texts back in place of their references, `order` has the order of the up
//! arrow, `sessions` groups prompts by session. Nothing here writes; `edit` does.

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
pub use order::recall;
pub use pastes::{
    Lacking, MAX_INLINE, PromptPart, StoredPastes, content_hash, expand, flat, is_hash,
    paste_folder, paste_path, stored_pastes,
};
pub use prompts::{FoundPrompt, MergedHistory, Passed, PromptPos, Reread, history_path};
pub use sessions::{PastSession, PastSessions};
pub use skipped::{Skipped, skip_line, skipped_path};
