//! Whether a session is shown, and if not, the one reason why.
//!
//! Every `*.jsonl` gets a verdict here, so that what is shown and what is counted as hidden add
//! up to what is on disk.

use super::lite::{LiteCoverage, LiteReading};
use super::session::{FileInfo, FileState, Hidden, Kind};
use super::sidecar::Sidecar;

/// The verdict that the name and `stat` allow, without opening the file.
pub fn by_file(file: &FileInfo) -> Option<Hidden> {
    if file.state == FileState::Unreadable {
        return Some(Hidden::Unreadable);
    }
    if file.state == FileState::File && file.id.starts_with("agent-") {
        return Some(Hidden::SubAgent);
    }
    if file.state == FileState::NotAFile || !is_session_id(&file.id) {
        return Some(Hidden::NotASession);
    }
    (file.size == 0).then_some(Hidden::Empty)
}

/// The verdict once the file was read, given the one before.
///
/// A name given by the user makes a session visible whatever else speaks against it.
pub fn by_content(
    before: Option<Hidden>,
    file: &FileInfo,
    reading: &LiteReading,
    sidecar: &Sidecar,
) -> Option<Hidden> {
    if let Some(Hidden::Unreadable | Hidden::NotASession) = before {
        return before;
    }
    if reading.meta.custom_title.is_some() {
        return None;
    }
    if is_archived(reading, sidecar) {
        return Some(Hidden::Archived);
    }
    if file.size == 0 || reading.coverage == LiteCoverage::Blank {
        return Some(Hidden::Empty);
    }
    match reading.meta.kind {
        Some(Kind::SubAgent) => return Some(Hidden::SubAgent),
        Some(Kind::TeamWorker) => return Some(Hidden::TeamWorker),
        Some(Kind::Programmatic) => return Some(Hidden::Programmatic),
        Some(Kind::Interactive | Kind::Background) | None => {}
    }
    if before == Some(Hidden::SubAgent) {
        return Some(Hidden::SubAgent);
    }
    let says_something = reading.meta.raw_title().is_some()
        || reading.meta.last_prompt().is_some()
        // What was not read is not known to be missing.
        || reading.coverage == LiteCoverage::Part;
    if !says_something {
        return Some(Hidden::NoPrompt);
    }
    if reading.coverage == LiteCoverage::Whole && !reading.has_message {
        return Some(Hidden::MetadataOnly);
    }
    // The weakest reason: it falls away if the session that took over is gone.
    reading
        .meta
        .continued_in
        .as_ref()
        .map(|_| Hidden::Superseded)
}

/// An archived session counts as archived until its next prompt.
fn is_archived(reading: &LiteReading, sidecar: &Sidecar) -> bool {
    // A prompt outside of the windows has answers after it.
    let prompted = reading.last_prompt_at.or(reading.meta.last_message);
    sidecar
        .archived_at
        .is_some_and(|at| prompted.is_none_or(|prompted| prompted <= at))
}

/// Eight, four, four, four and twelve hex digits, in either case, of any UUID version.
fn is_session_id(name: &str) -> bool {
    name.len() == 36
        && name.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}
