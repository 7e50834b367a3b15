//! Where a session comes from, by its first message.

use uuid::Uuid;

use super::super::outline::Outline;
use super::super::session::Origin;
use crate::json::{FieldValue, field, unescape};

/// The id of a message, and the session that it was copied from.
pub fn origin(outline: &Outline<'_>) -> Origin {
    Origin {
        first_message: outline.uuid.and_then(|id| Uuid::try_parse_ascii(id).ok()),
        forked_from: outline.forked_from.and_then(session_of),
    }
}

fn session_of(fork: &[u8]) -> Option<Box<str>> {
    let session = field(fork, b"sessionId").and_then(FieldValue::text)?;
    Some(unescape(session).into())
}
