//! Changes on disk, as they happen, where the system tells of them.
//!
//! Watches the folders that hold transcripts and the registry of running sessions, none of them
//! with what is below: a session may have thousands of files of its own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::catalog::Task;
use crate::store::ScanDepth;

/// A watch that ends when it is dropped.
#[derive(Debug)]
pub struct Watch {
    watcher: RecommendedWatcher,
    folders: HashSet<PathBuf>,
}

impl Watch {
    /// `None` where nothing can be watched: the person can still refresh.
    pub fn start(roots: &[PathBuf], tasks: Sender<Task>) -> Option<Self> {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else {
                return;
            };
            // More happened than the system could tell.
            if event.need_rescan() {
                let _ = tasks.send(Task::Rescan(ScanDepth::Candidates));
                return;
            }
            // Reading is not a change: our own would wake us for ever.
            if matches!(event.kind, EventKind::Access(_)) {
                return;
            }
            let _ = tasks.send(Task::Changed(event.paths));
        })
        .ok()?;
        let mut watch = Self {
            watcher,
            folders: HashSet::new(),
        };
        for root in roots {
            // Where nothing was ever kept, the folder of all projects is waited for.
            if !watch.folder(&root.join("projects")) {
                watch.folder(root);
            }
            watch.registry(root);
        }
        Some(watch)
    }

    /// Watches the registry of running sessions, or waits for it: it comes with the first one.
    pub fn registry(&mut self, root: &Path) {
        if !self.folder(&root.join("sessions")) {
            self.folder(root);
        }
    }

    /// Watches one more folder. Says whether it is watched now.
    pub fn folder(&mut self, folder: &Path) -> bool {
        if self.folders.contains(folder) {
            return true;
        }
        let watched = self.watcher.watch(folder, RecursiveMode::NonRecursive);
        if watched.is_ok() {
            self.folders.insert(folder.to_owned());
        }
        watched.is_ok()
    }

    /// A folder is gone, and the watch with it.
    pub fn forget(&mut self, folder: &Path) {
        if self.folders.remove(folder) {
            let _ = self.watcher.unwatch(folder);
        }
    }

    /// A folder came anew: a watch of one that was there before sees nothing of it.
    pub fn again(&mut self, folder: &Path) {
        self.forget(folder);
        self.folder(folder);
    }
}
