//! The working trees of a repository as git lists them: believed as they are, gone or not.

use std::path::{Path, PathBuf};

use super::git::{git, to_path};

/// A working tree as git lists it, there or gone; or the repository itself, if it is bare.
#[derive(Debug, Default)]
pub struct ListedTree {
    pub path: PathBuf,
    pub branch: Option<String>,
    pub is_bare: bool,
    /// Why git may not forget it, if somebody said that; the reason may be empty.
    pub lock: Option<String>,
}

impl ListedTree {
    /// Is there a working tree, or the repository itself? A directory may stand there that was
    /// emptied, or that something else was put into.
    pub fn is_there(&self) -> bool {
        self.path.join(".git").exists() || self.path.join("HEAD").is_file()
    }
}

/// The working trees of a repository, the main one first. Empty if git does not answer.
pub fn listed_trees(dir: &Path) -> Vec<ListedTree> {
    // Since git 2.36 records end in NUL, so that a path may hold a newline.
    let listed = git(dir, &["worktree", "list", "--porcelain", "-z"])
        .map(|listed| (listed, 0))
        .or_else(|| Some((git(dir, &["worktree", "list", "--porcelain"])?, b'\n')));
    let Some((listed, separator)) = listed else {
        return Vec::new();
    };
    let mut trees: Vec<ListedTree> = Vec::new();
    for line in listed.split(|b| *b == separator) {
        if let Some(path) = line.strip_prefix(b"worktree ") {
            trees.push(ListedTree {
                path: to_path(path),
                ..ListedTree::default()
            });
        } else if let Some(tree) = trees.last_mut() {
            if let Some(name) = line.strip_prefix(b"branch refs/heads/") {
                tree.branch = Some(String::from_utf8_lossy(name).into_owned());
            }
            tree.is_bare |= line == b"bare";
            if let Some(reason) = line.strip_prefix(b"locked") {
                let reason = String::from_utf8_lossy(reason.trim_ascii());
                tree.lock = Some(reason.into_owned());
            }
        }
    }
    trees
}
