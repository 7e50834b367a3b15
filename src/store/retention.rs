//! How long Claude Code keeps transcripts: `cleanupPeriodDays`, from all the places that set it.
//!
//! What an organisation manages counts most, then the project's own settings (the private ones
//! before the shared ones), then the person's.

use std::fmt;
use std::path::{Path, PathBuf};

use super::session::{FileState, Millis, Stamp};
use super::small_json;

/// What Claude Code does where nothing is set.
const DEFAULT_DAYS: u32 = 30;
/// A transcript that is deleted within so many days is worth a word.
pub const EXPIRING_DAYS: Millis = 7;
const DAY: Millis = 24 * 60 * 60 * 1000;

/// After how many days without a change a transcript is deleted, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    pub days: u32,
    pub set_by: SetBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetBy {
    /// Nobody.
    Default,
    You,
    Project,
    Organisation,
}

impl Retention {
    /// Nothing that is younger is deleted.
    pub fn span(self) -> Millis {
        Millis::from(self.days) * DAY
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            days: DEFAULT_DAYS,
            set_by: SetBy::Default,
        }
    }
}

impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self.set_by {
            SetBy::Default => "default",
            SetBy::You => "your settings",
            SetBy::Project => "project settings",
            SetBy::Organisation => "managed settings",
        };
        write!(f, "{} ({by})", self.days)
    }
}

/// What counts for somebody with this config directory who stands in this project.
pub fn retention(root: Option<&Path>, project: Option<&Path>, managed: &[PathBuf]) -> Retention {
    let managed = managed
        .iter()
        .map(|path| (path.clone(), SetBy::Organisation));
    let project = project.into_iter().flat_map(|project| {
        ["settings.local.json", "settings.json"]
            .map(|name| (project.join(".claude").join(name), SetBy::Project))
    });
    let own = root.map(|root| (root.join("settings.json"), SetBy::You));
    managed
        .chain(project)
        .chain(own)
        .find_map(|(path, set_by)| {
            let days = days(&path)?;
            // In the home directory the project's settings are the person's own.
            let is_own = root.is_some_and(|root| path == root.join("settings.json"));
            let set_by = if is_own && set_by == SetBy::Project {
                SetBy::You
            } else {
                set_by
            };
            Some(Retention { days, set_by })
        })
        .unwrap_or_default()
}

fn days(path: &Path) -> Option<u32> {
    let days = small_json::read(path)?.get("cleanupPeriodDays")?.as_u64()?;
    Some(u32::try_from(days).unwrap_or(u32::MAX))
}

/// How many sessions are deleted within a week, unless they go on.
pub fn expiring(stamps: &[Stamp], retention: Retention, now: Millis) -> usize {
    let is_soon = |stamp: &&Stamp| {
        let is_session = stamp.state == FileState::File && !stamp.id.starts_with("agent-");
        let deleted = stamp.modified + retention.span();
        is_session && (deleted - now).max(0) / DAY < EXPIRING_DAYS
    };
    stamps.iter().filter(is_soon).count()
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
