//! Handing over: from a session to the command that resumes it, and the one exec.
//!
//! The plan is plain data and says what would run; `check` looks whether it can, `start` does it.
//! Arguments are passed as they are, never through a shell; the quoted line is for people.

use std::io;
use std::path::PathBuf;
use std::process::Command;

use crate::store::Session;

/// How Claude Code is started here, whatever the session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Launch {
    /// The program with its first arguments; `claude` if empty.
    pub command: Vec<String>,
    /// Arguments that the person passes on.
    pub arguments: Vec<String>,
    /// The config directory that Claude Code would use by itself.
    pub own_root: Option<PathBuf>,
}

/// One command, in its directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub command: Vec<String>,
    /// Where it runs; `None` where the session does not say.
    pub directory: Option<PathBuf>,
    /// For a session from another config directory: Claude Code must look there too.
    pub config_dir: Option<PathBuf>,
}

/// Why a session cannot be resumed as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("{} is gone: the session ran there", .0.display())]
    DirectoryGone(PathBuf),
    #[error("{} is no directory: the session ran there", .0.display())]
    NoDirectory(PathBuf),
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
            command,
            directory: session.lite.cwd.as_deref().map(PathBuf::from),
            config_dir: (launch.own_root.as_deref() != Some(root)).then(|| root.to_owned()),
        }
    }

    /// Is there a directory to run in?
    pub fn check(&self) -> Result<(), ResumeError> {
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

    /// The command for a shell, with its directory.
    pub fn command_line(&self) -> String {
        let mut line = String::new();
        if let Some(directory) = &self.directory {
            line += "cd ";
            line += &quoted(&directory.to_string_lossy());
            line += " && ";
        }
        if let Some(root) = &self.config_dir {
            line += "CLAUDE_CONFIG_DIR=";
            line += &quoted(&root.to_string_lossy());
            line.push(' ');
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
        if let Some(root) = &self.config_dir {
            command.env("CLAUDE_CONFIG_DIR", root);
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
    shlex::try_quote(&word).map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
}

/// The words of a configured command, as a POSIX shell would split them.
pub fn words(command: &str) -> Option<Vec<String>> {
    shlex::split(command).filter(|words| !words.is_empty())
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
