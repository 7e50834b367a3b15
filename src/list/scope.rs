//! Which sessions belong to the current directory, to its repository, or elsewhere.
//!
//! The directory recorded inside a session decides, and the one that it was in last: a session may have
//! worked here though it began elsewhere. Where it was in between is not known. A folder name is never turned back into a
//! path; where nothing is recorded, the name that the path would get is compared instead.

use std::path::{Path, PathBuf};

use super::rows::Row;
use crate::paths::{ProjectName, project_name};
use crate::store::Session;

/// How far something is from the current directory, nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Distance {
    Directory,
    Repository,
    #[default]
    Elsewhere,
}

impl Distance {
    pub const ALL: [Self; 3] = [Self::Directory, Self::Repository, Self::Elsewhere];
}

/// A set of sessions by directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    Everything,
    /// Sessions of exactly this directory.
    Directory(ScopeDir),
    /// Sessions in or below any working tree of the repository that this directory is in.
    Repository(ScopeDir, Vec<ScopeDir>),
}

/// A directory with the name of its project folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeDir {
    path: PathBuf,
    name: ProjectName,
}

impl ScopeDir {
    fn new(path: PathBuf) -> Self {
        let name = project_name(&path.to_string_lossy());
        Self { path, name }
    }
}

impl Scope {
    pub fn directory(path: PathBuf) -> Self {
        Self::Directory(ScopeDir::new(path))
    }

    /// The repository with these working trees; without any, the directory alone.
    pub fn repository(trees: Vec<PathBuf>, directory: PathBuf) -> Self {
        let directory = ScopeDir::new(directory);
        if trees.is_empty() {
            return Self::Directory(directory);
        }
        let mut trees: Vec<ScopeDir> = trees.into_iter().map(ScopeDir::new).collect();
        // The directory itself may be no working tree: the folder around a bare repository.
        if !trees.iter().any(|tree| within(&directory.path, &tree.path)) {
            trees.push(directory.clone());
        }
        Self::Repository(directory, trees)
    }

    /// How far a session is from the directory of this scope: where it began, or where it was last if
    /// that is nearer.
    pub fn distance(&self, session: &Session) -> Distance {
        let began = self.distance_of_start(session);
        let last = session.meta.last_cwd.as_deref().map(Path::new);
        let last = last.map(|path| {
            self.measure(
                |dir| within(path, &dir.path),
                |tree| within(path, &tree.path),
            )
        });
        last.map_or(began, |last| began.min(last))
    }

    /// Did a session begin somewhere else and work in this scope at last?
    pub fn began_elsewhere(&self, session: &Session) -> bool {
        session.meta.last_cwd.is_some()
            && self.distance_of_start(session) == Distance::Elsewhere
            && self.distance(session) != Distance::Elsewhere
    }

    fn distance_of_start(&self, session: &Session) -> Distance {
        if let Some(cwd) = session.meta.cwd.as_deref() {
            return self.distance_of_path(Path::new(cwd));
        }
        let folder = session.file.project.name.as_str();
        let is_it = |dir: &ScopeDir| dir.name.matches(folder);
        self.measure(is_it, is_it)
    }

    /// The same for a directory of which only the path is known.
    pub fn distance_of_path(&self, path: &Path) -> Distance {
        self.measure(|dir| same(path, &dir.path), |tree| within(path, &tree.path))
    }

    /// A row is as near as the nearest of its copies.
    pub fn distance_of_row(&self, row: &Row) -> Distance {
        let distances = row.files().map(|session| self.distance(session));
        distances.min().unwrap_or_default()
    }

    fn measure(
        &self,
        is_here: impl Fn(&ScopeDir) -> bool,
        is_in_tree: impl Fn(&ScopeDir) -> bool,
    ) -> Distance {
        match self {
            Self::Directory(here) | Self::Repository(here, _) if is_here(here) => {
                Distance::Directory
            }
            Self::Repository(_, trees) if trees.iter().any(is_in_tree) => Distance::Repository,
            _ => Distance::Elsewhere,
        }
    }

    /// May a project folder of this name have sessions near the directory of this scope? Names are
    /// lossy, so this may say yes too often.
    pub fn may_be_near(&self, folder: &str) -> bool {
        let is_in = |dir: &ScopeDir| {
            let below = folder.strip_prefix(dir.name.as_str());
            dir.name.matches(folder) || below.is_some_and(|rest| rest.starts_with('-'))
        };
        match self {
            Self::Everything => false,
            Self::Directory(here) => is_in(here),
            Self::Repository(here, trees) => is_in(here) || trees.iter().any(is_in),
        }
    }

    pub fn contains(&self, session: &Session) -> bool {
        *self == Self::Everything || self.distance(session) != Distance::Elsewhere
    }

    /// Is a directory, of which only the path is known, in this scope?
    pub fn contains_path(&self, path: &Path) -> bool {
        *self == Self::Everything || self.distance_of_path(path) != Distance::Elsewhere
    }

    /// The name of the scope on screen.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Everything => "all projects",
            Self::Directory(_) => "this directory",
            Self::Repository(..) => "this repository",
        }
    }
}

/// Compares by component, so that a trailing slash is nothing and `/a/bc` is not below `/a/b`.
fn within(path: &Path, place: &Path) -> bool {
    folded(path).starts_with(folded(place))
}

fn same(path: &Path, place: &Path) -> bool {
    folded(path) == folded(place)
}

/// On systems whose volumes ignore case by default, `d:\Code` and `D:\code` are one directory.
fn folded(path: &Path) -> std::borrow::Cow<'_, Path> {
    if cfg!(any(target_os = "macos", windows)) {
        PathBuf::from(path.to_string_lossy().to_lowercase()).into()
    } else {
        path.into()
    }
}
