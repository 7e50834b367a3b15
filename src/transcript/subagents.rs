//! Sub-agents of a session: transcripts of their own, each started by a tool call.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::tools::ToolCall;
use super::turns::{Turn, What};
use crate::record::parse_timestamp;

/// How deep below a session's folder agents are looked for: `subagents/workflows/<run>/`.
const DEPTH: usize = 3;
/// How much of an agent's file is read to learn what it was asked.
const HEAD: u64 = 256 * 1024;
/// What internal agents are asked that only warm up a cache.
const WARM_UP: &str = "Warmup";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubAgent {
    pub id: String,
    pub path: PathBuf,
    pub agent_type: Option<String>,
    /// What it was asked.
    pub prompt: Option<String>,
    pub started: Option<i64>,
    /// The tool call that started it.
    pub tool_use_id: Option<String>,
    pub linked_by: Option<LinkedBy>,
}

/// What told which call started an agent, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkedBy {
    /// The agent's own notes.
    Meta,
    /// The result of the call names the agent.
    Result,
    /// It started while the call ran.
    Time,
}

/// Finds the sub-agents of the transcript at `path`, in the order in which they started. Agents
/// that only warm up a cache are none. A folder or file that cannot be read holds none.
pub fn subagents(path: &Path, turns: &[Turn]) -> Vec<SubAgent> {
    let session = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut files = Vec::new();
    collect(&path.with_extension(""), DEPTH, &mut files);
    let mut agents: Vec<SubAgent> = files.iter().filter_map(|file| read(file, None)).collect();
    // The old layout keeps the agents of all sessions beside them.
    if let Some(folder) = path.parent() {
        let mut beside = Vec::new();
        collect(folder, 0, &mut beside);
        agents.extend(beside.iter().filter_map(|file| read(file, Some(&session))));
    }
    agents.sort_by(|a, b| (a.started, &a.id).cmp(&(b.started, &b.id)));
    link(&mut agents, turns);
    agents
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        // Links are not followed: they could lead in circles.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() && depth > 0 {
            collect(&path, depth - 1, files);
        } else if kind.is_file() && agent_id(&path).is_some() {
            files.push(path);
        }
    }
}

fn agent_id(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    // These write the summaries of compactions.
    (!id.starts_with("acompact")).then_some(id)
}

/// Reads the beginning of an agent's file. `None` if it only warms up, or belongs to another
/// session than `session`.
fn read(path: &Path, session: Option<&str>) -> Option<SubAgent> {
    let head = read_head(path).ok()?;
    let mut lines = head
        .split(|b| *b == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    // In its own folder an agent belongs to the session, also if its first line is too long.
    let first = lines.find(|line| line["type"] == "user");
    let first = first.or_else(|| session.is_none().then(Value::default))?;
    if session.is_some_and(|session| first["sessionId"].as_str() != Some(session)) {
        return None;
    }
    let content = &first["message"]["content"];
    let prompt = content
        .as_str()
        .or_else(|| content[0]["text"].as_str())
        .map(str::to_owned);
    if prompt.as_deref() == Some(WARM_UP) {
        return None;
    }
    let meta = fs::read(path.with_extension("meta.json")).unwrap_or_default();
    let meta: Value = serde_json::from_slice(&meta).unwrap_or_default();
    let noted = |key: &str| meta[key].as_str().map(str::to_owned);
    let tool_use_id = noted("toolUseId");
    Some(SubAgent {
        id: agent_id(path)?.to_owned(),
        path: path.to_owned(),
        agent_type: noted("agentType"),
        prompt,
        started: first["timestamp"]
            .as_str()
            .and_then(|time| parse_timestamp(time.as_bytes())),
        linked_by: tool_use_id.is_some().then_some(LinkedBy::Meta),
        tool_use_id,
    })
}

fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// A call that starts an agent, and when it ran.
struct Running<'a> {
    call: &'a ToolCall,
    from: Option<i64>,
    /// A call without a result ran at most until the next turn.
    until: Option<i64>,
}

fn calls(turns: &[Turn]) -> Vec<Running<'_>> {
    let mut calls = Vec::new();
    for (n, turn) in turns.iter().enumerate() {
        let next_turn = turns.get(n + 1).and_then(|next| next.at);
        for step in &turn.steps {
            if let What::Tool(call) = &step.what
                && matches!(call.name.as_deref(), Some("Task" | "Agent"))
            {
                let result = call.result.as_ref();
                calls.push(Running {
                    call,
                    from: step.at,
                    until: result.and_then(|result| result.at).or(next_turn),
                });
            }
        }
    }
    calls
}

/// Finds the calls of the agents whose notes do not name one.
fn link(agents: &mut [SubAgent], turns: &[Turn]) {
    let mut calls = calls(turns);
    for agent in agents.iter_mut().filter(|agent| agent.linked_by.is_none()) {
        let names = |call: &ToolCall| {
            let result = call.result.as_ref()?;
            Some(result.detail["agentId"].as_str()? == agent.id)
        };
        let call = calls.iter().find(|it| names(it.call) == Some(true));
        if let Some(Running { call, .. }) = call {
            agent.tool_use_id = Some(call.id.clone());
            agent.linked_by = Some(LinkedBy::Result);
        }
    }
    let taken: HashSet<String> = agents
        .iter()
        .filter_map(|agent| agent.tool_use_id.clone())
        .collect();
    calls.retain(|it| !taken.contains(&it.call.id));
    for agent in agents.iter_mut().filter(|agent| agent.linked_by.is_none()) {
        let fits = |it: &Running| {
            it.from <= agent.started && it.until.is_none_or(|until| Some(until) >= agent.started)
        };
        let asks = |it: &Running| it.call.input["prompt"].as_str() == agent.prompt.as_deref();
        // Of several calls that ran at that time the one with the same words is meant.
        let found = calls
            .iter()
            .rposition(|call| fits(call) && asks(call))
            .or_else(|| calls.iter().rposition(fits));
        if let Some(at) = found.filter(|_| agent.started.is_some()) {
            let Running { call, .. } = calls.remove(at);
            agent.tool_use_id = Some(call.id.clone());
            agent.linked_by = Some(LinkedBy::Time);
        }
    }
}
