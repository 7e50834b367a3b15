//! What came back from a tool, without what the program wraps around it for Claude.

use serde_json::Value;

use crate::transcript::{ContentPart, ToolCall, ToolResult};

/// Tags that the program puts around a whole text.
const WRAPPERS: &[&str] = &["tool_use_error", "persisted-output"];
/// What ends the answer of a search in the web, for Claude to read.
const SOURCES_REMINDER: &str = "\nREMINDER: You MUST include the sources";

/// A text that came back, for a human reader.
pub fn told(text: &str) -> &str {
    let text = text.trim_end();
    let text = WRAPPERS.iter().fold(text, |text, tag| unwrapped(text, tag));
    without_reminders(text)
}

/// A text without the tag around it.
fn unwrapped<'a>(text: &'a str, tag: &str) -> &'a str {
    let inside = || {
        let behind = text
            .strip_prefix('<')?
            .strip_prefix(tag)?
            .strip_prefix('>')?;
        let before = behind.strip_suffix('>')?.strip_suffix(tag)?;
        before.strip_suffix("</")
    };
    inside().map_or(text, |inside| inside.trim_matches('\n'))
}

/// A text without the reminders at its end. In its middle they are of what was read.
fn without_reminders(text: &str) -> &str {
    let mut rest = text;
    while let Some(before) = rest.strip_suffix("</system-reminder>")
        && let Some((before, _)) = before.rsplit_once("<system-reminder>")
    {
        rest = before.trim_end();
    }
    rest
}

/// What an agent answered, without what only helps Claude to go on with it.
pub fn agent_answer(result: &ToolResult) -> String {
    let texts = result.parts.iter().filter_map(ContentPart::text);
    let texts: Vec<&str> = texts.map(|text| without_notes(told(text))).collect();
    texts.join("\n").trim_end().to_owned()
}

/// The id and the costs of an agent are on separate lines at the end.
fn without_notes(text: &str) -> &str {
    match text.rsplit_once("agentId: ") {
        Some((before, _)) if before.is_empty() || before.ends_with('\n') => before.trim_end(),
        _ => text,
    }
}

/// What a search in the web found, as Markdown: pages as a list, then what was said of them.
pub fn found_pages(result: &ToolResult) -> Option<String> {
    let mut said = Vec::new();
    for found in result.detail["results"].as_array()? {
        if let Some(text) = found.as_str() {
            said.push(text.to_owned());
        }
        for page in found["content"].as_array().into_iter().flatten() {
            let (title, url) = (page["title"].as_str()?, page["url"].as_str()?);
            said.push(format!("- {} <{url}>", title.replace('\n', " ")));
        }
    }
    // Without a blank line, what is said of the pages would belong to the last of them.
    let is_page = |line: &String| line.starts_with("- ");
    let at = said.iter().rposition(is_page).map_or(0, |last| last + 1);
    said.insert(at, String::new());
    let text = said.join("\n");
    let text = text.split(SOURCES_REMINDER).next().unwrap_or_default();
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// How many pages a search in the web found.
pub fn count_pages(result: &ToolResult) -> Option<usize> {
    let found = result.detail["results"].as_array()?;
    let pages = |found: &Value| found["content"].as_array().map_or(0, Vec::len);
    let count = found.iter().map(pages).sum();
    (count > 0).then_some(count)
}

/// What something in the background has printed, and its status. Reports of commands
/// have these fields themselves, those of tasks have them inside.
pub fn background(call: &ToolCall) -> Option<(String, Option<String>)> {
    let detail = &call.result.as_ref()?.detail;
    let report = if detail["task"].is_object() {
        &detail["task"]
    } else {
        detail
    };
    let status = report["status"].as_str().map(|it| it.replace('_', " "));
    let texts = ["stdout", "stderr", "output", "result"].iter();
    let texts = texts.filter_map(|key| report[*key].as_str());
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    (status.is_some() || !texts.is_empty()).then(|| (texts.join("\n"), status))
}

#[cfg(test)]
#[path = "told_tests.rs"]
mod tests;
