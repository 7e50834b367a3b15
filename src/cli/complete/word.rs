//! A half-typed word on the line of a shell: its text, and how a candidate continues it.
//!
//! Shells pass the word under the cursor with its quotes and backslashes, some of which may come
//! from an earlier completion. This file does not know the candidates.

use super::InitShell;

/// The quotes around the end of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    None,
    Single,
    Double,
}

#[derive(Debug, PartialEq, Eq)]
pub struct TypedWord {
    pub text: String,
    pub quote: Quote,
    /// Bytes of the text that bash leaves as they are: it completes after an open quote, or else
    /// after the last character that breaks words.
    pub kept: usize,
}

impl TypedWord {
    pub fn read(typed: &str, shell: InitShell, breaks: &str) -> Self {
        let mut word = Self {
            text: String::with_capacity(typed.len()),
            quote: Quote::None,
            kept: 0,
        };
        let mut after_break = 0;
        let mut rest = typed.chars();
        while let Some(c) = rest.next() {
            match (word.quote, c) {
                (Quote::None, '\'') => word.open(Quote::Single),
                (Quote::None, '"') => word.open(Quote::Double),
                (Quote::Single, '\'') | (Quote::Double, '"') => {
                    word.quote = Quote::None;
                    word.kept = after_break;
                }
                // A common prefix may end with a backslash, which means nothing yet.
                (quote, '\\') if takes_backslashes(quote, shell) => match rest.next() {
                    Some(next) => {
                        if !is_escaped(next, quote, shell) {
                            word.text.push('\\');
                        }
                        word.text.push(next);
                    }
                    None => break,
                },
                (quote, c) => {
                    word.text.push(c);
                    if quote == Quote::None && breaks.contains(c) {
                        after_break = word.text.len();
                        word.kept = after_break;
                    }
                }
            }
        }
        word
    }

    fn open(&mut self, quote: Quote) {
        self.quote = quote;
        self.kept = self.text.len();
    }

    /// The text that bash has to insert after the kept bytes. Bash closes an open quote by itself.
    /// `None` if the candidate does not begin with the kept bytes.
    pub fn continued(&self, value: &str, plain: Plain) -> Option<String> {
        let kept = self.text.get(..self.kept)?;
        let begins = value.get(..self.kept)?.eq_ignore_ascii_case(kept);
        let rest = value.get(self.kept..).filter(|_| begins)?;
        Some(match self.quote {
            Quote::None if plain == Plain::AsIs && is_plain(rest) => rest.to_owned(),
            Quote::None => format!("'{}'", in_single_quotes(rest)),
            Quote::Single => not_doubled('\'', in_single_quotes(rest)),
            Quote::Double => not_doubled('"', in_double_quotes(rest)),
        })
    }
}

/// How to write a candidate that needs no quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    AsIs,
    /// With quotes, as the others need them and all must begin alike.
    Quoted,
}

pub fn is_plain(text: &str) -> bool {
    crate::resume::printable(&[text.to_owned()]) == text
}

fn takes_backslashes(quote: Quote, shell: InitShell) -> bool {
    quote != Quote::Single || shell == InitShell::Fish
}

/// Does a backslash before this character escape it?
fn is_escaped(c: char, quote: Quote, shell: InitShell) -> bool {
    match (quote, shell) {
        (Quote::None, _) => true,
        (Quote::Single, _) => matches!(c, '\'' | '\\'),
        (Quote::Double, InitShell::Fish) => matches!(c, '"' | '$' | '\\'),
        (Quote::Double, _) => matches!(c, '"' | '$' | '`' | '\\'),
    }
}

fn in_single_quotes(text: &str) -> String {
    text.replace('\'', r"'\''")
}

/// Bash expands an exclamation mark here from its history, even after a backslash.
fn in_double_quotes(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '!' => written.push_str(r#""'!'""#),
            '"' | '$' | '`' | '\\' => written.extend(['\\', c]),
            c => written.push(c),
        }
    }
    written
}

/// Bash mistakes a quote at the beginning of a candidate for the open one, and a quote at its end
/// for the closing one.
fn not_doubled(quote: char, mut written: String) -> String {
    if written.starts_with(quote) {
        written.insert(0, quote);
    }
    if written.ends_with(quote) {
        written.push(quote);
    }
    written
}

#[cfg(test)]
#[path = "word_tests.rs"]
mod tests;
