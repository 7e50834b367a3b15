//! The rule for the directory that a session is resumed in: no disk, no person.
//!
//! First the worktree that the session was left in, if it is usable; then the recorded directory
//! whose project folder holds the transcript, because Claude Code looks for it from there; then the
//! first directory that the transcript names.

use std::path::PathBuf;

use super::situation::{Presence, Recorded, Situation};
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
    /// The top of the working tree: the branch does not have the session's directory.
    Top,
    Recreated,
    Made,
    Chosen,
}

impl Why {
    pub fn words(self) -> &'static str {
        match self {
            Self::Worktree => "the worktree that the session was left in",
            Self::Storage => "the session's own directory: its transcript is filed under it",
            Self::FirstRecorded => "the first directory that the transcript names",
            Self::Top => {
                "the top of the working tree: the branch does not have the session's directory"
            }
            Self::Recreated => "the session's worktree, recreated from its branch",
            Self::Made => "the session's own directory, made again",
            Self::Chosen => "chosen",
        }
    }
}

impl Situation {
    /// The directory to resume in; `None` if nothing names one.
    pub fn directory(&self) -> Option<Where> {
        let is_usable = |presence: &Presence| *presence == Presence::Directory;
        let worktree = self.worktree.as_ref();
        if let Some(worktree) = worktree.filter(|tree| is_usable(&tree.presence)) {
            return Some(Where {
                path: worktree.path.clone(),
                presence: Presence::Directory,
                why: Why::Worktree,
            });
        }
        let is_filed = |one: &&Recorded| match self.session.location.filed() {
            Some((_, folder)) => project_name(&one.path.to_string_lossy()).matches(folder),
            None => false,
        };
        let at = |one: &Recorded, why| Where {
            path: one.path.clone(),
            presence: one.presence.clone(),
            why,
        };
        let storage = self.recorded.iter().find(is_filed);
        storage
            .map(|one| at(one, Why::Storage))
            .or_else(|| Some(at(self.recorded.first()?, Why::FirstRecorded)))
    }

    /// The directory that is wanted and cannot be used: that of the worktree first.
    pub fn unusable(&self) -> Option<(PathBuf, Presence)> {
        let worktree = self.worktree.as_ref();
        if let Some(worktree) = worktree.filter(|tree| tree.presence != Presence::Directory) {
            return Some((worktree.path.clone(), worktree.presence.clone()));
        }
        let wanted = self.directory()?;
        (wanted.presence != Presence::Directory).then_some((wanted.path, wanted.presence))
    }
}
