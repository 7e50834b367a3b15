//! The directories that the project folders of a store stand for.
//!
//! A folder's name does not say which directory it is of; the sessions in it do.

use std::path::{Path, PathBuf};

use crate::paths::project_name;
use crate::store::rescan;

/// Folders of a store that are looked into, and sessions in each: enough to know where somebody
/// works, little enough that nobody waits.
const MOST_FOLDERS: usize = 1000;
const MOST_SESSIONS: usize = 32;

/// The directories of a store that are there, one for each project folder that names one.
pub fn known_directories(root: &Path) -> Vec<PathBuf> {
    let folders = root.join("projects").read_dir();
    let folders = folders.into_iter().flatten().flatten().take(MOST_FOLDERS);
    let mut found: Vec<PathBuf> = folders
        .filter_map(|folder| directory_of(root, &folder.path()))
        .filter(|directory| directory.is_dir())
        .collect();
    found.sort_unstable();
    found
}

/// The directory that the sessions of a project folder name and that it is called after.
pub fn directory_of(root: &Path, folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?;
    let files = folder.read_dir().into_iter().flatten().flatten();
    let ids = files.filter_map(|file| {
        let file = file.file_name();
        file.to_str()?.strip_suffix(".jsonl").map(str::to_owned)
    });
    ids.take(MOST_SESSIONS).find_map(|id| {
        let cwd = rescan(root, folder, &id)?.lite.cwd?;
        let is_filed = project_name(&cwd).matches(name);
        let path = PathBuf::from(&*cwd);
        (is_filed && path.is_absolute()).then_some(path)
    })
}

/// Directories that are read while looking for one by the name of its folder.
const MOST_READ: usize = 2000;

/// The directories on this machine that a project folder can be called after. None if there is
/// more to read than anybody would wait for: a few of them would pass for all.
pub fn directories_called(folder: &str) -> Vec<PathBuf> {
    let mut walk = Walk {
        folder,
        found: Vec::new(),
        left: MOST_READ,
    };
    match walk.down(Path::new("/")) {
        Some(()) => walk.found,
        None => Vec::new(),
    }
}

struct Walk<'a> {
    folder: &'a str,
    found: Vec<PathBuf>,
    left: usize,
}

impl Walk<'_> {
    /// Goes down where the name may lead. `None` when it is too much.
    fn down(&mut self, place: &Path) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let entries = place.read_dir().into_iter().flatten().flatten();
        for entry in entries {
            // A link leads to a directory that Claude Code knows by another name.
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let path = entry.path();
            let Some(text) = path.to_str() else { continue };
            let name = project_name(text);
            if name.matches(self.folder) {
                self.found.push(path);
                continue;
            }
            let rest = self.folder.strip_prefix(name.as_str());
            if rest.is_some_and(|rest| rest.starts_with('-')) {
                self.down(&path)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
#[path = "projects_tests.rs"]
mod tests;
