//! The picker that begins with the history.

use std::path::PathBuf;

use crate::tui::{App, Choice, History, HistoryScope, Origin};

/// What it begins with.
#[derive(Debug, Clone)]
pub struct HistoryStart {
    pub query: String,
    pub choice: Choice,
    pub scope: Option<HistoryScope>,
    pub session: Option<String>,
    /// The project that is meant, if not the current one.
    pub project: Option<PathBuf>,
}

impl HistoryStart {
    /// Does choosing print?
    pub fn prints(&self) -> bool {
        self.choice == Choice::Print
    }

    pub fn open(&self, app: &mut App) {
        let mut history = History::default();
        history.choice = self.choice;
        history.scope = self.scope;
        history.session.clone_from(&self.session);
        history.origin = Origin::Shell;
        app.begin_with(history, &self.query);
    }
}
