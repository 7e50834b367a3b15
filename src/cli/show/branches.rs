//! `show --branches`: every end that the conversation has had.

use std::io::Write;

use super::{Shown, open};
use crate::cli::surroundings::Surroundings;
use crate::text::{age, sanitize};

/// One branch a line: where it left, how many turns it has of its own, its age, its last prompt,
/// and the id of its last entry for `--leaf`.
pub fn print(
    out: &mut impl Write,
    shown: &Shown,
    surroundings: &Surroundings,
) -> anyhow::Result<()> {
    let now = surroundings.now.timestamp_millis();
    for branch in shown.tree().branches(open(&shown.path)?)? {
        let place = match (branch.is_shown, &branch.left_at) {
            (true, _) => "* shown".to_owned(),
            (false, Some(_)) => format!("  left after turn {}", branch.shared_turns),
            (false, None) => "  began anew".to_owned(),
        };
        let turns = match branch.turns {
            1 => "1 turn".to_owned(),
            turns => format!("{turns} turns"),
        };
        let when = branch.at.map_or_else(String::new, |at| age(at, now));
        let prompt = branch.last_prompt.as_deref().unwrap_or_default();
        writeln!(
            out,
            "{place:<22} {turns:>9} {when:>5}  {}  \"{}\"",
            sanitize(&branch.leaf),
            sanitize(prompt)
        )?;
    }
    Ok(())
}
