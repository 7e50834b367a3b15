//! Running sessions: the registry that Claude Code keeps in `sessions/<pid>.json`.
//!
//! A crash leaves its entry behind and process ids are used again, so an entry counts only if
//! the process with that id also started when the entry says. The age of the file says nothing.
//! Files of any other name, the private `*.key` beside the entries above all, are never opened.

mod process;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::session::Millis;
use super::small_json;
pub use process::is_running;

/// What a running session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Busy,
    /// It asked the person something.
    Waiting,
    Idle,
    /// A shell command of the person's runs in it.
    Shell,
    /// Some SDK sessions do not say.
    Unknown,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Waiting => "waiting",
            Self::Idle => "idle",
            Self::Shell => "shell",
            Self::Unknown => "unknown",
        }
    }

    fn from_name(name: Option<&str>) -> Self {
        match name {
            Some("busy") => Self::Busy,
            Some("waiting") => Self::Waiting,
            Some("idle") => Self::Idle,
            Some("shell") => Self::Shell,
            _ => Self::Unknown,
        }
    }
}

/// A session that a living process has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    pub pid: u32,
    pub status: Status,
    /// `session:@window.%pane`, where it runs in tmux.
    pub tmux: Option<String>,
    /// When its process last said what it is doing.
    pub updated: Millis,
}

/// An entry of the registry, as far as it is needed. An odd value in one field costs only that.
#[derive(Debug, Clone)]
pub struct Entry {
    pub pid: u32,
    pub session_id: String,
    /// When the process started: on Linux in clock ticks since boot.
    pub proc_start: Option<String>,
    /// When the session was registered, in milliseconds since the epoch.
    pub started_at: Option<f64>,
    status: Status,
    updated_at: Option<f64>,
    tmux: Option<String>,
}

impl Entry {
    fn from_json(json: &Value) -> Option<Self> {
        let text = |key: &str| json.get(key)?.as_str().map(str::to_owned);
        let number = |key: &str| json.get(key)?.as_f64();
        Some(Self {
            pid: u32::try_from(json.get("pid")?.as_u64()?).ok()?,
            session_id: text("sessionId")?,
            proc_start: match json.get("procStart") {
                Some(Value::String(text)) => Some(text.clone()),
                Some(Value::Number(number)) => Some(number.to_string()),
                _ => None,
            },
            started_at: number("startedAt"),
            status: Status::from_name(text("status").as_deref()),
            updated_at: number("updatedAt"),
            tmux: text("tmux"),
        })
    }
}

/// The running sessions of all roots, by session id.
pub fn running(roots: &[PathBuf], is_running: impl Fn(&Entry) -> bool) -> HashMap<String, Live> {
    let mut live: HashMap<String, Live> = HashMap::new();
    for entry in roots
        .iter()
        .flat_map(|root| entries(&root.join("sessions")))
    {
        if !is_running(&entry) {
            continue;
        }
        #[allow(clippy::cast_possible_truncation)]
        let updated = entry.updated_at.or(entry.started_at).unwrap_or(0.0) as Millis;
        let found = Live {
            pid: entry.pid,
            status: entry.status,
            tmux: entry.tmux,
            updated,
        };
        // Two processes on one session: the one that spoke last is the one to show.
        match live.get(&entry.session_id) {
            Some(known) if (known.updated, known.pid) >= (found.updated, found.pid) => {}
            _ => {
                live.insert(entry.session_id, found);
            }
        }
    }
    live
}

fn entries(folder: &Path) -> Vec<Entry> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    files
        .flatten()
        .filter_map(|file| {
            let name = file.file_name();
            let stem = name.to_str()?.strip_suffix(".json")?;
            let pid: u32 = stem.parse().ok()?;
            let entry = Entry::from_json(&small_json::read(&file.path())?)?;
            (entry.pid == pid).then_some(entry)
        })
        .collect()
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
