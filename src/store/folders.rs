//! Opens transcripts by their name in their folder, with the folders kept open.
//!
//! The kernel then looks up one name instead of a whole path: 2 % of a whole scan. Files come
//! newest first, so a few folders take turns.

use std::fs::File;
use std::io;

use super::session::Stamp;

#[cfg(unix)]
pub use kept::Folders;

#[cfg(unix)]
mod kept {
    use std::os::fd::OwnedFd;
    use std::sync::Arc;

    use rustix::fs::{Mode, OFlags, open, openat};

    use super::{File, Stamp, io};
    use crate::store::session::Project;

    /// Folders that one thread keeps open: more than are in use at a time, and far from the
    /// number of files that a process may have open.
    pub const MOST: usize = 48;

    /// Looking up names needs no right to list them.
    #[cfg(target_os = "linux")]
    const FOR_LOOKUP: OFlags = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    const FOR_LOOKUP: OFlags = OFlags::RDONLY;

    #[derive(Debug, Default)]
    pub struct Folders {
        open: Vec<(Arc<Project>, OwnedFd)>,
        /// The next one to be closed for another.
        oldest: usize,
        name: Vec<u8>,
    }

    impl Folders {
        /// Opens a transcript for reading.
        pub fn open(&mut self, stamp: &Stamp) -> io::Result<File> {
            self.name.clear();
            self.name.extend_from_slice(stamp.id.as_bytes());
            self.name.extend_from_slice(b".jsonl");
            let at = self.place(&stamp.project);
            let Some((_, folder)) = at.and_then(|at| self.open.get(at)) else {
                return File::open(stamp.path());
            };
            // Should a pipe have taken its place, nobody waits for it.
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
            Ok(openat(folder, &*self.name, flags, Mode::empty())?.into())
        }

        /// Where a folder stands among the open ones. `None` if it cannot be opened for itself.
        fn place(&mut self, project: &Arc<Project>) -> Option<usize> {
            let known = self
                .open
                .iter()
                .position(|(kept, _)| Arc::ptr_eq(kept, project));
            if known.is_some() {
                return known;
            }
            let flags = FOR_LOOKUP | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let folder = open(&project.dir, flags, Mode::empty()).ok()?;
            let entry = (Arc::clone(project), folder);
            if self.open.len() < MOST {
                self.open.push(entry);
                return Some(self.open.len() - 1);
            }
            let at = self.oldest;
            self.oldest = (at + 1) % MOST;
            self.open[at] = entry;
            Some(at)
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
    pub fn open(&mut self, stamp: &Stamp) -> io::Result<File> {
        File::open(stamp.path())
    }
}

#[cfg(all(test, unix))]
#[path = "folders_tests.rs"]
mod tests;
