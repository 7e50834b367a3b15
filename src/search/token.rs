//! Takes a typed text apart: words, phrases, regular expressions, operators with their values. Whether
//! they make sense is for `query` to say.

use std::ops::Range;

use super::operator::Operator;
use super::query::Sign;

/// A piece of the typed text: where it is and what it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub span: Range<usize>,
    pub sign: Sign,
    pub operator: Option<Operator>,
    /// The word, the phrase without its quotes, the expression without its slashes, or the
    /// operator's value without quotes.
    pub value: Range<usize>,
    pub form: TokenForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenForm {
    Plain,
    Quoted,
    Regex,
}

/// Takes a typed text apart. A quote left open reaches to the end; a minus alone is a token
/// without a value.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let token = token(text, start);
        at = token.span.end;
        Some(token)
    })
}

fn token(text: &str, start: usize) -> Token {
    let part = |from: usize| text.get(from..).unwrap_or_default();
    let mut at = start;
    // Two dashes begin a command-line flag, which people look for.
    let sign = if part(at).starts_with('-') && !part(at).starts_with("--") {
        at += 1;
        Sign::Unwanted
    } else {
        Sign::Wanted
    };
    let operator = Operator::at_start(part(at));
    at += operator.map_or(0, |(_, length)| length);
    let operator = operator.map(|(operator, _)| operator);
    let regex = operator.is_none().then(|| regex_length(part(at))).flatten();
    let (form, length) = if let Some(length) = regex {
        at += 1;
        (TokenForm::Regex, Some(length))
    } else if part(at).starts_with('"') {
        at += 1;
        (TokenForm::Quoted, part(at).find('"'))
    } else {
        (TokenForm::Plain, part(at).find(char::is_whitespace))
    };
    let end = length.map_or(text.len(), |length| at + length);
    let closing = usize::from(form != TokenForm::Plain && length.is_some());
    Token {
        span: start..end + closing,
        sign,
        operator,
        value: at..end,
        form,
    }
}

/// The length of the regular expression that a text begins with, without its slashes. The next
/// slash must end the word, and a slash inside is escaped: `/usr/bin` and `/usr/bin/` are paths.
fn regex_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('/')?;
    let mut is_escaped = false;
    let end = inner.find(|c| {
        let ends = c == '/' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    })?;
    let (value, after) = inner.split_at(end);
    let ends_word = after[1..].chars().next().is_none_or(char::is_whitespace);
    (ends_word && !value.trim().is_empty()).then_some(end)
}
