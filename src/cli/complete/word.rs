//! A word as it stands on the line of a shell, half typed: what it says, and how it goes on.
//!
//! Shells hand over the word under the cursor with its quotes and backslashes, which may be those
//! that an earlier completion put there. It says nothing about what the word could become.

use super::ShellName;

/// The quotes that the end of a word stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    None,
    Single,
    Double,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub quote: Quote,
    /// Bytes of the text that bash leaves as they are: it completes behind an open quote, or else
    /// behind the last character that breaks words.
    pub kept: usize,
}

impl Word {
    pub fn read(typed: &str, shell: ShellName, breaks: &str) -> Self {
        let mut word = Self {
            text: String::with_capacity(typed.len()),
            quote: Quote::None,
            kept: 0,
        };
        let mut behind_break = 0;
        let mut rest = typed.chars();
        while let Some(c) = rest.next() {
            match (word.quote, c) {
                (Quote::None, '\'') => word.open(Quote::Single),
                (Quote::None, '"') => word.open(Quote::Double),
                (Quote::Single, '\'') | (Quote::Double, '"') => {
                    word.quote = Quote::None;
                    word.kept = behind_break;
                }
                // What a beginning in common may end with says nothing yet.
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
                        behind_break = word.text.len();
                        word.kept = behind_break;
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

    /// A candidate as bash has to put it behind what is kept. Bash closes an open quote by itself.
    /// `None` if it does not begin like what is kept.
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

/// What is done with a candidate that needs no quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    AsIs,
    /// Others need them, and all are to begin alike.
    Quoted,
}

pub fn is_plain(text: &str) -> bool {
    crate::resume::printable(&[text.to_owned()]) == text
}

fn takes_backslashes(quote: Quote, shell: ShellName) -> bool {
    quote != Quote::Single || shell == ShellName::Fish
}

/// Is it this character that a backslash stands for, and not the two of them?
fn is_escaped(c: char, quote: Quote, shell: ShellName) -> bool {
    match (quote, shell) {
        (Quote::None, _) => true,
        (Quote::Single, _) => matches!(c, '\'' | '\\'),
        (Quote::Double, ShellName::Fish) => matches!(c, '"' | '$' | '\\'),
        (Quote::Double, _) => matches!(c, '"' | '$' | '`' | '\\'),
    }
}

fn in_single_quotes(text: &str) -> String {
    text.replace('\'', r"'\''")
}

/// An exclamation mark would fetch something from bash's history here, with a backslash, too.
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

/// Bash takes a quote that a candidate begins with for the one that is open already, and one that
/// it ends with for the one that closes it.
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
