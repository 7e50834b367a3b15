//! The help screen as data: every key of the table under its heading.

use super::keymap::{Group, Keymap};

/// A line of the help screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Title(&'static str),
    Key { keys: String, help: &'static str },
    Text(&'static str),
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

pub fn lines(keymap: &Keymap) -> Vec<Line> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        lines.push(Line::Title(group.title()));
        for (binding, chords) in keymap.lines() {
            if binding.group == group && !chords.is_empty() {
                let keys: Vec<String> = chords.iter().map(ToString::to_string).collect();
                lines.push(Line::Key {
                    keys: keys.join("  "),
                    help: binding.help,
                });
            }
        }
        lines.push(Line::Blank);
    }
    for (title, texts) in [("What can be typed", QUERIES), ("Signs", SIGNS)] {
        lines.push(Line::Title(title));
        lines.extend(texts.iter().map(|text| Line::Text(text)));
        lines.push(Line::Blank);
    }
    lines.pop();
    lines
}

/// How many lines there are.
pub fn length(keymap: &Keymap) -> usize {
    lines(keymap).len()
}
