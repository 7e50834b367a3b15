//! Where a directory that is gone may be now, by names and branches: guesses for a person to look
//! at, never to act on.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use super::git_folder::GitFolder;
use crate::paths::project_name;

/// Folders of a place that are looked into while somebody waits.
const LOOKED_AT: usize = 1000;
/// Places that are offered.
const MOVES: usize = 3;

/// Does a branch say which repository it is of? Not one that every other repository has.
pub fn is_telling(branch: &str) -> bool {
    !matches!(branch, "main" | "master" | "HEAD" | "")
}

/// Names that a branch has in many repositories beside those: to find one by, they are no use.
const COMMON: [&str; 14] = [
    "dev",
    "develop",
    "development",
    "feature",
    "fix",
    "next",
    "prod",
    "production",
    "release",
    "stable",
    "staging",
    "test",
    "trunk",
    "wip",
];

/// Is it one of those?
pub fn is_common(branch: &str) -> bool {
    COMMON.contains(&branch)
}

/// The folders in a place, as many as one can look into. What git keeps for itself is none.
pub fn folders_in(place: &Path) -> Vec<PathBuf> {
    let mut folders = all_folders_in(place);
    folders.truncate(LOOKED_AT);
    folders
}

/// Has a place more folders than are looked into? Then nobody knows that one is the only one.
pub fn is_crowded(place: &Path) -> bool {
    all_folders_in(place).len() > LOOKED_AT
}

/// The names alone take no time.
fn all_folders_in(place: &Path) -> Vec<PathBuf> {
    let entries = place.read_dir().into_iter().flatten().flatten();
    let is_folder = |entry: &DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_symlink() => entry.path().is_dir(),
        Ok(kind) => kind.is_dir(),
        Err(_) => false,
    };
    let folders = entries.filter(is_folder).map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| !path.ends_with(".git")).collect();
    folders.sort_unstable();
    folders
}

/// Where a directory may be now by its name: in a neighbouring folder, or beside its old place
/// under one that is longer or shorter.
pub fn moved_to(missing: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let above = missing.parent().and_then(Path::parent);
    if let Some(name) = missing.file_name() {
        for place in above.into_iter().chain(home) {
            let named = folders_in(place)
                .into_iter()
                .map(|folder| folder.join(name));
            found.extend(named.filter(|path| path.join(".git").exists()));
        }
    }
    if found.is_empty() {
        found.extend(renamed(missing));
    }
    let mut seen = Vec::new();
    found.retain(|path| {
        let is_new = path != missing && !seen.contains(path);
        seen.push(path.clone());
        is_new
    });
    found.truncate(MOVES);
    found
}

/// Repositories beside a lost directory that have its branch. That says little: people give one
/// name to the branches of several repositories. One with sessions of its own was there before.
pub fn with_branch(missing: &Path, branch: &str, root: Option<&Path>) -> Vec<PathBuf> {
    if !is_telling(branch) || is_common(branch) {
        return Vec::new();
    }
    let has_sessions = |path: &Path| {
        let name = project_name(&path.to_string_lossy());
        root.is_some_and(|root| root.join("projects").join(name.as_str()).is_dir())
    };
    let beside = missing.parent().map(folders_in).unwrap_or_default();
    let fits = beside.into_iter().filter(|path| {
        let folder = GitFolder::of(path).filter(GitFolder::is_own_tree);
        folder.is_some_and(|folder| folder.has_branch(branch)) && !has_sessions(path)
    });
    fits.take(MOVES).collect()
}

/// The only repository beside it whose name begins with that of the lost directory, or that begins
/// with its name: `shop` may be `shop-old` now.
fn renamed(missing: &Path) -> Option<PathBuf> {
    let name = missing.file_name()?.to_str()?;
    let is_longer = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest.is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric()))
    };
    let mut found = all_folders_in(missing.parent()?)
        .into_iter()
        .filter(|path| {
            let other = path.file_name().and_then(|other| other.to_str());
            other.is_some_and(|other| is_longer(other, name) || is_longer(name, other))
                && GitFolder::of(path).is_some_and(|folder| folder.is_own_tree())
        });
    let one = found.next();
    one.filter(|_| found.next().is_none())
}

#[cfg(test)]
#[path = "moved_tests.rs"]
mod tests;
