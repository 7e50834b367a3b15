//! Phase 1: every `projects/*/*.jsonl` with its size and time, opening no file.
//!
//! Links are followed once: two ways to one folder are one folder. What cannot be listed is
//! counted and named, never fatal.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::UNIX_EPOCH;

use super::known::{FileVersion, millis};
use super::session::{FileInfo, FileState, Millis, Project};
use crate::files;

/// A folder with more entries than this is worth sharing among the threads.
const LARGE_FOLDER: usize = 4096;

/// What could not be read. Files that could not be are sessions hidden as unreadable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Folders that could not be listed, or not to their end, and why.
    pub folders: Vec<(PathBuf, String)>,
    /// Files that were not opened, because the process had too many files open.
    pub unread: Vec<PathBuf>,
    /// Files that were gone before they could be read.
    pub vanished: usize,
}

impl Trouble {
    fn note(&mut self, folder: &Path, error: &io::Error) {
        self.folders.push((folder.to_owned(), error.to_string()));
    }

    /// Was everything in this root read?
    pub fn spares(&self, root: &Path) -> bool {
        let folders = self.folders.iter().map(|(folder, _)| folder);
        !folders
            .chain(&self.unread)
            .any(|path| path.starts_with(root))
    }

    /// Those of these roots of which everything was read. One without its folder may be on a disk that
    /// is not mounted.
    pub fn whole(&self, roots: &[PathBuf]) -> Vec<PathBuf> {
        let is_whole = |root: &&PathBuf| self.spares(root) && root.join("projects").is_dir();
        roots.iter().filter(is_whole).cloned().collect()
    }

    /// May this file be there although the scan has not told of it?
    pub fn hides(&self, file: &FileInfo) -> bool {
        let is_above = |(folder, _): &(PathBuf, String)| file.project.dir.starts_with(folder);
        self.folders.iter().any(is_above) || self.unread.contains(&file.path())
    }
}

/// The result of phase 1, newest first.
#[derive(Debug, Default)]
pub struct FileListing {
    pub files: Vec<FileInfo>,
    pub trouble: Trouble,
}

impl FileListing {
    /// Which conversations are there.
    pub fn conversations(self) -> Conversations {
        let mut sizes = HashMap::new();
        for file in self.files {
            if file.state == FileState::File {
                // The same id may have files in two projects.
                let size = sizes.entry(file.id).or_default();
                *size = file.size.max(*size);
            }
        }
        Conversations { sizes }
    }
}

/// The conversations that have a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversations {
    sizes: HashMap<Box<str>, u64>,
}

impl Conversations {
    /// The size of the largest file of a conversation.
    pub fn look_up(&self, id: &str) -> Option<u64> {
        self.sizes.get(id).copied()
    }
}

/// Lists the sessions of all roots. Once `stop` is set it ends before the next folder.
pub fn list(roots: &[PathBuf], threads: usize, stop: &AtomicBool) -> FileListing {
    let mut listing = FileListing::default();
    let projects = project_folders(roots, &mut listing.trouble);
    let merged = Mutex::new(&mut listing);
    share_out(threads, projects.iter(), |project| {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let found = list_folder(project, threads);
        let mut merged = merged.lock().unwrap_or_else(PoisonError::into_inner);
        merged.files.extend(found.files);
        merged.trouble.folders.extend(found.trouble.folders);
        merged.trouble.vanished += found.trouble.vanished;
    });
    // Ties by id keep the order the same from run to run.
    listing
        .files
        .sort_unstable_by(|a, b| b.modified.cmp(&a.modified).then_with(|| b.id.cmp(&a.id)));
    listing.trouble.folders.sort_unstable();
    listing
}

/// Does something with every item, on up to so many threads at once.
fn share_out<T: Send>(
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    each: impl Fn(T) + Sync,
) {
    let threads = threads.min(items.len());
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    in_parallel(threads, || {
        while let Some(item) = next() {
            each(item);
        }
    });
}

/// Runs `work` on up to so many threads at once, this one included. Where the system has no
/// thread to give, the others do its share.
pub(super) fn in_parallel(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..threads {
            let spawned = thread::Builder::new().spawn_scoped(scope, &work);
            if spawned.is_err() {
                break;
            }
        }
        work();
    });
}

/// Stats one session; `None` if it is not there.
pub fn stamp_one(root: &Path, project_dir: &Path, id: &str) -> Option<FileInfo> {
    let project = Arc::new(Project::new(root.into(), project_dir.to_owned()));
    let path = project_dir.join(format!("{id}.jsonl"));
    // What is not there at all is gone; a link that leads nowhere is unreadable, as in a scan.
    fs::symlink_metadata(&path).ok()?;
    let folder = fs::symlink_metadata(project_dir.join(id));
    let has_folder = folder.is_ok_and(|folder| folder.is_dir());
    Some(stamp(id, &project, fs::metadata(&path).ok(), has_folder))
}

impl Project {
    pub fn new(root: Arc<Path>, dir: PathBuf) -> Self {
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
        let entries = match files::read_dir(&projects) {
            Ok(entries) => entries,
            // Whether a root without sessions is an error is for the caller to say.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                trouble.note(&projects, &error);
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
        linked.sort_unstable();
        for link in linked {
            match fs::metadata(&link) {
                Ok(target) if target.is_dir() => found.push(link),
                Ok(_) => {}
                Err(error) => trouble.note(&link, &error),
            }
        }
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

/// The sessions of one folder.
fn list_folder(project: &Arc<Project>, threads: usize) -> FileListing {
    let mut listing = FileListing::default();
    let mut found = Vec::new();
    let mut session_folders = HashSet::new();
    let entries = match files::read_dir(&project.dir) {
        Ok(entries) => entries,
        Err(error) => {
            listing.trouble.note(&project.dir, &error);
            return listing;
        }
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            // A folder that breaks off in the middle still has the entries before.
            Err(error) => {
                listing.trouble.note(&project.dir, &error);
                break;
            }
        };
        let name = entry.file_name();
        let kind = entry.file_type().ok();
        match name.to_string_lossy().strip_suffix(".jsonl") {
            Some(id) => found.push(TranscriptFile {
                id: id.into(),
                is_text: name.to_str().is_some(),
                entry,
                kind,
            }),
            None if kind.is_some_and(|kind| kind.is_dir()) => {
                session_folders.insert(name.to_string_lossy().into_owned());
            }
            None => {}
        }
    }
    let share = if found.len() > LARGE_FOLDER {
        found.len().div_ceil(threads)
    } else {
        found.len().max(1)
    };
    let infos = Mutex::new(Vec::with_capacity(found.len()));
    share_out(threads, found.chunks(share), |share| {
        let there = share.iter();
        let there = there.filter_map(|found| found.info(project, &session_folders));
        let there: Vec<FileInfo> = there.collect();
        let mut infos = infos.lock().unwrap_or_else(PoisonError::into_inner);
        infos.extend(there);
    });
    listing.files = infos.into_inner().unwrap_or_else(PoisonError::into_inner);
    listing.trouble.vanished = found.len() - listing.files.len();
    listing
}

/// An entry called `*.jsonl`.
struct TranscriptFile {
    id: Box<str>,
    /// Can the name be written as text, and the file be opened by it?
    is_text: bool,
    entry: DirEntry,
    kind: Option<FileType>,
}

impl TranscriptFile {
    /// What `stat` says; `None` if the file is gone.
    fn info(&self, project: &Arc<Project>, session_folders: &HashSet<String>) -> Option<FileInfo> {
        let is_link = self.kind.is_none_or(|kind| kind.is_symlink());
        // Asking the entry saves walking the path where there is no link to follow.
        let metadata = if is_link {
            fs::metadata(self.entry.path())
        } else {
            self.entry.metadata()
        };
        if let Err(error) = &metadata
            && error.kind() == io::ErrorKind::NotFound
            && !is_link
        {
            return None;
        }
        let has_folder = session_folders.contains(&*self.id);
        let mut file = stamp(&self.id, project, metadata.ok(), has_folder);
        if !self.is_text {
            file.state = FileState::NotAFile;
        }
        Some(file)
    }
}

fn stamp(
    id: &str,
    project: &Arc<Project>,
    metadata: Option<Metadata>,
    has_folder: bool,
) -> FileInfo {
    let version = metadata
        .as_ref()
        .map_or(FileVersion::default(), FileVersion::of);
    let (size, modified, state) = match metadata {
        Some(metadata) if metadata.is_file() => {
            (version.size, modified(&metadata), FileState::File)
        }
        Some(metadata) => (0, modified(&metadata), FileState::NotAFile),
        None => (0, 0, FileState::Unreadable),
    };
    FileInfo {
        id: id.into(),
        project: Arc::clone(project),
        size,
        modified,
        state,
        has_folder,
        nanos: version.nanos,
        inode: version.inode,
    }
}

/// The modification time in whole milliseconds.
fn modified(metadata: &Metadata) -> Millis {
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    let nanos = match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
        Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
    };
    millis(nanos)
}
