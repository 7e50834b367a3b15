//! `claude-resume complete`: what the word under the cursor of a shell could become.
//!
//! One candidate a line, a tab, a description. Called by the shell integration, and quiet: what
//! cannot be completed gives nothing. Paths are for the shell itself, which knows them better: a code
//! says so.

mod names;
mod word;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Arg, Args, Command, CommandFactory};

use super::hand_over::ShellName;
use super::surroundings::Surroundings;
use super::{Arguments, Outcome};
use crate::store::Hidden;
use names::{Names, Wanted};
use word::{Plain, Word};

/// The codes that leave the word to the shell.
const DIRECTORY: u8 = 3;
const FILE: u8 = 4;
/// The code for candidates that must not be replaced by what they have in common: titles match
/// anywhere, and that would be less than what was typed.
const APART: u8 = 5;

#[derive(Debug, Args)]
pub struct Complete {
    /// The shell that asks: it says how a candidate with spaces is written
    #[arg(long, default_value = "sh")]
    shell: ShellName,

    /// Characters that break words beside spaces: bash completes only what is behind them
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    breaks: String,

    /// The words behind the command's name, up to the one under the cursor, as they are typed
    #[arg(last = true)]
    words: Vec<String>,
}

/// What a word can become.
#[derive(Debug, PartialEq, Eq)]
enum Offer {
    /// Values with descriptions.
    Values(Vec<(String, String)>),
    /// The same, and files where there are none.
    ValuesOrFile(Vec<(String, String)>),
    Directory,
    File,
}

impl Offer {
    fn none() -> Self {
        Self::Values(Vec::new())
    }
}

impl Complete {
    pub fn run(&self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let (before, typed) = match self.words.split_last() {
            Some((typed, before)) => (before, typed.as_str()),
            None => (&[][..], ""),
        };
        let word = Word::read(typed, self.shell, &self.breaks);
        let before: Vec<String> = before.iter().map(|word| self.read_before(word)).collect();
        let names = Names {
            surroundings,
            roots,
            shell: self.shell,
        };
        let offer = offer(&before, &word.text, &names)?;
        let values = match offer {
            Offer::Directory => return Ok(Outcome::Code(DIRECTORY)),
            Offer::File => return Ok(Outcome::Code(FILE)),
            Offer::ValuesOrFile(values) if values.is_empty() => return Ok(Outcome::Code(FILE)),
            Offer::Values(values) | Offer::ValuesOrFile(values) => values,
        };
        let common = in_common(values.iter().map(|(value, _)| value.as_str()));
        let needs_quotes = |(value, _): &(String, String)| {
            let rest = value.get(word.kept..);
            rest.is_some_and(|rest| !word::is_plain(rest))
        };
        // What is put in of several is the beginning of each, and quotes are a part of it.
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
            Outcome::Code(APART)
        } else {
            Outcome::Done
        })
    }

    /// A word before the one under the cursor. Fish has read it already.
    fn read_before(&self, typed: &str) -> String {
        match self.shell {
            ShellName::Fish => typed.to_owned(),
            shell => Word::read(typed, shell, "").text,
        }
    }

    /// A candidate as it can stand on the line. Fish and zsh quote by themselves. `None` if it
    /// cannot stand there.
    fn written(&self, value: &str, word: &Word, plain: Plain) -> Option<String> {
        match self.shell {
            ShellName::Fish | ShellName::Zsh => Some(value.to_owned()),
            ShellName::Bash => word.continued(value, plain),
            ShellName::Sh | ShellName::Powershell => {
                Some(crate::resume::printable(&[value.to_owned()]))
            }
        }
    }
}

/// The beginning that all have.
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

/// What the last of these words could become.
fn offer(before: &[String], current: &str, names: &Names<'_>) -> anyhow::Result<Offer> {
    let mut root = Arguments::command();
    // Options of the whole program are known to its commands from then on.
    root.build();
    let place = Place::behind(before, &root);
    let (command, positional) = match place {
        // What follows two dashes is for Claude Code.
        Place::Foreign => return Ok(Offer::none()),
        Place::Value(argument) => return values(argument, current, "", names),
        Place::Word {
            command,
            positional,
        } => (command, positional),
    };
    if let Some((name, typed)) = current.split_once('=')
        && let Some(argument) = option(command, name)
    {
        return values(argument, typed, &format!("{name}="), names);
    }
    if current.starts_with('-') {
        let mut options = options(command);
        options.retain(|(name, _)| name.starts_with(current));
        return Ok(Offer::Values(options));
    }
    let mut found = Vec::new();
    if positional == 0 && !current.is_empty() {
        found.extend(subcommands(command, current));
    }
    let named: Vec<&Arg> = command
        .get_positionals()
        .filter(|argument| !argument.is_last_set())
        .collect();
    let last = named.last().filter(|last| is_repeated(last));
    let argument = named.get(positional).or(last);
    let Some(argument) = argument else {
        return Ok(Offer::Values(found));
    };
    Ok(match values(argument, current, "", names)? {
        Offer::Values(more) => {
            found.extend(more);
            Offer::Values(found)
        }
        Offer::ValuesOrFile(more) => {
            found.extend(more);
            Offer::ValuesOrFile(found)
        }
        path @ (Offer::Directory | Offer::File) => path,
    })
}

/// Where a word stands.
#[derive(Debug)]
enum Place<'a> {
    /// It is the value of this option.
    Value(&'a Arg),
    Word {
        command: &'a Command,
        /// How many words stand before that are neither options nor commands.
        positional: usize,
    },
    Foreign,
}

impl<'a> Place<'a> {
    fn behind(before: &[String], root: &'a Command) -> Self {
        let mut command = root;
        let mut positional = 0;
        let mut open = None;
        for word in before {
            if open.take().is_some() {
                continue;
            }
            if word == "--" {
                return Self::Foreign;
            }
            if word.starts_with('-') {
                open = option(command, word).filter(|argument| !argument.is_require_equals_set());
            } else if let Some(inner) = command.find_subcommand(word).filter(|_| positional == 0) {
                command = inner;
            } else {
                positional += 1;
            }
        }
        match open {
            Some(argument) => Self::Value(argument),
            None => Self::Word {
                command,
                positional,
            },
        }
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
    let help = |argument: &Arg| {
        let text = argument.get_help().map(ToString::to_string);
        text.unwrap_or_default().replace(['\t', '\n'], " ")
    };
    let hidden = |argument: &&Arg| !argument.is_hide_set();
    let arguments = command.get_arguments().filter(hidden);
    arguments
        .filter_map(|argument| Some((format!("--{}", argument.get_long()?), help(argument))))
        .collect()
}

fn subcommands(command: &Command, current: &str) -> Vec<(String, String)> {
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    shown
        .filter(|one| one.get_name().starts_with(current))
        .map(|one| {
            let about = one.get_about().map(ToString::to_string);
            (one.get_name().to_owned(), about.unwrap_or_default())
        })
        .collect()
}

/// The values of an argument that begin so, by the word that the help has for them.
fn values(argument: &Arg, typed: &str, behind: &str, names: &Names<'_>) -> anyhow::Result<Offer> {
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
    let found = match name {
        _ if is_fixed => {
            let shown = fixed.iter().filter(|value| !value.is_hide_set());
            plain(shown.map(|value| value.get_name().to_owned()).collect())
        }
        "WHAT" | "ID|TITLE|FILE" => {
            return Ok(Offer::ValuesOrFile(names.sessions(typed, Wanted::Title)?));
        }
        "ID" => names.sessions(typed, Wanted::Id)?,
        "DIR" | "PATH" => return Ok(Offer::Directory),
        "FILE" => return Ok(Offer::File),
        "BRANCH" => plain(names.branches()?),
        "TAG" => plain(names.tags()?),
        "KINDS" => {
            let before = typed.rfind(',').map_or("", |at| &typed[..=at]);
            let kinds = Hidden::ALL.iter().map(|kind| kind.name());
            let kinds = kinds.chain(["all"]).map(|kind| format!("{before}{kind}"));
            plain(kinds.collect())
        }
        // Words to choose from stand between bars, in small letters.
        name => {
            let words = name.split('|').map(str::to_owned);
            let is_word = |word: &String| word.chars().all(char::is_lowercase) && !word.is_empty();
            plain(words.filter(is_word).collect())
        }
    };
    let found = found
        .into_iter()
        .map(|(value, description)| (format!("{behind}{value}"), description));
    Ok(Offer::Values(found.collect()))
}
