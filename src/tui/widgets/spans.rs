//! Texts as spans: made safe, cut to fit, and marked where they match.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::{beginning, sanitize, sanitize_whole, truncate_start_with, truncate_with, width};
use crate::tui::theme::Theme;

/// Stored text on one line: safe, without runs of spaces, and cut to so many columns.
pub fn clean(text: &str, columns: usize, theme: Theme) -> String {
    // A grapheme may take many bytes; text beyond this limit is out of sight anyway.
    let safe = sanitize_whole(beginning(text, columns.saturating_mul(16) + 256));
    let mut line = String::with_capacity(safe.len());
    for word in safe.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    truncate_with(&line, columns, theme.signs().cut)
}

/// A stored path: safe, and cut at its start.
pub fn clean_end(path: &str, columns: usize, theme: Theme) -> String {
    truncate_start_with(&sanitize(path), columns, theme.signs().cut)
}

/// A text on one line, cut so that its first match can be seen, with its matches.
pub fn in_sight(
    text: &str,
    matches: &[Range<usize>],
    columns: usize,
    theme: Theme,
) -> (String, Vec<Range<usize>>) {
    let cut = theme.signs().cut;
    let room = columns.saturating_sub(width(cut));
    let hidden = matches
        .first()
        .filter(|first| width(text) > columns && width(&text[..first.end]) > room);
    let start = hidden.map_or(0, |first| {
        // What the end of the text leaves, or at least a third of the line, leads to the match.
        let free = room.saturating_sub(width(&text[first.start..]));
        let beside = room.saturating_sub(width(&text[first.clone()]) + width(cut));
        beginning_of_lead(&text[..first.start], free.max(beside.min(columns / 3)))
    });
    if start == 0 {
        return (truncate_with(text, columns, cut), matches.to_vec());
    }
    let shown = truncate_with(&format!("{cut}{}", &text[start..]), columns, cut);
    let moved = |range: &Range<usize>| {
        let place = |at: usize| at - start + cut.len();
        place(range.start)..place(range.end)
    };
    let matches = matches.iter().filter(|range| range.start >= start);
    (shown, matches.map(moved).collect())
}

/// Where the last columns of a text begin: at a word, if that costs little.
fn beginning_of_lead(text: &str, columns: usize) -> usize {
    let mut start = text.len();
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += width(grapheme);
        if used > columns {
            break;
        }
        start = at;
    }
    let is_in_word = start > 0 && !text[..start].ends_with(' ');
    let word = text[start..].find(' ').filter(|_| is_in_word);
    let next = word.map(|space| start + space + 1);
    let is_near = |next: &usize| width(&text[start..*next]) <= columns / 3;
    next.filter(is_near).unwrap_or(start)
}

/// The spans of a text with its matches marked.
pub fn marked(
    text: &str,
    matches: &[Range<usize>],
    base: Style,
    theme: Theme,
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut at = 0;
    for range in matches {
        let (Some(before), Some(hit)) = (text.get(at..range.start), text.get(range.clone())) else {
            continue;
        };
        if !before.is_empty() {
            spans.push(Span::styled(before.to_owned(), base));
        }
        spans.push(Span::styled(hit.to_owned(), theme.matched(base)));
        at = range.end;
    }
    if let Some(rest) = text.get(at..)
        && !rest.is_empty()
    {
        spans.push(Span::styled(rest.to_owned(), base));
    }
    spans
}

/// The part of each match that lies in a span of the text, counted from the start of that span.
pub fn split_matches(matches: &[Range<usize>], span: Range<usize>) -> Vec<Range<usize>> {
    let inside = |range: &&Range<usize>| range.start < span.end && range.end > span.start;
    let part = |range: &Range<usize>| {
        range.start.max(span.start) - span.start..range.end.min(span.end) - span.start
    };
    matches.iter().filter(inside).map(part).collect()
}

/// A count with its noun: `1 session`, `2,000 sessions`.
pub fn plural(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", number(count))
}

/// A count of matches: `1 match`, `3 matches`.
pub fn matches(count: usize) -> String {
    match count {
        1 => "1 match".to_owned(),
        count => format!("{} matches", number(count)),
    }
}

/// A number with a comma between thousands.
pub fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn width_of(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| width(&span.content)).sum()
}

/// A width in the type that screens count in.
pub fn columns(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

#[cfg(test)]
#[path = "spans_tests.rs"]
mod tests;
