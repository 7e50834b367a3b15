//! One line of a transcript, read: the fields that some reader asks for, and no others.
//!
//! Most fields repeat in every line of a session, and the report of a tool is as large as the rest
//! of its line. Unlisted fields are checked and skipped; the report stays unparsed until it is asked
//! for. Fields are values, so a field of an unexpected type costs only itself.

use std::ops::AddAssign;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{EntryType, parse_epoch, parse_timestamp};
use crate::json::lenient;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Line {
    pub uuid: Value,
    pub parent_uuid: Value,
    #[serde(rename = "type")]
    pub type_name: Value,
    pub subtype: Value,
    pub timestamp: Value,
    pub content: Value,
    pub attachment: Value,
    pub compact_metadata: Value,
    pub hook_errors: Value,
    pub error: Value,
    pub origin: Value,
    pub retry_attempt: Value,
    pub max_retries: Value,
    pub is_compact_summary: Value,
    pub is_api_error_message: Value,
    pub session_id: Value,
    pub cwd: Value,
    pub relocated_cwd: Value,
    pub git_branch: Value,
    pub version: Value,
    pub permission_mode: Value,
    #[serde(deserialize_with = "or_default")]
    pub message: MessageBody,
    tool_use_result: Option<Box<RawValue>>,
    /// Did a strict parser refuse the line? The broken parts are left out.
    #[serde(skip)]
    pub is_mended: bool,
}

/// The message of a line.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct MessageBody {
    pub id: Value,
    pub role: Value,
    pub model: Value,
    pub content: Value,
    timestamp: Value,
    #[serde(deserialize_with = "or_default")]
    pub usage: Tokens,
}

/// Tokens as the API counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"), default)]
pub struct Tokens {
    #[serde(rename(deserialize = "input_tokens"), deserialize_with = "count")]
    pub input: u64,
    #[serde(rename(deserialize = "output_tokens"), deserialize_with = "count")]
    pub output: u64,
    #[serde(
        rename(deserialize = "cache_read_input_tokens"),
        deserialize_with = "count"
    )]
    pub cache_read: u64,
    #[serde(
        rename(deserialize = "cache_creation_input_tokens"),
        deserialize_with = "count"
    )]
    pub cache_creation: u64,
}

impl Tokens {
    /// How large the context was that the message was an answer to, answer included.
    pub fn context(self) -> u64 {
        let parts = [self.output, self.cache_read, self.cache_creation];
        parts.into_iter().fold(self.input, u64::saturating_add)
    }
}

/// Absurd numbers stay absurd, and do not end the program.
impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_creation = self.cache_creation.saturating_add(other.cache_creation);
    }
}

impl Line {
    /// Reads a line as far as it can be understood.
    pub fn parse(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_else(|_| Self::mended(lenient(bytes)))
    }

    fn mended(mut line: Value) -> Self {
        for object in ["/message/usage", "/message"] {
            if let Some(other) = line.pointer_mut(object).filter(|it| !it.is_object()) {
                *other = Value::Null;
            }
        }
        Self {
            is_mended: true,
            ..serde_json::from_value(line).unwrap_or_default()
        }
    }

    pub fn kind(&self) -> Option<EntryType> {
        let name = self.type_name.as_str()?;
        Some(EntryType::from_name(name.as_bytes()))
    }

    /// When it was written, in milliseconds since the epoch.
    pub fn time(&self) -> Option<i64> {
        let times = [&self.timestamp, &self.message.timestamp];
        times.into_iter().find_map(|time| match time {
            Value::String(text) => parse_timestamp(text.as_bytes()),
            Value::Number(number) => parse_epoch(number.to_string().as_bytes()),
            _ => None,
        })
    }

    /// What a tool reported besides the text for Claude; null if nothing.
    pub fn report(&self) -> Value {
        let report = self.tool_use_result.as_ref();
        report.map_or(Value::Null, |report| {
            serde_json::from_str(report.get()).unwrap_or_default()
        })
    }
}

fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Value::deserialize(deserializer).map(|number| number.as_u64().unwrap_or_default())
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
