//! The programs that the environment names: the person's pager and editor, and what to run for
//! Claude Code.

use std::env;

use anyhow::bail;

use crate::cli::surroundings::Surroundings;
use crate::resume::{Program, anchored, not_understood, program, words};
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

/// A command that is the same program from every directory. A session's own directory may have one
/// of this name, which a search path with a relative folder in it would lead to.
pub fn pinned(command: Vec<String>, surroundings: &Surroundings) -> Vec<String> {
    let here = surroundings.current_dir.as_deref();
    let mut command = anchored(command, here, surroundings.home());
    let folders = env::var_os("PATH").unwrap_or_default();
    if !env::split_paths(&folders).any(|folder| folder.is_relative()) {
        return command;
    }
    let name = command.first().map_or("claude", String::as_str);
    if let (Program::Found(path), Some(here)) = (program(name, Some(&folders), here), here) {
        let path = here.join(path).to_string_lossy().into_owned();
        match command.first_mut() {
            Some(first) => *first = path,
            None => command.push(path),
        }
        return anchored(command, Some(here), None);
    }
    command
}
