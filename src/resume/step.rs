//! What comes before the command of a plan: a worktree, a branch or a directory.
//!
//! Paths and branches come from a transcript; none of them can pass for an option.

use std::path::{Path, PathBuf};

use super::situation::{GoneTree, is_branch};

/// A command that must succeed before that of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanStep {
    /// Makes a worktree from its branch; git makes the branch from a remote one if it has to.
    AddWorktree {
        repository: PathBuf,
        tree: PathBuf,
        branch: String,
        /// Git still lists a worktree that is gone.
        force: bool,
    },
    /// Checks out a branch in a working tree.
    Switch {
        tree: PathBuf,
        branch: String,
    },
    MakeDirectory(PathBuf),
}

/// Flags that guard a switch against mistakes; they say nothing to a reader.
const GUARDS: [&str; 2] = [
    // A branch that went away meanwhile is not made anew from a remote one.
    "--no-guess",
    // A file that is ignored here and tracked there is in no commit: git would overwrite it.
    "--no-overwrite-ignore",
];

impl PlanStep {
    pub(super) fn recreate(gone: &GoneTree) -> Option<Self> {
        gone.source()?;
        Some(Self::AddWorktree {
            repository: gone.repository.clone(),
            tree: gone.path.clone(),
            branch: gone.branch.clone()?,
            force: gone.needs_force,
        })
    }

    pub(super) fn switch(tree: &Path, branch: &str) -> Option<Self> {
        is_branch(branch).then(|| Self::Switch {
            tree: tree.to_owned(),
            branch: branch.to_owned(),
        })
    }

    /// The command as it is run.
    pub fn command(&self) -> Vec<String> {
        self.words(&GUARDS)
    }

    /// The command as it is shown: without its guards.
    pub fn shown(&self) -> Vec<String> {
        self.words(&[])
    }

    fn words(&self, guards: &[&str]) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let git = |tree: &Path, verb: &[&str]| {
            let tree = text(tree);
            let words = [&["git", "-C", &tree], verb].concat();
            words.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        match self {
            Self::AddWorktree {
                repository,
                tree,
                branch,
                force,
            } => {
                // With force two worktrees can share a branch: that none has it is checked before.
                let force: &[&str] = if *force { &["--force"] } else { &[] };
                let add = [&["worktree", "add"], force, &[&text(tree), branch]];
                git(repository, &add.concat())
            }
            Self::Switch { tree, branch } => git(tree, &[&["switch"], guards, &[branch]].concat()),
            Self::MakeDirectory(path) => {
                vec!["mkdir".to_owned(), "-p".to_owned(), text(path)]
            }
        }
    }

    /// The working tree and the branch that is checked out there afterwards.
    pub(super) fn checks_out(&self) -> Option<(&Path, &str)> {
        match self {
            Self::AddWorktree { tree, branch, .. } | Self::Switch { tree, branch } => {
                Some((tree, branch))
            }
            Self::MakeDirectory(_) => None,
        }
    }
}
