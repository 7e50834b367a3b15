//! Takes the lines of a transcript and hands out their text.

use std::borrow::Cow;

use crate::json::{End, FieldValue, Fields, field, unescape, unescape_into};
use crate::record::{CONTINUED, EntryType, UserText, parse_epoch, parse_timestamp};
use crate::transcript::link::{EntryId, ends_like_an_object};
use crate::transcript::load::{MOST_STUBS, next_opening};
use crate::transcript::noise::without_reminders;
use crate::transcript::parts::{Parts, SharedEnding, holds_another, is_of_peer};
use crate::transcript::tools::declined;
use crate::transcript::turns::NO_ANSWER_WANTED;

use super::answers::answers;
use super::calls::OpenCalls;
use super::content::{RawBlock, RawMessage, ToolInput, blocks, clip, clip_growing, push_clipped};
use super::lines::FileLine;
use super::message::{OpenMessage, Origin};
use super::queue::{PromptQueue, join};
use super::warm_up::WarmUp;
use super::{Checkpoint, Passage, Traits, Voice};

/// The types of lines with text. Lines of other types are never looked into.
const WITH_TEXT: &[&[u8]] = &[
    b"user\"",
    b"assistant\"",
    b"system\"",
    b"attachment\"",
    b"summary\"",
    b"queue-operation\"",
];
pub struct Extractor<'s> {
    sink: &'s mut dyn FnMut(&Passage<'_>),
    ending: SharedEnding,
    message: OpenMessage,
    queue: PromptQueue,
    calls: OpenCalls,
    traits: Traits,
    damaged: u32,
    warm_up: WarmUp,
    /// Whose text the prompts of the current line are: Claude starts and continues its agents.
    prompting: Voice,
    /// Where reading can go on, as far as lines are concerned.
    end: u64,
    input: ToolInput,
    /// Is reused from text to text.
    text: String,
}

impl<'s> Extractor<'s> {
    pub fn new(start: &Checkpoint, sink: &'s mut dyn FnMut(&Passage<'_>)) -> Self {
        Self {
            sink,
            ending: SharedEnding::default(),
            message: OpenMessage::default(),
            queue: PromptQueue::default(),
            calls: OpenCalls::new(&start.open_calls),
            traits: start.traits,
            damaged: start.damaged,
            warm_up: WarmUp::at(start.offset),
            prompting: Voice::User,
            end: start.offset,
            input: ToolInput::default(),
            text: String::new(),
        }
    }

    pub fn take_line(&mut self, line: &FileLine<'_>) {
        if !line.is_torn {
            self.end = line.end;
        }
        let Some(bytes) = line.bytes else {
            return self.damage(line.is_torn);
        };
        let has_bom = line.offset == 0 && bytes.starts_with(b"\xef\xbb\xbf");
        let mut at = if has_bom { 3 } else { 0 };
        let mut stubs = 0;
        let mut is_first = true;
        loop {
            at += blank_start(&bytes[at..]);
            let rest = &bytes[at..];
            if rest.is_empty() {
                return;
            }
            match self.take_object(rest, line.offset + at as u64, is_first, line.is_torn) {
                End::Closed(length) => at += length,
                End::Broken => {
                    if stubs == 0 {
                        self.damage(line.is_torn);
                    }
                    stubs += 1;
                    if stubs > MOST_STUBS || line.is_torn {
                        return;
                    }
                    // A torn stub: the next writer began its line right after it.
                    at += next_opening(rest).unwrap_or(rest.len());
                }
            }
            is_first = false;
        }
    }

    pub fn finish(mut self) -> Checkpoint {
        // Nothing was handed out: the next pass begins anew, and knows it again.
        if self.warm_up.is_all() {
            return Checkpoint::default();
        }
        let held = self.queue.start().into_iter().chain(self.message.start);
        let offset = held.fold(self.end, u64::min);
        self.queue.release(self.sink);
        Checkpoint {
            offset,
            open_calls: self.calls.at(offset),
            traits: self.traits,
            damaged: self.damaged,
        }
    }

    /// Something cannot be read. What is open ends here, so that the damage is counted once. A line that is still
    /// being written is no damage.
    fn damage(&mut self, is_torn: bool) {
        if !is_torn {
            self.message.start = None;
            self.queue.release(self.sink);
            self.damaged += 1;
        }
    }

    fn take_object(&mut self, bytes: &[u8], start: u64, is_first: bool, is_torn: bool) -> End {
        if let Some(rest) = bytes.strip_prefix(b"{\"type\":\"") {
            let is_noise = !WITH_TEXT.iter().any(|name| rest.starts_with(name));
            if is_noise && ends_like_an_object(bytes) && !holds_another(rest) {
                return End::Closed(bytes.len());
            }
        }
        let glance = if is_torn {
            None
        } else {
            Parts::glance_at_message(bytes, &mut self.ending)
        };
        let (parts, end) = match glance {
            Some((parts, length)) => (parts, End::Closed(length)),
            None => Parts::walk(bytes),
        };
        let End::Closed(length) = end else {
            return end;
        };
        let object = &bytes[..length];
        // What does not say where it belongs is a piece of something torn.
        if is_first
            || ["parentUuid", "sessionId"]
                .iter()
                .any(|key| field(object, key.as_bytes()).is_some())
        {
            let origin = Origin {
                uuid: parts.id.map(EntryId::uuid),
                at: parts.time,
                lines: start..start + length as u64,
                part: 0,
            };
            // What is known of an open message is handed out already, and stays the last.
            if self.message.start.is_none() {
                self.queue.release_old(start, self.sink);
            }
            self.take_entry(&parts, object, origin);
        }
        end
    }

    fn take_entry(&mut self, parts: &Parts<'_>, object: &[u8], mut origin: Origin) {
        if self.warm_up.takes(parts) {
            return;
        }
        if parts.is_sidechain && matches!(parts.entry, Some(EntryType::User | EntryType::Assistant))
        {
            self.traits |= Traits::AGENT;
        }
        self.prompting = if parts.is_sidechain {
            Voice::ToAgent
        } else {
            Voice::User
        };
        if origin.at.is_none() && !parts.message.is_empty() {
            origin.at = old_time(parts.message);
        }
        match parts.entry {
            Some(EntryType::User) => {
                let Some(content) = RawMessage::of(parts.message, true).content else {
                    return;
                };
                if parts.is_compact_summary {
                    self.take_summary(content, &origin);
                } else if is_of_peer(parts.origin) {
                    self.take_peer(content, &origin);
                } else {
                    self.take_prompt(content, object, &origin, parts.is_meta);
                }
            }
            Some(EntryType::Assistant) => self.take_assistant(parts, &origin),
            Some(EntryType::Attachment) => self.take_attachment(parts.attachment, object, &origin),
            Some(EntryType::System) => {
                let content = field(object, b"content").and_then(FieldValue::text);
                match (parts.subtype, content) {
                    (b"away_summary", Some(text)) => {
                        self.hand_out(Voice::Summary, &unescape(text), &origin);
                    }
                    (b"local_command", Some(text)) => {
                        self.take_user_text(&unescape(text), &origin);
                    }
                    _ => {}
                }
            }
            Some(EntryType::Summary) => {
                if let Some(text) = field(object, b"summary").and_then(FieldValue::text) {
                    self.hand_out(Voice::Summary, &unescape(text), &origin);
                }
            }
            _ => self.queue.take(object, origin, self.message.start),
        }
    }

    fn take_prompt(
        &mut self,
        content: FieldValue<'_>,
        object: &[u8],
        origin: &Origin,
        is_meta: bool,
    ) {
        let mut typed = String::new();
        let mut first = 0;
        for (number, block) in blocks(content).enumerate() {
            let own = origin.block(number);
            match (block.kind, block.text) {
                (b"tool_result", _) => self.take_result(&block, object, &own),
                // Of what the program wrote for itself only the results count.
                _ if is_meta => {}
                (b"text", Some(text)) => {
                    let text = unescape(text);
                    if text.starts_with(CONTINUED) {
                        return self.take_summary(content, origin);
                    }
                    if let Some(text) = self.take_user_text(&text, &own) {
                        if typed.is_empty() {
                            first = number;
                        }
                        join(&mut typed, &text);
                    }
                }
                (b"image", _) => self.traits |= Traits::IMAGE,
                _ => {}
            }
        }
        self.say(self.prompting, &typed, &origin.block(first));
    }

    /// Takes one text of a user line, and returns it if the user typed it.
    fn take_user_text<'t>(&mut self, text: &'t str, origin: &Origin) -> Option<Cow<'t, str>> {
        match UserText::of(text) {
            UserText::Typed(text) => return Some(without_reminders(text).0),
            UserText::Shell(command) => self.say(self.prompting, &format!("! {command}"), origin),
            UserText::Command { name, arguments } => {
                self.say(
                    self.prompting,
                    format!("{name} {arguments}").trim_end(),
                    origin,
                );
            }
            UserText::CommandOutput(text) => self.printed(text, "", origin),
            UserText::ShellOutput { stdout, stderr } => self.printed(stdout, stderr, origin),
            UserText::Interrupted | UserText::Machine => {}
        }
        None
    }

    /// Hands out what the user typed, or another session sent.
    fn say(&mut self, voice: Voice, text: &str, origin: &Origin) {
        if !text.trim().is_empty() {
            self.close_message(origin.lines.start);
            self.queue.forget(text);
            self.hand_out(voice, text, origin);
        }
    }

    fn printed(&mut self, text: &str, errors: &str, origin: &Origin) {
        let mut output = text.to_owned();
        if !output.is_empty() && !errors.is_empty() {
            output.push('\n');
        }
        output.push_str(errors);
        let cut = clip(&mut output);
        if !output.is_empty() {
            (self.sink)(&Passage {
                cut,
                ..origin.passage(Voice::ToolOutput, &output)
            });
        }
    }

    fn take_peer(&mut self, content: FieldValue<'_>, origin: &Origin) {
        let mut sent = String::new();
        for block in blocks(content).filter(|it| it.kind == b"text") {
            let text = unescape(block.text.unwrap_or_default());
            join(&mut sent, &without_reminders(&text).0);
        }
        self.say(Voice::Peer, &sent, origin);
    }

    fn take_summary(&mut self, content: FieldValue<'_>, origin: &Origin) {
        let mut summary = String::new();
        for text in blocks(content)
            .filter(|it| it.kind == b"text")
            .filter_map(|it| it.text)
        {
            join(&mut summary, &unescape(text));
        }
        self.close_message(origin.lines.start);
        self.hand_out(Voice::Summary, &summary, origin);
    }

    fn take_result(&mut self, block: &RawBlock<'_>, object: &[u8], origin: &Origin) {
        let mut output = std::mem::take(&mut self.text);
        output.clear();
        let mut cut = 0;
        for part in block.content.into_iter().flat_map(blocks) {
            match (part.kind, part.text, part.thinking) {
                (b"text", Some(text), _) | (b"thinking", _, Some(text)) => {
                    cut += push_clipped(text, &mut output);
                    cut += clip_growing(&mut output);
                }
                (b"image", ..) => self.traits |= Traits::IMAGE,
                _ => {}
            }
        }
        let start = origin.lines.start;
        if let Some(said) = declined(&output).filter(|_| block.is_error) {
            self.calls.close(start, &unescape(block.id));
            self.say(Voice::User, said, origin);
        } else if let Some(answers) = answers(&output, object).filter(|_| !block.is_error) {
            self.calls.close(start, &unescape(block.id));
            self.say(Voice::User, &answers, origin);
        } else {
            cut += clip(&mut output);
            if block.is_error {
                self.traits |= Traits::ERROR;
            }
            let tool = self.calls.close(start, &unescape(block.id));
            if !output.trim().is_empty() {
                (self.sink)(&Passage {
                    tool,
                    is_error: block.is_error,
                    cut,
                    ..origin.passage(Voice::ToolOutput, &output)
                });
            }
        }
        self.text = output;
    }

    fn take_assistant(&mut self, parts: &Parts<'_>, origin: &Origin) {
        let message = RawMessage::of(parts.message, false);
        if !self.message.goes_on(message.id) {
            self.close_message(origin.lines.start);
            if self.queue.is_empty() {
                self.calls.settle();
            }
            self.message.open(message.id, origin.lines.start);
        }
        let is_synthetic = message.model == b"<synthetic>";
        let is_error = is_synthetic && parts.is_api_error;
        let blocks = message.content.into_iter().flat_map(blocks);
        for (number, block) in blocks.enumerate() {
            let origin = origin.block(number);
            let (voice, text) = match (block.kind, block.text, block.thinking, block.name) {
                (b"text", Some(text), ..) => (Voice::Claude, text),
                (b"thinking", _, Some(text), _) => (Voice::Thinking, text),
                (b"tool_use", .., Some(name)) => {
                    self.take_call(&block, name, &origin);
                    continue;
                }
                _ => continue,
            };
            self.text.clear();
            unescape_into(text, &mut self.text);
            let is_marker = is_synthetic && self.text == NO_ANSWER_WANTED;
            if self.text.trim().is_empty() || is_marker {
                continue;
            }
            if voice == Voice::Thinking {
                self.traits |= Traits::THINKING;
            }
            if self.message.is_new_text(voice, &self.text) {
                (self.sink)(&Passage {
                    is_error,
                    ..origin.passage(voice, &self.text)
                });
            }
        }
    }

    fn take_call(&mut self, block: &RawBlock<'_>, name: &[u8], origin: &Origin) {
        if !self.message.is_new_call(block.id) {
            return;
        }
        let name = unescape(name);
        let start = origin.lines.start;
        self.calls.open(start, &unescape(block.id), &name);
        let starts_agent = matches!(&*name, "Task" | "Agent");
        if starts_agent {
            self.traits |= Traits::AGENT;
        }
        self.input.read(block.input, starts_agent);
        for (voice, text) in [
            (Voice::Path, &self.input.paths),
            (Voice::ToolInput, &self.input.text),
            (Voice::ToAgent, &self.input.prompt),
        ] {
            if !text.trim().is_empty() {
                (self.sink)(&Passage {
                    tool: Some(&name),
                    ..origin.passage(voice, text)
                });
            }
        }
    }

    /// Of attachments, prompts that were typed ahead and the names of files are the user's.
    fn take_attachment(&mut self, attachment: &[u8], object: &[u8], origin: &Origin) {
        let mut fields = Fields::new(attachment);
        let mut kind: &[u8] = b"";
        while let Some(key) = fields.next_key() {
            match (key, kind) {
                (b"type", _) => kind = fields.value().text().unwrap_or_default(),
                (b"prompt", b"queued_command") => {
                    return self.take_prompt(fields.value(), object, origin, false);
                }
                (b"filename" | b"path", b"file" | b"directory" | b"pdf_reference") => {
                    let path = fields.value().text().unwrap_or_default();
                    return self.hand_out(Voice::Path, &unescape(path), origin);
                }
                (_, b"queued_command" | b"file" | b"directory" | b"pdf_reference") => {}
                _ => return,
            }
        }
    }

    /// The message that is open is known to be whole.
    fn close_message(&mut self, position: u64) {
        self.message.start = None;
        self.queue.release_old(position, self.sink);
    }

    fn hand_out(&mut self, voice: Voice, text: &str, origin: &Origin) {
        if !text.trim().is_empty() {
            (self.sink)(&origin.passage(voice, text));
        }
    }
}

/// How many bytes are between a place and the next object.
fn blank_start(bytes: &[u8]) -> usize {
    let is_blank = |b: &u8| b.is_ascii_whitespace() || *b == 0;
    bytes
        .iter()
        .position(|b| !is_blank(b))
        .unwrap_or(bytes.len())
}

/// The oldest files have the time in the message.
fn old_time(message: &[u8]) -> Option<i64> {
    match field(message, b"timestamp")? {
        FieldValue::Text(text) => parse_timestamp(text),
        FieldValue::Bare(number) => parse_epoch(number),
        _ => None,
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
