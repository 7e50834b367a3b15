//! A run of tool calls in a few words: "read 3 files, ran 2 commands, edited src/a.rs +12 -3".

use std::collections::BTreeSet;

use super::state::FileChange;
use super::tools::{ToolCall, tool_title};

/// How many changed files are named before they are counted.
const NAMED: usize = 2;
/// Characters of a command, question or the like in the description of a run.
const MOST_TOLD: usize = 60;

/// Says what a run of calls did, in the order of the kinds' first calls. Files are called as in
/// `cwd`, the directory of the session.
pub fn describe_run<'a>(
    calls: impl IntoIterator<Item = &'a ToolCall>,
    cwd: Option<&str>,
) -> String {
    let mut deeds: Vec<Deed> = Vec::new();
    let mut failed = 0;
    let mut declined = Vec::new();
    let mut unfinished = Vec::new();
    for call in calls {
        // Its outcome is unknown: it may not even have begun.
        if call.result.is_none() {
            unfinished.push(call.name.as_deref().unwrap_or("a tool"));
            continue;
        }
        let deed = Deed::of(call);
        // A declined call was not carried out, but a declined question was asked.
        let is_declined = call.result.as_ref().and_then(|result| result.declined());
        if is_declined.is_some() {
            if matches!(deed.verb, Verb::Ask | Verb::Propose) {
                declined.push("it".to_owned());
            } else {
                declined.push(tool_title(call.name.as_deref().unwrap_or("a tool")));
                continue;
            }
        }
        let is_error = call.result.as_ref().is_some_and(|result| result.is_error);
        let has_failed = is_error && is_declined.is_none();
        failed += usize::from(has_failed);
        // A command that failed was run, an edit that failed is none.
        if has_failed && deed.verb == Verb::Edit {
            continue;
        }
        match deeds.iter_mut().find(|known| known.verb == deed.verb) {
            Some(known) => known.join(deed),
            None => deeds.push(deed),
        }
    }
    let is_alone = deeds.len() == 1;
    let words = |deed: &Deed| match deed.alone(cwd).filter(|_| is_alone) {
        Some(words) => words,
        None => deed.words(cwd),
    };
    let mut words: Vec<String> = deeds.iter().map(words).collect();
    // Where nothing was done at all, what failed were edits.
    match (failed, words.is_empty()) {
        (0, _) => {}
        (1, true) => words.push("an edit failed".to_owned()),
        (_, true) => words.push(format!("{failed} edits failed")),
        (_, false) => words.push(format!("{failed} failed")),
    }
    match declined.as_slice() {
        [] => {}
        [what] => words.push(format!("you declined {what}")),
        several => words.push(format!("you declined {} calls", several.len())),
    }
    match unfinished.as_slice() {
        [] => {}
        [name] => words.push(format!("{name} never finished")),
        several => words.push(format!("{} calls never finished", several.len())),
    }
    words.join(", ")
}

/// Calls of one kind.
#[derive(Debug)]
struct Deed {
    verb: Verb,
    calls: usize,
    /// What they were done to, each once.
    objects: BTreeSet<String>,
    added: usize,
    removed: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Verb {
    Read,
    Edit,
    Run,
    /// Looks at something that runs in the background.
    Check,
    Stop,
    Search,
    SearchWeb,
    Fetch,
    /// Looks for tools that are not at hand yet.
    Equip,
    Ask,
    Plan,
    Propose,
    Delegate,
    Write,
    Use(String),
}

impl Deed {
    fn of(call: &ToolCall) -> Self {
        let name = call.name.as_deref().unwrap_or("a tool");
        let (verb, key) = match name {
            "Read" | "NotebookRead" => (Verb::Read, "file_path"),
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => (Verb::Edit, "file_path"),
            "Bash" => (Verb::Run, "command"),
            "BashOutput" | "TaskOutput" | "AgentOutput" => (Verb::Check, ""),
            "KillBash" | "KillShell" | "TaskStop" => (Verb::Stop, ""),
            "Grep" | "Glob" | "LS" => (Verb::Search, "pattern"),
            "WebSearch" => (Verb::SearchWeb, "query"),
            "WebFetch" => (Verb::Fetch, "url"),
            "ToolSearch" => (Verb::Equip, ""),
            "AskUserQuestion" => (Verb::Ask, ""),
            "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet"
            | "EnterPlanMode" => (Verb::Plan, ""),
            "ExitPlanMode" => (Verb::Propose, ""),
            "Task" | "Agent" => (Verb::Delegate, "description"),
            "SendMessage" => (Verb::Write, "to"),
            "Skill" => {
                let mut skill = ["skill", "command"].iter();
                let skill = skill.find_map(|key| call.input[*key].as_str());
                let skill =
                    skill.map_or_else(|| "a skill".to_owned(), |it| format!("the skill {it}"));
                (Verb::Use(skill), "")
            }
            other => (Verb::Use(tool_title(other)), ""),
        };
        let change = FileChange::of(call);
        // A notebook is named under another key than a file.
        let changed = change.as_ref().map(|change| change.path.as_str());
        let object = changed.or(call.input[key].as_str()).map(str::to_owned);
        let objects = match verb {
            Verb::Ask => questions(call),
            _ => object.into_iter().collect(),
        };
        Self {
            verb,
            calls: 1,
            objects,
            added: change.as_ref().map_or(0, |change| change.added),
            removed: change.as_ref().map_or(0, |change| change.removed),
        }
    }

    fn join(&mut self, other: Self) {
        self.calls += other.calls;
        self.objects.extend(other.objects);
        self.added += other.added;
        self.removed += other.removed;
    }

    /// What a single call was about, where that says more than a count of one.
    fn alone(&self, cwd: Option<&str>) -> Option<String> {
        if self.calls > 1 {
            return None;
        }
        let object = self.objects.first().filter(|it| !it.trim().is_empty())?;
        let what = clipped(object);
        Some(match self.verb {
            Verb::Read => format!("read {}", called(object, cwd)),
            Verb::Run => format!("ran {what}"),
            Verb::Search => format!("searched for {what}"),
            Verb::SearchWeb => format!("searched the web for {what}"),
            Verb::Fetch => format!("looked up {what}"),
            Verb::Delegate => format!("ran an agent: {what}"),
            _ => return None,
        })
    }

    fn words(&self, cwd: Option<&str>) -> String {
        let calls = self.calls;
        let objects = self.objects.len().max(1);
        match &self.verb {
            Verb::Read => format!("read {}", counted(objects, "file")),
            Verb::Edit => {
                let what = if self.objects.is_empty() || self.objects.len() > NAMED {
                    counted(objects, "file")
                } else {
                    let names = self.objects.iter().map(|path| called(path, cwd));
                    let names: Vec<String> = names.collect();
                    names.join(" and ")
                };
                format!("edited {what} +{} -{}", self.added, self.removed)
            }
            Verb::Run => format!("ran {}", counted(calls, "command")),
            Verb::Check => times("checked a background task", calls),
            Verb::Stop => format!("stopped {}", counted(calls, "background task")),
            Verb::Search => times("searched", calls),
            Verb::SearchWeb => times("searched the web", calls),
            Verb::Fetch => format!("looked up {}", counted(calls, "page")),
            Verb::Equip => "looked for tools".to_owned(),
            Verb::Ask => match self.objects.first() {
                Some(only) if objects == 1 => format!("asked {only}"),
                _ => format!("asked {}", counted(objects, "question")),
            },
            Verb::Plan => "updated the plan".to_owned(),
            Verb::Propose => "proposed a plan".to_owned(),
            Verb::Delegate => format!("ran {}", counted(calls, "agent")),
            Verb::Write => {
                let names: Vec<&str> = self.objects.iter().map(String::as_str).collect();
                match names.len() {
                    1..=NAMED => format!("wrote to {}", names.join(" and ")),
                    _ => format!("wrote {}", counted(calls, "message")),
                }
            }
            Verb::Use(name) => match calls {
                1 => format!("used {name}"),
                _ => format!("used {name} {calls} times"),
            },
        }
    }
}

/// The questions of a call, each with its answer as far as there is one.
fn questions(call: &ToolCall) -> BTreeSet<String> {
    let answers = call.result.as_ref().map(|result| &result.detail["answers"]);
    let asked = call.input["questions"].as_array().into_iter().flatten();
    let asked = asked.filter_map(|question| question["question"].as_str());
    let words = |question: &str| {
        let answer = answers.and_then(|answers| answers[question].as_str());
        let question = clipped(question);
        match answer {
            Some(answer) => format!("“{question}”: {}", clipped(answer)),
            None => format!("“{question}”"),
        }
    };
    asked.map(words).collect()
}

/// The beginning of a text, on one line.
fn clipped(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST_TOLD) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn times(deed: &str, count: usize) -> String {
    match count {
        1 => deed.to_owned(),
        _ => format!("{deed} {count} times"),
    }
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        1 if noun.starts_with('a') => format!("an {noun}"),
        1 => format!("a {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// A path as it is called inside the session's directory; elsewhere its end is enough.
pub fn called(path: &str, cwd: Option<&str>) -> String {
    let inside = below(path, cwd);
    let mut slashes = path.rmatch_indices(['/', '\\']);
    match slashes.nth(2) {
        Some((at, _)) if inside.len() == path.len() && at > 0 => format!("…{}", &path[at..]),
        _ => inside.to_owned(),
    }
}

/// A path as it is called inside the session's directory, and elsewhere as a whole.
pub fn below<'a>(path: &'a str, cwd: Option<&str>) -> &'a str {
    cwd.and_then(|cwd| path.strip_prefix(cwd)?.strip_prefix(['/', '\\']))
        .unwrap_or(path)
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
