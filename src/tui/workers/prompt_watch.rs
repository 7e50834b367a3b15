//! Changes of the prompt histories, and of the record of removed prompts.
//!
//! The folder of that record may not exist yet: until it does, its nearest parent is watched.

use std::path::PathBuf;

use super::Sources;
use super::watch::FileWatch;
use crate::history::{history_path, skipped_path};

/// A watch that ends when it is dropped.
#[derive(Debug)]
pub struct PromptWatch {
    watch: FileWatch,
    state: Option<PathBuf>,
    /// The folder that is watched for the record of removed prompts.
    watched: Option<PathBuf>,
}

impl PromptWatch {
    pub fn start(sources: &Sources, tell: impl Fn() + Send + 'static) -> Self {
        let histories: Vec<PathBuf> = sources.roots.iter().map(|it| history_path(it)).collect();
        let skipped = sources.state.as_deref().map(skipped_path);
        // A folder on the way to the record counts, too.
        let is_ours = move |path: &PathBuf| {
            histories.contains(path) || skipped.as_ref().is_some_and(|it| it.starts_with(path))
        };
        let mut watch = FileWatch::start(move |event| {
            if event.need_rescan() || event.paths.iter().any(&is_ours) {
                tell();
            }
        });
        for root in &sources.roots {
            watch.folder(root);
        }
        let mut watch = Self {
            watch,
            state: sources.state.clone(),
            watched: None,
        };
        watch.approach();
        watch
    }

    /// Watches the folder of the record as soon as it exists.
    pub fn approach(&mut self) {
        let Some(state) = &self.state else {
            return;
        };
        // The next folder may be made between the check and the watch, and no event tells of it.
        while let Some(nearest) = state.ancestors().find(|folder| folder.is_dir())
            && Some(nearest) != self.watched.as_deref()
        {
            if let Some(parent) = self.watched.take() {
                self.watch.forget(&parent);
            }
            if !self.watch.folder(nearest) {
                return;
            }
            self.watched = Some(nearest.to_owned());
        }
    }
}
