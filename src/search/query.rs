//! What was typed, as terms that all must hold.
//!
//! Any text is a query. What cannot be understood is either a plain word (an operator that does
//! not exist, an address) or a problem that is shown while the rest is searched.

use std::ops::Range;

use chrono::{DateTime, TimeZone};

use super::document::SessionFlag;
use super::glob::{NameKind, NamePattern};
use super::needle::Needle;
use super::operator::{ContentTrait, Facet, Operator, Role};
use super::pattern::Pattern;
use super::pull_request::pull_request;
use super::token::{Token, TokenForm, tokens};
use crate::store::Millis;
use crate::text::parse_moment;

/// So many terms count. A page pasted by accident must not be looked for word by word.
const MOST_TERMS: usize = 64;

/// A typed text with another word in place of a plain one.
pub fn replace_word(text: &str, word: &Needle, other: &Needle) -> String {
    let mut replaced = text.to_owned();
    let tokens: Vec<Token> = tokens(text).collect();
    for token in tokens.into_iter().rev() {
        let is_plain = token.form == TokenForm::Plain
            && token.operator.is_none()
            && token.sign == Sign::Wanted;
        let value = text.get(token.value.clone()).unwrap_or_default();
        if is_plain && Needle::new(value).as_ref() == Some(word) {
            replaced.replace_range(token.value, other.text());
        }
    }
    replaced
}

/// A query as typed, understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    terms: Vec<Term>,
    problems: Vec<Problem>,
    unfinished: Vec<Problem>,
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
    /// Looks at rows like a word does, but never fuzzily.
    Regex(Pattern),
    // Only the text of a conversation can answer these: no row passes them by itself.
    Role(Role),
    /// The name of a tool.
    Tool(NamePattern),
    /// The path of a file that was read or changed.
    File(NamePattern),
    Has(ContentTrait),
}

impl Query {
    /// Reads any text. Moments such as `since:2d` are counted back from `now`.
    pub fn parse<Tz: TimeZone>(text: &str, now: &DateTime<Tz>) -> Self {
        let mut query = Self::default();
        let mut role = None;
        for token in tokens(text) {
            let value = text.get(token.value.clone()).unwrap_or_default();
            let test = match token.operator {
                None => match token.form {
                    TokenForm::Plain => match Operator::instead(value) {
                        Some(instead) => {
                            query.complain(&token, instead);
                            None
                        }
                        None => Needle::new(value).map(Test::Word),
                    },
                    TokenForm::Quoted => Needle::new(value).map(Test::Phrase),
                    TokenForm::Regex => query.pattern(&token, value).map(Test::Regex),
                },
                Some(operator) if operator.is_of_content() && token.sign == Sign::Unwanted => {
                    let typed = operator.typed();
                    let message = format!("-{typed} does not exist: leave out the minus");
                    query.complain(&token, message);
                    None
                }
                // An id means the same in either case. Every session has one.
                Some(Operator::Name(Facet::Id)) => {
                    let id = query.needed(&token, &value.to_lowercase(), "the beginning of an id");
                    id.map(|id| Test::Name(Facet::Id, Some(id)))
                }
                Some(Operator::Name(name)) => Some(Test::Name(name, Needle::new(value))),
                Some(Operator::Is) => query
                    .known(&token, value, &SessionFlag::ALL, &[])
                    .map(Test::Is),
                Some(Operator::Since) => query.moment(&token, value, now).map(Test::Since),
                Some(Operator::Before) => query.moment(&token, value, now).map(Test::Before),
                Some(Operator::Role) => {
                    role = Some(token.clone());
                    query
                        .known(&token, value, &Role::ALL, &Role::ALIASES)
                        .map(Test::Role)
                }
                // No two tools differ by case alone.
                Some(Operator::Tool) => query
                    .name(&token, &value.to_lowercase(), NameKind::Tool)
                    .map(Test::Tool),
                Some(Operator::File) => {
                    // `file://` begins an address that may have been pasted.
                    let path = value.strip_prefix("//").unwrap_or(value);
                    query.name(&token, path, NameKind::Path).map(Test::File)
                }
                Some(Operator::Has) => query
                    .known(&token, value, &ContentTrait::ALL, &[])
                    .map(Test::Has),
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
        let is_said =
            |term: &Term| term.is_text() || matches!(term.test, Test::Tool(_) | Test::File(_));
        if let Some(token) = role
            && !query.terms.iter().any(is_said)
        {
            let terms = query.terms.len();
            query
                .terms
                .retain(|term| !matches!(term.test, Test::Role(_)));
            if query.terms.len() < terms {
                query.complain(&token, "role: needs a word to look for".to_owned());
            }
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
            ..Self::default()
        }
    }

    /// Does it match every row?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Operators whose value lacks its end. While a query is typed, that is no problem yet.
    pub fn unfinished(&self) -> &[Problem] {
        &self.unfinished
    }

    /// Each text that is wanted, as a query of its own.
    pub fn words(&self) -> Vec<Self> {
        let texts = self.terms.iter().filter(|term| term.is_text());
        let alone = |term: &Term| Self {
            terms: vec![term.clone()],
            ..Self::default()
        };
        texts.map(alone).collect()
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The plain words that are wanted.
    pub fn plain_words(&self) -> impl Iterator<Item = &Needle> {
        let wanted = self.terms.iter().filter(|term| term.sign == Sign::Wanted);
        wanted.filter_map(|term| match &term.test {
            Test::Word(needle) => Some(needle),
            _ => None,
        })
    }

    /// The same with another word in place of a plain one.
    #[must_use]
    pub fn replacing(&self, word: &Needle, other: &Needle) -> Self {
        let mut query = self.clone();
        for term in &mut query.terms {
            if term.sign == Sign::Wanted && term.test == Test::Word(word.clone()) {
                term.test = Test::Word(other.clone());
            }
        }
        query
    }

    /// Does it ask for something that only conversations can answer?
    pub fn is_of_content(&self) -> bool {
        let mut operators = self.terms.iter().filter_map(|term| term.test.operator());
        operators.any(Operator::is_of_content)
    }

    /// The operators in it that only sessions can be asked for, as they are typed, each once.
    pub fn of_sessions(&self) -> Vec<&'static str> {
        let asked = self.terms.iter().filter_map(|term| term.test.operator());
        let asked: Vec<&str> = asked.map(Operator::typed).collect();
        let of_sessions = Operator::of_sessions();
        of_sessions.filter(|typed| asked.contains(typed)).collect()
    }

    /// Does it ask for something that only the text of a conversation can answer (`role:`, `tool:`,
    /// `file:`, `has:`), or that is mostly meant for it (`/regex/`)?
    pub fn asks_content(&self) -> bool {
        let mut terms = self.terms.iter();
        terms.any(|term| {
            term.is_of_content() && !matches!(term.test, Test::Word(_) | Test::Phrase(_))
        })
    }

    /// What it asks of the row alone, if there is more that the text of a conversation could answer.
    pub fn about_rows(&self) -> Option<Self> {
        let of_rows = self.terms.iter().filter(|term| !term.is_of_content());
        let terms: Vec<Term> = of_rows.cloned().collect();
        (terms.len() < self.terms.len()).then_some(Self {
            terms,
            ..Self::default()
        })
    }

    /// Does it ask for calls that failed? Beside words, `has:error` is about the conversation.
    pub fn asks_failures(&self) -> bool {
        let is_error = |term: &Term| term.test == Test::Has(ContentTrait::Error);
        let is_looked_for = |term: &Term| term.is_text() || matches!(term.test, Test::File(_));
        self.terms.iter().any(is_error) && !self.terms.iter().any(is_looked_for)
    }

    /// Can nothing match this query that does not match the other one?
    pub fn narrows(&self, other: &Self) -> bool {
        if other.asks_failures() && !self.asks_failures() {
            return false;
        }
        other
            .terms
            .iter()
            .all(|old| self.terms.iter().any(|new| new.implies(old)))
    }

    /// One of a few known values. Aliases are understood, but not named.
    fn known<T: Copy>(
        &mut self,
        token: &Token,
        value: &str,
        all: &[(T, &str, &str)],
        aliases: &[(T, &str)],
    ) -> Option<T> {
        let typed = value.to_ascii_lowercase();
        let known = all.iter().map(|(known, name, _)| (*known, *name));
        let mut known = known.chain(aliases.iter().copied());
        if let Some((found, _)) = known.clone().find(|(_, name)| *name == typed) {
            return Some(found);
        }
        let names: Vec<&str> = all.iter().map(|(_, name, _)| *name).collect();
        let names = names.join(", ");
        let problem = Problem {
            span: token.span.clone(),
            message: format!("'{value}' is not known: try {names}"),
        };
        // What may still become a known word is no mistake yet.
        if known.any(|(_, name)| name.starts_with(&typed)) {
            self.unfinished.push(problem);
        } else {
            self.problems.push(problem);
        }
        None
    }

    /// A value that must not be empty.
    fn needed(&mut self, token: &Token, value: &str, what: &str) -> Option<Needle> {
        let needle = Needle::new(value);
        if needle.is_none() {
            self.lack(token, what);
        }
        needle
    }

    /// The name of a tool or of a file. In quotes it is no glob.
    fn name(&mut self, token: &Token, value: &str, kind: NameKind) -> Option<NamePattern> {
        let pattern = if token.form == TokenForm::Quoted {
            Ok(Needle::new(value).map(|needle| NamePattern::Part(Box::new(needle))))
        } else {
            NamePattern::new(value, kind)
        };
        match pattern {
            Ok(Some(pattern)) => return Some(pattern),
            Ok(None) => self.lack(
                token,
                match kind {
                    NameKind::Tool => "part of a tool's name",
                    NameKind::Path => "part of a path",
                },
            ),
            Err(reason) => self.complain(token, format!("{value}: {reason}")),
        }
        None
    }

    fn lack(&mut self, token: &Token, what: &str) {
        let typed = token.operator.map_or("", Operator::typed);
        self.unfinished.push(Problem {
            span: token.span.clone(),
            message: format!("{typed} needs {what}"),
        });
    }

    fn pattern(&mut self, token: &Token, value: &str) -> Option<Pattern> {
        let pattern = Pattern::new(value);
        pattern
            .map_err(|reason| self.complain(token, format!("/{value}/: {reason}")))
            .ok()
    }

    fn moment<Tz: TimeZone>(
        &mut self,
        token: &Token,
        value: &str,
        now: &DateTime<Tz>,
    ) -> Option<Millis> {
        if value.trim().is_empty() {
            self.lack(token, "a time, such as 2d or 2026-11-01");
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
    /// Is it a text that must occur?
    fn is_text(&self) -> bool {
        let is_text = matches!(self.test, Test::Word(_) | Test::Phrase(_) | Test::Regex(_));
        self.sign == Sign::Wanted && is_text
    }

    /// Could the text of a conversation answer it?
    fn is_of_content(&self) -> bool {
        let operator = self.test.operator();
        self.is_text() || operator.is_some_and(Operator::is_of_content)
    }

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
    fn operator(&self) -> Option<Operator> {
        Some(match self {
            Self::Word(_) | Self::Phrase(_) | Self::Regex(_) => return None,
            Self::Name(facet, _) => Operator::Name(*facet),
            Self::Is(_) => Operator::Is,
            Self::Since(_) => Operator::Since,
            Self::Before(_) => Operator::Before,
            Self::Role(_) => Operator::Role,
            Self::Tool(_) => Operator::Tool,
            Self::File(_) => Operator::File,
            Self::Has(_) => Operator::Has,
        })
    }

    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            // The beginning, not any part: the id of a row is found by its beginning only.
            (Self::Word(mine) | Self::Phrase(mine), Self::Word(theirs) | Self::Phrase(theirs)) => {
                // The address of a pull request finds what its beginning does not.
                mine == theirs || (pull_request(mine.text()).is_none() && mine.extends(theirs))
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
            _ => self == other,
        }
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
