//! Changes on disk, as they happen, where the system reports them.
//!
//! Watches single folders, never what is below them: a session may have thousands of files of its
//! own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// A watch that ends when it is dropped.
#[derive(Debug)]
pub struct FileWatch {
    watcher: RecommendedWatcher,
    folders: HashSet<PathBuf>,
}

impl FileWatch {
    /// `None` if nothing can be watched: a refresh still finds every change.
    pub fn start(tell: impl Fn(notify::Event) + Send + 'static) -> Option<Self> {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading is not a change: our own reads would wake us forever.
            if let Ok(event) = event
                && (event.need_rescan() || !matches!(event.kind, EventKind::Access(_)))
            {
                tell(event);
            }
        });
        Some(Self {
            watcher: watcher.ok()?,
            folders: HashSet::new(),
        })
    }

    /// Watches one more folder. Returns whether it is watched now.
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

    pub fn forget(&mut self, folder: &Path) {
        if self.folders.remove(folder) {
            let _ = self.watcher.unwatch(folder);
        }
    }
}
