//! `claude-resume init SHELL`: the shell integration, printed for the shell to read; and the skill.
//!
//! The sources are files (`assets/shell`) in which the name of the function and the keys are
//! filled in. Each part is independent, so that another widget is another part.

mod skill;

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::Exit;
use super::surroundings::{Surroundings, absolute};
use crate::resume::{Shell, printable_in};

/// Print shell integration: completion, a function, two keys; or a skill for Claude
///
/// Add it to the startup file of your shell:
///
///   ~/.bashrc      eval "$(claude-resume init bash)"
///   ~/.zshrc       eval "$(claude-resume init zsh)"   (after compinit)
///   config.fish    claude-resume init fish | source
///
/// `claude-resume init skill` prints an Agent Skill with which Claude Code finds earlier sessions;
/// with --install it is written to skills/claude-resume/SKILL.md in the config directory.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct InitCommand {
    #[arg(value_name = "SHELL|skill")]
    part: InitPart,

    /// With `skill`: write it to the config directory, after asking
    #[arg(long)]
    install: bool,

    /// With --install: do not ask
    #[arg(long, requires = "install")]
    yes: bool,

    /// With --install: replace a skill that differs
    #[arg(long, requires = "install")]
    force: bool,

    /// Name of the function that resumes a session, then changes to its directory
    #[arg(long, value_name = "NAME", default_value = "cr")]
    function: String,

    /// Key that opens the picker, such as ctrl-g or Alt+R; none for no key
    #[arg(long, value_name = "KEY", default_value = "ctrl-g")]
    key: String,

    /// Key that inserts a prompt from the history; none for no key
    #[arg(long, value_name = "KEY", default_value = "alt-g")]
    history_key: String,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InitPart {
    Bash,
    Zsh,
    Fish,
    Skill,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InitShell {
    Bash,
    Zsh,
    Fish,
}

impl InitCommand {
    /// The named roots are part of every call in the output.
    pub fn run(&self, surroundings: &Surroundings, roots: &[PathBuf]) -> anyhow::Result<Exit> {
        let shell = match self.part {
            InitPart::Bash => InitShell::Bash,
            InitPart::Zsh => InitShell::Zsh,
            InitPart::Fish => InitShell::Fish,
            InitPart::Skill if self.install => {
                // A directory that was named comes before the default one.
                let Some(root) = roots.first().or(surroundings.roots.first()) else {
                    bail!("no config directory: name one with --root");
                };
                return skill::install(surroundings, root, self.yes, self.force);
            }
            InitPart::Skill => return skill::print(),
        };
        if self.install {
            bail!("--install is for `init skill`");
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let begins = self
            .function
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !begins || !self.function.chars().all(is_name) {
            bail!(
                "--function: '{}' is not a name that every shell accepts: use letters, digits, _ and -, and begin with a letter or _",
                self.function
            );
        }
        let key = key_of("--key", &self.key)?;
        let history = key_of("--history-key", &self.history_key)?;
        if key == history && key != ShellKey::None {
            bail!("--key and --history-key are the same: {}", key.name());
        }
        let source = match shell {
            InitShell::Bash => concat!(
                include_str!("../../assets/shell/bash.bash"),
                include_str!("../../assets/shell/history.bash")
            ),
            InitShell::Zsh => concat!(
                include_str!("../../assets/shell/zsh.zsh"),
                include_str!("../../assets/shell/history.zsh")
            ),
            InitShell::Fish => concat!(
                include_str!("../../assets/shell/fish.fish"),
                include_str!("../../assets/shell/history.fish")
            ),
        };
        let quoting = match shell {
            InitShell::Bash | InitShell::Zsh => Shell::Sh,
            InitShell::Fish => Shell::Fish,
        };
        let mut always = String::new();
        for root in roots {
            let root = absolute(root)?;
            let words = ["--root".to_owned(), root.to_string_lossy().into_owned()];
            always.push(' ');
            always += &printable_in(&words, quoting);
        }
        let text = source
            .replace("@ROOTS@", &always)
            .replace("@CR@", &self.function)
            .replace("@KEY@", &key.name())
            .replace("@BIND@", &key.binding(shell))
            .replace("@HISTORY_KEY@", &history.name())
            .replace("@HISTORY_BIND@", &history.binding(shell));
        io::stdout().write_all(text.as_bytes())?;
        Ok(Exit::DONE)
    }
}

fn key_of(flag: &str, typed: &str) -> anyhow::Result<ShellKey> {
    let Some(key) = ShellKey::parse(typed) else {
        bail!("{flag}: '{typed}' is not a key: use the form Ctrl+G or alt-r, or none");
    };
    if let ShellKey::Control('c' | 'd' | 'i' | 'j' | 'm' | 'z') = key {
        bail!(
            "{flag}: {} is Tab, Enter or a signal in every terminal: use another key",
            key.name()
        );
    }
    Ok(key)
}

/// A key that every shell can bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShellKey {
    None,
    Control(char),
    Alt(char),
}

impl ShellKey {
    fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        if text == "none" {
            return Some(Self::None);
        }
        let (modifier, letter) = text.split_once(['-', '+'])?;
        let mut letters = letter.chars();
        let letter = letters.next().filter(char::is_ascii_lowercase)?;
        match (modifier, letters.next()) {
            ("ctrl" | "control" | "c", None) => Some(Self::Control(letter)),
            ("alt" | "meta" | "m", None) => Some(Self::Alt(letter)),
            _ => None,
        }
    }

    fn name(self) -> String {
        match self {
            Self::None => "No key".to_owned(),
            Self::Control(letter) => format!("Ctrl+{}", letter.to_ascii_uppercase()),
            Self::Alt(letter) => format!("Alt+{}", letter.to_ascii_uppercase()),
        }
    }

    /// The key as the shell writes it in its bindings.
    fn binding(self, shell: InitShell) -> String {
        match (self, shell) {
            (Self::None, _) => String::new(),
            (Self::Control(letter), InitShell::Bash) => format!("\\C-{letter}"),
            (Self::Control(letter), InitShell::Zsh) => format!("^{}", letter.to_ascii_uppercase()),
            (Self::Alt(letter), InitShell::Zsh) => format!("^[{letter}"),
            (Self::Control(letter), InitShell::Fish) => format!("\\c{letter}"),
            (Self::Alt(letter), InitShell::Bash | InitShell::Fish) => format!("\\e{letter}"),
        }
    }
}

#[cfg(test)]
#[path = "init_tests.rs"]
mod tests;
