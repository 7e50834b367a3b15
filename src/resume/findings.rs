//! What a situation comes to, in words: the findings that have to be decided, and notes.
//!
//! Pure: the same facts and answers give the same findings. Without a finding Enter is Enter.

mod branch;
mod directory;
mod session;

pub use session::no_program;
pub(super) use session::would_not_save;

use std::path::Path;

use super::finding::{Answer, Answers, Choice, Consent, Finding, Topic};
use super::plan::Plan;
use super::situation::Situation;
use crate::paths::tilde;
use crate::text::sanitize;

impl Situation {
    /// What is left to decide. A later finding shows its commands as if those before it were
    /// answered with "as planned".
    pub fn findings(&self, answers: &Answers) -> Vec<Finding> {
        let mut answers = answers.clone();
        let mut findings = Vec::new();
        if answers.get(Topic::Running) == Some(&Answer::Jump) {
            return findings;
        }
        for topic in Topic::DECIDED {
            if answers.get(topic).is_some() {
                continue;
            }
            let words = Words {
                situation: self,
                answers: &answers,
            };
            let finding = match topic {
                Topic::Program => words.program(),
                Topic::Outside => words.outside(),
                Topic::Directory => words.directory(),
                Topic::Running => words.running(),
                Topic::Branch => words.branch(),
                Topic::Child => words.child(),
                Topic::Caution => words.caution(),
                Topic::Copies => None,
            };
            if let Some(finding) = finding {
                answers = answers.with(topic, Answer::GoOn);
                findings.push(finding);
            }
        }
        findings
    }

    /// What is worth knowing and needs no decision.
    pub(super) fn notes(&self, answers: &Answers) -> Vec<Finding> {
        let words = Words {
            situation: self,
            answers,
        };
        let notes = [
            (Topic::Outside, words.name_note()),
            (Topic::Directory, words.directory_note()),
            (Topic::Branch, words.branch_note()),
            (Topic::Child, words.child_note()),
            (Topic::Caution, words.damage_note()),
            (Topic::Copies, words.copies_note()),
        ];
        let notes = notes.into_iter();
        notes
            .filter_map(|(topic, text)| Some(Finding::note(topic, text?)))
            .collect()
    }
}

/// Puts the facts into words.
struct Words<'a> {
    situation: &'a Situation,
    answers: &'a Answers,
}

impl Words<'_> {
    /// A choice with the command of the plan that it leads to.
    fn choice(&self, topic: Topic, answer: Answer, label: impl Into<String>) -> Choice {
        let answers = self.answers.with(topic, answer.clone());
        Choice {
            shows: Plan::of(self.situation, &answers).command_line(),
            answer,
            label: label.into(),
            consent: Consent::Person,
        }
    }

    /// A path as people write it, safe to print.
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
