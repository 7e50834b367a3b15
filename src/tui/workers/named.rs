//! Sessions that were named on the command line, instead of a scan.

use std::path::{Path, PathBuf};

use crate::store::{Event, Hidden, Session, TooManyOpen, Trouble, rescan};

/// A transcript: its config directory, its folder and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSession {
    pub root: PathBuf,
    pub folder: PathBuf,
    pub id: String,
}

impl NamedSession {
    /// A named session is shown, whatever kind it is, unless it is empty.
    pub fn read(&self) -> Result<Option<Session>, TooManyOpen> {
        let is_void = |kind: &Hidden| matches!(kind, Hidden::Empty | Hidden::Unreadable);
        let session = rescan(&self.root, &self.folder, &self.id)?;
        Ok(session.map(|session| Session {
            hidden: session.hidden.filter(is_void),
            ..session
        }))
    }

    /// Is this its file?
    pub fn is_at(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder)
            && path.file_stem().is_some_and(|stem| *stem == *self.id)
    }
}

/// The events that a scan of them would send.
pub fn read(named: &[NamedSession]) -> [Event; 3] {
    let mut trouble = Trouble::default();
    let mut sessions = Vec::new();
    for one in named {
        match one.read() {
            Ok(session) => sessions.extend(session),
            Err(TooManyOpen(path)) => trouble.unread.push(path),
        }
    }
    [
        Event::Listed(sessions.len()),
        Event::Batch(sessions),
        Event::Finished(trouble),
    ]
}
