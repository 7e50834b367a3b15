//! Sub-agents of a session: transcripts of their own, each started by a tool call.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memchr::memmem;
use serde::Serialize;

use super::entry::{ContentBlock, blocks};
use super::link::EntryId;
use super::load::for_each_block;
use super::turns::Turn;
use crate::files;
use crate::json::{FieldValue, field, unescape};
use crate::record::{EntryType, Line};

/// How deep below a session's folder agents are looked for: `subagents/workflows/<run>/`.
const DEPTH: usize = 3;
/// How much of an agent's file is read to learn what it was asked.
const HEAD: u64 = 256 * 1024;
/// What internal agents are asked that only warm up a cache.
pub const WARM_UP: &str = "Warmup";

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
pub fn subagents(path: &Path, starts: &AgentStarts) -> Vec<SubAgent> {
    let mut files = Vec::new();
    let _ = collect(&path.with_extension(""), DEPTH, &mut files);
    files.extend(agents_beside(path).unwrap_or_default());
    let mut agents: Vec<SubAgent> = files.iter().filter_map(|file| read(file)).collect();
    agents.sort_by(|a, b| (a.started, &a.id).cmp(&(b.started, &b.id)));
    link(&mut agents, starts);
    agents
}

/// The transcripts of the sub-agents beside that of their session, in order. The old layout keeps
/// the agents of all sessions in the folder of the sessions.
pub fn agents_beside(transcript: &Path) -> io::Result<Vec<PathBuf>> {
    let session = transcript.file_stem().unwrap_or_default();
    let mut files = Vec::new();
    if let Some(folder) = transcript.parent() {
        collect(folder, 0, &mut files)?;
    }
    files.retain(|file| {
        let of = agent_session(file).ok().flatten();
        of.is_some_and(|of| *of == *session)
    });
    files.sort();
    Ok(files)
}

/// The session that an agent of the old layout worked for, by the first line that says so. `None`
/// if this is no agent's transcript.
pub fn agent_session(path: &Path) -> io::Result<Option<String>> {
    if agent_id(path).is_none() {
        return Ok(None);
    }
    let session_of = |line: &[u8]| {
        let is_agent = field(line, b"isSidechain").is_some_and(FieldValue::is_true);
        let session = field(line, b"sessionId")?.text()?;
        is_agent.then(|| unescape(session).into_owned())
    };
    // The first line may be long; nearly always it says so near its start.
    for most in [HEAD / 16, HEAD] {
        let mut head = Vec::new();
        files::open(path)?.take(most).read_to_end(&mut head)?;
        if let Some(session) = head.split(|b| *b == b'\n').find_map(session_of) {
            return Ok(Some(session));
        }
        if (head.len() as u64) < most {
            break;
        }
    }
    Ok(None)
}

/// The entry with the call that started an agent, wherever it is in a transcript.
pub fn entry_of_call(source: impl Read, call: &str) -> io::Result<Option<EntryId>> {
    let finder = memmem::Finder::new(call);
    let mut found = None;
    for_each_block(source, |lines, _| {
        if found.is_none() && finder.find(lines).is_some() {
            let mut lines = lines.split(|b| *b == b'\n');
            found = lines.find_map(|line| {
                finder.find(line)?;
                let line = Line::parse(line);
                let mut blocks = blocks(&line.message.content).into_iter();
                let is_it = blocks
                    .any(|block| matches!(block, ContentBlock::ToolUse { id, .. } if id == call));
                EntryId::of(line.uuid.as_str().filter(|_| is_it)?.as_bytes())
            });
        }
    })?;
    Ok(found)
}

/// The transcripts of the sub-agents in the session's own folder, in order, without reading them.
pub fn agent_files(transcript: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let folder = transcript.with_extension("").join("subagents");
    collect(&folder, DEPTH - 1, &mut files)?;
    files.sort();
    Ok(files)
}

/// Adds the transcripts of agents in a folder. One that is not there has none.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match files::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut below = Vec::new();
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        // Links are not followed: they could lead in circles.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() && depth > 0 {
            below.push(path);
        } else if kind.is_file() && agent_id(&path).is_some() {
            found.push(path);
        }
    }
    // This folder is closed by now.
    below
        .iter()
        .try_for_each(|folder| collect(folder, depth - 1, found))
}

fn agent_id(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    // These write the summaries of compactions, and suggest what to ask next.
    let is_internal = ["acompact", "aprompt_suggestion"]
        .iter()
        .any(|kind| id.starts_with(kind));
    (!is_internal).then_some(id)
}

/// Reads the beginning of an agent's file. `None` if it only warms up.
fn read(path: &Path) -> Option<SubAgent> {
    let mut head = Vec::new();
    let file = files::open(path).ok()?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    // The last line is torn where the file goes on, and so may be the first.
    let lines = head.split(|b| *b == b'\n').map(Line::parse);
    let mut whole = lines.filter(|line| !line.is_mended);
    // It belongs to the session even if its first line is too long.
    let first = whole.find(|line| line.kind() == Some(EntryType::User));
    let first = first.unwrap_or_default();
    let prompt = blocks(&first.message.content).into_iter().next();
    let prompt = prompt.and_then(ContentBlock::text).map(str::to_owned);
    if prompt.as_deref() == Some(WARM_UP) {
        return None;
    }
    let meta = files::read_json(&path.with_extension("meta.json")).unwrap_or_default();
    let noted = |key: &str| meta[key].as_str().map(str::to_owned);
    let tool_use_id = noted("toolUseId");
    Some(SubAgent {
        id: agent_id(path)?.to_owned(),
        path: path.to_owned(),
        agent_type: noted("agentType"),
        prompt,
        started: first.time(),
        linked_by: tool_use_id.is_some().then_some(LinkedBy::Meta),
        tool_use_id,
    })
}

/// The calls of a conversation that start agents, without their texts.
#[derive(Debug, Clone, Default)]
pub struct AgentStarts {
    calls: Vec<AgentCall>,
    /// How many of them are of turns before the last.
    closed: usize,
}

/// A call that starts an agent, and when it ran.
#[derive(Debug, Clone)]
struct AgentCall {
    call: String,
    /// What the agent is asked, as a number.
    prompt: Option<u64>,
    /// The agent that the result names.
    agent: Option<String>,
    from: Option<i64>,
    /// A call without a result ran at most until the next turn.
    until: Option<i64>,
}

impl AgentStarts {
    /// Takes the calls of the next turn.
    pub fn take(&mut self, turn: &Turn) {
        for call in self.calls.iter_mut().skip(self.closed) {
            call.until = call.until.or(turn.at);
        }
        self.closed = self.calls.len();
        for step in &turn.steps {
            let call = step.call().filter(|call| call.starts_agent());
            let Some(call) = call else {
                continue;
            };
            let result = call.result.as_ref();
            let agent = result.and_then(|result| result.detail["agentId"].as_str());
            self.calls.push(AgentCall {
                call: call.id.clone(),
                prompt: call.input["prompt"].as_str().map(number),
                agent: agent.map(str::to_owned),
                from: step.at,
                until: result.and_then(|result| result.at),
            });
        }
    }

    /// Puts the calls of an earlier conversation before these.
    pub fn put_before(&mut self, mut earlier: Self) {
        earlier.calls.append(&mut self.calls);
        earlier.closed = earlier.calls.len();
        *self = earlier;
    }
}

fn number(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Finds the calls of the agents whose notes do not name one.
fn link(agents: &mut [SubAgent], starts: &AgentStarts) {
    let mut calls: Vec<&AgentCall> = starts.calls.iter().collect();
    for agent in agents.iter_mut().filter(|agent| agent.linked_by.is_none()) {
        let names = |it: &&&AgentCall| it.agent.as_ref() == Some(&agent.id);
        if let Some(AgentCall { call, .. }) = calls.iter().find(names) {
            agent.tool_use_id = Some(call.clone());
            agent.linked_by = Some(LinkedBy::Result);
        }
    }
    let taken: HashSet<String> = agents
        .iter()
        .filter_map(|agent| agent.tool_use_id.clone())
        .collect();
    calls.retain(|it| !taken.contains(&it.call));
    for agent in agents.iter_mut().filter(|agent| agent.linked_by.is_none()) {
        let fits = |it: &&AgentCall| {
            it.from <= agent.started && it.until.is_none_or(|until| Some(until) >= agent.started)
        };
        let asked = agent.prompt.as_deref().map(number);
        let asks = |it: &&AgentCall| it.prompt == asked;
        // Of several calls that ran at that time the one with the same words is meant.
        let found = calls
            .iter()
            .rposition(|call| fits(call) && asks(call))
            .or_else(|| calls.iter().rposition(fits));
        if let Some(at) = found.filter(|_| agent.started.is_some()) {
            let AgentCall { call, .. } = calls.remove(at);
            agent.tool_use_id = Some(call.clone());
            agent.linked_by = Some(LinkedBy::Time);
        }
    }
}
