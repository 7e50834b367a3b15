//! How a half-typed operator could go on.

use std::ops::Range;

use super::document::SessionFlag;
use super::fold::Folded;
use super::operator::{ContentTrait, Facet, Operator, Role};
use super::query::Sign;
use super::token::{Token, TokenForm, tokens};

/// So many completions are offered. More cannot be shown, and typing on is faster than reading.
const MOST: usize = 20;
/// The tools that most conversations use, the usual ones first.
const TOOLS: [&str; 14] = [
    "Bash",
    "Read",
    "Edit",
    "Write",
    "Grep",
    "Glob",
    "Task",
    "Agent",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "MultiEdit",
    "NotebookEdit",
    "Skill",
];

/// The values that rows have, as the caller collected them, in the order to offer them in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    pub projects: &'a [String],
    pub branches: &'a [String],
    pub tags: &'a [String],
    pub models: &'a [String],
}

/// A text that could take the place of what is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The bytes of the query to replace.
    pub replace: Range<usize>,
    /// What to put there: an operator up to its colon, or a value with a space after it.
    pub insert: String,
    /// What it does, in a few words; empty for values that speak for themselves.
    pub hint: &'static str,
}

/// The completions at a caret, given as a byte offset into the query. None, if the caret does
/// not be at the end of a word: what is typed there is being corrected, not begun.
pub fn completions(text: &str, caret: usize, values: Values<'_>) -> Vec<Completion> {
    let Some(token) = tokens(text).find(|token| token.span.end == caret) else {
        return Vec::new();
    };
    let typed = text.get(token.value.clone()).unwrap_or_default();
    match token.operator {
        Some(operator) => value_completions(operator, &token, typed, values),
        // An empty word is no question.
        None if token.form != TokenForm::Plain || typed.is_empty() => Vec::new(),
        None => operator_completions(&token, typed),
    }
}

fn operator_completions(token: &Token, typed: &str) -> Vec<Completion> {
    let typed = typed.to_ascii_lowercase();
    let fitting = Operator::ALL
        .into_iter()
        .filter(|(_, name, _)| name.starts_with(&typed))
        .filter(|(operator, ..)| token.sign == Sign::Wanted || !operator.is_of_content());
    fitting
        .map(|(_, name, hint)| Completion {
            replace: token.value.clone(),
            insert: name.to_owned(),
            hint,
        })
        .collect()
}

fn value_completions(
    operator: Operator,
    token: &Token,
    typed: &str,
    values: Values<'_>,
) -> Vec<Completion> {
    let fixed = |known: &[(&'static str, &'static str)]| {
        let typed = typed.to_ascii_lowercase();
        known
            .iter()
            .filter(|(value, _)| value.starts_with(&typed) && *value != typed)
            .map(|(value, hint)| completion(token, value, hint))
            .collect()
    };
    match operator {
        Operator::Name(Facet::Project) => known_completions(token, typed, values.projects),
        Operator::Name(Facet::Branch) => known_completions(token, typed, values.branches),
        Operator::Name(Facet::Tag) => known_completions(token, typed, values.tags),
        Operator::Name(Facet::Model) => known_completions(token, typed, values.models),
        Operator::Name(Facet::Pr | Facet::Id) | Operator::File => Vec::new(),
        Operator::Is => fixed(&SessionFlag::ALL.map(|(_, name, hint)| (name, hint))),
        Operator::Role => fixed(&Role::ALL.map(|(_, name, hint)| (name, hint))),
        Operator::Has => fixed(&ContentTrait::ALL.map(|(_, name, hint)| (name, hint))),
        Operator::Tool => known_completions(token, typed, &TOOLS),
        Operator::Since | Operator::Before => fixed(&[
            ("today", "since midnight"),
            ("yesterday", "the day before"),
            ("2d", "two days ago"),
            ("1w", "a week ago"),
            ("1mo", "a month ago"),
        ]),
    }
}

/// Values that begin with what is typed, then those that contain it.
fn known_completions(token: &Token, typed: &str, values: &[impl AsRef<str>]) -> Vec<Completion> {
    let typed = Folded::new(typed).text;
    // A value with a quote in it cannot be typed at all.
    let folded = values
        .iter()
        .map(AsRef::as_ref)
        .filter(|value: &&str| !value.is_empty() && !value.contains('"'))
        .map(|value| (value, Folded::new(value).text))
        .filter(|(_, folded)| folded.contains(&typed) && *folded != typed);
    let (mut first, then): (Vec<_>, Vec<_>) =
        folded.partition(|(_, folded)| folded.starts_with(&typed));
    first.extend(then);
    first.truncate(MOST);
    first
        .into_iter()
        .map(|(value, _)| completion(token, value, ""))
        .collect()
}

fn completion(token: &Token, value: &str, hint: &'static str) -> Completion {
    // The quotes around the value, if there are some, are replaced with it.
    let start = token.value.start - usize::from(token.form == TokenForm::Quoted);
    let insert = if value.contains(char::is_whitespace) {
        format!("\"{value}\" ")
    } else {
        format!("{value} ")
    };
    Completion {
        replace: start..token.span.end,
        insert,
        hint,
    }
}

#[cfg(test)]
#[path = "complete_tests.rs"]
mod tests;
