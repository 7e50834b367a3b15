//! Sessions that the person named, instead of a scan.

use std::path::{Path, PathBuf};

use crate::store::{Event, Hidden, Session, Trouble, rescan};

/// A transcript: its config directory, its folder and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub root: PathBuf,
    pub folder: PathBuf,
    pub id: String,
}

impl Named {
    /// What was named is shown, whatever kind it is, if there is anything in it.
    pub fn read(&self) -> Option<Session> {
        let is_void = |kind: &Hidden| matches!(kind, Hidden::Empty | Hidden::Unreadable);
        let mut session = rescan(&self.root, &self.folder, &self.id)?;
        session.hidden = session.hidden.filter(is_void);
        Some(session)
    }

    /// Is this its file?
    pub fn is_at(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder)
            && path.file_stem().is_some_and(|stem| *stem == *self.id)
    }
}

/// Reads them, and tells of it as a scan would.
pub fn read(named: &[Named]) -> [Event; 3] {
    let sessions: Vec<Session> = named.iter().filter_map(Named::read).collect();
    [
        Event::Listed(sessions.len()),
        Event::Batch(sessions),
        Event::Finished(Trouble::default()),
    ]
}
