//! What hooks and the program itself wrote between the lines of a conversation.
//!
//! It is neither asked nor answered, so it is no step of a turn. It is kept next to the
//! steps, cut short, and shown on demand.

use std::borrow::Cow;

use serde_json::Value;

use super::entry::Entry;
use crate::record::EntryType;

/// Bytes that are kept of one note: enough to know what it is.
const MOST: usize = 2048;

/// The kind of notes that the program writes for Claude alone.
const FOR_CLAUDE: &str = "for Claude";

/// A note of the program, and the step that follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramNote {
    /// The number of the step that follows it in its turn.
    pub before: usize,
    pub whose: NoteOrigin,
    /// What kind of note it is, in the words of the file.
    pub kind: String,
    pub text: String,
}

/// On whose behalf something was put into a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteOrigin {
    /// The user's, who named a file in a prompt: the text is what it is called.
    Person,
    /// That of something that ran in the background and is over: the text says what.
    Task,
    Program,
}

/// A text as the user typed it, and the reminders that the program inserted for Claude.
pub fn without_reminders(text: &str) -> (Cow<'_, str>, Vec<&str>) {
    let mut kept: Vec<&str> = Vec::new();
    let mut reminders = Vec::new();
    let mut rest = text;
    // An unclosed tag is something that the user writes about.
    while let Some((before, behind)) = rest.split_once("<system-reminder>")
        && let Some((inside, after)) = behind.split_once("</system-reminder>")
    {
        kept.push(before.trim_end());
        reminders.push(inside);
        rest = after.trim_start();
    }
    if reminders.is_empty() {
        return (Cow::Borrowed(text), reminders);
    }
    kept.push(rest);
    kept.retain(|part| !part.is_empty());
    (Cow::Owned(kept.join("\n")), reminders)
}

impl ProgramNote {
    /// What the program put into a prompt.
    pub fn reminder(text: &str) -> Self {
        Self {
            before: 0,
            whose: NoteOrigin::Program,
            kind: FOR_CLAUDE.to_owned(),
            text: cut(text),
        }
    }

    /// The note that an entry is. Asked only of entries that are nothing else.
    pub fn of(entry: &Entry, before: usize) -> Self {
        let (whose, kind, text) = match entry.kind {
            EntryType::Attachment => {
                let attachment = &entry.line.attachment;
                let kind = attachment["type"].as_str().unwrap_or("attachment");
                match attached(kind, attachment) {
                    Some(name) => (NoteOrigin::Person, kind, cut(name)),
                    None => (NoteOrigin::Program, kind, shortened(attachment)),
                }
            }
            EntryType::System => {
                let kind = entry.line.subtype.as_str().unwrap_or("system");
                let text = match kind {
                    "stop_hook_summary" => hook_errors(entry),
                    "api_error" => retry(entry),
                    _ => String::new(),
                };
                let text = match text.as_str() {
                    "" => shortened(&entry.line.content),
                    text => cut(text),
                };
                (NoteOrigin::Program, kind, text)
            }
            _ => {
                let texts: Vec<String> = entry.texts().map(cut).collect();
                let text = texts.join("\n");
                match task_summary(&text) {
                    Some(summary) => (NoteOrigin::Task, "task", summary.to_owned()),
                    None => (
                        NoteOrigin::Program,
                        FOR_CLAUDE,
                        without_tag(&text).to_owned(),
                    ),
                }
            }
        };
        Self {
            before,
            whose,
            kind: kind.to_owned(),
            text,
        }
    }
}

/// What the program tells of a task that is over.
fn task_summary(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("<task-notification>")?;
    let (_, behind) = inside.split_once("<summary>")?;
    let (summary, _) = behind.split_once("</summary>")?;
    Some(summary.trim())
}

/// A text without the tag around it.
fn without_tag(text: &str) -> &str {
    let inside = || {
        let (name, behind) = text.strip_prefix('<')?.split_once('>')?;
        let end = behind.trim_end().strip_suffix('>')?.strip_suffix(name)?;
        end.strip_suffix("</")
    };
    inside().map_or(text, str::trim)
}

/// The name of a file or folder that the user attached, if this is one.
fn attached<'a>(kind: &str, attachment: &'a Value) -> Option<&'a str> {
    if !matches!(kind, "file" | "directory" | "pdf_reference") {
        return None;
    }
    ["displayPath", "filename", "path"]
        .iter()
        .find_map(|key| attachment[*key].as_str())
}

/// What went wrong in hooks. A summary without that is nothing to tell.
fn hook_errors(entry: &Entry) -> String {
    let errors = entry.line.hook_errors.as_array().into_iter().flatten();
    let errors: Vec<&str> = errors.filter_map(Value::as_str).collect();
    errors.join("\n")
}

/// Why a request was made again, and for which time.
fn retry(entry: &Entry) -> String {
    let error = &entry.line.error;
    let mut words: Vec<String> = Vec::new();
    words.extend(error["status"].as_u64().map(|status| status.to_string()));
    let message = [&error["error"]["message"], &error["message"], error];
    let message = message.into_iter().find_map(Value::as_str);
    words.extend(message.map(str::to_owned));
    let most = entry.line.max_retries.as_u64();
    let of = most.map_or_else(String::new, |most| format!(" of {most}"));
    let attempt = entry.line.retry_attempt.as_u64();
    words.extend(attempt.map(|attempt| format!("(retry {attempt}{of})")));
    words.join(" ")
}

/// The text of a value: itself, its content, or what it is written as.
fn shortened(value: &Value) -> String {
    let text = ["content", "stdout", "message", "text"]
        .iter()
        .find_map(|key| value[*key].as_str())
        .or(value.as_str());
    match (text, value) {
        (Some(text), _) => cut(text),
        (None, Value::Null) => String::new(),
        (None, other) => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    let end = (0..=MOST.min(text.len())).rfind(|end| text.is_char_boundary(*end));
    text[..end.unwrap_or(0)].to_owned()
}

#[cfg(test)]
#[path = "noise_tests.rs"]
mod tests;
