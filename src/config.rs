//! The configuration file and the state between runs: TOML text in, settings out.
//!
//! Uses no files and no environment. A mistake is reported with its line and its key. The caller
//! then continues with the defaults and the command in the file, or stops if that is not certain.

mod print;
mod words;

use std::collections::BTreeMap;

use ratatui::style::Color;
use serde::Deserialize;

use crate::list::Sort;
use crate::resume::{Asks, not_understood, words as split_words};
use crate::tui::{Accents, Density, Glyphs, Keymap, Memory, Palette, Panes, Reach, Switch};
use words::{auto_or_word, word};

pub use print::{effective, remembered};

/// What names a program that copies.
const COPY_COMMAND: &str = "[\"program\", \"argument\"], or [] for the terminal alone";

/// The content of a file. Missing settings are `None` or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    #[serde(deserialize_with = "word")]
    pub scope: Option<Reach>,
    #[serde(deserialize_with = "word")]
    pub sort: Option<Sort>,
    pub mouse: Option<bool>,
    pub layout: LayoutSection,
    pub theme: ThemeSection,
    pub claude: ClaudeSection,
    pub ask: AskSection,
    pub cache: CacheSection,
    pub clipboard: ClipboardSection,
    pub keys: BTreeMap<String, Keys>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayoutSection {
    pub preview: Option<bool>,
    pub side: Option<Percent>,
    pub stacked: Option<Percent>,
    pub reading: Option<Percent>,
    #[serde(deserialize_with = "word")]
    pub rows: Option<Density>,
}

/// A share of the screen, from 20 to 80.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub struct Percent(u16);

impl TryFrom<i64> for Percent {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        match u16::try_from(number) {
            Ok(percent @ 20..=80) => Ok(Self(percent)),
            _ => Err(format!("{number} is not between 20 and 80")),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ThemeSection {
    #[serde(alias = "colour", deserialize_with = "auto_or_word")]
    pub color: Option<Palette>,
    #[serde(deserialize_with = "auto_or_word")]
    pub glyphs: Option<Glyphs>,
    #[serde(deserialize_with = "word")]
    pub you: Option<Color>,
    #[serde(deserialize_with = "word")]
    pub live: Option<Color>,
    #[serde(deserialize_with = "word")]
    pub attention: Option<Color>,
    #[serde(deserialize_with = "word")]
    pub broken: Option<Color>,
}

/// When to ask before a session is resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AskSection {
    pub branch: Option<bool>,
    pub tokens: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CacheSection {
    pub enabled: Option<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClipboardSection {
    /// A program and its arguments; empty for the terminal alone.
    pub command: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClaudeSection {
    pub command: Option<String>,
    pub arguments: Option<Vec<String>>,
}

/// One key or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Keys {
    One(String),
    Several(Vec<String>),
}

/// A mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ConfigError {
    pub line: usize,
    pub message: String,
    /// What to run nevertheless; `None` if the mistake may be about that, which has no substitute.
    pub claude: Option<ClaudeSection>,
}

/// The section that names the command, without the rest of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OnlyClaude {
    claude: ClaudeSection,
}

impl Config {
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        // The command comes first: no mistake elsewhere may hide one in it. In `[claude]` every key
        // is about the command, even a misspelled one, and so may be anything that is not TOML.
        let only: OnlyClaude =
            toml::from_str(text).map_err(|error| ConfigError::of(&error, text, None))?;
        let claude = only.claude;
        if let Some(command) = &claude.command
            && split_words(command).is_none()
        {
            return Err(ConfigError {
                line: line_of(text, "claude", "command"),
                message: format!("claude.command: {}", not_understood(command)),
                claude: None,
            });
        }
        let config: Self = toml::from_str(text).map_err(|error| {
            let is_known = claude != ClaudeSection::default() || !names_a_command(text);
            let mut error = ConfigError::of(&error, text, is_known.then(|| claude.clone()));
            let is_copy = error.message.starts_with("command: write ");
            if is_copy && error.line == line_of(text, "clipboard", "command") {
                error.message = format!("clipboard.command: write {COPY_COMMAND}");
            }
            error
        })?;
        if let Some([program, ..]) = config.clipboard.command.as_deref()
            && program.trim().is_empty()
        {
            return Err(ConfigError {
                line: line_of(text, "clipboard", "command"),
                message: format!("clipboard.command names no program: write {COPY_COMMAND}"),
                claude: Some(claude),
            });
        }
        for (name, keys) in &config.keys {
            let one = BTreeMap::from([(name.clone(), keys.list())]);
            Keymap::with(&one).map_err(|error| ConfigError {
                line: line_of(text, "keys", name),
                message: format!("keys.{name}: {error}"),
                claude: Some(claude.clone()),
            })?;
        }
        Ok(config)
    }

    pub fn keymap(&self) -> Keymap {
        let keys: BTreeMap<String, Vec<String>> = self
            .keys
            .iter()
            .map(|(name, keys)| (name.clone(), keys.list()))
            .collect();
        // Checked when it was read.
        Keymap::with(&keys).unwrap_or_default()
    }

    /// The settings to start with: from the file, or else from the last run.
    pub fn over(&self, remembered: &Self) -> Memory {
        let panes = Panes::default();
        let (own, last) = (&self.layout, &remembered.layout);
        let share = |own: Option<Percent>, last: Option<Percent>, default: u16| {
            own.or(last).map_or(default, |percent| percent.0)
        };
        Memory {
            reach: self.scope.or(remembered.scope).unwrap_or(Reach::Auto),
            order: self.sort.or(remembered.sort).unwrap_or_default(),
            panes: Panes {
                preview: switch(own.preview.or(last.preview).unwrap_or(true)),
                side: share(own.side, last.side, panes.side),
                stacked: share(own.stacked, last.stacked, panes.stacked),
                reading: share(own.reading, last.reading, panes.reading),
                density: own.rows.or(last.rows).unwrap_or(Density::Auto),
            },
        }
    }

    pub fn mouse(&self) -> Switch {
        switch(self.mouse.unwrap_or(true))
    }

    pub fn cache(&self) -> Switch {
        switch(self.cache.enabled.unwrap_or(true))
    }

    pub fn accents(&self) -> Accents {
        let default = Accents::default();
        Accents {
            you: self.theme.you.unwrap_or(default.you),
            live: self.theme.live.unwrap_or(default.live),
            attention: self.theme.attention.unwrap_or(default.attention),
            broken: self.theme.broken.unwrap_or(default.broken),
        }
    }

    /// When to ask before a session is resumed.
    pub fn asks(&self) -> Asks {
        let usual = Asks::default();
        Asks {
            branch: self.ask.branch.unwrap_or(usual.branch),
            tokens: self.ask.tokens.unwrap_or(usual.tokens),
        }
    }

    /// The program and its first arguments; empty for the default.
    pub fn command(&self) -> Vec<String> {
        self.claude
            .command
            .as_deref()
            .and_then(split_words)
            .unwrap_or_default()
    }
}

impl ConfigError {
    fn of(error: &toml::de::Error, text: &str, claude: Option<ClaudeSection>) -> Self {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        Self {
            line: before.matches('\n').count() + 1,
            message: named(text, start, error.message()),
            claude,
        }
    }
}

impl Keys {
    fn list(&self) -> Vec<String> {
        match self {
            Self::One(key) => vec![key.clone()],
            Self::Several(keys) => keys.clone(),
        }
    }
}

fn switch(on: bool) -> Switch {
    if on { Switch::On } else { Switch::Off }
}

/// A message with its key, if it does not name the key already.
fn named(text: &str, start: usize, message: &str) -> String {
    let line_start = text[..start.min(text.len())]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let key = line.split('=').next().unwrap_or_default().trim();
    let message = plain(&message.replace('\n', "; "));
    if key.is_empty() || message.contains(&format!("`{key}`")) {
        message
    } else {
        format!("{key}: {message}")
    }
}

/// What to write instead of a value of another type. The parser has words of its own for types.
fn plain(message: &str) -> String {
    if message.starts_with("data did not match any variant") {
        return "write a key, or a list of keys such as [\"alt-x\", \"f10\"]".to_owned();
    }
    let wrong = ["invalid type: ", "invalid value: "].iter();
    let mut wrong = wrong.filter_map(|opening| message.strip_prefix(opening));
    let Some((found, expected)) = wrong
        .next()
        .and_then(|rest| rest.rsplit_once(", expected "))
    else {
        return message.to_owned();
    };
    let wanted = match expected {
        "a sequence" => "a list, such as [\"one\", \"two\"]",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        "i64" => "a number from 20 to 80",
        "u64" => "a number that is not negative",
        _ => "a section",
    };
    let value = match found.split_once(' ') {
        Some((_, value)) => value.trim_matches('`'),
        None if found == "sequence" => "a list",
        None => "a section",
    };
    format!("write {wanted}, not {value}")
}

/// Is a command in the wrong section? It was meant to be run as well.
fn names_a_command(text: &str) -> bool {
    let table: toml::Table = text.parse().unwrap_or_default();
    let is_in = |table: &toml::Table| {
        let mut names = ["command", "arguments"].into_iter();
        names.any(|name| table.contains_key(name))
    };
    // The clipboard has a command of its own.
    let sections = table.iter().filter(|(name, _)| *name != "clipboard");
    is_in(&table) || sections.filter_map(|(_, it)| it.as_table()).any(is_in)
}

/// The line that sets a key of a section.
fn line_of(text: &str, section: &str, key: &str) -> usize {
    let header = format!("[{section}]");
    let start = text
        .lines()
        .position(|line| line.trim().starts_with(&header));
    let start = start.unwrap_or(0);
    let is_it = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with('='))
    };
    let found = text.lines().skip(start).position(is_it);
    found.map_or(1, |at| start + at + 1)
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
