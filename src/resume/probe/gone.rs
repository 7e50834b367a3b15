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
use crate::resume::git::{
    SLOW, branch_in, has_commit, inside, is_tree, remotes, silence, uncommitted,
};
use crate::resume::situation::{
    BranchDirectory, BranchPlace, Gone, GoneTree, Guess, RecordedWorktree, Situation,
    is_same_remote,
};
use crate::store::{ListedTree, listed_trees, with_timeout};

/// Folders of a place that are looked into while the screen waits.
const MOST_FOLDERS: usize = 1000;
/// Directories of the same name about which git is asked.
const MOST_GUESSES: usize = 3;

/// What is left of a directory that cannot be used.
pub fn look(situation: &Situation, path: &Path) -> Gone {
    let Some(nearest) = nearest_directory(&normalize(path)) else {
        return Gone::default();
    };
    let slow = Gone {
        nearest: Some(nearest.clone()),
        silence: Some(SLOW.to_owned()),
        ..Gone::default()
    };
    let (situation, path) = (situation.clone(), path.to_owned());
    // A repository, or a folder beside it, may be on a disk that does not answer.
    with_timeout(move || LostDirectory::new(situation, path, nearest).ask()).unwrap_or(slow)
}

/// A directory that cannot be used, and its surroundings.
struct LostDirectory {
    situation: Situation,
    path: PathBuf,
    nearest: PathBuf,
    /// Its path with links followed, as git knows it.
    real: PathBuf,
    /// The folders near it and in the home directory.
    folders: Vec<PathBuf>,
}

impl LostDirectory {
    fn new(situation: Situation, path: PathBuf, nearest: PathBuf) -> Self {
        let normal = normalize(&path);
        let rest = normal.strip_prefix(&nearest).unwrap_or(Path::new(""));
        let home = situation.launch.home.as_deref();
        let places = [Some(&*nearest), nearest.parent(), home];
        let mut folders: Vec<PathBuf> = places.into_iter().flatten().flat_map(folders).collect();
        folders.sort_unstable();
        folders.dedup();
        Self {
            real: real(&nearest).join(rest),
            situation,
            path,
            nearest,
            folders,
        }
    }

    /// What the transcript says of it as a worktree.
    fn worktree(&self) -> Option<&RecordedWorktree> {
        let worktree = self.situation.worktree.as_ref();
        worktree.filter(|tree| tree.place.path == self.path)
    }

    /// The branch that it had, or that the session was last on.
    fn branch(&self) -> Option<String> {
        let branch = self.worktree().and_then(|tree| tree.branch.clone());
        branch.or_else(|| self.situation.session.branch.clone())
    }

    fn ask(&self) -> Gone {
        let around = GitFolder::around(&self.nearest);
        let mut gone = Gone {
            nearest: Some(self.nearest.clone()),
            nearest_in_repository: around.is_some(),
            ..Gone::default()
        };
        if let Some((folder, tree)) = self.repository() {
            let trees = listed_trees(&folder.place);
            if trees.is_empty() {
                gone.silence = silence(&folder.place);
            } else {
                gone.tree = Some(self.described(&folder, &trees, &tree));
            }
            gone.guesses = self.guesses(Some(&folder));
        } else {
            gone.on_branch = around.as_ref().and_then(|folder| self.on_branch(folder));
            if gone.on_branch.is_none() {
                gone.silence = around.and_then(|folder| silence(&folder.place));
                gone.guesses = self.guesses(None);
            }
        }
        gone
    }

    /// The repository, and its worktree at or above the directory.
    fn repository(&self) -> Option<(GitFolder, PathBuf)> {
        let listed = |folder: GitFolder| {
            let tree = folder.listed_around(&self.real)?;
            // One above the nearest directory is there.
            (!real(&self.nearest).starts_with(&tree)).then_some((folder, tree))
        };
        if let Some(tree) = self.worktree() {
            // Around a directory that is gone there may be any repository.
            let original = tree.original.as_deref().filter(|path| path.is_dir())?;
            let folder = GitFolder::around(original)?;
            return listed(folder.clone()).or_else(|| Some((folder, self.real.clone())));
        }
        let recorded = self.situation.recorded.iter();
        let near = recorded.filter(|one| one.is_usable()).map(|one| &one.path);
        let near = near
            .chain(&self.situation.launch.here)
            .chain([&self.nearest]);
        let around = near.filter_map(|path| GitFolder::around(path));
        let beside = self.folders.iter().filter_map(|path| GitFolder::of(path));
        around.chain(beside).find_map(listed)
    }

    /// What git says about the worktree.
    fn described(&self, folder: &GitFolder, trees: &[ListedTree], tree: &Path) -> GoneTree {
        let is_it = |one: &ListedTree| normalize(&one.path) == tree;
        let listed = trees.iter().find(|one| is_it(one));
        let branch = match listed {
            Some(listed) => listed.branch.clone(),
            None => self.branch(),
        };
        let branch = branch.filter(|name| name != "HEAD");
        let below = self.real.strip_prefix(tree).unwrap_or(Path::new(""));
        let place = match branch.as_deref().map(|name| branch_in(&folder.place, name)) {
            // Something else is in its place.
            Some(BranchPlace::CheckedOutAt(at)) if normalize(&at) == tree => BranchPlace::Free,
            Some(BranchPlace::CheckedOutAt(at)) => BranchPlace::CheckedOutAt(inside(&at, below)),
            Some(place) => place,
            None => BranchPlace::NotRecorded,
        };
        let is_usable = |one: &&ListedTree| {
            let path = normalize(&one.path);
            // Git lists the folder of a submodule's own files as its main working tree.
            !one.is_bare && path.is_dir() && path != folder.common && path != tree
        };
        let working_tree = trees.iter().find(is_usable).map(|one| &one.path);
        let has_it = |one: &&ListedTree| is_it(one) || (branch.is_some() && one.branch == branch);
        // As the transcript writes it, which may be through a link.
        let path = self.path.ancestors().nth(below.components().count());
        let path = path.unwrap_or(&self.path).to_owned();
        let mut found = GoneTree {
            working_tree: working_tree.map(|path| inside(path, below)),
            repository: working_tree.unwrap_or(&folder.place).clone(),
            needs_force: trees.iter().filter(has_it).any(|one| !one.is_there()),
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
    fn on_branch(&self, folder: &GitFolder) -> Option<BranchDirectory> {
        let branch = self.branch().filter(|name| name != "HEAD")?;
        let top = folder.place.canonicalize().ok()?;
        let below = self.real.strip_prefix(&top).ok()?;
        if is_tree(&top, "HEAD", below) || !is_tree(&top, &branch, below) {
            return None;
        }
        let trees = listed_trees(&top);
        let elsewhere = trees
            .iter()
            .find(|tree| tree.branch.as_ref() == Some(&branch));
        let elsewhere = elsewhere.map(|tree| tree.path.join(below));
        Some(BranchDirectory {
            elsewhere: elsewhere.filter(|path| path.is_dir()),
            uncommitted: uncommitted(&top),
            branch,
            top,
        })
    }

    /// The one guess: a directory of the same name that holds the same repository, as far as the
    /// transcript tells. It is looked for near the old place and in the home directory.
    fn guesses(&self, repository: Option<&GitFolder>) -> Vec<Guess> {
        let path = normalize(&self.path);
        // Each directory on the way may be the one that was moved.
        let missing = path.ancestors().take_while(|one| *one != self.nearest);
        let mut missing: Vec<&Path> = missing.collect();
        missing.reverse();
        let mut guesses: Vec<Guess> = Vec::new();
        for one in missing {
            let (Some(name), Ok(below)) = (one.file_name(), path.strip_prefix(one)) else {
                continue;
            };
            let named = self.folders.iter().map(|folder| folder.join(name));
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
    fn shares(&self, path: &Path, repository: Option<&GitFolder>) -> Option<&'static str> {
        let folder = GitFolder::of(path)?;
        let commit = self
            .worktree()
            .and_then(|tree| tree.original_head.as_deref());
        let (shares, is_so) = if let Some(repository) = repository {
            ("repository", folder.common == repository.common)
        } else if !path.join(".git").is_dir() {
            // A worktree of another repository, or a submodule.
            return None;
        } else if let Some(commit) = commit.filter(|commit| !commit.is_empty()) {
            ("repository", has_commit(path, commit))
        } else {
            let wanted = self.situation.session.pr_repository.as_deref()?;
            let is_it = |one: &String| is_same_remote(one, wanted);
            ("remote", remotes(path).iter().any(is_it))
        };
        is_so.then_some(shares)
    }
}

/// A path with links followed, if it is there.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A place and the folders in it, as many as there is time for.
fn folders(place: &Path) -> Vec<PathBuf> {
    let entries = place.read_dir().into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).take(MOST_FOLDERS);
    let folders = paths.filter(|path| path.is_dir());
    folders.chain([place.to_owned()]).collect()
}
