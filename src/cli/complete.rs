//! `claude-resume complete`: completions of the word under the cursor of a shell.
//!
//! One candidate per line: a tab and a description follow it. Called by the shell integration, and
//! silent if nothing fits. Paths are left to the shell: an exit code says so.

mod names;
mod word;

use std::io::{self, BufWriter, Write};

use clap::{Arg, Args, Command, CommandFactory};

use super::hand_over::ShellName;
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
    #[arg(long, default_value = "sh")]
    shell: ShellName,

    /// Characters other than spaces that break words: bash completes only the part after them
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    breaks: String,

    /// The words after the name of the command, up to the one under the cursor, as typed
    #[arg(last = true)]
    words: Vec<String>,
}

/// The candidates for a word.
#[derive(Debug, Default, PartialEq, Eq)]
struct Completions {
    /// Values with descriptions.
    values: Vec<(String, String)>,
    /// The exit code if there are no values.
    otherwise: u8,
}

impl CompleteCommand {
    pub fn run(&self, surroundings: &Surroundings) -> anyhow::Result<Exit> {
        let (before, typed) = match self.words.split_last() {
            Some((typed, before)) => (before, typed.as_str()),
            None => (&[][..], ""),
        };
        let word = TypedWord::read(typed, self.shell, &self.breaks);
        let before: Vec<String> = before.iter().map(|word| self.read_before(word)).collect();
        let names = StoreNames {
            surroundings,
            shell: self.shell,
        };
        let Completions { values, otherwise } = candidates(&before, &word.text, &names)?;
        if values.is_empty() {
            return Ok(Exit(otherwise));
        }
        let common = in_common(values.iter().map(|(value, _)| value.as_str()));
        let needs_quotes = |(value, _): &(String, String)| {
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
            if let Some(written) = self.written(value, &word, plain) {
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

    /// A word before the one under the cursor. Fish has removed its quotes already.
    fn read_before(&self, typed: &str) -> String {
        match self.shell {
            ShellName::Fish => typed.to_owned(),
            shell => TypedWord::read(typed, shell, "").text,
        }
    }

    /// A candidate, quoted for the shell. Fish and zsh quote by themselves. `None` if it does not
    /// continue the word.
    fn written(&self, value: &str, word: &TypedWord, plain: Plain) -> Option<String> {
        match self.shell {
            ShellName::Fish | ShellName::Zsh => Some(value.to_owned()),
            ShellName::Bash => word.continued(value, plain),
            ShellName::Sh | ShellName::Powershell => {
                Some(crate::resume::printable(&[value.to_owned()]))
            }
        }
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

/// The candidates for the word after these.
fn candidates(
    before: &[String],
    current: &str,
    names: &StoreNames<'_>,
) -> anyhow::Result<Completions> {
    let mut root = Arguments::command();
    // Adds the global options to every command.
    root.build();
    // After `--` are arguments for claude.
    let Some(place) = WordPlace::after(before, &root) else {
        return Ok(Completions::default());
    };
    let (command, positional) = (place.command, place.positional);
    if let Some(argument) = place.option {
        return values(argument, current, "", names);
    }
    if let Some((name, typed)) = current.split_once('=')
        && let Some(argument) = option(command, name)
    {
        return values(argument, typed, &format!("{name}="), names);
    }
    let mut found = Completions::default();
    if current.starts_with('-') {
        found.values = options(command);
        found.values.retain(|(name, _)| name.starts_with(current));
        return Ok(found);
    }
    if positional == 0 && !current.is_empty() {
        found.values = subcommands(command, current);
    }
    let named: Vec<&Arg> = command
        .get_positionals()
        .filter(|argument| !argument.is_last_set())
        .collect();
    let last = named.last().filter(|last| is_repeated(last));
    if let Some(argument) = named.get(positional).or(last) {
        let more = values(argument, current, "", names)?;
        found.values.extend(more.values);
        found.otherwise = more.otherwise;
    }
    Ok(found)
}

/// The position of a word on the command line.
#[derive(Debug)]
struct WordPlace<'a> {
    /// The option whose value it is.
    option: Option<&'a Arg>,
    command: &'a Command,
    /// The number of words before that are neither options nor commands.
    positional: usize,
}

impl<'a> WordPlace<'a> {
    /// The position after these words. `None` after `--`.
    fn after(before: &[String], root: &'a Command) -> Option<Self> {
        let mut place = Self {
            option: None,
            command: root,
            positional: 0,
        };
        for word in before {
            if place.option.take().is_some() {
                continue;
            }
            if word == "--" {
                return None;
            }
            let inner = place.command.find_subcommand(word);
            if word.starts_with('-') {
                place.option = option(place.command, word)
                    .filter(|argument| !argument.is_require_equals_set());
            } else if let Some(inner) = inner.filter(|_| place.positional == 0) {
                place.command = inner;
            } else {
                place.positional += 1;
            }
        }
        Some(place)
    }
}

/// The option of this name, if it takes a value.
fn option<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    let long = name.strip_prefix("--")?;
    let mut arguments = command.get_arguments();
    arguments
        .find(|argument| argument.get_long() == Some(long) && argument.get_action().takes_values())
}

fn is_repeated(argument: &Arg) -> bool {
    argument
        .get_num_args()
        .is_some_and(|count| count.max_values() > 1)
}

fn options(command: &Command) -> Vec<(String, String)> {
    let arguments = command.get_arguments();
    let shown = arguments.filter(|argument| !argument.is_hide_set());
    let named = shown.filter_map(|argument| {
        let help = argument.get_help().map(ToString::to_string);
        let help = help.unwrap_or_default().replace(['\t', '\n'], " ");
        Some((format!("--{}", argument.get_long()?), help))
    });
    named.collect()
}

fn subcommands(command: &Command, current: &str) -> Vec<(String, String)> {
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let fitting = shown.filter(|one| one.get_name().starts_with(current));
    let named = fitting.map(|one| {
        let about = one.get_about().map(ToString::to_string);
        (one.get_name().to_owned(), about.unwrap_or_default())
    });
    named.collect()
}

/// The values of an argument that begin with the typed text. Its value name in the help decides.
fn values(
    argument: &Arg,
    typed: &str,
    before: &str,
    names: &StoreNames<'_>,
) -> anyhow::Result<Completions> {
    let fixed = argument.get_possible_values();
    let is_fixed = !fixed.is_empty() && argument.get_action().takes_values();
    let name = argument
        .get_value_names()
        .and_then(|names| names.first())
        .map_or("", |name| name.as_str());
    let plain = |words: Vec<String>| -> Vec<(String, String)> {
        let fitting = words.into_iter().filter(|word| word.starts_with(typed));
        fitting.map(|word| (word, String::new())).collect()
    };
    let mut found = match name {
        _ if is_fixed => {
            // Only the last of several values is completed.
            let others = match argument.get_value_delimiter() {
                Some(comma) => typed.rfind(comma).map_or("", |at| &typed[..=at]),
                None => "",
            };
            let shown = fixed.iter().filter(|value| !value.is_hide_set());
            let shown = shown.map(|value| format!("{others}{}", value.get_name()));
            plain(shown.collect())
        }
        "WHAT" | "ID|TITLE|FILE" => names.sessions(typed, NameKind::Title)?,
        "ID" => names.sessions(typed, NameKind::Id)?,
        "BRANCH" => plain(names.each(|session| session.meta.git_branch.as_deref())?),
        "TAG" => plain(names.each(|session| session.meta.tag.as_deref())?),
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
    Ok(Completions {
        values: found,
        otherwise: match name {
            "DIR" | "PATH" => DIRECTORY,
            "FILE" | "WHAT" | "ID|TITLE|FILE" => FILE,
            _ => 0,
        },
    })
}
