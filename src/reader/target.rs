//! The passage in which a search of all conversations found something, and which line of a turn shows
//! it.

use std::path::PathBuf;

use uuid::Uuid;

use super::files::{Files, agent_calls};
use super::findings::MatchPos;
use super::prompt::PromptTarget;
use crate::preview::{AgentWork, Agents, Fold, Level, Options, PageLine, TurnPos, Visibility};
use crate::transcript::{EntryId, StepKind, Turn, TurnOpening, TurnStep, Voice};

/// What to show first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Passage(PassageTarget),
    /// A prompt of the history.
    Prompt(PromptTarget),
}

/// A passage to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageTarget {
    /// The transcript that has it: that of the conversation or of an agent.
    pub path: PathBuf,
    pub uuid: Option<Uuid>,
    pub voice: Voice,
    /// When it was written, in milliseconds since the epoch.
    pub at: Option<i64>,
}

/// Where a passage is, and what is opened so that it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// Its line.
    pub line: MatchPos,
    /// The leaf of its branch, if that was rewound.
    pub leaf: Option<String>,
    pub options: Options,
    /// What was shown before, if more is shown for it.
    pub before: Option<(Level, Visibility)>,
    /// Is it only what was said at that time, because no conversation has the passage?
    pub is_near: bool,
}

impl PassageTarget {
    pub fn entry(&self) -> Option<EntryId> {
        self.uuid.and_then(EntryId::of_uuid)
    }

    /// Is it a part of a call, where the entry has one? What an agent is started with is.
    fn is_in_call(&self) -> bool {
        self.voice.is_tool() || self.voice == Voice::ToAgent
    }

    fn is(&self, id: Option<EntryId>) -> bool {
        id.is_some() && id.map(EntryId::uuid) == self.uuid
    }

    /// The fold with what the transcript has of it, unchanged.
    pub fn raw(
        &self,
        (number, turn): (i64, &Turn),
        (files, agents): (&Files, &Agents),
    ) -> Option<Fold> {
        let Some(call) = files.call_of(&self.path) else {
            return self.in_turn(number, turn).map(Fold::Raw);
        };
        let mut calls = agent_calls(number, turn).into_iter();
        let (run, nth, _) = calls.find(|(.., id)| *id == call)?;
        Some(Fold::RawInside(run, nth, self.in_agent(call, agents)?))
    }

    /// The position that the conversation of an agent has it at, if that was read.
    fn in_agent(&self, call: &str, agents: &Agents) -> Option<TurnPos> {
        let AgentWork::Read(turns) = &agents.started_by(call)?.work else {
            return None;
        };
        let mut turns = (0..).zip(&**turns);
        turns.find_map(|(number, turn)| self.in_turn(number, turn))
    }

    /// The position that a turn has it at.
    fn in_turn(&self, number: i64, turn: &Turn) -> Option<TurnPos> {
        let is_own = |uuid: &str| self.is(EntryId::of(uuid.as_bytes()));
        let opens = match turn.opening {
            TurnOpening::Unasked => false,
            TurnOpening::Compaction { summary_entry, .. } => {
                is_own(&turn.uuid) || self.is(summary_entry)
            }
            _ => is_own(&turn.uuid),
        };
        if opens {
            return Some(TurnPos::opening(number));
        }
        let has = |step: &TurnStep| {
            let result = step.call().and_then(|call| call.result.as_ref());
            is_own(&step.uuid) || result.is_some_and(|result| self.is(result.entry))
        };
        // One entry may be several steps.
        let is_kind = |step: &TurnStep| match step.what {
            StepKind::Thinking(_) => self.voice == Voice::Thinking,
            StepKind::Tool(_) => self.is_in_call(),
            _ => !self.is_in_call() && self.voice != Voice::Thinking,
        };
        let step = turn
            .steps
            .iter()
            .position(|step| has(step) && is_kind(step));
        let step = step.or_else(|| turn.steps.iter().position(has))?;
        Some(TurnPos::step(number, step))
    }

    /// The one of a turn's lines to show for it: the first that matches, if any does.
    pub fn line(
        &self,
        (number, turn): (i64, &Turn),
        lines: &[&PageLine],
        (files, agents): (&Files, &Agents),
        is_match: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let Some(call) = files.call_of(&self.path) else {
            let wanted = self.in_turn(number, turn)?;
            // A run of calls is one part.
            let is_of_call = |line: &PageLine| {
                let step = line.place.step.zip(line.call);
                step.is_some_and(|(step, call)| Some(step + call) == wanted.step)
            };
            let mut of_call = (0..lines.len()).filter(|at| is_of_call(lines[*at]));
            let first = of_call.clone().next();
            if first.is_some() {
                return of_call.find(|at| is_match(*at)).or(first);
            }
            let places = lines.iter().enumerate();
            let places: Vec<_> = places.map(|(at, line)| (at, line.place)).collect();
            let at = self.nearest(&places, wanted, is_match)?;
            // What a command printed is folded into the line of the command.
            let is_title = |line: &&PageLine| line.fold == Some(Fold::Part(wanted));
            let title = lines.iter().position(is_title);
            return title.filter(|_| lines[at].spans.is_empty()).or(Some(at));
        };
        let mut calls = agent_calls(number, turn).into_iter();
        let (run, nth, _) = calls.find(|(.., id)| *id == call)?;
        let is_title = |line: &&PageLine| line.fold == Some(Fold::Agent(run, nth));
        let Some(title) = lines.iter().position(is_title) else {
            return lines.iter().position(|line| line.place == run);
        };
        let inner = self.in_agent(call, agents);
        let inside = (title + 1..).zip(lines.iter().skip(title + 1));
        let places: Vec<_> = inside
            .map_while(|(at, line)| Some((at, line.of_agent?)))
            .collect();
        let found = inner.and_then(|inner| self.nearest(&places, inner, is_match));
        Some(found.unwrap_or(title))
    }

    /// The line of a position, or of the part that the position is folded into. What was said may go
    /// on in further steps, so a match there is one, too.
    fn nearest(
        &self,
        lines: &[(usize, TurnPos)],
        wanted: TurnPos,
        is_match: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let behind = lines.partition_point(|(_, place)| *place <= wanted);
        let (_, part) = lines.get(behind.checked_sub(1)?)?;
        let start = lines.partition_point(|(_, place)| place < part);
        let end = if self.is_in_call() {
            behind
        } else {
            lines.len()
        };
        let mut marked = lines
            .get(start..end)?
            .iter()
            .filter(|(at, _)| is_match(*at));
        marked
            .next()
            .or_else(|| lines.get(start))
            .map(|(at, _)| *at)
    }
}
