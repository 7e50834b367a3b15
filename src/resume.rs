//! Handing over: from a session to the command that resumes it, and the one exec.
//!
//! `probe` looks up the facts and puts them down as a `Situation`; `findings` says what they come to
//! and what has to be decided, `plan` what runs then and why. Those two are pure: the same facts and
//! answers give the same plan. `start` runs it. Arguments are passed as they are, never through a
//! shell; the lines that `quote` makes are to read and paste.

mod arguments;
mod batch;
mod directory;
mod finding;
mod findings;
mod fresh;
mod git;
mod intent;
mod launch;
mod plan;
mod probe;
mod quote;
mod situation;
mod start;
mod step;
mod tmux;

pub use batch::{Batch, Going, Staying};
pub use finding::{
    Answer, Answers, Choice, Consent, Decision, Finding, Safely, Topic, answer_safely,
};
pub use findings::no_program;
pub use fresh::Fresh;
pub use intent::Intent;
pub use launch::{Asks, ChildSession, Launch, Nested, Wish, anchored, not_understood, words};
pub use plan::{Change, Plan, Reason, ResumeError};
pub use probe::{FoundSession, imagine, locate, presence, probe, program};
pub use quote::{Shell, printable, printable_in};
pub use situation::{
    BranchDirectory, BranchPlace, GitState, Gone, GoneTree, Guess, Location, Presence, Program,
    Recorded, RecordedWorktree, Repository, SessionFacts, Situation,
};
pub use start::{CD_FILE, Failed, Failure, live_panes};
pub use step::PlanStep;
pub use tmux::{Split, jump};
