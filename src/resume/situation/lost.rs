//! What was found of a directory that is gone, or is not what it was, as data.

use std::path::{Path, PathBuf};

use super::{Tree, is_branch};
use crate::resume::quote::printable;

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
    /// Where somebody moved it without telling git.
    pub moved: Option<MovedTree>,
    /// What making it again takes.
    pub force: Force,
    /// Why it is locked, where somebody said that.
    pub lock: Option<String>,
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
    /// nobody knows which of them is meant. A tree that was moved is there: making it again would
    /// take its registration from it.
    pub fn source(&self) -> Option<Source<'_>> {
        if self.moved.is_some() {
            return None;
        }
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

/// A working tree in another place than git believes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedTree {
    pub path: PathBuf,
    pub link: Link,
}

/// Does a moved tree still find its repository?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    Whole,
    /// That was moved, too.
    Broken,
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
