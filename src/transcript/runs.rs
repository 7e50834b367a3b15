//! A run of tool calls in a few words: "read 3 files, ran 2 commands, edited src/a.rs +12 -3".

use std::collections::BTreeSet;

use super::state::FileChange;
use super::tools::ToolCall;

/// How many changed files are named before they are counted.
const NAMED: usize = 2;

/// Says what a run of calls did, in the order of the kinds' first calls. Files are called as in
/// `cwd`, the directory of the session.
pub fn describe_run<'a>(
    calls: impl IntoIterator<Item = &'a ToolCall>,
    cwd: Option<&str>,
) -> String {
    let mut deeds: Vec<Deed> = Vec::new();
    let mut failed = 0;
    let mut unfinished = Vec::new();
    for call in calls {
        // Nobody knows what came of it: it may not even have begun.
        if call.result.is_none() {
            unfinished.push(call.name.as_deref().unwrap_or("a tool"));
            continue;
        }
        let has_failed = call.result.as_ref().is_some_and(|result| result.is_error);
        failed += usize::from(has_failed);
        let deed = Deed::of(call);
        // A command that failed was run, an edit that failed is none.
        if has_failed && deed.verb == Verb::Edit {
            continue;
        }
        match deeds.iter_mut().find(|known| known.verb == deed.verb) {
            Some(known) => known.join(deed),
            None => deeds.push(deed),
        }
    }
    let mut words: Vec<String> = deeds.iter().map(|deed| deed.words(cwd)).collect();
    if failed > 0 {
        words.push(format!("{failed} failed"));
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
    Search,
    Fetch,
    Ask,
    Plan,
    Delegate,
    Use(String),
}

impl Deed {
    fn of(call: &ToolCall) -> Self {
        let name = call.name.as_deref().unwrap_or("a tool");
        let (verb, key) = match name {
            "Read" | "NotebookRead" | "LS" => (Verb::Read, "file_path"),
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => (Verb::Edit, "file_path"),
            "Bash" | "BashOutput" | "KillBash" | "KillShell" => (Verb::Run, "command"),
            "Grep" | "Glob" | "ToolSearch" => (Verb::Search, "pattern"),
            "WebFetch" | "WebSearch" => (Verb::Fetch, "url"),
            "AskUserQuestion" => (Verb::Ask, ""),
            "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet" | "ExitPlanMode"
            | "EnterPlanMode" => (Verb::Plan, ""),
            "Task" | "Agent" | "TaskOutput" => (Verb::Delegate, "description"),
            other => (Verb::Use(other.to_owned()), ""),
        };
        let change = FileChange::of(call);
        // A notebook is named under another key than a file.
        let changed = change.as_ref().map(|change| change.path.as_str());
        let object = changed.or(call.input[key].as_str()).map(str::to_owned);
        Self {
            verb,
            calls: 1,
            objects: object.into_iter().collect(),
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
            Verb::Search => match calls {
                1 => "searched".to_owned(),
                _ => format!("searched {calls} times"),
            },
            Verb::Fetch => format!("looked up {}", counted(calls, "page")),
            Verb::Ask => format!("asked {}", counted(calls, "question")),
            Verb::Plan => "updated the plan".to_owned(),
            Verb::Delegate => format!("ran {}", counted(calls, "agent")),
            Verb::Use(name) => match calls {
                1 => format!("used {name}"),
                _ => format!("used {name} {calls} times"),
            },
        }
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
