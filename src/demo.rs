//! The demo store: a dozen sessions inside the binary, as files of a config directory.
//!
//! Readable scripts (`assets/demo`) become transcripts as Claude Code writes them, with times
//! counted back from now. Uses no disk: the caller writes the files.

mod history;
mod script;
mod transcript;

use std::path::PathBuf;

use crate::paths::project_name;
use script::Script;

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

/// A session that looks as if it were running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoRun {
    pub session_id: String,
    pub status: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Demo {
    pub files: Vec<DemoFile>,
    pub running: Vec<DemoRun>,
}

/// The current directory of the demo.
pub fn demo_directory(home: &str) -> PathBuf {
    PathBuf::from(format!("{home}/code/shop"))
}

/// Makes the store for a home directory.
pub fn demo(home: &str, now: i64) -> Demo {
    let mut demo = Demo {
        files: vec![DemoFile {
            path: PathBuf::from("settings.json"),
            content: SETTINGS.to_owned(),
            modified: now,
        }],
        running: Vec::new(),
    };
    let mut prompts = Vec::new();
    for (number, source) in (1..).zip(SCRIPTS) {
        let script = Script::parse(source);
        let cwd = format!("{home}/code/{}", script.project);
        let folder = PathBuf::from("projects").join(project_name(&cwd).as_str());
        let made = transcript::write(&script, number, &cwd, now);
        prompts.extend(made.prompts);
        for (name, content) in made.files {
            demo.files.push(DemoFile {
                path: folder.join(name),
                content,
                modified: made.last,
            });
        }
        if let Some(status) = script.status {
            demo.running.push(DemoRun {
                session_id: made.session_id,
                status,
            });
        }
    }
    demo.files.extend(history::files(prompts, home, now));
    demo
}

#[cfg(test)]
#[path = "demo_tests.rs"]
mod tests;
