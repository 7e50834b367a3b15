//! Which sessions belong to the current directory or repository.
//!
//! The directory recorded inside a session decides. A folder name is never turned back into a
//! path; where nothing is recorded, the name that the path would get is compared instead.

use std::path::{Path, PathBuf};

use crate::paths::{ProjectName, project_name};
use crate::store::Session;

/// A set of sessions by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Everything,
    /// Sessions of exactly this directory.
    Directory(ScopeDir),
    /// Sessions in or below any working tree of one repository.
    Repository(Vec<ScopeDir>),
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
        if trees.is_empty() {
            return Self::directory(directory);
        }
        // The directory itself may be no working tree: the folder around a bare repository.
        let mut places: Vec<ScopeDir> = trees.into_iter().map(ScopeDir::new).collect();
        if !places.iter().any(|place| within(&directory, &place.path)) {
            places.push(ScopeDir::new(directory));
        }
        Self::Repository(places)
    }

    pub fn contains(&self, session: &Session) -> bool {
        let folder = session.file.project.name.as_str();
        let cwd = session.meta.cwd.as_deref().map(Path::new);
        match (self, cwd) {
            (_, Some(cwd)) => self.contains_path(cwd),
            (Self::Everything, None) => true,
            (Self::Directory(place), None) => place.name.matches(folder),
            (Self::Repository(places), None) => {
                places.iter().any(|place| place.name.matches(folder))
            }
        }
    }

    /// Is a directory, of which nothing but its path is known, in it?
    pub fn contains_path(&self, path: &Path) -> bool {
        match self {
            Self::Everything => true,
            Self::Directory(place) => same(path, &place.path),
            Self::Repository(places) => places.iter().any(|place| within(path, &place.path)),
        }
    }

    /// How the scope is called on screen.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Everything => "all projects",
            Self::Directory(_) => "this directory",
            Self::Repository(_) => "this repository",
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
