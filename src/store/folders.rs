//! Opens transcripts by their name in their folder, with the folders kept open.
//!
//! The kernel then looks up one name instead of a whole path: 2 % of a whole scan. Files come
//! newest first, so a few folders take turns.

use std::fs::File;
use std::io;

#[cfg(unix)]
use {
    super::session::Project,
    rustix::fs::{Mode, OFlags, open, openat},
    std::collections::HashMap,
    std::os::fd::OwnedFd,
    std::sync::Arc,
};

use super::session::FileInfo;

/// Folders that one thread keeps open: more than are in use at a time, and far from the number of
/// files that a process may have open.
#[cfg(unix)]
const MOST: usize = 96;

#[derive(Debug, Default)]
pub struct Folders {
    /// By the address of the project, which is held as long as its folder is.
    #[cfg(unix)]
    open: HashMap<usize, (Arc<Project>, OwnedFd)>,
}

impl Folders {
    /// Opens a transcript for reading.
    pub fn open(&mut self, file: &FileInfo) -> io::Result<File> {
        #[cfg(unix)]
        if let Some(folder) = self.folder(&file.project) {
            // Should a pipe have taken its place, opening it does not wait for a writer.
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
            let name = format!("{}.jsonl", file.id);
            return Ok(openat(folder, name, flags, Mode::empty())?.into());
        }
        crate::files::open(&file.path())
    }

    /// A folder that is open now. `None` if it cannot be opened for itself.
    #[cfg(unix)]
    fn folder(&mut self, project: &Arc<Project>) -> Option<&OwnedFd> {
        // Looking up names needs no right to list them.
        #[cfg(target_os = "linux")]
        const FOR_LOOKUP: OFlags = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        const FOR_LOOKUP: OFlags = OFlags::RDONLY;
        let key = Arc::as_ptr(project) as usize;
        if !self.open.contains_key(&key) {
            let flags = FOR_LOOKUP | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let folder = open(&project.dir, flags, Mode::empty()).ok()?;
            if self.open.len() == MOST {
                self.open.clear();
            }
            self.open.insert(key, (Arc::clone(project), folder));
        }
        self.open.get(&key).map(|(_, folder)| folder)
    }
}

#[cfg(all(test, unix))]
#[path = "folders_tests.rs"]
mod tests;
