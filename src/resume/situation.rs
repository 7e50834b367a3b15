//! Everything that was looked up before a session is resumed, as data.
//!
//! Filled in by `probe`, or by a test; nothing here touches the disk.

use std::path::{Path, PathBuf};

use super::launch::Launch;
use crate::store::{Millis, Status};

/// What is known when a session is about to be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    pub subject: Subject,
    pub launch: Launch,
    pub program: Program,
    /// The worktree that the session was in when it was left.
    pub worktree: Option<Worktree>,
    /// The directories that the transcript names: where it was moved to, then where it began,
    /// then the others.
    pub recorded: Vec<Recorded>,
    /// What git says of the directory that would be taken.
    pub ground: Ground,
    /// What is left where that directory is gone.
    pub lost: Option<Lost>,
    pub running: Option<Running>,
    pub damage: Damage,
    /// Tokens of the last request.
    pub context: Option<u64>,
    pub now: Millis,
}

/// The session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// What Claude Code knows it by.
    pub id: String,
    pub transcript: PathBuf,
    pub home: Home,
    pub last_activity: Millis,
    /// The branch that it was last on.
    pub branch: Option<String>,
    /// The repository of a pull request that it made, as `owner/name`.
    pub pr_repository: Option<String>,
    /// Other files with the same id.
    pub copies: Vec<PathBuf>,
}

/// Where the transcript is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Home {
    /// In the project folder of a config directory.
    Store { root: PathBuf, folder: String },
    /// Somewhere else. Claude Code would open the file of this id in its store, if there is one.
    Outside { in_store: Option<PathBuf> },
}

impl Home {
    /// The config directory and the project folder in which Claude Code finds the session;
    /// `None` where it does not.
    pub fn filed(&self) -> Option<(&Path, &str)> {
        match self {
            Self::Store { root, folder } => Some((root, folder)),
            Self::Outside { in_store } => {
                let folder = in_store.as_deref()?.parent()?;
                let root = folder.parent()?.parent()?;
                Some((root, folder.file_name()?.to_str()?))
            }
        }
    }
}

/// Can the directory be entered?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    Directory,
    Missing,
    NotADirectory,
    Closed(String),
}

/// A directory that the transcript names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub path: PathBuf,
    pub presence: Presence,
}

/// What a `worktree-state` entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    pub path: PathBuf,
    pub presence: Presence,
    pub branch: Option<String>,
    /// Where the session was before it went there.
    pub original: Option<PathBuf>,
}

/// Is there anything to run?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    Found(PathBuf),
    /// There is a file of this name, and it cannot be run.
    NotExecutable(PathBuf),
    Missing,
}

/// What a directory is to git.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ground {
    /// There is no git, no directory, or no answer in time.
    #[default]
    Unknown,
    NoRepository,
    Repository(Box<Repository>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The top of the working tree.
    pub top: PathBuf,
    pub head: Head,
    pub tree: Tree,
    pub session_branch: BranchPlace,
    /// The repositories that its remotes name, as `owner/name`.
    pub remotes: Vec<String>,
    /// Is any commit as old as the session? `None` if nobody looked.
    pub reaches_back: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    Branch(String),
    /// The commit, shortened.
    Detached(String),
}

/// Would switching the branch touch work that is not committed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    Clean,
    /// So many files are changed or new.
    Dirty(usize),
    /// Git did not say in time.
    Unknown,
}

/// Where the branch of the session is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchPlace {
    /// The transcript names none, or a detached head.
    NotRecorded,
    Free,
    /// Another working tree has it.
    CheckedOutAt(PathBuf),
    Gone,
}

/// What is left of a directory that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lost {
    /// The nearest directory above it that exists.
    pub parent: Option<PathBuf>,
    /// The repository that it was a working tree of.
    pub repository: Option<LostRepository>,
    /// Does the directory in which the person stands belong to the same repository?
    pub here_is_kin: bool,
    /// Where it may have been moved to: a directory beside it with the session's branch, or one of
    /// its name elsewhere.
    pub moved_to: Vec<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostRepository {
    /// A directory of it in which git works.
    pub top: PathBuf,
    /// The branch that was checked out in the lost tree, if it still exists.
    pub branch: Option<String>,
    /// Does git still list the lost tree?
    pub is_listed: bool,
    /// Another working tree that has this branch now.
    pub taken_by: Option<PathBuf>,
    /// A working tree in which a person can work, if there is one: a bare repository has none of
    /// its own.
    pub working_tree: Option<PathBuf>,
}

/// A process has the session open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    pub pid: u32,
    pub status: Status,
    /// `session:@window.%pane`
    pub tmux: Option<String>,
}

/// What is wrong with the transcript.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Damage {
    /// Lines that cannot be read.
    pub bad_lines: u64,
    /// Prompts that no way leads to any more, and all that there are.
    pub lost: usize,
    pub prompts: usize,
    /// The share of them that Claude will see, in percent.
    pub percent: usize,
    /// Nothing in the file can be resumed.
    pub is_empty: bool,
}

/// Can this be the name of a branch? Git makes none that looks like an option.
pub(super) fn is_branch(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-')
}

impl Situation {
    pub fn repository(&self) -> Option<&Repository> {
        match &self.ground {
            Ground::Repository(repository) => Some(repository),
            Ground::Unknown | Ground::NoRepository => None,
        }
    }

    /// How long nobody has said anything, in milliseconds.
    pub fn idle(&self) -> Millis {
        self.now.saturating_sub(self.subject.last_activity).max(0)
    }

    /// The config directory that Claude Code has to look in; `None` where it is its own.
    pub fn root(&self) -> Option<&Path> {
        self.subject.home.filed().map(|(root, _)| root)
    }
}
