//! The working trees of a repository, as git lists them or as its files name them: believed as
//! they are, gone or not.

use std::path::{Path, PathBuf};

use super::git::{git, to_path};
use crate::files;
use crate::paths::normalize;

/// A working tree as git lists it, there or gone; or the repository itself, if it is bare.
#[derive(Debug, Default)]
pub struct ListedTree {
    pub path: PathBuf,
    pub branch: Option<String>,
    pub is_bare: bool,
    /// Why it is locked, if it is; the reason may be empty.
    pub lock: Option<String>,
}

impl ListedTree {
    /// Is there a working tree, or the repository itself? The directory may have been
    /// emptied, or hold something else.
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

/// The working trees of the repository around a directory, as its files name them. Starts no
/// process. Git knows more: the folder around a bare repository, the main tree of a submodule.
pub fn trees_on_disk(dir: &Path) -> Vec<PathBuf> {
    let around = |top: &Path| Some((top.to_owned(), git_folder(top)?));
    let Some((top, git)) = dir.ancestors().find_map(around) else {
        return Vec::new();
    };
    let common = match files::read_text(&git.join("commondir"), files::SMALL) {
        Ok(named) => normalize(&git.join(named.trim_end())),
        Err(_) => git,
    };
    let mut trees = vec![top];
    if common.ends_with(".git") {
        trees.extend(common.parent().map(Path::to_owned));
    }
    let others = common.join("worktrees").read_dir();
    let others = others.into_iter().flatten().flatten();
    trees.extend(others.filter_map(|files| tree_of(&files.path())));
    for tree in &mut trees {
        *tree = real(tree);
    }
    trees.sort_unstable();
    trees.dedup();
    trees
}

/// The git directory of the working tree whose top this is.
fn git_folder(top: &Path) -> Option<PathBuf> {
    let inside = top.join(".git");
    let git = if inside.is_dir() {
        inside
    } else {
        pointed_to(top, &files::read_text(&inside, files::SMALL).ok()?)?
    };
    git.join("HEAD").exists().then_some(git)
}

/// What the `.git` file of a working tree points to.
pub fn pointed_to(tree: &Path, text: &str) -> Option<PathBuf> {
    let named = text.strip_prefix("gitdir:")?.trim();
    Some(normalize(&tree.join(named)))
}

/// Where git believes the working tree to be that keeps its own files in this folder. Since git
/// 2.48 the path may be relative to them.
pub fn tree_of(files: &Path) -> Option<PathBuf> {
    let said = crate::files::read_text(&files.join("gitdir"), crate::files::SMALL).ok()?;
    let named = normalize(&files.join(said.trim_end()));
    Some(named.parent()?.to_owned())
}

/// The real path where it exists; where it does not, the path without its dots.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| normalize(path))
}
