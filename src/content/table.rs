//! Where each passage of a text comes from, as a few bytes each.
//!
//! A table is read from its beginning, passage by passage: most numbers are differences to the
//! passage before. A table cut after any passage is a table.

use std::ops::Range;

use uuid::Uuid;

use super::bytes::{Reader, put_signed, put_text, put_unsigned};
use crate::transcript::{Passage, Voice};

/// A passage of a stored text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its folded text, counted from the beginning of the text that the table belongs to. The
    /// separator is not part of it.
    pub text: Range<usize>,
    /// Its bytes in the transcript.
    pub lines: Range<u64>,
    pub voice: Voice,
    pub is_error: bool,
    pub at: Option<i64>,
    /// The number of the tool in the names of the table.
    pub tool: Option<usize>,
    /// The entry that has it. Forks share it.
    pub uuid: Option<Uuid>,
    /// Which block of the entry it is.
    pub part: u16,
}

/// A table that is being written.
#[derive(Debug, Default)]
pub struct TableWriter {
    bytes: Vec<u8>,
    tools: Vec<String>,
    line: u64,
    at: i64,
}

const IS_ERROR: u8 = 0x80;
const HAS_TIME: u8 = 0x40;
const HAS_TOOL: u8 = 0x20;
const HAS_PART: u8 = 0x10;

impl TableWriter {
    /// Adds a passage whose folded text, with the separator, has so many bytes.
    pub fn push(&mut self, passage: &Passage<'_>, length: usize) {
        let bytes = &mut self.bytes;
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        bytes.push(
            passage.voice as u8
                | flag(passage.is_error, IS_ERROR)
                | flag(passage.at.is_some(), HAS_TIME)
                | flag(passage.tool.is_some(), HAS_TOOL)
                | flag(passage.part > 0, HAS_PART),
        );
        put_unsigned(bytes, length as u64);
        put_signed(
            bytes,
            passage.lines.start.wrapping_sub(self.line).cast_signed(),
        );
        put_unsigned(bytes, passage.lines.end.saturating_sub(passage.lines.start));
        self.line = passage.lines.start;
        bytes.extend_from_slice(passage.uuid.unwrap_or_default().as_bytes());
        if passage.part > 0 {
            put_unsigned(bytes, u64::from(passage.part));
        }
        if let Some(at) = passage.at {
            put_signed(bytes, at.wrapping_sub(self.at));
            self.at = at;
        }
        if let Some(tool) = passage.tool {
            let known = self.tools.iter().position(|known| known == tool);
            let number = known.unwrap_or(self.tools.len());
            put_unsigned(bytes, number as u64);
            // A name is written out where it first comes.
            if known.is_none() {
                put_text(bytes, tool);
                self.tools.push(tool.to_owned());
            }
        }
    }

    /// The table so far. The next passage begins a new one.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(self).bytes
    }
}

/// The passages of a table, and the names of their tools. Reading ends where it makes no sense.
#[derive(Debug)]
pub struct Table<'a> {
    reader: Reader<'a>,
    pub tools: Vec<&'a str>,
    text: usize,
    line: u64,
    at: i64,
}

impl<'a> Table<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            reader: Reader::new(bytes),
            tools: Vec::new(),
            text: 0,
            line: 0,
            at: 0,
        }
    }

    /// How many bytes of the table were read.
    pub fn position(&self) -> usize {
        self.reader.position()
    }

    fn entry(&mut self) -> Option<Entry> {
        let reader = &mut self.reader;
        let head = reader.byte()?;
        let voice = *Voice::ALL.get(usize::from(
            head & !(IS_ERROR | HAS_TIME | HAS_TOOL | HAS_PART),
        ))?;
        let length = usize::try_from(reader.unsigned()?).ok()?;
        let start = self.line.wrapping_add(reader.signed()?.cast_unsigned());
        let end = start.checked_add(reader.unsigned()?)?;
        let uuid = Uuid::from_slice(reader.take(16)?).ok()?;
        let mut part = 0;
        if head & HAS_PART != 0 {
            part = u16::try_from(reader.unsigned()?).ok()?;
        }
        let mut at = None;
        if head & HAS_TIME != 0 {
            self.at = self.at.wrapping_add(reader.signed()?);
            at = Some(self.at);
        }
        let mut tool = None;
        if head & HAS_TOOL != 0 {
            let number = usize::try_from(reader.unsigned()?).ok()?;
            if number == self.tools.len() {
                self.tools.push(reader.text()?);
            }
            tool = (number < self.tools.len()).then_some(number);
        }
        self.line = start;
        let text = self.text..self.text + length.saturating_sub(1);
        self.text += length;
        Some(Entry {
            text,
            lines: start..end,
            voice,
            is_error: head & IS_ERROR != 0,
            at,
            tool,
            uuid: (!uuid.is_nil()).then_some(uuid),
            part,
        })
    }
}

impl Iterator for Table<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        self.entry()
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
