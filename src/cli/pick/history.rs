//! The picker that begins with the history.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::cli::surroundings::Stdout;
use crate::cli::{Outcome, complain};
use crate::history::Lacking;
use crate::text::sanitize_lines;
use crate::tui::{App, Choice, History, HistoryScope, Origin};

/// Prints the chosen prompt. Where it goes to, nobody sees what was said of it on the screen, so
/// what it lacks is said again.
pub fn print(text: &str, lacking: Lacking, stdout: Stdout) -> anyhow::Result<Outcome> {
    if let Some(lacking) = lacking.words() {
        complain(&lacking);
    }
    let mut out = io::stdout().lock();
    match stdout {
        // A terminal gets no control characters of others.
        Stdout::Terminal { .. } => writeln!(out, "{}", sanitize_lines(text))?,
        Stdout::Pipe => writeln!(out, "{text}")?,
    }
    Ok(Outcome::Done)
}

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

    /// Why nothing can be chosen where there is no full screen, and what can be done there.
    pub fn without_screen(&self) -> String {
        let instead = match self.query.as_str() {
            "" => "`history QUERY` prints what matches",
            _ => "without --print what matches is printed",
        };
        format!("there is no terminal with a full screen to choose a prompt on: {instead}")
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
