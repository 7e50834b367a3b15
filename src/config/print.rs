//! Settings as TOML: the effective configuration, and the state between runs.

use std::fmt::Write;

use super::Config;
use super::words::NamedValues;
use crate::tui::{Memory, Switch};

/// The whole effective configuration, with comments.
pub fn effective(config: &Config, memory: &Memory) -> String {
    let mut out = String::new();
    let panes = &memory.panes;
    let accents = config.accents();
    let command = config.claude.command.as_deref().unwrap_or("claude");
    let arguments = config.claude.arguments.clone().unwrap_or_default();
    let list = |words: &[String]| {
        let words: Vec<String> = words.iter().map(|text| quoted(text)).collect();
        words.join(", ")
    };
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\
# Sessions to show first: \"repo\", \"all\", or \"auto\" (this repository if it has any).
scope = \"{scope}\"
# \"activity\", \"created\", \"size\" or \"title\".
sort = \"{sort}\"
# false leaves the mouse to the terminal, for selecting text.
mouse = {mouse}

[layout]
preview = {preview}
# The list's share of the screen in percent: next to the preview, above it on narrow screens,
# and above it while reading.
side = {side}
stacked = {stacked}
reading = {reading}
# Lines per row: \"one\", \"two\", \"three\", or \"auto\" (by the height of the screen).
rows = \"{rows}\"

[theme]
# \"auto\" respects NO_COLOR; or \"never\".
color = \"{color}\"
# \"unicode\", \"ascii\", or \"auto\" (by the locale).
glyphs = \"{glyphs}\"
# Accents: default, black, red, green, yellow, blue, magenta, cyan, white, bright-red ...
you = \"{you}\"
live = \"{live}\"
attention = \"{attention}\"
broken = \"{broken}\"

[claude]
# The command to run, split as in a shell. CLAUDE_RESUME_COMMAND overrides it.
command = {command}
# Arguments for every resume, before those after `--`.
arguments = [{arguments}]

# When to ask before a session is resumed.
[ask]
# true asks if the directory is on another branch than the session; false only mentions it.
branch = {branch}
# Ask before sending an uncached context of at least this many tokens; 0 never asks.
tokens = {tokens}

# What was read is kept for the next run, where only you can read it: see `claude-resume cache`.
[cache]
enabled = {cache}

# The program that copies, and its arguments: it reads the text from stdin. It is tried first; [] leaves
# all copying to the terminal (OSC 52). Without this line the programs of the desktop and tmux are tried.
[clipboard]
{clipboard}

# A key or a list of keys for each action: ctrl-t, alt-h, shift-left, f5, enter, ?
[keys]
",
        scope = memory.reach.word(),
        sort = memory.order.word(),
        mouse = config.mouse() == Switch::On,
        preview = panes.preview == Switch::On,
        side = panes.side,
        stacked = panes.stacked,
        reading = panes.reading,
        rows = panes.density.word(),
        color = config.theme.color.map_or("auto", NamedValues::word),
        glyphs = config.theme.glyphs.map_or("auto", NamedValues::word),
        you = accents.you.word(),
        live = accents.live.word(),
        attention = accents.attention.word(),
        broken = accents.broken.word(),
        command = quoted(command),
        arguments = list(&arguments),
        branch = config.asks().branch,
        tokens = config.asks().tokens,
        cache = config.cache() == Switch::On,
        clipboard = match &config.clipboard.command {
            Some(command) => format!("command = [{}]", list(command)),
            None => "# command = [\"xclip\", \"-selection\", \"clipboard\"]".to_owned(),
        },
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

/// The state file: the settings at the end of a run.
pub fn remembered(memory: &Memory) -> String {
    let panes = &memory.panes;
    format!(
        "# Written by claude-resume: the last settings of the picker.\n\
         scope = \"{}\"\nsort = \"{}\"\n\n\
         [layout]\npreview = {}\nside = {}\nstacked = {}\nreading = {}\nrows = \"{}\"\n",
        memory.reach.word(),
        memory.order.word(),
        panes.preview == Switch::On,
        panes.side,
        panes.stacked,
        panes.reading,
        panes.density.word(),
    )
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
