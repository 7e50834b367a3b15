//! Sub-agents, as ledgers inside the one of the conversation that started them.

use std::collections::HashMap;
use std::sync::Arc;

use super::ledger::{Manner, render};
use super::line::{Span, Speaker, Tone, TurnPos};
use super::options::{Fold, Options};
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

/// A line of the conversation of an agent.
#[derive(Debug, Default)]
pub(super) struct AgentLine {
    /// Its place there.
    pub place: Option<TurnPos>,
    pub spans: Vec<Span>,
    /// The fold that it opens there, and the one that it is in.
    pub fold: Option<Fold>,
    pub within: Option<Fold>,
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

    /// Its conversation: what it was asked, and what it answered, as `options` have it.
    pub(super) fn lines(&self, manner: Manner<'_>, options: &Options) -> Vec<AgentLine> {
        let said = |text: &str, tone| {
            vec![AgentLine {
                spans: vec![Span::new(text, tone)],
                ..AgentLine::default()
            }]
        };
        let turns = match &self.work {
            AgentWork::Unread => return said("…", Tone::Dim),
            AgentWork::Failed(reason) => return said(reason, Tone::Error),
            AgentWork::Read(turns) => turns,
        };
        let bar = Span::new("┆ ", Tone::Dim);
        let columns = manner.columns.saturating_sub(bar.width()).max(1);
        let nobody = Agents::default();
        let lines = render(
            turns,
            Manner {
                options,
                columns,
                agents: &nobody,
                ..manner
            },
        );
        let mut told = Vec::new();
        let mut last = None;
        for line in lines {
            // The margin belongs to the conversation around: who speaks has a line of its own.
            let who = match line.speaker {
                Speaker::You => Some("asked"),
                Speaker::Claude => Some("agent"),
                Speaker::Note | Speaker::Files => None,
            };
            if let Some(who) = who.filter(|_| last != Some(line.speaker)) {
                told.push(AgentLine {
                    place: Some(line.place),
                    spans: vec![bar.clone(), Span::new(who, Tone::Dim)],
                    ..AgentLine::default()
                });
                last = Some(line.speaker);
            }
            let mut spans = vec![bar.clone()];
            spans.extend(line.spans);
            told.push(AgentLine {
                place: Some(line.place),
                spans,
                fold: line.fold,
                within: line.within,
            });
        }
        told
    }
}

#[cfg(test)]
#[path = "agents_tests.rs"]
mod tests;
