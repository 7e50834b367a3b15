//! Running sessions: the registry that Claude Code keeps in `sessions/<pid>.json`.
//!
//! A crash leaves its entry and process ids are used again, so an entry counts only if
//! the process with that id also started when the entry says. The age of the file says nothing.
//! Files of any other name, the private `*.key` beside the entries above all, are never opened.

mod process;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::session::{Millis, Session};
use crate::files;
pub use process::is_running;

/// What a running session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Busy,
    /// It asked the user something.
    Waiting,
    Idle,
    /// It runs a shell command of the user.
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

    fn from_name(name: &str) -> Self {
        let known = [Self::Busy, Self::Waiting, Self::Idle, Self::Shell];
        let found = known.into_iter().find(|status| status.name() == name);
        found.unwrap_or(Self::Unknown)
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

impl Live {
    /// Which of two spoke last.
    fn spoke(&self) -> (Millis, u32) {
        (self.updated, self.pid)
    }
}

/// An entry of the registry, as far as it is needed. An odd value in one field costs only that.
#[derive(Debug, Clone)]
pub struct RegistryEntry {
    pub session_id: String,
    /// When the process started: on Linux in clock ticks since boot.
    pub proc_start: Option<String>,
    /// When the session was registered, in milliseconds since the epoch.
    pub started_at: Option<f64>,
    pub live: Live,
}

impl RegistryEntry {
    fn from_json(json: &Value) -> Option<Self> {
        let text = |key: &str| json.get(key)?.as_str().map(str::to_owned);
        let number = |key: &str| json.get(key)?.as_f64();
        let started_at = number("startedAt");
        #[allow(clippy::cast_possible_truncation)]
        let updated = number("updatedAt").or(started_at).unwrap_or(0.0) as Millis;
        Some(Self {
            session_id: text("sessionId")?,
            proc_start: match json.get("procStart") {
                Some(Value::String(text)) => Some(text.clone()),
                Some(Value::Number(number)) => Some(number.to_string()),
                _ => None,
            },
            started_at,
            live: Live {
                pid: u32::try_from(json.get("pid")?.as_u64()?).ok()?,
                status: Status::from_name(&text("status").unwrap_or_default()),
                tmux: text("tmux"),
                updated,
            },
        })
    }
}

/// The running sessions, by id. The file of an id in another config directory is another
/// file, which is not written: a session runs only where its process was registered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registry(HashMap<String, Vec<Registered>>);

/// A running session, and the config directories that hold its file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Registered {
    roots: Vec<PathBuf>,
    live: Live,
}

impl Registry {
    /// Takes in a session that runs in these config directories, which share their transcripts.
    pub fn add(&mut self, id: String, roots: Vec<PathBuf>, live: Live) {
        let all = self.0.entry(id).or_default();
        match all.iter_mut().find(|known| known.roots == roots) {
            // Two processes on one session: the one that spoke last is the one to show.
            Some(known) if known.live.spoke() >= live.spoke() => {}
            Some(known) => known.live = live,
            None => all.push(Registered { roots, live }),
        }
    }

    /// What is known of a session if it runs.
    pub fn of(&self, session: &Session) -> Option<&Live> {
        let root = &*session.file.project.root;
        let mut all = self.0.get(&*session.file.id)?.iter();
        let is_its = |known: &&Registered| known.roots.iter().any(|one| one == root);
        all.find(is_its).map(|known| &known.live)
    }

    /// What is known of an id, wherever it runs.
    pub fn anywhere(&self, id: &str) -> Option<&Live> {
        let all = self.0.get(id)?.iter().map(|known| &known.live);
        all.max_by_key(|live| live.spoke())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ids of which the other one knows something else.
    pub fn changed<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        let own = self
            .0
            .iter()
            .filter(|(id, known)| other.0.get(*id) != Some(*known));
        let gone = other.0.keys().filter(|id| !self.0.contains_key(*id));
        own.map(|(id, _)| id).chain(gone).map(String::as_str)
    }
}

/// The running sessions of all roots.
pub fn running(roots: &[PathBuf], is_running: impl Fn(&RegistryEntry) -> bool) -> Registry {
    let mut registry = Registry::default();
    for root in roots {
        for entry in entries(&root.join("sessions")) {
            if is_running(&entry) {
                registry.add(entry.session_id, alike(root, roots), entry.live);
            }
        }
    }
    registry
}

/// The roots that have the transcripts of this one, too: people let several share one `projects`.
fn alike(root: &Path, roots: &[PathBuf]) -> Vec<PathBuf> {
    let projects = |root: &Path| root.join("projects").canonicalize().ok();
    let own = projects(root);
    let is_alike = |other: &&PathBuf| *other == root || (own.is_some() && projects(other) == own);
    roots.iter().filter(is_alike).cloned().collect()
}

fn entries(folder: &Path) -> Vec<RegistryEntry> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    files
        .flatten()
        .filter_map(|file| {
            let name = file.file_name();
            let stem = name.to_str()?.strip_suffix(".json")?;
            let pid: u32 = stem.parse().ok()?;
            let entry = RegistryEntry::from_json(&files::read_json(&file.path())?)?;
            (entry.live.pid == pid).then_some(entry)
        })
        .collect()
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
