//! `show --branches`: every branch of the conversation.

use std::io::Write;

use super::shown::Shown;
use crate::cli::counted;
use crate::cli::surroundings::Surroundings;
use crate::text::{age, sanitize};

/// One branch per line: where it branched off, its number of turns, its age, the id of its last
/// entry for `--leaf`, and its last prompt. A star marks the one that resuming takes.
pub fn print(
    out: &mut impl Write,
    shown: &Shown,
    surroundings: &Surroundings,
) -> anyhow::Result<()> {
    let now = surroundings.now.timestamp_millis();
    for branch in &shown.branches {
        let mark = if branch.is_resumed { "*" } else { " " };
        let place = match (branch.is_shown, &branch.left_at) {
            (true, _) => format!("{mark} shown"),
            (false, Some(_)) => format!("{mark} left after turn {}", branch.shared_turns),
            (false, None) if branch.is_cut_off => format!("{mark} cut off by damage"),
            (false, None) => format!("{mark} started over"),
        };
        let turns = counted(branch.turns, "turn");
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
