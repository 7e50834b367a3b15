//! Everything that was looked up before a session is resumed, as data.
//!
//! Filled in by `probe`, or by a test; nothing here touches the disk.

mod lost;

use std::path::{Path, PathBuf};

pub use lost::{
    Below, Clue, Force, Link, Lost, LostBranch, LostRepository, MovedTree, Part, PartOf, Source,
};

use super::directory::Where;
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
    /// What is known of the directory where the transcript names none.
    pub inferred: Inferred,
    /// Where that directory leads as a link, which is not what the transcript is filed under.
    pub leads_to: Option<PathBuf>,
    /// What git says of the directory that would be taken.
    pub ground: Ground,
    /// What is left where that directory is gone, or is not what it was.
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
    /// It is there and empty, where a working tree was.
    Emptied,
    /// Something is in it, where a working tree was, but that is none any more.
    Leftovers,
    /// A working tree was there, and another repository is now.
    Taken,
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

/// What a project folder says of the directory that it was made for, whose transcripts name none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Inferred {
    #[default]
    Nothing,
    One(Where),
    /// These are there, and it may have been made for any of them.
    Several(Vec<PathBuf>),
}

/// What a `worktree-state` entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    pub path: PathBuf,
    pub presence: Presence,
    pub branch: Option<String>,
    /// Where the session was before it went there.
    pub original: Option<PathBuf>,
    /// The commit that was checked out there.
    pub original_head: Option<String>,
}

/// Is there anything to run?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    Found(PathBuf),
    /// There is a file of this name, and it cannot be run.
    NotExecutable(PathBuf),
    /// It is a script, and what should run it is not there.
    NoInterpreter {
        script: PathBuf,
        interpreter: String,
    },
    Missing,
}

/// What a directory is to git.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ground {
    /// Nobody asked, or there is nothing to say.
    #[default]
    Unknown,
    /// Git could not be asked, and why.
    Silent(String),
    NoRepository,
    Severed(Severed),
    Repository(Box<Repository>),
}

/// A working tree beside the main one that git does not take for one any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Severed {
    pub tree: PathBuf,
    pub cut: Cut,
    /// The repository that knows it, if one nearby does.
    pub repository: Option<PathBuf>,
}

/// What parts a working tree from its repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The repository is not where it was.
    Moved,
    /// The `.git` file of the tree is gone.
    Unlinked,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The top of the working tree.
    pub top: PathBuf,
    pub head: Head,
    pub tree: Tree,
    pub session_branch: BranchPlace,
    /// The session's directory below the top, and whether that branch has it.
    pub below: Below,
    /// The repositories that its remotes name, as `owner/name`.
    pub remotes: Vec<String>,
    pub past: Past,
}

/// Can the repository be the one that the session was in?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Past {
    /// As far as anybody can tell.
    #[default]
    Possible,
    /// It was made after the session was left, and all of its commits were, too.
    Younger,
    /// The same, in a directory that was there before: somebody began its history anew.
    Anew,
}

impl Repository {
    /// Where to go in a tree that has the session's branch, or will have it: the same directory,
    /// if that is there.
    pub fn place_in(&self, tree: &Path) -> PathBuf {
        match &self.below {
            Below::There(below) => tree.join(below),
            Below::Nothing | Below::NotThere(_) => tree.to_owned(),
        }
    }
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
    /// There is none here, but at these remotes, as `origin/name`.
    Remote(Vec<String>),
    Gone,
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

/// Can this be the name of a branch? Git makes none that looks like an option or leads out of a
/// folder.
pub(super) fn is_branch(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['-', '/'])
        && !name.contains("..")
        && !name.contains([':', '\\'])
}

impl Situation {
    pub fn repository(&self) -> Option<&Repository> {
        match &self.ground {
            Ground::Repository(repository) => Some(repository),
            Ground::Unknown | Ground::Silent(_) | Ground::NoRepository | Ground::Severed(_) => None,
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
