//! The facts about a session that is about to be resumed.
//!
//! `probe` reads them from the transcript, git and the file system; a test writes them by hand.
//! Nothing here touches the disk.

use std::path::{Path, PathBuf};

use super::launch::Launch;
use crate::store::{Live, Millis};
use crate::transcript::ResumeInfo;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    pub session: SessionFacts,
    pub launch: Launch,
    pub program: Program,
    /// The worktree that the session was left in, by the transcript.
    pub worktree: Option<RecordedWorktree>,
    /// The directories that the transcript names: where it was moved to, where it began, the others.
    /// If it names none, the current directory, as long as the transcript is filed under it.
    pub recorded: Vec<Recorded>,
    /// What git says about the directory.
    pub git: GitState,
    /// What is left of a directory that cannot be used.
    pub gone: Option<Gone>,
    /// Paths and what they are with links followed, where that is another path.
    pub real: Vec<(PathBuf, PathBuf)>,
    /// The process that has the session open.
    pub running: Option<Live>,
    /// What the transcript says of itself: its damage and its size.
    pub resume_info: ResumeInfo,
    pub now: Millis,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    /// The id by which Claude Code knows it.
    pub id: String,
    pub transcript: PathBuf,
    pub location: Location,
    pub last_activity: Millis,
    /// The last branch that the transcript names.
    pub branch: Option<String>,
    /// The repository of its pull request, as `owner/name`.
    pub pr_repository: Option<String>,
    /// Other files with the same id.
    pub copies: Vec<PathBuf>,
}

/// Where a transcript is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// In a project folder of a config directory.
    Store { root: PathBuf, folder: String },
    /// Elsewhere. Claude Code would open the file with this id in its store, if there is one.
    Outside { in_store: Option<PathBuf> },
}

impl Location {
    /// The config directory and the project folder in which Claude Code finds the session; `None`
    /// if it does not find it.
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

/// What is at the path of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    Directory,
    Missing,
    NotADirectory,
    /// It cannot be entered, and why.
    Closed(String),
    /// A directory without a `.git`, where the transcript puts a worktree. Git makes a worktree only
    /// in an empty one.
    NotAWorktree {
        is_empty: bool,
    },
    /// A working tree of another repository, where the transcript puts a worktree.
    OtherRepository,
}

/// A directory that the transcript names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub path: PathBuf,
    pub presence: Presence,
}

/// What a `worktree-state` entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedWorktree {
    pub place: Recorded,
    pub branch: Option<String>,
    /// The directory of the session before it entered the worktree.
    pub original: Option<PathBuf>,
    /// The commit that was checked out there.
    pub original_head: Option<String>,
}

/// The program that would be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    Found(PathBuf),
    /// A file of this name exists and cannot be run.
    NotExecutable(PathBuf),
    /// A script whose interpreter is missing.
    NoInterpreter {
        script: PathBuf,
        interpreter: String,
    },
    Missing,
}

/// What git says about a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum GitState {
    /// It was not asked, or has nothing to say.
    #[default]
    Unknown,
    /// It could not be asked, and why.
    Silent(String),
    NoRepository,
    Repository(Box<Repository>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The top of the working tree.
    pub top: PathBuf,
    /// The current branch; on a detached head, `no branch` and the commit.
    pub head: String,
    /// The branch of the session.
    pub branch: BranchPlace,
    /// Where to resume once that branch is checked out.
    pub on_branch: PathBuf,
    /// Uncommitted files; `None` if git was not asked, or did not answer.
    pub uncommitted: Option<usize>,
    /// The repositories that its remotes name, as `owner/name`.
    pub remotes: Vec<String>,
}

/// Where a branch is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchPlace {
    /// The transcript names no branch, or a detached head.
    NotRecorded,
    /// It is checked out here.
    Current,
    /// No working tree has it.
    Free,
    /// Another working tree has it; this is where to resume there.
    CheckedOutAt(PathBuf),
    /// Only remotes have it, as `origin/name`.
    Remote(Vec<String>),
    Gone,
}

/// What is left of a directory that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gone {
    /// The nearest directory above it that exists.
    pub nearest: Option<PathBuf>,
    /// Whether that directory is in a repository.
    pub nearest_in_repository: bool,
    /// The worktree that the directory was, or was in.
    pub tree: Option<GoneTree>,
    /// The branch of the session has the directory; what is checked out does not.
    pub on_branch: Option<BranchDirectory>,
    /// The one guess: directories of the same name.
    pub guesses: Vec<Guess>,
    /// Why git could not be asked.
    pub silence: Option<String>,
}

/// A worktree that the transcript or git's own list names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoneTree {
    pub path: PathBuf,
    /// A directory in which git works on its repository.
    pub repository: PathBuf,
    /// Where to resume in the repository's first working tree; a bare repository may have none.
    pub working_tree: Option<PathBuf>,
    /// The branch that it had.
    pub branch: Option<String>,
    pub place: BranchPlace,
    /// Git still lists it, or another lost worktree on the branch, so it has to be forced.
    pub needs_force: bool,
    /// Why it is locked, if it is; the reason may be empty.
    pub lock: Option<String>,
    /// Where to resume once it is there again.
    pub again: PathBuf,
}

impl GoneTree {
    /// The branch, or the one of a remote, that the worktree can be made from. With several remotes
    /// git does not choose either, and a locked worktree may be on a disk that is not mounted.
    pub fn source(&self) -> Option<&str> {
        let branch = self.branch.as_deref().filter(|name| is_branch(name))?;
        if self.lock.is_some() || !self.path.is_absolute() {
            return None;
        }
        match &self.place {
            BranchPlace::Free => Some(branch),
            BranchPlace::Remote(remotes) => match remotes.as_slice() {
                [remote] => Some(remote),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A directory of a repository that only another branch has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchDirectory {
    /// The top of the working tree that lacks it.
    pub top: PathBuf,
    pub branch: String,
    /// Uncommitted files, which prevent a switch; `None` if git did not answer.
    pub uncommitted: Option<usize>,
    /// The directory in another working tree, which has the branch.
    pub elsewhere: Option<PathBuf>,
}

/// A directory with the name of the one that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    pub path: PathBuf,
    /// What it has in common with the session's repository.
    pub shares: &'static str,
}

/// Whether a text can be the name of a branch: git makes none that looks like an option or leads out
/// of a folder.
pub(super) fn is_branch(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['-', '/'])
        && !name.contains("..")
        && !name.contains([':', '\\'])
}

/// Whether two remotes are the same, or forks of one, which have the same name.
pub(super) fn is_same_remote(one: &str, other: &str) -> bool {
    let name = |remote: &str| remote.rsplit('/').next().map(str::to_ascii_lowercase);
    name(one) == name(other)
}

impl Situation {
    pub fn repository(&self) -> Option<&Repository> {
        match &self.git {
            GitState::Repository(repository) => Some(repository),
            GitState::Unknown | GitState::Silent(_) | GitState::NoRepository => None,
        }
    }

    /// A path with links followed, as far as that was looked up.
    pub fn real<'a>(&'a self, path: &'a Path) -> &'a Path {
        let mut known = self.real.iter();
        let found = known.find(|(known, _)| known == path);
        found.map_or(path, |(_, real)| real)
    }

    /// The config directory of the session.
    pub fn root(&self) -> Option<&Path> {
        self.session.location.filed().map(|(root, _)| root)
    }
}
