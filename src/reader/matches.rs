//! The matches of a text or of words in lines, also those that continue in the next line.
//!
//! A paragraph is wrapped at the width of the pane: what matches must not depend on that. So
//! consecutive lines are searched as the text that they were, and so is each column of a table.

use std::ops::Range;

use memchr::memchr2_iter;

use crate::preview::{PageLine, Scroll, Span, Tone};
use crate::search::{Field, Query, Sign, Test, Tier, highlight};
use crate::text::width;

/// The separator of the cells of a table.
const BETWEEN_CELLS: &str = " │ ";
/// Begins the lines of quotes and of agents; not part of their text.
const BARS: [char; 3] = ['▏', '┆', '│'];
/// Lines around a viewport that a match in it may begin or end in.
const AROUND: usize = 8;

/// A match: byte ranges of its first line and of the lines that it continues in.
pub type Match = Vec<(usize, Range<usize>)>;

/// What to find, ready for many texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextMatcher {
    query: Query,
    /// Lower case letters of which every match contains some; empty if that is not known. Comparing
    /// texts without regard to case and accents is slow, and most texts do not even have the letters.
    letters: Vec<Vec<u8>>,
}

/// A line, as the cells of a table; any other line is one cell, and a blank one has none.
struct LineCells<'a> {
    number: usize,
    line: &'a PageLine,
    /// The first byte of each cell, and its text.
    cells: Vec<(usize, String)>,
}

/// A part of a line in the text that it was wrapped from.
struct WrappedPart {
    /// Its first byte in the text, and its length.
    start: usize,
    length: usize,
    line: usize,
    /// Its first byte in the line.
    in_line: usize,
}

impl TextMatcher {
    /// Each of the words.
    pub fn words(query: &Query) -> Self {
        let terms = query.terms().iter();
        let terms = terms.filter(|term| term.sign == Sign::Wanted);
        let letters = terms.filter_map(|term| match &term.test {
            Test::Word(needle) | Test::Phrase(needle) => Some(letters(needle.text())),
            Test::Regex(_) => Some(None),
            _ => None,
        });
        let letters: Option<Vec<Vec<u8>>> = letters.collect();
        Self {
            query: query.clone(),
            letters: letters.unwrap_or_default(),
        }
    }

    /// The whole text.
    pub fn phrase(text: &str) -> Self {
        Self {
            query: Query::phrase(text),
            letters: letters(text).into_iter().collect(),
        }
    }

    pub fn query(&self) -> &Query {
        &self.query
    }

    /// A text that passes may have no match; one that does not pass has none.
    pub fn may_match(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let has = |letters: &Vec<u8>| {
            let first = letters.first().copied().unwrap_or_default();
            let mut begins = memchr2_iter(first, first.to_ascii_uppercase(), bytes);
            begins.any(|at| {
                let found = bytes.get(at..at + letters.len());
                found.is_some_and(|found| found.eq_ignore_ascii_case(letters))
            })
        };
        self.letters.is_empty() || self.letters.iter().any(has) || !text.chars().all(is_itself)
    }

    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        if !self.may_match(text) {
            return Vec::new();
        }
        highlight(text, Field::LastPrompt, &self.query, Tier::Substring)
    }

    /// How many lines of these texts match?
    pub fn count_lines<T: AsRef<str>>(&self, texts: &[T]) -> usize {
        let lines = texts.iter().flat_map(|text| text.as_ref().lines());
        lines.filter(|line| !self.ranges(line).is_empty()).count()
    }

    /// All matches in these lines, which were wrapped at `columns`.
    pub fn matches(&self, lines: &[&PageLine], columns: usize) -> Vec<Match> {
        let lines = lines.iter().enumerate();
        let lines: Vec<LineCells<'_>> = lines.map(|(at, line)| LineCells::new(at, line)).collect();
        let texts = lines.chunk_by(LineCells::may_continue);
        let columns = texts.flat_map(|lines| {
            let cells = lines.first().map_or(0, |line| line.cells.len());
            (0..cells).flat_map(move |cell| self.in_cells(lines, cell, columns))
        });
        columns.collect()
    }

    /// The matches in one cell of each of these lines, joined to the text that they were.
    fn in_cells(&self, lines: &[LineCells<'_>], cell: usize, columns: usize) -> Vec<Match> {
        let cells = lines.iter().filter_map(|line| {
            let (start, text) = line.cells.get(cell)?;
            Some((line.number, *start, text.trim_end()))
        });
        let is_table = lines.first().is_some_and(|line| line.cells.len() > 1);
        let room = if is_table {
            let widths = cells.clone().map(|(_, _, cell)| width(cell));
            widths.max().unwrap_or_default()
        } else {
            columns
        };
        let mut text = String::new();
        let mut parts: Vec<WrappedPart> = Vec::new();
        let mut last: Option<&str> = None;
        for (line, start, cell) in cells {
            let part = cell.trim_start_matches(|c: char| c.is_whitespace() || BARS.contains(&c));
            // A cell may have fewer lines than its row.
            if part.is_empty() {
                continue;
            }
            if last.is_some_and(|last| !is_split_word(last, cell, room)) {
                text.push(' ');
            }
            last = Some(cell);
            parts.push(WrappedPart {
                start: text.len(),
                length: part.len(),
                line,
                in_line: start + cell.len() - part.len(),
            });
            text.push_str(part);
        }
        let ranges = self.ranges(&text).into_iter();
        let found = ranges.map(|range| {
            let first = parts.partition_point(|part| part.start + part.length <= range.start);
            let parts = parts.iter().skip(first);
            let parts = parts.take_while(|part| part.start < range.end);
            let in_line = |part: &WrappedPart| {
                let start = range.start.saturating_sub(part.start);
                let end = (range.end - part.start).min(part.length);
                (part.line, part.in_line + start..part.in_line + end)
            };
            parts.map(in_line).collect()
        });
        found.filter(|found: &Match| !found.is_empty()).collect()
    }

    /// The byte ranges to highlight in each of the lines from `top` on.
    pub fn marks(
        &self,
        scroll: &Scroll,
        top: usize,
        rows: usize,
        columns: usize,
    ) -> Vec<Vec<Range<usize>>> {
        let mut marks = vec![Vec::new(); rows];
        if self.query.is_empty() {
            return marks;
        }
        let start = top.saturating_sub(AROUND);
        let lines = scroll.from(start).take(top - start + rows + AROUND);
        let lines: Vec<&PageLine> = lines.collect();
        for (at, range) in self.matches(&lines, columns).into_iter().flatten() {
            let row = (start + at).checked_sub(top);
            if let Some(marks) = row.and_then(|row| marks.get_mut(row)) {
                marks.push(range);
            }
        }
        for marks in &mut marks {
            marks.sort_by_key(|range| range.start);
        }
        marks
    }
}

impl<'a> LineCells<'a> {
    fn new(number: usize, line: &'a PageLine) -> Self {
        let mut cells = vec![(0, String::new())];
        let mut at = 0;
        let is_between = |span: &Span| span.tone == Tone::Dim && span.text == BETWEEN_CELLS;
        for span in &line.spans {
            at += span.text.len();
            match cells.last_mut() {
                Some((_, text)) if !is_between(span) => text.push_str(&span.text),
                _ => cells.push((at, String::new())),
            }
        }
        if cells.iter().all(|(_, text)| text.trim().is_empty()) {
            cells.clear();
        }
        Self {
            number,
            line,
            cells,
        }
    }

    /// May the text of this line continue in the next?
    fn may_continue(&self, next: &Self) -> bool {
        let (one, other) = (self.line, next.line);
        (one.place, one.speaker, one.fold) == (other.place, other.speaker, other.fold)
            && self.cells.len() == next.cells.len()
    }
}

/// Letters that every match of a text contains, in lower case.
fn letters(text: &str) -> Option<Vec<u8>> {
    let ascii = Some(text).filter(|it| it.is_ascii())?;
    let words = ascii.split(|c: char| !c.is_ascii_alphanumeric());
    let longest = words.max_by_key(|word| word.len())?;
    (!longest.is_empty()).then(|| longest.to_ascii_lowercase().into_bytes())
}

/// Was a word that is too long for a line split between these two?
fn is_split_word(line: &str, next: &str, room: usize) -> bool {
    // No text is wider than its bytes.
    if line.len() + 2 <= room {
        return false;
    }
    let is_between = |c: char| c.is_whitespace() || BARS.contains(&c);
    let text = next.trim_start_matches(is_between);
    let indent = width(next).saturating_sub(width(text));
    let end = line.rsplit(is_between).next().unwrap_or_default();
    let start = text.split(is_between).next().unwrap_or_default();
    let letter = start.chars().next().map(String::from).unwrap_or_default();
    width(line) + width(&letter) > room && indent + width(end) + width(start) > room
}

/// Is it surely no letter, and no part of one?
fn is_itself(c: char) -> bool {
    // The last two are arrows, and lines, blocks, shapes and signs.
    matches!(c, ' '..='~' | '\n' | '\t' | '·' | '–' | '—' | '‘'..='”' | '•' | '…'
        | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{27bf}')
}

#[cfg(test)]
#[path = "matches_tests.rs"]
mod tests;
