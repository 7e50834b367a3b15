//! What a terminal shows of a line of output: progress bars write over what they have written.

use std::borrow::Cow;

/// A line in its final state: what comes after the last carriage return, without what a backspace
/// took back.
pub fn printed(line: &str) -> Cow<'_, str> {
    let line = line.trim_end_matches('\r');
    let line = line.rsplit('\r').next().unwrap_or_default();
    if !line.contains('\u{8}') {
        return Cow::Borrowed(line);
    }
    let mut shown = String::new();
    for c in line.chars() {
        match c {
            '\u{8}' => {
                shown.pop();
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
#[path = "printed_tests.rs"]
mod tests;
