//! The conversation in a transcript: which of its lines resuming would bring back, in order.
//!
//! A transcript is a tree of entries in one append-only file, with rewound branches, duplicates
//! and compactions in it. `load` walks the file once and keeps only links; `compaction` puts
//! preserved messages where the compaction left them; `chain` finds the leaf and walks to the
//! root; `entry` reads the lines of that chain; `turns`, `state` and `usage` say
//! what they mean, `sent` what resuming makes of them, all in one pass over a conversation that is
//! not held (`digest`, `stretches`). `passages` hands out all text of a file for the search. `tree` knows the other branches, `standing` which of them a message is on, `earlier` what was compacted away,
//! `subagents` the transcripts that tool calls started. Knows nothing of screens.

mod asked;
mod chain;
mod clip;
mod compaction;
mod digest;
mod earlier;
mod entry;
mod index;
mod leaf;
mod link;
mod load;
mod merging;
mod messages;
mod metadata;
mod noise;
mod parents;
mod parts;
mod passages;
mod resume_info;
mod runs;
mod sent;
mod standing;
mod state;
mod stretches;
mod subagents;
mod tools;
mod tree;
mod turns;
mod usage;

pub use crate::record::Tokens;
pub use asked::{AskedPrompt, asked_prompts};
pub use chain::{Breaks, Chain};
pub use digest::Digest;
pub use earlier::{Earlier, EarlierPart, earlier};
pub use entry::{ContentBlock, Entry, read_entries};
pub use index::{Health, Index, IndexStart};
pub use leaf::{Leaf, LeafRule};
pub use link::{EntryId, Link};
pub use load::{LoadExtent, load, load_end, load_from};
pub use messages::{Audience, TranscriptMessage};
pub use metadata::MetadataLines;
pub use noise::{NoteOrigin, ProgramNote};
pub use passages::{Checkpoint, Passage, Traits, Voice, passages};
pub use resume_info::{ResumeInfo, directories, resume_info, session_ids};
pub use runs::{below, called, describe_run};
pub use sent::{EntryMark, Interruption, LeftOut, Sent, StoppedBy};
pub use standing::{Standing, Standings, standings};
pub use state::{
    Cost, CostSource, FileChange, FileHistory, Hunk, LeftWorktree, PullRequest, Replacement,
    SessionState, Todo, TodoStatus, cost_in_configs,
};
pub use stretches::{Stretches, TurnHeading};
pub use subagents::{
    AgentStarts, LinkedBy, SubAgent, agent_files, agent_session, agents_beside, entry_of_call,
    subagents,
};
pub use tools::{ContentPart, Image, ToolCall, ToolResult, tool_title};
pub use tree::{Branch, PromptReach, Tree};
pub use turns::{StepKind, Turn, TurnOpening, TurnStep, Typed};
pub use usage::Usage;
