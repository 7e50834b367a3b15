//! Sessions that the person named, instead of a scan.

use std::path::PathBuf;

use crate::store::{Event, Hidden, Session, Trouble, rescan};

/// A transcript: its config directory, its folder and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub root: PathBuf,
    pub folder: PathBuf,
    pub id: String,
}

/// Reads them, and tells of it as a scan would. What was named is shown, whatever kind it is, if
/// there is anything in it.
pub fn read(named: &[Named]) -> [Event; 3] {
    let is_void = |kind: &Hidden| matches!(kind, Hidden::Empty | Hidden::Unreadable);
    let read = |one: &Named| {
        let mut session = rescan(&one.root, &one.folder, &one.id)?;
        session.hidden = session.hidden.filter(is_void);
        Some(session)
    };
    let sessions: Vec<Session> = named.iter().filter_map(read).collect();
    [
        Event::Listed(sessions.len()),
        Event::Batch(sessions),
        Event::Finished(Trouble::default()),
    ]
}
