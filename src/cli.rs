//! The command line: reads arguments and environment, runs one command, prints, says how it went.
//!
//! The only room that prints or reads the environment. Commands return what happened; the exit
//! code is chosen here: 0 done, 1 nothing found or chosen, 2 an error or bad usage, 126 and 127 as a
//! shell says of a command that cannot be run or is not there, 130 interrupted, 143 told to end.

mod candidates;
mod complete;
mod config;
mod hand_over;
mod history;
mod init;
mod list;
mod pager;
mod pick;
mod prefix;
mod preflight;
mod show;
mod surroundings;
mod what;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{CommandFactory, Parser, Subcommand};

use crate::list::Rows;
use crate::store::{Event, ScanDepth, Trouble, stream};
use surroundings::{Sought, Surroundings};

/// What the long help ends with.
const ENDING: &str = "\
Exit codes: 0 done; 1 nothing chosen or found; 2 an error, or several sessions that could be
meant; 126 and 127 if claude cannot be run or is not there; 130 interrupted; 143 told to end;
else those of claude itself.

CLAUDE_RESUME_COMMAND names what to run instead of `claude`, CLAUDE_CONFIG_DIR where its sessions
are. `claude-resume config` prints the configuration with its place.";

/// Find any Claude Code session on this machine and get back into it.
///
/// Without a command it opens the picker: type, see, Enter.
#[derive(Debug, Parser)]
#[command(name = "claude-resume", version, max_term_width = 100)]
#[command(after_long_help = ENDING)]
#[command(
    subcommand_precedence_over_arg = true,
    args_conflicts_with_subcommands = false
)]
struct Arguments {
    /// A further config directory to look in, beside Claude Code's own (may be repeated)
    #[arg(long = "root", value_name = "DIR", global = true)]
    roots: Vec<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    pick: pick::Pick,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    History(history::History),
    Config(config::Config),
    Init(init::Init),
    #[command(hide = true)]
    Complete(complete::Complete),
}

/// How a command went, when it went without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    NothingFound,
    /// It could not be done, and why has been said.
    Failed,
    /// The person wanted out.
    Interrupted,
    /// The system wanted us to end.
    Terminated,
    /// What was to be run could not be, or ended with this code.
    Code(u8),
}

/// Runs the program and says how it went.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return answer_parse_error(&error),
    };
    match execute(arguments) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NothingFound) => ExitCode::from(1),
        Ok(Outcome::Failed) => ExitCode::from(2),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Ok(Outcome::Terminated) => ExitCode::from(143),
        Ok(Outcome::Code(code)) => ExitCode::from(code),
        // The reader of our output has seen enough and left: `list | head` is a success.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

fn execute(arguments: Arguments) -> anyhow::Result<Outcome> {
    let surroundings = Surroundings::read()?;
    let sought = match arguments.command {
        Some(Command::History(_)) => Sought::Prompts,
        _ => Sought::Sessions,
    };
    let roots = surroundings.roots(&arguments.roots, sought)?;
    if let (Some(_), Some(flag)) = (&arguments.command, arguments.pick.flag()) {
        bail!("{flag} before a command is for the picker: leave out the command, or put it behind");
    }
    // `fix list` is two words to a person, and a command to us.
    if let (Some(_), [word, ..]) = (&arguments.command, arguments.pick.words()) {
        bail!(
            "'{word}' stands before a command: leave it out, or put words to search for in quotes"
        );
    }
    match arguments.command {
        Some(Command::List(list)) => list.run(&surroundings, &roots),
        Some(Command::Show(show)) => show.run(&surroundings, &roots),
        Some(Command::History(history)) => {
            // Whoever names a directory means that one.
            let own = arguments.roots.first().or(roots.first()).cloned();
            history.run(&surroundings, &roots, own)
        }
        Some(Command::Config(_)) => config::Config::run(),
        Some(Command::Init(init)) => init.run(&arguments.roots),
        Some(Command::Complete(complete)) => complete.run(&surroundings, &roots),
        None => arguments.pick.run(&surroundings, &roots),
    }
}

/// Scans to the end: all rows, and what could not be read.
fn collect(roots: &[PathBuf], depth: ScanDepth) -> anyhow::Result<(Rows, Trouble)> {
    let mut rows = Rows::of_roots(roots);
    let mut trouble = Trouble::default();
    for event in stream(roots.to_vec(), depth).context("cannot start a thread")? {
        match event {
            Event::Listed(_) => {}
            Event::Batch(sessions) => {
                for session in sessions {
                    rows.add(session);
                }
            }
            Event::Finished(found) => trouble = found,
        }
    }
    rows.settle();
    Ok((rows, trouble))
}

/// Help and version go to stdout as they are. A mistake is one line that names it and the way
/// out, instead of a page of usage.
fn answer_parse_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Nobody is left to tell if help cannot be printed.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mistake = first.strip_prefix("error: ").unwrap_or(first);
    // What is missing stands on the next line.
    let missing = if mistake.ends_with(':') {
        lines.next().unwrap_or_default().trim()
    } else {
        ""
    };
    let mistake = format!("{mistake} {missing}");
    let mistake = mistake.trim_end();
    let values = lines.find(|line| line.trim_start().starts_with("[possible values"));
    let values = values.map_or(String::new(), |values| format!(" {}", values.trim()));
    let known = Arguments::command();
    // Not `args`, which ends the program at a word that is no UTF-8.
    let named = std::env::args_os()
        .skip(1)
        .find(|word| known.find_subcommand(word).is_some())
        .map(|word| word.to_string_lossy().into_owned());
    let command = match named {
        Some(name) => format!("claude-resume {name} --help"),
        None => "claude-resume --help".to_owned(),
    };
    // `-word` is a part of queries, and one dash is not how we write options.
    let dash = mistake.strip_prefix("unexpected argument '-");
    let hint = if dash.is_some_and(|rest| !rest.starts_with('-')) {
        "; a query with -word goes in quotes"
    } else {
        ""
    };
    complain(&format!("{mistake}{values}{hint} (see {command})"));
    ExitCode::from(2)
}

/// One line on stderr. Paths and arguments are outside data, so it is made safe to print.
fn complain(message: &str) {
    let line = format!("claude-resume: {}\n", crate::text::sanitize(message));
    // A closed stderr leaves only the exit code to speak.
    let _ = io::stderr().write_all(line.as_bytes());
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
