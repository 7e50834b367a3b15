//! Which sessions belong to the current directory, to its repository, or elsewhere.
//!
//! The directory recorded inside a session decides. A folder name is never turned back into a
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Everything,
    /// Sessions of exactly this directory.
    Directory(ProjectDir),
    /// Sessions in or below any working tree of the repository that this directory is in.
    Repository(ProjectDir, Vec<ProjectDir>),
}

/// A directory with the name of its project folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectDir {
    path: PathBuf,
    name: ProjectName,
}

impl ProjectDir {
    fn new(path: PathBuf) -> Self {
        let name = project_name(&path.to_string_lossy());
        Self { path, name }
    }
}

impl Scope {
    pub fn directory(path: PathBuf) -> Self {
        Self::Directory(ProjectDir::new(path))
    }

    /// The repository with these working trees; without any, the directory alone.
    pub fn repository(trees: Vec<PathBuf>, directory: PathBuf) -> Self {
        let directory = ProjectDir::new(directory);
        if trees.is_empty() {
            return Self::Directory(directory);
        }
        let mut trees: Vec<ProjectDir> = trees.into_iter().map(ProjectDir::new).collect();
        // The directory itself may be no working tree: the folder around a bare repository.
        if !trees.iter().any(|tree| within(&directory.path, &tree.path)) {
            trees.push(directory.clone());
        }
        Self::Repository(directory, trees)
    }

    /// How far a session is from the directory of this scope.
    pub fn distance(&self, session: &Session) -> Distance {
        if let Some(cwd) = session.meta.cwd.as_deref() {
            return self.distance_of_path(Path::new(cwd));
        }
        let folder = session.file.project.name.as_str();
        let is_it = |dir: &ProjectDir| dir.name.matches(folder);
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
        is_here: impl Fn(&ProjectDir) -> bool,
        is_in_tree: impl Fn(&ProjectDir) -> bool,
    ) -> Distance {
        match self {
            Self::Directory(here) | Self::Repository(here, _) if is_here(here) => {
                Distance::Directory
            }
            Self::Repository(_, trees) if trees.iter().any(is_in_tree) => Distance::Repository,
            _ => Distance::Elsewhere,
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
