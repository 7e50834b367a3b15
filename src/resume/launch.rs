//! How Claude Code is started here, whatever the session.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the person set and what the surroundings say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Launch {
    /// The program with its first arguments; `claude` if empty.
    pub command: Vec<String>,
    /// Arguments that the person passes on.
    pub arguments: Vec<String>,
    /// What `CLAUDE_CONFIG_DIR` says, as it stands in the environment.
    pub configured_root: Option<PathBuf>,
    /// The config directory that Claude Code uses where nothing is set.
    pub default_root: Option<PathBuf>,
    pub wish: Wish,
    pub asks: Asks,
    pub child_session: ChildSession,
    pub nested: Nested,
    /// Where programs are looked for.
    pub search_path: Option<OsString>,
    /// Where the person stands; `None` if that directory is gone.
    pub here: Option<PathBuf>,
    /// The home directory, for paths as people write them.
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

/// What is to become of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wish {
    /// Go on in it.
    #[default]
    Continue,
    /// Go on in a copy.
    Fork,
}

/// Is there a `CLAUDE_CODE_CHILD_SESSION` in the environment, with which Claude Code saves
/// nothing?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChildSession {
    #[default]
    Free,
    Inherited,
}

/// Does the terminal belong to a tmux?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nested {
    #[default]
    No,
    Tmux,
}

/// What becomes of `CLAUDE_CONFIG_DIR` for the command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ConfigDir {
    /// Claude Code looks in the right place by itself.
    #[default]
    Keep,
    Set(PathBuf),
    /// The session is in the default place, and something else is set.
    Remove,
}

impl ConfigDir {
    pub(super) fn of(root: &Path, launch: &Launch) -> Self {
        let is_default = launch.default_root.as_deref() == Some(root);
        match launch.configured_root.as_deref() {
            Some(configured) if configured == root => Self::Keep,
            Some(_) if is_default => Self::Remove,
            None if is_default => Self::Keep,
            // Also where a relative path is set that would lead elsewhere from another directory.
            Some(_) | None => Self::Set(root.to_owned()),
        }
    }
}

impl Launch {
    /// The program, without its arguments.
    pub fn program(&self) -> &str {
        self.command.first().map_or("claude", String::as_str)
    }

    pub(super) fn words(&self) -> Vec<String> {
        if self.command.is_empty() {
            return vec!["claude".to_owned()];
        }
        self.command.clone()
    }
}

/// A command whose program is a path, seen from the directory in which the person stands: from a
/// session's own directory the same words would run a program of that project.
/// A configuration is read by no shell, so a tilde is the home directory here.
pub fn anchored(mut command: Vec<String>, here: Option<&Path>, home: Option<&Path>) -> Vec<String> {
    if let (Some(program), Some(here)) = (command.first_mut(), here)
        && program.contains(std::path::is_separator)
    {
        let path = match (Path::new(&*program).strip_prefix("~"), home) {
            (Ok(inside), Some(home)) => home.join(inside),
            _ => here.join(&*program),
        };
        // Without its single dots; a double one may follow a link.
        let path: PathBuf = path.components().collect();
        *program = path.to_string_lossy().into_owned();
    }
    command
}

/// The words of a configured command, as a POSIX shell would split them.
pub fn words(command: &str) -> Option<Vec<String>> {
    shlex::split(command).filter(|words| !words.is_empty())
}

/// What is wrong with a command that has no words.
pub fn not_understood(command: &str) -> String {
    if command.trim().is_empty() {
        return "there is no command in it: name one, or leave it out".to_owned();
    }
    format!("{command}: a quote in it is never closed, or nothing follows its last backslash")
}

#[cfg(test)]
#[path = "launch_tests.rs"]
mod tests;
