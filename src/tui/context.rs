//! What every screen may read: the settings of this run, the time, and the size of the screen.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};
use ratatui::layout::Rect;

use crate::paths::tilde;
use crate::resume::{Answers, Launch, Split};
use crate::store::Retention;

use super::{Action, Focus, Keymap, Layout, Panes, Switch, Theme};

/// The settings of one run.
#[derive(Debug, Clone)]
pub struct Setting {
    pub keymap: Keymap,
    pub theme: Theme,
    pub launch: Launch,
    pub ending: Ending,
    /// Where in tmux a session opens, if it was asked for.
    pub split: Option<Split>,
    /// The session that the picker was started from, if it is known.
    pub session: Option<String>,
    /// The home directory, which paths on screen shorten to `~`.
    pub home: Option<String>,
    /// The folders that are searched, as they are shown.
    pub places: Vec<String>,
    /// After how many days without a change Claude Code deletes a transcript.
    pub retention: Retention,
    /// The answers given on the command line, and whether `--yes` takes safe choices.
    pub answers: Answers,
    pub says_yes: bool,
    /// The only session, if it was named by a path outside of every store.
    pub outside: Option<Outside>,
}

/// What choosing a session leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Resume,
    Print(Printed),
    /// The demo says what would run, and goes on.
    Explain,
}

/// What is printed of the chosen session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// The id alone: nothing has to be decided.
    Id,
    /// The arguments with which the shell function resumes it. The function asks what is open.
    Words,
    /// The command. It runs without another check, so everything is decided here.
    Command,
    /// The command of a sample. Its directory does not exist, so there is nothing to decide.
    Sample,
    /// The whole plan, with the open questions.
    Report,
}

/// A transcript that was named by its path and is in no store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    pub path: PathBuf,
    /// The file that Claude Code would open instead.
    pub in_store: Option<PathBuf>,
    /// The id inside the transcript, where its file has another name.
    pub id: Option<String>,
}

#[derive(Debug)]
pub struct Context {
    pub setting: Setting,
    pub now: DateTime<FixedOffset>,
    pub area: Rect,
    pub panes: Panes,
    pub mouse: Switch,
}

impl Context {
    pub fn theme(&self) -> Theme {
        self.setting.theme
    }

    /// Milliseconds since the epoch.
    pub fn millis(&self) -> i64 {
        self.now.timestamp_millis()
    }

    pub fn layout(&self, focus: Focus) -> Layout {
        Layout::of(self.area, self.panes, focus)
    }

    /// The first key of an action, as it is shown; empty if it has none.
    pub fn key(&self, action: Action) -> String {
        self.setting.keymap.name(action).unwrap_or_default()
    }

    /// A path as it is shown.
    pub fn tilde(&self, path: &str) -> String {
        tilde(Path::new(path), self.setting.home.as_deref().map(Path::new))
    }
}
