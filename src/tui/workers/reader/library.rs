//! The files of a conversation: its own, those with what was compacted away, and those of its agents.
//!
//! Holds positions in files, and of agents only what is shown. A file that has changed is noticed,
//! and read again with the next request.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cancel::{CancellableFile, is_cancelled};
use super::open::stamp;
use crate::preview::{Agent, AgentWork, Agents, Arrival, Fold, Library, Options, TurnPos};
use crate::transcript::{
    AgentStarts, Chain, Digest, LeafRule, LoadExtent, StepKind, Stretches, SubAgent, Turn,
    load_from, subagents,
};

/// A part of a conversation that is in one file.
#[derive(Debug)]
pub struct Chapter {
    pub path: PathBuf,
    pub stretches: Stretches,
}

/// The files of a conversation.
#[derive(Debug, Default)]
pub struct Files {
    path: PathBuf,
    /// The oldest first.
    chapters: Vec<Chapter>,
    starts: AgentStarts,
    agents: Option<Vec<SubAgent>>,
    /// Bytes of the agents that were read, by their calls.
    read: HashMap<String, usize>,
}

impl Files {
    pub fn new(path: &Path, chapters: Vec<Chapter>, starts: AgentStarts) -> Self {
        Self {
            path: path.to_owned(),
            chapters,
            starts,
            ..Self::default()
        }
    }

    pub fn put_before(&mut self, chapter: Chapter) {
        self.chapters.insert(0, chapter);
    }

    /// The memory of positions, and of the agents that were read.
    pub fn weight(&self) -> usize {
        let places = self.chapters.iter().map(|it| it.stretches.weight());
        places.sum::<usize>() + self.read.values().sum::<usize>()
    }

    /// Reads the stretch of a turn, counted from the first of all chapters.
    pub fn stretch(
        &self,
        mut turn: usize,
        go_on: &dyn Fn() -> bool,
    ) -> io::Result<(usize, Vec<Turn>)> {
        let mut before = 0;
        for chapter in &self.chapters {
            let count = chapter.stretches.headings().len();
            if turn < count {
                let file = CancellableFile::new(&chapter.path, go_on)?;
                let (first, turns) = chapter.stretches.read(file, turn)?;
                return Ok((before + first, turns));
            }
            turn -= count;
            before += count;
        }
        Err(io::Error::other("it has no such turn"))
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
        let is_any = !found.is_empty();
        self.agents = Some(found);
        if is_any {
            Arrival::Agents
        } else {
            Arrival::Nothing
        }
    }

    /// Reads what the agent of a call did. `None` if the call started none; an error only if it was
    /// cancelled.
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
        Ok(Some(match agent_turns(&agent.path, go_on) {
            Ok((turns, bytes)) => (AgentWork::Read(Arc::new(turns)), bytes),
            Err(error) if is_cancelled(&error) => return Err(error),
            Err(error) => (AgentWork::Failed(format!("cannot be read: {error}")), 0),
        }))
    }

    /// Drops what was read of agents, except of those that these turns started.
    pub fn keep_agents(&mut self, turns: &[Arc<Turn>], agents: &mut Agents) {
        if self.read.is_empty() {
            return;
        }
        let steps = turns.iter().flat_map(|turn| &turn.steps);
        let calls: HashSet<&str> = steps
            .filter_map(|step| match &step.what {
                StepKind::Tool(call) => Some(call.id.as_str()),
                _ => None,
            })
            .collect();
        self.read.retain(|call, _| {
            let is_kept = calls.contains(call.as_str());
            if !is_kept && let Some(agent) = agents.started_by_mut(call) {
                agent.work = AgentWork::Unread;
            }
            is_kept
        });
    }
}

/// The turns of an agent, and how many bytes they were read from.
fn agent_turns(path: &Path, go_on: &dyn Fn() -> bool) -> io::Result<(Vec<Turn>, usize)> {
    let (size, _) = stamp(path)?;
    let mut file = CancellableFile::new(path, go_on)?;
    let index = load_from(&mut file, size, LoadExtent::Resumed)?.of_subagent();
    let chain = Chain::build(&index, LeafRule::Resume);
    let turns = Digest::whole(file, &index, &chain)?.newest;
    Ok((turns, usize::try_from(size).unwrap_or(usize::MAX)))
}

/// The calls of a turn that start agents: the run that each is in, its index there, and its
/// id.
pub fn agent_calls(number: i64, turn: &Turn) -> Vec<(TurnPos, usize, &str)> {
    let mut calls = Vec::new();
    let mut run: Option<usize> = None;
    for (at, step) in turn.steps.iter().enumerate() {
        let StepKind::Tool(call) = &step.what else {
            run = None;
            continue;
        };
        let start = *run.get_or_insert(at);
        if matches!(call.name.as_deref(), Some("Task" | "Agent")) {
            let place = TurnPos {
                turn: number,
                step: Some(start),
            };
            calls.push((place, at - start, call.id.as_str()));
        }
    }
    calls
}

/// The files while turns of them are laid out.
pub struct OpenFiles<'a> {
    files: &'a mut Files,
    /// The number of the first turn.
    first: i64,
    options: &'a Options,
    go_on: &'a dyn Fn() -> bool,
    /// Why a stretch could not be read.
    pub error: Option<io::Error>,
}

impl<'a> OpenFiles<'a> {
    pub fn new(
        files: &'a mut Files,
        first: i64,
        options: &'a Options,
        go_on: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            files,
            first,
            options,
            go_on,
            error: None,
        }
    }
}

impl Library for OpenFiles<'_> {
    fn stretch(&mut self, number: i64) -> Option<(i64, Vec<Turn>)> {
        let turn = usize::try_from(number - self.first).ok()?;
        match self.files.stretch(turn, self.go_on) {
            Ok((first, turns)) => Some((self.first + i64::try_from(first).ok()?, turns)),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
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
