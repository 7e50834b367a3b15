//! Handing over: from a session to the command that resumes it, and the one exec.
//!
//! `probe` looks everything up and puts it down as a `Situation`; `questions` says what the person
//! has to decide before anything runs, `plan` what runs then and why. Those two are pure: the same
//! situation and the same answers give the same plan. `start` does it. Arguments are passed as
//! they are, never through a shell; the lines that `quote` makes are for people.

mod arguments;
mod directory;
mod fresh;
mod git;
mod launch;
mod plan;
mod probe;
mod questions;
mod quote;
mod remote;
mod situation;
mod start;
mod tmux;

pub use directory::{Where, Why};
pub use fresh::{Fresh, PromptError};
pub use launch::{
    Asks, ChildSession, ConfigDir, Launch, Nested, Wish, anchored, not_understood, words,
};
pub use plan::{About, Change, Needs, Plan, Reason, ResumeError, Step, Warning};
pub use probe::{Kept, Seen, imagine, nearest_directory, presence, probe, program};
pub use questions::{
    Answer, Answers, Choice, Decision, Gravity, Question, Safely, Topic, answer_safely,
    next_question, no_program, open_questions, safe_answer,
};
pub use quote::{Shell, printable, printable_in};
pub use remote::{Remote, RemoteError, is_address};
pub use situation::{
    Below, BranchPlace, Clue, Cut, Damage, Force, Ground, Head, Home, Inferred, Link, Lost,
    LostBranch, LostRepository, MovedTree, Part, PartOf, Past, Presence, Program, Recorded,
    Repository, Running, Severed, Situation, Source, Subject, Tree, Worktree,
};
pub use start::{CD_FILE, Failed, Failure, live_panes};
pub use tmux::{Split, jump};
