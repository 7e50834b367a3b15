//! Opens transcripts by their name in their folder, with the folders kept open.
//!
//! The kernel then looks up one name instead of a whole path: 2 % of a whole scan. Files come
//! newest first, so a few folders take turns.

use std::fs::File;
use std::io;

use super::session::FileInfo;

#[cfg(unix)]
pub use kept::Folders;

#[cfg(unix)]
mod kept {
    use std::collections::HashMap;
    use std::os::fd::OwnedFd;
    use std::sync::Arc;

    use rustix::fs::{Mode, OFlags, open, openat};

    use super::{File, FileInfo, io};
    use crate::store::session::Project;

    /// Folders that one thread keeps open: more than are in use at a time, and far from the
    /// number of files that a process may have open.
    pub const MOST: usize = 96;

    /// Looking up names needs no right to list them.
    #[cfg(target_os = "linux")]
    const FOR_LOOKUP: OFlags = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    const FOR_LOOKUP: OFlags = OFlags::RDONLY;

    #[derive(Debug, Default)]
    pub struct Folders {
        /// By the address of the project, which is held as long as its folder is.
        open: HashMap<usize, (Arc<Project>, OwnedFd)>,
        name: Vec<u8>,
    }

    impl Folders {
        /// Opens a transcript for reading.
        pub fn open(&mut self, file: &FileInfo) -> io::Result<File> {
            let mut name = std::mem::take(&mut self.name);
            name.clear();
            name.extend_from_slice(file.id.as_bytes());
            name.extend_from_slice(b".jsonl");
            let Some(folder) = self.folder(&file.project) else {
                return crate::files::open(&file.path());
            };
            // Should a pipe have taken its place, nobody waits for it.
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
            let opened = openat(folder, &*name, flags, Mode::empty());
            self.name = name;
            Ok(opened?.into())
        }

        /// A folder that is open now. `None` if it cannot be opened for itself.
        fn folder(&mut self, project: &Arc<Project>) -> Option<&OwnedFd> {
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

        #[cfg(test)]
        pub fn kept(&self) -> usize {
            self.open.len()
        }
    }
}

#[cfg(not(unix))]
#[derive(Debug, Default)]
pub struct Folders;

#[cfg(not(unix))]
impl Folders {
    pub fn open(&mut self, file: &FileInfo) -> io::Result<File> {
        crate::files::open(&file.path())
    }
}

#[cfg(all(test, unix))]
#[path = "folders_tests.rs"]
mod tests;
