//! Settings with a few named values: the names, for reading and for printing.

use ratatui::style::Color;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::list::Sort;
use crate::tui::{Density, Glyphs, Palette, Reach};

/// A type whose values have names in the configuration.
pub trait NamedValues: Copy + PartialEq + 'static {
    const NAMES: &'static [(&'static str, Self)];

    /// The name of this value.
    fn word(self) -> &'static str {
        let mut words = Self::NAMES.iter();
        words
            .find(|(_, value)| *value == self)
            .map_or("auto", |(name, _)| name)
    }
}

impl NamedValues for Reach {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("repo", Self::Here),
        ("all", Self::All),
    ];
}

impl NamedValues for Sort {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("activity", Self::Activity),
        ("created", Self::Created),
        ("size", Self::Size),
        ("title", Self::Title),
    ];
}

impl NamedValues for Density {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("one", Self::One),
        ("two", Self::Two),
        ("three", Self::Three),
    ];
}

impl NamedValues for Palette {
    const NAMES: &'static [(&'static str, Self)] = &[("never", Self::Plain)];
}

impl NamedValues for Glyphs {
    const NAMES: &'static [(&'static str, Self)] =
        &[("unicode", Self::Unicode), ("ascii", Self::Ascii)];
}

/// The terminal's own colors.
impl NamedValues for Color {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("default", Self::Reset),
        ("black", Self::Black),
        ("red", Self::Red),
        ("green", Self::Green),
        ("yellow", Self::Yellow),
        ("blue", Self::Blue),
        ("magenta", Self::Magenta),
        ("cyan", Self::Cyan),
        ("white", Self::Gray),
        ("bright-black", Self::DarkGray),
        ("bright-red", Self::LightRed),
        ("bright-green", Self::LightGreen),
        ("bright-yellow", Self::LightYellow),
        ("bright-blue", Self::LightBlue),
        ("bright-magenta", Self::LightMagenta),
        ("bright-cyan", Self::LightCyan),
        ("bright-white", Self::White),
    ];
}

/// Reads one of the names.
pub fn word<'de, D: Deserializer<'de>, T: NamedValues>(from: D) -> Result<Option<T>, D::Error> {
    let given = String::deserialize(from)?;
    find(&given, "").map(Some)
}

/// Reads one of the names, or `auto` for none.
pub fn auto_or_word<'de, D: Deserializer<'de>, T: NamedValues>(
    from: D,
) -> Result<Option<T>, D::Error> {
    match String::deserialize(from)?.as_str() {
        "auto" => Ok(None),
        given => find(given, "auto, ").map(Some),
    }
}

fn find<T: NamedValues, E: Error>(given: &str, others: &str) -> Result<T, E> {
    let found = T::NAMES.iter().find(|(name, _)| *name == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
        E::custom(format!(
            "\"{given}\" is not one of {others}{}",
            names.join(", ")
        ))
    })
}
