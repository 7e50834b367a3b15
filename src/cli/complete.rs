//! `claude-resume complete`: completions of the word under the cursor of a shell.
//!
//! One candidate per line: a tab and a description follow it. Called by the shell integration, and
//! silent if nothing fits. Paths are left to the shell: an exit code says so.

mod names;
mod word;

use std::io::{self, BufWriter, Write};

use clap::{Arg, Args, Command, CommandFactory};

use super::init::InitShell;
use super::surroundings::Surroundings;
use super::{Arguments, Exit};
use names::{NameKind, StoreNames};
use word::{Plain, TypedWord};

/// The exit codes that leave the word to the shell.
const DIRECTORY: u8 = 3;
const FILE: u8 = 4;
/// The exit code for candidates that must not be replaced by their common prefix: titles match
/// anywhere, and the prefix would be shorter than the typed word.
const APART: u8 = 5;

#[derive(Debug, Args)]
pub struct CompleteCommand {
    /// The shell that asks: it decides how a candidate with spaces is quoted
    #[arg(long)]
    shell: InitShell,

    /// Characters other than spaces that break words: bash completes only the part after them
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    breaks: String,

    /// The words after the name of the command, up to the one under the cursor, as typed
    #[arg(last = true)]
    words: Vec<String>,
}

/// A value with its description.
pub type Candidate = (String, String);

impl CompleteCommand {
    pub fn run(&self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let (typed, before) = match self.words.split_last() {
            Some((typed, before)) => (typed.as_str(), before),
            None => ("", &[][..]),
        };
        let word = TypedWord::read(typed, self.shell, &self.breaks);
        let before = before.iter().map(|typed| match self.shell {
            // Fish has removed the quotes already.
            InitShell::Fish => typed.clone(),
            shell => TypedWord::read(typed, shell, "").text,
        });
        let names = StoreNames {
            surroundings,
            shell: self.shell,
        };
        let (values, otherwise) = candidates(before, &word.text, &names);
        if values.is_empty() {
            return Ok(Exit(otherwise));
        }
        let common = in_common(values.iter().map(|(value, _)| value.as_str()));
        let needs_quotes = |(value, _): &Candidate| {
            let rest = value.get(word.kept..);
            rest.is_some_and(|rest| !word::is_plain(rest))
        };
        // The shell inserts the common prefix of several candidates, and quotes are a part of it.
        let plain = if common.len() > word.kept && values.iter().any(needs_quotes) {
            Plain::Quoted
        } else {
            Plain::AsIs
        };
        let mut out = BufWriter::new(io::stdout().lock());
        for (value, description) in &values {
            let written = match self.shell {
                InitShell::Bash => word.continued(value, plain),
                // They quote by themselves.
                InitShell::Fish | InitShell::Zsh => Some(value.clone()),
            };
            if let Some(written) = written {
                writeln!(out, "{written}\t{description}")?;
            }
        }
        out.flush()?;
        let goes_on = common.to_lowercase().starts_with(&word.text.to_lowercase());
        Ok(if values.len() > 1 && !goes_on {
            Exit(APART)
        } else {
            Exit::DONE
        })
    }
}

/// The common prefix of all values.
fn in_common<'a>(mut values: impl Iterator<Item = &'a str>) -> &'a str {
    let first = values.next().unwrap_or_default();
    values.fold(first, |common, value| {
        let pairs = common.char_indices().zip(value.chars());
        let mut differing = pairs.filter(|((_, one), other)| one != other);
        let shorter = common.len().min(value.len());
        let end = differing.next().map_or(shorter, |((at, _), _)| at);
        common.get(..end).unwrap_or_default()
    })
}

/// The candidates for the word after these, and the exit code if there are none.
fn candidates(
    before: impl Iterator<Item = String>,
    current: &str,
    names: &StoreNames<'_>,
) -> (Vec<Candidate>, u8) {
    let mut root = Arguments::command();
    // Adds the global options to every command.
    root.build();
    let mut command = &root;
    // The option whose value comes next, and the number of words that are neither options nor
    // commands.
    let mut expecting = None;
    let mut positional = 0;
    for word in before {
        let inner = command.find_subcommand(&word);
        match inner.filter(|_| positional == 0) {
            _ if expecting.take().is_some() => {}
            // What follows are arguments for claude.
            _ if word == "--" => return (Vec::new(), 0),
            _ if word.starts_with('-') => expecting = option(command, &word),
            Some(inner) => command = inner,
            None => positional += 1,
        }
    }
    if let Some(argument) = expecting {
        return values(argument, current, "", names);
    }
    if let Some((name, typed)) = current.split_once('=')
        && let Some(argument) = option(command, name)
    {
        return values(argument, typed, &format!("{name}="), names);
    }
    if current.starts_with('-') {
        return (options(command, current), 0);
    }
    let mut found = Vec::new();
    if positional == 0 && !current.is_empty() {
        found = subcommands(command, current);
    }
    let named = command.get_positionals().filter(|it| !it.is_last_set());
    let named: Vec<&Arg> = named.collect();
    let last = named.last().filter(|last| is_repeated(last));
    let argument = named.get(positional).or(last);
    let (more, otherwise) = match argument {
        Some(argument) => values(argument, current, "", names),
        None => (Vec::new(), 0),
    };
    found.extend(more);
    (found, otherwise)
}

/// The option of this name, if it takes a value.
fn option<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    let long = name.strip_prefix("--")?;
    let mut arguments = command.get_arguments();
    arguments
        .find(|argument| argument.get_long() == Some(long) && argument.get_action().takes_values())
}

fn is_repeated(argument: &Arg) -> bool {
    let count = argument.get_num_args();
    count.is_some_and(|count| count.max_values() > 1)
}

fn options(command: &Command, current: &str) -> Vec<Candidate> {
    let shown = command.get_arguments().filter(|it| !it.is_hide_set());
    let named = shown.filter_map(|argument| {
        let help = argument.get_help().map(ToString::to_string);
        let help = help.unwrap_or_default().replace(['\t', '\n'], " ");
        Some((format!("--{}", argument.get_long()?), help))
    });
    named
        .filter(|(name, _)| name.starts_with(current))
        .collect()
}

fn subcommands(command: &Command, current: &str) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let fitting = shown.filter(|one| one.get_name().starts_with(current));
    let named = fitting.map(|one| {
        let about = one.get_about().map(ToString::to_string);
        (one.get_name().to_owned(), about.unwrap_or_default())
    });
    named.collect()
}

/// The values of an argument that begin with the typed text, and the exit code if there are none.
/// The value name in the help decides.
fn values(
    argument: &Arg,
    typed: &str,
    before: &str,
    names: &StoreNames<'_>,
) -> (Vec<Candidate>, u8) {
    let fixed = argument.get_possible_values();
    let name = argument.get_value_names().and_then(|names| names.first());
    let name = name.map_or("", |name| name.as_str());
    let plain = |words: Vec<String>| -> Vec<Candidate> {
        let fitting = words.into_iter().filter(|word| word.starts_with(typed));
        fitting.map(|word| (word, String::new())).collect()
    };
    let mut found = match name {
        _ if !fixed.is_empty() => {
            // Only the last of several values is completed.
            let comma = argument
                .get_value_delimiter()
                .and_then(|it| typed.rfind(it));
            let others = comma.map_or("", |at| &typed[..=at]);
            let shown = fixed.iter().filter(|value| !value.is_hide_set());
            let shown = shown.map(|value| format!("{others}{}", value.get_name()));
            plain(shown.collect())
        }
        "WHAT" | "ID|TITLE|FILE" => names.sessions(typed, NameKind::Title),
        "ID" | "ID|QUERY" => names.sessions(typed, NameKind::Id),
        "BRANCH" => plain(names.each(|session| session.meta.git_branch.as_deref())),
        "TAG" => plain(names.each(|session| session.meta.tag.as_deref())),
        // Lower-case alternatives in the value name are literal.
        name => {
            let words = name.split('|').map(str::to_owned);
            let is_word = |word: &String| word.chars().all(char::is_lowercase) && !word.is_empty();
            plain(words.filter(is_word).collect())
        }
    };
    for (value, _) in &mut found {
        value.insert_str(0, before);
    }
    let otherwise = match name {
        "DIR" | "PATH" => DIRECTORY,
        "FILE" | "WHAT" | "ID|TITLE|FILE" => FILE,
        _ => 0,
    };
    (found, otherwise)
}
