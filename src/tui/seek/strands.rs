//! The matches in lines, also those that continue in the next line.
//!
//! A paragraph is wrapped at the width of the pane: what matches must not depend on that. So
//! consecutive lines are searched once more as the text that they were, and so is each column of a
//! table.

use std::ops::Range;

use super::sieve::LetterFilter;
use crate::preview::{PageLine, Span, Tone};
use crate::search::{Field, Query, Tier, highlight};
use crate::text::width;

/// The separator of the cells of a table.
const BETWEEN_CELLS: &str = " │ ";
/// Begins the lines of quotes and of agents; not part of their text.
const BARS: [char; 3] = ['▏', '┆', '│'];

/// A match: byte ranges of its first line and of the lines that it continues in.
pub type Match = Vec<(usize, Range<usize>)>;

/// All matches in these lines, which were wrapped at `columns`.
pub fn places(
    lines: &[&PageLine],
    columns: usize,
    query: &Query,
    sieve: &LetterFilter,
) -> Vec<Match> {
    let texts: Vec<String> = lines.iter().map(|line| line.text()).collect();
    let mut found: Vec<Match> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let ranges = marks(text, query, sieve).into_iter();
        found.extend(ranges.map(|range| vec![(at, range)]));
    }
    let mut start = 0;
    while start < lines.len() {
        let same = |at: &usize| is_together(lines, &texts, at - 1, *at);
        let end = (start + 1..lines.len()).take_while(same).last();
        let end = end.map_or(start + 1, |last| last + 1);
        let is_worth_it = || {
            let is_table = cells(lines[start]).len() > 1;
            is_table || sieve.lets_through(&squeezed(&texts[start..end]))
        };
        if end - start > 1 && is_worth_it() {
            for strand in strands(&lines[start..end], &texts[start..end], start, columns) {
                found.extend(over_lines(&strand, query, sieve));
            }
        }
        start = end;
    }
    found
}

/// The text of these lines without anything between its letters.
fn squeezed(texts: &[String]) -> String {
    let is_letter = |c: &char| !c.is_whitespace() && !BARS.contains(c);
    let letters = texts.iter().flat_map(|text| text.chars().filter(is_letter));
    letters.collect()
}

fn marks(text: &str, query: &Query, sieve: &LetterFilter) -> Vec<Range<usize>> {
    if !sieve.lets_through(text) {
        return Vec::new();
    }
    highlight(text, Field::LastPrompt, query, Tier::Substring)
}

/// May the text of one line continue in the next?
fn is_together(lines: &[&PageLine], texts: &[String], above: usize, below: usize) -> bool {
    let (Some(one), Some(other)) = (lines.get(above), lines.get(below)) else {
        return false;
    };
    let is_blank = |at: usize| texts.get(at).is_none_or(|text| text.trim().is_empty());
    one.place == other.place
        && (one.speaker, one.fold) == (other.speaker, other.fold)
        && cells(one).len() == cells(other).len()
        && !is_blank(above)
        && !is_blank(below)
}

/// A part of a line that the text may continue from.
struct StrandPiece<'a> {
    line: usize,
    /// Where in its line it begins.
    start: usize,
    text: &'a str,
    /// How wide it is, and how wide it could have been.
    wide: usize,
    room: usize,
}

/// The cells of a line of a table; anything else is one cell.
fn cells(line: &PageLine) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut start, mut at) = (0, 0);
    let is_between = |span: &Span| span.tone == Tone::Dim && span.text == BETWEEN_CELLS;
    for span in &line.spans {
        if is_between(span) {
            cells.push(start..at);
            start = at + span.text.len();
        }
        at += span.text.len();
    }
    cells.push(start..at);
    cells
}

/// The texts of these lines: one, or one per column of a table.
fn strands<'a>(
    lines: &[&PageLine],
    texts: &'a [String],
    first: usize,
    columns: usize,
) -> Vec<Vec<StrandPiece<'a>>> {
    let cells: Vec<Vec<Range<usize>>> = lines.iter().map(|line| cells(line)).collect();
    let count = cells.first().map_or(0, Vec::len);
    let strand = |column: usize| {
        let ranges = cells.iter().filter_map(|cells| cells.get(column));
        let parts = ranges.zip(texts).map(|(range, text)| {
            let part = text.get(range.clone()).unwrap_or_default();
            (range.start, part)
        });
        let room = if count == 1 {
            columns
        } else {
            let widths = parts.clone().map(|(_, part)| width(part));
            widths.max().unwrap_or_default()
        };
        let pieces = (first..).zip(parts).map(|(line, (start, part))| {
            let is_before = |c: char| c.is_whitespace() || BARS.contains(&c);
            let text = part.trim_start_matches(is_before);
            StrandPiece {
                line,
                start: start + part.len() - text.len(),
                text: text.trim_end(),
                wide: width(part.trim_end()),
                room,
            }
        });
        // A cell may have fewer lines than its row.
        pieces.filter(|piece| !piece.text.is_empty()).collect()
    };
    (0..count).map(strand).collect()
}

/// The matches that span lines: wrapped between two words, or inside of one that was too long.
fn over_lines(strand: &[StrandPiece<'_>], query: &Query, sieve: &LetterFilter) -> Vec<Match> {
    let mut found = met(strand, (query, sieve), &|_, _| " ");
    let is_full = |one: &StrandPiece<'_>, next: &StrandPiece<'_>| {
        let first = next.text.chars().next();
        let wide = first.map_or(0, |c| width(c.encode_utf8(&mut [0; 4])));
        one.wide + wide > one.room
    };
    if strand
        .windows(2)
        .any(|two| matches!(two, [one, next] if is_full(one, next)))
    {
        found.extend(met(strand, (query, sieve), &|one, next| {
            if is_full(one, next) { "" } else { " " }
        }));
        found.sort_by_key(|it| it.first().map(|(line, range)| (*line, range.start)));
        found.dedup();
    }
    found
}

/// The matches in more than one piece, joined with `between`.
fn met(
    strand: &[StrandPiece<'_>],
    (query, sieve): (&Query, &LetterFilter),
    between: &dyn Fn(&StrandPiece<'_>, &StrandPiece<'_>) -> &'static str,
) -> Vec<Match> {
    let mut whole = String::new();
    let mut starts = Vec::new();
    let mut last: Option<&StrandPiece<'_>> = None;
    for piece in strand {
        whole.push_str(last.map_or("", |last| between(last, piece)));
        starts.push(whole.len());
        whole.push_str(piece.text);
        last = Some(piece);
    }
    let mut found = Vec::new();
    for range in marks(&whole, query, sieve) {
        let from = starts.partition_point(|start| *start <= range.start);
        let from = from.saturating_sub(1);
        let inside = starts.iter().zip(strand).skip(from);
        let parts = inside.take_while(|(start, _)| **start < range.end);
        let parts: Match = parts
            .map(|(start, piece)| {
                let begin = range.start.saturating_sub(*start).min(piece.text.len());
                let end = (range.end - start).min(piece.text.len());
                (piece.line, piece.start + begin..piece.start + end)
            })
            .collect();
        if parts.len() > 1 {
            found.push(parts);
        }
    }
    found
}

#[cfg(test)]
#[path = "strands_tests.rs"]
mod tests;
