//! Prompts as a table, as tab-separated lines, as JSON, or alone with a NUL after each.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::counted;
use crate::cli::list::rfc3339;
use crate::cli::surroundings::Ink;
use crate::history::{Lacking, Prompt, expand, flat};
use crate::search::{ConversationFate, project_label};
use crate::text::{age, ago, beginning, escape_json, pad, sanitize, truncate, width};

/// Widest useful project column.
const PROJECT: usize = 16;
const AGE: usize = 4;

/// The output format.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Table {
        columns: usize,
        ink: Ink,
    },
    Fields,
    Json,
    Nul {
        /// A terminal gets no control characters from prompts.
        terminal: bool,
    },
}

/// A prompt, or a session with its newest matching prompt.
#[derive(Debug)]
pub struct PrintedPrompt {
    pub prompt: Prompt,
    pub root: u16,
    pub count: u32,
    pub fate: ConversationFate,
    /// For a session, its first and its last prompt.
    pub ends: Option<(Prompt, Prompt)>,
    /// The same prompt in an older conversation, if the prompt's own is gone.
    pub also: Option<Prompt>,
}

pub struct Printer<'a> {
    pub roots: &'a [PathBuf],
    /// Milliseconds since the epoch.
    pub now: i64,
    pub expand: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptInfo<'a> {
    /// With pasted text expanded, if that was asked for.
    prompt: &'a str,
    display: &'a str,
    timestamp: Option<i64>,
    project: &'a str,
    session_id: Option<&'a str>,
    /// The config directory of its history.
    root: Option<Cow<'a, str>>,
    count: u32,
    conversation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_prompt: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_prompt: Option<Value>,
}

/// The time of a prompt. Zero means unknown.
fn known_time(prompt: &Prompt) -> Option<i64> {
    Some(prompt.timestamp).filter(|time| *time != 0)
}

impl Printer<'_> {
    /// Prints the rows, and returns which pasted text is missing.
    pub fn print(
        &self,
        out: &mut impl Write,
        rows: &[PrintedPrompt],
        form: Form,
    ) -> io::Result<Lacking> {
        let mut lacking = Lacking::default();
        for row in rows {
            let text = self.text(row, &mut lacking);
            match form {
                Form::Table { columns, ink } => {
                    writeln!(out, "{}", self.line(row, &text, columns, ink))?;
                }
                Form::Fields => writeln!(out, "{}", fields(row, &text))?,
                Form::Json => {
                    let json = serde_json::to_string(&self.info(row, &text))?;
                    writeln!(out, "{}", escape_json(&json))?;
                }
                Form::Nul { terminal: true } => write!(out, "{}\0", sanitize(&text))?,
                Form::Nul { terminal: false } => write!(out, "{}\0", text.replace('\0', ""))?,
            }
        }
        Ok(lacking)
    }

    /// The config directory of a prompt.
    fn root(&self, row: &PrintedPrompt) -> Option<&Path> {
        self.roots.get(usize::from(row.root)).map(PathBuf::as_path)
    }

    fn text(&self, row: &PrintedPrompt, lacking: &mut Lacking) -> String {
        if !self.expand {
            return row.prompt.display.clone();
        }
        let pieces = expand(&row.prompt, self.root(row).unwrap_or(Path::new("")));
        *lacking = lacking.and(Lacking::of(&pieces));
        flat(&pieces)
    }

    fn info<'a>(&'a self, row: &'a PrintedPrompt, text: &'a str) -> PromptInfo<'a> {
        let end =
            |prompt: &Prompt| json!({"display": prompt.display, "timestamp": known_time(prompt)});
        PromptInfo {
            prompt: text,
            display: &row.prompt.display,
            timestamp: known_time(&row.prompt),
            project: &row.prompt.project,
            session_id: row.prompt.session.as_deref(),
            root: self.root(row).map(Path::to_string_lossy),
            count: row.count,
            conversation: fate(row.fate),
            also: row.also.as_ref().map(|other| {
                json!({
                    "timestamp": known_time(other),
                    "project": other.project,
                    "sessionId": other.session,
                })
            }),
            first_prompt: row.ends.as_ref().map(|(first, _)| end(first)),
            last_prompt: row.ends.as_ref().map(|(_, last)| end(last)),
        }
    }

    fn line(&self, row: &PrintedPrompt, text: &str, columns: usize, ink: Ink) -> String {
        let when = known_time(&row.prompt).map_or(String::new(), |then| age(then, self.now));
        let project = sanitize(project_label(&row.prompt.project)).into_owned();
        let mut notes = Vec::new();
        match (&row.ends, row.count) {
            (Some(_), count) => notes.push(counted(count as usize, "prompt")),
            (None, 0 | 1) => {}
            (None, count) => notes.push(format!("x{count}")),
        }
        if when.is_empty() {
            notes.push("no date".to_owned());
        }
        match (&row.ends, row.fate) {
            (Some(_), _) => {
                let id = row.prompt.session.as_deref().unwrap_or_default();
                notes.push(sanitize(beginning(id, 8)).into_owned());
            }
            (None, ConversationFate::Deleted) => notes.push("deleted".to_owned()),
            (None, ConversationFate::Missing) => notes.push("not on disk".to_owned()),
            (None, ConversationFate::Empty) => notes.push("empty".to_owned()),
            (None, ConversationFate::There | ConversationFate::Unknown) => {}
        }
        if let Some(also) = &row.also {
            notes.push(match known_time(also) {
                Some(then) => format!("also {}", ago(then, self.now)),
                None => "also before".to_owned(),
            });
        }
        let notes = notes.join("  ");
        let head = format!("{}  {}  ", pad(&when, AGE), pad(&project, PROJECT));
        let room = columns.saturating_sub(width(&head) + width(&notes) + 2);
        let text = sanitize(beginning(text, room * 16 + 256));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if notes.is_empty() {
            truncate(&text, room + 2)
        } else {
            pad(&text, room)
        };
        let line = format!(
            "{}{text}  {}",
            ink.paint("2", &head),
            ink.paint("2", &notes)
        );
        line.trim_end().to_owned()
    }
}

fn fields(row: &PrintedPrompt, text: &str) -> String {
    let time = rfc3339(known_time(&row.prompt));
    let count = row.count.to_string();
    let fields = [
        time.as_str(),
        &row.prompt.project,
        row.prompt.session.as_deref().unwrap_or_default(),
        &count,
        fate(row.fate),
        text,
    ];
    // Sanitizing removes tabs and newlines, so the columns hold.
    fields.map(sanitize).join("\t")
}

fn fate(fate: ConversationFate) -> &'static str {
    match fate {
        ConversationFate::There => "there",
        ConversationFate::Deleted => "deleted",
        ConversationFate::Missing => "missing",
        ConversationFate::Empty => "empty",
        ConversationFate::Unknown => "unknown",
    }
}
