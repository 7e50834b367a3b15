//! Who wrote a text in a user line: Claude Code puts much there that was not typed.

/// Tags that open text made by the program, not by the user. A closed list: a typed
/// `<div>why is this red?</div>` is a prompt.
const MACHINE_TAGS: &str = "\
    agent-notification channel goal local-command-caveat mcp-resource-update session-start-hook system-reminder \
    task-notification teammate-message tick user-memory-input user-prompt-submit-hook";

/// Tags that an editor puts before the typed text.
const EDITOR_TAGS: &[&str] = &["ide_opened_file", "ide_selection", "ide_diagnostics"];

const CAVEAT: &str = "Caveat: The messages below were generated";

/// Written in place of an answer that the user interrupted.
const INTERRUPTED: &str = "[Request interrupted by user";

/// How version 1.0 opens the summary after a compaction, which had no boundary line then.
pub const CONTINUED: &str = "This session is being continued from a previous conversation";

/// What one text of a user line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserText<'a> {
    Typed(&'a str),
    /// A shell line, typed after an exclamation mark.
    Shell(&'a str),
    /// A slash command.
    Command {
        name: &'a str,
        arguments: &'a str,
    },
    /// What a slash command printed.
    CommandOutput(&'a str),
    /// What a shell line printed.
    ShellOutput {
        stdout: &'a str,
        stderr: &'a str,
    },
    /// The user stopped Claude here.
    Interrupted,
    /// Anything else that the program wrote.
    Machine,
}

impl<'a> UserText<'a> {
    pub fn of(text: &'a str) -> Self {
        let text = without_editor_tags(text.trim());
        if text.starts_with(INTERRUPTED) {
            return Self::Interrupted;
        }
        if text.is_empty() || text.starts_with(CAVEAT) {
            return Self::Machine;
        }
        let part = |tag| inside(text, tag).unwrap_or_default().trim();
        match opening_tag(text) {
            Some("bash-input") => match part("bash-input") {
                "" => Self::Machine,
                command => Self::Shell(command),
            },
            Some("command-name" | "command-message" | "command-args") => {
                match part("command-name") {
                    "" => Self::Machine,
                    name => Self::Command {
                        name,
                        arguments: part("command-args"),
                    },
                }
            }
            Some(tag @ ("local-command-stdout" | "local-command-stderr")) => {
                Self::CommandOutput(part(tag))
            }
            Some("bash-stdout" | "bash-stderr") => Self::ShellOutput {
                stdout: part("bash-stdout"),
                stderr: part("bash-stderr"),
            },
            Some(tag) if MACHINE_TAGS.split(' ').any(|known| known == tag) => Self::Machine,
            _ => Self::Typed(text),
        }
    }
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

/// The text between `<tag>` and `</tag>`, or up to the end if the text was cut before that.
fn inside<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let open = format!("<{tag}>");
    let start = text.find(&open)? + open.len();
    let rest = &text[start..];
    Some(&rest[..rest.find(&format!("</{tag}>")).unwrap_or(rest.len())])
}

#[cfg(test)]
#[path = "user_text_tests.rs"]
mod tests;
