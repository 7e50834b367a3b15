//! Changes on disk, as they happen, where the system reports them.
//!
//! Watches single folders, never what is below them: a session may have thousands of files of its
//! own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// A watch that ends when it is dropped.
#[derive(Debug, Default)]
pub struct FileWatch {
    /// `None` if nothing can be watched: a refresh still finds every change.
    watcher: Option<RecommendedWatcher>,
    folders: HashSet<PathBuf>,
}

impl FileWatch {
    pub fn start(tell: impl Fn(notify::Event) + Send + 'static) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading is not a change: our own reads would wake us forever.
            if let Ok(event) = event
                && (event.need_rescan() || !matches!(event.kind, EventKind::Access(_)))
            {
                tell(event);
            }
        });
        Self {
            watcher: watcher.ok(),
            folders: HashSet::new(),
        }
    }

    /// Watches one more folder. Returns whether it is watched now.
    pub fn folder(&mut self, folder: &Path) -> bool {
        let watch = |watcher: &mut RecommendedWatcher| {
            let watched = watcher.watch(folder, RecursiveMode::NonRecursive);
            watched.is_ok()
        };
        if !self.folders.contains(folder) && self.watcher.as_mut().is_some_and(watch) {
            self.folders.insert(folder.to_owned());
        }
        self.folders.contains(folder)
    }

    pub fn forget(&mut self, folder: &Path) {
        if self.folders.remove(folder)
            && let Some(watcher) = &mut self.watcher
        {
            let _ = watcher.unwatch(folder);
        }
    }
}
