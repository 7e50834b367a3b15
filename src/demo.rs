//! The demo store: a dozen sessions inside the binary, as files of a config directory.
//!
//! Readable scripts (`assets/demo`) become transcripts as Claude Code writes them, with times
//! counted back from now. Uses no disk: the caller writes the files.

mod script;
mod transcript;

use std::path::PathBuf;

use crate::history::content_hash;
use script::Script;
use transcript::{LOG, jsonl};

/// The sources, in no particular order.
const SCRIPTS: &[&str] = &[
    include_str!("../assets/demo/01-jwt.txt"),
    include_str!("../assets/demo/02-flaky.txt"),
    include_str!("../assets/demo/03-rotate.txt"),
    include_str!("../assets/demo/04-gateway.txt"),
    include_str!("../assets/demo/05-japanese.txt"),
    include_str!("../assets/demo/06-compacted.txt"),
    include_str!("../assets/demo/07-agents.txt"),
    include_str!("../assets/demo/08-fork.txt"),
    include_str!("../assets/demo/09-expiring.txt"),
    include_str!("../assets/demo/10-shell.txt"),
    include_str!("../assets/demo/11-interrupted.txt"),
    include_str!("../assets/demo/12-subscription.txt"),
];

/// Sessions that were deleted: only their prompts are left.
const GONE: &[&str] = &[
    include_str!("../assets/demo/gone-1.txt"),
    include_str!("../assets/demo/gone-2.txt"),
    include_str!("../assets/demo/gone-3.txt"),
];
/// The number of the first deleted session.
const FIRST_GONE: usize = 61;

/// Long enough to keep the oldest sample.
const SETTINGS: &str = "{\"cleanupPeriodDays\": 90}\n";

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoFile {
    /// Below the config directory.
    pub path: PathBuf,
    pub content: String,
    /// Milliseconds since the epoch.
    pub modified: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Demo {
    pub files: Vec<DemoFile>,
    /// The ids of sessions that look as if they were running, with their status.
    pub running: Vec<(String, String)>,
}

/// The current directory of the demo.
pub fn demo_directory(home: &str) -> PathBuf {
    PathBuf::from(format!("{home}/code/shop"))
}

/// Makes the store for a home directory.
pub fn demo(home: &str, now: i64) -> Demo {
    let mut demo = Demo::default();
    let mut prompts = Vec::new();
    for (number, source) in (1..).zip(SCRIPTS) {
        let script = Script::parse(source);
        let made = transcript::write(&script, number, home, now);
        prompts.extend(made.prompts);
        demo.files.extend(made.files);
        if let Some(status) = script.fact("status") {
            demo.running.push((made.session_id, status.to_owned()));
        }
    }
    for (number, source) in (FIRST_GONE..).zip(GONE) {
        let script = Script::parse(source);
        prompts.extend(transcript::write(&script, number, home, now).prompts);
    }
    prompts.sort_by_key(|prompt| prompt["timestamp"].as_i64());
    // A fork repeats the prompts of the session before.
    prompts.dedup_by(|later, first| {
        later["timestamp"] == first["timestamp"] && later["display"] == first["display"]
    });
    let mut add = |path: String, content: String| {
        demo.files.push(DemoFile {
            path: path.into(),
            content,
            modified: now,
        });
    };
    add("settings.json".to_owned(), SETTINGS.to_owned());
    add("history.jsonl".to_owned(), jsonl(&prompts));
    let hash = content_hash(LOG.as_bytes());
    add(format!("paste-cache/{hash}.txt"), LOG.to_owned());
    demo
}

#[cfg(test)]
#[path = "demo_tests.rs"]
mod tests;
