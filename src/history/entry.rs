//! One entry of the history: what was typed and pasted, when, in which project and session.
//!
//! Lenient: an entry without a session, a project or a time is kept. A line that is not a closed
//! object with a `display` is not an entry.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::json::{End, FieldValue, Fields, unescape};
use crate::record::parse_epoch;

/// The last millisecond that a JavaScript date can have.
pub const LATEST: i64 = 8_640_000_000_000_000;

/// A prompt as it was entered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// The text of the input line, with `[Pasted text #1 +80 lines]` for what was pasted.
    pub display: String,
    pub pastes: Vec<Paste>,
    /// Milliseconds since the epoch; 0 if unknown.
    pub timestamp: i64,
    /// The directory that Claude Code was started in; empty if unknown.
    pub project: String,
    /// Lines of 2025 have none.
    pub session: Option<String>,
}

/// Something pasted, by the number that the prompt refers to it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paste {
    pub id: u64,
    pub kind: PasteKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasteKind {
    /// The text. A long one is recorded in a file.
    Inline(String),
    /// It is in a file that is named after this hash, which may be any text.
    Stored(String),
    /// A picture: not kept.
    Image,
    /// Neither text nor a hash.
    Nothing,
}

impl Prompt {
    /// Reads a line; `None` if it is malformed or incomplete.
    pub fn parse(line: &[u8]) -> Option<Self> {
        // An editor may have put a byte order mark before the first line.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut prompt = Self::default();
        let mut display = None;
        let mut fields = Fields::new(line);
        while let Some(key) = fields.next_key() {
            match (key, fields.value()) {
                (b"display", FieldValue::Text(text)) => display = Some(unescape(text).into_owned()),
                (b"project", FieldValue::Text(text)) => {
                    prompt.project = unescape(text).into_owned();
                }
                (b"sessionId", FieldValue::Text(text)) => {
                    prompt.session = Some(unescape(text).into_owned());
                }
                (b"timestamp", FieldValue::Bare(number)) => {
                    let time = parse_epoch(number).filter(|time| (0..=LATEST).contains(time));
                    prompt.timestamp = time.unwrap_or(0);
                }
                (b"pastedContents", FieldValue::Nested(object)) => prompt.pastes = pastes(object),
                _ => {}
            }
        }
        match fields.end() {
            End::Closed(length) if line.get(length..)?.trim_ascii().is_empty() => {}
            End::Closed(_) | End::Broken => return None,
        }
        prompt.display = display?;
        prompt.session = prompt.session.filter(|session| !session.is_empty());
        Some(prompt)
    }

    /// Whether it has no visible text. It would be an empty line on the screen.
    pub fn is_blank(&self) -> bool {
        let is_nothing = |c: char| c.is_whitespace() || c.is_control();
        self.display.chars().all(is_nothing)
    }
}

fn pastes(object: &[u8]) -> Vec<Paste> {
    let mut pastes = Vec::new();
    let mut entries = Fields::new(object);
    while let Some(key) = entries.next_key() {
        let number = std::str::from_utf8(key).ok().and_then(|n| n.parse().ok());
        let (Some(id), FieldValue::Nested(entry)) = (number, entries.value()) else {
            continue;
        };
        pastes.push(Paste {
            id,
            kind: paste(entry),
        });
    }
    pastes
}

fn paste(entry: &[u8]) -> PasteKind {
    let mut kind = PasteKind::Nothing;
    let mut fields = Fields::new(entry);
    while let Some(key) = fields.next_key() {
        match (key, fields.value()) {
            (b"type", FieldValue::Text(b"image")) => return PasteKind::Image,
            (b"content", FieldValue::Text(text)) => {
                kind = PasteKind::Inline(unescape(text).into_owned());
            }
            (b"contentHash", FieldValue::Text(hash)) if kind == PasteKind::Nothing => {
                kind = PasteKind::Stored(unescape(hash).into_owned());
            }
            _ => {}
        }
    }
    kind
}

/// Tells prompts apart: what was typed and what was pasted, not when and where. Two that refer
/// to different pastes by the same words are different.
pub fn fingerprint(prompt: &Prompt) -> u64 {
    let mut hasher = DefaultHasher::new();
    prompt.display.trim().hash(&mut hasher);
    for paste in &prompt.pastes {
        match &paste.kind {
            PasteKind::Inline(text) | PasteKind::Stored(text) => text.hash(&mut hasher),
            PasteKind::Image | PasteKind::Nothing => {}
        }
    }
    hasher.finish()
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
