//! Long lines broken to a width.

use unicode_segmentation::UnicodeSegmentation;

use super::width::width;

/// Breaks a text into lines of at most `columns`, between words where it can and inside a word
/// where it must. Line breaks of the text stay; spaces at a break fall away, indents do not.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for line in text.lines() {
        wrap_line(line, columns, &mut lines);
    }
    lines
}

fn wrap_line(line: &str, columns: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    let mut used = 0;
    for piece in pieces(line) {
        let wide = width(piece);
        if used + wide <= columns {
            current.push_str(piece);
            used += wide;
            continue;
        }
        let is_space = piece.trim().is_empty();
        // A word that fits no line is broken where it stands: text without spaces stays dense.
        if used > 0 && (is_space || wide <= columns) {
            lines.push(std::mem::take(&mut current).trim_end().to_owned());
            used = 0;
        }
        if is_space {
            continue;
        }
        for grapheme in piece.graphemes(true) {
            let wide = width(grapheme);
            if used + wide > columns && used > 0 {
                lines.push(std::mem::take(&mut current));
                used = 0;
            }
            current.push_str(grapheme);
            used += wide;
        }
    }
    lines.push(current.trim_end().to_owned());
}

/// Words and the spaces between them, in turns.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest
            .find(|c: char| c.is_whitespace() != first.is_whitespace())
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;
