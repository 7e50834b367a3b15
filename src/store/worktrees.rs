//! The working trees of the repository that a directory belongs to, as git tells them.
//!
//! Asks `git` and believes it, except in three places where its answer is not where a person
//! works: a bare repository, which often lies hidden in the folder of its working trees, a path
//! relative to git's own files, and a submodule, whose main tree it reports as a folder under
//! `.git/modules`. No git, no repository or no answer
//! within the time limit all mean: none known.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::git::{git, patiently, to_path};
use crate::paths::normalize;

/// All working trees of the repository around `dir`, those whose folder is gone included.
/// Empty if there is no repository.
pub fn worktrees(dir: &Path) -> Vec<PathBuf> {
    let dir = dir.to_owned();
    patiently(move || ask(&dir)).unwrap_or_default()
}

fn ask(dir: &Path) -> Vec<PathBuf> {
    // Since git 2.36 records end in NUL, so that a path may hold a newline.
    let listed = git(dir, &["worktree", "list", "--porcelain", "-z"])
        .map(|listed| (listed, 0))
        .or_else(|| Some((git(dir, &["worktree", "list", "--porcelain"])?, b'\n')));
    let Some((listed, separator)) = listed else {
        return Vec::new();
    };
    let common = git(dir, &["rev-parse", "--git-common-dir"])
        .map(|path| normalize(&dir.join(to_path(path.trim_ascii_end()))));
    let mut trees: Vec<PathBuf> = Vec::new();
    let (listed, bare) = parse(&listed, separator);
    if let Some(bare) = bare {
        trees.extend(folder_around(&bare));
        trees.push(real(&bare));
    }
    for tree in listed {
        let path = match &common {
            Some(common) if tree == *common => main_tree_of_submodule(dir, common),
            // Relative to `.git/worktrees/<name>/`, whatever the name.
            Some(common) if tree.is_relative() => Some(common.join("worktrees/x").join(&tree)),
            _ => Some(tree),
        };
        trees.extend(path.map(|path| real(&path)));
    }
    // The tree one stands in, which git does not list inside a submodule.
    let top = git(dir, &["rev-parse", "--show-toplevel"]);
    trees.extend(top.map(|path| real(&to_path(path.trim_ascii_end()))));
    trees.sort_unstable();
    trees.dedup();
    trees
}

/// The folder that a hidden bare repository serves: a file in it says so.
fn folder_around(bare: &Path) -> Option<PathBuf> {
    let folder = bare.parent()?;
    let text = std::fs::read_to_string(folder.join(".git")).ok()?;
    let named = text.strip_prefix("gitdir:")?.trim();
    (real(&folder.join(named)) == real(bare)).then(|| real(folder))
}

/// The paths in porcelain output, and that of the repository if it is bare.
fn parse(listed: &[u8], separator: u8) -> (Vec<PathBuf>, Option<PathBuf>) {
    let mut trees = Vec::new();
    let mut bare = None;
    let mut current = None;
    for line in listed.split(|b| *b == separator) {
        if let Some(path) = line.strip_prefix(b"worktree ") {
            trees.extend(current.replace(to_path(path)));
        } else if line == b"bare" {
            bare = current.take();
        }
    }
    trees.extend(current);
    (trees, bare)
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

/// The real path where it exists; where it does not, the path without its dots.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| normalize(path))
}
