//! Which user text names a session: what the user asked, on one line.

use std::borrow::Cow;

use super::user_text::UserText;

/// Longest prompt in a listing, in UTF-16 units. The same cut as Anthropic's SDK makes.
pub const PROMPT_UNITS: usize = 200;

/// Commands that Claude Code carries out itself. Any other one is a prompt if it has arguments: so
/// Claude Code's own picker of version 2.1.325 was seen to name sessions.
const BUILT_IN: &str = "\
    add-dir agents branch bug clear compact config context cost effort exit export fast fork \
    goal help hooks ide init login logout loop mcp memory model permissions plan plugin \
    release-notes rename resume rewind security-review skills status statusline tasks theme \
    usage vim";

fn is_built_in(command: &str) -> bool {
    let name = command.trim_start_matches('/');
    BUILT_IN.split(' ').any(|known| known == name)
}

/// Is this stored prompt a `UserPrompt::Command`? A path that is asked about is none.
pub fn is_command(prompt: &str) -> bool {
    let (name, arguments) = prompt.split_once(' ').unwrap_or((prompt, ""));
    let is_name = |name: &str| !name.is_empty() && !name.contains('/');
    name.strip_prefix('/').is_some_and(is_name)
        && (arguments.trim().is_empty() || is_built_in(name))
}

/// What one text of a user line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserPrompt<'a> {
    /// Typed by the user: a prompt, `! command` for a shell line, or a command that is a prompt.
    Typed(Cow<'a, str>),
    /// Any other slash command: names a session only when nothing better does.
    Command(String),
    /// Written by the program.
    Machine,
}

impl<'a> UserPrompt<'a> {
    pub fn of(text: &'a str) -> Self {
        match UserText::of(text) {
            UserText::Typed(text) => Self::Typed(text.into()),
            UserText::Shell(command) => Self::Typed(format!("! {command}").into()),
            UserText::Command { name, arguments } => {
                let command = format!("{name} {arguments}").trim_end().to_owned();
                if arguments.is_empty() || is_built_in(name) {
                    Self::Command(command)
                } else {
                    Self::Typed(command.into())
                }
            }
            UserText::CommandOutput(_)
            | UserText::ShellOutput { .. }
            | UserText::Interrupted
            | UserText::Machine => Self::Machine,
        }
    }
}

/// A text on one line, cut to `PROMPT_UNITS`; `None` if nothing visible is left.
pub fn one_line(text: &str) -> Option<Box<str>> {
    let flat = if text.contains('\n') {
        Cow::Owned(text.replace('\n', " "))
    } else {
        Cow::Borrowed(text)
    };
    let flat = flat.trim();
    if flat.is_empty() {
        return None;
    }
    // No string has more UTF-16 units than bytes.
    if flat.len() <= PROMPT_UNITS {
        return Some(flat.into());
    }
    let mut units = 0;
    let cut = flat.char_indices().find_map(|(at, c)| {
        units += c.len_utf16();
        (units > PROMPT_UNITS).then_some(at)
    });
    Some(match cut {
        None => flat.into(),
        Some(at) => format!("{}…", flat[..at].trim_end()).into(),
    })
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
