//! The message of Claude whose lines are being read, and the prompts that wait in the queue.

use std::ops::Range;

use uuid::Uuid;

use super::{Passage, Voice};

/// The lines that a text is from.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub uuid: Option<Uuid>,
    pub at: Option<i64>,
    pub lines: Range<u64>,
}

impl Origin {
    pub fn passage<'a>(&self, voice: Voice, text: &'a str) -> Passage<'a> {
        Passage {
            voice,
            tool: None,
            uuid: self.uuid,
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
    pub claude: MessageText,
    pub thinking: MessageText,
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

    /// The same for a text of a voice, which is appended.
    pub fn push(&mut self, voice: Voice, text: &str, origin: &Origin, is_error: bool) {
        let can_repeat = !self.id.is_empty();
        let texts = match voice {
            Voice::Thinking => &mut self.thinking,
            _ => &mut self.claude,
        };
        texts.push(text, origin, is_error, can_repeat);
    }
}

/// The texts of a voice in a message.
#[derive(Debug, Default)]
pub struct MessageText {
    text: String,
    blocks: Vec<Range<usize>>,
    origin: Origin,
    is_error: bool,
}

impl MessageText {
    fn push(&mut self, text: &str, origin: &Origin, is_error: bool, can_repeat: bool) {
        let is_same = |block: &Range<usize>| self.text[block.clone()] == *text;
        if can_repeat && self.blocks.iter().any(is_same) {
            return;
        }
        if self.blocks.is_empty() {
            self.origin = origin.clone();
        } else {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.blocks.push(start..self.text.len());
        self.origin.lines.end = origin.lines.end;
        self.is_error |= is_error;
    }

    /// Passes on what there is, and forgets it.
    pub fn hand_out(&mut self, voice: Voice, sink: &mut dyn FnMut(&Passage<'_>)) {
        if !self.blocks.is_empty() {
            sink(&Passage {
                is_error: self.is_error,
                ..self.origin.passage(voice, &self.text)
            });
            self.text.clear();
            self.blocks.clear();
            self.is_error = false;
        }
    }
}

/// A prompt that was put into the queue, and whose message has not come yet.
#[derive(Debug)]
pub struct QueuedPrompt {
    pub text: String,
    pub origin: Origin,
    /// Where reading has to go on as long as it waits.
    pub hold: u64,
}

impl QueuedPrompt {
    /// Is this the message of the prompt? Prompts that waited together are the lines of one message.
    pub fn is_in(&self, message: &str) -> bool {
        message.match_indices(&self.text).any(|(at, found)| {
            let (before, after) = (&message[..at], &message[at + found.len()..]);
            (before.is_empty() || before.ends_with('\n'))
                && (after.is_empty() || after.starts_with('\n'))
        })
    }
}
