//! The one form of a passage that is stored, searched and shown around a match.

use std::borrow::Cow;

use memchr::memchr3;

use crate::search::FoldProfile;
use crate::text::{printed, without_escapes};
use crate::transcript::Voice;

/// A passage as the screen shows it: without terminal colors, and of a line that was written over
/// only its last state.
pub fn display_text(voice: Voice, text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let is_printed = voice == Voice::ToolOutput && memchr3(b'\r', 8, 8, text.as_bytes()).is_some();
    let has_escapes = memchr3(0x1b, 0xc2, 0xc2, text.as_bytes()).is_some();
    if !is_printed && !has_escapes {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let line = if is_printed {
            printed(line)
        } else {
            Cow::Borrowed(line)
        };
        shown.push_str(&without_escapes(&line));
        shown.push_str(end);
    }
    let is_trimmed = shown.trim().len() == shown.len();
    Cow::Owned(if is_trimmed {
        shown
    } else {
        shown.trim().to_owned()
    })
}

/// What of a passage is folded.
pub fn profile(voice: Voice) -> FoldProfile {
    if voice.is_tool() {
        FoldProfile::Verbatim
    } else {
        FoldProfile::Prose
    }
}

#[cfg(test)]
#[path = "display_tests.rs"]
mod tests;
