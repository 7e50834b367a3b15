//! Handing over: from a session to the command that resumes it, and the one exec.
//!
//! The plan is plain data and says what would run; `check` looks whether it can, `start` does it.
//! Arguments are passed as they are, never through a shell; the quoted line is for people.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use uuid::Uuid;

use crate::store::Session;
use crate::text::sanitize;

/// How Claude Code is started here, whatever the session.
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
    fn of(root: &Path, launch: &Launch) -> Self {
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

/// One command, in its directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub id: String,
    pub command: Vec<String>,
    /// Where it runs; `None` where the session does not say.
    pub directory: Option<PathBuf>,
    pub config_dir: ConfigDir,
}

/// Why a session cannot be resumed as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("{} is gone: the session ran there; make it again, or copy the id and resume elsewhere", .0.display())]
    DirectoryGone(PathBuf),
    #[error("{} is no directory: the session ran there", .0.display())]
    NoDirectory(PathBuf),
    #[error("{0}: is no session's id, so Claude Code cannot resume it")]
    NoId(String),
    #[error("{}: cannot be entered: {reason}", directory.display())]
    Closed { directory: PathBuf, reason: String },
}

impl Plan {
    pub fn new(session: &Session, launch: &Launch) -> Self {
        let mut command = launch.command.clone();
        if command.is_empty() {
            command.push("claude".to_owned());
        }
        command.push("--resume".to_owned());
        // Always the id: names repeat.
        command.push(session.stamp.id.to_string());
        command.extend(launch.arguments.iter().cloned());
        let root = &*session.stamp.project.root;
        Self {
            id: session.stamp.id.to_string(),
            command,
            directory: session.lite.cwd.as_deref().map(PathBuf::from),
            config_dir: ConfigDir::of(root, launch),
        }
    }

    /// A new session in a directory, with a prompt to begin with.
    pub fn fresh(directory: Option<PathBuf>, prompt: Option<&str>, launch: &Launch) -> Self {
        let mut command = launch.command.clone();
        if command.is_empty() {
            command.push("claude".to_owned());
        }
        command.extend(launch.arguments.iter().cloned());
        if let Some(prompt) = prompt {
            // An option before it may take any number of values, and a prompt may begin with a
            // dash.
            if !launch.arguments.is_empty() || prompt.starts_with('-') {
                command.push("--".to_owned());
            }
            command.push(prompt.to_owned());
        }
        Self {
            id: String::new(),
            command,
            directory,
            config_dir: ConfigDir::Keep,
        }
    }

    /// Is there a directory to run in?
    pub fn check(&self) -> Result<(), ResumeError> {
        self.check_id()?;
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        match directory.metadata() {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(ResumeError::NoDirectory(directory.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ResumeError::DirectoryGone(directory.clone()))
            }
            Err(error) => Err(ResumeError::Closed {
                directory: directory.clone(),
                reason: error.to_string(),
            }),
        }
    }

    /// Is it a session that Claude Code knows by an id? A file with another name could pass for
    /// an option.
    pub fn check_id(&self) -> Result<(), ResumeError> {
        if self.id.is_empty() || Uuid::try_parse(&self.id).is_ok() {
            Ok(())
        } else {
            Err(ResumeError::NoId(self.id.clone()))
        }
    }

    /// The command for a shell, with its directory.
    pub fn command_line(&self) -> String {
        let mut line = String::new();
        if let Some(directory) = &self.directory {
            line += "cd ";
            if directory.to_string_lossy().starts_with('-') {
                line += "-- ";
            }
            line += &quoted(&directory.to_string_lossy());
            line += " && ";
        }
        match &self.config_dir {
            ConfigDir::Keep => {}
            ConfigDir::Set(root) => {
                line += "CLAUDE_CONFIG_DIR=";
                line += &quoted(&root.to_string_lossy());
                line.push(' ');
            }
            ConfigDir::Remove => line += "env -u CLAUDE_CONFIG_DIR ",
        }
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        line + &words.join(" ")
    }

    /// Becomes the command. Returns only if that failed, or, where a process cannot become
    /// another one, when the command has ended.
    pub fn start(&self) -> io::Result<Option<i32>> {
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| io::Error::other("no command"))?;
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
            // What a shell would have done on the way there.
            command.env("PWD", directory);
        }
        match &self.config_dir {
            ConfigDir::Keep => {}
            ConfigDir::Set(root) => {
                command.env("CLAUDE_CONFIG_DIR", root);
            }
            ConfigDir::Remove => {
                command.env_remove("CLAUDE_CONFIG_DIR");
            }
        }
        run(&mut command)
    }
}

#[cfg(unix)]
fn run(command: &mut Command) -> io::Result<Option<i32>> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> io::Result<Option<i32>> {
    Ok(command.status()?.code())
}

/// A word as a POSIX shell reads it back. A NUL cannot be in an argument at all.
fn quoted(word: &str) -> String {
    let word = word.replace('\0', "");
    if word.contains(is_unsafe) {
        return escaped(&word);
    }
    shlex::try_quote(&word).map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
}

/// Would this character do something to a terminal that it is printed on?
fn is_unsafe(c: char) -> bool {
    sanitize(c.encode_utf8(&mut [0; 4])).len() != c.len_utf8() || c.is_control()
}

/// A word in the form that bash and zsh read escapes in.
fn escaped(word: &str) -> String {
    let mut text = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if is_unsafe(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\\x{byte:02x}");
                }
            }
            c => text.push(c),
        }
    }
    text.push('\'');
    text
}

/// The words of a configured command, as a POSIX shell would split them.
pub fn words(command: &str) -> Option<Vec<String>> {
    shlex::split(command).filter(|words| !words.is_empty())
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
