//! Tool calls, opened: what was run, found or changed, and what came back.

use serde_json::Value;

use super::flow::{flow, hard};
use super::line::{Span, Tone, picture};
use super::markdown::markdown;
use crate::text::beginning;
use crate::transcript::{FileChange, Part, ToolCall};

/// Lines of output that are shown of one call: a test run of ten thousand lines is not read here.
const MOST_OUTPUT: usize = 200;
/// Characters of an input that is shown as it stands.
const MOST_INPUT: usize = 2000;

/// Lays out one call.
pub fn call_lines(call: &ToolCall, columns: usize) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let failed = call.result.as_ref().is_some_and(|result| result.is_error);
    let mark = if failed { "✗ " } else { "· " };
    let tone = if failed { Tone::Error } else { Tone::Dim };
    let mut title = vec![Span::new(mark, tone)];
    title.extend(headline(call));
    if call.result.is_none() {
        title.push(Span::new(
            "  (never finished: resuming leaves it out)",
            Tone::Error,
        ));
    }
    lines.extend(flow(&title, &[], &[Span::new("  ", Tone::Plain)], columns));
    body(call, columns, &mut lines);
    lines
}

fn input<'a>(call: &'a ToolCall, key: &str) -> &'a str {
    call.input[key].as_str().unwrap_or_default()
}

/// What was called, in a line.
fn headline(call: &ToolCall) -> Vec<Span> {
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
        "Read" => named("read", input(call, "file_path")),
        "Grep" | "Glob" => named("searched", input(call, "pattern")),
        "WebFetch" => named("fetched", input(call, "url")),
        "WebSearch" => named("searched the web for", input(call, "query")),
        "TodoWrite" => named("todos", ""),
        "Task" | "Agent" => named("agent", input(call, "description")),
        _ => match FileChange::of(call) {
            Some(change) => {
                let mut spans = named("edited", &change.path);
                spans.push(Span::new(&format!(" +{}", change.added), Tone::Added));
                spans.push(Span::new(&format!(" -{}", change.removed), Tone::Removed));
                spans
            }
            None if matches!(name, "Edit" | "MultiEdit" | "Write" | "NotebookEdit") => {
                named("edit", input(call, "file_path"))
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
        _ => None,
    };
    spans.extend(counted.map(|text| Span::new(&text, Tone::Dim)));
    spans
}

/// What belongs under the headline.
fn body(call: &ToolCall, columns: usize, lines: &mut Vec<Vec<Span>>) {
    let indent = [Span::new("  ", Tone::Plain)];
    let result = call.result.as_ref();
    let failed = result.is_some_and(|result| result.is_error);
    match call.name.as_deref() {
        Some("Bash") => {
            for line in input(call, "command").lines().skip(1) {
                lines.extend(hard(&[Span::new(line, Tone::Plain)], &indent, columns));
            }
            output(call, columns, lines);
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
                    columns,
                ));
            }
        }
        Some("Edit" | "MultiEdit" | "Write" | "NotebookEdit") if !failed => {
            if let Some(change) = FileChange::of(call) {
                diff(&change, columns, lines);
            }
        }
        Some("Read" | "Glob" | "Grep") if !failed => {}
        Some("Task" | "Agent") => {
            let text = result.map(crate::transcript::ToolResult::text);
            let room = columns.saturating_sub(2).max(1);
            for line in markdown(&text.unwrap_or_default(), room) {
                let mut whole = indent.to_vec();
                whole.extend(line);
                lines.push(whole);
            }
        }
        _ => {
            if let Value::Object(fields) = &call.input
                && !fields.is_empty()
                && !matches!(call.name.as_deref(), Some("WebFetch" | "WebSearch"))
            {
                let json = call.input.to_string();
                let shown = beginning(&json, MOST_INPUT);
                lines.extend(hard(&[Span::new(shown, Tone::Dim)], &indent, columns));
            }
            output(call, columns, lines);
        }
    }
}

fn output(call: &ToolCall, columns: usize, lines: &mut Vec<Vec<Span>>) {
    let Some(result) = &call.result else {
        return;
    };
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
                for line in text.lines().take(MOST_OUTPUT) {
                    lines.extend(hard(&[Span::new(line, tone)], &indent, columns));
                }
                if total > MOST_OUTPUT {
                    let more = format!("… {} more lines", total - MOST_OUTPUT);
                    lines.extend(hard(&[Span::new(&more, Tone::Dim)], &indent, columns));
                }
            }
            Part::Image(image) => {
                let text = picture(image);
                lines.extend(hard(&[Span::new(&text, Tone::Dim)], &indent, columns));
            }
            Part::Other { name } => {
                let text = format!("[{name}]");
                lines.extend(hard(&[Span::new(&text, Tone::Dim)], &indent, columns));
            }
        }
    }
}

fn diff(change: &FileChange, columns: usize, lines: &mut Vec<Vec<Span>>) {
    let indent = [Span::new("  ", Tone::Plain)];
    for (n, hunk) in change.hunks.iter().enumerate() {
        if n > 0 {
            lines.extend(hard(&[Span::new("⋯", Tone::Dim)], &indent, columns));
        }
        for line in hunk.lines.iter().take(MOST_OUTPUT) {
            let tone = match line.as_bytes().first() {
                Some(b'+') => Tone::Added,
                Some(b'-') => Tone::Removed,
                _ => Tone::Dim,
            };
            lines.extend(hard(&[Span::new(line, tone)], &indent, columns));
        }
        if hunk.lines.len() > MOST_OUTPUT {
            let more = format!("… {} more lines", hunk.lines.len() - MOST_OUTPUT);
            lines.extend(hard(&[Span::new(&more, Tone::Dim)], &indent, columns));
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
