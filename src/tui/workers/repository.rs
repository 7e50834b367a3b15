//! The current directory and its repository, from which the distance of a session is measured.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::Sources;
use crate::list::Scope;
use crate::store::{trees_on_disk, with_timeout, worktrees};
use crate::tui::data::{Here, HereKind};

#[derive(Debug, Clone)]
pub struct CurrentRepository {
    /// The repository; the directory if there is none; `Everything` without a directory.
    pub scope: Scope,
    trees: Vec<PathBuf>,
    pub here: Here,
}

impl CurrentRepository {
    /// Before anything was read.
    pub fn unknown() -> Self {
        Self::new(&Sources::default(), Vec::new())
    }

    /// What the files of the repository say. Read before the first rows, so that the rows of this
    /// scope stay when git has answered.
    pub fn from_files(sources: &Sources) -> Self {
        let here = sources.here.clone();
        // A worktree may point to a drive that sleeps, and the rows wait for this.
        let trees = with_timeout(move || here.as_deref().map(trees_on_disk));
        Self::new(sources, trees.flatten().unwrap_or_default())
    }

    /// Asks git for further working trees. Slow.
    pub fn ask_git(&self, sources: &Sources) -> Self {
        let mut trees = self.trees.clone();
        trees.extend(sources.here.as_deref().map(worktrees).unwrap_or_default());
        trees.sort_unstable();
        trees.dedup();
        Self::new(sources, trees)
    }

    fn new(sources: &Sources, trees: Vec<PathBuf>) -> Self {
        let here = sources.here.clone();
        let scope = here.clone().map_or(Scope::Everything, |here| {
            Scope::repository(trees.clone(), here)
        });
        Self {
            here: Here {
                kind: match (&here, trees.is_empty()) {
                    (None, _) => HereKind::Nowhere,
                    (Some(_), true) => HereKind::Directory,
                    (Some(_), false) => HereKind::Repository,
                },
                inhabited: is_inhabited(&sources.roots, &scope),
                several_trees: trees.len() > 1,
                scope: Arc::new(scope.clone()),
            },
            scope,
            trees,
        }
    }
}

/// Does any project folder belong to the scope? The scan knows in the end.
fn is_inhabited(roots: &[PathBuf], scope: &Scope) -> bool {
    roots
        .iter()
        .filter_map(|root| fs::read_dir(root.join("projects")).ok())
        .flatten()
        .flatten()
        .any(|folder| scope.may_be_near(&folder.file_name().to_string_lossy()))
}
