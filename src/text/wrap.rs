//! Text in lines of a width, broken between words.

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

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;
