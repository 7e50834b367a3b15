//! Running a plan: its steps, then the one exec.

use std::io;
use std::process::{Child, Command, Output, Stdio};

use super::git::{branch_in, changes, head};
use super::plan::{Change, Needs, Plan, Step};
use super::quote::printable;
use super::situation::{BranchPlace, Changes, Head};
use crate::store::unled;

/// Why a plan failed.
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
    /// The program cannot be run.
    NotRun,
    /// A step, or tmux, failed.
    Step,
}

/// The file from which the shell function `cr` reads the session's directory.
pub const CD_FILE: &str = "CLAUDE_RESUME_CD_FILE";

impl Plan {
    /// Becomes the command. Returns only if that fails, or, on a system without exec, with the
    /// exit code of the command.
    pub fn start(&self) -> Result<i32, Failed> {
        self.run_steps()?;
        let program = self.command.first().map_or("", String::as_str);
        let mut command = self.prepared().ok_or_else(|| Failed {
            failure: Failure::NotFound,
            message: "there is no command to run".to_owned(),
        })?;
        run(&mut command).map_err(|error| self.with_steps(self.failed(program, &error)))
    }

    /// Runs a tmux command and waits for it. The code is that of tmux; for a popup, that of what ran
    /// in it.
    pub fn run_tmux(&self) -> Result<i32, Failed> {
        let output = self.tmux_output(Stdio::inherit())?;
        Ok(output.status.code().unwrap_or(1))
    }

    /// Opens a window or a split. Returns its pane, if tmux names it.
    pub fn open_pane(&self) -> Result<Option<String>, Failed> {
        let output = self.tmux_output(Stdio::piped())?;
        if !output.status.success() {
            return Err(nothing_opened(Failure::Step, "it failed without a message"));
        }
        let pane = String::from_utf8_lossy(output.stdout.trim_ascii()).into_owned();
        Ok(Some(pane).filter(|pane| !pane.is_empty()))
    }

    fn run_steps(&self) -> Result<(), Failed> {
        self.steps.iter().try_for_each(Step::run)
    }

    /// A failure after the steps, which have left their mark.
    fn with_steps(&self, failed: Failed) -> Failed {
        let brought = self.steps.iter().filter_map(|step| step.brings.as_ref());
        let message = brought.fold(failed.message, |message, (tree, branch)| {
            let tree = tree.display();
            format!("{message}; but {branch} is checked out in {tree} now")
        });
        Failed { message, ..failed }
    }

    fn tmux_output(&self, stdout: Stdio) -> Result<Output, Failed> {
        self.run_steps()?;
        self.tmux_says(stdout)
            .map_err(|failed| self.with_steps(failed))
    }

    fn tmux_says(&self, stdout: Stdio) -> Result<Output, Failed> {
        let Some(mut command) = self.prepared() else {
            let message = "there is no command to run";
            return Err(nothing_opened(Failure::NotFound, message));
        };
        let output = command
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .and_then(Child::wait_with_output)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    nothing_opened(Failure::NotFound, "no such program on the PATH")
                }
                _ => nothing_opened(Failure::NotRun, &error.to_string()),
            })?;
        let said = String::from_utf8_lossy(&output.stderr);
        match said.lines().rfind(|line| !line.trim().is_empty()) {
            Some(last) if !output.status.success() => Err(nothing_opened(Failure::Step, last)),
            _ => Ok(output),
        }
    }

    fn prepared(&self) -> Option<Command> {
        let (program, arguments) = self.command.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
            // As a shell does.
            command.env("PWD", directory);
        }
        // It is for the shell that started us, not for one that the command starts.
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
        // The system says "not found" of a missing directory, too.
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
                    "{program}: no such program (is Claude Code installed and on the PATH? CLAUDE_RESUME_COMMAND or the configuration can name another command)"
                ),
            };
        }
        Failed {
            failure: Failure::NotRun,
            message: format!("{program}: cannot be started: {error}"),
        }
    }
}

fn nothing_opened(failure: Failure, message: &str) -> Failed {
    Failed {
        failure,
        message: format!("tmux: {message}; nothing was opened"),
    }
}

/// The panes of this tmux in which a command runs; `None` if tmux does not answer.
pub fn live_panes() -> Option<Vec<String>> {
    let listed = Command::new("tmux")
        .args(["list-panes", "-a", "-F", "#{pane_dead} #{pane_id}"])
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    // With `remain-on-exit` tmux keeps a pane whose command has ended.
    let live = listed.lines().filter_map(|line| line.strip_prefix("0 "));
    Some(live.map(str::to_owned).collect())
}

impl Needs {
    /// Why it does not hold any more, if so.
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Nothing => Ok(()),
            Self::CleanTree(top) => match changes(top) {
                Changes::None => Ok(()),
                Changes::Files(_) => Err("there are uncommitted files now".to_owned()),
                Changes::Unknown => Err("git does not say what is uncommitted".to_owned()),
            },
            Self::FreeBranch { repository, branch } => match branch_in(repository, branch) {
                BranchPlace::Free => Ok(()),
                BranchPlace::Remote(remotes) if remotes.len() == 1 => Ok(()),
                BranchPlace::CheckedOutAt(tree) => {
                    Err(format!("{} has the branch now", tree.display()))
                }
                _ => Err("the branch is gone now".to_owned()),
            },
        }
    }
}

impl Step {
    /// Runs it without output: the screen is for the command itself. If it fails, the error is
    /// returned.
    fn run(&self) -> Result<(), Failed> {
        let failed = |reason: &str| Failed {
            failure: Failure::Step,
            message: format!(
                "{}: {reason}; nothing was resumed",
                printable(&self.shown())
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
        let mut why = telling(&String::from_utf8_lossy(&output.stderr));
        // A hook that fails after the checkout does not undo it.
        if let Some((tree, branch)) = &self.brings
            && matches!(head(tree), Head::Branch(now) if now == *branch)
        {
            let tree = tree.display();
            why = format!(
                "{why} ({branch} is checked out in {tree} anyway: resume again to go there)"
            );
        }
        Err(failed(&why))
    }
}

/// The errors of git on one line. The lines before them are about what went well; the last one is
/// often only advice.
fn telling(said: &str) -> String {
    const MOST: usize = 8;
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let is_complaint = |line: &&str| line.starts_with("fatal:") || line.starts_with("error:");
    let begin = lines.iter().position(is_complaint).unwrap_or(0);
    let told: Vec<&str> = lines.into_iter().skip(begin).take(MOST).collect();
    if told.is_empty() {
        return "it failed".to_owned();
    }
    told.join(" ")
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
