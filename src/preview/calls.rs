//! Tool calls, opened: what was run, found or changed, and what came back.

use serde_json::Value;

use super::flow::{flow, hard};
use super::line::{Span, Tone, picture};
use super::markdown::markdown;
use super::syntax::Syntaxes;
use crate::text::beginning;
use crate::transcript::{FileChange, Part, ToolCall, ToolResult, below};

/// Lines of output that are shown of one call: a test run of ten thousand lines is not read here.
const MOST_OUTPUT: usize = 200;
/// Lines that are shown of a file that was only read, or of what was found.
const MOST_FOUND: usize = 40;
/// Characters of an input that is shown as it stands.
const MOST_INPUT: usize = 2000;

/// Where and how a call is laid out.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    pub columns: usize,
    /// Where the session ran.
    pub cwd: Option<&'a str>,
    pub syntaxes: Option<&'a Syntaxes>,
    pub amount: Amount,
}

/// How much of what came back is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// As much as anybody reads on a screen.
    Readable,
    Everything,
}

impl Sheet<'_> {
    fn most(self, readable: usize) -> usize {
        match self.amount {
            Amount::Readable => readable,
            Amount::Everything => usize::MAX,
        }
    }
}

/// Lays out one call.
pub fn call_lines(call: &ToolCall, sheet: Sheet<'_>) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let failed = call.result.as_ref().is_some_and(|result| result.is_error);
    let mark = if failed { "✗ " } else { "· " };
    let tone = if failed { Tone::Error } else { Tone::Dim };
    let mut title = vec![Span::new(mark, tone)];
    title.extend(headline(call, sheet.cwd));
    if call.result.is_none() {
        title.push(Span::new(
            "  (never finished: resuming leaves it out)",
            Tone::Error,
        ));
    }
    lines.extend(flow(
        &title,
        &[],
        &[Span::new("  ", Tone::Plain)],
        sheet.columns,
    ));
    body(call, sheet, &mut lines);
    lines
}

fn input<'a>(call: &'a ToolCall, key: &str) -> &'a str {
    call.input[key].as_str().unwrap_or_default()
}

/// What was called, in a line.
fn headline(call: &ToolCall, cwd: Option<&str>) -> Vec<Span> {
    let name = call.name.as_deref().unwrap_or("a result without its call");
    let detail = call.result.as_ref().map_or(&Value::Null, |it| &it.detail);
    let number = |key: &str| detail[key].as_u64();
    let named = |verb: &str, what: &str| {
        vec![
            Span::new(&format!("{verb} "), Tone::Dim),
            Span::new(what, Tone::Plain),
        ]
    };
    let mut spans = match name {
        "Bash" => named("$", first_line(input(call, "command"))),
        "Read" => named("read", below(input(call, "file_path"), cwd)),
        "Grep" | "Glob" => named("searched", input(call, "pattern")),
        "WebFetch" => named("fetched", input(call, "url")),
        "WebSearch" => named("searched the web for", input(call, "query")),
        "TodoWrite" => named("todos", ""),
        "Task" | "Agent" => named("agent", input(call, "description")),
        _ => match FileChange::of(call) {
            Some(change) => {
                let mut spans = named("edited", below(&change.path, cwd));
                spans.push(Span::new(&format!(" +{}", change.added), Tone::Added));
                spans.push(Span::new(&format!(" -{}", change.removed), Tone::Removed));
                spans
            }
            None if matches!(name, "Edit" | "MultiEdit" | "Write" | "NotebookEdit") => {
                named("edit", below(input(call, "file_path"), cwd))
            }
            None => vec![Span::new(name, Tone::Plain)],
        },
    };
    let counted = match (name, number("numFiles"), number("numLines")) {
        ("Grep", Some(files), Some(lines)) => Some(format!("  {lines} lines in {files} files")),
        ("Grep" | "Glob", Some(files), _) => Some(format!("  {files} files")),
        ("Read", _, _) => detail["file"]["numLines"]
            .as_u64()
            .map(|lines| format!("  {lines} lines")),
        ("WebFetch", _, _) => number("code").map(|code| format!("  {code}")),
        ("WebSearch", _, _) => detail["results"]
            .as_array()
            .map(|results| format!("  {} results", results.len())),
        _ => None,
    };
    spans.extend(counted.map(|text| Span::new(&text, Tone::Dim)));
    if name == "Bash" {
        spans.extend(call.result.as_ref().and_then(exit));
    }
    spans
}

/// How a command ended, where that is told. One that did not fail says nothing more.
fn exit(result: &ToolResult) -> Option<Span> {
    if result.detail["interrupted"] == true {
        return Some(Span::new("  interrupted", Tone::Error));
    }
    if !result.is_error {
        return Some(Span::new("  exit 0", Tone::Dim));
    }
    let text = result.text();
    let (_, rest) = text
        .split_once("Exit code ")
        .or_else(|| text.split_once("exit code "))?;
    let code: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (!code.is_empty()).then(|| Span::new(&format!("  exit {code}"), Tone::Error))
}

/// What belongs under the headline.
fn body(call: &ToolCall, sheet: Sheet<'_>, lines: &mut Vec<Vec<Span>>) {
    let indent = [Span::new("  ", Tone::Plain)];
    let result = call.result.as_ref();
    let failed = result.is_some_and(|result| result.is_error);
    match call.name.as_deref() {
        Some("Bash") => {
            for line in input(call, "command").lines().skip(1) {
                lines.extend(hard(
                    &[Span::new(line, Tone::Plain)],
                    &indent,
                    sheet.columns,
                ));
            }
            output(call, sheet, MOST_OUTPUT, lines);
        }
        Some("TodoWrite") => {
            for todo in call.input["todos"].as_array().into_iter().flatten() {
                let mark = match todo["status"].as_str() {
                    Some("completed") => "☑",
                    Some("in_progress") => "◐",
                    _ => "☐",
                };
                let text = format!("{mark} {}", todo["content"].as_str().unwrap_or_default());
                lines.extend(flow(
                    &[Span::new(&text, Tone::Plain)],
                    &indent,
                    &indent,
                    sheet.columns,
                ));
            }
        }
        Some("Edit" | "MultiEdit" | "Write" | "NotebookEdit") if !failed => {
            match FileChange::of(call) {
                Some(change) if !change.hunks.is_empty() => diff(&change, sheet, lines),
                _ => asked_for(call, sheet, lines),
            }
        }
        Some("Read" | "Glob" | "Grep" | "LS") => output(call, sheet, MOST_FOUND, lines),
        Some("Task" | "Agent") => {
            let text = result.map(ToolResult::text).unwrap_or_default();
            indented(&text, sheet, lines);
        }
        Some("ExitPlanMode") => {
            indented(input(call, "plan"), sheet, lines);
            output(call, sheet, MOST_FOUND, lines);
        }
        Some("AskUserQuestion") => {
            for question in call.input["questions"].as_array().into_iter().flatten() {
                let asked = question["question"].as_str().unwrap_or_default();
                indented(asked, sheet, lines);
            }
            output(call, sheet, MOST_OUTPUT, lines);
        }
        _ => {
            if let Value::Object(fields) = &call.input
                && !fields.is_empty()
                && !matches!(call.name.as_deref(), Some("WebFetch" | "WebSearch"))
            {
                let json = call.input.to_string();
                let shown = beginning(&json, sheet.most(MOST_INPUT));
                lines.extend(hard(&[Span::new(shown, Tone::Dim)], &indent, sheet.columns));
            }
            output(call, sheet, MOST_OUTPUT, lines);
        }
    }
}

/// A text that is Markdown, a little to the right.
fn indented(text: &str, sheet: Sheet<'_>, lines: &mut Vec<Vec<Span>>) {
    let room = sheet.columns.saturating_sub(2).max(1);
    for line in markdown(text, room, sheet.syntaxes) {
        let mut whole = vec![Span::new("  ", Tone::Plain)];
        whole.extend(line);
        lines.push(whole);
    }
}

/// A change of which no patch is stored, by what was asked for: a new file has none.
fn asked_for(call: &ToolCall, sheet: Sheet<'_>, lines: &mut Vec<Vec<Span>>) {
    let indent = [Span::new("  ", Tone::Plain)];
    let most = sheet.most(MOST_OUTPUT);
    let edits: Vec<&Value> = match call.input["edits"].as_array() {
        Some(edits) => edits.iter().collect(),
        None => vec![&call.input],
    };
    let mut say = |text: &str, sign: char, tone: Tone| {
        for line in text.lines().take(most) {
            let line = format!("{sign}{line}");
            lines.extend(hard(&[Span::new(&line, tone)], &indent, sheet.columns));
        }
        if let Some(more) = text.lines().count().checked_sub(most).filter(|it| *it > 0) {
            let more = format!("… {more} more lines");
            lines.extend(hard(&[Span::new(&more, Tone::Dim)], &indent, sheet.columns));
        }
    };
    for edit in edits {
        for (key, sign, tone) in [
            ("old_string", '-', Tone::Removed),
            ("new_string", '+', Tone::Added),
            ("content", '+', Tone::Added),
            ("new_source", '+', Tone::Added),
        ] {
            say(edit[key].as_str().unwrap_or_default(), sign, tone);
        }
    }
}

/// What came back, at most so many lines of it.
fn output(call: &ToolCall, sheet: Sheet<'_>, readable: usize, lines: &mut Vec<Vec<Span>>) {
    let Some(result) = &call.result else {
        return;
    };
    let most = sheet.most(readable);
    let indent = [Span::new("  ", Tone::Plain)];
    let tone = if result.is_error {
        Tone::Error
    } else {
        Tone::Dim
    };
    for part in &result.parts {
        match part {
            Part::Text { text } => {
                let total = text.lines().count();
                for line in text.lines().take(most) {
                    lines.extend(hard(&[Span::new(line, tone)], &indent, sheet.columns));
                }
                if total > most {
                    let more = format!("… {} more lines", total - most);
                    lines.extend(hard(&[Span::new(&more, Tone::Dim)], &indent, sheet.columns));
                }
            }
            Part::Image(image) => {
                let text = picture(image);
                lines.extend(hard(&[Span::new(&text, Tone::Dim)], &indent, sheet.columns));
            }
            Part::Other { name } => {
                let text = format!("[{name}]");
                lines.extend(hard(&[Span::new(&text, Tone::Dim)], &indent, sheet.columns));
            }
        }
    }
}

fn diff(change: &FileChange, sheet: Sheet<'_>, lines: &mut Vec<Vec<Span>>) {
    let indent = [Span::new("  ", Tone::Plain)];
    let most = sheet.most(MOST_OUTPUT);
    for (n, hunk) in change.hunks.iter().enumerate() {
        if n > 0 {
            lines.extend(hard(&[Span::new("⋯", Tone::Dim)], &indent, sheet.columns));
        }
        for line in hunk.lines.iter().take(most) {
            let tone = match line.as_bytes().first() {
                Some(b'+') => Tone::Added,
                Some(b'-') => Tone::Removed,
                _ => Tone::Dim,
            };
            lines.extend(hard(&[Span::new(line, tone)], &indent, sheet.columns));
        }
        if hunk.lines.len() > most {
            let more = format!("… {} more lines", hunk.lines.len() - most);
            lines.extend(hard(&[Span::new(&more, Tone::Dim)], &indent, sheet.columns));
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
