//! The card above a conversation: is this the one, and where did we stop?
//!
//! Only what is known has a line, and nothing is padded.

use super::flow::flow;
use super::line::{Span, Tone};
use crate::text::truncate;
use crate::transcript::{By, Conversation, Health, Interruption, Reach, TodoStatus};

/// Files that are named before they are counted.
const NAMED_FILES: usize = 4;

/// What the list knows of the session, and the file's state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub title: String,
    pub project: Option<String>,
    pub branch: Option<String>,
    /// When it began and when it was last touched, as written for a person.
    pub times: Option<String>,
    pub file_size: Option<String>,
    /// Such as "waiting for you".
    pub running: Option<String>,
    pub branches: usize,
    pub compactions: usize,
    pub gaps: usize,
    pub health: Health,
    pub reach: Reach,
    /// Other files that hold the same session, as people write their folders.
    pub copies: Vec<String>,
}

/// Lays out the card.
pub fn card(conversation: &Conversation, facts: &Facts, columns: usize) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let mut line = |spans: Vec<Span>| {
        if !spans.is_empty() {
            let indent = [Span::new("  ", Tone::Plain)];
            lines.extend(flow(&spans, &[], &indent, columns));
        }
    };
    line(vec![Span::new(&facts.title, Tone::Heading)]);
    line(joined(&whereabouts(conversation, facts), Tone::Dim));
    line(joined(&measures(conversation, facts), Tone::Dim));
    line(states(conversation, facts));
    line(todos(conversation));
    line(files(conversation));
    if !facts.copies.is_empty() {
        line(vec![
            Span::new("also in ", Tone::Dim),
            Span::new(&facts.copies.join(" · "), Tone::Plain),
        ]);
    }
    lines
}

fn whereabouts(conversation: &Conversation, facts: &Facts) -> Vec<String> {
    let prs = conversation.state.prs.iter().map(|pr| {
        let repository = pr.repository.as_deref().unwrap_or_default();
        format!("PR {repository}#{}", pr.number)
    });
    let mut parts: Vec<String> = Vec::new();
    parts.extend(facts.project.clone());
    parts.extend(facts.branch.clone());
    parts.extend(prs);
    let model = conversation.usage.models.last();
    parts.extend(model.map(|model| model.trim_start_matches("claude-").to_owned()));
    parts
}

fn measures(conversation: &Conversation, facts: &Facts) -> Vec<String> {
    let mut parts = Vec::new();
    parts.push(match conversation.human_turns() {
        1 => "1 turn".to_owned(),
        turns => format!("{turns} turns"),
    });
    if let Some(tokens) = conversation.usage.context {
        parts.push(format!("{} context", thousands(tokens)));
    }
    if let Some(cost) = &conversation.state.cost {
        parts.push(format!("${:.2}", cost.usd));
    }
    match facts.compactions {
        0 => {}
        1 => parts.push("compacted once".to_owned()),
        times => parts.push(format!("compacted {times} times")),
    }
    parts.extend(facts.file_size.clone());
    parts.extend(facts.times.clone());
    parts
}

fn thousands(tokens: u64) -> String {
    match tokens {
        ..1000 => tokens.to_string(),
        _ => format!("{}k", tokens / 1000),
    }
}

/// What wants attention.
fn states(conversation: &Conversation, facts: &Facts) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut add = |text: &str, tone: Tone| {
        if !spans.is_empty() {
            spans.push(Span::new("   ", Tone::Plain));
        }
        spans.push(Span::new(text, tone));
    };
    if let Some(running) = &facts.running {
        add(&format!("● {running}"), Tone::Added);
    }
    match &conversation.interruption {
        Interruption::None => {}
        Interruption::Prompt { by: By::Person, .. } => add("you interrupted it", Tone::Strong),
        Interruption::Prompt { .. } => add("your last prompt was not answered", Tone::Strong),
        Interruption::Turn { by, .. } => match by {
            By::End { tools } if !tools.is_empty() => {
                let text = format!("stopped while running {}", tools.join(", "));
                add(&text, Tone::Strong);
            }
            _ => add("stopped in the middle of a turn", Tone::Strong),
        },
    }
    if facts.branches > 1 {
        add(&format!("⑂ {} branches", facts.branches), Tone::Plain);
    }
    let mut damage = Vec::new();
    match facts.health.bad {
        0 => {}
        1 => damage.push("1 bad line".to_owned()),
        bad => damage.push(format!("{bad} bad lines")),
    }
    if facts.reach.lost > 0 {
        damage.push(format!("Claude will see {} %", facts.reach.percent()));
    } else if facts.gaps > 0 {
        damage.push("its beginning is not in this file".to_owned());
    }
    if !damage.is_empty() {
        add(&format!("⚠ {}", damage.join("; ")), Tone::Error);
    }
    spans
}

fn todos(conversation: &Conversation) -> Vec<Span> {
    let todos = &conversation.state.todos;
    if todos.iter().all(|todo| todo.status == TodoStatus::Done) {
        return Vec::new();
    }
    let each = |todo: &crate::transcript::Todo| {
        let mark = match todo.status {
            TodoStatus::Open => "☐",
            TodoStatus::InProgress => "◐",
            TodoStatus::Done => "☑",
        };
        format!("{mark} {}", truncate(&todo.text, 40))
    };
    let list: Vec<String> = todos.iter().map(each).collect();
    vec![
        Span::new("todo  ", Tone::Dim),
        Span::new(&list.join("  "), Tone::Plain),
    ]
}

fn files(conversation: &Conversation) -> Vec<Span> {
    let files = &conversation.state.files;
    if files.is_empty() {
        return Vec::new();
    }
    let cwd = conversation
        .entries
        .iter()
        .find_map(|entry| entry.text("cwd"));
    let mut spans = vec![Span::new("files ", Tone::Dim)];
    for (n, file) in files.iter().take(NAMED_FILES).enumerate() {
        if n > 0 {
            spans.push(Span::new(" · ", Tone::Dim));
        }
        spans.push(Span::new(below(&file.path, cwd), Tone::Plain));
        spans.push(Span::new(&format!(" +{}", file.added), Tone::Added));
        spans.push(Span::new(&format!(" -{}", file.removed), Tone::Removed));
    }
    if files.len() > NAMED_FILES {
        let more = format!(" · {} more", files.len() - NAMED_FILES);
        spans.push(Span::new(&more, Tone::Dim));
    }
    spans
}

/// A path as it is called inside the session's directory.
fn below<'a>(path: &'a str, cwd: Option<&str>) -> &'a str {
    cwd.and_then(|cwd| path.strip_prefix(cwd)?.strip_prefix('/'))
        .unwrap_or(path)
}

fn joined(parts: &[String], tone: Tone) -> Vec<Span> {
    if parts.is_empty() {
        return Vec::new();
    }
    vec![Span::new(&parts.join(" · "), tone)]
}
