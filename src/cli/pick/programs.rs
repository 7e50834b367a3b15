//! The programs that the environment names: pager, editor, clipboard, and the command for Claude Code.

use std::env;

use anyhow::bail;

use crate::cli::surroundings::Surroundings;
use crate::resume::{Program, anchored, not_understood, program, words};
use crate::tui::{ClipboardEnv, Programs, System, VARIABLES};

/// `$PAGER` and `$VISUAL` or `$EDITOR`, as words, without a shell. If only one is set, it serves as
/// both. A pager that only prints, such as cat, would flash by.
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

/// What decides how texts get to a clipboard.
pub fn clipboard(command: Option<Vec<String>>, surroundings: &Surroundings) -> ClipboardEnv {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let here = surroundings.current_dir.as_deref();
    let folders = env::var_os("PATH").unwrap_or_default();
    // A program of the current directory must not get what is copied.
    let absolute = env::split_paths(&folders).filter(|folder| folder.is_absolute());
    ClipboardEnv {
        command: command.map(|command| anchored(command, here, surroundings.home())),
        system: if cfg!(target_os = "macos") {
            System::MacOs
        } else if cfg!(windows) {
            System::Windows
        } else {
            System::Other
        },
        set: VARIABLES.into_iter().filter(is_set).collect(),
        search_path: env::join_paths(absolute).ok(),
    }
}

const COMMAND: &str = "CLAUDE_RESUME_COMMAND";

/// The command for Claude Code in the environment, if it is set. One that cannot be parsed is an
/// error: running something else instead would be a surprise.
pub fn claude() -> anyhow::Result<Option<Vec<String>>> {
    let Some(set) = env::var_os(COMMAND).filter(|set| !set.is_empty()) else {
        return Ok(None);
    };
    let Some(command) = set.to_str() else {
        bail!("{COMMAND}: not UTF-8: correct or unset it");
    };
    match words(command) {
        Some(words) => Ok(Some(words)),
        None => bail!(
            "{COMMAND}: {}; correct or unset it",
            not_understood(command)
        ),
    }
}

/// A command that is the same program from every directory. With a relative folder in the search
/// path, a session's own directory could provide another program of this name.
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
