//! Where a session is resumed, by the rule alone: no disk, no person.
//!
//! The worktree that the session was left in, if it is still there; else the recorded directory
//! whose project folder holds the transcript, because that is where Claude Code looks for it; else
//! the first directory that the transcript names.

use std::path::{Path, PathBuf};

use super::situation::{Home, Presence, Recorded, Situation, Worktree};
use crate::paths::project_name;

/// A directory with the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Where {
    pub path: PathBuf,
    pub presence: Presence,
    pub why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Worktree,
    Storage,
    FirstRecorded,
    Chosen,
}

impl Why {
    pub fn words(self) -> &'static str {
        match self {
            Self::Worktree => "the worktree that the session was left in",
            Self::Storage => "the session's own directory: its transcript is filed under it",
            Self::FirstRecorded => "the directory that the transcript names first",
            Self::Chosen => "chosen",
        }
    }
}

impl Situation {
    /// The directory to resume in; `None` where the transcript names none.
    pub fn directory(&self) -> Option<Where> {
        rule(self.worktree.as_ref(), &self.recorded, &self.subject.home)
    }

    /// The directory that is wanted and is not there: that of the worktree first.
    pub fn missing(&self) -> Option<(&Path, &Presence)> {
        let worktree = self.worktree.as_ref();
        if let Some(worktree) = worktree.filter(|tree| tree.presence != Presence::Directory) {
            return Some((&worktree.path, &worktree.presence));
        }
        let wanted = self.directory()?;
        let recorded = self.recorded.iter().find(|one| one.path == wanted.path)?;
        (wanted.why != Why::Worktree && recorded.presence != Presence::Directory)
            .then_some((recorded.path.as_path(), &recorded.presence))
    }
}

/// The rule on its own, so that `probe` can ask it before everything is known.
pub fn rule(worktree: Option<&Worktree>, recorded: &[Recorded], home: &Home) -> Option<Where> {
    if let Some(worktree) = worktree.filter(|tree| tree.presence == Presence::Directory) {
        return Some(Where {
            path: worktree.path.clone(),
            presence: Presence::Directory,
            why: Why::Worktree,
        });
    }
    let filed_under = |one: &&Recorded| match home.filed() {
        Some((_, folder)) => project_name(&one.path.to_string_lossy()).matches(folder),
        None => false,
    };
    let at = |one: &Recorded, why| Where {
        path: one.path.clone(),
        presence: one.presence.clone(),
        why,
    };
    let storage = recorded.iter().find(filed_under);
    storage
        .map(|one| at(one, Why::Storage))
        .or_else(|| recorded.first().map(|one| at(one, Why::FirstRecorded)))
}
