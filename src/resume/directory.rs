//! Where a session is resumed, by the rule alone: no disk, no person.
//!
//! The worktree that the session was left in, if it is still there; else the recorded directory
//! whose project folder holds the transcript, because that is where Claude Code looks for it; else
//! the first directory that the transcript names; and where it names none, what was inferred.

use std::path::PathBuf;

use super::situation::{Home, Inferred, Presence, Recorded, Situation, Worktree};
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
    /// The transcript names none: the one in which the person stands fits its project folder.
    Here,
    /// The same: other sessions of its project folder name this one.
    Neighbours,
    /// The same: this is the only directory on the machine that fits.
    Name,
    /// The branch that is switched to does not have the session's directory.
    Top,
    /// The worktree, made again.
    Recreated,
    Chosen,
}

impl Why {
    pub fn words(self) -> &'static str {
        match self {
            Self::Worktree => "the worktree that the session was left in",
            Self::Storage => "the session's own directory: its transcript is filed under it",
            Self::FirstRecorded => "the directory that the transcript names first",
            Self::Here => {
                "the transcript names no directory, and it is filed under the one you are in"
            }
            Self::Neighbours => {
                "the transcript names no directory; other sessions that are filed with it name this one"
            }
            Self::Name => {
                "the transcript names no directory; this is the only one that it can be filed under"
            }
            Self::Top => {
                "the top of the working tree: the branch does not have the session's directory"
            }
            Self::Recreated => "the worktree of the session, made again from its branch",
            Self::Chosen => "chosen",
        }
    }
}

impl Situation {
    /// The directory to resume in; `None` where nothing says which.
    pub fn directory(&self) -> Option<Where> {
        let ruled = rule(self.worktree.as_ref(), &self.recorded, &self.subject.home);
        ruled.or_else(|| match &self.inferred {
            Inferred::One(place) => Some(place.clone()),
            Inferred::Nothing | Inferred::Several(_) => None,
        })
    }

    /// The directory that is wanted and is not there: that of the worktree first.
    pub fn missing(&self) -> Option<(PathBuf, Presence)> {
        let worktree = self.worktree.as_ref();
        if let Some(worktree) = worktree.filter(|tree| tree.presence != Presence::Directory) {
            return Some((worktree.path.clone(), worktree.presence.clone()));
        }
        let wanted = self.directory()?;
        (wanted.presence != Presence::Directory).then_some((wanted.path, wanted.presence))
    }
}

fn rule(worktree: Option<&Worktree>, recorded: &[Recorded], home: &Home) -> Option<Where> {
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
