//! The working trees of the repository that a directory belongs to, as git tells them.
//!
//! Asks `git` and believes it, except in three places where its answer is not where a person
//! works: a bare repository, which often lies hidden in the folder of its working trees, a path
//! relative to git's own files, and a submodule, whose main tree it reports as a folder under
//! `.git/modules`. No git, no repository or no answer
//! within the time limit all mean: none known.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::git::{git, to_path, with_timeout};
use super::trees::{ListedTree, listed_trees, pointed_to, real};
use crate::files;
use crate::paths::normalize;

/// All working trees of the repository around `dir`, those whose folder is gone included.
/// Empty if there is no repository.
pub fn worktrees(dir: &Path) -> Vec<PathBuf> {
    let dir = dir.to_owned();
    with_timeout(move || ask(&dir)).unwrap_or_default()
}

fn ask(dir: &Path) -> Vec<PathBuf> {
    let listed = listed_trees(dir);
    if listed.is_empty() {
        return Vec::new();
    }
    let common = git(dir, &["rev-parse", "--git-common-dir"])
        .map(|path| normalize(&dir.join(to_path(path.trim_ascii_end()))));
    let mut trees: Vec<PathBuf> = Vec::new();
    for ListedTree { path, is_bare, .. } in listed {
        if is_bare {
            trees.extend(folder_around(&path));
            trees.push(real(&path));
            continue;
        }
        let path = match &common {
            Some(common) if path == *common => main_tree_of_submodule(dir, common),
            // Relative to `.git/worktrees/<name>/`, whatever the name.
            Some(common) if path.is_relative() => Some(common.join("worktrees/x").join(&path)),
            _ => Some(path),
        };
        trees.extend(path.map(|path| real(&path)));
    }
    // The tree around `dir`, which git does not list inside a submodule.
    let top = git(dir, &["rev-parse", "--show-toplevel"]);
    trees.extend(top.map(|path| real(&to_path(path.trim_ascii_end()))));
    trees.sort_unstable();
    trees.dedup();
    trees
}

/// The folder that a hidden bare repository serves: a file in it says so.
fn folder_around(bare: &Path) -> Option<PathBuf> {
    let folder = bare.parent()?;
    let text = files::read_text(&folder.join(".git"), files::SMALL).ok()?;
    (real(&pointed_to(folder, &text)?) == real(bare)).then(|| real(folder))
}

/// A submodule's git directory names its working tree in its configuration.
fn main_tree_of_submodule(dir: &Path, common: &Path) -> Option<PathBuf> {
    let config = common.join("config");
    let named = git(
        dir,
        &[
            OsStr::new("config"),
            OsStr::new("--file"),
            config.as_os_str(),
            OsStr::new("core.worktree"),
        ],
    )?;
    Some(common.join(to_path(named.trim_ascii_end())))
}
