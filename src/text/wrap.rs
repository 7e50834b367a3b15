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
    for piece in line.split_word_bounds() {
        let wide = width(piece);
        let is_space = piece.trim().is_empty();
        if used + wide <= columns {
            current.push_str(piece);
            used += wide;
            continue;
        }
        if used > 0 {
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

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;
