//! What is left of a directory that cannot be used: its worktree, a branch that has it, and one
//! guess.
//!
//! The worktree is a fact: the transcript or git's own list names it. The repositories whose lists
//! are read are those of the session's other directories, of the current directory, and around and
//! beside the one that is gone. A guess is labeled as one wherever it is shown.

use std::path::{Path, PathBuf};

use super::git_folder::GitFolder;
use super::nearest_directory;
use crate::paths::normalize;
use crate::resume::git::{branch_in, changes, has_commit, inside, is_tree, remotes, silence};
use crate::resume::situation::{
    BranchPlace, Gone, GoneTree, Guess, Part, Shares, Worktree, is_same_remote,
};
use crate::store::{ListedTree, listed_trees, patiently};

/// Folders of a place that are looked into while a person waits.
const MOST_FOLDERS: usize = 1000;
/// Directories of the same name about which git is asked.
const MOST_GUESSES: usize = 3;

/// What is known about a directory that cannot be used.
#[derive(Debug, Clone)]
pub struct Lost {
    pub path: PathBuf,
    /// What the transcript says of it as a worktree.
    pub worktree: Option<Worktree>,
    /// The branch that it had, or that the session was last on.
    pub branch: Option<String>,
    pub pr_repository: Option<String>,
    /// The session's other directories, and the current one.
    pub near: Vec<PathBuf>,
    pub home: Option<PathBuf>,
}

/// Where the directory was.
struct Old {
    nearest: PathBuf,
    /// The same with links followed, as git knows it.
    real_nearest: PathBuf,
    /// Its own path with links followed.
    real: PathBuf,
    /// The folders near it and in the home directory.
    folders: Vec<PathBuf>,
}

impl Lost {
    pub fn look(self) -> Gone {
        let path = normalize(&self.path);
        let Some(nearest) = nearest_directory(&path) else {
            return Gone::default();
        };
        let known = Gone {
            nearest: Some(nearest.clone()),
            ..Gone::default()
        };
        // A repository, or a folder beside it, may be on a disk that does not answer.
        let look = move || {
            let real_nearest = nearest.canonicalize().unwrap_or_else(|_| nearest.clone());
            let rest = path.strip_prefix(&nearest).unwrap_or(Path::new(""));
            let places = [Some(&*nearest), nearest.parent(), self.home.as_deref()];
            let mut folders: Vec<PathBuf> =
                places.into_iter().flatten().flat_map(folders).collect();
            folders.sort_unstable();
            folders.dedup();
            self.ask(Old {
                real: real_nearest.join(rest),
                real_nearest,
                nearest,
                folders,
            })
        };
        patiently(look).unwrap_or_else(|| Gone {
            silence: Some(crate::resume::git::SLOW.to_owned()),
            ..known
        })
    }

    fn ask(&self, old: Old) -> Gone {
        let around = GitFolder::around(&old.nearest);
        let mut gone = Gone {
            nearest_in_repository: around.is_some(),
            ..Gone::default()
        };
        if let Some((folder, tree)) = self.repository(&old) {
            let trees = listed_trees(&folder.place);
            if trees.is_empty() {
                gone.silence = silence(&folder.place);
            } else {
                gone.tree = Some(self.described(&folder, &trees, &old, &tree));
            }
            gone.guesses = self.guesses(&old, Some(&folder));
        } else {
            gone.part = around.as_ref().and_then(|folder| self.part(folder, &old));
            if gone.part.is_none() {
                gone.silence = around.and_then(|folder| silence(&folder.place));
                gone.guesses = self.guesses(&old, None);
            }
        }
        Gone {
            nearest: Some(old.nearest),
            ..gone
        }
    }

    /// The repository, and its worktree at or above the directory.
    fn repository(&self, old: &Old) -> Option<(GitFolder, PathBuf)> {
        let listed = |folder: GitFolder| {
            let tree = folder.listed_around(&old.real)?;
            // One above the nearest directory is there.
            (!old.real_nearest.starts_with(&tree)).then_some((folder, tree))
        };
        let original = self.worktree.as_ref().map(|tree| tree.original.as_deref());
        if let Some(original) = original {
            // Around a directory that is gone there may be any repository.
            let folder = GitFolder::around(original.filter(|path| path.is_dir())?)?;
            return listed(folder.clone()).or_else(|| Some((folder, old.real.clone())));
        }
        let near = self.near.iter().map(PathBuf::as_path);
        let around = near.chain([&*old.nearest]).filter_map(GitFolder::around);
        let beside = old.folders.iter().filter_map(|path| GitFolder::of(path));
        around.chain(beside).find_map(listed)
    }

    /// What git says about the worktree.
    fn described(
        &self,
        folder: &GitFolder,
        trees: &[ListedTree],
        old: &Old,
        tree: &Path,
    ) -> GoneTree {
        let is_it = |one: &ListedTree| normalize(&one.path) == tree;
        let listed = trees.iter().find(|one| is_it(one));
        let branch = match listed {
            Some(listed) => listed.branch.clone(),
            None => self.branch.clone(),
        };
        let branch = branch.filter(|name| name != "HEAD");
        let place = match branch.as_deref().map(|name| branch_in(&folder.place, name)) {
            // Something else is in its place.
            Some(BranchPlace::CheckedOutAt(at)) if normalize(&at) == tree => BranchPlace::Free,
            Some(place) => place,
            None => BranchPlace::NotRecorded,
        };
        let below = old.real.strip_prefix(tree).unwrap_or(Path::new(""));
        let is_usable = |one: &&ListedTree| {
            let path = normalize(&one.path);
            // Git lists the folder of a submodule's own files as its main working tree.
            !one.is_bare && path.is_dir() && path != folder.common && path != tree
        };
        let working_tree = trees.iter().find(is_usable).map(|one| &one.path);
        let has_it = |one: &&ListedTree| is_it(one) || (branch.is_some() && one.branch == branch);
        let is_ghost = |one: &ListedTree| !one.is_there();
        // As the transcript writes it, which may be through a link.
        let path = self.path.ancestors().nth(below.components().count());
        let path = path.unwrap_or(&self.path).to_owned();
        let mut found = GoneTree {
            working_tree: working_tree.map(|path| inside(path, below)),
            repository: working_tree.unwrap_or(&folder.place).clone(),
            has_branch: match &place {
                BranchPlace::CheckedOutAt(other) => Some(inside(other, below)),
                _ => None,
            },
            needs_force: trees.iter().filter(has_it).any(is_ghost),
            lock: listed.and_then(|listed| listed.lock.clone()),
            again: path.clone(),
            path,
            branch,
            place,
        };
        let source = found.source();
        if source.is_some_and(|source| is_tree(&folder.place, source, below)) {
            found.again.clone_from(&self.path);
        }
        found
    }

    /// Whether the session's branch has the directory, and what is checked out does not.
    fn part(&self, folder: &GitFolder, old: &Old) -> Option<Part> {
        let branch = self.branch.clone().filter(|name| name != "HEAD")?;
        let top = folder.place.canonicalize().ok()?;
        let below = old.real.strip_prefix(&top).ok()?;
        if is_tree(&top, "HEAD", below) || !is_tree(&top, &branch, below) {
            return None;
        }
        let trees = listed_trees(&top).into_iter();
        let mut elsewhere = trees.filter(|tree| tree.branch.as_ref() == Some(&branch));
        let path = elsewhere.next().map(|tree| tree.path.join(below));
        Some(match path.filter(|path| path.is_dir()) {
            Some(path) => Part::At { branch, path },
            None => Part::BySwitch {
                changes: changes(&top),
                branch,
                top,
            },
        })
    }

    /// The one guess: a directory of the same name that holds the same repository, as far as the
    /// transcript tells. It is looked for near the old place and in the home directory.
    fn guesses(&self, old: &Old, repository: Option<&GitFolder>) -> Vec<Guess> {
        let path = normalize(&self.path);
        // Each directory on the way may be the one that was moved.
        let missing = path.ancestors().take_while(|one| **one != *old.nearest);
        let mut missing: Vec<&Path> = missing.collect();
        missing.reverse();
        let mut guesses: Vec<Guess> = Vec::new();
        for one in missing {
            let (Some(name), Ok(below)) = (one.file_name(), path.strip_prefix(one)) else {
                continue;
            };
            let named = old.folders.iter().map(|folder| folder.join(name));
            let named = named.filter(|path| path != one && path.join(".git").exists());
            guesses.extend(named.take(MOST_GUESSES).filter_map(|path| {
                Some(Guess {
                    shares: self.shares(&path, repository)?,
                    path: inside(&path, below),
                })
            }));
        }
        guesses.truncate(MOST_GUESSES);
        guesses
    }

    /// What a directory has in common with the session's repository: its shared git folder or the
    /// commit of the worktree record, or the remote of the pull request.
    fn shares(&self, path: &Path, repository: Option<&GitFolder>) -> Option<Shares> {
        let folder = GitFolder::of(path)?;
        let (shares, is_so) = if let Some(repository) = repository {
            (Shares::Repository, folder.common == repository.common)
        } else if !path.join(".git").is_dir() {
            // A worktree of another repository, or a submodule.
            return None;
        } else if let Some(commit) = self.commit() {
            (Shares::Repository, has_commit(path, commit))
        } else {
            let wanted = self.pr_repository.as_deref()?;
            let mut remotes = remotes(path).into_iter();
            (
                Shares::Remote,
                remotes.any(|one| is_same_remote(&one, wanted)),
            )
        };
        is_so.then_some(shares)
    }

    fn commit(&self) -> Option<&str> {
        let commit = self.worktree.as_ref()?.original_head.as_deref();
        commit.filter(|commit| !commit.is_empty())
    }
}

/// A place and the folders in it, as many as there is time for.
fn folders(place: &Path) -> Vec<PathBuf> {
    let entries = place.read_dir().into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).take(MOST_FOLDERS);
    let folders = paths.filter(|path| path.is_dir());
    folders.chain([place.to_owned()]).collect()
}
