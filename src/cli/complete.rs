//! `claude-resume complete`: what the word under the cursor of a shell could become.
//!
//! One candidate a line, a tab, a description. Called by the shell integration, and quiet: what
//! cannot be completed gives nothing.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use uuid::Uuid;

use super::hand_over::ShellName;
use super::surroundings::Surroundings;
use super::what::one_line;
use super::{Arguments, Outcome, collect};
use crate::list::{Row, Scope, Sort};
use crate::store::{Depth, worktrees};
use crate::text::{age, truncate, width};

/// Candidates that a person can look through.
const MOST: usize = 200;
/// Columns of a title in a description.
const TITLE: usize = 60;

#[derive(Debug, Args)]
pub struct Complete {
    /// The shell that asks: it says how a candidate with spaces is written
    #[arg(long, default_value = "sh")]
    shell: ShellName,

    /// The words behind the command's name, up to the one under the cursor
    #[arg(last = true)]
    words: Vec<String>,
}

impl Complete {
    pub fn run(&self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let mut out = BufWriter::new(io::stdout().lock());
        let (before, current) = match self.words.split_last() {
            Some((current, before)) => (before, current.as_str()),
            None => (&[][..], ""),
        };
        // What follows two dashes is for Claude Code.
        if before.iter().any(|word| word == "--") {
            return Ok(Outcome::Done);
        }
        if current.starts_with('-') {
            for (name, help) in options(before) {
                if name.starts_with(current) {
                    writeln!(out, "{name}\t{help}")?;
                }
            }
        } else {
            let root = Arguments::command();
            let subcommands = root.get_subcommands().filter(|one| !one.is_hide_set());
            for subcommand in subcommands.filter(|_| before.is_empty() && !current.is_empty()) {
                let name = subcommand.get_name();
                if name.starts_with(current) {
                    let about = subcommand.get_about().map(ToString::to_string);
                    writeln!(out, "{name}\t{}", about.unwrap_or_default())?;
                }
            }
            let word = unquoted(current);
            for (value, description) in sessions(&word, surroundings, roots)? {
                if let Some(written) = self.written(&value, current) {
                    writeln!(out, "{written}\t{description}")?;
                }
            }
        }
        out.flush()?;
        Ok(Outcome::Done)
    }

    /// A candidate as it can stand on the line. Fish and zsh quote by themselves; bash keeps the
    /// quote that was typed and closes it. `None` if it cannot stand behind that one.
    fn written(&self, value: &str, typed: &str) -> Option<String> {
        match (self.shell, typed.chars().next()) {
            (ShellName::Fish | ShellName::Zsh, _) => Some(value.to_owned()),
            (ShellName::Bash, Some('\'')) => (!value.contains('\'')).then(|| value.to_owned()),
            (ShellName::Bash, Some('"')) => {
                let mut text = String::with_capacity(value.len());
                for c in value.chars() {
                    if matches!(c, '"' | '$' | '`' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
                Some(text)
            }
            (ShellName::Sh | ShellName::Bash | ShellName::Powershell, _) => {
                Some(crate::resume::printable(&[value.to_owned()]))
            }
        }
    }
}

/// What was typed of a candidate in quotes.
fn unquoted(word: &str) -> String {
    let word = word.strip_prefix(['\'', '"']).unwrap_or(word);
    word.replace("\\ ", " ")
}

/// Long options of the command, or of the subcommand that stands before.
fn options(before: &[String]) -> Vec<(String, String)> {
    let root = Arguments::command();
    let named = before.iter().find_map(|word| root.find_subcommand(word));
    let command = named.unwrap_or(&root);
    let help = |argument: &clap::Arg| {
        let text = argument.get_help().map(ToString::to_string);
        text.unwrap_or_default().replace(['\t', '\n'], " ")
    };
    let hidden = |argument: &&clap::Arg| !argument.is_hide_set();
    let arguments = command.get_arguments().filter(hidden);
    arguments
        .filter_map(|argument| Some((format!("--{}", argument.get_long()?), help(argument))))
        .chain([("--help".to_owned(), "how it is used".to_owned())])
        .collect()
}

/// Sessions whose id begins with the word, or whose title contains it, those of here first.
fn sessions(
    word: &str,
    surroundings: &Surroundings,
    roots: &[PathBuf],
) -> anyhow::Result<Vec<(String, String)>> {
    let (rows, _) = collect(roots, Depth::Candidates)?;
    let scope = surroundings
        .current_dir
        .as_ref()
        .map(|here| Scope::repository(worktrees(here), here.clone()));
    let mut shown: Vec<&Row> = rows
        .iter()
        .filter(|row| row.session.hidden.is_none())
        .filter(|row| Uuid::try_parse(&row.session.stamp.id).is_ok())
        .collect();
    Sort::Activity.arrange(&mut shown);
    let is_far = |row: &&Row| {
        let near = scope
            .as_ref()
            .is_some_and(|scope| scope.contains(&row.session));
        !near
    };
    shown.sort_by_key(is_far);
    let wanted = word.to_lowercase();
    let now = surroundings.now.timestamp_millis();
    let mut found = Vec::new();
    for row in shown {
        let session = &row.session;
        let id = session.stamp.id.to_lowercase();
        let title = session.lite.title().map_or("", |(_, title)| title);
        let title = one_line(title);
        let age = age(session.last_activity(), now);
        if id.starts_with(&wanted) && !wanted.is_empty() {
            let title = truncate(&title, TITLE);
            found.push((session.stamp.id.to_string(), format!("{title} ({age})")));
        } else if !title.is_empty() && title.to_lowercase().contains(&wanted) {
            // A prompt that stands for a title may be a page long: nobody wants it on the line.
            if width(&title) > TITLE {
                let title = truncate(&title, TITLE);
                found.push((session.stamp.id.to_string(), format!("{title} ({age})")));
            } else {
                let short: String = session.stamp.id.chars().take(8).collect();
                found.push((title, format!("{short} ({age})")));
            }
        }
        if found.len() == MOST {
            break;
        }
    }
    Ok(found)
}
