//! The second pass: the content of the lines that are asked for, and no others.
//!
//! An entry is lenient: whatever is missing or of another shape than expected is absent. Lines
//! that changed since the first pass and are no entries any more are left out.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::thread;

use serde_json::Value;

use super::clip::read_line;
use super::link::{EntryId, Link};
use crate::record::{EntryType, Line};

/// A line of the chain with its content.
#[derive(Debug, Clone)]
pub struct Entry {
    pub uuid: String,
    pub kind: EntryType,
    /// When it was written, in milliseconds since the epoch.
    pub at: Option<i64>,
    /// Written by the program for itself.
    pub is_meta: bool,
    /// Of a sub-agent or a member of a team: no part of this conversation.
    pub is_foreign: bool,
    pub line: Line,
}

/// Another session of Claude that sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer<'a> {
    pub name: Option<&'a str>,
}

/// A part of a message, borrowed from its entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContentBlock<'a> {
    Text(&'a str),
    Thinking(&'a str),
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: &'a Value,
    },
    ToolResult {
        id: &'a str,
        content: &'a Value,
        is_error: bool,
    },
    Image(&'a Value),
    /// An unknown kind.
    Other(&'a Value),
}

impl<'a> ContentBlock<'a> {
    pub fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Is it a part of an answer that Claude gets to see again, whatever else is there?
    pub fn is_said(&self) -> bool {
        match self {
            Self::Text(text) => !text.trim().is_empty(),
            Self::Other(part) => part["type"] != "redacted_thinking",
            Self::ToolUse { .. } | Self::Image(_) => true,
            Self::Thinking(_) | Self::ToolResult { .. } => false,
        }
    }
}

impl Entry {
    /// Parses the line of a position. `None` if it is no entry.
    fn parse(bytes: &[u8], pos: EntryPos) -> Option<Self> {
        let line = Line::parse(bytes);
        Some(Self {
            uuid: line.uuid.as_str()?.to_owned(),
            kind: line.kind()?,
            at: line.time(),
            is_meta: pos.is_meta,
            is_foreign: pos.is_foreign,
            line,
        })
    }

    /// The API message that this line is a part of.
    pub fn message_id(&self) -> Option<&str> {
        let id = self.line.message.id.as_str()?;
        (!id.is_empty()).then_some(id)
    }

    pub fn model(&self) -> Option<&str> {
        self.line.message.model.as_str()
    }

    /// The id of the message in it: a prompt that was typed ahead has one of its own.
    pub fn uuid_as_message(&self) -> &str {
        let queued = self
            .queued_prompt()
            .and(self.line.attachment["source_uuid"].as_str());
        queued.unwrap_or(&self.uuid)
    }

    pub fn id(&self) -> Option<EntryId> {
        EntryId::of(self.uuid.as_bytes())
    }

    /// Written by the program because the API failed. Claude Code goes by both marks.
    pub fn is_api_error(&self) -> bool {
        self.line.is_api_error_message == true && self.is_synthetic()
    }

    /// Written by the program in place of an answer.
    pub fn is_synthetic(&self) -> bool {
        self.model() == Some("<synthetic>")
    }

    pub fn is_compact_summary(&self) -> bool {
        self.line.is_compact_summary == true
    }

    /// The parts of the message; a plain text is one part.
    pub fn blocks(&self) -> Vec<ContentBlock<'_>> {
        blocks(&self.line.message.content)
    }

    /// The texts among them.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks().into_iter().filter_map(ContentBlock::text)
    }

    /// The peer that sent this message, if it is one of another session of Claude.
    pub fn peer(&self) -> Option<Peer<'_>> {
        let origin = &self.line.origin;
        let is_peer = self.kind == EntryType::User && origin["kind"] == "peer";
        is_peer.then(|| Peer {
            name: origin["name"].as_str().filter(|name| !name.is_empty()),
        })
    }

    /// The prompt that was typed while Claude was busy, if this is one: a text or blocks.
    pub fn queued_prompt(&self) -> Option<&Value> {
        let attachment = &self.line.attachment;
        (attachment["type"] == "queued_command").then(|| &attachment["prompt"])
    }
}

/// The parts of a content that may be a plain text or a list.
pub fn blocks(content: &Value) -> Vec<ContentBlock<'_>> {
    match content {
        Value::String(text) => vec![ContentBlock::Text(text)],
        Value::Array(parts) => parts.iter().map(block).collect(),
        _ => Vec::new(),
    }
}

fn block(part: &Value) -> ContentBlock<'_> {
    let text = |key: &str| part.get(key).and_then(Value::as_str);
    let known = match text("type") {
        Some("text") => text("text").map(ContentBlock::Text),
        Some("thinking") => text("thinking").map(ContentBlock::Thinking),
        Some("image") => Some(ContentBlock::Image(part)),
        Some("tool_use") => text("name").map(|name| ContentBlock::ToolUse {
            id: text("id").unwrap_or_default(),
            name,
            input: part.get("input").unwrap_or(&Value::Null),
        }),
        Some("tool_result") => Some(ContentBlock::ToolResult {
            id: text("tool_use_id").unwrap_or_default(),
            content: part.get("content").unwrap_or(&Value::Null),
            is_error: part.get("is_error") == Some(&Value::Bool(true)),
        }),
        None => part.as_str().map(ContentBlock::Text),
        Some(_) => None,
    };
    known.unwrap_or(ContentBlock::Other(part))
}

/// The position of an entry's line, and what its link says of it: enough to read it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPos {
    pub offset: u64,
    pub length: usize,
    is_meta: bool,
    is_foreign: bool,
}

impl From<&Link> for EntryPos {
    fn from(link: &Link) -> Self {
        Self {
            offset: link.offset,
            length: link.length,
            is_meta: link.is_meta,
            is_foreign: link.is_sidechain || link.is_team,
        }
    }
}

/// Reads the lines of `links`, in their order.
pub fn read_entries<'a>(
    source: impl Read + Seek,
    links: impl Iterator<Item = &'a Link>,
) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for_each_entry(source, links.map(EntryPos::from), &mut |_, entry| {
        entries.push(entry);
    })?;
    Ok(entries)
}

/// Reads the line of a link. `None` if it is no entry any more.
pub fn read_entry(source: impl Read + Seek, link: &Link) -> io::Result<Option<Entry>> {
    Ok(read_entries(source, std::iter::once(link))?.pop())
}

/// Reads the lines of some positions one after the other, and holds few of them at a time. An entry
/// comes with the number of its position: lines that are none are left out.
pub fn for_each_entry(
    mut source: impl Read + Seek,
    positions: impl Iterator<Item = EntryPos>,
    take: &mut dyn FnMut(usize, Entry),
) -> io::Result<()> {
    let mut batch = LineBatch::default();
    let mut line = Vec::new();
    for pos in positions {
        source.seek(SeekFrom::Start(pos.offset))?;
        read_line(&mut source, pos.length, &mut line)?;
        batch.bytes.extend_from_slice(&line);
        batch.lines.push((batch.bytes.len(), pos));
        if batch.bytes.len() >= BATCH {
            batch.parse(take);
        }
    }
    batch.parse(take);
    Ok(())
}

/// Bytes that are read before they are parsed: enough to share, little to hold.
const BATCH: usize = 2 * 1024 * 1024;
/// Fewer bytes than this are parsed sooner than a thread is started.
const WORTH_A_THREAD: usize = 256 * 1024;

/// Lines that were read and not parsed yet.
#[derive(Default)]
struct LineBatch {
    bytes: Vec<u8>,
    /// Where each line ends, and its position.
    lines: Vec<(usize, EntryPos)>,
    /// How many positions came before them.
    before: usize,
}

impl LineBatch {
    /// Parses the lines, the second half of many on a thread of its own, and forgets them.
    fn parse(&mut self, take: &mut dyn FnMut(usize, Entry)) {
        let half = if self.bytes.len() < WORTH_A_THREAD {
            self.lines.len()
        } else {
            let middle = self.bytes.len() / 2;
            self.lines.partition_point(|(end, _)| *end <= middle)
        };
        let (earlier, later) = thread::scope(|scope| {
            let later = (half < self.lines.len()).then(|| {
                let this = &*self;
                scope.spawn(move || this.entries(half..this.lines.len()))
            });
            let earlier = self.entries(0..half);
            // Whatever made the thread fail fails here too.
            let later = later.map(|later| match later.join() {
                Ok(parsed) => parsed,
                Err(_) => self.entries(half..self.lines.len()),
            });
            (earlier, later)
        });
        for (at, entry) in earlier.into_iter().chain(later.into_iter().flatten()) {
            take(self.before + at, entry);
        }
        self.before += self.lines.len();
        self.bytes.clear();
        self.lines.clear();
    }

    fn entries(&self, range: Range<usize>) -> Vec<(usize, Entry)> {
        let line = |at: usize| {
            let (end, pos) = self.lines[at];
            let start = at.checked_sub(1).map_or(0, |before| self.lines[before].0);
            let entry = Entry::parse(&self.bytes[start..end], pos)?;
            Some((at, entry))
        };
        range.filter_map(line).collect()
    }
}
