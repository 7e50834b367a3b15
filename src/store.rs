//! The session store: from a config directory to sessions, in two phases.
//!
//! `stat` finds every transcript without opening one; `lite` reads the two ends of each, newest
//! first; `scan` runs both and streams the result. Beside them `live` knows which sessions are
//! running and `worktrees` which directories belong to one repository. Nothing here writes, and
//! nothing here is fatal: what cannot be read is counted.

mod git;
mod known;
mod lite;
mod live;
mod outline;
mod retention;
mod scan;
mod session;
mod sidecar;
mod stat;
mod trees;
mod visibility;
mod worktrees;

pub use git::{between_starts, clear_git_env, git, git_output, spawn, to_path, with_timeout};
pub use known::{FileVersion, Known, SidecarVersions, Summary};
pub use lite::{LITE_WINDOW, LastPrompt, LiteCoverage, LiteReader, LiteReading, Source};
pub use live::{Live, Registry, RegistryEntry, Status, is_running, running};
pub use retention::{EXPIRING_DAYS, Retention, SetBy, expiring, retention};
pub use scan::{Event, ScanDepth, TooManyOpen, readers, rescan, scan};
pub use session::{
    FileInfo, FileState, ForkOrigin, Hidden, Kind, LastState, Millis, PrLink, Project, Session,
    SessionMeta, ShownPrompt, TitleSource,
};
pub use sidecar::Sidecar;
pub use stat::{Conversations, FileListing, Trouble, list};
pub use trees::{ListedTree, listed_trees, pointed_to, tree_of, trees_on_disk};
pub use worktrees::worktrees;
