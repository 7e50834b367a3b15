//! What a situation comes to, in words: the findings that have to be decided, and notes.
//!
//! Pure: the same facts and answers give the same findings. Without a finding Enter is Enter.

mod branch;
mod directory;
mod session;

pub use session::no_program;
pub(super) use session::would_not_save;

use std::path::Path;

use super::finding::{Answer, Answers, Choice, Finding, Topic};
use super::plan::Plan;
use super::situation::Situation;
use crate::paths::tilde;
use crate::text::sanitize;

type Rule<T> = fn(&FindingBuilder<'_>) -> Option<T>;

/// What may have to be decided, in this order.
const DECISIONS: [(Topic, Rule<Finding>); 7] = [
    (Topic::Program, |it| it.program()),
    (Topic::Outside, |it| it.outside()),
    (Topic::Directory, |it| it.directory()),
    (Topic::Running, |it| it.running()),
    (Topic::Branch, |it| it.branch()),
    (Topic::Child, |it| it.child()),
    (Topic::Caution, |it| it.caution()),
];

const NOTES: [(Topic, Rule<String>); 6] = [
    (Topic::Outside, |it| it.name_note()),
    (Topic::Directory, |it| it.directory_note()),
    (Topic::Branch, |it| it.branch_note()),
    (Topic::Child, |it| it.child_note()),
    (Topic::Caution, |it| it.damage_note()),
    (Topic::Copies, |it| it.copies_note()),
];

impl Situation {
    /// What is left to decide. A later finding shows its commands as if those before it were
    /// answered with "as planned".
    pub fn findings(&self, answers: &Answers) -> Vec<Finding> {
        let mut answers = answers.clone();
        let mut findings = Vec::new();
        if answers.get(Topic::Running) == Some(&Answer::Jump) {
            return findings;
        }
        for (topic, rule) in DECISIONS {
            if answers.get(topic).is_none()
                && let Some(finding) = rule(&self.about(topic, &answers))
            {
                answers = answers.with(topic, Answer::GoOn);
                findings.push(finding);
            }
        }
        findings
    }

    /// What is worth knowing and needs no decision.
    pub(super) fn notes(&self, answers: &Answers) -> Vec<Finding> {
        let note = |(topic, rule): (Topic, Rule<String>)| {
            let builder = self.about(topic, answers);
            Some(builder.finding(&rule(&builder)?, Vec::new(), Vec::new()))
        };
        NOTES.into_iter().filter_map(note).collect()
    }

    fn about<'a>(&'a self, topic: Topic, answers: &'a Answers) -> FindingBuilder<'a> {
        FindingBuilder {
            situation: self,
            answers,
            topic,
        }
    }
}

/// Puts the facts about a topic into words.
struct FindingBuilder<'a> {
    situation: &'a Situation,
    answers: &'a Answers,
    topic: Topic,
}

impl FindingBuilder<'_> {
    fn finding(&self, headline: &str, lines: Vec<String>, choices: Vec<Choice>) -> Finding {
        Finding {
            topic: self.topic,
            headline: headline.to_owned(),
            lines,
            choices,
        }
    }

    /// A choice with the command of the plan that it leads to.
    fn choice(&self, answer: Answer, label: impl Into<String>) -> Choice {
        let answers = self.answers.with(self.topic, answer.clone());
        let command = Plan::of(self.situation, &answers).command_line();
        Choice::new(answer, label, command)
    }

    /// A path as it is usually written, safe to print.
    fn shown(&self, path: &Path) -> String {
        let home = self.situation.launch.home.as_deref();
        sanitize(&tilde(path, home)).into_owned()
    }

    /// Whether the directory is the one that git was asked about.
    fn stays(&self) -> bool {
        matches!(
            self.answers.get(Topic::Directory),
            None | Some(Answer::GoOn)
        )
    }
}
