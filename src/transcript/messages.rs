//! The second pass: the content of the messages that are shown.

use std::io::{self, Read, Seek, SeekFrom};

use serde::Serialize;
use serde_json::Value;

use super::link::Link;

/// A message as it stands in the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub uuid: String,
    pub parent_uuid: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub role: Option<String>,
    pub timestamp: Option<String>,
    pub model: Option<String>,
    /// Written by the program in place of an answer.
    pub is_synthetic: bool,
    pub is_api_error: bool,
    pub is_compact_summary: bool,
    /// The content blocks; a plain text is one block.
    pub blocks: Vec<Value>,
}

/// Reads the lines behind `links`. A line that changed since the first pass and is no entry any
/// more is left out.
pub fn read_messages<'a>(
    mut source: impl Read + Seek,
    links: impl Iterator<Item = &'a Link>,
) -> io::Result<Vec<Message>> {
    let mut messages = Vec::new();
    let mut line = Vec::new();
    for link in links {
        line.clear();
        source.seek(SeekFrom::Start(link.offset))?;
        (&mut source)
            .take(link.length as u64)
            .read_to_end(&mut line)?;
        messages.extend(parse(&line).and_then(message));
    }
    Ok(messages)
}

/// Parses a line; one with broken text is parsed again without what is broken.
fn parse(line: &[u8]) -> Option<Value> {
    serde_json::from_slice(line)
        .or_else(|_| serde_json::from_str(&mend(line)))
        .ok()
}

/// Replaces broken UTF-8 and half surrogate pairs, which a strict parser refuses.
fn mend(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut mended = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (surrogate(rest), rest.get(6..).and_then(surrogate)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => {
                mended.push_str(&rest[..12]);
                12
            }
            (Some(_), _) => {
                mended.push_str("\\ufffd");
                6
            }
            (None, _) => {
                let length = rest.chars().take(2).map(char::len_utf8).sum();
                mended.push_str(&rest[..length]);
                length
            }
        };
        rest = &rest[length..];
    }
    mended.push_str(rest);
    mended
}

/// The surrogate that an escape at the start of `text` stands for.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    (0xD800..=0xDFFF).contains(&unit).then_some(unit)
}

fn message(mut line: Value) -> Option<Message> {
    let text = |value: &Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
    let flag = |key: &str| line.get(key) == Some(&Value::Bool(true));
    let (is_api_error, is_compact_summary) = (flag("isApiErrorMessage"), flag("isCompactSummary"));
    let body = line.get_mut("message").map(Value::take).unwrap_or_default();
    let model = text(&body, "model");
    let content = match body.get("content") {
        Some(Value::Array(blocks)) => blocks.clone(),
        Some(Value::String(text)) => vec![serde_json::json!({"type": "text", "text": text})],
        _ => Vec::new(),
    };
    Some(Message {
        uuid: text(&line, "uuid")?,
        parent_uuid: text(&line, "parentUuid"),
        kind: text(&line, "type")?,
        role: text(&body, "role"),
        timestamp: text(&line, "timestamp"),
        is_synthetic: model.as_deref() == Some("<synthetic>"),
        model,
        is_api_error,
        is_compact_summary,
        blocks: content,
    })
}
