//! How far a session is from where the person stands.

use std::fs;
use std::path::{Path, PathBuf};

use super::Sources;
use crate::list::{Row, Scope};
use crate::paths::project_name;
use crate::search::Distance;
use crate::store::{patiently, trees_on_disk, worktrees};
use crate::tui::message::{Here, HereKind};

/// The directory and the repository around the person.
#[derive(Debug, Clone)]
pub struct Places {
    directory: Option<Scope>,
    repository: Option<Scope>,
    trees: Vec<PathBuf>,
    here: Here,
}

impl Places {
    /// What is known before any file is read: the directory itself.
    pub fn before_files(here: Option<&Path>) -> Self {
        Self {
            directory: here.map(|here| Scope::directory(here.to_owned())),
            repository: None,
            trees: Vec::new(),
            here: Here {
                kind: HereKind::Nowhere,
                inhabited: false,
                several_trees: false,
            },
        }
    }

    /// What the files of the repository say, before the first rows: rows that are shown in this
    /// scope stay when git has answered.
    pub fn from_files(sources: &Sources) -> Self {
        let here = sources.here.clone();
        // A worktree may point to a drive that sleeps, and the rows wait for this.
        let trees = patiently(move || here.as_deref().map(trees_on_disk));
        Self::of_trees(sources, trees.flatten().unwrap_or_default())
    }

    /// Asks git what else belongs here. Takes its time.
    pub fn ask_git(&self, sources: &Sources) -> Self {
        let mut trees = self.trees.clone();
        trees.extend(sources.here.as_deref().map(worktrees).unwrap_or_default());
        trees.sort_unstable();
        trees.dedup();
        Self::of_trees(sources, trees)
    }

    fn of_trees(sources: &Sources, trees: Vec<PathBuf>) -> Self {
        let Some(here) = &sources.here else {
            return Self::before_files(None);
        };
        let kind = if trees.is_empty() {
            HereKind::Directory
        } else {
            HereKind::Repository
        };
        let several_trees = trees.len() > 1;
        let mut lived_in = trees.clone();
        lived_in.push(here.clone());
        Self {
            directory: Some(Scope::directory(here.clone())),
            repository: Some(Scope::repository(trees.clone(), here.clone())),
            trees,
            here: Here {
                kind,
                inhabited: is_inhabited(&sources.roots, &lived_in),
                several_trees,
            },
        }
    }

    /// A session was found here. Is that news?
    pub fn settle(&mut self) -> bool {
        let known = self.repository.is_some();
        known && !std::mem::replace(&mut self.here.inhabited, true)
    }

    pub fn here(&self) -> Here {
        self.here
    }

    /// A session belongs to a place if any of its copies does.
    pub fn of(&self, row: &Row) -> Distance {
        let is_in = |scope: &Option<Scope>| {
            scope
                .as_ref()
                .is_some_and(|scope| row.files().any(|session| scope.contains(session)))
        };
        if is_in(&self.directory) {
            Distance::Directory
        } else if is_in(&self.repository) {
            Distance::Repository
        } else {
            Distance::Elsewhere
        }
    }
}

/// Has any of these directories, or one below them, a project folder? Folder names are lossy, so
/// this may say yes too often; the scan knows in the end.
fn is_inhabited(roots: &[PathBuf], directories: &[PathBuf]) -> bool {
    let names: Vec<_> = directories
        .iter()
        .map(|directory| project_name(&directory.to_string_lossy()))
        .collect();
    roots
        .iter()
        .filter_map(|root| fs::read_dir(root.join("projects")).ok())
        .flatten()
        .flatten()
        .any(|folder| {
            let folder = folder.file_name();
            let folder = folder.to_string_lossy();
            names.iter().any(|name| {
                let below = folder.strip_prefix(name.as_str());
                name.matches(&folder) || below.is_some_and(|rest| rest.starts_with('-'))
            })
        })
}
