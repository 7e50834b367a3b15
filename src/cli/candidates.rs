//! Messages on stderr about several sessions that match: the same words for every command.

use std::fmt::Write;
use std::io;
use std::path::Path;

use super::complain;
use super::surroundings::Surroundings;
use crate::resume::FoundSession;
use crate::text::{age, sanitize};

/// The longest list, one session per line.
const LISTED: usize = 20;
/// The most sessions that are named on one line.
const NAMED: usize = 3;

/// Prints a line, then the sessions.
pub fn tell_several(what: &str, candidates: &[FoundSession], surroundings: &Surroundings) {
    complain(what);
    let now = surroundings.now.timestamp_millis();
    let mut text = String::new();
    for found in candidates.iter().take(LISTED) {
        let session = &found.session;
        let title = session.meta.headline().unwrap_or_default();
        let age = age(session.last_activity(), now);
        let directory = directory(found, surroundings);
        let (id, title) = (sanitize(id(found)), sanitize(&title));
        let _ = writeln!(text, "  {id}  {age:>4}  {directory}  {title}");
    }
    if candidates.len() > LISTED {
        let _ = writeln!(text, "  and {} more", candidates.len() - LISTED);
    }
    // Without stderr only the exit code is left.
    let _ = io::Write::write_all(&mut io::stderr(), text.as_bytes());
}

/// Says that one of several was taken because it is the nearest.
pub fn tell_others(
    wanted: &str,
    how: &str,
    nearest: &FoundSession,
    others: &[FoundSession],
    surroundings: &Surroundings,
) {
    let named = others.iter().take(NAMED);
    let mut named: Vec<String> = named
        .map(|found| format!("{} in {}", id(found), directory(found, surroundings)))
        .collect();
    if others.len() > NAMED {
        named.push(format!("and {} more", others.len() - NAMED));
    }
    complain(&format!(
        "{wanted}: {} {how}; using the nearest, in {} (others: {})",
        others.len() + 1,
        directory(nearest, surroundings),
        named.join(", ")
    ));
}

/// The id of a session. In an old store the file has another name.
fn id(found: &FoundSession) -> &str {
    found.id.as_deref().unwrap_or(&found.session.file.id)
}

fn directory(found: &FoundSession, surroundings: &Surroundings) -> String {
    let cwd = found.session.meta.cwd.as_deref().unwrap_or_default();
    sanitize(&surroundings.tilde(Path::new(cwd))).into_owned()
}
