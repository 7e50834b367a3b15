//! The messages of a conversation: the contract of `show --json`.

use serde::Serialize;
use serde_json::{Value, json};

use super::entry::Entry;
use super::sent::Sent;
use crate::record::EntryType;

/// Whose messages are asked for.
#[derive(Debug, Clone, Copy)]
pub enum Audience<'a> {
    /// What Claude gets to see when the session is resumed.
    Claude(&'a Sent),
    /// What Anthropic's SDK returns.
    Sdk,
}

/// A message of the file, or one that Claude Code makes up.
// Independent facts that the contract names.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptMessage<'a> {
    /// `null` for a message that is in no file.
    pub uuid: Option<&'a str>,
    pub parent_uuid: Option<&'a str>,
    #[serde(rename = "type")]
    pub kind: &'a str,
    pub role: Option<&'a str>,
    /// The session that sent it, for the role `peer`.
    pub from: Option<&'a str>,
    pub timestamp: Option<&'a str>,
    pub model: Option<&'a str>,
    /// Written by the program in place of an answer.
    pub is_synthetic: bool,
    pub is_api_error: bool,
    /// Written by the program for Claude.
    pub is_meta: bool,
    /// Typed while Claude was busy.
    pub is_queued: bool,
    pub is_compact_summary: bool,
    /// Put in by Claude Code when the session is resumed.
    pub is_made_up: bool,
    /// The content blocks; a plain text is one block.
    pub blocks: Vec<Value>,
}

impl<'a> TranscriptMessage<'a> {
    /// The message of an entry, if it is one.
    pub fn of(entry: &'a Entry, audience: Audience<'_>) -> Option<Self> {
        let queued = entry.queued_prompt();
        let is_message = entry.kind.is_message() || queued.is_some();
        let is_wanted = match audience {
            Audience::Claude(sent) => {
                (is_message || is_local_command(entry)) && sent.left_out(entry).is_none()
            }
            Audience::Sdk => {
                let is_meta = entry.is_meta && entry.peer().is_none();
                is_message && !is_meta && !entry.is_foreign
            }
        };
        if !is_wanted {
            return None;
        }
        let line = &entry.line;
        let mut message = Self {
            uuid: Some(entry.uuid_as_message()),
            parent_uuid: line.parent_uuid.as_str(),
            kind: line.type_name.as_str()?,
            role: line.message.role.as_str(),
            from: None,
            timestamp: line.timestamp.as_str(),
            model: entry.model(),
            is_synthetic: entry.is_synthetic(),
            is_api_error: entry.is_api_error(),
            is_meta: entry.is_meta,
            is_queued: queued.is_some(),
            is_compact_summary: entry.is_compact_summary(),
            is_made_up: false,
            blocks: blocks(queued.unwrap_or(&line.message.content)),
        };
        if let Some(peer) = entry.peer() {
            (message.role, message.from) = (Some("peer"), peer.name);
        } else if queued.is_some() {
            (message.kind, message.role) = ("user", Some("user"));
        } else if entry.kind == EntryType::System {
            message.role = Some("user");
            message.blocks = blocks(&line.content);
        }
        if let Audience::Claude(sent) = audience {
            let is_dropped = |block: &Value| {
                let id = ["id", "tool_use_id"]
                    .into_iter()
                    .find_map(|key| block[key].as_str());
                id.is_some_and(|id| sent.is_dropped(entry, id))
            };
            message.blocks.retain(|block| !is_dropped(block));
        }
        Some(message)
    }

    /// The results that Claude Code puts in for calls that never had one.
    pub fn made_up(tools: &[String]) -> Option<Self> {
        let result =
            |id: &String| json!({"type": "tool_result", "tool_use_id": id, "is_error": true});
        (!tools.is_empty()).then(|| Self {
            kind: "user",
            role: Some("user"),
            is_made_up: true,
            blocks: tools.iter().map(result).collect(),
            ..Self::default()
        })
    }
}

/// What a command of the program printed, or the command itself, as newer versions write it.
fn is_local_command(entry: &Entry) -> bool {
    entry.kind == EntryType::System && entry.line.subtype == "local_command"
}

fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Array(blocks) => blocks.clone(),
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        _ => Vec::new(),
    }
}
