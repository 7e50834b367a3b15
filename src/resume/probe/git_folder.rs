//! A repository as its files show it, for looking at many folders without asking git for each.
//!
//! Reads names and a few small files, and believes them only so far: whatever is offered to the
//! person is asked of git before.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::files;
use crate::resume::git::has_branch;
use crate::resume::situation::is_branch;
use crate::store::{Millis, pointed_to, tree_of};

/// The folder in which all working trees of a repository keep what they share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitFolder {
    /// The directory in which it was found: the top of a working tree, or a bare repository.
    pub place: PathBuf,
    pub common: PathBuf,
    pub kind: Kind,
}

/// What the place is to its repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Its own: the main working tree, a submodule, or a bare repository.
    Own,
    /// A working tree beside the main one, and where git believes it to be: elsewhere, if somebody
    /// moved it by hand.
    Linked(Option<PathBuf>),
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
        let (common, kind) = match files::read_text(&git.join("commondir"), files::SMALL) {
            Ok(named) => (git.join(named.trim_end()), Kind::Linked(tree_of(&git))),
            Err(_) => (git, Kind::Own),
        };
        Some(Self {
            place: directory.to_owned(),
            common: common.canonicalize().ok()?,
            kind,
        })
    }

    /// The top of the working tree around a directory whose files point to a repository that is
    /// not there.
    pub fn severed(directory: &Path) -> Option<PathBuf> {
        let top = directory
            .ancestors()
            .find(|path| path.join(".git").exists())?;
        (!Self::pointer(top)?.exists()).then(|| top.to_owned())
    }

    /// Where the `.git` file of a working tree beside the main one points to, there or not.
    pub fn pointer(tree: &Path) -> Option<PathBuf> {
        pointed_to(
            tree,
            &files::read_text(&tree.join(".git"), files::SMALL).ok()?,
        )
    }

    /// The repository around a directory.
    pub fn around(directory: &Path) -> Option<Self> {
        directory.ancestors().find_map(Self::of)
    }

    /// Is it a main working tree? Nobody works in a bare repository.
    pub fn is_own_tree(&self) -> bool {
        self.kind == Kind::Own && self.place.join(".git").exists()
    }

    /// Does it remember a working tree there, be it gone or not?
    pub fn lists(&self, tree: &Path) -> bool {
        self.files_of(tree).is_some()
    }

    /// Where it keeps the files of the working tree that it believes to be there.
    pub fn files_of(&self, tree: &Path) -> Option<PathBuf> {
        let entries = self.common.join("worktrees").read_dir();
        let entries = entries.into_iter().flatten().flatten();
        let mut files = entries.map(|entry| entry.path());
        files.find(|files| tree_of(files).is_some_and(|path| path == tree))
    }

    /// What people call the repository.
    pub fn name(&self) -> Option<&str> {
        let own = self.common.file_name()?.to_str()?;
        match own.strip_suffix(".git").unwrap_or(own) {
            "" | ".bare" => self.common.parent()?.file_name()?.to_str(),
            name => Some(name),
        }
    }

    pub fn has_branch(&self, branch: &str) -> bool {
        if !is_branch(branch) {
            return false;
        }
        if self.common.join("reftable").is_dir() {
            return has_branch(&self.common, branch);
        }
        let packed = || {
            let listed = files::read_text(&self.common.join("packed-refs"), files::LARGE)
                .unwrap_or_default();
            let name = format!(" refs/heads/{branch}");
            listed.lines().any(|line| line.ends_with(&name))
        };
        self.common.join("refs/heads").join(branch).is_file() || packed()
    }

    /// When it was made at the latest, as far as the disk tells: `git init` writes a description
    /// that hardly anybody changes, and moving keeps the time of a file where it does not keep
    /// that of the folder.
    pub fn made(&self) -> Option<Millis> {
        let folder = self.common.metadata().and_then(|found| found.created());
        let description = self.common.join("description").metadata();
        let description = description.and_then(|found| found.modified());
        let times = [folder, description].into_iter().flatten();
        let since = times.filter_map(|time| time.duration_since(UNIX_EPOCH).ok());
        since.map(|since| millis(since.as_millis())).min()
    }
}

/// When a directory was made, where the disk tells.
pub fn born(directory: &Path) -> Option<Millis> {
    let born = directory
        .metadata()
        .and_then(|found| found.created())
        .ok()?;
    let since = born.duration_since(UNIX_EPOCH).ok()?;
    Some(millis(since.as_millis()))
}

fn millis(since: u128) -> Millis {
    Millis::try_from(since).unwrap_or(Millis::MAX)
}

#[cfg(test)]
#[path = "git_folder_tests.rs"]
mod tests;
