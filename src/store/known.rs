//! What an earlier scan read of a file, and when it still holds.
//!
//! It holds as long as the file and its sidecars have the size, the time and the inode that they
//! had. Where it is kept between scans is for others: nothing here reads or writes it.

use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::scan::ScanDepth;
use super::session::{FileInfo, FileState, Hidden, Millis, Project, Session, SessionMeta};
use super::sidecar;

/// The time of a file is only as fine as the clock of its file system: two seconds on FAT. A file
/// that was changed within them may change again and keep its time.
const COARSEST_CLOCK: Duration = Duration::from_secs(2);

/// Tells one content of a file from the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileVersion {
    pub size: u64,
    /// The modification time, in nanoseconds since the epoch.
    pub nanos: i64,
    /// 0 where files have none.
    pub inode: u64,
}

impl FileVersion {
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self {
            size: metadata.len(),
            nanos: metadata.modified().map_or(0, nanos),
            inode,
        }
    }

    fn at(path: &Path) -> Option<Self> {
        Some(Self::of(&fs::metadata(path).ok()?))
    }
}

/// Nanoseconds since the epoch, up to the year 2262.
pub fn nanos(time: SystemTime) -> i64 {
    let nanos = |span: Duration| i64::try_from(span.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after),
        Err(before) => -nanos(before.duration()),
    }
}

/// The version of a session's own folder and of the sidecars in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SidecarVersions {
    /// When a file last came into the folder or left it, in nanoseconds since the epoch.
    pub folder: i64,
    pub title: Option<FileVersion>,
    pub archived: Option<FileVersion>,
}

impl SidecarVersions {
    pub fn of(folder: &Path) -> Self {
        Self {
            folder: folder_nanos(folder),
            title: FileVersion::at(&folder.join(sidecar::TITLE)),
            archived: FileVersion::at(&folder.join(sidecar::ARCHIVED)),
        }
    }

    /// Is everything as it was? A sidecar that was not there is not looked for: it would have
    /// changed the folder. Most sessions with a folder have none.
    fn still_hold(&self, folder: &Path) -> bool {
        let is_same = |name, version: Option<FileVersion>| {
            version.is_none() || FileVersion::at(&folder.join(name)) == version
        };
        folder_nanos(folder) == self.folder
            && is_same(sidecar::TITLE, self.title)
            && is_same(sidecar::ARCHIVED, self.archived)
    }

    fn newest(&self) -> i64 {
        let files = [self.title, self.archived].into_iter().flatten();
        files.fold(self.folder, |newest, file| newest.max(file.nanos))
    }
}

fn folder_nanos(folder: &Path) -> i64 {
    FileVersion::at(folder).map_or(0, |version| version.nanos)
}

/// What a scan read of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub file: FileVersion,
    /// `None` if the session had no folder.
    pub sidecars: Option<SidecarVersions>,
    pub meta: SessionMeta,
    pub hidden: Option<Hidden>,
}

impl Summary {
    /// Is this what reading the file would give?
    pub fn is_of(&self, file: &FileInfo) -> bool {
        self.file == file.version()
            && self.sidecars.is_some() == file.has_folder
            && self
                .sidecars
                .is_none_or(|sidecars| sidecars.still_hold(&file.folder()))
    }

    /// The session as it was when its file was read. It may be another one now.
    pub fn into_session(self, id: Box<str>, project: Arc<Project>) -> Session {
        let FileVersion { size, nanos, inode } = self.file;
        Session {
            file: FileInfo {
                id,
                project,
                size,
                modified: millis(i128::from(nanos)),
                state: FileState::File,
                has_folder: self.sidecars.is_some(),
                nanos,
                inode,
            },
            meta: self.meta,
            hidden: self.hidden,
        }
    }
}

/// Nanoseconds in whole milliseconds, rounded as Claude Code's runtime does.
pub fn millis(nanos: i128) -> Millis {
    Millis::try_from((nanos + 500_000).div_euclid(1_000_000)).unwrap_or_default()
}

/// What is known from earlier scans. Asked by all threads of a scan at once.
pub trait Known: Sync {
    /// Called once, beside the stat pass.
    fn prepare(&self);

    /// What was read of this file, or of an earlier version of it. Only asked for files that
    /// would be opened, so that the depth of the earlier scan does not matter.
    fn recall(&self, file: &FileInfo) -> Option<Summary>;

    /// Takes what was read of a file, and the depth of scan that opens it.
    fn learn(&self, session: &Session, sidecars: Option<SidecarVersions>, depth: ScanDepth);
}

/// May what was read be believed later, if nothing seems to have changed? `began` is a time before
/// the stat pass.
pub fn is_settled(file: &FileInfo, sidecars: Option<SidecarVersions>, began: SystemTime) -> bool {
    let newest = sidecars.map_or(i64::MIN, |sidecars| sidecars.newest());
    let latest = nanos(began).saturating_sub(nanos(UNIX_EPOCH + COARSEST_CLOCK));
    file.nanos.max(newest) < latest
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
