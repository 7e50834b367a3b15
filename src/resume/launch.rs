//! How Claude Code is started, whatever the session.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Settings, command line and environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Launch {
    /// The program with its first arguments; `claude` if empty.
    pub command: Vec<String>,
    /// Where Claude Code is, if no command is set and the `PATH` does not have it.
    pub installed: Option<String>,
    /// Arguments to pass on.
    pub arguments: Vec<String>,
    /// The value of `CLAUDE_CONFIG_DIR`.
    pub configured_root: Option<PathBuf>,
    /// The config directory of Claude Code if it is not set.
    pub default_root: Option<PathBuf>,
    pub wish: Wish,
    pub asks: Asks,
    pub child_session: ChildSession,
    pub nested: Nested,
    /// The `PATH`.
    pub search_path: Option<OsString>,
    /// The current directory; `None` if it is gone.
    pub here: Option<PathBuf>,
    /// The home directory.
    pub home: Option<PathBuf>,
}

/// What to ask about, as far as it can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asks {
    /// Whether to ask if the session was on another branch, or only to mention it.
    pub branch: bool,
    /// Ask about a cold context of at least so many tokens; 0 never asks.
    pub tokens: u64,
}

impl Default for Asks {
    /// A window holds 200,000 tokens.
    fn default() -> Self {
        Self {
            branch: false,
            tokens: 100_000,
        }
    }
}

/// Whether to continue the conversation itself or a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wish {
    #[default]
    Continue,
    Fork,
}

/// Whether `CLAUDE_CODE_CHILD_SESSION` is set: then Claude Code saves no transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChildSession {
    #[default]
    Free,
    Inherited,
}

/// Whether the terminal is a tmux pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nested {
    #[default]
    No,
    Tmux,
}

impl Launch {
    /// The program, without its arguments.
    pub fn program(&self) -> &str {
        let named = self.command.first().or(self.installed.as_ref());
        named.map_or("claude", String::as_str)
    }

    pub(super) fn words(&self) -> Vec<String> {
        let first = [self.program().to_owned()].into_iter();
        first.chain(self.command.iter().skip(1).cloned()).collect()
    }
}

/// A command whose program is a path, relative to the current directory: from the session's
/// directory the same words would run a program of that project. No shell reads the configuration,
/// so a tilde is expanded here.
pub fn anchored(mut command: Vec<String>, here: Option<&Path>, home: Option<&Path>) -> Vec<String> {
    if let (Some(program), Some(here)) = (command.first_mut(), here)
        && program.contains(std::path::is_separator)
    {
        let path = match (Path::new(&*program).strip_prefix("~"), home) {
            (Ok(inside), Some(home)) => home.join(inside),
            _ => here.join(&*program),
        };
        // Single dots are removed; a double one may follow a link.
        let path: PathBuf = path.components().collect();
        *program = path.to_string_lossy().into_owned();
    }
    command
}

/// The words of a configured command, as a POSIX shell would split them.
pub fn words(command: &str) -> Option<Vec<String>> {
    shlex::split(command).filter(|words| !words.is_empty())
}

/// What is wrong with a command that cannot be split.
pub fn not_understood(command: &str) -> String {
    if command.trim().is_empty() {
        return "the command is empty: name one, or remove the line".to_owned();
    }
    format!("{command}: a quote is not closed, or nothing follows the last backslash")
}

#[cfg(test)]
#[path = "launch_tests.rs"]
mod tests;
