//! What the worker of the prompt history reports, and the words for it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::history::{Lacking, Passed, Prompt};
use crate::search::{ConversationFate, Generation, PromptAnswer, RowId};
use crate::text::ago;
use crate::tui::message::Previewed;

/// Which prompts are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HistoryScope {
    /// Those of one session.
    Session,
    /// Those of the current repository.
    Project,
    #[default]
    All,
}

impl HistoryScope {
    pub const ALL: [Self; 3] = [Self::Session, Self::Project, Self::All];

    pub fn words(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Project => "project",
            Self::All => "all",
        }
    }
}

/// What Enter does with a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EnterMode {
    /// Goes to its session.
    #[default]
    Go,
    /// Ends the picker, which prints it.
    Print,
}

/// How far the history is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub read: usize,
    /// Lines that were skipped.
    pub passed: Passed,
    /// Histories that cannot be read, or not to their beginning.
    pub unreadable: usize,
    /// Prompts with pastes that no search finds.
    pub unsearched: usize,
    pub over: bool,
    /// Sessions that Claude Code deletes within a week, once they were counted.
    pub expiring: Option<usize>,
}

/// A prompt with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRow {
    pub prompt: Prompt,
    /// The session, where the row stands for one.
    pub span: Option<PastSpan>,
}

impl PastRow {
    /// How long ago it was asked, in a sentence.
    pub fn since(&self, now: i64) -> String {
        match self.prompt.timestamp {
            0 => "before".to_owned(),
            then => ago(then, now),
        }
    }
}

/// The first and the last prompt of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastSpan {
    pub first: Prompt,
    pub last: Prompt,
}

/// A prompt, or all prompts of a session, as one text with what was pasted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastText {
    pub text: String,
    /// What the text refers to and lacks.
    pub lacking: Lacking,
    /// Does the directory it was asked in still exist?
    pub has_project: bool,
    /// The config directory whose history holds it.
    pub root: PathBuf,
}

/// What became of the conversation of a prompt, in a word and in some.
pub fn fate_words(fate: ConversationFate) -> (&'static str, &'static str) {
    match fate {
        ConversationFate::There => ("", "conversation still there"),
        ConversationFate::Deleted => ("deleted", "conversation deleted by cleanup, prompts only"),
        ConversationFate::Missing => ("not on disk", "conversation not on disk, prompts only"),
        ConversationFate::Empty => ("empty", "the file of its conversation is empty"),
        ConversationFate::Unknown => ("", "of no known session"),
    }
}

/// What the worker of the history reports.
#[derive(Debug)]
pub enum HistoryNews {
    Found {
        answer: PromptAnswer,
        /// The first prompts of it.
        rows: Vec<(RowId, Arc<PastRow>)>,
        progress: Progress,
    },
    /// So many prompts have the words of a search.
    Counted(Generation, usize),
    Rows(Vec<(RowId, Arc<PastRow>)>),
    Page(Previewed, Option<Arc<PastText>>),
    /// The names of all projects in the history, newest first.
    Projects(Vec<String>),
    /// The file was replaced: every entry is read again.
    Anew,
}
