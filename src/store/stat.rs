//! Phase 1: every `projects/*/*.jsonl` with its size and time, opening no file.
//!
//! Links are followed once: two ways to one folder are one folder. What cannot be listed is
//! counted and named, never fatal.

use std::collections::HashSet;
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::UNIX_EPOCH;

use super::session::{FileState, Millis, Project, Stamp};

/// A folder with more entries than this is worth sharing among the threads.
const LARGE_FOLDER: usize = 4096;

/// What could not be read. Files that could not be are sessions hidden as unreadable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Folders that could not be listed.
    pub folders: Vec<PathBuf>,
    /// Files that were gone before they could be read.
    pub vanished: usize,
}

/// The result of phase 1, newest first.
#[derive(Debug, Default)]
pub struct Listing {
    pub stamps: Vec<Stamp>,
    pub trouble: Trouble,
}

/// Lists the sessions of all roots.
pub fn list(roots: &[PathBuf], threads: usize) -> Listing {
    let mut listing = Listing::default();
    let projects = project_folders(roots, &mut listing.trouble);
    let next = AtomicUsize::new(0);
    let merged = Mutex::new(&mut listing);
    thread::scope(|scope| {
        let work = || {
            while let Some(project) = projects.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found = list_folder(project, threads);
                let mut merged = merged.lock().unwrap_or_else(PoisonError::into_inner);
                match found {
                    Ok((stamps, vanished)) => {
                        merged.stamps.extend(stamps);
                        merged.trouble.vanished += vanished;
                    }
                    Err(_) => merged.trouble.folders.push(project.dir.clone()),
                }
            }
        };
        for _ in 1..threads.min(projects.len()) {
            scope.spawn(work);
        }
        work();
    });
    // Ties by id keep the order the same from run to run.
    listing
        .stamps
        .sort_unstable_by(|a, b| b.modified.cmp(&a.modified).then_with(|| b.id.cmp(&a.id)));
    listing.trouble.folders.sort_unstable();
    listing
}

/// Stats one session; `None` if it is not there.
pub fn stamp_one(root: &Path, project_dir: &Path, id: &str) -> Option<Stamp> {
    let project = Arc::new(Project::new(root.into(), project_dir.to_owned()));
    let metadata = fs::metadata(project_dir.join(format!("{id}.jsonl"))).ok()?;
    let has_folder = project_dir.join(id).is_dir();
    Some(stamp(id, &project, Ok(metadata), has_folder))
}

impl Project {
    fn new(root: Arc<Path>, dir: PathBuf) -> Self {
        let name = dir
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        Self { root, dir, name }
    }
}

/// The folders under every root's `projects/`, each physical folder once.
fn project_folders(roots: &[PathBuf], trouble: &mut Trouble) -> Vec<Arc<Project>> {
    let mut seen = HashSet::new();
    let mut folders = Vec::new();
    for root in roots {
        let projects = root.join("projects");
        if !first_visit(&mut seen, &projects) {
            continue;
        }
        let root: Arc<Path> = root.as_path().into();
        let entries = match fs::read_dir(&projects) {
            Ok(entries) => entries,
            // Whether a root without sessions is an error is for the caller to say.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => {
                trouble.folders.push(projects);
                continue;
            }
        };
        let mut found = Vec::new();
        let mut linked = Vec::new();
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => found.push(entry.path()),
                Ok(kind) if kind.is_symlink() => linked.push(entry.path()),
                _ => {}
            }
        }
        // Real folders first, so that a link to one of them is the duplicate, not the original.
        linked.retain(|link| link.is_dir());
        linked.sort_unstable();
        found.append(&mut linked);
        for dir in found {
            if first_visit(&mut seen, &dir) {
                folders.push(Arc::new(Project::new(Arc::clone(&root), dir)));
            }
        }
    }
    folders
}

/// Is this the first path that leads to this folder?
fn first_visit(seen: &mut HashSet<FolderKey>, folder: &Path) -> bool {
    folder_key(folder).is_none_or(|key| seen.insert(key))
}

#[cfg(unix)]
type FolderKey = (u64, u64);

#[cfg(unix)]
fn folder_key(folder: &Path) -> Option<FolderKey> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(folder).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
type FolderKey = PathBuf;

#[cfg(not(unix))]
fn folder_key(folder: &Path) -> Option<FolderKey> {
    fs::canonicalize(folder).ok()
}

/// The sessions of one folder, and how many vanished while it was listed.
fn list_folder(project: &Arc<Project>, threads: usize) -> io::Result<(Vec<Stamp>, usize)> {
    let mut files = Vec::new();
    let mut session_folders = HashSet::new();
    for entry in fs::read_dir(&project.dir)? {
        // A folder that breaks off in the middle still has the entries before.
        let Ok(entry) = entry else { break };
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        match name.to_string_lossy().strip_suffix(".jsonl") {
            Some(id) => files.push(Found {
                id: id.into(),
                entry,
                kind,
            }),
            None if kind.is_dir() => {
                session_folders.insert(name.to_string_lossy().into_owned());
            }
            None => {}
        }
    }
    let share = if files.len() > LARGE_FOLDER {
        files.len().div_ceil(threads)
    } else {
        files.len().max(1)
    };
    let stat = |found: &Found| {
        let has_folder = session_folders.contains(&*found.id);
        found.metadata().map_or_else(
            |error| match error.kind() {
                io::ErrorKind::NotFound if !found.kind.is_symlink() => None,
                _ => Some(stamp(&found.id, project, Err(()), has_folder)),
            },
            |metadata| Some(stamp(&found.id, project, Ok(metadata), has_folder)),
        )
    };
    let stamps: Vec<Stamp> = thread::scope(|scope| {
        let mut shares = files.chunks(share);
        let mine = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|share| scope.spawn(|| share.iter().filter_map(stat).collect::<Vec<_>>()))
            .collect();
        let mut stamps: Vec<Stamp> = mine.iter().filter_map(stat).collect();
        for other in others {
            stamps.extend(other.join().unwrap_or_default());
        }
        stamps
    });
    let vanished = files.len() - stamps.len();
    Ok((stamps, vanished))
}

/// An entry called `*.jsonl`.
struct Found {
    id: Box<str>,
    entry: DirEntry,
    kind: FileType,
}

impl Found {
    /// What `stat` says, behind links. Asking the entry saves walking the path where it is none.
    fn metadata(&self) -> io::Result<Metadata> {
        if self.kind.is_symlink() {
            fs::metadata(self.entry.path())
        } else {
            self.entry.metadata()
        }
    }
}

fn stamp(
    id: &str,
    project: &Arc<Project>,
    metadata: Result<Metadata, ()>,
    has_folder: bool,
) -> Stamp {
    let (size, modified, state) = match metadata {
        Ok(metadata) if metadata.is_file() => {
            (metadata.len(), modified(&metadata), FileState::File)
        }
        Ok(metadata) => (0, modified(&metadata), FileState::NotAFile),
        Err(()) => (0, 0, FileState::Unreadable),
    };
    Stamp {
        id: id.into(),
        project: Arc::clone(project),
        size,
        modified,
        state,
        has_folder,
    }
}

/// The modification time in whole milliseconds, rounded as Claude Code's runtime does.
fn modified(metadata: &Metadata) -> Millis {
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    let nanos = match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
        Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
    };
    Millis::try_from((nanos + 500_000).div_euclid(1_000_000)).unwrap_or_default()
}
