//! The files of a conversation: its own, those with what was compacted away, and those of its agents.
//!
//! Holds positions in files, and of agents only what is shown. A file that has changed is noticed,
//! and read again with the next request.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::way::EntryTurns;
use crate::files;
use crate::preview::{Agent, AgentWork, Agents, Arrival, Fold, Library, Options, TurnPos};
use crate::transcript::{
    AgentStarts, Chain, Digest, EntryId, LeafRule, LoadExtent, Stretches, SubAgent, Turn,
    load_from, subagents,
};

/// Size and times of a file: it has changed if they have. The time of the last modification can be set
/// to what it was, that of the last change cannot.
pub type FileStamp = (u64, Option<SystemTime>, i128);

/// The stamp of a regular file: opening a pipe would wait for its writer.
pub fn stamp(path: &Path) -> io::Result<FileStamp> {
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok((found.len(), found.modified().ok(), changed(&found)))
}

#[cfg(unix)]
fn changed(file: &fs::Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt;
    i128::from(file.ctime()) * 1_000_000_000 + i128::from(file.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &fs::Metadata) -> i128 {
    0
}

/// A file whose reading can be cancelled: checks before every read whether to go on.
pub struct CancellableFile<'a> {
    file: File,
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> CancellableFile<'a> {
    pub fn new(path: &Path, go_on: &'a dyn Fn() -> bool) -> io::Result<Self> {
        let file = files::open(path)?;
        Ok(Self { file, go_on })
    }
}

impl Read for CancellableFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.go_on)() {
            self.file.read(buffer)
        } else {
            Err(cancelled())
        }
    }
}

impl Seek for CancellableFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("cancelled")]
struct Cancelled;

pub fn cancelled() -> io::Error {
    io::Error::other(Cancelled)
}

pub fn is_cancelled(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<Cancelled>)
}

/// A part of a conversation that is in one file.
#[derive(Debug)]
pub struct Chapter {
    pub path: PathBuf,
    pub stretches: Stretches,
    pub turns: EntryTurns,
}

/// The files of a conversation.
#[derive(Debug, Default)]
pub struct Files {
    path: PathBuf,
    /// The oldest first.
    pub chapters: Vec<Chapter>,
    pub starts: AgentStarts,
    agents: Option<Vec<SubAgent>>,
    /// Bytes of the agents that were read, by their calls.
    read: HashMap<String, usize>,
}

impl Files {
    pub fn new(chapter: Chapter, starts: AgentStarts) -> Self {
        Self {
            path: chapter.path.clone(),
            chapters: vec![chapter],
            starts,
            ..Self::default()
        }
    }

    /// The memory of positions, and of the agents that were read.
    pub fn weight(&self) -> usize {
        let chapters = self.chapters.iter();
        let places = chapters.map(|it| it.stretches.weight() + it.turns.weight());
        places.sum::<usize>() + self.read.values().sum::<usize>()
    }

    /// The turns that an entry is in, counted from the first of all.
    pub fn turns_of(&self, entry: EntryId) -> Vec<i64> {
        let mut turns = Vec::new();
        for (first, chapter) in self.numbered() {
            turns.extend(
                chapter
                    .turns
                    .of_entry(entry)
                    .map(|turn| first + i64::from(turn)),
            );
        }
        turns
    }

    /// The turn of the call that started an agent, counted from the first of all.
    pub fn turn_of_agent(&self, call: &str) -> Option<i64> {
        let mut chapters = self.numbered();
        chapters.find_map(|(first, chapter)| Some(first + i64::from(chapter.turns.of_agent(call)?)))
    }

    /// The chapters, each with the number of its first turn.
    fn numbered(&self) -> impl Iterator<Item = (i64, &Chapter)> {
        self.chapters.iter().scan(0, |next, chapter| {
            let first = *next;
            let count = chapter.stretches.headings().len();
            *next += i64::try_from(count).unwrap_or_default();
            Some((first, chapter))
        })
    }

    /// Looks for the agents, the first time.
    pub fn list_agents(&mut self, agents: &mut Agents) -> Arrival {
        if self.agents.is_some() {
            return Arrival::Nothing;
        }
        let found = subagents(&self.path, &self.starts);
        for agent in &found {
            if let Some(call) = &agent.tool_use_id {
                let listed = Agent {
                    kind: agent.agent_type.clone(),
                    work: AgentWork::Unread,
                };
                agents.put(call.clone(), listed);
            }
        }
        let arrival = match found.as_slice() {
            [] => Arrival::Nothing,
            _ => Arrival::Agents,
        };
        self.agents = Some(found);
        arrival
    }

    /// The call that started the agent with this transcript.
    pub fn call_of(&self, transcript: &Path) -> Option<&str> {
        let mut listed = self.agents.iter().flatten();
        let agent = listed.find(|agent| agent.path == transcript)?;
        agent.tool_use_id.as_deref()
    }

    /// Reads what the agent of a call did, and from how many bytes. `None` if the call started none;
    /// an error only if it was cancelled.
    pub fn work_of(
        &self,
        call: &str,
        go_on: &dyn Fn() -> bool,
    ) -> io::Result<Option<(AgentWork, usize)>> {
        let mut listed = self.agents.iter().flatten();
        let is_it = |agent: &&SubAgent| agent.tool_use_id.as_deref() == Some(call);
        let Some(agent) = listed.find(is_it) else {
            return Ok(None);
        };
        let read = || {
            let (size, ..) = stamp(&agent.path)?;
            let mut file = CancellableFile::new(&agent.path, go_on)?;
            let index = load_from(&mut file, size, LoadExtent::Resumed)?.of_subagent();
            let chain = Chain::build(&index, LeafRule::Resume);
            let turns = Digest::whole(file, &index, &chain)?.newest;
            let bytes = usize::try_from(size).unwrap_or(usize::MAX);
            Ok((AgentWork::Read(Arc::new(turns)), bytes))
        };
        match read() {
            Err(error) if is_cancelled(&error) => Err(error),
            Err(error) => {
                let reason = format!("cannot be read: {error}");
                Ok(Some((AgentWork::Failed(reason), 0)))
            }
            Ok(work) => Ok(Some(work)),
        }
    }

    /// Drops what was read of agents, except of those that these turns started.
    pub fn keep_agents(&mut self, turns: &[Arc<Turn>], agents: &mut Agents) {
        if self.read.is_empty() {
            return;
        }
        let steps = turns.iter().flat_map(|turn| &turn.steps);
        let calls = steps.filter_map(|step| Some(step.call()?.id.as_str()));
        let calls: HashSet<&str> = calls.collect();
        self.read.retain(|call, _| {
            let is_kept = calls.contains(call.as_str());
            if !is_kept && let Some(agent) = agents.started_by_mut(call) {
                agent.work = AgentWork::Unread;
            }
            is_kept
        });
    }
}

/// The calls of a turn that start agents: the run that each is in, its index there, and its
/// id.
pub fn agent_calls(number: i64, turn: &Turn) -> Vec<(TurnPos, usize, &str)> {
    let mut calls = Vec::new();
    let mut run: Option<usize> = None;
    for (at, step) in turn.steps.iter().enumerate() {
        let Some(call) = step.call() else {
            run = None;
            continue;
        };
        let start = *run.get_or_insert(at);
        if call.starts_agent() {
            let place = TurnPos::step(number, start);
            calls.push((place, at - start, call.id.as_str()));
        }
    }
    calls
}

/// The files while turns of them are laid out.
pub struct OpenFiles<'a> {
    pub files: &'a mut Files,
    /// The number of the first turn.
    pub first: i64,
    pub options: &'a Options,
    pub go_on: &'a dyn Fn() -> bool,
    /// Why something could not be read.
    pub error: Option<io::Error>,
}

impl OpenFiles<'_> {
    fn read_stretch(&self, number: i64) -> io::Result<(i64, Vec<Turn>)> {
        for (first, chapter) in self.files.numbered() {
            let first = self.first + first;
            let count = chapter.stretches.headings().len();
            let turn = usize::try_from(number - first).unwrap_or(usize::MAX);
            if turn < count {
                let file = CancellableFile::new(&chapter.path, self.go_on)?;
                let (start, turns) = chapter.stretches.read(file, turn)?;
                return Ok((first + i64::try_from(start).unwrap_or_default(), turns));
            }
        }
        Err(io::Error::other("it has no such turn"))
    }
}

impl Library for OpenFiles<'_> {
    fn stretch(&mut self, number: i64) -> Option<(i64, Vec<Turn>)> {
        let read = self.read_stretch(number);
        read.map_err(|error| self.error = Some(error)).ok()
    }

    fn agents_of(&mut self, number: i64, turn: &Turn, agents: &mut Agents) -> Arrival {
        let mut arrival = Arrival::Nothing;
        for (place, at, call) in agent_calls(number, turn) {
            if !self.options.is_open(Fold::Part(place)) {
                continue;
            }
            // There may be hundreds, each with a file of its own.
            if !(self.go_on)() {
                break;
            }
            if self.files.list_agents(agents) == Arrival::Agents {
                arrival = Arrival::Agents;
            }
            let Some(agent) = agents.started_by_mut(call) else {
                continue;
            };
            if agent.work != AgentWork::Unread || !self.options.is_open(Fold::Agent(place, at)) {
                continue;
            }
            match self.files.work_of(call, self.go_on) {
                Ok(Some((work, bytes))) => {
                    agent.work = work;
                    self.files.read.insert(call.to_owned(), bytes);
                    arrival = Arrival::Agents;
                }
                Ok(None) => {}
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        arrival
    }
}
