//! Sub-agents, as ledgers inside the one of the conversation that started them.

use std::collections::HashMap;
use std::sync::Arc;

use super::ledger::{Manner, render};
use super::line::{Place, Span, Speaker, Tone};
use super::options::{Level, Options};
use crate::transcript::{Step, Turn, What};

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
    pub work: Work,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum Work {
    /// Nobody has asked for it yet.
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
    pub fn work_of(&self, step: &Step) -> Option<&[Turn]> {
        let What::Tool(call) = &step.what else {
            return None;
        };
        match &self.started_by(&call.id)?.work {
            Work::Read(turns) => Some(turns),
            Work::Unread | Work::Failed(_) => None,
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

    /// Its conversation: what it was asked, and what it answered. Its own runs of tools stay
    /// folded unless everything is open. Each line with its place there.
    pub(super) fn lines(&self, manner: Manner<'_>) -> Vec<(Option<Place>, Vec<Span>)> {
        let said = |text: &str, tone| vec![(None, vec![Span::new(text, tone)])];
        let turns = match &self.work {
            Work::Unread => return said("…", Tone::Dim),
            Work::Failed(reason) => return said(reason, Tone::Error),
            Work::Read(turns) => turns,
        };
        let options = Options {
            level: match manner.options.level {
                Level::Full => Level::Full,
                Level::Prompts | Level::Summary => Level::Summary,
            },
            thinking: manner.options.thinking,
            ..Options::default()
        };
        let bar = Span::new("┆ ", Tone::Dim);
        let columns = manner.columns.saturating_sub(bar.width()).max(1);
        let nobody = Agents::default();
        let lines = render(
            turns,
            Manner {
                options: &options,
                columns,
                agents: &nobody,
                ..manner
            },
        );
        let mut told = Vec::new();
        let mut last = None;
        for line in lines {
            // The margin belongs to the conversation around: who speaks has a line of its own.
            if line.speaker != Speaker::Note && last != Some(line.speaker) {
                let who = match line.speaker {
                    Speaker::You => "asked",
                    Speaker::Claude | Speaker::Note => "agent",
                };
                let who = vec![bar.clone(), Span::new(who, Tone::Dim)];
                told.push((Some(line.place), who));
                last = Some(line.speaker);
            }
            let mut spans = vec![bar.clone()];
            spans.extend(line.spans.into_iter().map(|span| match span.tone {
                // Inside it nothing opens by itself.
                Tone::Fold => Span {
                    tone: Tone::Dim,
                    ..span
                },
                _ => span,
            }));
            told.push((Some(line.place), spans));
        }
        told
    }
}
