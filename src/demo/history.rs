//! The prompt history of the demo: the prompts of its sessions, and of some that are gone.

use std::path::PathBuf;

use serde_json::json;

use super::DemoFile;
use super::script::Script;
use super::transcript;
use crate::history::content_hash;

/// Sessions that were deleted: only their prompts are left.
const GONE: &[&str] = &[
    include_str!("../../assets/demo/gone-1.txt"),
    include_str!("../../assets/demo/gone-2.txt"),
    include_str!("../../assets/demo/gone-3.txt"),
];
/// The pasted text of one of the prompts.
const LOG: &str = include_str!("../../assets/demo/pasted.txt");
/// The number of the first deleted session.
const FIRST_GONE: usize = 61;
/// The reference to pasted text in a prompt.
const REFERENCE: &str = "[Pasted text #1";

/// One line of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoPrompt {
    /// Milliseconds since the epoch.
    pub at: i64,
    pub text: String,
    pub project: String,
    pub session_id: String,
}

/// The history and the pastes that it refers to.
pub fn files(mut all: Vec<DemoPrompt>, home: &str, now: i64) -> Vec<DemoFile> {
    for (number, source) in (FIRST_GONE..).zip(GONE) {
        let script = Script::parse(source);
        let cwd = format!("{home}/code/{}", script.project);
        all.extend(transcript::write(&script, number, &cwd, now).prompts);
    }
    all.sort_by_key(|prompt| prompt.at);
    // A fork repeats the prompts of the session before.
    all.dedup_by(|later, first| later.at == first.at && later.text == first.text);
    let mut lines = String::new();
    let hash = content_hash(LOG.as_bytes());
    for one in &all {
        let mut pasted = json!({});
        if one.text.contains(REFERENCE) {
            // It is too long to be in the line itself.
            pasted["1"] = json!({"id": 1, "type": "text", "contentHash": hash});
        }
        let line = json!({
            "display": one.text, "pastedContents": pasted, "timestamp": one.at,
            "project": one.project, "sessionId": one.session_id,
        });
        lines += &line.to_string();
        lines.push('\n');
    }
    let file = |path: PathBuf, content: String| DemoFile {
        path,
        content,
        modified: now,
    };
    vec![
        file("history.jsonl".into(), lines),
        file(format!("paste-cache/{hash}.txt").into(), LOG.to_owned()),
    ]
}
