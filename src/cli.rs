//! The command line: reads arguments and environment, runs one command, prints, and exits.
//!
//! The only room that prints or reads the environment. Commands return their exit code: 0 done,
//! 1 nothing found or chosen, 2 an error or bad usage, 126 and 127 as a shell uses them for a
//! command that cannot be run or is missing, 130 interrupted, 143 terminated.

mod cache;
mod candidates;
mod complete;
mod config;
mod hand_over;
mod history;
mod init;
mod list;
mod messages;
mod pager;
mod pick;
mod preflight;
mod search;
mod show;
mod surroundings;
mod what;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::list::Rows;
use crate::store::{Event, Known, ScanDepth, Trouble, scan};
use crate::tui::Switch;
use cache::cache_in_use;
use surroundings::Surroundings;

/// The end of the long help.
const ENDING: &str = "\
Exit codes:
  0    done
  1    nothing chosen or found
  2    an error, a query that cannot work, or several sessions match
  126  claude cannot be run
  127  claude is missing
  130  interrupted
  143  terminated
  Otherwise the exit code of claude itself.

Environment:
  CLAUDE_CONFIG_DIR      the config directory of Claude Code
  CLAUDE_RESUME_COMMAND  the command to run instead of `claude`

`claude-resume config` prints the configuration and the path of its file. There, `[clipboard]
command` names a program that copies. Otherwise claude-resume uses the clipboard programs of the
desktop, tmux, or the terminal.";

/// Find any Claude Code session on this machine and resume it.
///
/// Without a command it opens the picker: type a few letters, see the session, press Enter.
#[derive(Debug, Parser)]
#[command(name = "claude-resume", version, max_term_width = 100)]
#[command(after_long_help = ENDING)]
#[command(
    subcommand_precedence_over_arg = true,
    args_conflicts_with_subcommands = false
)]
struct Arguments {
    /// Also read this config directory (repeatable); `history add` and `history undo` use only it
    #[arg(long = "root", value_name = "DIR", global = true)]
    roots: Vec<PathBuf>,

    /// Read everything anew, and keep nothing for the next run
    #[arg(long, global = true)]
    no_cache: bool,

    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    pick: pick::Pick,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::ListCommand),
    Search(search::SearchCommand),
    Show(show::ShowCommand),
    History(history::HistoryCommand),
    Config(config::ConfigCommand),
    Cache(cache::CacheCommand),
    Init(init::InitCommand),
    #[command(hide = true)]
    Complete(complete::CompleteCommand),
}

/// The exit code of a command that ran without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Exit(u8);

impl Exit {
    const DONE: Self = Self(0);
    const NOTHING_FOUND: Self = Self(1);
    /// It failed, and the reason has been printed.
    const FAILED: Self = Self(2);
    const INTERRUPTED: Self = Self(130);
    const TERMINATED: Self = Self(143);
}

/// Runs the program.
pub fn run() -> ExitCode {
    survive_the_file_limit();
    let parsed = Arguments::command().try_get_matches().and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((arguments, matches))
    });
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return answer_parse_error(&error),
    };
    match execute(arguments, &matches) {
        Ok(Exit(code)) => ExitCode::from(code),
        // The reader of our output has seen enough and left: `list | head` is a success.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// A file that gets larger than `ulimit -f` allows fails to be written, as on a full disk, instead of
/// ending the process. Claude Code inherits no handler, but would inherit an ignored signal.
fn survive_the_file_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

fn execute(arguments: Arguments, matches: &ArgMatches) -> anyhow::Result<Exit> {
    let mut surroundings = Surroundings::read(&arguments.roots)?;
    let cache = if arguments.no_cache {
        Switch::Off
    } else {
        Switch::On
    };
    surroundings.cache = cache_in_use(&surroundings, cache);
    let Some(command) = arguments.command else {
        return arguments.pick.run(surroundings);
    };
    if let Some(given) = picker_argument(matches) {
        let name = matches.subcommand_name().unwrap_or_default();
        bail!(
            "unexpected '{given}' before '{name}'. Put options after the command, and quote words to search for"
        );
    }
    match command {
        Command::List(list) => list.run(&surroundings),
        Command::Search(search) => search.run(&surroundings),
        Command::Show(show) => show.run(&surroundings),
        Command::History(history) => {
            // A directory that was named comes before the default one.
            let root = arguments.roots.first().or(surroundings.roots.first());
            let root = root.cloned();
            history.run(surroundings, root)
        }
        Command::Cache(cache) => cache.run(&surroundings),
        Command::Config(_) => config::ConfigCommand::run(),
        Command::Init(init) => init.run(&surroundings, &arguments.roots),
        Command::Complete(complete) => complete.run(&surroundings),
    }
}

/// The first argument that only the picker takes: other commands would ignore it.
fn picker_argument(matches: &ArgMatches) -> Option<String> {
    let is_given = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        !argument.is_global_set() && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let command = Arguments::command();
    let argument = command.get_arguments().find(is_given)?;
    match argument.get_long() {
        Some(name) => Some(format!("--{name}")),
        None => matches
            .get_one::<String>(argument.get_id().as_str())
            .cloned(),
    }
}

/// Scans to the end: all rows, and the files that could not be read.
fn collect(surroundings: &Surroundings, depth: ScanDepth) -> (Rows, Trouble) {
    let roots = &surroundings.roots;
    let found = Mutex::new((Rows::of_roots(roots), Trouble::default()));
    let summaries = surroundings.summaries();
    let known = summaries.as_deref().map(|known| known as &dyn Known);
    scan(roots, depth, known, &AtomicBool::new(false), &|event| {
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Listed(_) => {}
            Event::Batch(sessions) => {
                for session in sessions {
                    found.0.add(session);
                }
            }
            Event::Finished(trouble) => found.1 = trouble,
        }
        ControlFlow::Continue(())
    });
    let (mut rows, trouble) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.settle();
    if let Some(summaries) = summaries {
        // Without room for it the next run is as slow as this one.
        let save = move || drop(summaries.save(depth));
        surroundings.saving.start(save);
    }
    (rows, trouble)
}

/// Help and version go to stdout as they are. A mistake is one line that names it and the command
/// for help, instead of a page of usage.
fn answer_parse_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // If help cannot be printed, an error message cannot either.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    // Usage and tips follow after a blank line.
    let text = error.to_string();
    let mistake = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = mistake.split_whitespace().skip(1).collect();
    let mistake = words.join(" ");
    let known = Arguments::command();
    // Not `args`, which panics at a word that is not UTF-8.
    let command = std::env::args_os()
        .skip(1)
        .find(|word| known.find_subcommand(word).is_some())
        .map_or(String::new(), |name| format!(" {}", name.to_string_lossy()));
    // An unknown argument with one dash is more likely the `-word` of a query than an option.
    let dash = mistake.strip_prefix("unexpected argument '-");
    let hint = if dash.is_some_and(|rest| !rest.starts_with('-')) {
        "; quote a query that contains -word"
    } else {
        ""
    };
    complain(&format!(
        "{mistake}{hint} (see claude-resume{command} --help)"
    ));
    ExitCode::from(2)
}

/// One line on stderr. Paths and arguments are untrusted, so it is made safe to print.
fn complain(message: &str) {
    let line = format!("claude-resume: {}\n", crate::text::sanitize(message));
    // Without stderr only the exit code is left.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// A count with its noun: `1 session`, `3 sessions`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
