//! Sessions that could be meant, told on stderr: the same words for every command that takes one.

use std::fmt::Write;
use std::io;
use std::path::Path;

use super::complain;
use super::surroundings::Surroundings;
use crate::resume::FoundSession;
use crate::text::{age, sanitize};

/// So many are listed, one a line.
const LISTED: usize = 20;
/// So many are named on one line.
const NAMED: usize = 3;

/// One line, and then the sessions.
pub fn tell_several(what: &str, candidates: &[FoundSession], surroundings: &Surroundings) {
    complain(what);
    let now = surroundings.now.timestamp_millis();
    let mut text = String::new();
    for seen in candidates.iter().take(LISTED) {
        let session = &seen.session;
        let title = session.meta.title().map_or("", |(_, title)| title);
        let _ = writeln!(
            text,
            "  {}  {:>4}  {}  {}",
            sanitize(id(seen)),
            age(session.last_activity(), now),
            directory(seen, surroundings),
            sanitize(title),
        );
    }
    if candidates.len() > LISTED {
        let _ = writeln!(text, "  and {} more", candidates.len() - LISTED);
    }
    // A closed stderr leaves only the exit code to speak.
    let _ = io::Write::write_all(&mut io::stderr(), text.as_bytes());
}

/// One of several was taken because it is nearer than the others.
pub fn tell_others(
    wanted: &str,
    how: &str,
    nearest: &FoundSession,
    others: &[FoundSession],
    surroundings: &Surroundings,
) {
    let named = others.iter().take(NAMED);
    let mut named: Vec<String> = named
        .map(|seen| format!("{} in {}", id(seen), directory(seen, surroundings)))
        .collect();
    if others.len() > NAMED {
        named.push(format!("and {} more", others.len() - NAMED));
    }
    complain(&format!(
        "{wanted}: {} sessions {how}; this is the nearest, in {} (others: {})",
        others.len() + 1,
        directory(nearest, surroundings),
        named.join(", ")
    ));
}

/// The id to name it by, which an old store does not have in the file's name.
fn id(seen: &FoundSession) -> &str {
    seen.id.as_deref().unwrap_or(&seen.session.file.id)
}

fn directory(seen: &FoundSession, surroundings: &Surroundings) -> String {
    let cwd = seen.session.meta.cwd.as_deref().unwrap_or_default();
    sanitize(&surroundings.tilde(Path::new(cwd))).into_owned()
}
