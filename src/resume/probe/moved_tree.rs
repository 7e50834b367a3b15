//! Where a working tree is that somebody moved without telling git, which believes it to be in the
//! old place: making it again there would take its registration, and what is staged in it.
//!
//! Only proof counts: the `.git` file of the tree leads to what the repository keeps of it, as it
//! stands or by the same move that its repository made.

use std::path::{Path, PathBuf};

use super::git_folder::GitFolder;
use super::moved::folders_in;
use crate::resume::situation::{Link, MovedTree};

/// How far above a repository somebody may have moved a folder with all that is in it.
const LEVELS: usize = 3;

/// The tree that the repository believes to be in a place where it is not. Guesses are places that
/// may be it by their name.
pub fn moved_tree(folder: &GitFolder, tree: &Path, guesses: &[PathBuf]) -> Option<MovedTree> {
    let files = folder.files_of(tree)?.canonicalize().ok()?;
    let beside = tree.parent().map(folders_in).unwrap_or_default();
    let leads_there = |place: &PathBuf| {
        let pointer = GitFolder::pointer(place).and_then(|pointer| pointer.canonicalize().ok());
        pointer.as_ref() == Some(&files)
    };
    let alone = beside.into_iter().chain(guesses.iter().cloned());
    if let Some(path) = alone.into_iter().find(leads_there) {
        let link = Link::Whole;
        return Some(MovedTree { path, link });
    }
    let link = Link::Broken;
    let path = moved_along(&folder.place, &files, tree)?;
    Some(MovedTree { path, link })
}

/// The tree, if it was moved together with its repository: then one move of a folder around both
/// leads from the old place to the new one, and from where its `.git` file points to what the
/// repository keeps of it.
fn moved_along(repository: &Path, files: &Path, tree: &Path) -> Option<PathBuf> {
    for new in repository.ancestors().take(LEVELS) {
        for old in tree.ancestors().skip(1) {
            let now = new.join(tree.strip_prefix(old).ok()?);
            let Some(pointer) = GitFolder::pointer(&now) else {
                continue;
            };
            let moved = pointer.strip_prefix(old).map(|rest| new.join(rest));
            if moved.is_ok_and(|moved| moved.canonicalize().is_ok_and(|moved| moved == files)) {
                return Some(now);
            }
        }
    }
    None
}
