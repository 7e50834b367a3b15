//! The messages of a conversation as Anthropic's SDK gives them: the contract of `show --json`.

use serde::Serialize;
use serde_json::Value;

use super::entry::Entry;

/// A message as it stands in the file.
// Independent facts that the contract names.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message<'a> {
    pub uuid: &'a str,
    pub parent_uuid: Option<&'a str>,
    #[serde(rename = "type")]
    pub kind: &'a str,
    pub role: Option<&'a str>,
    pub timestamp: Option<&'a str>,
    pub model: Option<&'a str>,
    /// Written by the program in place of an answer.
    pub is_synthetic: bool,
    pub is_api_error: bool,
    /// Typed while Claude was busy.
    pub is_queued: bool,
    pub is_compact_summary: bool,
    /// The content blocks; a plain text is one block.
    pub blocks: Vec<Value>,
}

impl<'a> Message<'a> {
    /// The message of an entry, if it is one of the conversation: what the program wrote for
    /// itself and what belongs to sub-agents and teams is none.
    pub fn of(entry: &'a Entry) -> Option<Self> {
        let queued = entry.queued_prompt();
        let is_message = entry.kind.is_message() || queued.is_some();
        if !is_message || entry.is_meta || entry.is_foreign {
            return None;
        }
        let content = queued.unwrap_or(entry.message("content"));
        Some(Self {
            uuid: &entry.uuid,
            parent_uuid: entry.text("parentUuid"),
            kind: match queued {
                Some(_) => "user",
                None => entry.text("type")?,
            },
            role: match queued {
                Some(_) => Some("user"),
                None => entry.message("role").as_str(),
            },
            timestamp: entry.text("timestamp"),
            model: entry.model(),
            is_synthetic: entry.is_synthetic(),
            is_api_error: entry.is_set("isApiErrorMessage"),
            is_queued: queued.is_some(),
            is_compact_summary: entry.is_set("isCompactSummary"),
            blocks: match content {
                Value::Array(blocks) => blocks.clone(),
                Value::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
                _ => Vec::new(),
            },
        })
    }
}
