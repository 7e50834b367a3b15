//! The prompt in a user line or a queued command, if there is one.

use super::super::outline::Outline;
use crate::json::unescape_prefix;
use crate::json::{FieldValue, Fields, elements, field};
use crate::record::{EntryType, UserPrompt, one_line};
use crate::text::is_blank;

/// How much of a text to decode: more than a listing shows, so that the tags an editor puts in
/// front can be passed over, and far less than a pasted log.
const DECODE: usize = 64 * 1024;

/// What a person asked for, on one line and cut to what a listing shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LitePrompt {
    Typed(Box<str>),
    /// A slash command: names a session only when nothing better does.
    Command(Box<str>),
}

/// The prompt of a user line, judged by all its fields. `line` is the whole line, or its
/// beginning where the rest is out of sight.
pub fn in_message(line: &[u8], outline: &Outline<'_>) -> Option<LitePrompt> {
    // The message may come after another nested value, which a quick outline does not reach.
    let outline = match outline.message {
        Some(_) => *outline,
        None => outline.complete(line),
    };
    if outline.has_tool_result {
        return None;
    }
    let asked = in_content(content_of(outline.message?)?)?;
    // And flags such as `isMeta` come after the message.
    let exact = outline.complete(line);
    let machine = exact.is_meta || exact.is_compact_summary || exact.has_tool_result;
    (exact.entry == Some(EntryType::User) && !machine).then_some(asked)
}

/// May the prompt of a line come after its beginning? Not if a tool or Claude says what is there.
pub fn may_follow(beginning: &[u8]) -> bool {
    let outline = Outline::of_front(beginning);
    let outline = match outline.message {
        Some(_) => outline,
        None => outline.complete(beginning),
    };
    let Some(message) = outline.message else {
        return false;
    };
    let is_result = |block| {
        let block = match block {
            FieldValue::Nested(block) => field(block, b"type"),
            _ => None,
        };
        block == Some(FieldValue::Text(b"tool_result"))
    };
    let is_result = match content_of(message) {
        Some(FieldValue::Nested(blocks)) => elements(blocks).any(is_result),
        _ => true,
    };
    !is_result && field(message, b"role") != Some(FieldValue::Text(b"assistant"))
}

/// The prompt that was typed while Claude was busy.
pub fn in_attachment(attachment: &[u8]) -> Option<LitePrompt> {
    // Most attachments are of another type, and it comes first: do not walk their bodies.
    let mut fields = Fields::new(attachment);
    if fields.next_key() != Some(b"type") || fields.value() != FieldValue::Text(b"queued_command") {
        return None;
    }
    in_content(field(attachment, b"prompt")?)
}

fn content_of(message: &[u8]) -> Option<FieldValue<'_>> {
    let mut fields = Fields::new(message);
    while let Some(key) = fields.next_key() {
        if key == b"content" {
            return Some(fields.value());
        }
    }
    None
}

/// The first text in a message's content that a person typed, else the first slash command.
fn in_content(content: FieldValue<'_>) -> Option<LitePrompt> {
    let blocks = match content {
        FieldValue::Text(text) | FieldValue::TornText(text) => return asked(text),
        FieldValue::Nested(blocks) => blocks,
        FieldValue::Bare(_) => return None,
    };
    let mut typed = None;
    let mut command = None;
    for block in elements(blocks) {
        let FieldValue::Nested(block) = block else {
            continue;
        };
        if field(block, b"type") == Some(FieldValue::Text(b"tool_result")) {
            return None;
        }
        if typed.is_none()
            && let Some(FieldValue::Text(text) | FieldValue::TornText(text)) = field(block, b"text")
        {
            match asked(text) {
                Some(asked @ LitePrompt::Typed(_)) => typed = Some(asked),
                other => command = command.or(other),
            }
        }
    }
    typed.or(command)
}

fn asked(text: &[u8]) -> Option<LitePrompt> {
    let text = unescape_prefix(text, DECODE);
    // Invisible characters alone are nothing to recognize a session by.
    if is_blank(&text) {
        return None;
    }
    match UserPrompt::of(&text) {
        UserPrompt::Typed(text) => one_line(&text).map(LitePrompt::Typed),
        UserPrompt::Command(text) => one_line(&text).map(LitePrompt::Command),
        UserPrompt::Machine => None,
    }
}
