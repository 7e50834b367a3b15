//! The picker that opens with the history.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::cli::surroundings::Stdout;
use crate::cli::{Exit, complain};
use crate::history::Lacking;
use crate::search::View;
use crate::text::sanitize_lines;
use crate::tui::{App, EnterMode, HistoryScope, Prompts};

/// Prints the chosen prompt. The screen with its notes is gone, so missing parts are reported
/// again.
pub fn print(text: &str, lacking: Lacking, stdout: Stdout) -> anyhow::Result<Exit> {
    if let Some(lacking) = lacking.words() {
        complain(&lacking);
    }
    let mut out = io::stdout().lock();
    match stdout {
        // A terminal gets no control characters from prompts.
        Stdout::Terminal { .. } => writeln!(out, "{}", sanitize_lines(text))?,
        Stdout::Pipe => writeln!(out, "{text}")?,
    }
    Ok(Exit::DONE)
}

/// How it starts.
#[derive(Debug, Clone)]
pub struct HistoryStart {
    pub query: String,
    pub choice: EnterMode,
    pub scope: HistoryScope,
    pub session: Option<String>,
    /// The project, if it is not the current one.
    pub project: Option<PathBuf>,
}

impl HistoryStart {
    /// The message where there is no full screen.
    pub fn without_screen(&self) -> String {
        let instead = match self.query.as_str() {
            "" => "use `history QUERY` to print matches",
            _ => "omit --print to print the matches",
        };
        format!("choosing a prompt needs a terminal: {instead}")
    }

    pub fn open(&self, app: &mut App) {
        let session = self.session.clone();
        let mut prompts = Prompts::new(View::Prompts, &self.query, session, &app.context);
        prompts.choice = self.choice;
        prompts.scope = self.scope;
        app.start_with(prompts);
    }
}
