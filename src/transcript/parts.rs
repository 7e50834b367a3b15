//! The fields of a line that make a link, found by walking through it or by a glance.
//!
//! Bodies are nearly all of a transcript and say nothing about the chain. A glance reads the
//! short fields on both sides of a body and leaves the body alone. It answers only for lines in
//! the form that Claude Code gives to its large ones, and only where whatever it cannot see
//! cannot matter: in doubt it gives up, and the line is walked through.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::link::EntryId;
use crate::json::{End, FieldValue, Fields, LastFields};
use crate::record::{CONTINUED, EntryType, parse_epoch, parse_timestamp};

/// How entries of the chain open.
const OPENING: &[u8] = b"{\"parentUuid\":";
/// The key of the opening. Only an entry inside another one's line has it a second time.
static PARENT: LazyLock<Finder> = LazyLock::new(|| Finder::new(b"\"parentUuid\":"));
/// Before version 2.1.8x the result of a tool follows the short fields.
static RESULT: LazyLock<Finder> = LazyLock::new(|| Finder::new(b",\"toolUseResult\":"));

/// One object right after another.
static GLUE: LazyLock<Finder> = LazyLock::new(|| Finder::new(b"}{\""));

const LONGEST_ENDING: usize = 4096;

#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    pub entry: Option<EntryType>,
    pub id: Option<EntryId>,
    pub parent: Option<EntryId>,
    pub logical_parent: Option<EntryId>,
    pub time: Option<i64>,
    pub subtype: &'a [u8],
    /// The line from the value of `message` on.
    pub message: &'a [u8],
    /// The line from the value of `attachment` on.
    pub attachment: &'a [u8],
    /// The line from the value of `compactMetadata` on.
    pub compact_metadata: &'a [u8],
    /// The line from the value of `origin` on.
    pub origin: &'a [u8],
    pub is_sidechain: bool,
    pub is_team: bool,
    pub is_meta: bool,
    pub is_compact_summary: bool,
    pub is_api_error: bool,
    pub has_tool_result: bool,
    /// The line reports on the progress of a tool.
    has_tool_use: bool,
}

impl<'a> Parts<'a> {
    /// Reads every field of the object that `line` starts with.
    pub fn walk(line: &'a [u8]) -> (Self, End) {
        let mut parts = Self::default();
        let mut fields = Fields::new(line);
        while let Some(key) = fields.next_key() {
            parts.note_body(key, fields.rest());
            let value = fields.value();
            parts.note(key, value);
        }
        (parts, fields.end())
    }

    /// Reads both ends of a line that is one whole entry with a body, and how long it is.
    pub fn glance(line: &'a [u8], ending: &mut SharedEnding) -> Option<(Self, usize)> {
        Self::glance_at(line, ending, Self::note_result)
    }

    /// The same for a reader that does not mind if the result of a tool at the end of the line is torn.
    pub fn glance_at_message(line: &'a [u8], ending: &mut SharedEnding) -> Option<(Self, usize)> {
        Self::glance_at(line, ending, Self::pass_result)
    }

    fn glance_at(
        line: &'a [u8],
        ending: &mut SharedEnding,
        note_result: impl FnOnce(&mut Self, &'a [u8], &[u8]) -> Option<()>,
    ) -> Option<(Self, usize)> {
        if !line.starts_with(OPENING) {
            return None;
        }
        let line = line.trim_ascii_end();
        let mut parts = Self::default();
        let (key, body) = parts.note_front(line)?;
        let type_in_front = parts.entry;
        match ending.cut_off(line) {
            Some(rest) => parts.note_back(LastFields::of_inside(rest))?,
            None => parts.note_new_back(line, ending)?,
        }
        if parts.id.is_none() {
            note_result(&mut parts, line, body)?;
        }
        // Each entry has a body of its own, and next to it keys that no other has. Of a prompt
        // every flag counts, wherever it is; the answers of tools have none.
        let is_settled = match (parts.entry?, key) {
            (EntryType::Assistant, b"message") | (EntryType::Attachment, b"attachment") => {
                type_in_front.is_none()
            }
            (EntryType::User, b"message") => type_in_front.is_some() && answers_a_tool(body),
            (EntryType::Progress, b"data") => type_in_front.is_some() && parts.has_tool_use,
            _ => false,
        };
        let is_whole = is_settled && parts.id.is_some() && parts.time.is_some();
        // Another entry on the same line: this one was torn, or its newline is missing.
        let is_alone = is_whole && !holds_an_entry(&line[OPENING.len()..]);
        is_alone.then_some((parts, line.len()))
    }

    /// Notes the fields before the first body, and gives its key and the line from there on.
    fn note_front(&mut self, line: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let mut front = Fields::new(line);
        loop {
            let key = front.next_key()?;
            let rest = front.rest();
            if matches!(rest.first(), Some(b'{' | b'[')) {
                self.note_body(key, rest);
                return Some((key, rest));
            }
            let value = front.value();
            self.note(key, value);
        }
    }

    /// Notes the fields after the last body, if there is one.
    fn note_back(&mut self, mut back: LastFields<'a>) -> Option<()> {
        for (key, value) in back.by_ref() {
            self.note(key, value);
        }
        matches!(back.unseen().last(), Some(b'}' | b']')).then_some(())
    }

    /// The same for a line that does not end like the one before, whose ending is kept.
    fn note_new_back(&mut self, line: &'a [u8], ending: &mut SharedEnding) -> Option<()> {
        let mut back = LastFields::new(line);
        let mut rest = back.unseen();
        while let Some((key, value)) = back.next() {
            if self.note(key, value) {
                ending.keep(&line[rest.len()..]);
                return self.note_back(back);
            }
            rest = back.unseen();
        }
        matches!(rest.last(), Some(b'}' | b']')).then_some(())
    }

    /// Notes the fields on both sides of a tool's result at the end of the line. The result is
    /// walked: too little follows it to know that it belongs to this entry.
    fn note_result(&mut self, line: &'a [u8], body: &[u8]) -> Option<()> {
        let before = self.note_before_result(line, body)?;
        let mut rest = Fields::going_on(line, before);
        while let Some(key) = rest.next_key() {
            let value = rest.value();
            self.note(key, value);
        }
        (rest.end() == End::Closed(line.len())).then_some(())
    }

    /// Notes the fields before the result of a tool.
    fn note_before_result(&mut self, line: &'a [u8], body: &[u8]) -> Option<usize> {
        let before = line.len() - body.len() + RESULT.find(body)?;
        self.note_back(LastFields::of_inside(&line[..before]))?;
        Some(before)
    }

    fn pass_result(&mut self, line: &'a [u8], body: &[u8]) -> Option<()> {
        self.note_before_result(line, body)?;
        line.ends_with(b"}").then_some(())
    }

    fn note_body(&mut self, key: &[u8], rest: &'a [u8]) {
        match key {
            b"message" => self.message = rest,
            b"attachment" => self.attachment = rest,
            b"compactMetadata" => self.compact_metadata = rest,
            b"origin" => self.origin = rest,
            _ => {}
        }
    }

    /// Returns whether the field is part of the link.
    fn note(&mut self, key: &[u8], value: FieldValue<'a>) -> bool {
        match (key, value) {
            (b"type", FieldValue::Text(name)) => self.entry = Some(EntryType::from_name(name)),
            (b"uuid", _) => self.id = EntryId::of_value(value),
            (b"parentUuid", _) => self.parent = EntryId::of_value(value),
            (b"logicalParentUuid", _) => self.logical_parent = EntryId::of_value(value),
            (b"timestamp", FieldValue::Text(text)) => self.time = parse_timestamp(text),
            (b"timestamp", FieldValue::Bare(number)) => self.time = parse_epoch(number),
            (b"subtype", FieldValue::Text(name)) => self.subtype = name,
            (b"isSidechain", _) => self.is_sidechain = value.is_true(),
            (b"isMeta", _) => self.is_meta = value.is_true(),
            (b"isCompactSummary", _) => self.is_compact_summary = value.is_true(),
            (b"isApiErrorMessage", _) => self.is_api_error = value.is_true(),
            (b"teamName", FieldValue::Text(name)) => self.is_team = !name.is_empty(),
            (b"toolUseResult", _) => self.has_tool_result = true,
            (b"toolUseID", _) => self.has_tool_use = true,
            _ => return false,
        }
        true
    }
}

/// The end of a line after the last field that counts. Those that follow (version, directory,
/// branch) seldom change within a session, so a line that ends alike need not be read there.
#[derive(Debug, Default)]
pub struct SharedEnding(Vec<u8>);

impl SharedEnding {
    /// The line without this ending, if it has it.
    fn cut_off<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        line.strip_suffix(&*self.0).filter(|_| !self.0.is_empty())
    }

    fn keep(&mut self, ending: &[u8]) {
        self.0.clear();
        // Longer than anything that repeats from line to line.
        if ending.len() <= LONGEST_ENDING {
            self.0.extend_from_slice(ending);
        }
    }
}

/// Does an entry of the chain open somewhere in `bytes`?
fn holds_an_entry(bytes: &[u8]) -> bool {
    PARENT.find(bytes).is_some()
}

/// Does another object follow in a line of metadata? Inside a string the quote would be escaped.
pub fn holds_another(bytes: &[u8]) -> bool {
    holds_an_entry(bytes) || GLUE.find(bytes).is_some()
}

/// Does a user message open as the summary of version 1.0, which had no flag for it?
pub fn opens_as_summary(message: &[u8]) -> bool {
    let Some(content) = value_of(message, b"content") else {
        return false;
    };
    let text = match content.strip_prefix(b"[") {
        Some(first) => value_of(first, b"text").unwrap_or_default(),
        None => content,
    };
    text.strip_prefix(b"\"")
        .is_some_and(|text| text.starts_with(CONTINUED.as_bytes()))
}

/// Does the content of a user message begin with the result of a tool?
pub fn answers_a_tool(message: &[u8]) -> bool {
    first_kind(message).is_some_and(|kind| kind.starts_with(b"\"tool_result\""))
}

/// Is a line with this `origin` a message of another session of Claude?
pub fn is_of_peer(origin: &[u8]) -> bool {
    value_of(origin, b"kind").is_some_and(|kind| kind.starts_with(b"\"peer\""))
}

/// The line from the type of the first part of a message on.
pub fn first_kind(message: &[u8]) -> Option<&[u8]> {
    let content = value_of(message, b"content")?;
    value_of(content.strip_prefix(b"[")?, b"type")
}

/// The bytes from the value of `key` on, in the object that `bytes` start with. What follows
/// the value is not looked at.
pub fn value_of<'a>(bytes: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let mut fields = Fields::new(bytes);
    while let Some(name) = fields.next_key() {
        if name == key {
            return Some(fields.rest());
        }
    }
    None
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
