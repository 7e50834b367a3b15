//! The outline of one transcript line: its type and short fields, without its body.
//!
//! Knows which keys a listing needs and where they usually stand; does not decide what they
//! mean for the session.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::session::Millis;
use crate::json::{
    End, FieldValue, Fields, LastFields, field, flat_end, flat_front, flat_place, flat_text,
    object_length,
};
use crate::record::{EntryType, parse_epoch, parse_timestamp};

static TIMESTAMP: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""timestamp":""#));
static GIT_BRANCH: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""gitBranch":""#));
static ENTRYPOINT: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""entrypoint":""#));
static CWD: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""cwd":""#));
static SIDECHAIN: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""isSidechain":true"#));
static NOT_SIDECHAIN: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""isSidechain":false"#));
static TYPE: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""type":""#));

/// Short top-level fields of a line. A field that the outline did not meet is absent.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outline<'a> {
    pub entry: Option<EntryType>,
    pub uuid: Option<&'a [u8]>,
    pub timestamp: Option<FieldValue<'a>>,
    pub cwd: Option<&'a [u8]>,
    pub git_branch: Option<&'a [u8]>,
    pub entrypoint: Option<&'a [u8]>,
    pub session_kind: Option<&'a [u8]>,
    pub prompt_source: Option<&'a [u8]>,
    pub team_name: Option<&'a [u8]>,
    pub is_sidechain: Option<bool>,
    pub is_meta: bool,
    pub is_compact_summary: bool,
    pub has_tool_result: bool,
    /// The line from the value of `forkedFrom` onwards.
    pub forked_from: Option<&'a [u8]>,
    /// The line from the value of `message` onwards.
    pub message: Option<&'a [u8]>,
    /// The line from the value of `attachment` onwards.
    pub attachment: Option<&'a [u8]>,
    walk: Walk,
}

/// A time as Claude Code writes it: `2026-03-01T10:00:00.000Z`. Zeros are before any time.
type WrittenTime = [u8; 24];

/// The newest message met so far, as it is written.
#[derive(Debug, Default)]
pub struct NewestTime {
    time: WrittenTime,
    /// The bytes after the time of a line, up to its end. It holds no inner bracket, and the
    /// other lines of a session mostly end alike.
    ending: Vec<u8>,
}

impl NewestTime {
    /// The time of a line that ends like one met before: no search is needed.
    fn alike<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let before = line
            .strip_suffix(&*self.ending)
            .filter(|_| !self.ending.is_empty())?;
        let (before, time) = before.split_last_chunk::<24>()?;
        let before = before.strip_suffix(TIMESTAMP.needle())?;
        (!before.ends_with(b"\\")).then_some(time)
    }

    /// The time at the flat end of any line.
    fn found<'a>(&mut self, line: &'a [u8], end: &'a [u8]) -> Option<&'a [u8]> {
        let place = flat_place(end, &TIMESTAMP)?;
        // After the flat end comes the brace that closes the line.
        let behind = end.len() - place.end + 1;
        self.ending.clear();
        self.ending.extend_from_slice(&line[line.len() - behind..]);
        end.get(place)
    }
}

/// How much of the line was walked.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// What is in sight of one end.
    #[default]
    Part,
    /// Both ends; so many bytes at the front were not reached from the back.
    Ends(usize),
    /// All of it.
    Whole,
    /// All of it, and it is no whole object: a crash tore it.
    Broken,
}

impl<'a> Outline<'a> {
    /// Reads both ends of a whole line up to the first nested value on each side, and the middle
    /// only if the type is still unknown, or a message's time.
    pub fn of(line: &'a [u8]) -> Self {
        let mut outline = Self::default();
        let mut front = Fields::new(line);
        outline.note_front(&mut front);
        if front.is_done() {
            outline.walk = Walk::of_end(front.end());
            return outline;
        }
        let known = outline.entry.filter(|_| outline.attachment.is_none());
        let mut back = LastFields::new(line);
        for (key, value) in back.by_ref() {
            // A type at both ends: two objects are on this line, and the first one counts.
            if key == b"type" && known.is_some() {
                return Self::full(line);
            }
            outline.note(key, value);
        }
        if back.met_opening() {
            return Self::full(line);
        }
        outline.walk = Walk::Ends(back.unseen().len());
        let enough = match outline.entry {
            None => false,
            Some(entry) => !entry.is_message() || outline.timestamp.is_some(),
        };
        if !enough {
            outline.note_rest(front);
        }
        outline
    }

    /// Is this known to be a line that a crash tore? Claude Code passes over those.
    pub fn is_broken(&self) -> bool {
        self.walk == Walk::Broken
    }

    /// The time of a whole line if it is a message and newer than `known`, looking at as little
    /// of the line as possible. `newest` is replaced by a newer one.
    pub fn newer_message(
        line: &'a [u8],
        known: Option<Millis>,
        newest: &mut NewestTime,
    ) -> Option<Millis> {
        let line = line.trim_ascii_end();
        let written = match newest.alike(line) {
            Some(written) => Some(written),
            None => newest.found(line, flat_end(line)),
        };
        if let Some(written) = written {
            // Going back in time, this is where nearly every line is done with: times in the
            // form that Claude Code writes compare as texts.
            if written.len() == newest.time.len() && written <= &newest.time[..] {
                return None;
            }
            let time = parse_timestamp(written)?;
            if known >= Some(time) {
                return None;
            }
            let entry =
                flat_text(flat_end(line), &TYPE).or_else(|| flat_text(flat_front(line), &TYPE));
            if let Some(name) = entry {
                let is_message = EntryType::from_name(name).is_message();
                if is_message && let Ok(written) = written.try_into() {
                    newest.time = written;
                }
                return is_message.then_some(time);
            }
        }
        let outline = Self::of(line);
        outline.entry?.is_message().then(|| outline.time())?
    }

    /// The short fields of an attachment as Claude Code writes it, with flat fields on both sides
    /// of the body and no walk; `None` if it is written in any other way.
    pub fn of_attachment(line: &'a [u8]) -> Option<Self> {
        let front = flat_front(line);
        if !front.ends_with(br#""attachment":"#) {
            return None;
        }
        let end = flat_end(line);
        Some(Self {
            entry: Some(EntryType::Attachment),
            timestamp: Some(FieldValue::Text(flat_text(end, &TIMESTAMP)?)),
            cwd: Some(flat_text(end, &CWD)?),
            entrypoint: flat_text(end, &ENTRYPOINT),
            is_sidechain: if SIDECHAIN.find(front).is_some() {
                Some(true)
            } else {
                NOT_SIDECHAIN.find(front).map(|_| false)
            },
            ..Self::default()
        })
    }

    /// The time of a line of metadata, whose flat fields need no walk.
    pub fn metadata_time(line: &'a [u8]) -> Option<Millis> {
        let (front, end) = (flat_front(line), flat_end(line));
        let mut time = flat_text(end, &TIMESTAMP);
        // Most of these lines are flat all through: their end is all there is.
        if time.is_none() && end.len() < front.len() {
            time = flat_text(front, &TIMESTAMP);
        }
        parse_timestamp(time?)
    }

    /// The directory of any line of the chain.
    pub fn directory(line: &'a [u8]) -> Option<&'a [u8]> {
        flat_text(flat_end(line), &CWD)
            .or_else(|| flat_text(flat_front(line), &CWD))
            .or_else(|| Self::of(line).cwd)
    }

    /// The short fields at the flat end of a line that later lines are asked for.
    pub fn of_flat_end(line: &'a [u8]) -> Self {
        let end = flat_end(line);
        Self {
            cwd: flat_text(end, &CWD),
            git_branch: flat_text(end, &GIT_BRANCH),
            entrypoint: flat_text(end, &ENTRYPOINT),
            ..Self::default()
        }
    }

    /// Reads every top-level field of a whole line.
    pub fn full(line: &'a [u8]) -> Self {
        let mut outline = Self::default();
        outline.note_rest(Fields::new(line));
        outline
    }

    /// Reads what is in sight of a line that the window cut at its end.
    pub fn of_front(line: &'a [u8]) -> Self {
        let mut outline = Self::default();
        outline.note_front(&mut Fields::new(line));
        outline
    }

    /// Reads what is in sight of a line that the window cut at its start.
    pub fn of_back(line: &'a [u8]) -> Self {
        let mut outline = Self::default();
        for (key, value) in LastFields::new(line) {
            outline.note(key, value);
        }
        outline
    }

    /// Every field of the line, given what is known already.
    pub fn complete(self, line: &'a [u8]) -> Self {
        let walk = match (self.walk, self.message) {
            (Walk::Whole | Walk::Broken, _) => self.walk,
            // Where the two walks stopped at the two ends of the message, nothing lies between.
            (Walk::Ends(unseen), Some(message))
                if object_length(message)
                    .is_some_and(|length| line.len() - message.len() + length == unseen) =>
            {
                Walk::Whole
            }
            (Walk::Ends(_) | Walk::Part, _) => return Self::full(line),
        };
        Self { walk, ..self }
    }

    /// The time of the line: its own, or that of its message in files of 2024.
    pub fn time(&self) -> Option<i64> {
        let timestamp = match self.timestamp {
            Some(timestamp) => timestamp,
            None => field(self.message?, b"timestamp")?,
        };
        match timestamp {
            FieldValue::Text(text) => parse_timestamp(text),
            FieldValue::Bare(number) => parse_epoch(number),
            FieldValue::TornText(_) | FieldValue::Nested(_) => None,
        }
    }

    /// Was the line written for a program rather than a person, if it says so?
    pub fn by_program(&self) -> Option<bool> {
        let is_program = |name: &[u8]| matches!(name, b"sdk-cli" | b"sdk-ts" | b"sdk-py");
        self.entrypoint.map(is_program)
    }

    /// Notes fields up to and including the first nested one, which stays unscanned.
    fn note_front(&mut self, front: &mut Fields<'a>) {
        while let Some(key) = front.next_key() {
            let rest = front.rest();
            if matches!(rest.first(), Some(b'{' | b'[')) {
                self.note_body(key, rest);
                return;
            }
            let value = front.value();
            self.note(key, value);
        }
    }

    fn note_rest(&mut self, mut fields: Fields<'a>) {
        while let Some(key) = fields.next_key() {
            self.note_body(key, fields.rest());
            let value = fields.value();
            self.note(key, value);
        }
        self.walk = Walk::of_end(fields.end());
    }

    fn note_body(&mut self, key: &[u8], rest: &'a [u8]) {
        match key {
            b"message" => self.message = Some(rest),
            b"forkedFrom" => self.forked_from = Some(rest),
            b"attachment" => {
                self.attachment = Some(rest);
                // `attachment` comes before `type`, and only attachments have it: the body,
                // often the largest of the file, need not be walked to learn the type.
                self.entry.get_or_insert(EntryType::Attachment);
            }
            b"toolUseResult" => self.has_tool_result = true,
            _ => {}
        }
    }

    fn note(&mut self, key: &[u8], value: FieldValue<'a>) {
        match (key, value) {
            (b"type", FieldValue::Text(name)) => self.entry = Some(EntryType::from_name(name)),
            (b"uuid", FieldValue::Text(id)) => self.uuid = Some(id),
            (b"timestamp", _) => self.timestamp = Some(value),
            (b"cwd", FieldValue::Text(text)) => self.cwd = Some(text),
            (b"gitBranch", FieldValue::Text(text)) => self.git_branch = Some(text),
            (b"entrypoint", FieldValue::Text(text)) => self.entrypoint = Some(text),
            (b"sessionKind", FieldValue::Text(text)) => self.session_kind = Some(text),
            (b"promptSource" | b"turnOrigin", FieldValue::Text(text)) => {
                self.prompt_source = Some(text);
            }
            (b"teamName", FieldValue::Text(text)) => self.team_name = Some(text),
            (b"isSidechain", FieldValue::Bare(_)) => self.is_sidechain = Some(value.is_true()),
            (b"isMeta", _) => self.is_meta = value.is_true(),
            (b"isCompactSummary", _) => self.is_compact_summary = value.is_true(),
            (b"toolUseResult", _) => self.has_tool_result = true,
            _ => {}
        }
    }
}

impl Walk {
    fn of_end(end: End) -> Self {
        match end {
            End::Closed(_) => Self::Whole,
            End::Broken => Self::Broken,
        }
    }
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
