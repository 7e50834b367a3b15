//! Asks what has to be decided before a session is resumed: one finding at a time.

use super::confirm::Confirm;
use super::launch::{Chosen, leave};
use super::line_entry::LineEntry;
use super::{Flow, Returned, Screen};
use crate::resume::{Answer, Answers, Consent, Decision, Finding, Intent};
use crate::tui::host::Host;
use crate::tui::widgets::{Card, CardChoice};

#[derive(Debug, Clone)]
pub struct Question {
    pub card: Card,
    intent: Intent,
    answers: Answers,
    /// What was decided without asking.
    pub decided: Vec<Decision>,
    pub finding: Finding,
}

impl Question {
    /// The next question; `None` if nothing has to be decided.
    pub fn new(title: &str, intent: impl Into<Intent>, answers: Answers) -> Option<Self> {
        let intent = intent.into();
        let mut findings = intent.findings(&answers).into_iter();
        let finding = findings.next()?;
        let mut lines = finding.lines.clone();
        match findings.len() {
            0 => lines.extend(intent.plan(&answers).notes.iter().map(Finding::line)),
            more => {
                let (s, verb) = if more == 1 {
                    ("", "follows")
                } else {
                    ("s", "follow")
                };
                let text = format!("{more} more question{s} {verb}. The command may change");
                lines.push(text);
            }
        }
        let choices = finding.choices.iter().map(|choice| CardChoice {
            label: choice.label.clone(),
            command: choice.shows.clone(),
        });
        Some(Self {
            card: Card {
                headline: finding.headline.clone(),
                title: title.to_owned(),
                lines,
                choices: choices.collect(),
                ..Card::default()
            },
            intent,
            answers,
            decided: Vec::new(),
            finding,
        })
    }

    pub fn choose(&mut self, at: usize, host: &mut Host<'_>) -> Flow {
        let Some(choice) = self.finding.choices.get(at) else {
            return Flow::Stay;
        };
        self.card.point(at);
        match &choice.answer {
            Answer::ReadOnly => Flow::Return(Returned::Read),
            Answer::AskPath => {
                let entry = LineEntry::directory(&self.card);
                Flow::Push(Screen::LineEntry(Box::new(entry)))
            }
            answer if choice.consent == Consent::Twice => {
                let headline = format!("Confirm: {}", self.finding.headline);
                let confirm = Confirm::new(headline, &self.card.title, Vec::new()).or(
                    &choice.label,
                    &choice.shows,
                    Returned::Answer(answer.clone()),
                );
                Flow::Push(Screen::Confirm(Box::new(confirm)))
            }
            answer => {
                let answer = answer.clone();
                self.answer(answer, host)
            }
        }
    }

    pub fn on_return(&mut self, returned: Returned, host: &mut Host<'_>) -> Flow {
        match returned {
            Returned::Directory(path) => self.answer(Answer::GoTo(path), host),
            Returned::Answer(answer) => self.answer(answer, host),
            _ => Flow::Stay,
        }
    }

    /// Takes an answer: on to the next question, or out of the picker with the plan.
    fn answer(&mut self, answer: Answer, host: &mut Host<'_>) -> Flow {
        let answers = self.answers.clone().with(self.finding.topic, answer);
        let title = self.card.title.clone();
        let decided = std::mem::take(&mut self.decided);
        if let Some(next) = Self::new(&title, self.intent.clone(), answers.clone()) {
            *self = Self { decided, ..next };
            return Flow::Stay;
        }
        let chosen = Chosen::new(title, self.intent.plan(&answers));
        match leave(Chosen { decided, ..chosen }, host) {
            Flow::Stay => Flow::Pop,
            flow => flow,
        }
    }
}
