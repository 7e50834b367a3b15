//! `claude-resume init SHELL`: what a shell needs to know, printed for it to read.
//!
//! The sources are files of their own (`assets/shell`), with the name of the function and the key
//! put in here. Each part stands alone, so that another widget is another part.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::Outcome;
use crate::resume::{Shell, printable_in};

/// Print shell integration: completion, a function, a key
///
/// In ~/.bashrc: eval "$(claude-resume init bash)"; in ~/.zshrc, behind compinit:
/// eval "$(claude-resume init zsh)"; in config.fish: claude-resume init fish | source
#[derive(Debug, Args)]
pub struct Init {
    shell: InitShell,

    /// The name of the function that resumes a session and leaves the shell in its directory
    #[arg(long, value_name = "NAME", default_value = "cr")]
    function: String,

    /// The key that opens the picker: ctrl-g, Alt+R ...; none for no key
    #[arg(long, value_name = "KEY", default_value = "ctrl-g")]
    key: String,

    /// The key that puts a prompt of the history into the line; none for no key
    #[arg(long, value_name = "KEY", default_value = "alt-g")]
    history_key: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InitShell {
    Bash,
    Zsh,
    Fish,
}

impl Init {
    /// The roots that were named count for every call that is printed.
    pub fn run(&self, roots: &[PathBuf]) -> anyhow::Result<Outcome> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let begins = self
            .function
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !begins || !self.function.chars().all(is_name) {
            bail!(
                "--function: '{}' is no name that every shell takes",
                self.function
            );
        }
        let key = key_of("--key", &self.key)?;
        let history = key_of("--history-key", &self.history_key)?;
        if key == history && key != Key::None {
            bail!("--key and --history-key are the same: {}", key.name());
        }
        let source = match self.shell {
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
        let mut always = String::new();
        for root in roots {
            let root = std::path::absolute(root)
                .with_context(|| format!("{}: cannot be made absolute", root.display()))?;
            let words = ["--root".to_owned(), root.to_string_lossy().into_owned()];
            always.push(' ');
            always += &printable_in(&words, self.shell.family());
        }
        let text = source
            .replace("@ROOTS@", &always)
            .replace("@CR@", &self.function)
            .replace("@KEY@", &key.name())
            .replace("@BIND@", &key.binding(self.shell))
            .replace("@HISTORY_KEY@", &history.name())
            .replace("@HISTORY_BIND@", &history.binding(self.shell));
        io::stdout().write_all(text.as_bytes())?;
        Ok(Outcome::Done)
    }
}

impl InitShell {
    fn family(self) -> Shell {
        match self {
            Self::Bash | Self::Zsh => Shell::Sh,
            Self::Fish => Shell::Fish,
        }
    }
}

fn key_of(flag: &str, typed: &str) -> anyhow::Result<Key> {
    let Some(key) = Key::parse(typed) else {
        bail!("{flag}: '{typed}' is no key: write it like Ctrl+G or alt-r, or none");
    };
    if let Key::Control('c' | 'd' | 'i' | 'j' | 'm' | 'z') = key {
        bail!(
            "{flag}: {} is Tab, Enter or a signal to every terminal: take another one",
            key.name()
        );
    }
    Ok(key)
}

/// A key that every shell can bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    None,
    Control(char),
    Alt(char),
}

impl Key {
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

    /// As the shell writes it in its own table of keys.
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
