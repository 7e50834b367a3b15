//! The programs that the environment names: the person's pager and editor, and what to run for
//! Claude Code.

use std::env;

use anyhow::bail;

use crate::resume::{not_understood, words};
use crate::tui::Programs;

/// `$PAGER` and `$EDITOR` (or `$VISUAL`), as words: no shell sees them. Each stands in for the
/// other where only one is set. A pager that only prints shows nothing on a screen that comes
/// back at once.
pub fn programs() -> Programs {
    let set = |name: &str| words(&env::var(name).ok()?);
    let prints = |words: &Vec<String>| words.first().is_some_and(|word| word == "cat");
    let pager = set("PAGER").filter(|words| !prints(words));
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    let less = || vec!["less".to_owned()];
    Programs {
        pager: pager
            .clone()
            .or_else(|| editor.clone())
            .unwrap_or_else(less),
        editor: editor.or(pager).unwrap_or_else(less),
    }
}

const COMMAND: &str = "CLAUDE_RESUME_COMMAND";

/// The command that the environment names for Claude Code, if it names one. What cannot be
/// understood is told: to run something else instead would be a surprise.
pub fn claude() -> anyhow::Result<Option<Vec<String>>> {
    let Some(set) = env::var_os(COMMAND).filter(|set| !set.is_empty()) else {
        return Ok(None);
    };
    let Some(command) = set.to_str() else {
        bail!("{COMMAND}: is no UTF-8: set it anew or unset it");
    };
    match words(command) {
        Some(words) => Ok(Some(words)),
        None => bail!(
            "{COMMAND}: {}; set it anew or unset it",
            not_understood(command)
        ),
    }
}
