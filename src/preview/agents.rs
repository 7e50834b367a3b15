//! Sub-agents, as ledgers inside the one of the conversation that started them.

use std::collections::HashMap;
use std::sync::Arc;

use super::ledger::{Manner, render};
use super::line::{PageLine, Span, Speaker, Tone};
use super::options::Options;
use crate::transcript::{Turn, TurnStep};

/// The agents of a conversation, by the calls that started them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agents {
    by_call: HashMap<String, Agent>,
}

/// An agent, and what it did as far as that was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agent {
    /// Such as `Explore`.
    pub kind: Option<String>,
    pub work: AgentWork,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum AgentWork {
    /// Not requested yet.
    #[default]
    Unread,
    Read(Arc<Vec<Turn>>),
    /// Its file cannot be read, for this reason.
    Failed(String),
}

impl Agents {
    pub fn put(&mut self, call: String, agent: Agent) {
        self.by_call.insert(call, agent);
    }

    pub fn started_by(&self, call: &str) -> Option<&Agent> {
        self.by_call.get(call)
    }

    pub fn started_by_mut(&mut self, call: &str) -> Option<&mut Agent> {
        self.by_call.get_mut(call)
    }

    /// What the agent that a step started has done, if that was read.
    pub fn work_of(&self, step: &TurnStep) -> Option<&[Turn]> {
        match &self.started_by(&step.call()?.id)?.work {
            AgentWork::Read(turns) => Some(turns),
            AgentWork::Unread | AgentWork::Failed(_) => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_call.is_empty()
    }
}

impl Agent {
    /// What its fold is called.
    pub(super) fn words(&self) -> String {
        match &self.kind {
            Some(kind) => format!("what the agent did ({kind})"),
            None => "what the agent did".to_owned(),
        }
    }
}

/// The conversation of an agent: what it was asked, and what it answered, as `options` have it.
/// Places and folds are those of its own conversation.
pub(super) fn agent_lines(turns: &[Turn], manner: Manner<'_>, options: &Options) -> Vec<PageLine> {
    let bar = Span::new("┆ ", Tone::Dim);
    let manner = Manner {
        options,
        columns: manner.columns.saturating_sub(bar.width()).max(1),
        agents: &Agents::default(),
        ..manner
    };
    let mut told = Vec::new();
    let mut last = None;
    for mut line in render(turns, manner) {
        // The margin belongs to the conversation around: who speaks has a line of its own.
        let who = match line.speaker {
            Speaker::You => Some("asked"),
            Speaker::Claude => Some("agent"),
            Speaker::Peer => Some("peer"),
            Speaker::Note | Speaker::Files => None,
        };
        if let Some(who) = who.filter(|_| last != Some(line.speaker)) {
            told.push(PageLine {
                spans: vec![bar.clone(), Span::new(who, Tone::Dim)],
                fold: None,
                within: None,
                ..line.clone()
            });
            last = Some(line.speaker);
        }
        line.spans.insert(0, bar.clone());
        told.push(line);
    }
    told
}

#[cfg(test)]
#[path = "agents_tests.rs"]
mod tests;
