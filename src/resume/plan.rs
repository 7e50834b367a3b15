//! The plan: program, arguments, directory and environment, with a reason for each. Plain data.

use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::arguments::{forks, mistake, passed_on};
use super::directory::Why;
use super::finding::{Answer, Answers, Finding, Topic};
use super::launch::{ConfigDir, Launch, Wish};
use super::quote::{Shell, line};
use super::situation::{GoneTree, Part, Situation, is_branch};
use super::tmux::jump;
use crate::store::Session;

const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// With this set Claude Code saves its transcript although another one started it.
pub(super) const PERSIST: &str = "CLAUDE_CODE_FORCE_SESSION_PERSISTENCE";

/// One command, in its directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The session; `None` where the command begins a new one.
    pub id: Option<String>,
    /// What has to be done before.
    pub steps: Vec<Step>,
    pub command: Vec<String>,
    /// Where it runs; `None` for where the person stands.
    pub directory: Option<PathBuf>,
    pub environment: Vec<Change>,
    pub reasons: Vec<Reason>,
    /// What the person should know and need not decide.
    pub notes: Vec<Finding>,
}

/// A command that comes before. It must succeed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    pub command: Vec<String>,
    pub needs: Needs,
    /// The working tree and the branch that is checked out there afterwards.
    pub brings: Option<(PathBuf, String)>,
}

/// What is checked again when a step is run: much can happen while a person thinks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Needs {
    #[default]
    Nothing,
    /// This working tree must have no uncommitted changes.
    CleanTree(PathBuf),
    /// The repository, or one of its remotes, must have this branch, and no working tree may.
    FreeBranch { repository: PathBuf, branch: String },
}

/// Flags that guard a command against mistakes; they say nothing to a reader.
const GUARDS: [&str; 2] = [
    // A branch that went away meanwhile is not made anew from a remote one.
    "--no-guess",
    // A file that is ignored here and tracked there is in no commit: git would overwrite it.
    "--no-overwrite-ignore",
];

impl Step {
    /// The command as it is shown: without its guards.
    pub fn shown(&self) -> Vec<String> {
        let is_shown = |word: &&String| !GUARDS.contains(&word.as_str());
        self.command.iter().filter(is_shown).cloned().collect()
    }
}

/// A change of the environment that the command gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Set(&'static str, PathBuf),
    Remove(&'static str),
}

/// Why a part of the plan is as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    pub about: About,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    Program,
    Arguments,
    Directory,
    Environment,
}

impl About {
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Arguments => "arguments",
            Self::Directory => "directory",
            Self::Environment => "environment",
        }
    }
}

/// Why a session cannot be resumed at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("{}: the session's directory is gone; resume with --in DIR", .0.display())]
    DirectoryGone(PathBuf),
    #[error("{}: the session's directory is a file now; resume with --in DIR", .0.display())]
    NoDirectory(PathBuf),
    #[error("{0}: not a session id, so Claude Code cannot resume it")]
    NoId(String),
    #[error("{}: cannot be entered: {reason}", directory.display())]
    Closed { directory: PathBuf, reason: String },
    #[error("{0}")]
    BadArguments(String),
}

impl Plan {
    /// The plan by what the list knows, before anything is looked up.
    pub fn new(session: &Session, launch: &Launch) -> Self {
        let id = session.file.id.to_string();
        let root = &*session.file.project.root;
        let mut plan = Self::bare(&id, launch, launch.wish);
        let cwd = session.meta.cwd.as_deref().map(PathBuf::from);
        plan.directory = cwd.filter(|path| path.is_absolute());
        plan.set_root(root, launch);
        plan
    }

    /// The plan for a situation, with the answers that were given; without an answer it goes on.
    pub fn of(situation: &Situation, answers: &Answers) -> Self {
        let launch = &situation.launch;
        let running = answers.get(Topic::Running);
        if let (Some(Answer::Jump), Some(pane)) = (running, pane(situation)) {
            return Self {
                id: Some(situation.session.id.clone()),
                command: jump(pane, launch.nested),
                reasons: vec![Reason {
                    about: About::Program,
                    text: "the session is already open in tmux".to_owned(),
                }],
                ..Self::default()
            };
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
        if answers.get(Topic::Child) == Some(&Answer::Persist) {
            plan.environment.push(Change::Set(PERSIST, "1".into()));
            plan.because(
                About::Environment,
                "another Claude Code started this shell, and this one would not save its transcript",
            );
        }
        plan.notes = situation.notes(answers);
        plan
    }

    /// The same if nobody is asked: what has to be decided is a note.
    pub fn unasked(situation: &Situation, answers: &Answers) -> Self {
        let mut plan = Self::of(situation, answers);
        plan.notes.extend(situation.findings(answers));
        plan
    }

    fn bare(id: &str, launch: &Launch, wish: Wish) -> Self {
        let mut command = launch.words();
        command.push("--resume".to_owned());
        command.push(id.to_owned());
        command.extend(passed_on(&launch.arguments, wish));
        let mut plan = Self {
            id: Some(id.to_owned()),
            command,
            ..Self::default()
        };
        if !launch.command.is_empty() {
            plan.because(About::Program, "configured");
        }
        plan.because(About::Arguments, "by id, because titles are not unique");
        if wish == Wish::Fork {
            plan.because(About::Arguments, "a fork leaves the session as it is");
        }
        plan
    }

    pub(super) fn set_root(&mut self, root: &Path, launch: &Launch) {
        match ConfigDir::of(root, launch) {
            ConfigDir::Keep => {}
            ConfigDir::Set(root) => {
                self.environment.push(Change::Set(CONFIG_DIR, root));
                self.because(
                    About::Environment,
                    "the session is in a config directory that Claude Code would not look in",
                );
            }
            ConfigDir::Remove => {
                self.environment.push(Change::Remove(CONFIG_DIR));
                self.because(
                    About::Environment,
                    "the session is in the default config directory, and CLAUDE_CONFIG_DIR names another",
                );
            }
        }
    }

    fn go_there(&mut self, situation: &Situation, answers: &Answers) {
        let by_rule = situation.directory().map(|place| (place.path, place.why));
        let gone = situation.gone.as_ref();
        let place = match (answers.get(Topic::Branch), answers.get(Topic::Directory)) {
            (Some(Answer::GoTo(path)), _) | (_, Some(Answer::GoTo(path))) => {
                Some((path.clone(), Why::Chosen))
            }
            (_, Some(Answer::Recreate)) => {
                let tree = gone.and_then(|gone| gone.tree.as_ref());
                let step = tree.and_then(|tree| Some((recreate(tree)?, &tree.again)));
                match step {
                    Some((step, path)) => {
                        self.steps.push(step);
                        Some((path.clone(), Why::Recreated))
                    }
                    None => by_rule,
                }
            }
            (_, Some(Answer::MakeDirectory)) => match situation.unusable() {
                Some((path, _)) => {
                    self.steps.push(make(&path));
                    Some((path, Why::Made))
                }
                None => by_rule,
            },
            (Some(Answer::Switch), _) => {
                let repository = situation.repository();
                let top = repository.map(|repository| &*repository.top);
                let branch = situation.session.branch.as_deref();
                self.steps.extend(switch(top, branch));
                match (repository, by_rule) {
                    (Some(found), Some((path, _))) if found.on_branch != path => {
                        Some((found.on_branch.clone(), Why::Top))
                    }
                    (_, by_rule) => by_rule,
                }
            }
            // The directory comes with the branch.
            (_, Some(Answer::Switch)) => {
                if let Some(Part::BySwitch { top, branch, .. }) =
                    gone.and_then(|gone| gone.part.as_ref())
                {
                    self.steps.extend(switch(Some(top), Some(branch)));
                }
                by_rule
            }
            _ => by_rule,
        };
        if let Some((path, why)) = place {
            self.because(About::Directory, why.words());
            self.directory = Some(path);
        } else {
            self.because(
                About::Directory,
                "the transcript names no directory, so it is the current one",
            );
        }
    }

    pub(super) fn because(&mut self, about: About, text: &str) {
        self.reasons.push(Reason {
            about,
            text: text.to_owned(),
        });
    }

    /// Whether the words of the command are right. A file name that is not an id could pass for an
    /// option.
    pub fn check_words(&self, launch: &Launch) -> Result<(), ResumeError> {
        self.check_id()?;
        match mistake(&launch.arguments, launch.wish) {
            Some(mistake) if self.id.is_some() => Err(ResumeError::BadArguments(mistake)),
            _ => Ok(()),
        }
    }

    /// Whether it continues in a copy.
    pub fn is_fork(&self) -> bool {
        forks(&self.command)
    }

    /// Whether Claude Code knows the session by its id.
    pub fn check_id(&self) -> Result<(), ResumeError> {
        match &self.id {
            Some(id) if Uuid::try_parse(id).is_err() => Err(ResumeError::NoId(id.clone())),
            _ => Ok(()),
        }
    }

    /// Whether there is a directory to run in.
    pub fn check(&self) -> Result<(), ResumeError> {
        self.check_id()?;
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        // A step may make it.
        if !self.steps.is_empty() {
            return Ok(());
        }
        match directory.metadata() {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(ResumeError::NoDirectory(directory.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ResumeError::DirectoryGone(directory.clone()))
            }
            Err(error) => Err(ResumeError::Closed {
                directory: directory.clone(),
                reason: error.to_string(),
            }),
        }
    }

    /// The command as it is shown, for a POSIX shell, with its directory and its steps.
    pub fn command_line(&self) -> String {
        let mut shown = self.clone();
        for step in &mut shown.steps {
            step.command = step.shown();
        }
        shown.line_for(Shell::Sh)
    }

    /// The whole command for a shell to run.
    pub fn line_for(&self, shell: Shell) -> String {
        line(self, shell)
    }
}

/// The pane that has the session, if that is known.
fn pane(situation: &Situation) -> Option<&str> {
    situation.running.as_ref()?.tmux.as_deref()
}

fn git_in(directory: &Path, words: &[&str]) -> Vec<String> {
    let directory = directory.to_string_lossy();
    let words = [&["git", "-C", &directory], words].concat();
    words.into_iter().map(str::to_owned).collect()
}

/// Makes the worktree from its branch; git makes the branch from a remote one if it has to. Path and
/// branch come from a transcript: `source` lets neither pass for an option.
fn recreate(tree: &GoneTree) -> Option<Step> {
    tree.source()?;
    let branch = tree.branch.clone()?;
    let path = tree.path.to_string_lossy();
    // Two worktrees could then share a branch: that none has it is checked again before.
    let force: &[&str] = if tree.needs_force { &["--force"] } else { &[] };
    let words = [&["worktree", "add"], force, &[&path, &branch]].concat();
    Some(Step {
        command: git_in(&tree.repository, &words),
        needs: Needs::FreeBranch {
            repository: tree.repository.clone(),
            branch: branch.clone(),
        },
        brings: Some((tree.path.clone(), branch)),
    })
}

/// An absolute path cannot pass for an option.
fn make(path: &Path) -> Step {
    let words = ["mkdir", "-p", &path.to_string_lossy()];
    Step {
        command: words.map(str::to_owned).to_vec(),
        ..Step::default()
    }
}

fn switch(top: Option<&Path>, branch: Option<&str>) -> Option<Step> {
    let (top, branch) = (top?, branch.filter(|name| is_branch(name))?);
    let [no_guess, no_overwrite] = GUARDS;
    Some(Step {
        command: git_in(top, &["switch", no_guess, no_overwrite, branch]),
        needs: Needs::CleanTree(top.to_owned()),
        brings: Some((top.to_owned(), branch.to_owned())),
    })
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
