//! Settings as TOML: the effective configuration for people, and what is remembered.

use std::fmt::Write;

use super::{Ansi, ColourName, Config};
use crate::list::Sort;
use crate::tui::{Density, Glyphs, Memory, Reach, Switch};

/// The whole configuration as it counts now, with what every line means.
pub fn effective(config: &Config, memory: &Memory) -> String {
    let mut out = String::new();
    let panes = &memory.panes;
    let colour = match config.theme.colour {
        Some(ColourName::Never) => "never",
        Some(ColourName::Auto) | None => "auto",
    };
    let glyphs = match config.glyphs() {
        Some(Glyphs::Unicode) => "unicode",
        Some(Glyphs::Ascii) => "ascii",
        None => "auto",
    };
    let accent = |ansi: Option<Ansi>, default: &'static str| ansi.map_or(default, name);
    let command = config.claude.command.as_deref().unwrap_or("claude");
    let arguments = config.claude.arguments.clone().unwrap_or_default();
    let arguments: Vec<String> = arguments.iter().map(|text| quoted(text)).collect();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\
# Which sessions to show first: \"repo\", \"all\", or \"auto\" (this repository if it has any).
scope = \"{scope}\"
# \"activity\", \"created\", \"size\" or \"title\".
sort = \"{sort}\"
# false leaves the mouse to the terminal, for selecting text.
mouse = {mouse}

[layout]
preview = {preview}
# The list's share in percent: beside the preview, above it on narrow screens, and above it
# while it is read.
side = {side}
stacked = {stacked}
reading = {reading}
# Lines a row: \"one\", \"two\", \"three\", or \"auto\" (by the height of the screen).
rows = \"{rows}\"

[theme]
# \"auto\" honours NO_COLOR; or \"never\".
colour = \"{colour}\"
# \"unicode\", \"ascii\", or \"auto\" (by the locale).
glyphs = \"{glyphs}\"
# Accents: default, black, red, green, yellow, blue, magenta, cyan, white, bright-red ...
you = \"{you}\"
live = \"{live}\"
attention = \"{attention}\"
broken = \"{broken}\"

[claude]
# What is run, as a shell would split it. CLAUDE_RESUME_COMMAND overrides it.
command = {command}
# Passed on with every resume, before those after `--`.
arguments = [{arguments}]

# What is worth a question before a session is resumed.
[ask]
# true asks if the session was on another branch than its directory; false only mentions it.
branch = {branch}
# Ask before a context of at least this many tokens is sent uncached; 0 never asks.
tokens = {tokens}

# A key or a list of keys for each action: ctrl-t, alt-h, shift-left, f5, enter, ?
[keys]
",
        scope = reach(memory.reach),
        sort = order(memory.order),
        mouse = config.mouse() == Switch::On,
        preview = panes.preview == Switch::On,
        side = panes.side,
        stacked = panes.stacked,
        reading = panes.reading,
        rows = rows(panes.density),
        you = accent(config.theme.you, "cyan"),
        live = accent(config.theme.live, "green"),
        attention = accent(config.theme.attention, "yellow"),
        broken = accent(config.theme.broken, "red"),
        command = quoted(command),
        arguments = arguments.join(", "),
        branch = config.asks().branch,
        tokens = config.asks().tokens,
    );
    for (binding, chords) in config.keymap().lines() {
        let keys: Vec<String> = chords
            .iter()
            .map(|chord| quoted(&chord.configured()))
            .collect();
        let line = format!("{} = [{}]", binding.name, keys.join(", "));
        let _ = writeln!(out, "{line:<52} # {}", binding.help);
    }
    out
}

/// The state file: what the picker was left with.
pub fn remembered(memory: &Memory) -> String {
    let panes = &memory.panes;
    format!(
        "# Written by claude-resume: how the picker was left.\n\
         scope = \"{}\"\nsort = \"{}\"\n\n\
         [layout]\npreview = {}\nside = {}\nstacked = {}\nreading = {}\nrows = \"{}\"\n",
        reach(memory.reach),
        order(memory.order),
        panes.preview == Switch::On,
        panes.side,
        panes.stacked,
        panes.reading,
        rows(panes.density),
    )
}

fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Auto => "auto",
        Reach::Here => "repo",
        Reach::All => "all",
    }
}

fn order(order: Sort) -> &'static str {
    match order {
        Sort::Activity => "activity",
        Sort::Created => "created",
        Sort::Size => "size",
        Sort::Title => "title",
    }
}

fn rows(density: Density) -> &'static str {
    match density {
        Density::Auto => "auto",
        Density::One => "one",
        Density::Two => "two",
        Density::Three => "three",
    }
}

fn name(ansi: Ansi) -> &'static str {
    match ansi {
        Ansi::Default => "default",
        Ansi::Black => "black",
        Ansi::Red => "red",
        Ansi::Green => "green",
        Ansi::Yellow => "yellow",
        Ansi::Blue => "blue",
        Ansi::Magenta => "magenta",
        Ansi::Cyan => "cyan",
        Ansi::White => "white",
        Ansi::BrightBlack => "bright-black",
        Ansi::BrightRed => "bright-red",
        Ansi::BrightGreen => "bright-green",
        Ansi::BrightYellow => "bright-yellow",
        Ansi::BrightBlue => "bright-blue",
        Ansi::BrightMagenta => "bright-magenta",
        Ansi::BrightCyan => "bright-cyan",
        Ansi::BrightWhite => "bright-white",
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
