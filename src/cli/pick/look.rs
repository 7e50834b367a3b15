//! Colours and signs: what the person wants, and what the terminal can show.

use std::env;

use crate::config::{ColourName, Config};
use crate::tui::{Glyphs, Palette, Theme};

pub fn theme(config: &Config) -> Theme {
    let no_colour = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let never = config.theme.colour == Some(ColourName::Never);
    Theme {
        palette: if no_colour || never {
            Palette::Plain
        } else {
            Palette::Ansi
        },
        glyphs: config.glyphs().unwrap_or_else(glyphs),
        accents: config.accents(),
    }
}

/// What the locale can show. One that is not set at all says nothing against it; the Linux
/// console has no glyphs beyond its few hundred.
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
