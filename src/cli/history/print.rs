//! Prompts as a table, as tab-separated lines, as JSON, or alone with a NUL behind each.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

use crate::cli::surroundings::Ink;
use crate::history::{Lacking, Prompt, expand, flat};
use crate::search::{ConversationFate, project_label};
use crate::text::{age, ago, beginning, escape_json, pad, sanitize, truncate, width};

/// Widest useful project column.
const PROJECT: usize = 16;
const AGE: usize = 4;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Table {
        columns: usize,
        ink: Ink,
    },
    Fields,
    Json,
    Nul {
        /// A terminal gets no control characters of others.
        terminal: bool,
    },
}

/// A prompt, or a session with its newest prompt that matched.
#[derive(Debug)]
pub struct Row {
    prompt: Prompt,
    root: u16,
    count: u32,
    fate: ConversationFate,
    /// The first and the last prompt, of a session.
    pub span: Option<(Prompt, Prompt)>,
    /// The same, asked before in a conversation that is there, if that of the prompt is gone.
    pub also: Option<Prompt>,
}

impl Row {
    pub fn new(prompt: Prompt, root: u16, count: u32, fate: ConversationFate) -> Self {
        Self {
            prompt,
            root,
            count,
            fate,
            span: None,
            also: None,
        }
    }
}

pub struct Printed<'a> {
    pub rows: &'a [Row],
    pub roots: &'a [PathBuf],
    /// Milliseconds since the epoch.
    pub now: i64,
    pub expand: bool,
    /// What could not be put back so far.
    pub lacking: Cell<Lacking>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    /// With what was pasted put back, if that was asked for.
    prompt: String,
    display: &'a str,
    timestamp: Option<i64>,
    project: &'a str,
    session_id: Option<&'a str>,
    /// The config directory whose history it is from.
    root: Option<Cow<'a, str>>,
    count: u32,
    conversation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<Also<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_prompt: Option<Said<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_prompt: Option<Said<'a>>,
}

/// Where the same was asked before, in a conversation that is there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Also<'a> {
    timestamp: Option<i64>,
    project: &'a str,
    session_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Said<'a> {
    display: &'a str,
    timestamp: Option<i64>,
}

/// When something was asked. The beginning of time stands for a time that is not known.
fn known_time(prompt: &Prompt) -> Option<i64> {
    Some(prompt.timestamp).filter(|time| *time != 0)
}

impl Printed<'_> {
    pub fn print(&self, out: &mut impl Write, form: Form) -> io::Result<()> {
        for row in self.rows {
            match form {
                Form::Table { columns, ink } => {
                    writeln!(out, "{}", self.line(row, columns, ink))?;
                }
                Form::Fields => writeln!(out, "{}", self.fields(row))?,
                Form::Json => {
                    let json = serde_json::to_string(&self.listed(row))?;
                    writeln!(out, "{}", escape_json(&json))?;
                }
                Form::Nul { terminal } => {
                    let text = self.text(row);
                    if terminal {
                        write!(out, "{}\0", sanitize(&text))?;
                    } else {
                        write!(out, "{}\0", text.replace('\0', ""))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The config directory of a prompt.
    fn root(&self, row: &Row) -> Option<&Path> {
        self.roots.get(usize::from(row.root)).map(PathBuf::as_path)
    }

    fn text(&self, row: &Row) -> String {
        if !self.expand {
            return row.prompt.display.clone();
        }
        let pieces = expand(&row.prompt, self.root(row).unwrap_or(Path::new("")));
        self.lacking
            .set(self.lacking.get().and(Lacking::of(&pieces)));
        flat(&pieces)
    }

    fn listed<'a>(&'a self, row: &'a Row) -> Listed<'a> {
        let said = |prompt: &'a Prompt| Said {
            display: &prompt.display,
            timestamp: known_time(prompt),
        };
        Listed {
            prompt: self.text(row),
            display: &row.prompt.display,
            timestamp: known_time(&row.prompt),
            project: &row.prompt.project,
            session_id: row.prompt.session.as_deref(),
            root: self.root(row).map(Path::to_string_lossy),
            count: row.count,
            conversation: fate(row.fate),
            also: row.also.as_ref().map(|other| Also {
                timestamp: known_time(other),
                project: &other.project,
                session_id: other.session.as_deref(),
            }),
            first_prompt: row.span.as_ref().map(|(first, _)| said(first)),
            last_prompt: row.span.as_ref().map(|(_, last)| said(last)),
        }
    }

    fn fields(&self, row: &Row) -> String {
        let time = known_time(&row.prompt)
            .and_then(DateTime::<Utc>::from_timestamp_millis)
            .map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true))
            .unwrap_or_default();
        let count = row.count.to_string();
        let text = self.text(row);
        let fields = [
            time.as_str(),
            &row.prompt.project,
            row.prompt.session.as_deref().unwrap_or_default(),
            &count,
            fate(row.fate),
            &text,
        ];
        // No tab or newline survives sanitising, so the columns hold.
        fields.map(sanitize).join("\t")
    }

    fn line(&self, row: &Row, columns: usize, ink: Ink) -> String {
        let when = known_time(&row.prompt).map_or(String::new(), |then| age(then, self.now));
        let project = sanitize(project_label(&row.prompt.project)).into_owned();
        let mut notes = Vec::new();
        match (&row.span, row.count) {
            (Some(_), 1) => notes.push("1 prompt".to_owned()),
            (Some(_), count) => notes.push(format!("{count} prompts")),
            (None, 0 | 1) => {}
            (None, count) => notes.push(format!("x{count}")),
        }
        if when.is_empty() {
            notes.push("no date".to_owned());
        }
        match (&row.span, row.fate) {
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
        let text = self.text(row);
        let text = sanitize(beginning(&text, room * 16 + 256));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if notes.is_empty() {
            truncate(&text, room + 2)
        } else {
            pad(&text, room)
        };
        match ink {
            Ink::Colours => format!("\x1b[2m{head}\x1b[0m{text}  \x1b[2m{notes}\x1b[0m"),
            Ink::Plain => format!("{head}{text}  {notes}").trim_end().to_owned(),
        }
    }
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
