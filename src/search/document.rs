//! What a row offers to a search: its texts, and the facts that operators ask for.
//!
//! A document is made on the way to the worker and not kept. Its texts are those that the screen
//! shows, sanitized, so that what is found can be seen and marked. The prompts are whole: what a
//! title leaves out of one is found there.

use std::path::Path;

use crate::list::Row;
use crate::store::{Hidden, LastState, Live, Millis, SessionMeta, Status, TitleSource};
use crate::text::sanitize;

pub use crate::list::Distance;

/// The caller's own name of a row, chosen when the row is first put and kept for its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u32);

/// A text of a row, in the order in which the haystack has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    Id,
    Title,
    Project,
    Branch,
    Tag,
    Pr,
    FirstPrompt,
    LastPrompt,
}

/// Something that `is:` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionFlag {
    Running,
    /// Running, and it asked the user something.
    Waiting,
    /// Running and at work.
    Busy,
    /// Running with nothing to do.
    Idle,
    Interrupted,
    Forked,
    Damaged,
    /// The user gave it a name.
    Named,
}

impl SessionFlag {
    /// Every flag, with its word after `is:` and what that asks for.
    pub const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::Running, "running", "open in a terminal"),
        (Self::Waiting, "waiting", "waiting for you"),
        (Self::Busy, "busy", "at work"),
        (Self::Idle, "idle", "open with nothing to do"),
        (Self::Interrupted, "interrupted", "stopped in mid-turn"),
        (Self::Forked, "forked", "forked from another session"),
        (Self::Damaged, "damaged", "the last line is cut off"),
        (Self::Named, "named", "given a name"),
    ];
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionFlags(u16);

impl SessionFlags {
    #[must_use]
    pub fn with(self, flag: SessionFlag) -> Self {
        Self(self.0 | 1 << flag as u16)
    }

    pub fn has(self, flag: SessionFlag) -> bool {
        self.0 & 1 << flag as u16 != 0
    }

    /// The flags of a running session. A shell command of the user keeps it busy.
    pub fn of_status(status: Status) -> Self {
        let running = Self::default().with(SessionFlag::Running);
        match status {
            Status::Busy | Status::Shell => running.with(SessionFlag::Busy),
            Status::Waiting => running.with(SessionFlag::Waiting),
            Status::Idle => running.with(SessionFlag::Idle),
            Status::Unknown => running,
        }
    }
}

/// Everything a search can ask about one row. Empty texts are absent ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    pub title: String,
    /// The project as the screen calls it.
    pub project: String,
    /// Where the session ran: what `project:` looks into, together with the name on screen.
    pub directory: String,
    pub branch: String,
    pub tag: String,
    pub model: String,
    pub id: String,
    /// `owner/repository#number`, or `#number`.
    pub pr: String,
    pub first_prompt: String,
    pub last_prompt: String,
    /// The time of the last message.
    pub activity: Millis,
    pub created: Option<Millis>,
    pub size: u64,
    pub flags: SessionFlags,
    pub place: Distance,
    pub hidden: Option<Hidden>,
}

/// What the caller knows about a row beyond what is stored in it.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowContext<'a> {
    pub place: Distance,
    pub live: Option<&'a Live>,
}

impl Document {
    pub fn of(row: &Row, context: RowContext<'_>) -> Self {
        let session = &row.session;
        let meta = &session.meta;
        let folder = session.file.project.name.as_str();
        let directory = meta.cwd.as_deref().unwrap_or(folder);
        let is_named = matches!(meta.raw_title(), Some((TitleSource::Custom, _)));
        let is_unfinished = matches!(meta.left, Some(LastState::Asked | LastState::AtWork));
        let mut flags = context.live.map_or_else(SessionFlags::default, |live| {
            SessionFlags::of_status(live.status)
        });
        for (flag, holds) in [
            (
                SessionFlag::Interrupted,
                is_unfinished && context.live.is_none(),
            ),
            (SessionFlag::Forked, meta.origin.forked_from.is_some()),
            (SessionFlag::Damaged, meta.torn_end),
            (SessionFlag::Named, is_named),
        ] {
            if holds {
                flags = flags.with(flag);
            }
        }
        Self {
            title: shown(meta.headline().as_deref()),
            project: shown(Some(project_label(directory))),
            directory: shown(Some(directory)),
            branch: shown(meta.git_branch.as_deref()),
            // With the sign that it is shown with, so that it can be typed as it is read.
            tag: shown(meta.tag.as_deref().map(|tag| format!("#{tag}")).as_deref()),
            model: shown(meta.model.as_deref()),
            id: shown(Some(&session.file.id)),
            pr: meta.pr.as_deref().map_or_else(String::new, |pr| {
                let repository = shown(pr.repository.as_deref());
                format!("{repository}#{}", pr.number)
            }),
            first_prompt: shown(meta.first_prompt.as_deref()),
            last_prompt: last_prompts(meta),
            activity: session.last_activity(),
            created: meta.created,
            size: session.file.size,
            flags,
            place: context.place,
            hidden: session.hidden,
        }
    }
}

/// The last part of a directory's path: words typed without an operator would otherwise find
/// every session below a folder that happens to be called `code`.
pub fn project_label(directory: &str) -> &str {
    Path::new(directory)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(directory)
}

/// The last prompt, and the one before it if that is the stored title: it may be shown shortened.
fn last_prompts(meta: &SessionMeta) -> String {
    let last = shown(meta.last_prompt());
    match (meta.raw_title(), &meta.later_prompt) {
        (Some((TitleSource::LastPrompt, title)), Some(later)) if title != &**later => {
            format!("{} {last}", shown(Some(title)))
        }
        _ => last,
    }
}

fn shown(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| sanitize(text).into_owned())
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
