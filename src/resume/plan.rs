//! The plan: program, arguments, directory and environment, with a reason for each. Plain data.

use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::arguments::{forks, mistake, passed_on};
use super::finding::{Answer, Answers, Finding, Topic};
use super::launch::{Launch, Wish};
use super::quote::{Shell, line};
use super::situation::Situation;
use super::step::PlanStep;
use super::tmux::jump;
use crate::store::Session;

pub(super) const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// With this set Claude Code saves its transcript although another one started it.
const PERSIST: &str = "CLAUDE_CODE_FORCE_SESSION_PERSISTENCE";

/// One command, in its directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The session; `None` if the command begins a new one.
    pub id: Option<String>,
    /// What has to be done before.
    pub steps: Vec<PlanStep>,
    pub command: Vec<String>,
    /// Where it runs; `None` for the current directory.
    pub directory: Option<PathBuf>,
    pub environment: Vec<Change>,
    pub reasons: Vec<Reason>,
    /// What is worth knowing and needs no decision.
    pub notes: Vec<Finding>,
}

/// A change of the environment that the command gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Set(&'static str, PathBuf),
    Remove(&'static str),
}

impl Change {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Set(name, _) | Self::Remove(name) => name,
        }
    }
}

/// Why a part of the plan is as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// `program`, `arguments`, `directory` or `environment`.
    pub about: &'static str,
    pub text: &'static str,
}

/// Why something cannot be resumed or started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ResumeError(pub(super) String);

impl Plan {
    /// The plan by what the list knows, before anything is looked up.
    pub fn new(session: &Session, launch: &Launch) -> Self {
        let id = session.file.id.to_string();
        let mut plan = Self::bare(&id, launch, launch.wish);
        let cwd = session.meta.cwd.as_deref().map(PathBuf::from);
        plan.directory = cwd.filter(|path| path.is_absolute());
        plan.set_root(&session.file.project.root, launch);
        plan
    }

    /// The plan for a situation, with the answers that were given; without an answer it goes on.
    pub fn of(situation: &Situation, answers: &Answers) -> Self {
        let launch = &situation.launch;
        let running = answers.get(Topic::Running);
        let pane = situation.running.as_ref();
        let pane = pane.and_then(|live| live.tmux.as_deref());
        if let (Some(Answer::Jump), Some(pane)) = (running, pane) {
            let mut plan = Self {
                id: Some(situation.session.id.clone()),
                command: jump(pane, launch.nested),
                ..Self::default()
            };
            plan.because("program", "the session is already open in tmux");
            return plan;
        }
        let wish = match running {
            Some(Answer::Fork) => Wish::Fork,
            _ => launch.wish,
        };
        let mut plan = Self::bare(&situation.session.id, launch, wish);
        if let Some(root) = situation.root() {
            plan.set_root(root, launch);
        }
        plan.go_there(situation, answers);
        plan.persist(answers);
        plan.notes = situation.notes(answers);
        plan
    }

    /// The same without questions: what has to be decided is a note.
    pub fn unasked(situation: &Situation, answers: &Answers) -> Self {
        let mut plan = Self::of(situation, answers);
        plan.notes.extend(situation.findings(answers));
        plan
    }

    fn bare(id: &str, launch: &Launch, wish: Wish) -> Self {
        let mut command = launch.words();
        command.extend(["--resume".to_owned(), id.to_owned()]);
        command.extend(passed_on(&launch.arguments, wish));
        let mut plan = Self {
            id: Some(id.to_owned()),
            command,
            ..Self::default()
        };
        if !launch.command.is_empty() {
            plan.because(
                "program",
                "set by CLAUDE_RESUME_COMMAND or [claude] command",
            );
        } else if launch.installed.is_some() {
            plan.because("program", "found in ~/.claude/local: it is not on the PATH");
        }
        plan.because("arguments", "by id, because titles are not unique");
        if wish == Wish::Fork {
            plan.because("arguments", "a fork leaves the session as it is");
        }
        plan
    }

    /// Lets the command find the config directory of the session.
    pub(super) fn set_root(&mut self, root: &Path, launch: &Launch) {
        let is_default = launch.default_root.as_deref() == Some(root);
        let (change, reason) = match launch.configured_root.as_deref() {
            Some(configured) if configured == root => return,
            None if is_default => return,
            Some(_) if is_default => (
                Change::Remove(CONFIG_DIR),
                "the session is in the default config directory, and CLAUDE_CONFIG_DIR names another",
            ),
            // Also if a relative path is set, which another directory would change.
            _ => (
                Change::Set(CONFIG_DIR, root.to_owned()),
                "the session is in a config directory that Claude Code would not look in",
            ),
        };
        self.environment.push(change);
        self.because("environment", reason);
    }

    /// Saves the transcript, if that was answered.
    pub(super) fn persist(&mut self, answers: &Answers) {
        if answers.get(Topic::Child) == Some(&Answer::Persist) {
            self.environment.push(Change::Set(PERSIST, "1".into()));
            self.because(
                "environment",
                "another Claude Code started this shell, and this one would not save its transcript",
            );
        }
    }

    fn go_there(&mut self, situation: &Situation, answers: &Answers) {
        let gone = situation.gone.as_ref();
        let mut place = situation
            .directory()
            .map(|(at, why)| (at.path.clone(), why));
        match (answers.get(Topic::Branch), answers.get(Topic::Directory)) {
            (Some(Answer::GoTo(path)), _) | (_, Some(Answer::GoTo(path))) => {
                place = Some((path.clone(), "chosen"));
            }
            (_, Some(Answer::Recreate)) => {
                let tree = gone.and_then(|gone| gone.tree.as_ref());
                if let Some((tree, step)) =
                    tree.and_then(|tree| Some((tree, PlanStep::recreate(tree)?)))
                {
                    self.steps.push(step);
                    let why = "the session's worktree, recreated from its branch";
                    place = Some((tree.again.clone(), why));
                }
            }
            (_, Some(Answer::MakeDirectory)) => {
                if let Some(lost) = situation.unusable() {
                    self.steps.push(PlanStep::MakeDirectory(lost.path.clone()));
                    let why = "the session's own directory, made again";
                    place = Some((lost.path.clone(), why));
                }
            }
            (Some(Answer::Switch), _) => {
                let branch = situation.session.branch.as_deref();
                if let (Some(repository), Some(branch)) = (situation.repository(), branch) {
                    self.steps.extend(PlanStep::switch(&repository.top, branch));
                    let to = &repository.on_branch;
                    if place.as_ref().is_some_and(|(path, _)| path != to) {
                        let why = "the top of the working tree: the branch does not have the session's directory";
                        place = Some((to.clone(), why));
                    }
                }
            }
            // The directory comes with the branch.
            (_, Some(Answer::Switch)) => {
                let found = gone.and_then(|gone| gone.on_branch.as_ref());
                let step = found.and_then(|found| PlanStep::switch(&found.top, &found.branch));
                self.steps.extend(step);
            }
            _ => {}
        }
        let none = "the transcript names no directory, so it is the current one";
        self.because("directory", place.as_ref().map_or(none, |(_, why)| why));
        self.directory = place.map(|(path, _)| path);
    }

    pub(super) fn because(&mut self, about: &'static str, text: &'static str) {
        self.reasons.push(Reason { about, text });
    }

    /// Whether the words of the command are right. A file name that is not an id could pass for an
    /// option.
    pub fn check_words(&self, launch: &Launch) -> Result<(), ResumeError> {
        let Some(id) = &self.id else {
            return Ok(());
        };
        if Uuid::try_parse(id).is_err() {
            let no_id = format!("{id}: not a session id, so Claude Code cannot resume it");
            return Err(ResumeError(no_id));
        }
        mistake(&launch.arguments, launch.wish).map_or(Ok(()), |mistake| Err(ResumeError(mistake)))
    }

    /// Whether it continues in a copy.
    pub fn is_fork(&self) -> bool {
        forks(&self.command)
    }

    /// The command as it is shown, for a POSIX shell, with its directory and its steps.
    pub fn command_line(&self) -> String {
        line(self, Shell::Sh, PlanStep::shown)
    }

    /// The whole command for a shell to run.
    pub fn line_for(&self, shell: Shell) -> String {
        line(self, shell, PlanStep::command)
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
