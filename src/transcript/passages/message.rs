//! The message of Claude whose lines are being read.

use std::ops::Range;

use uuid::Uuid;

use super::{Passage, Voice};

/// The line that a text is from, and the block in it.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub uuid: Option<Uuid>,
    pub at: Option<i64>,
    pub lines: Range<u64>,
    pub part: u16,
}

impl Origin {
    /// Another block of the same line.
    pub fn block(&self, number: usize) -> Self {
        Self {
            part: u16::try_from(number).unwrap_or(u16::MAX),
            ..self.clone()
        }
    }

    pub fn passage<'a>(&self, voice: Voice, text: &'a str) -> Passage<'a> {
        Passage {
            voice,
            tool: None,
            uuid: self.uuid,
            part: self.part,
            at: self.at,
            lines: self.lines.clone(),
            is_error: false,
            cut: 0,
            text,
        }
    }
}

/// A message whose next line may still come.
#[derive(Debug, Default)]
pub struct OpenMessage {
    /// Where its first line starts.
    pub start: Option<u64>,
    /// Empty for a message of one line that has none.
    id: Vec<u8>,
    /// The ids of its calls.
    calls: Vec<Vec<u8>>,
    /// Its texts, one after the other, and where each is.
    texts: String,
    blocks: Vec<(Voice, Range<usize>)>,
}

impl OpenMessage {
    /// Is a line with this id a part of it?
    pub fn goes_on(&self, id: &[u8]) -> bool {
        self.start.is_some() && !id.is_empty() && self.id == id
    }

    pub fn open(&mut self, id: &[u8], start: u64) {
        self.start = Some(start);
        self.id.clear();
        self.id.extend_from_slice(id);
        self.calls.clear();
        self.texts.clear();
        self.blocks.clear();
    }

    /// Notes a call. Says if it is a new one: some versions repeat a message in every line of it.
    pub fn is_new_call(&mut self, id: &[u8]) -> bool {
        if self.id.is_empty() || id.is_empty() {
            return true;
        }
        let is_new = !self.calls.iter().any(|known| known == id);
        if is_new {
            self.calls.push(id.to_vec());
        }
        is_new
    }

    /// The same for a text of a voice.
    pub fn is_new_text(&mut self, voice: Voice, text: &str) -> bool {
        if self.id.is_empty() {
            return true;
        }
        let is_same = |(of, block): &(Voice, Range<usize>)| {
            *of == voice && self.texts[block.clone()] == *text
        };
        let is_new = !self.blocks.iter().any(is_same);
        if is_new {
            let start = self.texts.len();
            self.texts.push_str(text);
            self.blocks.push((voice, start..self.texts.len()));
        }
        is_new
    }
}
