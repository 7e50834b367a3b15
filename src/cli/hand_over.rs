//! What becomes of a plan: printed, opened in tmux, or run in our place.

mod dry_run;
mod interpreter;
mod windows;

use std::borrow::Cow;
use std::env;
use std::fs;
use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::{Outcome, complain};
use crate::resume::{
    CD_FILE, Failed, Failure, Finding, Launch, Nested, Plan, Program, Shell, Split, program,
};
use crate::tui::{Chosen, Printed};

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    #[default]
    Sh,
    Bash,
    Zsh,
    Fish,
    Powershell,
}

impl ShellName {
    fn shell(self) -> Shell {
        match self {
            Self::Sh | Self::Bash | Self::Zsh => Shell::Sh,
            Self::Fish => Shell::Fish,
            Self::Powershell => Shell::PowerShell,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TmuxPlace {
    Window,
    Split,
    Popup,
}

impl TmuxPlace {
    pub fn split(self) -> Split {
        match self {
            Self::Window => Split::Window,
            Self::Split => Split::Split,
            Self::Popup => Split::Popup,
        }
    }
}

/// How to hand over.
// Each flag is one that a person types.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default, Args)]
pub struct HandOver {
    /// Print the id of the session instead of resuming it
    #[arg(long, conflicts_with_all = ["print_command", "dry_run"])]
    pub print: bool,

    /// Print the words that resume it: for the key of a shell, which has a function to run them
    #[arg(long, hide = true, conflicts_with_all = ["print", "print_command", "dry_run"])]
    pub print_words: bool,

    /// Print the command that resumes it instead of running it, after all questions
    #[arg(long, conflicts_with = "dry_run")]
    pub print_command: bool,

    /// The shell that --print-command is for
    #[arg(
        long,
        value_name = "SHELL",
        default_value = "sh",
        hide_default_value = true
    )]
    pub shell: ShellName,

    /// Print what would run, where, and why, instead of running it; exits as the run would
    #[arg(long)]
    pub dry_run: bool,

    /// With --dry-run: one JSON object per session
    #[arg(long, requires = "dry_run")]
    pub json: bool,

    /// Open it in tmux: in a new window, beside this pane, or in a popup
    #[arg(long, value_name = "WHERE", conflicts_with_all = ["print", "print_words", "print_command"])]
    pub tmux: Option<TmuxPlace>,
}

impl HandOver {
    /// What is printed instead of resuming anything, if that was asked for.
    pub fn printed(&self) -> Option<Printed> {
        match self {
            Self { print: true, .. } => Some(Printed::Id),
            Self {
                print_words: true, ..
            } => Some(Printed::Words),
            Self {
                print_command: true,
                ..
            } => Some(Printed::Command),
            Self { dry_run: true, .. } => Some(Printed::Report),
            _ => None,
        }
    }

    /// Does what was asked for with a plan. The questions that are open are for those who want to
    /// know what it takes.
    pub fn carry_out(
        &self,
        plan: &Plan,
        name: &str,
        launch: &Launch,
        open: &[Finding],
    ) -> anyhow::Result<Outcome> {
        plan.check_words(launch)?;
        let mut out = io::stdout().lock();
        if self.print {
            writeln!(out, "{}", plan.id.as_deref().unwrap_or_default())?;
            return Ok(Outcome::Done);
        }
        if self.print_words {
            let fork = if plan.is_fork() { "--fork " } else { "" };
            writeln!(out, "{fork}{}", plan.id.as_deref().unwrap_or_default())?;
            return Ok(Outcome::Done);
        }
        let shown = match self.tmux {
            Some(_) if launch.nested == Nested::No && !self.dry_run => {
                complain(
                    "--tmux needs a tmux around it: start `tmux` first, or leave the option out",
                );
                return Ok(Outcome::Failed);
            }
            Some(place) => plan.in_tmux(place.split(), name, launch),
            None => plan.clone(),
        };
        if self.print_command {
            if let Some(name) = shown.command.first()
                && find(name) == Program::Missing
            {
                complain(&format!(
                    "{name}: no such program on the PATH: your shell has to know it"
                ));
            }
            writeln!(out, "{}", shown.line_for(self.shell.shell()))?;
            return Ok(Outcome::Done);
        }
        if self.dry_run {
            self.report(&mut out, &shown, open)?;
            return Ok(Outcome::Done);
        }
        drop(out);
        Ok(match self.tmux {
            Some(place) => windows::open(plan, name, place.split(), launch),
            None => start(plan),
        })
    }

    /// Opens each session in a tmux window of its own, or says how that would be done.
    pub fn windows(&self, several: &[Chosen], launch: &Launch) -> anyhow::Result<Outcome> {
        if !self.dry_run {
            return Ok(windows::open_all(several, launch));
        }
        let mut out = io::stdout().lock();
        for Chosen { title, plan, .. } in several {
            let inside = plan.in_tmux(Split::Background, title, launch);
            self.report(&mut out, &inside, &[])?;
        }
        Ok(Outcome::Done)
    }

    fn report(&self, out: &mut impl Write, plan: &Plan, open: &[Finding]) -> anyhow::Result<()> {
        if self.json {
            dry_run::print_json(out, plan, open)
        } else {
            dry_run::print(out, plan, open)
        }
    }
}

/// Runs the plan in our place.
pub fn start(plan: &Plan) -> Outcome {
    leave_word(plan);
    let started = if plan.is_for_tmux() {
        plan.run_tmux()
    } else {
        with_ending(plan).start()
    };
    match started {
        Ok(0) => Outcome::Done,
        Ok(code) => Outcome::Code(u8::try_from(code).unwrap_or(1)),
        Err(failed) => {
            take_word_back();
            tell(failed, plan)
        }
    }
}

/// Says why a plan was not carried out, and how that ends.
fn tell(failed: Failed, plan: &Plan) -> Outcome {
    let (message, outcome) = match failed.failure {
        Failure::NotFound => {
            let missing = interpreter::missing(plan);
            (missing.unwrap_or(failed.message), Outcome::Code(127))
        }
        Failure::NotRun => (failed.message, Outcome::Code(126)),
        Failure::Step => (failed.message, Outcome::Failed),
    };
    complain(&message);
    outcome
}

/// Windows runs a script such as `claude.cmd` only under its whole name.
fn with_ending(plan: &Plan) -> Cow<'_, Plan> {
    let name = plan.command.first().filter(|_| cfg!(windows));
    let found = name.map(|name| find(name));
    let Some(Program::Found(path)) = found else {
        return Cow::Borrowed(plan);
    };
    let mut plan = plan.clone();
    if let Some(name) = plan.command.first_mut() {
        *name = path.to_string_lossy().into_owned();
    }
    Cow::Owned(plan)
}

fn find(name: &str) -> Program {
    let here = env::current_dir().ok();
    program(name, env::var_os("PATH").as_deref(), here.as_deref())
}

/// Tells the shell function around us where the session is. A convenience: if it fails, the shell
/// stays where it is.
fn leave_word(plan: &Plan) {
    let (Some(file), Some(directory)) = (env::var_os(CD_FILE), &plan.directory) else {
        return;
    };
    // A path may end in a line break, which `$(…)` would swallow: a slash behind it is harmless.
    let mut text = directory.clone().into_os_string().into_encoded_bytes();
    text.push(b'/');
    let _ = fs::write(file, text);
}

/// Nothing was started: the shell stays where it is.
fn take_word_back() {
    if let Some(file) = env::var_os(CD_FILE) {
        let _ = fs::write(file, []);
    }
}
