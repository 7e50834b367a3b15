//! Doing it: what comes before, then the one exec.

use std::io;
use std::process::{Child, Command, Stdio};

use super::git::{branch_in, tree};
use super::plan::{Change, Needs, Plan, Step};
use super::quote::printable;
use super::situation::{BranchPlace, Tree};
use crate::store::unled;

/// Why a plan could not be carried out.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failed {
    pub failure: Failure,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// There is no such program.
    NotFound,
    /// There is one, and it cannot be run.
    NotRun,
    /// Something before it or around it went wrong.
    Step,
}

/// Names the file that the shell function `cr` reads the session's directory from.
pub const CD_FILE: &str = "CLAUDE_RESUME_CD_FILE";

impl Plan {
    /// Becomes the command. Returns only if that failed, or, where a process cannot become
    /// another one, with the code that the command ended with.
    pub fn start(&self) -> Result<i32, Failed> {
        for step in &self.steps {
            step.run()?;
        }
        let program = self.command.first().map_or("", String::as_str);
        let mut command = self.prepared().ok_or_else(|| Failed {
            failure: Failure::NotFound,
            message: "there is no command to run".to_owned(),
        })?;
        run(&mut command).map_err(|error| self.failed(program, &error))
    }

    /// Runs a command of tmux and waits for it: what tmux says of a mistake is for us to tell. The
    /// code is that of tmux, which for a popup is the code of what ran in it.
    pub fn run_tmux(&self) -> Result<i32, Failed> {
        for step in &self.steps {
            step.run()?;
        }
        let failed = |failure, message: &str| Failed {
            failure,
            message: format!("tmux: {message}; nothing was opened"),
        };
        let Some(mut command) = self.prepared() else {
            return Err(failed(Failure::NotFound, "there is no command to run"));
        };
        let output = command
            .stderr(Stdio::piped())
            .spawn()
            .and_then(Child::wait_with_output)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => failed(Failure::NotFound, "no such program on the PATH"),
                _ => failed(Failure::NotRun, &error.to_string()),
            })?;
        let said = String::from_utf8_lossy(&output.stderr);
        match said.lines().rfind(|line| !line.trim().is_empty()) {
            Some(last) if !output.status.success() => Err(failed(Failure::Step, last)),
            _ => Ok(output.status.code().unwrap_or(1)),
        }
    }

    fn prepared(&self) -> Option<Command> {
        let (program, arguments) = self.command.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
            // What a shell would have done on the way there.
            command.env("PWD", directory);
        }
        // A word for the shell around us, not for one that is started by what we start.
        command.env_remove(CD_FILE);
        for change in &self.environment {
            match change {
                Change::Set(name, value) => command.env(name, value),
                Change::Remove(name) => command.env_remove(name),
            };
        }
        Some(command)
    }

    /// One line on what went wrong, and the next step.
    fn failed(&self, program: &str, error: &io::Error) -> Failed {
        // The system says "not found" of a directory, too.
        if let Some(directory) = self.directory.as_ref().filter(|path| !path.is_dir()) {
            return Failed {
                failure: Failure::NotRun,
                message: format!("{}: cannot be entered: {error}", directory.display()),
            };
        }
        if error.kind() == io::ErrorKind::NotFound {
            return Failed {
                failure: Failure::NotFound,
                message: format!(
                    "{program}: cannot be started: no such program (is Claude Code installed and on the PATH? CLAUDE_RESUME_COMMAND or the configuration may name another command)"
                ),
            };
        }
        Failed {
            failure: Failure::NotRun,
            message: format!("{program}: cannot be started: {error}"),
        }
    }
}

impl Needs {
    /// Does it still hold? If not, why.
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Nothing => Ok(()),
            Self::CleanTree(top) => match tree(top) {
                Tree::Clean => Ok(()),
                Tree::Dirty(_) => Err("something is not committed by now".to_owned()),
                Tree::Unknown => Err("git does not say what is uncommitted".to_owned()),
            },
            Self::FreeBranch { top, branch } => match branch_in(top, branch) {
                BranchPlace::Free => Ok(()),
                BranchPlace::CheckedOutAt(tree) => {
                    Err(format!("{} has the branch by now", tree.display()))
                }
                BranchPlace::Gone | BranchPlace::NotRecorded => {
                    Err("git does not find the branch any more".to_owned())
                }
            },
        }
    }
}

impl Step {
    /// Runs it out of sight: the screen is for the command itself. Where it fails, the last line
    /// that it said is told.
    fn run(&self) -> Result<(), Failed> {
        let failed = |reason: &str| Failed {
            failure: Failure::Step,
            message: format!(
                "{}: {reason}; nothing was resumed",
                printable(&self.command)
            ),
        };
        let Some((program, arguments)) = self.command.split_first() else {
            return Ok(());
        };
        self.needs.check().map_err(|reason| failed(&reason))?;
        let output = unled(&mut Command::new(program))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(&error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty());
        Err(failed(last.unwrap_or("it failed")))
    }
}

#[cfg(unix)]
fn run(command: &mut Command) -> io::Result<i32> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> io::Result<i32> {
    Ok(command.status()?.code().unwrap_or(1))
}
