//! Spans broken into lines of a width.

use unicode_segmentation::UnicodeSegmentation;

use super::line::{Span, Tone, width_of};
use crate::text::width;

/// Chinese and Japanese punctuation that may not begin a line, and that may not end one.
const CLOSING: &str = "、。，．：；！？）］｝〕〉》」』】〙〗・ー々";
const OPENING: &str = "（［｛〔〈《「『【〘〖";
/// How many characters go to the next line with such a sign, at most, and how wide a line is that
/// can spare them.
const MOST_CARRIED: usize = 3;
const SPARES_THEM: usize = 16;

/// Breaks spans into lines of at most `columns`, between words where it can and inside a word
/// where it must. The first line opens with `first`, the others with `rest`.
pub fn flow(spans: &[Span], first: &[Span], rest: &[Span], columns: usize) -> Vec<Vec<Span>> {
    let mut flow = LineWrapper::new(first, rest, columns);
    for (piece, tone) in pieces(spans) {
        flow.piece(piece, tone);
    }
    flow.close();
    flow.lines
}

/// Breaks one line of text into as many as it needs, between words where it can.
pub fn wrap(spans: &[Span], columns: usize) -> Vec<Vec<Span>> {
    flow(spans, &[], &[], columns)
}

/// A line that is shown unchanged: code keeps its spaces. One that is too long is broken
/// between words, and each part of it opens with `prefix`.
pub fn hard(spans: &[Span], prefix: &[Span], columns: usize) -> Vec<Vec<Span>> {
    if width_of(prefix) + width_of(spans) > columns {
        return flow(spans, prefix, prefix, columns);
    }
    let mut flow = LineWrapper::new(prefix, prefix, columns);
    for span in spans {
        flow.graphemes(&span.text, span.tone);
    }
    flow.close();
    flow.lines
}

/// Printable letters of one byte and one column each.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .fold(true, |plain, byte| plain & (b' '..=b'~').contains(&byte))
}

/// A prefix must leave room for the text after it.
fn fitting(prefix: &[Span], columns: usize) -> Vec<Span> {
    if width_of(prefix) + 8 > columns {
        return Vec::new();
    }
    prefix.to_vec()
}

struct LineWrapper {
    lines: Vec<Vec<Span>>,
    line: Vec<Span>,
    used: usize,
    /// The column where the text of this line begins, after its prefix.
    start: usize,
    rest: Vec<Span>,
    columns: usize,
}

impl LineWrapper {
    fn new(first: &[Span], rest: &[Span], columns: usize) -> Self {
        let mut flow = Self {
            lines: Vec::new(),
            line: Vec::new(),
            used: 0,
            start: 0,
            rest: fitting(rest, columns),
            columns: columns.max(1),
        };
        flow.open(fitting(first, columns));
        flow
    }

    fn open(&mut self, prefix: Vec<Span>) {
        self.start = width_of(&prefix);
        self.used = self.start;
        self.line = prefix;
    }

    fn break_line(&mut self) {
        self.close();
        self.open(self.rest.clone());
    }

    /// Breaks a line before something. What may not end a line moves along, and so does the text
    /// before a sign that may not begin one.
    fn break_before(&mut self, next: &str) {
        let mut carried: Vec<(String, Tone)> = Vec::new();
        let mut head = next.chars().next();
        while self.columns >= SPARES_THEM
            && carried.len() < MOST_CARRIED
            && self.is_torn_before(head)
            && let Some((grapheme, tone)) = self.take_wide()
        {
            head = grapheme.chars().next();
            carried.push((grapheme, tone));
        }
        self.break_line();
        for (grapheme, tone) in carried.iter().rev() {
            self.push(grapheme, *tone, 2);
        }
    }

    /// Would something be at a wrong end of a line if it were broken here?
    fn is_torn_before(&self, head: Option<char>) -> bool {
        let last = self.line.last();
        let last = last.and_then(|span| span.text.chars().next_back());
        head.is_some_and(|head| CLOSING.contains(head))
            || last.is_some_and(|last| OPENING.contains(last))
    }

    /// Takes the last character off the line, if it is a wide one and not the only one.
    fn take_wide(&mut self) -> Option<(String, Tone)> {
        let last = self.line.last_mut()?;
        let grapheme = last.text.graphemes(true).next_back()?.to_owned();
        if width(&grapheme) != 2 || self.used < self.start + 4 {
            return None;
        }
        last.text.truncate(last.text.len() - grapheme.len());
        let tone = last.tone;
        if last.text.is_empty() {
            self.line.pop();
        }
        self.used -= 2;
        Some((grapheme, tone))
    }

    fn close(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        // Spaces at the end of a line are nothing to see.
        while let Some(last) = line.last_mut() {
            let kept = last.text.trim_end().len();
            last.text.truncate(kept);
            if !last.text.is_empty() {
                break;
            }
            line.pop();
        }
        // Lines are kept, by the million in a long conversation, and nothing is added to them.
        for span in &mut line {
            span.text.shrink_to_fit();
        }
        line.shrink_to_fit();
        self.lines.push(line);
    }

    fn piece(&mut self, piece: &str, tone: Tone) {
        let wide = if is_plain(piece) {
            piece.len()
        } else {
            width(piece)
        };
        let is_space = piece.starts_with(char::is_whitespace);
        if self.used + wide <= self.columns {
            if !is_space || self.used > self.start || self.lines.is_empty() {
                self.push(piece, tone, wide);
            }
            return;
        }
        if is_space {
            self.break_line();
            return;
        }
        let room = self.columns.saturating_sub(width_of(&self.rest));
        // A sign that closes something stays with what it closes.
        let is_closing = piece.starts_with(|c| CLOSING.contains(c));
        if self.used > self.start && wide <= room && !is_closing {
            self.break_line();
            self.push(piece, tone, wide);
            return;
        }
        self.graphemes(piece, tone);
    }

    fn graphemes(&mut self, text: &str, tone: Tone) {
        if is_plain(text) {
            return self.plain(text, tone);
        }
        for grapheme in text.graphemes(true) {
            let wide = width(grapheme);
            if self.used + wide > self.columns && self.used > self.start {
                self.break_before(grapheme);
            }
            // A pane of one column cannot hold a wide character at all.
            if self.used + wide <= self.columns {
                self.push(grapheme, tone, wide);
            }
        }
    }

    /// Every character is one column: whole stretches can be cut off.
    fn plain(&mut self, mut text: &str, tone: Tone) {
        while !text.is_empty() {
            if self.used >= self.columns && self.used > self.start {
                self.break_line();
            }
            let room = self.columns.saturating_sub(self.used);
            if room == 0 {
                return;
            }
            let (fits, rest) = text.split_at(room.min(text.len()));
            self.push(fits, tone, fits.len());
            text = rest;
        }
    }

    fn push(&mut self, text: &str, tone: Tone, wide: usize) {
        self.used += wide;
        match self.line.last_mut() {
            Some(last) if last.tone == tone => last.text.push_str(text),
            _ => self.line.push(Span {
                text: text.to_owned(),
                tone,
            }),
        }
    }
}

/// Words and the spaces between them. A word may change its tone inside, and is still one.
fn pieces(spans: &[Span]) -> impl Iterator<Item = (&str, Tone)> {
    spans.iter().flat_map(|span| {
        let mut rest = span.text.as_str();
        // Asked once: for each word it would look through all that is left.
        let is_ascii = rest.is_ascii();
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let end = if is_ascii {
                let is_space = first.is_ascii_whitespace();
                let ends = |byte: &u8| byte.is_ascii_whitespace() != is_space;
                rest.as_bytes().iter().position(ends)
            } else {
                rest.find(|c: char| c.is_whitespace() != first.is_whitespace())
            };
            let (piece, behind) = rest.split_at(end.unwrap_or(rest.len()));
            rest = behind;
            Some((piece, span.tone))
        })
    })
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
