//! A passage as it was written, cut to what is around the match.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::display::{display_text, profile};
use super::row_matcher::FoundPassage;
use crate::files;
use crate::search::{Bits, fold_long_onto, trace, whole_marks};
use crate::text::sanitize;
use crate::transcript::{Checkpoint, Passage, Voice, passages};

/// The line of a passage is read up to so many bytes.
const LONGEST: u64 = 64 * 1024 * 1024;
/// So many characters before the match are kept.
const BEFORE: usize = 200;
/// So many characters are kept in all.
const KEPT: usize = 1000;

/// A passage in which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The transcript that it is in: that of the conversation or of an agent.
    pub path: PathBuf,
    pub uuid: Option<Uuid>,
    /// Which block of the entry it is.
    pub part: u16,
    pub voice: Voice,
    pub tool: Option<String>,
    /// When it was written, in milliseconds since the epoch.
    pub at: Option<i64>,
    /// What is around the match: safe to show, on one line.
    pub text: String,
    /// Was text left out before it?
    pub is_cut: bool,
    /// Bytes of `text` that match.
    pub matches: Vec<Range<usize>>,
}

/// Reads a passage from its transcript again. `None` if the transcript has something else there than
/// what was stored.
pub fn excerpt(path: &Path, found: &FoundPassage, stored: &[u8]) -> io::Result<Option<Excerpt>> {
    let entry = &found.entry;
    let mut file = files::open(path)?;
    file.seek(SeekFrom::Start(entry.lines.start))?;
    let source = file.take((entry.lines.end - entry.lines.start).min(LONGEST));
    let start = Checkpoint {
        offset: entry.lines.start,
        ..Checkpoint::default()
    };
    let profile = profile(entry.voice);
    let mut shown = None;
    passages(source, &start, &|| false, &mut |passage: &Passage<'_>| {
        let name = (passage.voice, passage.uuid, passage.part);
        if shown.is_some() || name != (entry.voice, entry.uuid, entry.part) {
            return;
        }
        let text = display_text(passage.voice, passage.text);
        let mut folded = Vec::with_capacity(stored.len());
        fold_long_onto(&mut folded, &mut Bits::default(), &text, profile);
        if folded == stored {
            let marks = trace(&text, profile, &found.matches);
            let first = found
                .matches
                .iter()
                .position(|it| it.start >= found.window.start);
            let first = first
                .and_then(|at| marks.get(at))
                .map_or(0, |mark| mark.start);
            shown = Some(around(&text, first, marks));
        }
    })?;
    Ok(shown.map(|(text, is_cut, matches)| Excerpt {
        path: path.to_owned(),
        uuid: entry.uuid,
        part: entry.part,
        voice: entry.voice,
        tool: found.tool.clone(),
        at: entry.at,
        text,
        is_cut,
        matches,
    }))
}

/// The part of a text around its best match, on one line.
fn around(text: &str, first: usize, marks: Vec<Range<usize>>) -> (String, bool, Vec<Range<usize>>) {
    let before = text[..first].char_indices().rev().nth(BEFORE - 1);
    let mut start = before.map_or(0, |(at, _)| at);
    // Not in the middle of a word, unless it is a long one.
    if start > 0
        && let Some((space, sign)) = text[start..first]
            .char_indices()
            .find(|(_, sign)| sign.is_whitespace())
    {
        start += space + sign.len_utf8();
    }
    let end = text[start..].char_indices().nth(KEPT);
    let end = end.map_or(text.len(), |(at, _)| start + at);
    let inside = marks
        .into_iter()
        .filter(|it| it.start >= start && it.end <= end);
    let inside = inside.map(|it| it.start - start..it.end - start).collect();
    let text = &text[start..end];
    let mut line = String::with_capacity(text.len());
    let mut matches = Vec::new();
    let mut at = 0;
    for mark in whole_marks(text, inside) {
        push_clean(&mut line, &text[at..mark.start]);
        let start = line.len();
        push_clean(&mut line, &text[mark.clone()]);
        matches.push(start..line.len());
        at = mark.end;
    }
    push_clean(&mut line, &text[at..]);
    line.truncate(line.trim_end().len());
    for range in &mut matches {
        range.end = range.end.min(line.len());
    }
    matches.retain(|range| range.start < range.end);
    (line, start > 0, matches)
}

/// Appends what can be shown of a text, with one space for any white space.
fn push_clean(line: &mut String, text: &str) {
    for sign in sanitize(text).chars() {
        if !sign.is_whitespace() {
            line.push(sign);
        } else if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
    }
}
