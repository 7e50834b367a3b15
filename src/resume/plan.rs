//! The plan: program, arguments, directory and environment, with a reason for each. Plain data.

use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::arguments::{forks, mistake, passed_on};
use super::directory::{Where, Why};
use super::launch::{ConfigDir, Launch, Wish};
use super::questions::{Answer, Answers, Topic, accepted_warnings, open_questions};
use super::quote::{Shell, line};
use super::situation::{
    Force, LostRepository, Part, PartOf, Presence, Situation, Source, is_branch,
};
use super::tmux::jump;
use crate::store::Session;

const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// With this Claude Code saves its transcript although another one started it.
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
    pub warnings: Vec<Warning>,
}

/// A command that comes before. It must succeed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    pub command: Vec<String>,
    pub needs: Needs,
    /// The working tree and the branch that is checked out there afterwards.
    pub brings: Option<(PathBuf, String)>,
}

/// What has to hold when a step is run: much can happen while a person thinks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Needs {
    #[default]
    Nothing,
    /// Nothing in this working tree may be uncommitted.
    CleanTree(PathBuf),
    /// The repository must have this branch, and no working tree of it that is there.
    FreeBranch { top: PathBuf, branch: String },
    /// The repository must not have this branch yet, and of its remotes only this one.
    RemoteBranch {
        top: PathBuf,
        branch: String,
        remote: String,
    },
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

/// Something that the person should know and need not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub topic: Topic,
    pub text: String,
}

/// Why a session cannot be resumed at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("{} is gone: the session ran there; make it again, or copy the id and resume elsewhere", .0.display())]
    DirectoryGone(PathBuf),
    #[error("{} is no directory: the session ran there", .0.display())]
    NoDirectory(PathBuf),
    #[error("{0}: is no session's id, so Claude Code cannot resume it")]
    NoId(String),
    #[error("{}: cannot be entered: {reason}", directory.display())]
    Closed { directory: PathBuf, reason: String },
    #[error("{0}")]
    BadArguments(String),
}

impl Plan {
    /// The plan by what a listing knows, before anything was looked up.
    pub fn new(session: &Session, launch: &Launch) -> Self {
        let id = session.stamp.id.to_string();
        let root = &*session.stamp.project.root;
        let mut plan = Self::bare(&id, launch, launch.wish);
        let cwd = session.lite.cwd.as_deref().map(PathBuf::from);
        plan.directory = cwd.filter(|path| path.is_absolute());
        plan.set_root(root, launch);
        plan
    }

    /// The plan for a situation, with the answers that were given. What was not answered is as
    /// the person would have it who says yes to everything.
    pub fn of(situation: &Situation, answers: &Answers) -> Self {
        let launch = &situation.launch;
        let running = answers.get(Topic::Running);
        if let (Some(Answer::Jump), Some(pane)) = (running, pane(situation)) {
            return Self {
                id: Some(situation.subject.id.clone()),
                command: jump(pane, launch.nested),
                reasons: vec![Reason {
                    about: About::Program,
                    text: "the session is open in tmux already".to_owned(),
                }],
                ..Self::default()
            };
        }
        let wish = match running {
            Some(Answer::Fork) => Wish::Fork,
            _ => launch.wish,
        };
        let mut plan = Self::bare(&situation.subject.id, launch, wish);
        if let Some(root) = situation.root() {
            plan.set_root(root, launch);
        }
        plan.go_there(situation, answers);
        if answers.get(Topic::Child) == Some(&Answer::Persist) {
            plan.environment.push(Change::Set(PERSIST, "1".into()));
            plan.because(
                About::Environment,
                "a Claude Code around this one would keep it from saving the transcript",
            );
        }
        plan.warnings = accepted_warnings(situation, answers);
        plan
    }

    /// The same for somebody who is not asked: what there would be to decide is a warning.
    pub fn unasked(situation: &Situation, answers: &Answers) -> Self {
        let mut plan = Self::of(situation, answers);
        let open = open_questions(situation, answers.clone());
        plan.warnings.extend(open.iter().map(|question| Warning {
            topic: question.topic,
            text: question.finding(),
        }));
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
        plan.because(About::Arguments, "by its id, because names repeat");
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
                    "the session is in another config directory than Claude Code would look in",
                );
            }
            ConfigDir::Remove => {
                self.environment.push(Change::Remove(CONFIG_DIR));
                self.because(
                    About::Environment,
                    "the session is in the default config directory, and another one is set",
                );
            }
        }
    }

    fn go_there(&mut self, situation: &Situation, answers: &Answers) {
        let by_rule = situation.directory();
        let lost = situation.lost.as_ref();
        let chosen = |path: &Path| Where {
            path: path.to_owned(),
            presence: Presence::Directory,
            why: Why::Chosen,
        };
        let place = match (answers.get(Topic::Branch), answers.get(Topic::Directory)) {
            (Some(Answer::GoTo(path)), _) | (_, Some(Answer::GoTo(path))) => Some(chosen(path)),
            (_, Some(Answer::Recreate)) => {
                let repository = lost.and_then(|lost| lost.repository.as_ref());
                let step = repository.and_then(|repository| {
                    let step = recreate(repository)?;
                    Some((step, repository.directory_again()))
                });
                match step {
                    Some((step, path)) => {
                        self.steps.push(step);
                        Some(Where {
                            why: Why::Recreated,
                            ..chosen(&path)
                        })
                    }
                    None => by_rule,
                }
            }
            (Some(Answer::Switch), _) => {
                let top = situation.repository().map(|repository| &*repository.top);
                let branch = situation.subject.branch.as_deref();
                self.steps.extend(switch(top, branch));
                by_rule
            }
            // The directory comes with the branch.
            (_, Some(Answer::Switch)) => {
                let part = lost.and_then(|lost| lost.part.as_ref());
                if let Some(Part {
                    top,
                    of: PartOf::Branch(branch, _),
                    ..
                }) = part
                {
                    self.steps.extend(switch(Some(top), Some(branch)));
                }
                by_rule
            }
            _ => by_rule,
        };
        if let Some(place) = place {
            self.because(About::Directory, place.why.words());
            self.directory = Some(place.path);
        } else {
            self.because(
                About::Directory,
                "the transcript names no directory, so it is the one you are in",
            );
        }
    }

    pub(super) fn because(&mut self, about: About, text: &str) {
        self.reasons.push(Reason {
            about,
            text: text.to_owned(),
        });
    }

    /// Can it be run as far as words alone can tell? A file whose name is no id could pass for an
    /// option.
    pub fn check_words(&self, launch: &Launch) -> Result<(), ResumeError> {
        self.check_id()?;
        match mistake(&launch.arguments, launch.wish) {
            Some(mistake) if self.id.is_some() => Err(ResumeError::BadArguments(mistake)),
            _ => Ok(()),
        }
    }

    /// Does it go on in a copy?
    pub fn is_fork(&self) -> bool {
        forks(&self.command)
    }

    /// Is it a session that Claude Code knows by an id?
    pub fn check_id(&self) -> Result<(), ResumeError> {
        match &self.id {
            Some(id) if Uuid::try_parse(id).is_err() => Err(ResumeError::NoId(id.clone())),
            _ => Ok(()),
        }
    }

    /// Is there a directory to run in?
    pub fn check(&self) -> Result<(), ResumeError> {
        self.check_id()?;
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        // What is made on the way cannot be looked at before.
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

    /// The command for a POSIX shell, with its directory.
    pub fn command_line(&self) -> String {
        self.line_for(Shell::Sh)
    }

    /// The command for a shell, with what comes before it.
    pub fn line_for(&self, shell: Shell) -> String {
        line(self, shell)
    }
}

/// The pane that has the session, if that is known.
fn pane(situation: &Situation) -> Option<&str> {
    situation.running.as_ref()?.tmux.as_deref()
}

/// The worktree again, from the branch that it had. Both names come from a transcript: neither may
/// pass for an option, nor the path depend on where git happens to run.
fn recreate(repository: &LostRepository) -> Option<Step> {
    let source = repository.source()?;
    let branch = source.branch().to_owned();
    let mut command = vec![
        "git".to_owned(),
        "-C".to_owned(),
        repository.top.to_string_lossy().into_owned(),
        "worktree".to_owned(),
        "add".to_owned(),
    ];
    // It would also let two trees share a branch: that none has it is looked at once more before.
    let times = match repository.force {
        Force::No => 0,
        Force::Once => 1,
        Force::Twice => 2,
    };
    command.extend(vec!["--force".to_owned(); times]);
    let top = repository.top.clone();
    let needs = match source {
        Source::Branch(_) => Needs::FreeBranch {
            top,
            branch: branch.clone(),
        },
        Source::Remote { remote, .. } => {
            command.extend(["--track", "-b", &branch].map(str::to_owned));
            Needs::RemoteBranch {
                top,
                branch: branch.clone(),
                remote: remote.to_owned(),
            }
        }
    };
    command.push("--".to_owned());
    command.push(repository.tree.to_string_lossy().into_owned());
    command.push(source.commit().to_owned());
    Some(Step {
        command,
        needs,
        brings: Some((repository.tree.clone(), branch)),
    })
}

fn switch(top: Option<&Path>, branch: Option<&str>) -> Option<Step> {
    let (top, branch) = (top?, branch.filter(|name| is_branch(name))?);
    Some(Step {
        command: vec![
            "git".to_owned(),
            "-C".to_owned(),
            top.to_string_lossy().into_owned(),
            "switch".to_owned(),
            // A branch that went away meanwhile is not made anew from a remote one.
            "--no-guess".to_owned(),
            // A file that is ignored here and tracked there is in no commit: git would write over
            // it without a word.
            "--no-overwrite-ignore".to_owned(),
            branch.to_owned(),
        ],
        needs: Needs::CleanTree(top.to_owned()),
        brings: Some((top.to_owned(), branch.to_owned())),
    })
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
