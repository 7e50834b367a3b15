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
            if matches!(
                call.name.as_deref(),
                Some("AskUserQuestion" | "ExitPlanMode")
            ) {
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
        if has_failed && call.edits_file() {
            continue;
        }
        let is_same = |known: &&mut Deed| (&known.verb, known.count) == (&deed.verb, deed.count);
        match deeds.iter_mut().find(is_same) {
            Some(known) => {
                known.calls += 1;
                known.objects.extend(deed.objects);
                known.added += deed.added;
                known.removed += deed.removed;
            }
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
    verb: String,
    count: Count,
    calls: usize,
    /// What they were done to, each once.
    objects: BTreeSet<String>,
    added: usize,
    removed: usize,
}

/// How several calls of a kind are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    /// Files with the lines that changed.
    Changes,
    /// "read 3 files": what they were done to.
    Objects(&'static str),
    /// "ran 2 commands".
    Calls(&'static str),
    /// "searched 2 times".
    Times,
    /// Not at all.
    Once,
}

impl Deed {
    fn of(call: &ToolCall) -> Self {
        let name = call.name.as_deref().unwrap_or("a tool");
        let used;
        let (verb, count, key) = match name {
            "Read" | "NotebookRead" => ("read", Count::Objects("file"), "file_path"),
            _ if call.edits_file() => ("edited", Count::Changes, "file_path"),
            "Bash" => ("ran", Count::Calls("command"), "command"),
            "BashOutput" | "TaskOutput" | "AgentOutput" => {
                ("checked a background task", Count::Times, "")
            }
            "KillBash" | "KillShell" | "TaskStop" => {
                ("stopped", Count::Calls("background task"), "")
            }
            "Grep" | "Glob" | "LS" => ("searched", Count::Times, "pattern"),
            "WebSearch" => ("searched the web", Count::Times, "query"),
            "WebFetch" => ("looked up", Count::Calls("page"), "url"),
            "ToolSearch" => ("looked for tools", Count::Once, ""),
            "AskUserQuestion" => ("asked", Count::Objects("question"), ""),
            "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet"
            | "EnterPlanMode" => ("updated the plan", Count::Once, ""),
            "ExitPlanMode" => ("proposed a plan", Count::Once, ""),
            "Task" | "Agent" => ("ran", Count::Calls("agent"), "description"),
            "SendMessage" => ("wrote", Count::Calls("message"), "to"),
            _ => {
                let mut skill = ["skill", "command"].iter();
                used = match skill.find_map(|key| call.input[*key].as_str()) {
                    _ if name != "Skill" => format!("used {}", tool_title(name)),
                    Some(skill) => format!("used the skill {skill}"),
                    None => "used a skill".to_owned(),
                };
                (&*used, Count::Times, "")
            }
        };
        let change = FileChange::of(call);
        let changed = change.as_ref().map(|change| change.path.as_str());
        let object = changed.or(call.input[key].as_str()).map(str::to_owned);
        Self {
            verb: verb.to_owned(),
            count,
            calls: 1,
            objects: match name {
                "AskUserQuestion" => questions(call),
                _ => object.into_iter().collect(),
            },
            added: change.as_ref().map_or(0, |change| change.added),
            removed: change.as_ref().map_or(0, |change| change.removed),
        }
    }

    /// The only deed of a run, if it was one call: what it was about says more than that it was one.
    fn alone(&self, cwd: Option<&str>) -> Option<String> {
        let object = self.objects.first().filter(|it| !it.trim().is_empty())?;
        let (verb, what) = (&self.verb, clipped(object));
        match self.count {
            _ if self.calls > 1 => None,
            Count::Objects("file") => Some(format!("{verb} {}", called(object, cwd))),
            Count::Calls("agent") => Some(format!("{verb} an agent: {what}")),
            Count::Calls("command" | "page") => Some(format!("{verb} {what}")),
            Count::Times => Some(format!("{verb} for {what}")),
            _ => None,
        }
    }

    fn words(&self, cwd: Option<&str>) -> String {
        let (verb, calls) = (&self.verb, self.calls);
        let objects = self.objects.len().max(1);
        let is_named = (1..=NAMED).contains(&self.objects.len());
        let names = |name: fn(&str, Option<&str>) -> String| {
            let names: Vec<String> = self.objects.iter().map(|it| name(it, cwd)).collect();
            names.join(" and ")
        };
        match self.count {
            Count::Changes => {
                let what = if is_named {
                    names(called)
                } else {
                    counted(objects, "file")
                };
                format!("{verb} {what} +{} -{}", self.added, self.removed)
            }
            Count::Objects("question") if self.objects.len() == 1 => {
                format!("{verb} {}", names(|question, _| question.to_owned()))
            }
            Count::Calls("message") if is_named => {
                format!("{verb} to {}", names(|name, _| name.to_owned()))
            }
            Count::Objects(noun) => format!("{verb} {}", counted(objects, noun)),
            Count::Calls(noun) => format!("{verb} {}", counted(calls, noun)),
            Count::Times if calls > 1 => format!("{verb} {calls} times"),
            Count::Times | Count::Once => verb.clone(),
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
