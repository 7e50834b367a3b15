//! What hooks and the program itself wrote between the lines of a conversation.
//!
//! Nobody asked for it and nobody answered it, so it is no step of a turn. It is kept beside the
//! steps, cut short, for whoever wants to see everything.

use serde_json::Value;

use super::entry::{Block, Entry};
use crate::record::EntryType;

/// Bytes that are kept of one note: enough to know what it is.
const MOST: usize = 2048;

/// A note of the program, and the step that it stands in front of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    /// The number of the step that follows it in its turn.
    pub before: usize,
    pub at: Option<i64>,
    /// What kind of note it is, in the words of the file.
    pub kind: String,
    pub text: String,
}

impl Noise {
    /// The note that an entry is. Asked only of entries that are nothing else.
    pub fn of(entry: &Entry, before: usize) -> Self {
        let (kind, text) = match entry.kind {
            EntryType::Attachment => {
                let attachment = entry.value("attachment");
                let kind = attachment["type"].as_str().unwrap_or("attachment");
                (kind.to_owned(), shortened(attachment))
            }
            EntryType::System => {
                let kind = entry.text("subtype").unwrap_or("system");
                (kind.to_owned(), shortened(entry.value("content")))
            }
            _ => {
                let text = |block: Block<'_>| match block {
                    Block::Text(text) => Some(cut(text)),
                    _ => None,
                };
                let texts: Vec<String> = entry.blocks().into_iter().filter_map(text).collect();
                ("for Claude".to_owned(), texts.join("\n"))
            }
        };
        Self {
            before,
            at: entry.at,
            kind,
            text,
        }
    }
}

/// The text of a value: itself, its content, or what it is written as.
fn shortened(value: &Value) -> String {
    let text = ["content", "stdout", "message", "text"]
        .iter()
        .find_map(|key| value[*key].as_str())
        .or(value.as_str());
    match (text, value) {
        (Some(text), _) => cut(text),
        (None, Value::Null) => String::new(),
        (None, other) => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    let end = (0..=MOST.min(text.len())).rfind(|end| text.is_char_boundary(*end));
    text[..end.unwrap_or(0)].to_owned()
}

#[cfg(test)]
#[path = "noise_tests.rs"]
mod tests;
