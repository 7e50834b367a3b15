//! The configuration file and what is remembered between runs: TOML text in, settings out.
//!
//! Knows no files and no environment. A mistake is reported with its line and its key; whoever
//! reads the file then goes on with the defaults and the command that the file names, or not at
//! all if that is not known.

mod print;

use std::collections::BTreeMap;

use ratatui::style::Color;
use serde::Deserialize;

use crate::list::Sort;
use crate::resume::{Asks, not_understood, words};
use crate::tui::{Accents, Density, Glyphs, Keymap, Memory, Panes, Reach, Switch};

pub use print::{effective, remembered};

/// What a file says. Whatever it leaves out is `None` or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub scope: Option<ScopeName>,
    pub sort: Option<SortName>,
    pub mouse: Option<bool>,
    pub layout: Panels,
    pub theme: Look,
    pub claude: Claude,
    pub ask: AskAbout,
    pub keys: BTreeMap<String, Keys>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeName {
    Auto,
    Repo,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortName {
    Activity,
    Created,
    Size,
    Title,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Panels {
    pub preview: Option<bool>,
    pub side: Option<Percent>,
    pub stacked: Option<Percent>,
    pub reading: Option<Percent>,
    pub rows: Option<RowsName>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowsName {
    Auto,
    One,
    Two,
    Three,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    pub colour: Option<ColourName>,
    pub glyphs: Option<GlyphsName>,
    pub you: Option<Ansi>,
    pub live: Option<Ansi>,
    pub attention: Option<Ansi>,
    pub broken: Option<Ansi>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourName {
    Auto,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GlyphsName {
    Auto,
    Unicode,
    Ascii,
}

/// One of the terminal's own colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ansi {
    Default,
    Black,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    White,
    BrightBlack,
    BrightRed,
    BrightGreen,
    BrightYellow,
    BrightBlue,
    BrightMagenta,
    BrightCyan,
    BrightWhite,
}

impl Ansi {
    fn colour(self) -> Color {
        match self {
            Self::Default => Color::Reset,
            Self::Black => Color::Black,
            Self::Red => Color::Red,
            Self::Green => Color::Green,
            Self::Yellow => Color::Yellow,
            Self::Blue => Color::Blue,
            Self::Magenta => Color::Magenta,
            Self::Cyan => Color::Cyan,
            Self::White => Color::Gray,
            Self::BrightBlack => Color::DarkGray,
            Self::BrightRed => Color::LightRed,
            Self::BrightGreen => Color::LightGreen,
            Self::BrightYellow => Color::LightYellow,
            Self::BrightBlue => Color::LightBlue,
            Self::BrightMagenta => Color::LightMagenta,
            Self::BrightCyan => Color::LightCyan,
            Self::BrightWhite => Color::White,
        }
    }
}

/// What is worth a question before a session is resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AskAbout {
    pub branch: Option<bool>,
    pub tokens: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Claude {
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

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ConfigError {
    pub line: usize,
    pub message: String,
    pub touches: Touches,
    /// What is run nevertheless, as far as the file says it.
    pub claude: Claude,
}

/// What a mistake is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touches {
    /// How it looks and feels: the defaults do.
    Manners,
    /// Which program is run: no other one will do.
    Command,
}

/// The part of a file that says what is run, whatever else is in it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OnlyClaude {
    claude: Claude,
}

impl Config {
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        // What is run is judged first: no mistake in how it looks may hide one in that.
        let claude = match toml::from_str::<OnlyClaude>(text) {
            Ok(only) => only.claude,
            Err(error) => {
                // A text that is no TOML may name a command anywhere. Under `[claude]` everything
                // says what is run, however it is spelled.
                let touches = match text.parse::<toml::Table>() {
                    Ok(_) => touched_by(text, &["claude", "command", "arguments"]),
                    Err(_) => Touches::Command,
                };
                return Err(ConfigError::of(&error, text, touches, Claude::default()));
            }
        };
        if let Some(command) = &claude.command
            && words(command).is_none()
        {
            return Err(ConfigError {
                line: line_of(text, "command"),
                message: format!("claude.command: {}", not_understood(command)),
                touches: Touches::Command,
                claude,
            });
        }
        let config: Self = toml::from_str(text).map_err(|error| {
            // A command in a place where nobody looks for one was meant to be run as well.
            let touches = if claude == Claude::default() {
                touched_by(text, &["command", "arguments"])
            } else {
                Touches::Manners
            };
            ConfigError::of(&error, text, touches, claude.clone())
        })?;
        for (name, keys) in &config.keys {
            let one = BTreeMap::from([(name.clone(), keys.list())]);
            Keymap::with(&one).map_err(|error| ConfigError {
                line: line_of(text, name),
                message: format!("keys.{name}: {error}"),
                touches: Touches::Manners,
                claude: claude.clone(),
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

    /// The settings to start with: what the file says, else what is remembered.
    pub fn over(&self, remembered: &Self) -> Memory {
        let panes = Panes::default();
        let layout = |pick: fn(&Panels) -> Option<Percent>, default: u16| {
            pick(&self.layout)
                .or_else(|| pick(&remembered.layout))
                .map_or(default, |percent| percent.0)
        };
        let preview = self.layout.preview.or(remembered.layout.preview);
        Memory {
            reach: match self.scope.or(remembered.scope) {
                Some(ScopeName::Repo) => Reach::Here,
                Some(ScopeName::All) => Reach::All,
                Some(ScopeName::Auto) | None => Reach::Auto,
            },
            order: match self.sort.or(remembered.sort) {
                Some(SortName::Created) => Sort::Created,
                Some(SortName::Size) => Sort::Size,
                Some(SortName::Title) => Sort::Title,
                Some(SortName::Activity) | None => Sort::Activity,
            },
            panes: Panes {
                preview: switch(preview.unwrap_or(true)),
                side: layout(|panels| panels.side, panes.side),
                stacked: layout(|panels| panels.stacked, panes.stacked),
                reading: layout(|panels| panels.reading, panes.reading),
                density: match self.layout.rows.or(remembered.layout.rows) {
                    Some(RowsName::One) => Density::One,
                    Some(RowsName::Two) => Density::Two,
                    Some(RowsName::Three) => Density::Three,
                    Some(RowsName::Auto) | None => Density::Auto,
                },
            },
        }
    }

    pub fn mouse(&self) -> Switch {
        switch(self.mouse.unwrap_or(true))
    }

    pub fn accents(&self) -> Accents {
        let default = Accents::default();
        let pick = |ansi: Option<Ansi>, default| ansi.map_or(default, Ansi::colour);
        Accents {
            you: pick(self.theme.you, default.you),
            live: pick(self.theme.live, default.live),
            attention: pick(self.theme.attention, default.attention),
            broken: pick(self.theme.broken, default.broken),
        }
    }

    /// The signs that the file asks for; `None` if the terminal is to decide.
    pub fn glyphs(&self) -> Option<Glyphs> {
        match self.theme.glyphs {
            Some(GlyphsName::Unicode) => Some(Glyphs::Unicode),
            Some(GlyphsName::Ascii) => Some(Glyphs::Ascii),
            Some(GlyphsName::Auto) | None => None,
        }
    }

    /// What to ask about before a session is resumed.
    pub fn asks(&self) -> Asks {
        let usual = Asks::default();
        Asks {
            branch: self.ask.branch.unwrap_or(usual.branch),
            tokens: self.ask.tokens.unwrap_or(usual.tokens),
        }
    }

    /// The program and its first arguments.
    pub fn command(&self) -> Vec<String> {
        self.claude
            .command
            .as_deref()
            .and_then(words)
            .unwrap_or_default()
    }
}

impl ConfigError {
    fn of(error: &toml::de::Error, text: &str, touches: Touches, claude: Claude) -> Self {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        Self {
            line: before.matches('\n').count() + 1,
            message: named(text, start, error.message()),
            touches,
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

/// A mistake with the key it is about, if the message does not name it already.
fn named(text: &str, start: usize, message: &str) -> String {
    let line_start = text[..start.min(text.len())]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let key = line.split('=').next().unwrap_or_default().trim();
    let message = message.replace('\n', "; ");
    if key.is_empty() || message.contains(&format!("`{key}`")) {
        message
    } else {
        format!("{key}: {message}")
    }
}

/// What a mistake is about in a file that was not understood: what is run, if one of the words
/// that say so stands in it.
fn touched_by(text: &str, telling: &[&str]) -> Touches {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    // What stands behind a `#` is a comment, or the rest of a value.
    let code = text.lines().filter_map(|line| line.split('#').next());
    let mut words = code.flat_map(|line| line.split(|c| !is_part(c)));
    if words.any(|word| telling.contains(&word)) {
        Touches::Command
    } else {
        Touches::Manners
    }
}

/// The line that sets a key.
fn line_of(text: &str, key: &str) -> usize {
    let is_it = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with('='))
    };
    text.lines().position(is_it).map_or(1, |at| at + 1)
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
