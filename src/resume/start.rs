//! Running a plan: its steps, then the one exec.

use std::io;
use std::process::{Child, Command, Output, Stdio};

use super::git::{branch_in, current_branch, uncommitted};
use super::plan::{Change, Plan};
use super::quote::printable;
use super::situation::BranchPlace;
use super::step::PlanStep;
use crate::store::clear_git_env;

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

impl Failure {
    fn with(self, message: String) -> Failed {
        Failed {
            failure: self,
            message,
        }
    }

    fn of_tmux(self, message: &str) -> Failed {
        self.with(format!("tmux: {message}; nothing was opened"))
    }
}

/// The file from which the shell function `cr` reads the session's directory.
pub const CD_FILE: &str = "CLAUDE_RESUME_CD_FILE";

impl Plan {
    /// Becomes the command. Returns only if that fails, or, on a system without exec, with the
    /// exit code of the command.
    pub fn start(&self) -> Result<i32, Failed> {
        self.run_steps()?;
        let started = run(&mut self.prepared());
        started.map_err(|error| self.with_steps(self.failed(&error)))
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
            return Err(Failure::Step.of_tmux("it failed without a message"));
        }
        let pane = String::from_utf8_lossy(output.stdout.trim_ascii()).into_owned();
        Ok(Some(pane).filter(|pane| !pane.is_empty()))
    }

    fn run_steps(&self) -> Result<(), Failed> {
        self.steps.iter().try_for_each(PlanStep::run)
    }

    /// A failure after the steps, which are not undone.
    fn with_steps(&self, failed: Failed) -> Failed {
        let done = self.steps.iter().filter_map(PlanStep::checks_out);
        let message = done.fold(failed.message, |message, (tree, branch)| {
            let tree = tree.display();
            format!("{message}; but {branch} is checked out in {tree} now")
        });
        failed.failure.with(message)
    }

    fn tmux_output(&self, stdout: Stdio) -> Result<Output, Failed> {
        self.run_steps()?;
        let mut command = self.prepared();
        let started = command.stdout(stdout).stderr(Stdio::piped()).spawn();
        let output = started.and_then(Child::wait_with_output).map_err(|error| {
            self.with_steps(match error.kind() {
                io::ErrorKind::NotFound => Failure::NotFound.of_tmux("no such program on the PATH"),
                _ => Failure::NotRun.of_tmux(&error.to_string()),
            })
        })?;
        let said = String::from_utf8_lossy(&output.stderr);
        match said.lines().rfind(|line| !line.trim().is_empty()) {
            Some(last) if !output.status.success() => {
                Err(self.with_steps(Failure::Step.of_tmux(last)))
            }
            _ => Ok(output),
        }
    }

    fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    fn prepared(&self) -> Command {
        let mut command = Command::new(self.program());
        command.args(self.command.iter().skip(1));
        if let Some(directory) = &self.directory {
            // As a shell does.
            command.current_dir(directory).env("PWD", directory);
        }
        // It is for the shell that started us, not for one that the command starts.
        command.env_remove(CD_FILE);
        for change in &self.environment {
            match change {
                Change::Set(name, value) => command.env(name, value),
                Change::Remove(name) => command.env_remove(name),
            };
        }
        command
    }

    /// One line on what went wrong, and the next step.
    fn failed(&self, error: &io::Error) -> Failed {
        let program = self.program();
        // The system says "not found" of a missing directory, too.
        if let Some(directory) = self.directory.as_ref().filter(|path| !path.is_dir()) {
            let directory = directory.display();
            return Failure::NotRun.with(format!("{directory}: cannot be entered: {error}"));
        }
        match error.kind() {
            io::ErrorKind::NotFound => Failure::NotFound.with(format!(
                "{program}: no such program (is Claude Code installed and on the PATH? CLAUDE_RESUME_COMMAND or the configuration can name another command)"
            )),
            _ => Failure::NotRun.with(format!("{program}: cannot be started: {error}")),
        }
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

impl PlanStep {
    /// Runs it without output: the screen is for the command itself. If it fails, the error is
    /// returned.
    fn run(&self) -> Result<(), Failed> {
        let failed = |reason: &str| {
            let step = printable(&self.shown());
            Failure::Step.with(format!("{step}: {reason}; nothing was resumed"))
        };
        self.check().map_err(|reason| failed(&reason))?;
        let mut words = self.command().into_iter();
        let output = clear_git_env(&mut Command::new(words.next().unwrap_or_default()))
            .args(words)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(&error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let mut why = complaints(&String::from_utf8_lossy(&output.stderr));
        // A hook that fails after the checkout does not undo it.
        if let Some((tree, branch)) = self.checks_out()
            && current_branch(tree).as_deref() == Some(branch)
        {
            let tree = tree.display();
            why = format!(
                "{why} ({branch} is checked out in {tree} anyway: resume again to go there)"
            );
        }
        Err(failed(&why))
    }

    /// Checks the facts again: much can change before an answer.
    fn check(&self) -> Result<(), String> {
        match self {
            Self::MakeDirectory(_) => Ok(()),
            Self::Switch { tree, .. } => match uncommitted(tree) {
                Some(0) => Ok(()),
                Some(_) => Err("there are uncommitted files now".to_owned()),
                None => Err("git does not say what is uncommitted".to_owned()),
            },
            Self::AddWorktree {
                repository, branch, ..
            } => match branch_in(repository, branch) {
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

/// The errors of git on one line. The lines before them are about what went well; the last one is
/// often only advice.
fn complaints(said: &str) -> String {
    const MOST: usize = 8;
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let is_complaint = |line: &&str| line.starts_with("fatal:") || line.starts_with("error:");
    let first = lines.iter().position(is_complaint).unwrap_or(0);
    if lines.is_empty() {
        return "it failed".to_owned();
    }
    let told: Vec<&str> = lines.into_iter().skip(first).take(MOST).collect();
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
