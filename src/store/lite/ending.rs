//! How a session was left: its last message, and the model that spoke it.
//!
//! Looks at the flat fields on both sides of a message and never walks through it. Where a line
//! is written in another way than Claude Code writes it, nothing is known.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::super::session::LastState;
use crate::json::{Fields, flat_end, flat_front, flat_text};
use crate::record::EntryType;

static TYPE: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""type":""#));
static CALL: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""content":[{"type":"tool_use""#));
static RESULT: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""type":"tool_result""#));
static SIDECHAIN: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""isSidechain":true"#));
static META: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""isMeta":true"#));
static ERROR: LazyLock<Finder> = LazyLock::new(|| Finder::new(br#""isApiErrorMessage":true"#));

/// How the texts of commands of the program, and of what they print, open.
const COMMANDS: [&[u8]; 4] = [
    b"\"<local-command-",
    b"\"<command-name>",
    b"\"<command-message>",
    b"\"<bash-stdout>",
];
/// Bytes of a message within which its text opens.
const OPENING: usize = 160;

/// What a line of the chain says of how the session was left. `None` if it is no message of the
/// conversation: the one before it tells.
pub fn left(line: &[u8]) -> Option<LastState> {
    let (front, end) = (flat_front(line), flat_end(line));
    if SIDECHAIN.find(front).is_some() || SIDECHAIN.find(end).is_some() {
        return None;
    }
    let name = flat_text(end, &TYPE).or_else(|| flat_text(front, &TYPE))?;
    match EntryType::from_name(name) {
        EntryType::Assistant if ERROR.find(end).is_some() => None,
        EntryType::Assistant if CALL.find(line).is_some() => Some(LastState::AtWork),
        EntryType::Assistant => Some(LastState::Answered),
        EntryType::User if META.find(end).is_some() || META.find(front).is_some() => {
            Some(LastState::Answered)
        }
        EntryType::User if RESULT.find(line).is_some() => Some(LastState::AtWork),
        EntryType::User if is_of_a_command(&line[1 + front.len()..]) => None,
        EntryType::User => Some(LastState::Asked),
        _ => None,
    }
}

/// Is a message a command of the program, or what one printed? Neither waits for an answer.
fn is_of_a_command(message: &[u8]) -> bool {
    let opening = &message[..message.len().min(OPENING)];
    COMMANDS
        .iter()
        .any(|command| memmem::find(opening, command).is_some())
}

/// The model of an answer. Claude Code lets its messages open with it; other writers need a walk.
pub fn model(line: &[u8]) -> Option<&[u8]> {
    let front = flat_front(line);
    let message = line.get(1 + front.len()..)?;
    if !front.ends_with(br#""message":"#) {
        return None;
    }
    let name = if let Some(name) = message.strip_prefix(br#"{"model":""#) {
        &name[..memchr::memchr(b'"', name)?]
    } else {
        let kind = flat_text(flat_end(line), &TYPE).or_else(|| flat_text(front, &TYPE))?;
        if EntryType::from_name(kind) != EntryType::Assistant {
            return None;
        }
        let mut fields = Fields::new(message);
        loop {
            if fields.next_key()? == b"model" {
                break fields.value().text()?;
            }
        }
    };
    // Such a line was written by the program in place of an answer.
    (!name.starts_with(b"<")).then_some(name)
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
