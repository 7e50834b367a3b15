//! Everything that was looked up before a session is resumed, as data.
//!
//! Filled in by `probe`, or by a test; nothing here touches the disk.

use std::path::{Path, PathBuf};

use super::directory::Where;
use super::launch::Launch;
use super::quote::printable;
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
    /// It is there and empty, where a working tree was.
    Emptied,
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
    /// Nobody asked, or there is nothing to say.
    #[default]
    Unknown,
    /// Git could not be asked, and why.
    Silent(String),
    NoRepository,
    Severed(Severed),
    Repository(Box<Repository>),
}

/// A working tree beside the main one whose repository is not where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Severed {
    pub tree: PathBuf,
    /// The repository that knows it, if one nearby does.
    pub repository: Option<PathBuf>,
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

/// What is left of a directory that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lost {
    /// The nearest directory above it that exists.
    pub parent: Option<PathBuf>,
    /// The repository that it was a working tree of, or lay in one.
    pub repository: Option<LostRepository>,
    /// The repository that has it, where it is not checked out.
    pub part: Option<Part>,
    /// Where it may have been moved to, by its name.
    pub moved_to: Vec<PathBuf>,
    /// Repositories beside it that have a branch of that name, which is no proof of anything.
    pub same_branch: Vec<PathBuf>,
    /// Is the nearest directory part of a repository that has the session's branch?
    pub parent_is_its: bool,
    /// Why git could not be asked.
    pub silence: Option<String>,
}

/// A directory that belongs to a repository and is not there at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The working tree that it would be in.
    pub top: PathBuf,
    pub below: PathBuf,
    pub of: PartOf,
}

impl Part {
    /// A command of git for this directory, as a person types it.
    pub fn command(&self, words: &[&str]) -> String {
        let (top, below) = (self.top.to_string_lossy(), self.below.to_string_lossy());
        let command = [&["git", "-C", &top], words, &["--", &below]].concat();
        let command: Vec<String> = command.into_iter().map(str::to_owned).collect();
        printable(&command)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartOf {
    /// The session's branch has it; and what a switch to that would touch.
    Branch(String, Tree),
    /// The same, and it is there, in the working tree that has the branch.
    BranchAt(String, PathBuf),
    /// What is checked out has it: somebody deleted it.
    Deleted,
    Submodule,
}

/// The repository of a working tree that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostRepository {
    /// A directory of it in which git works.
    pub top: PathBuf,
    /// The lost working tree: the directory itself, or one above it.
    pub tree: PathBuf,
    /// What says that it was one of this repository.
    pub clue: Clue,
    pub branch: LostBranch,
    /// What making it again takes.
    pub force: Force,
    /// The part of the directory below the tree.
    pub below: Below,
    /// Working trees that have this part, too.
    pub has_below: Vec<PathBuf>,
    /// A working tree in which a person can work, if there is one: a bare repository has none of
    /// its own.
    pub working_tree: Option<PathBuf>,
    /// Does the directory in which the person stands belong to it?
    pub has_here: bool,
}

impl LostRepository {
    /// What the tree can be made again from, if anything. Where several remotes have the branch,
    /// nobody knows which of them is meant.
    pub fn source(&self) -> Option<Source<'_>> {
        let source = match &self.branch {
            LostBranch::Free(branch) => Source::Branch(branch),
            LostBranch::Remote(branch, remotes) => match remotes.as_slice() {
                [remote] => Source::Remote { branch, remote },
                _ => return None,
            },
            LostBranch::Unknown | LostBranch::Gone(_) | LostBranch::TakenBy(..) => return None,
        };
        let fits = is_branch(source.branch()) && is_branch(source.commit());
        Some(source).filter(|_| fits && self.tree.is_absolute())
    }

    /// Where to go in another working tree: the same directory, if that is there.
    pub fn place_in(&self, tree: &Path) -> PathBuf {
        match &self.below {
            Below::There(below) | Below::NotThere(below)
                if self.has_below.iter().any(|one| one == tree) =>
            {
                tree.join(below)
            }
            _ => tree.to_owned(),
        }
    }

    /// Where the session can go on once the tree is there again: where it was, if the branch has
    /// that.
    pub fn directory_again(&self) -> PathBuf {
        match &self.below {
            Below::There(below) => self.tree.join(below),
            Below::Nothing | Below::NotThere(_) => self.tree.clone(),
        }
    }
}

/// What a lost working tree can be made again from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    Branch(&'a str),
    /// There is no such branch yet: this one at a remote has its commits.
    Remote {
        branch: &'a str,
        remote: &'a str,
    },
}

impl<'a> Source<'a> {
    /// The branch that the tree will be on.
    pub fn branch(self) -> &'a str {
        match self {
            Self::Branch(branch) | Self::Remote { branch, .. } => branch,
        }
    }

    /// What has its files now.
    pub fn commit(self) -> &'a str {
        match self {
            Self::Branch(branch) => branch,
            Self::Remote { remote, .. } => remote,
        }
    }
}

/// What says that a directory was a working tree of a repository, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clue {
    /// The transcript.
    Said,
    /// Git still lists it.
    Listed,
    /// It lay inside, where working trees are kept, and the repository has the branch.
    Inside,
    /// Other trees of the repository lie beside it, and the repository has the branch.
    Beside,
    /// The repository has the branch, and the names fit.
    Named,
    /// It lay inside, where working trees are kept, but the repository does not have the branch:
    /// that is gone, or it was one of another repository.
    Enclosed,
}

impl Clue {
    /// Is it the same repository beyond doubt?
    pub fn is_certain(self) -> bool {
        match self {
            Self::Said | Self::Listed | Self::Inside => true,
            Self::Beside | Self::Named | Self::Enclosed => false,
        }
    }
}

/// The branch that was checked out in a lost tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LostBranch {
    /// Nothing says which, or it had none.
    Unknown,
    /// There is none of this name any more.
    Gone(String),
    /// The same, except for these at remotes, as `origin/name`.
    Remote(String, Vec<String>),
    Free(String),
    /// Another working tree has it now.
    TakenBy(String, PathBuf),
}

/// How often `git worktree add` has to be forced. Git refuses a path that it still lists, and a
/// branch that only a lost tree has, and twice what is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    No,
    Once,
    Twice,
}

/// Where in its working tree a lost directory was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Below {
    /// At the top.
    Nothing,
    /// The branch has this directory.
    There(PathBuf),
    /// The branch has no such directory.
    NotThere(PathBuf),
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
