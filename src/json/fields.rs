//! The top-level fields of a JSON object, straight from its bytes.
//!
//! A tool's input may hold a `cwd`, a `customTitle` or a whole transcript line of its own, so a
//! text search for a key finds the wrong one. These scanners know the nesting, allocate nothing,
//! and jump over strings with `memchr`: `Fields` from the front, `LastFields` from the back up
//! to the first nested value, so that the short fields around a large `message` are read without
//! walking through it. Neither validates: on malformed input they end early.

use std::ops::Range;

use memchr::memmem::Finder;
use memchr::{memchr, memchr2, memrchr, memrchr3};

/// A value as written in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValue<'a> {
    /// The text between the quotes, with its escapes.
    Text(&'a [u8]),
    /// A string whose end is not in sight.
    TornText(&'a [u8]),
    /// An object or an array, brackets included. Cut short if its end is not in sight.
    Nested(&'a [u8]),
    /// A number, `true`, `false` or `null`.
    Bare(&'a [u8]),
}

impl<'a> FieldValue<'a> {
    pub fn text(self) -> Option<&'a [u8]> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_true(self) -> bool {
        self == Self::Bare(b"true")
    }
}

/// How a scan from the front ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The object is closed; this many bytes belong to it.
    Closed(usize),
    /// The bytes ran out, or are no JSON object.
    Broken,
}

/// Walks the top-level fields of an object from the front.
///
/// A value is scanned only when it is asked for or passed over, so a caller that has seen enough
/// pays nothing for the rest.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    line: &'a [u8],
    at: usize,
    state: FieldState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldState {
    BeforeKey,
    BeforeValue,
    Done(End),
}

impl<'a> Fields<'a> {
    pub fn new(line: &'a [u8]) -> Self {
        let at = skip_space(line, 0);
        let state = match line.get(at) {
            Some(b'{') => FieldState::BeforeKey,
            _ => FieldState::Done(End::Broken),
        };
        Self {
            line,
            at: at + 1,
            state,
        }
    }

    /// Walks on in an object of `line` from a place between two of its fields.
    pub fn going_on(line: &'a [u8], at: usize) -> Self {
        Self {
            line,
            at,
            state: FieldState::BeforeKey,
        }
    }

    /// The next key, skipping the value of the previous one if it was not read.
    pub fn next_key(&mut self) -> Option<&'a [u8]> {
        if self.state == FieldState::BeforeValue {
            self.value();
        }
        if self.state != FieldState::BeforeKey {
            return None;
        }
        self.at = skip_space(self.line, self.at);
        if self.line.get(self.at) == Some(&b',') {
            self.at = skip_space(self.line, self.at + 1);
        }
        match self.line.get(self.at) {
            Some(b'"') => {}
            Some(b'}') => return self.finish(End::Closed(self.at + 1)),
            _ => return self.finish(End::Broken),
        }
        let Some(close) = string_end(self.line, self.at + 1) else {
            return self.finish(End::Broken);
        };
        let key = &self.line[self.at + 1..close];
        let colon = skip_space(self.line, close + 1);
        if self.line.get(colon) != Some(&b':') {
            return self.finish(End::Broken);
        }
        self.at = skip_space(self.line, colon + 1);
        self.state = FieldState::BeforeValue;
        Some(key)
    }

    /// The value of the key just returned. Asking twice gives an empty value.
    pub fn value(&mut self) -> FieldValue<'a> {
        if self.state != FieldState::BeforeValue {
            return FieldValue::Bare(b"");
        }
        let (value, end) = value_at(self.line, self.at);
        match end {
            Some(end) => {
                self.at = end;
                self.state = FieldState::BeforeKey;
            }
            None => self.state = FieldState::Done(End::Broken),
        }
        value
    }

    /// The line from the value of the key just returned onwards, without scanning it.
    pub fn rest(&self) -> &'a [u8] {
        &self.line[self.at.min(self.line.len())..]
    }

    /// Is there nothing left to walk?
    pub fn is_done(&self) -> bool {
        matches!(self.state, FieldState::Done(_))
    }

    /// Walks to the end and says how it ended.
    pub fn end(mut self) -> End {
        loop {
            if let FieldState::Done(end) = self.state {
                return end;
            }
            self.next_key();
        }
    }

    fn finish(&mut self, end: End) -> Option<&'a [u8]> {
        self.state = FieldState::Done(end);
        None
    }
}

/// Walks the top-level fields of an object from the back, up to the first nested value.
///
/// Works without the front of the line in sight: in valid JSON a quote belongs to a string's
/// inside exactly if an odd number of backslashes precedes it, in either direction of reading.
#[derive(Debug, Clone)]
pub struct LastFields<'a> {
    /// What is left in front of the fields already returned.
    line: &'a [u8],
    /// Was the opening brace met, so that no nested value precedes the fields returned?
    met_opening: bool,
}

impl<'a> LastFields<'a> {
    pub fn new(line: &'a [u8]) -> Self {
        let line = line.trim_ascii_end();
        Self {
            line: line.strip_suffix(b"}").unwrap_or_default(),
            met_opening: false,
        }
    }

    /// Walks the inside of an object, up to where it is cut between two fields.
    pub fn of_inside(fields: &'a [u8]) -> Self {
        Self {
            line: fields,
            met_opening: false,
        }
    }

    /// Did the walk come to an opening brace? Behind a nested value that can only be an inner
    /// one: the line was torn, and the fields are not of the top level.
    pub fn met_opening(&self) -> bool {
        self.met_opening
    }

    /// The front of the line that was not walked. Empty at the opening brace.
    pub fn unseen(&self) -> &'a [u8] {
        self.line
    }
}

impl<'a> Iterator for LastFields<'a> {
    type Item = (&'a [u8], FieldValue<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let line = trim_end(self.line);
        let (value, before) = match line.last()? {
            b'"' => {
                let (text, before) = string_ending(line)?;
                (FieldValue::Text(text), before)
            }
            b'}' | b']' | b'{' | b'[' | b',' | b':' => return None,
            _ => {
                let start = line
                    .iter()
                    .rposition(|b| matches!(b, b':' | b',' | b'{' | b'[' | b'"'))?;
                (
                    FieldValue::Bare(line[start + 1..].trim_ascii()),
                    &line[..=start],
                )
            }
        };
        let before = trim_end(before).strip_suffix(b":")?;
        let (key, before) = string_ending(trim_end(before))?;
        let before = trim_end(before);
        // At the opening brace nothing is left; anything else must be the next separator.
        self.met_opening = before.ends_with(b"{");
        self.line = before.strip_suffix(b",").unwrap_or_default();
        Some((key, value))
    }
}

/// How far a line is searched for flat fields: farther than Claude Code writes them around a
/// message.
const FLAT: usize = 512;

/// The end of a line after its last inner bracket: flat fields of the top level, the first of
/// them perhaps cut. Needs no walk at all, so it is the cheapest look at a line there is.
pub fn flat_end(line: &[u8]) -> &[u8] {
    let Some(inside) = line.trim_ascii_end().strip_suffix(b"}") else {
        return b"";
    };
    let start = inside.len().saturating_sub(FLAT);
    let end = &inside[start..];
    match memrchr3(b'}', b']', b'{', end) {
        // An opening brace that is not the line's own: it was torn, and what follows is nested.
        Some(bracket) if end[bracket] == b'{' && start + bracket > 0 => b"",
        Some(bracket) => &end[bracket + 1..],
        None => end,
    }
}

/// The start of a line before its first inner bracket: flat fields of the top level, and then
/// perhaps the key of a nested one or a cut string.
pub fn flat_front(line: &[u8]) -> &[u8] {
    let Some(inside) = line.strip_prefix(b"{") else {
        return b"";
    };
    let front = &inside[..inside.len().min(FLAT)];
    match memchr2(b'{', b'[', front) {
        Some(bracket) => &front[..bracket],
        None => front,
    }
}

/// The text of a field in the flat start or end of a line, if `opening` (the key in quotes, a colon and
/// a quote) is there as compact writers put it.
pub fn flat_text<'a>(flat: &'a [u8], opening: &Finder<'_>) -> Option<&'a [u8]> {
    flat.get(flat_place(flat, opening)?)
}

/// The range of the text of a field in the flat start or end of a line.
pub fn flat_place(flat: &[u8], opening: &Finder<'_>) -> Option<Range<usize>> {
    let at = opening.find(flat)?;
    // Behind a backslash it is part of a string.
    if at > 0 && flat[at - 1] == b'\\' {
        return None;
    }
    let start = at + opening.needle().len();
    Some(start..string_end(flat, start)?)
}

/// The elements of an array, as long as they are in sight.
pub fn elements(array: &[u8]) -> impl Iterator<Item = FieldValue<'_>> {
    let mut at = usize::from(array.first() == Some(&b'['));
    let mut open = at == 1;
    std::iter::from_fn(move || {
        at = skip_space(array, at);
        if array.get(at) == Some(&b',') {
            at = skip_space(array, at + 1);
        }
        if !open || matches!(array.get(at), None | Some(b']')) {
            return None;
        }
        let (value, end) = value_at(array, at);
        open = end.is_some_and(|end| end > at);
        at = end.unwrap_or(at);
        Some(value)
    })
}

/// How long the object is that `bytes` start with, if its end is in sight.
pub fn object_length(bytes: &[u8]) -> Option<usize> {
    (bytes.first() == Some(&b'{')).then(|| nested_end(bytes, 0))?
}

/// The value of `key` in an object; the last one if it is there twice, as in JavaScript.
pub fn field<'a>(object: &'a [u8], key: &[u8]) -> Option<FieldValue<'a>> {
    let mut fields = Fields::new(object);
    let mut found = None;
    while let Some(name) = fields.next_key() {
        if name == key {
            found = Some(fields.value());
        }
    }
    found
}

/// The value that starts at `at`, and where it ends if that is in sight.
pub fn value_at(line: &[u8], at: usize) -> (FieldValue<'_>, Option<usize>) {
    match line.get(at) {
        Some(b'"') => match string_end(line, at + 1) {
            Some(close) => (FieldValue::Text(&line[at + 1..close]), Some(close + 1)),
            None => (FieldValue::TornText(&line[at + 1..]), None),
        },
        Some(b'{' | b'[') => {
            let end = nested_end(line, at);
            (
                FieldValue::Nested(&line[at..end.unwrap_or(line.len())]),
                end,
            )
        }
        _ => {
            let rest = line.get(at..).unwrap_or_default();
            let length = rest
                .iter()
                .position(|b| matches!(b, b',' | b'}' | b']'))
                .unwrap_or(rest.len());
            let end = (length < rest.len()).then_some(at + length);
            (FieldValue::Bare(rest[..length].trim_ascii()), end)
        }
    }
}

#[inline]
fn skip_space(line: &[u8], mut at: usize) -> usize {
    while line.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Where the string ends whose first byte is at `start`: the index of its closing quote.
pub fn string_end(line: &[u8], start: usize) -> Option<usize> {
    let mut from = start;
    loop {
        let quote = from + memchr(b'"', line.get(from..)?)?;
        if !is_escaped(&line[start..quote]) {
            return Some(quote);
        }
        from = quote + 1;
    }
}

/// Splits at the opening quote of the string that ends where `line` ends: the string's inside,
/// and what precedes it. An escaped quote ends no string: the line was torn there.
fn string_ending(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(b"\"")?;
    let mut end = line.len();
    if is_escaped(line) {
        return None;
    }
    loop {
        let quote = memrchr(b'"', &line[..end])?;
        if !is_escaped(&line[..quote]) {
            return Some((&line[quote + 1..], &line[..quote]));
        }
        end = quote;
    }
}

/// Does `before` end in an odd number of backslashes, so that what follows is escaped?
#[inline]
fn is_escaped(before: &[u8]) -> bool {
    // Few strings have any, and every string is asked.
    if before.last() != Some(&b'\\') {
        return false;
    }
    let slashes = before.iter().rev().take_while(|b| **b == b'\\').count();
    slashes % 2 == 1
}

/// The bytes without white space at their end, where compact writers leave none.
#[inline]
fn trim_end(bytes: &[u8]) -> &[u8] {
    match bytes.last() {
        Some(last) if last.is_ascii_whitespace() => bytes.trim_ascii_end(),
        _ => bytes,
    }
}

/// Just after the bracket that closes the object or array opened at `at`.
fn nested_end(line: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match line.get(at)? {
            b'"' => at = string_end(line, at + 1)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
