//! A text for the clipboard, and what is known of it afterwards, in words.
//!
//! The words claim no more than is known: a program that took the text says so with its exit code,
//! tmux speaks for its own buffer only, and a terminal says nothing. Starts nothing itself; see
//! `workers::clipboard`. `ways` says what is tried.

mod ways;

use super::Notice;
use super::widgets::plural;
use crate::text::{beginning, pasteable, size};

pub use ways::{ClipboardEnv, Encoding, Multiplexer, System, Tool, VARIABLES, Way};

/// Bytes of a text that terminals accept for their clipboard: xterm's limit, which others adopted.
pub const TERMINAL_LIMIT: usize = 74_000;
/// Bytes of a copied line that a notice shows.
const SHOWN: usize = 300;

/// A text for the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    /// What it is, such as "the id".
    pub what: &'static str,
    /// Without control characters: a terminal would run what follows the end of a paste.
    pub text: String,
    /// How many control characters it has lost.
    pub lost: usize,
}

impl Clip {
    pub fn new(what: &'static str, text: &str) -> Self {
        let (text, lost) = pasteable(text);
        Self { what, text, lost }
    }

    /// May it be sent to a terminal?
    pub fn fits_terminal(&self) -> bool {
        self.text.len() <= TERMINAL_LIMIT
    }

    /// The text if it is one line, else the number of lines; and what it lacks.
    fn summary(&self) -> String {
        let shown = match self.text.lines().count() {
            0 | 1 => beginning(&self.text, SHOWN).to_owned(),
            lines => plural(lines, "line"),
        };
        match self.lost {
            0 => shown,
            lost => format!("{shown}, without {}", plural(lost, "control character")),
        }
    }
}

/// What became of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    pub clip: Clip,
    pub how: How,
}

/// What is known of the ways that were tried.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct How {
    /// The program that took all of the text and ended with exit code 0.
    pub program: Option<String>,
    /// tmux has the text in its buffer.
    pub is_in_tmux: bool,
    pub terminal: TerminalCopy,
    /// What is wrong with the configured command.
    pub configured: Option<String>,
    /// What is wrong with the others.
    pub failed: Vec<String>,
}

/// What the terminal got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TerminalCopy {
    #[default]
    Nothing,
    /// It was sent.
    Sent,
    /// It was sent through a tmux that did not take the text itself, and rarely passes it on.
    SentBlindly,
    /// The same, because the configuration wants nothing else: that tmux may pass it on.
    SentAsConfigured,
    /// The text is too long for it.
    TooLong,
}

impl Copied {
    /// Has a program confirmed it?
    pub fn is_proven(&self) -> bool {
        self.how.program.is_some()
    }

    /// Did it reach nothing?
    pub fn is_lost(&self) -> bool {
        let How {
            program,
            is_in_tmux,
            terminal,
            ..
        } = &self.how;
        let is_sent = matches!(
            terminal,
            TerminalCopy::Sent | TerminalCopy::SentAsConfigured
        );
        program.is_none() && !is_in_tmux && !is_sent
    }

    /// What the footer says.
    pub fn notice(&self) -> Notice {
        if self.is_lost() {
            let reasons = self.reasons().join("; ");
            return Notice::Trouble(format!("not copied: {} ({reasons})", self.clip.what));
        }
        let Clip { what, .. } = self.clip;
        let how = &self.how;
        let is_sent = how.terminal == TerminalCopy::Sent;
        let done = match (&how.program, how.is_in_tmux) {
            (Some(program), _) => format!("copied {what} ({program})"),
            (None, true) if is_sent => {
                format!("sent {what} to tmux's buffer (prefix ] pastes) and to the terminal")
            }
            (None, true) => format!("sent {what} to tmux's buffer (prefix ] pastes)"),
            (None, false) if is_sent => {
                format!("sent {what} to the terminal (not there? Copy again to see it)")
            }
            (None, false) => format!(
                "sent {what} through tmux, which rarely passes it on (not there? Copy again to see it)"
            ),
        };
        let said = format!("{done}: {}", self.clip.summary());
        match (&how.configured, self.is_proven(), how.terminal) {
            (Some(why), ..) => Notice::Trouble(format!("{said}; {why}")),
            (None, false, TerminalCopy::TooLong) => {
                Notice::Trouble(format!("{said}; {}", self.too_long()))
            }
            (None, ..) => Notice::Done(said),
        }
    }

    /// Where it is, in a few words.
    pub fn place(&self) -> &'static str {
        match self.how.terminal {
            _ if self.is_lost() => "Not copied",
            _ if self.how.is_in_tmux => "In tmux's buffer",
            TerminalCopy::SentAsConfigured => "Sent through tmux",
            _ => "Sent to the terminal",
        }
    }

    /// Why it may not be on the clipboard, one reason a line.
    pub fn reasons(&self) -> Vec<String> {
        let how = &self.how;
        let mut reasons: Vec<String> = how.configured.iter().chain(&how.failed).cloned().collect();
        reasons.extend(
            how.is_in_tmux
                .then(|| "prefix ] pastes it in tmux".to_owned()),
        );
        reasons.extend(match how.terminal {
            TerminalCopy::TooLong => Some(self.too_long()),
            TerminalCopy::Sent => {
                Some("the terminal does not confirm it, and not every terminal takes it".to_owned())
            }
            TerminalCopy::SentBlindly | TerminalCopy::SentAsConfigured => {
                Some("it was sent through tmux, which rarely passes it on".to_owned())
            }
            TerminalCopy::Nothing => None,
        });
        reasons
    }

    fn too_long(&self) -> String {
        let size = size(self.clip.text.len() as u64);
        format!("{size} is too long for the terminal")
    }
}

#[cfg(test)]
#[path = "clipboard_tests.rs"]
mod tests;
