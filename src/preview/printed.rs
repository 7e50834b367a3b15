//! What a terminal shows of a line of output: programs write over what they have written.
//!
//! Of the escape sequences only those count that erase a line, since progress bars are drawn with
//! them; colors and the rest take no space.

use std::borrow::Cow;

use crate::text::sanitize;

/// Sequences that erase a line to its end, or all of it.
const ERASES_REST: &[&str] = &["\u{1b}[K", "\u{1b}[0K"];
const ERASES_LINE: &str = "\u{1b}[2K";

/// A line in its final state. What was written over is gone.
pub fn printed(line: &str) -> Cow<'_, str> {
    let line = line.trim_end_matches('\r');
    if !line.contains(['\r', '\u{8}']) {
        return Cow::Borrowed(line);
    }
    let mut shown: Vec<char> = Vec::new();
    for stroke in line.split('\r') {
        let behind = stroke.rsplit_once(ERASES_LINE).map(|(_, behind)| behind);
        let erased = behind.or_else(|| ERASES_REST.iter().find_map(|it| stroke.strip_prefix(it)));
        if erased.is_some() {
            shown.clear();
        }
        write_over(&mut shown, erased.unwrap_or(stroke));
    }
    Cow::Owned(shown.into_iter().collect())
}

/// Writes a text from the beginning of a line on, one step back with each backspace.
fn write_over(shown: &mut Vec<char>, text: &str) {
    let mut at = 0_usize;
    for (n, piece) in text.split('\u{8}').enumerate() {
        if n > 0 {
            at = at.saturating_sub(1);
        }
        // Colors take no space on the line.
        for c in sanitize(&piece.replace('\t', "    ")).chars() {
            match shown.get_mut(at) {
                Some(old) => *old = c,
                None => shown.push(c),
            }
            at += 1;
        }
    }
}

#[cfg(test)]
#[path = "printed_tests.rs"]
mod tests;
