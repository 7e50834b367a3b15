//! The prompt in a user line or a queued command, if there is one.

use super::super::fields::{Fields, Value, elements, field};
use super::super::outline::Outline;
use super::super::unescape::unescape_prefix;
use crate::record::{EntryType, Prompt};

/// How much of a text to decode: more than a listing shows, so that the tags an editor puts in
/// front can be passed over, and far less than a pasted log.
const DECODE: usize = 64 * 1024;

/// The prompt of a user line, judged by all its fields. `line` is the whole line, or its
/// beginning where the rest is out of sight.
pub fn in_message(line: &[u8], outline: &Outline<'_>) -> Option<Prompt> {
    if outline.has_tool_result {
        return None;
    }
    let prompt = in_content(content_of(outline.message?)?)?;
    // Flags such as `isMeta` may stand behind the message, out of sight of a quick outline.
    let exact = Outline::full(line);
    let machine = exact.is_meta || exact.is_compact_summary || exact.has_tool_result;
    (exact.entry == Some(EntryType::User) && !machine).then_some(prompt)
}

/// The prompt that the person typed while Claude was busy.
pub fn in_attachment(attachment: &[u8]) -> Option<Prompt> {
    // Most attachments are of another type, and it stands first: do not walk their bodies.
    let mut fields = Fields::new(attachment);
    if fields.next_key() != Some(b"type") || fields.value() != Value::Text(b"queued_command") {
        return None;
    }
    in_content(field(attachment, b"prompt")?)
}

fn content_of(message: &[u8]) -> Option<Value<'_>> {
    let mut fields = Fields::new(message);
    while let Some(key) = fields.next_key() {
        if key == b"content" {
            return Some(fields.value());
        }
    }
    None
}

/// The first text in a message's content that a person typed, else the first slash command.
fn in_content(content: Value<'_>) -> Option<Prompt> {
    match content {
        Value::Text(text) | Value::TornText(text) => typed(text),
        Value::Nested(blocks) => {
            let mut command = None;
            let mut found = None;
            for block in elements(blocks) {
                let Value::Nested(block) = block else {
                    continue;
                };
                match field(block, b"type") {
                    Some(Value::Text(b"tool_result")) => return None,
                    Some(Value::Text(b"text")) if found.is_none() => {
                        let Some(Value::Text(text) | Value::TornText(text)) = field(block, b"text")
                        else {
                            continue;
                        };
                        match typed(text) {
                            Some(prompt @ Prompt::Typed(_)) => found = Some(prompt),
                            other => command = command.or(other),
                        }
                    }
                    _ => {}
                }
            }
            found.or(command)
        }
        Value::Bare(_) => None,
    }
}

fn typed(text: &[u8]) -> Option<Prompt> {
    match Prompt::of(&unescape_prefix(text, DECODE)) {
        Prompt::Machine => None,
        prompt => Some(prompt),
    }
}
