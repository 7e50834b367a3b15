//! What a call was, in a line.

use serde_json::Value;

use super::told::{background, count_pages};
use crate::preview::line::{Span, Tone};
use crate::transcript::{FileChange, ToolCall, ToolResult, below, tool_title};

/// What was called. `used` are the fields of the input that it tells.
pub struct Headline {
    pub spans: Vec<Span>,
    pub used: &'static [&'static str],
}

pub fn input<'a>(call: &'a ToolCall, key: &str) -> &'a str {
    call.input[key].as_str().unwrap_or_default()
}

pub fn headline(call: &ToolCall, cwd: Option<&str>) -> Headline {
    let name = call.name.as_deref().unwrap_or("a result without its call");
    let mut spans = deed(call, name, cwd);
    let used: &[&str] = match name {
        "ToolSearch" => &["query", "max_results"],
        "TaskCreate" => &["subject", "activeForm"],
        "TaskUpdate" | "TaskGet" => &["taskId", "status"],
        "Skill" => &["skill"],
        _ => &[],
    };
    let counted = counted(call, name).map(|text| Span::new(&format!("  {text}"), Tone::Dim));
    spans.extend(counted);
    let result = call.result.as_ref();
    if result.and_then(ToolResult::declined).is_some() {
        spans.push(Span::new("  you declined", Tone::Error));
    } else if name == "Bash" {
        spans.extend(result.and_then(exit));
    }
    Headline { spans, used }
}

fn deed(call: &ToolCall, name: &str, cwd: Option<&str>) -> Vec<Span> {
    let named = |verb: &str, what: &str| {
        vec![
            Span::new(&format!("{verb} "), Tone::Dim),
            Span::new(what, Tone::Plain),
        ]
    };
    let alone = |words: &str| vec![Span::new(words, Tone::Dim)];
    let input = |key: &str| input(call, key);
    match name {
        "Bash" => named("$", input("command").lines().next().unwrap_or_default()),
        "Read" => named("read", below(input("file_path"), cwd)),
        "LS" => named("listed", below(input("path"), cwd)),
        "Grep" | "Glob" => named("searched", input("pattern")),
        "WebFetch" => named("fetched", input("url")),
        "WebSearch" => named("searched the web for", input("query")),
        "TodoWrite" => alone("todos"),
        "Task" | "Agent" => named("agent", input("description")),
        "ExitPlanMode" => alone("plan"),
        "EnterPlanMode" => alone("began to plan"),
        "AskUserQuestion" => alone("asked"),
        "BashOutput" | "TaskOutput" | "AgentOutput" => named("checked", &background_name(call)),
        "KillShell" | "KillBash" | "TaskStop" => named("stopped", &background_name(call)),
        "ToolSearch" => named("looked for tools:", input("query")),
        "SendMessage" => named("wrote to", input("to")),
        "TaskCreate" => named("new task:", input("subject")),
        "TaskUpdate" | "TaskGet" => {
            let status = input("status").replace('_', " ");
            let words = format!("#{} {status}", input("taskId"));
            named("task", words.trim_end())
        }
        "Skill" => named("skill", input("skill")),
        _ => match FileChange::of(call) {
            Some(change) => {
                let mut spans = named("edited", below(&change.path, cwd));
                spans.push(Span::new(&format!(" +{}", change.added), Tone::Added));
                spans.push(Span::new(&format!(" -{}", change.removed), Tone::Removed));
                spans
            }
            None if call.edits_file() => {
                let path = ["file_path", "notebook_path"].map(input);
                named("edit", below(&path.concat(), cwd))
            }
            None => vec![Span::new(&tool_title(name), Tone::Plain)],
        },
    }
}

/// How a task or a command in the background is called: by what it is, or else by its number.
fn background_name(call: &ToolCall) -> String {
    let detail = call.result.as_ref().map_or(&Value::Null, |it| &it.detail);
    let told = [&detail["command"], &detail["task"]["description"]];
    let told = told.into_iter().find_map(Value::as_str);
    let ids = ["bash_id", "shell_id", "task_id"].into_iter();
    let mut ids = ids.map(|key| input(call, key)).filter(|id| !id.is_empty());
    told.or_else(|| ids.next()).unwrap_or_default().to_owned()
}

/// How much was found, read or done.
fn counted(call: &ToolCall, name: &str) -> Option<String> {
    let result = call.result.as_ref()?;
    let detail = &result.detail;
    let number = |key: &str| detail[key].as_u64();
    let count = |count: u64, noun: &str| match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    };
    match name {
        "Grep" | "Glob" => match (number("numFiles"), number("numLines")) {
            // Where lines are asked for, files are not counted.
            (Some(1..), Some(lines)) => {
                let files = count(number("numFiles")?, "file");
                Some(format!("{} in {files}", count(lines, "line")))
            }
            (_, Some(lines)) => Some(count(lines, "line")),
            (Some(files), None) => Some(count(files, "file")),
            (None, None) => None,
        },
        "Read" => Some(count(detail["file"]["numLines"].as_u64()?, "line")),
        "WebFetch" => Some(number("code")?.to_string()),
        "WebSearch" => Some(count(u64::try_from(count_pages(result)?).ok()?, "page")),
        "BashOutput" | "TaskOutput" | "AgentOutput" => background(call)?.1,
        "Task" | "Agent" => Some(count(number("totalToolUseCount")?, "tool call")),
        _ => None,
    }
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
