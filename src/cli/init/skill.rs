//! `claude-resume init skill`: an Agent Skill, with which Claude Code finds earlier sessions.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::cli::Exit;
use crate::cli::surroundings::Surroundings;
use crate::edit::{private_folder, replace};
use crate::files;

const SKILL: &str = include_str!("../../../assets/skill/SKILL.md");

pub fn print() -> anyhow::Result<Exit> {
    io::stdout().write_all(SKILL.as_bytes())?;
    Ok(Exit::DONE)
}

/// Writes the skill into a config directory, after asking.
pub fn install(
    surroundings: &Surroundings,
    root: &Path,
    is_agreed: bool,
    is_forced: bool,
) -> anyhow::Result<Exit> {
    let folder = root.join("skills/claude-resume");
    let path = folder.join("SKILL.md");
    let name = surroundings.tilde(&path);
    match files::read_text(&path, files::SMALL) {
        Ok(known) if known == SKILL => {
            writeln!(io::stdout(), "{name} is up to date")?;
            return Ok(Exit::DONE);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        _ if !is_forced => bail!("{name}: there is another one: --force replaces it"),
        _ => {}
    }
    if !is_agreed {
        if !io::stdin().is_terminal() {
            bail!("{name}: would be written: --yes does it without a question");
        }
        write!(io::stderr(), "Write {name}? [y/N] ")?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            return Ok(Exit::NOTHING_FOUND);
        }
    }
    let unwritten = || format!("{name}: cannot be written");
    private_folder(&folder).with_context(unwritten)?;
    replace(&path, SKILL.as_bytes()).with_context(unwritten)?;
    writeln!(io::stdout(), "{name} written")?;
    Ok(Exit::DONE)
}
