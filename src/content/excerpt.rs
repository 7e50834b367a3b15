//! A passage as it was written, cut to what is around the match.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::judge::FoundPassage;
use crate::files;
use crate::search::{Query, marks};
use crate::text::sanitize;
use crate::transcript::{Checkpoint, Passage, Voice, passages};

/// The lines of a message are read up to so many bytes.
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
    pub voice: Voice,
    pub tool: Option<String>,
    /// When it was written, in milliseconds since the epoch.
    pub at: Option<i64>,
    /// What is around the first match: safe to show, on one line.
    pub text: String,
    /// Was text left out before it?
    pub is_cut: bool,
    /// Bytes of `text` that match.
    pub matches: Vec<Range<usize>>,
}

/// The best passage to show for a conversation.
pub fn best(found: &[(PathBuf, FoundPassage)]) -> Option<&(PathBuf, FoundPassage)> {
    found.iter().max_by_key(|(_, passage)| rank(passage))
}

/// The best passages come first.
pub fn best_first(found: &mut [(PathBuf, FoundPassage)]) {
    found.sort_by_key(|(_, passage)| std::cmp::Reverse(rank(passage)));
}

/// The words as typed before most words before few, what was said before what tools say, and the
/// newest of equals.
fn rank(passage: &FoundPassage) -> (bool, u32, bool, bool, Option<i64>) {
    let is_change = passage.tool.as_deref().is_some_and(changes_file);
    (
        passage.has_phrase,
        passage.words,
        !passage.entry.voice.is_tool(),
        passage.entry.voice == Voice::Path && is_change,
        passage.entry.at,
    )
}

fn changes_file(tool: &str) -> bool {
    matches!(tool, "Edit" | "MultiEdit" | "Write" | "NotebookEdit")
}

/// Reads a passage from its transcript again.
pub fn excerpt(path: &Path, found: &FoundPassage, query: &Query) -> io::Result<Excerpt> {
    let lines = &found.entry.lines;
    let mut file = files::open(path)?;
    file.seek(SeekFrom::Start(lines.start))?;
    let source = file.take((lines.end - lines.start).min(LONGEST));
    let start = Checkpoint {
        offset: lines.start,
        ..Checkpoint::default()
    };
    let mut fallback = None;
    let mut matching = None;
    passages(source, &start, &|| false, &mut |passage: &Passage<'_>| {
        if matching.is_some() || passage.voice != found.entry.voice {
            return;
        }
        let text = one_line(passage.text);
        let places = marks(&text, query);
        let slot = if places.is_empty() {
            &mut fallback
        } else {
            &mut matching
        };
        slot.get_or_insert((passage.uuid, text, places));
    })?;
    let (uuid, text, places) = matching.or(fallback).unwrap_or_default();
    let (text, is_cut, matches) = around(&text, &places);
    Ok(Excerpt {
        path: path.to_owned(),
        uuid,
        voice: found.entry.voice,
        tool: found.tool.clone(),
        at: found.entry.at,
        text,
        is_cut,
        matches,
    })
}

fn one_line(text: &str) -> String {
    let safe = sanitize(text);
    let mut line = String::with_capacity(safe.len());
    for word in safe.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The part of a text around its first match.
fn around(text: &str, places: &[Range<usize>]) -> (String, bool, Vec<Range<usize>>) {
    let first = places.first().map_or(0, |place| place.start);
    let before = text[..first].char_indices().rev().nth(BEFORE - 1);
    let mut start = before.map_or(0, |(at, _)| at);
    // Not in the middle of a word, unless it is a long one.
    if start > 0
        && let Some(space) = text[start..first].find(' ')
    {
        start += space + 1;
    }
    let end = text[start..].char_indices().nth(KEPT);
    let end = end.map_or(text.len(), |(at, _)| start + at);
    let inside = places.iter().filter(|place| place.end <= end);
    let matches = inside
        .map(|place| place.start - start..place.end - start)
        .collect();
    (text[start..end].to_owned(), start > 0, matches)
}
