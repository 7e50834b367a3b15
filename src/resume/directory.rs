//! The rule for the directory that a session is resumed in: no disk, no question.
//!
//! First the worktree that the session was left in, if it is usable; then the recorded directory
//! whose project folder holds the transcript, because Claude Code looks for it from there; then the
//! first directory that the transcript names.

use super::situation::{Presence, Recorded, Situation};
use crate::paths::project_name;

impl Recorded {
    pub(super) fn is_usable(&self) -> bool {
        self.presence == Presence::Directory
    }
}

impl Situation {
    /// The directory to resume in, and why; `None` if nothing names one.
    pub fn directory(&self) -> Option<(&Recorded, &'static str)> {
        let worktree = self.worktree.as_ref().map(|tree| &tree.place);
        if let Some(place) = worktree.filter(|place| place.is_usable()) {
            return Some((place, "the worktree that the session was left in"));
        }
        let is_filed = |one: &&Recorded| match self.session.location.filed() {
            Some((_, folder)) => project_name(&one.path.to_string_lossy()).matches(folder),
            None => false,
        };
        if let Some(filed) = self.recorded.iter().find(is_filed) {
            let why = "the session's own directory: its transcript is filed under it";
            return Some((filed, why));
        }
        let first = self.recorded.first()?;
        Some((first, "the first directory that the transcript names"))
    }

    /// The directory that is wanted and cannot be used: that of the worktree first.
    pub fn unusable(&self) -> Option<&Recorded> {
        let worktree = self.worktree.as_ref().map(|tree| &tree.place);
        let wanted = worktree.or_else(|| Some(self.directory()?.0));
        wanted.filter(|place| !place.is_usable())
    }
}
