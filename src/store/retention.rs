//! How long Claude Code keeps transcripts: `cleanupPeriodDays`, from all the places that set it.
//!
//! What an organization manages counts most, then the project's own settings (the private ones
//! before the shared ones), then the user's.

use std::fmt;
use std::path::{Path, PathBuf};

use super::session::{FileInfo, FileState, Millis};
use crate::files;

/// What Claude Code does where nothing is set.
const DEFAULT_DAYS: u32 = 30;
/// A transcript that is deleted within so many days is worth a word.
pub const EXPIRING_DAYS: Millis = 7;
const DAY: Millis = 24 * 60 * 60 * 1000;

/// After how many days without a change a transcript is deleted, and which settings say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    pub days: u32,
    pub set_by: SetBy,
    /// Whose settings might say something else, but cannot be understood.
    pub unclear: Option<SetBy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetBy {
    Default,
    You,
    Project,
    Organization,
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
            unclear: None,
        }
    }
}

impl SetBy {
    fn words(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::You => "your settings",
            Self::Project => "project settings",
            Self::Organization => "managed settings",
        }
    }
}

impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.days, self.set_by.words())?;
        match self.unclear {
            Some(whose) => write!(f, "; {} unreadable)", whose.words()),
            None => write!(f, ")"),
        }
    }
}

/// What counts for this config directory in this project.
pub fn retention(root: Option<&Path>, project: Option<&Path>, managed: &[PathBuf]) -> Retention {
    let managed = managed
        .iter()
        .map(|path| (path.clone(), SetBy::Organization));
    let project = project.into_iter().flat_map(|project| {
        ["settings.local.json", "settings.json"]
            .map(|name| (project.join(".claude").join(name), SetBy::Project))
    });
    let own = root.map(|root| (root.join("settings.json"), SetBy::You));
    let mut unclear = None;
    for (path, set_by) in managed.chain(project).chain(own) {
        // In the home directory the project's settings are the user's own.
        let is_own = root.is_some_and(|root| path == root.join("settings.json"));
        let set_by = if is_own && set_by == SetBy::Project {
            SetBy::You
        } else {
            set_by
        };
        match days(&path) {
            Ok(Some(days)) => {
                return Retention {
                    days,
                    set_by,
                    unclear,
                };
            }
            Ok(None) => {}
            Err(Unclear) => unclear = unclear.or(Some(set_by)),
        }
    }
    Retention {
        unclear,
        ..Retention::default()
    }
}

/// A file of settings is no JSON, or what it says is no number of days.
struct Unclear;

fn days(path: &Path) -> Result<Option<u32>, Unclear> {
    if !path.exists() {
        return Ok(None);
    }
    let settings = files::read_json(path).ok_or(Unclear)?;
    let Some(given) = settings.get("cleanupPeriodDays") else {
        return Ok(None);
    };
    // JavaScript knows one kind of numbers: `1e3` is a thousand days. The cast saturates.
    let days = given.as_f64().filter(|days| *days >= 0.0).ok_or(Unclear)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Ok(Some(days as u32))
}

/// How many sessions are deleted within a week, unless they go on.
pub fn expiring(files: &[FileInfo], retention: Retention, now: Millis) -> usize {
    let is_soon = |file: &&FileInfo| {
        let is_session = file.state == FileState::File && !file.id.starts_with("agent-");
        let deleted = file.modified + retention.span();
        is_session && (deleted - now).max(0) / DAY < EXPIRING_DAYS
    };
    files.iter().filter(is_soon).count()
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
