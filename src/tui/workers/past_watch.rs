//! Changes of the histories, and of what was taken back, as they happen.
//!
//! What was taken back is remembered in a folder that may not be there yet: until it is, the
//! nearest folder above it is watched.

use std::path::PathBuf;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Sources;
use crate::history::{history_path, skipped_path};

/// A watch that ends when it is dropped.
#[derive(Debug)]
pub struct PastWatch {
    watcher: RecommendedWatcher,
    state: Option<PathBuf>,
    /// The folder that is watched for what was taken back.
    watched: Option<PathBuf>,
}

impl PastWatch {
    /// `None` where nothing can be watched: the person can still refresh.
    pub fn start(sources: &Sources, tell: impl Fn() + Send + 'static) -> Option<Self> {
        let histories: Vec<PathBuf> = sources.roots.iter().map(|it| history_path(it)).collect();
        let skipped = sources.state.as_deref().map(skipped_path);
        // A folder on the way to it counts, too.
        let is_ours = move |path: &PathBuf| {
            histories.contains(path) || skipped.as_ref().is_some_and(|it| it.starts_with(path))
        };
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Ok(event) = event
                // Reading is not a change: our own would wake us for ever.
                && !matches!(event.kind, EventKind::Access(_))
                && (event.need_rescan() || event.paths.iter().any(&is_ours))
            {
                tell();
            }
        })
        .ok()?;
        let mut watch = Self {
            watcher,
            state: sources.state.clone(),
            watched: None,
        };
        for root in &sources.roots {
            let _ = watch.watcher.watch(root, RecursiveMode::NonRecursive);
        }
        watch.approach();
        Some(watch)
    }

    /// Watches the folder itself as soon as it is there.
    pub fn approach(&mut self) {
        let Some(state) = self.state.clone() else {
            return;
        };
        // The next folder may be made between the look and the watch: nothing would tell of it.
        while let Some(nearest) = state.ancestors().find(|folder| folder.is_dir())
            && Some(nearest) != self.watched.as_deref()
        {
            if let Some(farther) = self.watched.take() {
                let _ = self.watcher.unwatch(&farther);
            }
            if self
                .watcher
                .watch(nearest, RecursiveMode::NonRecursive)
                .is_err()
            {
                return;
            }
            self.watched = Some(nearest.to_owned());
        }
    }
}
