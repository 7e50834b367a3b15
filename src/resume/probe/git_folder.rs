//! A repository by its files, to look at many folders without asking git about each.
//!
//! Reads names and a few small files. Git is asked about what was found before it is offered.

use std::fs;
use std::path::{Path, PathBuf};

use crate::paths::normalize;

/// The folder that all working trees of a repository share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitFolder {
    /// The directory in which it was found: the top of a working tree, or a bare repository.
    pub place: PathBuf,
    pub common: PathBuf,
}

impl GitFolder {
    /// The repository of a directory that is the top of a working tree, or bare.
    pub fn of(directory: &Path) -> Option<Self> {
        let inside = directory.join(".git");
        let is_bare = || directory.join("HEAD").is_file() && directory.join("objects").is_dir();
        let git = match fs::metadata(&inside) {
            Ok(found) if found.is_dir() => inside,
            Ok(_) => {
                let text = fs::read_to_string(&inside).ok()?;
                let named = text.strip_prefix("gitdir:")?.trim();
                normalize(&directory.join(named))
            }
            Err(_) if is_bare() => directory.to_owned(),
            Err(_) => return None,
        };
        let common = match fs::read_to_string(git.join("commondir")) {
            Ok(named) => git.join(named.trim_end()),
            Err(_) => git,
        };
        Some(Self {
            place: directory.to_owned(),
            common: common.canonicalize().ok()?,
        })
    }

    /// The repository around a directory.
    pub fn around(directory: &Path) -> Option<Self> {
        directory.ancestors().find_map(Self::of)
    }

    /// The worktree at or above a path that the repository lists, there or gone.
    pub fn listed_around(&self, path: &Path) -> Option<PathBuf> {
        let entries = self.common.join("worktrees").read_dir();
        let files = entries.into_iter().flatten().flatten();
        let trees = files.filter_map(|files| listed_tree(&files.path()));
        let around = trees.filter(|tree| path.starts_with(tree));
        around.max_by_key(|tree| tree.components().count())
    }
}

/// The worktree whose files git keeps in this folder. Since git 2.48 the path may be relative.
fn listed_tree(files: &Path) -> Option<PathBuf> {
    let said = fs::read_to_string(files.join("gitdir")).ok()?;
    let named = normalize(&files.join(said.trim_end()));
    Some(named.parent()?.to_owned())
}

#[cfg(test)]
#[path = "git_folder_tests.rs"]
mod tests;
