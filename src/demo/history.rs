//! The prompt history of the demo: what was asked in its sessions, and in some that are gone.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::DemoFile;
use super::script::Script;
use super::transcript;
use crate::history::{MAX_INLINE, content_hash};

/// Sessions that clean-up has deleted: only what was asked is left of them.
const GONE: &[&str] = &[
    include_str!("../../assets/demo/gone-1.txt"),
    include_str!("../../assets/demo/gone-2.txt"),
    include_str!("../../assets/demo/gone-3.txt"),
];
/// What the number of a session that is gone begins at.
const FIRST_GONE: usize = 61;
/// What stands in a prompt for what was pasted into it.
const REFERENCE: &str = "[Pasted text #1";

/// One line of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Milliseconds since the epoch.
    pub at: i64,
    pub text: String,
    pub project: String,
    pub session_id: String,
}

/// What was asked in a session.
pub fn asked(made: &transcript::Made, cwd: &str) -> Vec<Asked> {
    let own = format!("{}.jsonl", made.session_id);
    let files = made.files.iter().filter(|(name, _)| *name == own);
    let lines = files.flat_map(|(_, content)| content.lines());
    lines
        .filter_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            let text = line.get("message")?.get("content")?.as_str()?;
            let is_summary = line.get("isCompactSummary").is_some();
            let is_prompt = line.get("type")? == "user" && !text.starts_with('<') && !is_summary;
            let time = line.get("timestamp")?.as_str()?;
            let time = chrono::DateTime::parse_from_rfc3339(time).ok()?;
            is_prompt.then(|| Asked {
                at: time.timestamp_millis(),
                text: text.to_owned(),
                project: cwd.to_owned(),
                session_id: made.session_id.clone(),
            })
        })
        .collect()
}

/// The history and the pastes that it refers to.
pub fn files(mut asked: Vec<Asked>, home: &str, now: i64) -> Vec<DemoFile> {
    for (number, source) in (FIRST_GONE..).zip(GONE) {
        let script = Script::parse(source);
        let cwd = format!("{home}/code/{}", script.project);
        let made = transcript::write(&script, number, &cwd, now);
        asked.extend(self::asked(&made, &cwd));
    }
    asked.sort_by_key(|one| one.at);
    // What a fork has from the session before was asked once.
    asked.dedup_by(|later, first| later.at == first.at && later.text == first.text);
    let log = log();
    let mut lines = String::new();
    for one in &asked {
        let mut pasted = json!({});
        if one.text.contains(REFERENCE) {
            pasted["1"] = if log.len() > MAX_INLINE {
                json!({"id": 1, "type": "text", "contentHash": content_hash(log.as_bytes())})
            } else {
                json!({"id": 1, "type": "text", "content": log})
            };
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
    let hash = content_hash(log.as_bytes());
    vec![
        file("history.jsonl".into(), lines),
        file(format!("paste-cache/{hash}.txt").into(), log),
    ]
}

/// What was pasted into one of the prompts.
fn log() -> String {
    let line = |n: usize| {
        let verdict = match n % 7 {
            3 => "404 Not Found",
            5 => "429 Too Many Requests",
            _ => "200 OK",
        };
        format!("GET https://docs.example.com/guide/chapter-{n:02} ... {verdict}\n")
    };
    (1..=34).map(line).collect()
}
