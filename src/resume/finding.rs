//! Findings: what is worth knowing before a session is resumed, and what can be done about it.
//!
//! A finding without choices is a note. One with choices has to be decided, in a terminal or by
//! `--yes`. Every choice shows the command that it leads to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::situation::Situation;

/// What a finding is about. Decisions are made in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Program,
    Outside,
    /// Before every finding whose choices show a command that runs there.
    Directory,
    Running,
    Branch,
    Child,
    Caution,
    /// Only ever a note.
    Copies,
}

impl Topic {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Outside => "outside",
            Self::Running => "running",
            Self::Directory => "directory",
            Self::Branch => "branch",
            Self::Child => "child-session",
            Self::Caution => "caution",
            Self::Copies => "copies",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// As planned.
    GoOn,
    /// Recreate the worktree from its branch.
    Recreate,
    /// Create the directory again.
    MakeDirectory,
    /// Resume in this directory.
    GoTo(PathBuf),
    /// Ask for a directory.
    AskPath,
    /// Switch to the session's branch first.
    Switch,
    /// Go to the tmux pane in which it runs.
    Jump,
    Fork,
    /// Save the transcript although `CLAUDE_CODE_CHILD_SESSION` is set.
    Persist,
    /// Do not resume: read it.
    ReadOnly,
}

/// What a choice needs before it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Nothing: without a terminal it is taken with a note.
    None,
    /// `--yes`: it changes nothing.
    Yes,
    /// A key.
    Person,
    /// The key twice.
    Twice,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub answer: Answer,
    pub label: String,
    /// The command that it leads to, or what happens instead.
    pub shows: String,
    pub consent: Consent,
}

impl Choice {
    pub(super) fn new(answer: Answer, label: impl Into<String>, shows: impl Into<String>) -> Self {
        Self {
            answer,
            label: label.into(),
            shows: shows.into(),
            consent: Consent::Person,
        }
    }

    pub(super) fn read_only() -> Self {
        Self::new(Answer::ReadOnly, "Read it without resuming", "runs nothing")
    }

    pub(super) fn ask_path() -> Self {
        Self::new(Answer::AskPath, "Choose a directory", "Tab completes")
    }

    #[must_use]
    pub(super) fn with(self, consent: Consent) -> Self {
        Self { consent, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub topic: Topic,
    pub headline: String,
    pub lines: Vec<String>,
    /// The likeliest comes first. None for a note.
    pub choices: Vec<Choice>,
}

impl Finding {
    /// The finding on one line.
    pub fn line(&self) -> String {
        if self.lines.is_empty() {
            return self.headline.clone();
        }
        format!("{}: {}", self.headline, self.lines.join("; "))
    }

    /// The choice that `--yes` takes.
    pub fn safe(&self) -> Option<&Choice> {
        let mut choices = self.choices.iter();
        choices.find(|choice| matches!(choice.consent, Consent::None | Consent::Yes))
    }

    /// The choice that is taken without a question.
    pub fn unasked(&self) -> Option<&Choice> {
        let mut choices = self.choices.iter();
        choices.find(|choice| choice.consent == Consent::None)
    }

    /// The label of the choice with this answer.
    pub fn label_of(&self, answer: &Answer) -> &str {
        let mut choices = self.choices.iter();
        let choice = choices.find(|choice| choice.answer == *answer);
        choice.map_or("", |choice| &choice.label)
    }
}

/// What was answered so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers(BTreeMap<Topic, Answer>);

impl Answers {
    pub fn get(&self, topic: Topic) -> Option<&Answer> {
        self.0.get(&topic)
    }

    /// These answers and one more.
    #[must_use]
    pub fn with(&self, topic: Topic, answer: Answer) -> Self {
        let mut all = self.clone();
        all.0.insert(topic, answer);
        all
    }
}

/// A finding and the answer that was taken without a question.
pub type Decision = (Finding, Answer);

/// What was decided without a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Safely {
    pub answers: Answers,
    /// The findings that had a safe choice, with its answer.
    pub decided: Vec<Decision>,
    /// The first that had none.
    pub open: Option<Finding>,
}

/// Takes every safe choice, on top of what was answered before, up to a finding that has none.
pub fn answer_safely(situation: &Situation, mut answers: Answers) -> Safely {
    let mut decided = Vec::new();
    let open = loop {
        let Some(finding) = situation.findings(&answers).into_iter().next() else {
            break None;
        };
        let Some(choice) = finding.safe() else {
            break Some(finding);
        };
        let answer = choice.answer.clone();
        answers = answers.with(finding.topic, answer.clone());
        decided.push((finding, answer));
    };
    Safely {
        answers,
        decided,
        open,
    }
}
