//! The help screen as data: every key of the table under its heading.

use super::keymap::{Group, Keymap};
use crate::text::wrap;

/// A line of the help screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Title(&'static str),
    /// A key, or the rest of what it does below it.
    Key {
        keys: String,
        help: String,
    },
    Text(String),
    Blank,
}

/// What can be typed, beside words.
const QUERIES: &[&str] = &[
    "words          all of them, in any order; letters in order match too, further down",
    "\"a phrase\"     exactly this",
    "-word          without it",
    "project:shop   branch:main  tag:auth  model:opus  pr:412  id:8c1f",
    "is:running     is:waiting  is:interrupted  is:forked  is:damaged  is:named",
    "since:2d       before:2026-11-01",
];

const SIGNS: &[&str] = &[
    "● busy   ◐ waiting for you   ○ idle: a Claude Code has it open",
    "⑂3       three sessions that were forked from one another, the newest on top",
    "⏳3d      Claude Code will delete it in three days, unless it goes on",
];

/// Columns for the keys of a line, where there is room for all of them.
const KEYS: usize = 30;
/// Where there is not: for the first key alone.
const FIRST_KEY: usize = 12;
/// From this width on there is room for all.
const WIDE: usize = 80;

/// The columns that keys have on a screen of this width.
pub fn key_columns(columns: usize) -> usize {
    if columns < WIDE { FIRST_KEY } else { KEYS }
}

/// The lines for a screen of so many columns.
pub fn lines(keymap: &Keymap, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let key_columns = key_columns(columns);
    let room = columns.saturating_sub(key_columns + 5).max(1);
    for group in Group::ALL {
        lines.push(Line::Title(group.title()));
        for (binding, chords) in keymap.lines() {
            if binding.group == group && !chords.is_empty() {
                let all = if columns < WIDE { 1 } else { chords.len() };
                let keys: Vec<String> = chords[..all].iter().map(ToString::to_string).collect();
                let mut keys = keys.join("  ");
                for help in wrap(binding.help, room) {
                    let keys = std::mem::take(&mut keys);
                    lines.push(Line::Key { keys, help });
                }
            }
        }
        lines.push(Line::Blank);
    }
    for (title, texts) in [("What can be typed", QUERIES), ("Signs", SIGNS)] {
        lines.push(Line::Title(title));
        for text in texts {
            if columns >= WIDE {
                // Their own columns stay as they are.
                lines.push(Line::Text((*text).to_owned()));
            } else {
                let words: Vec<&str> = text.split_whitespace().collect();
                let parts = wrap(&words.join(" "), columns.saturating_sub(4).max(1));
                lines.extend(parts.into_iter().map(Line::Text));
            }
        }
        lines.push(Line::Blank);
    }
    lines.pop();
    lines
}

/// How many lines there are.
pub fn length(keymap: &Keymap, columns: usize) -> usize {
    lines(keymap, columns).len()
}
