//! A run of tool calls in a few words: "read 3 files, ran 2 commands, edited src/a.rs +12 -3".

use std::collections::BTreeSet;

use super::state::FileChange;
use super::tools::ToolCall;

/// How many changed files are named before they are counted.
const NAMED: usize = 2;

/// Says what a run of calls did, in the order of the kinds' first calls.
pub fn describe_run<'a>(calls: impl IntoIterator<Item = &'a ToolCall>) -> String {
    let mut deeds: Vec<Deed> = Vec::new();
    let mut failed = 0;
    for call in calls {
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
    let mut words: Vec<String> = deeds.iter().map(Deed::words).collect();
    if failed > 0 {
        words.push(format!("{failed} failed"));
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
        let object = call.input[key].as_str().map(str::to_owned);
        let change = FileChange::of(call);
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

    fn words(&self) -> String {
        let calls = self.calls;
        let objects = self.objects.len().max(1);
        match &self.verb {
            Verb::Read => format!("read {}", counted(objects, "file")),
            Verb::Edit => {
                let what = if self.objects.is_empty() || self.objects.len() > NAMED {
                    counted(objects, "file")
                } else {
                    let names: Vec<&str> = self.objects.iter().map(|path| tail(path)).collect();
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

/// The last two components of a path: enough to know it by.
fn tail(path: &str) -> &str {
    let mut slashes = path.rmatch_indices(['/', '\\']);
    match (slashes.next(), slashes.next()) {
        (Some(_), Some((at, _))) => &path[at + 1..],
        _ => path,
    }
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
