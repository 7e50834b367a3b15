//! Columns: how wide a string is on a terminal, and how to cut or pad it to a width.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What a cut string ends in, where nobody knows the terminal: the one-character ellipsis is one
/// column wide in some and two in others.
pub const CUT: &str = "...";

pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts `text` to at most `columns`, between graphemes, with dots where something is missing.
pub fn truncate(text: &str, columns: usize) -> String {
    truncate_with(text, columns, CUT)
}

/// The same with another sign.
pub fn truncate_with(text: &str, columns: usize, sign: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let dots = sign_within(sign, columns);
    let mut cut = String::new();
    let mut used = width(dots);
    for grapheme in text.graphemes(true) {
        used += width(grapheme);
        if used > columns {
            break;
        }
        cut.push_str(grapheme);
    }
    cut.truncate(cut.trim_end().len());
    cut.push_str(dots);
    cut
}

/// Cuts `text` to at most `columns` at its beginning: of a path the end says more.
pub fn truncate_start(text: &str, columns: usize) -> String {
    truncate_start_with(text, columns, CUT)
}

/// The same with another sign.
pub fn truncate_start_with(text: &str, columns: usize, sign: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let dots = sign_within(sign, columns);
    let mut used = width(dots);
    let mut start = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += width(grapheme);
        if used > columns {
            break;
        }
        start = at;
    }
    format!("{dots}{}", &text[start..])
}

/// As much of a sign as fits.
fn sign_within(sign: &str, columns: usize) -> &str {
    if width(sign) <= columns {
        return sign;
    }
    sign.get(..columns).unwrap_or_default()
}

/// At most the first `bytes` of a text, and never half a character.
pub fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Cuts or fills with spaces on the right to exactly `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let mut cell = truncate(text, columns);
    let missing = columns.saturating_sub(width(&cell));
    cell.extend(std::iter::repeat_n(' ', missing));
    cell
}

#[cfg(test)]
#[path = "width_tests.rs"]
mod tests;
