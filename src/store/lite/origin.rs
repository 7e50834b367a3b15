//! Where a session comes from, by its first message.

use memchr::memmem;
use uuid::Uuid;

use super::super::session::Origin;
use crate::json::{LastFields, Value, field, unescape};

/// Reads the id of a message, and the session that it was copied from.
pub fn origin(line: &[u8]) -> Origin {
    let id = LastFields::new(line)
        .find(|(key, _)| *key == b"uuid")
        .map(|(_, value)| value)
        // Behind a nested value only a walk finds it.
        .or_else(|| field(line, b"uuid"));
    let id = id.and_then(Value::text);
    Origin {
        first_message: id.and_then(|id| Uuid::try_parse_ascii(id).ok()),
        forked_from: forked_from(line),
    }
}

fn forked_from(line: &[u8]) -> Option<Box<str>> {
    // Nearly no line has it: looking is cheaper than walking.
    memmem::find(line, br#""forkedFrom""#)?;
    let Some(Value::Nested(fork)) = field(line, b"forkedFrom") else {
        return None;
    };
    Some(unescape(field(fork, b"sessionId")?.text()?).into())
}
