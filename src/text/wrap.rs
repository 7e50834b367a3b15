//! Text in lines of a width, broken between words.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::sanitize::sanitize;
use super::width::{truncate, width};

/// Safe lines of at most `columns`. A word that is longer than a line is cut.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sanitize(text).split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(truncate(word, columns)),
        }
    }
    lines
}

/// Where the lines of a safe text are in it, if `used` columns of the first line are taken. A word
/// that is longer than a line is broken. Nothing is left out but the spaces where a line ends.
pub fn wrap_ranges(text: &str, used: usize, columns: usize) -> Vec<Range<usize>> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    let (mut line, mut taken) = (0..0, used);
    let mut at = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.strip_suffix(' ').unwrap_or(word);
        let wide = width(bare);
        let space = usize::from(bare.len() < word.len());
        if taken + wide > columns && (taken > 0 || line.end > line.start) && wide <= columns {
            lines.push(line);
            (line, taken) = (at..at, 0);
        }
        if wide <= columns {
            line.end = at + bare.len();
            taken += wide + space;
        } else {
            // It goes on where it is broken.
            for (offset, sign) in bare.grapheme_indices(true) {
                let wide = width(sign);
                if taken + wide > columns {
                    lines.push(line);
                    (line, taken) = (at + offset..at + offset, 0);
                }
                line.end = at + offset + sign.len();
                taken += wide;
            }
            taken += space;
        }
        at += word.len();
    }
    lines.push(line);
    lines
}

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;
