//! What resuming restores besides the messages, as plain data.
//!
//! Read from the conversation itself (todos, files, skills) and from the metadata of the file
//! (worktree, agent, modes, cost). Whatever the file does not say is absent.

mod cost;
mod files;
mod remarks;
mod todos;

use std::io::{self, Read, Seek};

use serde::Serialize;
use serde_json::Value;

pub use cost::{Cost, CostSource, cost_in_configs};
pub use files::{FileChange, Hunk};
pub use remarks::Remarks;
pub(super) use remarks::replace;
pub use todos::{Todo, TodoStatus};

use super::index::Index;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionState {
    pub title: Option<String>,
    pub tag: Option<String>,
    pub todos: Vec<Todo>,
    /// Files that were changed, in the order of their first change.
    pub files: Vec<FileChange>,
    pub file_history: FileHistory,
    /// Tool results that the context holds in a shorter form.
    pub content_replacements: Vec<Replacement>,
    pub worktree: Option<LeftWorktree>,
    pub agent_name: Option<String>,
    pub agent_color: Option<String>,
    pub agent_setting: Option<String>,
    pub mode: Option<String>,
    pub permission_mode: Option<String>,
    pub skills: Vec<String>,
    pub prs: Vec<PullRequest>,
    pub cost: Option<Cost>,
}

/// Copies of files that Claude Code took before changing them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileHistory {
    pub snapshots: usize,
    /// The files that the last snapshot knows.
    pub files: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replacement {
    pub tool_use_id: Option<String>,
    pub replacement: Option<String>,
}

/// The worktree that the session was in when it was left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftWorktree {
    pub path: String,
    pub name: Option<String>,
    pub branch: Option<String>,
    pub original_cwd: Option<String>,
    /// The commit that was checked out there.
    pub original_head_commit: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PullRequest {
    pub number: u64,
    pub url: Option<String>,
    pub repository: Option<String>,
}

impl SessionState {
    pub fn read(mut source: impl Read + Seek, index: &Index, remarks: Remarks) -> io::Result<Self> {
        let places = &index.metadata;
        let mut last = |kind| places.read_last(&mut source, kind);
        let text = |line: Option<Value>, key: &str| visible(&line?[key]);
        let permission_mode = match last("permission-mode")? {
            Some(line) => visible(&line["permissionMode"]),
            None => remarks.permission_mode.clone(),
        };
        let custom_title = text(last("custom-title")?, "customTitle");
        let ai_title = text(last("ai-title")?, "aiTitle");
        Ok(Self {
            title: custom_title.or(ai_title),
            tag: text(last("tag")?, "tag"),
            agent_name: text(last("agent-name")?, "agentName"),
            agent_color: text(last("agent-color")?, "agentColor"),
            agent_setting: text(last("agent-setting")?, "agentSetting"),
            mode: text(last("mode")?, "mode"),
            worktree: last("worktree-state")?.and_then(|line| worktree(&line)),
            cost: last("cost-state")?
                .filter(|line| remarks.is_of_this_session(line))
                .and_then(|line| Cost::of(&line, CostSource::Transcript)),
            file_history: FileHistory {
                snapshots: index.metadata.count("file-history"),
                files: last("file-history")?
                    .map(|line| tracked_files(&line))
                    .unwrap_or_default(),
            },
            prs: pull_requests(&places.read(&mut source, "pr-link")?),
            content_replacements: replacements(&places.read(&mut source, "content-replacement")?),
            permission_mode: permission_mode.filter(|mode| is_permission_mode(mode)),
            todos: remarks.todos.list(),
            files: remarks.files,
            skills: remarks.skills,
        })
    }
}

/// A text that is there to be seen.
fn visible(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Does Claude Code know the mode? Another one on disk is not restored.
fn is_permission_mode(mode: &str) -> bool {
    matches!(
        mode,
        "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
    )
}

/// A null says that the worktree was left.
pub(super) fn worktree(line: &Value) -> Option<LeftWorktree> {
    let session = &line["worktreeSession"];
    Some(LeftWorktree {
        path: visible(&session["worktreePath"])?,
        name: visible(&session["worktreeName"]),
        branch: visible(&session["worktreeBranch"]),
        original_cwd: visible(&session["originalCwd"]),
        original_head_commit: visible(&session["originalHeadCommit"]),
    })
}

fn tracked_files(line: &Value) -> Vec<String> {
    match &line["snapshot"]["trackedFileBackups"] {
        Value::Object(files) => files.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Each pull request once, in the order of their first mention.
fn pull_requests(lines: &[Value]) -> Vec<PullRequest> {
    let mut found: Vec<PullRequest> = Vec::new();
    for line in lines {
        let number = &line["prNumber"];
        let parsed = || number.as_str()?.parse::<u64>().ok();
        let Some(number) = number.as_u64().or_else(parsed) else {
            continue;
        };
        let request = PullRequest {
            number,
            url: visible(&line["prUrl"]),
            repository: visible(&line["prRepository"]),
        };
        if !found.contains(&request) {
            found.push(request);
        }
    }
    found
}

fn replacements(lines: &[Value]) -> Vec<Replacement> {
    let each = |replacement: &Value| Replacement {
        tool_use_id: visible(&replacement["toolUseId"]),
        replacement: visible(&replacement["replacement"]),
    };
    lines
        .iter()
        .filter_map(|line| line["replacements"].as_array())
        .flatten()
        .map(each)
        .collect()
}
