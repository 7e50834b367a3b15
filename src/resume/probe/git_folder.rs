//! A repository by its files, to look at many folders without asking git about each.
//!
//! Reads names and a few small files. Git is asked about what was found before it is offered.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files;
use crate::store::{pointed_to, tree_of};

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
            Ok(_) => pointed_to(directory, &files::read_text(&inside, files::SMALL).ok()?)?,
            Err(_) if is_bare() => directory.to_owned(),
            Err(_) => return None,
        };
        let common = match files::read_text(&git.join("commondir"), files::SMALL) {
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
        let entries = entries.into_iter().flatten().flatten();
        let trees = entries.filter_map(|entry| tree_of(&entry.path()));
        let around = trees.filter(|tree| path.starts_with(tree));
        around.max_by_key(|tree| tree.components().count())
    }
}

#[cfg(test)]
#[path = "git_folder_tests.rs"]
mod tests;
