//! Prompts that were put into the queue, and whose message has not come yet.

use super::content::blocks;
use super::message::Origin;
use super::{Passage, Voice};
use crate::json::{FieldValue, field, unescape};
use crate::record::UserText;
use crate::transcript::noise::without_reminders;

/// The message of a prompt is waited for over so many bytes.
const HOLD: u64 = 1024 * 1024;

#[derive(Debug, Default)]
pub struct PromptQueue(Vec<QueuedPrompt>);

#[derive(Debug)]
struct QueuedPrompt {
    text: String,
    origin: Origin,
    /// Where reading has to go on as long as it waits.
    hold: u64,
}

impl PromptQueue {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where reading has to go on as long as prompts wait.
    pub fn start(&self) -> Option<u64> {
        self.0.iter().map(|prompt| prompt.hold).min()
    }

    /// Takes a line that may put a prompt into the queue. `message` is the start of the open message.
    pub fn take(&mut self, object: &[u8], origin: Origin, message: Option<u64>) {
        let is = |key: &[u8], name: &[u8]| field(object, key) == Some(FieldValue::Text(name));
        if !is(b"type", b"queue-operation") || !is(b"operation", b"enqueue") {
            return;
        }
        let mut text = String::new();
        for block in field(object, b"content").into_iter().flat_map(blocks) {
            let block = unescape(block.text.unwrap_or_default());
            // A task that is over is put into the queue, too.
            if let UserText::Typed(typed) = UserText::of(&block)
                && field(typed.as_bytes(), b"task_id").is_none()
            {
                join(&mut text, &without_reminders(typed).0);
            }
        }
        if !text.trim().is_empty() {
            let start = origin.lines.start;
            let hold = message.map_or(start, |message| message.min(start));
            self.0.push(QueuedPrompt { text, origin, hold });
        }
    }

    /// Their message has come.
    pub fn forget(&mut self, message: &str) {
        self.0.retain(|prompt| !prompt.is_in(message));
    }

    /// Hands out all of them if one has waited long enough. All: reading goes on at the first one that
    /// waits, and what was handed out after that is dropped then.
    pub fn release_old(&mut self, position: u64, sink: &mut dyn FnMut(&Passage<'_>)) {
        let old = position.saturating_sub(HOLD);
        if self.0.iter().any(|prompt| prompt.hold < old) {
            self.release(sink);
        }
    }

    pub fn release(&mut self, sink: &mut dyn FnMut(&Passage<'_>)) {
        for prompt in std::mem::take(&mut self.0) {
            sink(&prompt.origin.passage(Voice::User, &prompt.text));
        }
    }
}

impl QueuedPrompt {
    /// Is this the message of the prompt? Prompts that waited together are the lines of one message.
    fn is_in(&self, message: &str) -> bool {
        message.match_indices(&self.text).any(|(at, found)| {
            let (before, after) = (&message[..at], &message[at + found.len()..]);
            (before.is_empty() || before.ends_with('\n'))
                && (after.is_empty() || after.starts_with('\n'))
        })
    }
}

/// Adds a paragraph.
pub fn join(texts: &mut String, text: &str) {
    if !texts.is_empty() {
        texts.push_str("\n\n");
    }
    texts.push_str(text);
}
