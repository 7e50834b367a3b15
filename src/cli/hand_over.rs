//! What is done with a plan: print it, open it in tmux, or run it in place of this program.

mod dry_run;
mod windows;

use std::borrow::Cow;
use std::env;
use std::fs;
use std::io::{self, Write};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::{Exit, complain};
use crate::resume::{
    CD_FILE, Failed, Failure, Finding, Launch, Nested, Plan, Program, Shell, Split, program,
};
use crate::tui::{Chosen, Printed};

impl ValueEnum for Shell {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Sh, Self::Fish, Self::PowerShell]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Sh => PossibleValue::new("sh").aliases(["bash", "zsh"]),
            Self::Fish => PossibleValue::new("fish"),
            Self::PowerShell => PossibleValue::new("powershell"),
        })
    }
}

impl ValueEnum for Split {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Window, Self::Split, Self::Popup]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        self.option().map(PossibleValue::new)
    }
}

/// What to do with the chosen session.
// One field for each option.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default, Args)]
pub struct HandOver {
    /// Print the session id instead of resuming
    #[arg(long, conflicts_with_all = ["print_command", "dry_run"])]
    pub print: bool,

    /// Print the arguments that resume it, for the key of a shell
    #[arg(long, hide = true, conflicts_with_all = ["print", "print_command", "dry_run"])]
    pub print_words: bool,

    /// Print the command that resumes it, after all questions, instead of running it
    #[arg(long, conflicts_with = "dry_run")]
    pub print_command: bool,

    /// Quote --print-command for this shell (default: sh)
    #[arg(long, value_name = "SHELL", requires = "print_command", conflicts_with_all = ["print", "dry_run"])]
    pub shell: Option<Shell>,

    /// Print what would run, where, and why, and exit with the code of a real run
    #[arg(long)]
    pub dry_run: bool,

    /// Print --dry-run as JSON, one object per session
    #[arg(long, requires = "dry_run")]
    pub json: bool,

    /// Open it in a new tmux window, a split of this pane, or a popup
    #[arg(long, value_name = "WHERE", conflicts_with_all = ["print", "print_words", "print_command"])]
    pub tmux: Option<Split>,
}

impl HandOver {
    /// What is printed instead of resuming, if anything.
    pub fn printed(&self) -> Option<Printed> {
        let printed = [
            (self.print, Printed::Id),
            (self.print_words, Printed::Words),
            (self.print_command, Printed::Command),
            (self.dry_run, Printed::Report),
        ];
        let mut printed = printed.into_iter();
        printed.find_map(|(is_set, printed)| is_set.then_some(printed))
    }

    /// Prints or runs a plan. A dry run also prints the open questions.
    pub fn carry_out(
        &self,
        plan: &Plan,
        name: &str,
        launch: &Launch,
        open: &[Finding],
    ) -> anyhow::Result<Exit> {
        plan.check_words(launch)?;
        let mut out = io::stdout().lock();
        if self.print || self.print_words {
            let is_fork = self.print_words && plan.is_fork();
            let fork = if is_fork { "--fork " } else { "" };
            writeln!(out, "{fork}{}", plan.id.as_deref().unwrap_or_default())?;
            return Ok(Exit::DONE);
        }
        let shown = match self.tmux {
            Some(_) if launch.nested == Nested::No && !self.dry_run => {
                complain("--tmux only works inside tmux: start `tmux` first, or omit the option");
                return Ok(Exit::FAILED);
            }
            Some(split) => plan.in_tmux(split, name, launch),
            None => plan.clone(),
        };
        if self.print_command {
            if let Some(name) = shown.command.first()
                && find(name) == Program::Missing
            {
                complain(&format!(
                    "{name}: not on the PATH. The command works only if the shell has an alias or function of this name"
                ));
            }
            writeln!(out, "{}", shown.line_for(self.shell.unwrap_or_default()))?;
            return Ok(Exit::DONE);
        }
        if self.dry_run {
            self.report(&mut out, &shown, open)?;
            return Ok(Exit::DONE);
        }
        drop(out);
        Ok(match self.tmux {
            Some(split) => windows::open(plan, name, split, launch),
            None => start(plan),
        })
    }

    /// Opens each session in its own tmux window, or prints how.
    pub fn windows(&self, several: &[Chosen], launch: &Launch) -> anyhow::Result<Exit> {
        if !self.dry_run {
            return Ok(windows::open_all(several, launch));
        }
        let mut out = io::stdout().lock();
        for Chosen { title, plan, .. } in several {
            let inside = plan.in_tmux(Split::Background, title, launch);
            self.report(&mut out, &inside, &[])?;
        }
        Ok(Exit::DONE)
    }

    fn report(&self, out: &mut impl Write, plan: &Plan, open: &[Finding]) -> anyhow::Result<()> {
        if self.json {
            dry_run::print_json(out, plan, open)
        } else {
            dry_run::print(out, plan, open)
        }
    }
}

/// Runs the plan in place of this program.
pub fn start(plan: &Plan) -> Exit {
    tell_shell(plan);
    let started = if plan.is_for_tmux() {
        plan.run_tmux()
    } else {
        with_extension(plan).start()
    };
    match started {
        Ok(code) => Exit(u8::try_from(code).unwrap_or(1)),
        Err(failed) => {
            // Nothing was started: the shell stays where it is.
            if let Some(file) = env::var_os(CD_FILE) {
                let _ = fs::write(file, []);
            }
            tell(&failed)
        }
    }
}

/// Prints why a plan failed. Returns the exit code.
fn tell(failed: &Failed) -> Exit {
    complain(&failed.message);
    match failed.failure {
        Failure::NotFound => Exit(127),
        Failure::NotRun => Exit(126),
        Failure::Step => Exit::FAILED,
    }
}

/// Windows runs a script such as `claude.cmd` only by its full name.
fn with_extension(plan: &Plan) -> Cow<'_, Plan> {
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

/// Tells the shell function around us where the session is. If that fails, the shell stays where
/// it is.
fn tell_shell(plan: &Plan) {
    let (Some(file), Some(directory)) = (env::var_os(CD_FILE), &plan.directory) else {
        return;
    };
    // `$(…)` would drop a line break at the end of a path. A slash after it is harmless.
    let mut text = directory.clone().into_os_string().into_encoded_bytes();
    text.push(b'/');
    let _ = fs::write(file, text);
}
