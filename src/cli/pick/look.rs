//! Colors and glyphs: what the configuration wants, and what the terminal can show.

use std::env;

use crate::config::Config;
use crate::tui::{Glyphs, Palette, Theme};

pub fn theme(config: &Config) -> Theme {
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Theme {
        palette: if no_color {
            Palette::Plain
        } else {
            config.theme.color.unwrap_or(Palette::Ansi)
        },
        glyphs: config.theme.glyphs.unwrap_or_else(glyphs),
        accents: config.accents(),
    }
}

/// The glyphs that the locale can show. Without a locale UTF-8 is assumed; the Linux console has
/// only a few hundred glyphs.
pub fn glyphs() -> Glyphs {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let utf8 = locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    let console = env::var_os("TERM").is_some_and(|term| term == "linux");
    if utf8 && !console {
        Glyphs::Unicode
    } else {
        Glyphs::Ascii
    }
}
