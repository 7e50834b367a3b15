//! Which user text is a prompt: Claude Code writes much into user lines that nobody typed.

use std::borrow::Cow;

/// Longest prompt in a listing, in UTF-16 units. The same cut as Anthropic's SDK makes.
pub const PROMPT_UNITS: usize = 200;

/// Tags that open text made by the program, not by the person. A closed list: a typed
/// `<div>why is this red?</div>` is a prompt.
const MACHINE_TAGS: &[&str] = &[
    "bash-stderr",
    "bash-stdout",
    "channel",
    "goal",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "mcp-resource-update",
    "session-start-hook",
    "system-reminder",
    "task-notification",
    "teammate-message",
    "tick",
    "user-memory-input",
    "user-prompt-submit-hook",
];

/// Tags that an editor puts in front of what the person typed.
const EDITOR_TAGS: &[&str] = &["ide_opened_file", "ide_selection", "ide_diagnostics"];

const MACHINE_OPENINGS: &[&str] = &[
    "[Request interrupted by user",
    "Caveat: The messages below were generated",
];

/// What one text of a user line stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt<'a> {
    /// Typed by the person, `! command` for a shell line.
    Typed(Cow<'a, str>),
    /// A slash command with its arguments: names a session only when nothing better does.
    Command(String),
    /// Written by the program.
    Machine,
}

impl<'a> Prompt<'a> {
    pub fn of(text: &'a str) -> Self {
        let text = without_editor_tags(text.trim());
        if text.is_empty() || MACHINE_OPENINGS.iter().any(|it| text.starts_with(it)) {
            return Self::Machine;
        }
        match opening_tag(text) {
            Some("bash-input") => match inside(text, "bash-input").unwrap_or_default().trim() {
                "" => Self::Machine,
                command => Self::Typed(format!("! {command}").into()),
            },
            Some("command-name" | "command-message" | "command-args") => slash_command(text),
            Some(tag) if MACHINE_TAGS.contains(&tag) => Self::Machine,
            _ => Self::Typed(text.into()),
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

fn slash_command(text: &str) -> Prompt<'static> {
    let name = inside(text, "command-name").unwrap_or_default().trim();
    if name.is_empty() {
        return Prompt::Machine;
    }
    let arguments = inside(text, "command-args").unwrap_or_default().trim();
    Prompt::Command(format!("{name} {arguments}").trim_end().to_owned())
}

fn without_editor_tags(mut text: &str) -> &str {
    while let Some(tag) = opening_tag(text).filter(|tag| EDITOR_TAGS.contains(tag)) {
        let close = format!("</{tag}>");
        // An unclosed tag was cut by the reader's window: no typed text can follow in sight.
        let Some(end) = text.find(&close) else {
            return "";
        };
        text = text[end + close.len()..].trim_start();
    }
    text
}

/// The name of the tag that `text` opens with, if it opens with one.
fn opening_tag(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?;
    let closes = rest[end..].starts_with(['>', ' ', '/', '\n']);
    (end > 0 && closes).then(|| &rest[..end])
}

/// What stands between `<tag>` and `</tag>`, or up to the end if the text was cut before that.
fn inside<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let open = format!("<{tag}>");
    let start = text.find(&open)? + open.len();
    let rest = &text[start..];
    Some(&rest[..rest.find(&format!("</{tag}>")).unwrap_or(rest.len())])
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
