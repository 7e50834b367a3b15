//! A new session that a prompt begins: what would run, and the one thing to decide before.
//!
//! Pure, like the plan of a session that is resumed.

use std::path::PathBuf;

use super::launch::{ChildSession, Launch};
use super::plan::{About, Change, PERSIST, Plan};
use super::questions::{Answer, Answers, Choice, Gravity, Question, Topic};

/// A prompt and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fresh {
    pub directory: Option<PathBuf>,
    /// The config directory whose history holds the prompt; `None` for whichever Claude Code takes.
    pub root: Option<PathBuf>,
    pub prompt: String,
    pub launch: Launch,
}

/// Why a prompt cannot begin a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error("the prompt is too long to be passed on")]
    TooLong,
    #[error("the prompt has a NUL character in it, which no program can be passed")]
    Nul,
    #[error("the prompt is empty")]
    Empty,
}

/// Linux takes arguments of up to 128 KiB, the zero behind them included.
const LONGEST_ARGUMENT: usize = 128 * 1024 - 1;

impl Fresh {
    /// Can the prompt be an argument at all?
    pub fn check(&self) -> Result<(), PromptError> {
        let prompt = &self.prompt;
        if prompt.trim().is_empty() {
            return Err(PromptError::Empty);
        }
        if prompt.contains('\0') {
            return Err(PromptError::Nul);
        }
        // A space may be put behind it.
        if prompt.len() >= LONGEST_ARGUMENT {
            return Err(PromptError::TooLong);
        }
        Ok(())
    }

    /// The next thing to decide; `None` when the plan stands.
    pub fn next_question(&self, answers: &Answers) -> Option<Question> {
        let is_child = self.launch.child_session == ChildSession::Inherited;
        if !is_child || answers.get(Topic::Child).is_some() {
            return None;
        }
        let choice = |answer: Answer, label: &str| Choice {
            shows: self
                .plan(&answers.with(Topic::Child, answer.clone()))
                .command_line(),
            answer,
            label: label.to_owned(),
            gravity: Gravity::Light,
        };
        Some(Question {
            topic: Topic::Child,
            headline: "Claude Code would save nothing of this".to_owned(),
            lines: vec![
                "CLAUDE_CODE_CHILD_SESSION is set: this shell was started by another Claude Code"
                    .to_owned(),
            ],
            choices: vec![
                choice(Answer::Persist, "Begin and save what is said"),
                choice(Answer::GoOn, "Begin without saving"),
            ],
            safe: Some(Answer::Persist),
            can_pass: false,
        })
    }

    pub fn plan(&self, answers: &Answers) -> Plan {
        let launch = &self.launch;
        let mut command = launch.words();
        command.extend(launch.arguments.iter().cloned());
        // An option before it may take any number of values, and a prompt may begin with a dash.
        if !launch.arguments.is_empty() || self.prompt.starts_with('-') {
            command.push("--".to_owned());
        }
        command.push(as_prompt(&self.prompt));
        let mut plan = Plan {
            command,
            directory: self.directory.clone(),
            ..Plan::default()
        };
        plan.because(About::Directory, "the project that the prompt belongs to");
        if let Some(root) = &self.root {
            plan.set_root(root, launch);
        }
        if answers.get(Topic::Child) == Some(&Answer::Persist) {
            plan.environment.push(Change::Set(PERSIST, "1".into()));
        }
        plan
    }
}

/// A prompt that is no command of Claude Code's own: `claude update` installs another version, also
/// behind two dashes. A command's name is one word, and no name ends in a space.
fn as_prompt(prompt: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    if prompt.chars().all(is_name) {
        return format!("{prompt} ");
    }
    prompt.to_owned()
}

#[cfg(test)]
#[path = "fresh_tests.rs"]
mod tests;
