//! One entry of the chain as a link: its id, its parent, and the position of its line.

use std::hash::Hasher;
use std::num::NonZeroU128;

use siphasher::sip128::{Hasher128, SipHasher13};
use uuid::Uuid;

use super::parts::{
    Parts, SharedEnding, answers_a_tool, first_kind, holds_another, is_of_peer, opens_as_summary,
    value_of,
};
use crate::json::{End, FieldValue, Fields, elements, field};
use crate::record::EntryType;

/// The identity of an entry or a message: its UUID, or a hash of an id that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(NonZeroU128);

impl EntryId {
    /// `None` for an empty id, and for the UUID of zeros, which means "none".
    pub fn of(text: &[u8]) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let number = Uuid::try_parse_ascii(text).map_or_else(|_| hashed(text), |id| id.as_u128());
        NonZeroU128::new(number).map(Self)
    }

    /// The id as a UUID is written. Means nothing for an id that is none.
    pub fn hyphenated(self) -> String {
        self.uuid().hyphenated().to_string()
    }

    pub fn uuid(self) -> Uuid {
        Uuid::from_u128(self.0.get())
    }

    pub fn of_uuid(uuid: Uuid) -> Option<Self> {
        NonZeroU128::new(uuid.as_u128()).map(Self)
    }

    pub fn of_value(value: FieldValue<'_>) -> Option<Self> {
        Self::of(value.text()?)
    }
}

fn hashed(text: &[u8]) -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(text);
    hasher.finish128().as_u128()
}

/// An entry of the chain, without its content.
// Independent facts that the file states, no state in disguise.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub id: EntryId,
    pub parent: Option<EntryId>,
    pub entry: EntryType,
    /// The API message that an assistant line is a part of.
    pub message: Option<EntryId>,
    /// What that line adds to the message.
    pub adds: Addition,
    pub time: Option<i64>,
    pub is_sidechain: bool,
    pub is_team: bool,
    pub is_meta: bool,
    /// Sent by another session of Claude; a line for Claude alone, too.
    pub is_peer: bool,
    pub is_compact_summary: bool,
    pub is_tool_result: bool,
    /// Typed while Claude was busy.
    pub is_queued: bool,
    /// Did the user attach it to a prompt?
    pub is_attached: bool,
    /// Does something else come before it on its line?
    pub is_glued: bool,
    pub boundary: Option<Box<Boundary>>,
    /// The position of the line in the file.
    pub offset: u64,
    pub length: usize,
}

/// What a line adds to its message: nearly every line holds one part, and the first one counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Addition {
    /// A text, or something that is treated like one.
    #[default]
    Text,
    Thinking,
    Call,
}

/// What a compaction wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// The last entry before the compaction.
    pub logical_parent: Option<EntryId>,
    /// Messages from before that stay in the conversation, by the first and the last of them.
    pub segment: Option<PreservedSegment>,
    /// The same, one by one.
    pub messages: Option<PreservedList>,
}

impl Boundary {
    pub fn has_preserved(&self) -> bool {
        self.segment.is_some() || self.messages.is_some()
    }
}

/// Preserved messages that hang on each other, and the entry that they come after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreservedSegment {
    pub anchor: EntryId,
    pub head: EntryId,
    pub tail: EntryId,
}

/// Preserved messages in their order, and the entry that they come after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreservedList {
    pub anchor: EntryId,
    pub ids: Vec<EntryId>,
}

/// What a line is to the chain.
#[derive(Debug, PartialEq, Eq)]
pub enum ParsedLine {
    Link(Link),
    /// `last-prompt`: the leaf that Claude Code remembers.
    Pointer {
        leaf: Option<EntryId>,
        explicit: bool,
    },
    /// Metadata, noise, or an unknown type.
    Other,
}

/// How the types begin whose lines are large and never of interest.
const NOISE: [&[u8]; 3] = [b"api-request", b"attribution-snapshot", b"file-history"];

/// Reads the object that `bytes` start with, and says where it ends. Its place in the file is
/// filled in by the caller, who keeps the `ending` from line to line.
pub fn parse(bytes: &[u8], ending: &mut SharedEnding) -> (ParsedLine, End) {
    // Noise is most of a new file, and its type comes first: leave at once. It is not walked
    // through, so it counts as whole if it ends like an object and holds no entry that was
    // written after a torn one.
    if let Some(rest) = bytes.strip_prefix(b"{\"type\":\"") {
        let is_noise = NOISE.iter().any(|name| rest.starts_with(name));
        if is_noise && bytes.trim_ascii_end().ends_with(b"}") && !holds_another(rest) {
            return (ParsedLine::Other, End::Closed(bytes.len()));
        }
    }
    let (parts, end) = match Parts::glance(bytes, ending) {
        Some((parts, length)) => (parts, End::Closed(length)),
        None => Parts::walk(bytes),
    };
    let parsed = match parts.entry {
        Some(EntryType::LastPrompt) => pointer(bytes).unwrap_or(ParsedLine::Other),
        _ => link(&parts).map_or(ParsedLine::Other, ParsedLine::Link),
    };
    (parsed, end)
}

pub fn ends_like_an_object(bytes: &[u8]) -> bool {
    bytes.trim_ascii_end().ends_with(b"}")
}

/// A line without a leaf leaves the earlier pointer as it is.
fn pointer(line: &[u8]) -> Option<ParsedLine> {
    let leaf = field(line, b"leafUuid")?.text()?;
    Some(ParsedLine::Pointer {
        leaf: EntryId::of(leaf),
        explicit: field(line, b"explicit").is_some_and(FieldValue::is_true),
    })
}

/// The link that the parts of a line make, if it is an entry of the chain.
pub fn link(parts: &Parts<'_>) -> Option<Link> {
    let entry = parts.entry.filter(|entry| entry.is_chain())?;
    let is_boundary = entry == EntryType::System && parts.subtype == b"compact_boundary";
    let attachment = match entry {
        EntryType::Attachment => value_of(parts.attachment, b"type").unwrap_or_default(),
        _ => b"",
    };
    Some(Link {
        id: parts.id?,
        parent: parts.parent,
        entry,
        message: match entry {
            EntryType::Assistant => message_id(parts.message),
            _ => None,
        },
        adds: match entry {
            EntryType::Assistant => addition(parts.message),
            _ => Addition::Text,
        },
        time: parts.time,
        is_sidechain: parts.is_sidechain,
        is_team: parts.is_team,
        is_meta: parts.is_meta,
        is_peer: entry == EntryType::User && is_of_peer(parts.origin),
        is_compact_summary: parts.is_compact_summary
            || (entry == EntryType::User && opens_as_summary(parts.message)),
        is_tool_result: entry == EntryType::User
            && (parts.has_tool_result || answers_a_tool(parts.message)),
        is_queued: attachment.starts_with(b"\"queued_command\""),
        is_attached: ATTACHED.iter().any(|kind| attachment.starts_with(kind)),
        is_glued: false,
        boundary: is_boundary.then(|| {
            Box::new(Boundary {
                logical_parent: parts.logical_parent,
                segment: segment(parts.compact_metadata),
                messages: listed(parts.compact_metadata),
            })
        }),
        offset: 0,
        length: 0,
    })
}

/// Beginnings of the kinds of attachments that the user chose: a file, a folder, a part of a PDF.
const ATTACHED: &[&[u8]] = &[b"\"file\"", b"\"directory\"", b"\"pdf_reference\""];

/// The `id` of a message, which comes before its content.
fn message_id(message: &[u8]) -> Option<EntryId> {
    let mut fields = Fields::new(message);
    while let Some(key) = fields.next_key() {
        if key == b"id" {
            return EntryId::of_value(fields.value());
        }
    }
    None
}

/// What the first part of an answer is.
fn addition(message: &[u8]) -> Addition {
    match first_kind(message) {
        Some(kind) if kind.starts_with(b"\"tool_use\"") => Addition::Call,
        Some(kind)
            if kind.starts_with(b"\"thinking\"") || kind.starts_with(b"\"redacted_thinking\"") =>
        {
            Addition::Thinking
        }
        _ => Addition::Text,
    }
}

fn id_in(object: &[u8], key: &[u8]) -> Option<EntryId> {
    field(object, key).and_then(EntryId::of_value)
}

fn nested<'a>(object: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    match field(object, key) {
        Some(FieldValue::Nested(inside)) => Some(inside),
        _ => None,
    }
}

fn segment(metadata: &[u8]) -> Option<PreservedSegment> {
    let segment = nested(metadata, b"preservedSegment")?;
    Some(PreservedSegment {
        anchor: id_in(segment, b"anchorUuid")?,
        head: id_in(segment, b"headUuid")?,
        tail: id_in(segment, b"tailUuid")?,
    })
}

fn listed(metadata: &[u8]) -> Option<PreservedList> {
    let messages = nested(metadata, b"preservedMessages")?;
    let ids = elements(nested(messages, b"uuids")?);
    let ids: Vec<EntryId> = ids.filter_map(EntryId::of_value).collect();
    let anchor = id_in(messages, b"anchorUuid")?;
    (!ids.is_empty()).then_some(PreservedList { anchor, ids })
}
