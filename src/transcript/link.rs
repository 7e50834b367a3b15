//! One entry of the chain as a link: who it is, what it hangs on, where its line stands.

use std::hash::{DefaultHasher, Hash, Hasher};

use uuid::Uuid;

use crate::json::{End, Fields, LastFields, Value, elements, field};
use crate::record::{EntryType, parse_epoch, parse_timestamp};

/// The identity of an entry or a message: its UUID, or a hash of an id that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(u128);

impl EntryId {
    /// `None` for an empty id, and for the UUID of zeros that stands for "none".
    pub fn of(text: &[u8]) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        match Uuid::try_parse_ascii(text) {
            Ok(uuid) if uuid.is_nil() => None,
            Ok(uuid) => Some(Self(uuid.as_u128())),
            Err(_) => {
                let half = |salt: u8| {
                    let mut hasher = DefaultHasher::new();
                    (salt, text).hash(&mut hasher);
                    u128::from(hasher.finish())
                };
                Some(Self(half(0) << 64 | half(1)))
            }
        }
    }

    /// The id as a UUID is written. Means nothing for an id that is none.
    pub fn hyphenated(self) -> String {
        Uuid::from_u128(self.0).hyphenated().to_string()
    }

    fn of_value(value: Value<'_>) -> Option<Self> {
        Self::of(value.text()?)
    }
}

/// An entry of the chain, without its content.
// Five independent facts that the file states, no state in disguise.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub id: EntryId,
    pub parent: Option<EntryId>,
    pub entry: EntryType,
    /// The API message that an assistant line is a part of.
    pub message: Option<EntryId>,
    pub time: Option<i64>,
    pub is_sidechain: bool,
    pub is_team: bool,
    pub is_meta: bool,
    pub is_compact_summary: bool,
    pub is_tool_result: bool,
    pub boundary: Option<Box<Boundary>>,
    /// Where the line stands in the file.
    pub offset: u64,
    pub length: usize,
}

/// What a compaction left behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// The last entry before the compaction.
    pub logical_parent: Option<EntryId>,
    pub preserved: Option<Preserved>,
}

/// Messages from before a compaction that stay in the conversation, behind the anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preserved {
    Segment {
        anchor: EntryId,
        head: EntryId,
        tail: EntryId,
    },
    Messages {
        anchor: EntryId,
        ids: Vec<EntryId>,
    },
}

/// What a line is to the chain.
#[derive(Debug, PartialEq, Eq)]
pub enum Parsed {
    Link(Link),
    /// `last-prompt`: the leaf that Claude Code remembers.
    Pointer {
        leaf: Option<EntryId>,
        explicit: bool,
    },
    /// Metadata, noise, or a type that nobody knows yet.
    Other,
}

/// How the types begin whose lines are large and never of interest.
const NOISE: [&[u8]; 3] = [b"api-request", b"attribution-snapshot", b"file-history"];

/// Reads the object that `bytes` start with, and says where it ends. Its place in the file is
/// filled in by the caller.
pub fn parse(bytes: &[u8]) -> (Parsed, End) {
    // Noise is most of a new file, and its type stands first: leave at once. It is not walked
    // through, so it counts as whole if it ends like an object.
    if let Some(rest) = bytes.strip_prefix(b"{\"type\":\"") {
        let is_noise = NOISE.iter().any(|name| rest.starts_with(name));
        if is_noise && ends_like_an_object(bytes) {
            return (Parsed::Other, End::Closed(bytes.len()));
        }
    }
    let (parts, end) = Parts::walk(bytes);
    let parsed = match parts.entry {
        Some(EntryType::LastPrompt) => pointer(bytes),
        _ => parts.link().map_or(Parsed::Other, Parsed::Link),
    };
    (parsed, end)
}

fn ends_like_an_object(bytes: &[u8]) -> bool {
    bytes.trim_ascii_end().ends_with(b"}")
}

fn pointer(line: &[u8]) -> Parsed {
    Parsed::Pointer {
        leaf: field(line, b"leafUuid").and_then(EntryId::of_value),
        explicit: field(line, b"explicit").is_some_and(Value::is_true),
    }
}

/// The fields of a line that make a link.
#[allow(clippy::struct_excessive_bools)]
#[derive(Default)]
struct Parts<'a> {
    entry: Option<EntryType>,
    id: Option<EntryId>,
    parent: Option<EntryId>,
    logical_parent: Option<EntryId>,
    time: Option<i64>,
    subtype: &'a [u8],
    message: &'a [u8],
    compact_metadata: &'a [u8],
    is_sidechain: bool,
    is_team: bool,
    is_meta: bool,
    is_compact_summary: bool,
    has_tool_result: bool,
}

impl<'a> Parts<'a> {
    fn walk(line: &'a [u8]) -> (Self, End) {
        let mut parts = Self::default();
        let mut fields = Fields::new(line);
        while let Some(key) = fields.next_key() {
            // The body of a progress line is a third of an old file and of no interest.
            if key == b"data" && parts.entry == Some(EntryType::Progress) {
                for (key, value) in LastFields::new(line) {
                    parts.note(key, value);
                }
                if parts.id.is_some() && ends_like_an_object(line) {
                    return (parts, End::Closed(line.len()));
                }
            }
            let value = fields.value();
            parts.note(key, value);
        }
        (parts, fields.end())
    }

    fn note(&mut self, key: &[u8], value: Value<'a>) {
        match (key, value) {
            (b"type", Value::Text(name)) => self.entry = Some(EntryType::from_name(name)),
            (b"uuid", _) => self.id = EntryId::of_value(value),
            (b"parentUuid", _) => self.parent = EntryId::of_value(value),
            (b"logicalParentUuid", _) => self.logical_parent = EntryId::of_value(value),
            (b"timestamp", Value::Text(text)) => self.time = parse_timestamp(text),
            (b"timestamp", Value::Bare(number)) => self.time = parse_epoch(number),
            (b"subtype", Value::Text(name)) => self.subtype = name,
            (b"message", Value::Nested(message)) => self.message = message,
            (b"compactMetadata", Value::Nested(metadata)) => self.compact_metadata = metadata,
            (b"isSidechain", _) => self.is_sidechain = value.is_true(),
            (b"isMeta", _) => self.is_meta = value.is_true(),
            (b"isCompactSummary", _) => self.is_compact_summary = value.is_true(),
            (b"teamName", Value::Text(name)) => self.is_team = !name.is_empty(),
            (b"toolUseResult", _) => self.has_tool_result = true,
            _ => {}
        }
    }

    fn link(self) -> Option<Link> {
        let entry = self.entry.filter(|entry| entry.is_chain())?;
        let is_boundary = entry == EntryType::System && self.subtype == b"compact_boundary";
        Some(Link {
            id: self.id?,
            parent: self.parent,
            entry,
            message: match entry {
                EntryType::Assistant => message_id(self.message),
                _ => None,
            },
            time: self.time,
            is_sidechain: self.is_sidechain,
            is_team: self.is_team,
            is_meta: self.is_meta,
            is_compact_summary: self.is_compact_summary,
            is_tool_result: entry == EntryType::User
                && (self.has_tool_result || answers_a_tool(self.message)),
            boundary: is_boundary.then(|| {
                Box::new(Boundary {
                    logical_parent: self.logical_parent,
                    preserved: preserved(self.compact_metadata),
                })
            }),
            offset: 0,
            length: 0,
        })
    }
}

/// The `id` of a message, which stands before its content.
fn message_id(message: &[u8]) -> Option<EntryId> {
    let mut fields = Fields::new(message);
    while let Some(key) = fields.next_key() {
        if key == b"id" {
            return EntryId::of_value(fields.value());
        }
    }
    None
}

/// Does the content of a user message begin with the result of a tool?
fn answers_a_tool(message: &[u8]) -> bool {
    let mut fields = Fields::new(message);
    while let Some(key) = fields.next_key() {
        if key == b"content" {
            return match fields.value() {
                Value::Nested(content) => elements(content).next().is_some_and(|first| {
                    matches!(first, Value::Nested(block)
                        if field(block, b"type") == Some(Value::Text(b"tool_result")))
                }),
                _ => false,
            };
        }
    }
    false
}

fn preserved(metadata: &[u8]) -> Option<Preserved> {
    let id = |object: &[u8], key: &[u8]| field(object, key).and_then(EntryId::of_value);
    if let Some(Value::Nested(segment)) = field(metadata, b"preservedSegment") {
        return Some(Preserved::Segment {
            anchor: id(segment, b"anchorUuid")?,
            head: id(segment, b"headUuid")?,
            tail: id(segment, b"tailUuid")?,
        });
    }
    let Some(Value::Nested(messages)) = field(metadata, b"preservedMessages") else {
        return None;
    };
    let Some(Value::Nested(ids)) = field(messages, b"uuids") else {
        return None;
    };
    let ids: Vec<EntryId> = elements(ids).filter_map(EntryId::of_value).collect();
    (!ids.is_empty()).then_some(Preserved::Messages {
        anchor: id(messages, b"anchorUuid")?,
        ids,
    })
}
