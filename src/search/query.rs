//! What was typed, as terms that all must hold.
//!
//! Any text is a query. What cannot be understood is either a plain word (an operator that does
//! not exist, an address) or a problem that is shown while the rest is searched.

use std::ops::Range;

use chrono::{DateTime, TimeZone};

use super::document::SessionFlag;
use super::needle::Needle;
use crate::store::Millis;
use crate::text::parse_moment;

/// So many terms count. A page pasted by accident must not be looked for word by word.
const MOST_TERMS: usize = 64;

/// A query as typed, understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    terms: Vec<Term>,
    problems: Vec<Problem>,
}

/// A part of the query that says nothing: it is left out of the search and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Bytes of the typed text.
    pub span: Range<usize>,
    pub message: String,
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    pub sign: Sign,
    pub test: Test,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Wanted,
    /// Typed with a minus: the test must fail.
    Unwanted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// A plain word: may match fuzzily.
    Word(Needle),
    /// In quotes: occurs somewhere as it is.
    Phrase(Needle),
    /// An operator on a name. Without a value: there is one.
    Name(Facet, Option<Needle>),
    Is(SessionFlag),
    Since(Millis),
    Before(Millis),
}

/// The names that operators look into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facet {
    Project,
    Branch,
    Tag,
    Model,
    Pr,
    Id,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Name(Facet),
    Is,
    Since,
    Before,
}

impl Operator {
    /// Every operator as it is typed, with what it asks for.
    pub const ALL: [(Self, &'static str, &'static str); 9] = [
        (
            Self::Name(Facet::Project),
            "project:",
            "part of the directory",
        ),
        (Self::Name(Facet::Branch), "branch:", "part of the branch"),
        (Self::Name(Facet::Tag), "tag:", "part of the tag"),
        (Self::Is, "is:", "running, interrupted, forked, …"),
        (Self::Since, "since:", "active at or after a time"),
        (Self::Before, "before:", "last active before a time"),
        (
            Self::Name(Facet::Model),
            "model:",
            "part of the model's name",
        ),
        (Self::Name(Facet::Pr), "pr:", "number of the pull request"),
        (Self::Name(Facet::Id), "id:", "beginning of the id"),
    ];

    /// The operator that a text begins with, and its length with the colon.
    fn at_start(text: &str) -> Option<(Self, usize)> {
        let is_typed = |typed: &str| {
            let start = text.get(..typed.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
        };
        let found = Self::ALL.into_iter().find(|(_, typed, _)| is_typed(typed));
        found.map(|(operator, typed, _)| (operator, typed.len()))
    }
}

/// A piece of the typed text: where it is and what it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub span: Range<usize>,
    pub sign: Sign,
    pub operator: Option<Operator>,
    /// The word, the phrase without its quotes, or the operator's value without them.
    pub value: Range<usize>,
    pub quoted: bool,
}

impl Query {
    /// Reads any text. Moments such as `since:2d` are counted back from `now`.
    pub fn parse<Tz: TimeZone>(text: &str, now: &DateTime<Tz>) -> Self {
        let mut query = Self::default();
        for token in tokens(text) {
            let value = text.get(token.value.clone()).unwrap_or_default();
            let test = match token.operator {
                None if token.quoted => Needle::new(value).map(Test::Phrase),
                None => Needle::new(value).map(Test::Word),
                // An id means the same in either case.
                Some(Operator::Name(Facet::Id)) => {
                    Some(Test::Name(Facet::Id, Needle::new(&value.to_lowercase())))
                }
                Some(Operator::Name(name)) => Some(Test::Name(name, Needle::new(value))),
                Some(Operator::Is) => query.mark(&token, value),
                Some(Operator::Since) => query.moment(&token, value, now).map(Test::Since),
                Some(Operator::Before) => query.moment(&token, value, now).map(Test::Before),
            };
            let Some(test) = test else { continue };
            let sign = token.sign;
            let term = Term { sign, test };
            if query.terms.contains(&term) {
                continue;
            }
            if query.terms.len() == MOST_TERMS {
                query.problems.push(Problem {
                    span: token.span.start..text.len(),
                    message: format!("only the first {MOST_TERMS} words are looked for"),
                });
                break;
            }
            query.terms.push(term);
        }
        query
    }

    /// Exactly this text, whatever it looks like.
    pub fn phrase(text: &str) -> Self {
        let term = Needle::new(text).map(|needle| Term {
            sign: Sign::Wanted,
            test: Test::Phrase(needle),
        });
        Self {
            terms: term.into_iter().collect(),
            problems: Vec::new(),
        }
    }

    /// Does it match every row?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Each text that is wanted, as a query of its own.
    pub fn words(&self) -> Vec<Self> {
        let is_text = |term: &&Term| {
            term.sign == Sign::Wanted && matches!(term.test, Test::Word(_) | Test::Phrase(_))
        };
        let texts = self.terms.iter().filter(is_text);
        let alone = |term: &Term| Self {
            terms: vec![term.clone()],
            problems: Vec::new(),
        };
        texts.map(alone).collect()
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The operators in it that only sessions can be asked for, as they are typed, each once.
    pub fn of_sessions(&self) -> Vec<&'static str> {
        let is_asked = |operator: Operator| {
            self.terms.iter().any(|term| match &term.test {
                Test::Name(Facet::Project | Facet::Id, _)
                | Test::Word(_)
                | Test::Phrase(_)
                | Test::Since(_)
                | Test::Before(_) => false,
                Test::Is(_) => operator == Operator::Is,
                Test::Name(facet, _) => operator == Operator::Name(*facet),
            })
        };
        let asked = Operator::ALL
            .into_iter()
            .filter(|(operator, ..)| is_asked(*operator));
        asked.map(|(_, typed, _)| typed).collect()
    }

    /// Can nothing match this query that does not match the other one?
    pub fn narrows(&self, other: &Self) -> bool {
        other
            .terms
            .iter()
            .all(|old| self.terms.iter().any(|new| new.implies(old)))
    }

    fn mark(&mut self, token: &Token, value: &str) -> Option<Test> {
        let typed = value.to_ascii_lowercase();
        let names = SessionFlag::ALL.map(|(_, name, _)| name);
        // What may still become a known word is no mistake yet.
        if !names.iter().any(|name| name.starts_with(&typed)) {
            let known = names.join(", ");
            self.complain(token, format!("'{value}' is not known: try {known}"));
        }
        let found = SessionFlag::ALL
            .into_iter()
            .find(|(_, name, _)| *name == typed);
        found.map(|(mark, ..)| Test::Is(mark))
    }

    fn moment<Tz: TimeZone>(
        &mut self,
        token: &Token,
        value: &str,
        now: &DateTime<Tz>,
    ) -> Option<Millis> {
        if value.trim().is_empty() {
            return None;
        }
        let moment = parse_moment(value, now);
        moment
            .map_err(|error| self.complain(token, error.to_string()))
            .ok()
    }

    fn complain(&mut self, token: &Token, message: String) {
        let span = token.span.clone();
        self.problems.push(Problem { span, message });
    }
}

impl Term {
    /// Does every row that passes this term pass the other one?
    pub fn implies(&self, other: &Self) -> bool {
        match (self.sign, other.sign) {
            (Sign::Wanted, Sign::Wanted) => self.test.implies(&other.test),
            (Sign::Unwanted, Sign::Unwanted) => other.test.implies(&self.test),
            (Sign::Wanted, Sign::Unwanted) | (Sign::Unwanted, Sign::Wanted) => false,
        }
    }
}

impl Test {
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            // The beginning, not any part: the id of a row is found by its beginning only.
            (Self::Word(mine) | Self::Phrase(mine), Self::Word(theirs) | Self::Phrase(theirs)) => {
                mine.extends(theirs)
            }
            (Self::Name(name, mine), Self::Name(other, theirs)) => {
                name == other
                    && match (mine, theirs) {
                        (_, None) => true,
                        (None, Some(_)) => false,
                        // A number and a text are looked for in different ways.
                        (Some(mine), Some(theirs)) if *name == Facet::Pr => mine == theirs,
                        (Some(mine), Some(theirs)) => mine.extends(theirs),
                    }
            }
            (Self::Since(mine), Self::Since(theirs)) => mine >= theirs,
            (Self::Before(mine), Self::Before(theirs)) => mine <= theirs,
            (Self::Is(mine), Self::Is(theirs)) => mine == theirs,
            _ => false,
        }
    }
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
    let quoted = part(at).starts_with('"');
    at += usize::from(quoted);
    let length = part(at).find(|c: char| if quoted { c == '"' } else { c.is_whitespace() });
    let end = length.map_or(text.len(), |length| at + length);
    let closing_quote = usize::from(quoted && length.is_some());
    Token {
        span: start..end + closing_quote,
        sign,
        operator,
        value: at..end,
        quoted,
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
