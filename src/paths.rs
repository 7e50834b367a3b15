//! Where Claude Code keeps its sessions: config roots and project directory names.
//!
//! Pure: the environment comes in as values and nothing here touches the disk. What it does
//! not do is turn a project directory name back into a path: the name is lossy (`/a_b`, `/a-b`
//! and `/a.b` share one), so the only direction is path to name.

mod names;
mod roots;

pub use names::{ProjectName, project_name};
pub use roots::{Environment, config_roots};
