//! All text of a transcript that people recognize, in one pass over the file: for the search.
//!
//! Nothing is left out for its branch: what was rewound, compacted away or said by a sub-agent inside the
//! file is text like any other. Only the strings that are handed out are decoded; a line of noise is told by
//! its type. A pass can go on where an earlier one stopped.

mod answers;
mod calls;
mod content;
mod extract;
mod lines;
mod message;
mod queue;
mod warm_up;

use std::io::{self, Read};
use std::ops::{BitOrAssign, Range};

use uuid::Uuid;

use extract::Extractor;
use lines::for_each_line;

/// Who or what a text is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Voice {
    /// A person: prompts, and answers to Claude's questions.
    User,
    Claude,
    Thinking,
    /// Of a compaction, of a conversation, or for someone who was away.
    Summary,
    ToolInput,
    /// Also what a shell line or a slash command printed.
    ToolOutput,
    /// A file or folder that a tool was called with, or that was attached to a prompt.
    Path,
    /// Another session of Claude.
    Peer,
    /// Claude, to a sub-agent: in the call that starts it, and in its transcript.
    ToAgent,
}

impl Voice {
    pub const ALL: [Self; 9] = [
        Self::User,
        Self::Claude,
        Self::Thinking,
        Self::Summary,
        Self::ToolInput,
        Self::ToolOutput,
        Self::Path,
        Self::Peer,
        Self::ToAgent,
    ];

    pub fn is_tool(self) -> bool {
        matches!(self, Self::ToolInput | Self::ToolOutput | Self::Path)
    }
}

/// A text of a conversation that people recognize.
#[derive(Debug)]
pub struct Passage<'a> {
    pub voice: Voice,
    /// The tool's name, for an input, an output, a path or what an agent is started with. `None` if its call is not in
    /// sight, or there is none.
    pub tool: Option<&'a str>,
    /// The entry that has the text. For an id that is no UUID, its hash.
    pub uuid: Option<Uuid>,
    /// Which block of the entry's content it is: together with the entry and the voice that names it.
    pub part: u16,
    /// When that line was written, in milliseconds since the epoch.
    pub at: Option<i64>,
    /// Bytes of the file: the line that has the text.
    pub lines: Range<u64>,
    /// Is it the result of a call that failed, or an API error?
    pub is_error: bool,
    /// Bytes left out of the middle of a long output.
    pub cut: u64,
    pub text: &'a str,
}

/// What a conversation has in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traits(u8);

impl Traits {
    /// A call that failed. A declined call is none, and neither is a request that failed.
    pub const ERROR: Self = Self(1);
    pub const THINKING: Self = Self(2);
    pub const IMAGE: Self = Self(4);
    /// A call that starts a sub-agent, or lines of one.
    pub const AGENT: Self = Self(8);

    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn bits(self) -> u8 {
        self.0
    }

    pub fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl BitOrAssign for Traits {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Where reading stopped, and what is needed to go on there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// Start of the last message that may still grow, or of the last line if it has no newline, or the end of the
    /// last line.
    pub offset: u64,
    /// Calls before the offset that have no result yet: id and tool, ordered by id.
    pub open_calls: Vec<(String, String)>,
    /// Of everything that was read.
    pub traits: Traits,
    /// Lines before the offset that could not be read.
    pub damaged: u32,
}

/// Reads from `start.offset` to the end; the source is already there. Passages that start at or after the
/// returned offset are provisional: they are handed out again when reading goes on from it. Passages come in
/// the order in which they are known to be complete. `is_stopped` ends it between chunks with an error of kind
/// `Interrupted`.
pub fn passages(
    source: impl Read,
    start: &Checkpoint,
    is_stopped: &dyn Fn() -> bool,
    sink: &mut dyn FnMut(&Passage<'_>),
) -> io::Result<Checkpoint> {
    let mut extractor = Extractor::new(start, sink);
    for_each_line(source, start.offset, is_stopped, &mut |line| {
        extractor.take_line(&line);
    })?;
    Ok(extractor.finish())
}

#[cfg(test)]
#[path = "passages_tests.rs"]
mod tests;
