//! Where Claude Code keeps its sessions: config roots and project directory names.
//!
//! Pure: the environment comes in as values and nothing here touches the disk. What it does
//! not do is turn a project directory name back into a path: the name is lossy (`/a_b`, `/a-b`
//! and `/a.b` share one), so the only direction is path to name.

mod names;
mod roots;

use std::path::{Component, Path, PathBuf};

pub use names::{ProjectName, project_name};
pub use roots::{Environment, config_roots};

/// A path without its dots and without a trailing slash, by its text alone: for directories
/// that may be gone, whose links cannot be followed any more.
pub fn normalize(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// A path as people write it, with `~` for home.
pub fn tilde(path: &Path, home: Option<&Path>) -> String {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}
