//! A new session that starts with a prompt: what would run, and the one thing to decide before.
//!
//! Pure, like the plan of a session that is resumed.

use std::path::PathBuf;

use super::finding::{Answer, Answers, Choice, Consent, Finding, Topic};
use super::findings::would_not_save;
use super::launch::{ChildSession, Launch};
use super::plan::{Plan, ResumeError};

/// A prompt and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fresh {
    pub directory: Option<PathBuf>,
    /// The config directory whose history has the prompt; `None` for the one of Claude Code.
    pub root: Option<PathBuf>,
    pub prompt: String,
    pub launch: Launch,
}

/// Linux takes arguments of up to 128 KiB, including the final zero.
const LONGEST_ARGUMENT: usize = 128 * 1024 - 1;

impl Fresh {
    /// Whether the prompt can be an argument.
    pub fn check(&self) -> Result<(), ResumeError> {
        let prompt = &self.prompt;
        let fault = if prompt.trim().is_empty() {
            "the prompt is empty"
        } else if prompt.contains('\0') {
            "the prompt contains a NUL character, which cannot be passed to a program"
        } else if prompt.len() >= LONGEST_ARGUMENT {
            "the prompt is too long for a command line"
        } else {
            return Ok(());
        };
        Err(ResumeError(fault.to_owned()))
    }

    /// What has to be decided.
    pub fn findings(&self, answers: &Answers) -> Vec<Finding> {
        let is_child = self.launch.child_session == ChildSession::Inherited;
        if !is_child || answers.get(Topic::Child).is_some() {
            return Vec::new();
        }
        let choice = |answer: Answer, label: &str| {
            let plan = self.plan(&answers.with(Topic::Child, answer.clone()));
            Choice::new(answer, label, plan.command_line())
        };
        vec![would_not_save(vec![
            choice(Answer::Persist, "Start and save the conversation").with(Consent::Yes),
            choice(Answer::GoOn, "Start without saving"),
        ])]
    }

    pub fn plan(&self, answers: &Answers) -> Plan {
        let launch = &self.launch;
        let mut command = launch.words();
        command.extend(launch.arguments.iter().cloned());
        // The option before it may take several values, and a prompt may start with a dash.
        if !launch.arguments.is_empty() || self.prompt.starts_with('-') {
            command.push("--".to_owned());
        }
        command.push(as_prompt(&self.prompt));
        let mut plan = Plan {
            command,
            directory: self.directory.clone(),
            ..Plan::default()
        };
        plan.because("directory", "the project of the prompt");
        if let Some(root) = &self.root {
            plan.set_root(root, launch);
        }
        plan.persist(answers);
        plan
    }
}

/// A prompt that cannot pass for a subcommand: `claude update` installs another version, even after
/// two dashes. A subcommand is one word, and none ends with a space.
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
