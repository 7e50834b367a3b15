//! Files that were changed, with the patches that the tools reported.

use serde::Serialize;
use serde_json::Value;

use super::super::link::EntryId;
use super::super::tools::ToolCall;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    pub path: String,
    pub added: usize,
    pub removed: usize,
    pub hunks: Vec<Hunk>,
    /// The entries that report the patches, to read them again.
    #[serde(skip)]
    pub reported_in: Vec<EntryId>,
}

/// A piece of a patch, as it is reported: each line opens with `+`, `-` or a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    pub old_start: u64,
    pub new_start: u64,
    pub lines: Vec<String>,
}

/// Adds a change to those of each file, without its patches: a long conversation has many.
pub fn add_change(files: &mut Vec<FileChange>, change: FileChange) {
    match files.iter_mut().find(|file| file.path == change.path) {
        Some(file) => {
            file.added += change.added;
            file.removed += change.removed;
            file.reported_in.extend(change.reported_in);
        }
        None => files.push(FileChange {
            hunks: Vec::new(),
            ..change
        }),
    }
}

impl FileChange {
    /// What a call changed, if it changed a file and did not fail.
    pub fn of(call: &ToolCall) -> Option<Self> {
        let result = call.result.as_ref().filter(|result| !result.is_error)?;
        if !call.edits_file() {
            return None;
        }
        let detail = &result.detail;
        let input = &call.input;
        let paths = [
            &detail["filePath"],
            &input["file_path"],
            &input["notebook_path"],
        ];
        let path = paths.into_iter().find_map(Value::as_str)?;
        let hunks = Hunk::reported(detail);
        let reported_in = result.entry.filter(|_| !hunks.is_empty());
        let (added, removed) = if hunks.is_empty() {
            rough(call)
        } else {
            let starting = |sign: char| {
                let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
                lines.filter(|line| line.starts_with(sign)).count()
            };
            (starting('+'), starting('-'))
        };
        Some(Self {
            path: path.to_owned(),
            added,
            removed,
            hunks,
            reported_in: reported_in.into_iter().collect(),
        })
    }
}

impl Hunk {
    /// The patch that a tool reports besides its text for Claude.
    pub fn reported(detail: &Value) -> Vec<Self> {
        let hunks = detail["structuredPatch"].as_array();
        hunks.into_iter().flatten().map(Self::of).collect()
    }

    fn of(hunk: &Value) -> Self {
        let number = |key: &str| hunk[key].as_u64().unwrap_or_default();
        let lines = hunk["lines"].as_array().into_iter().flatten();
        Self {
            old_start: number("oldStart"),
            new_start: number("newStart"),
            lines: lines.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }
}

/// Lines added and removed by what was asked for, where no patch is reported: a new file has
/// none, and some transcripts were stripped of them. Lines around a change that only say where it
/// is are not counted. How often a text was replaced is not known: it counts once.
fn rough(call: &ToolCall) -> (usize, usize) {
    let edits: Vec<&Value> = match call.input["edits"].as_array() {
        Some(edits) => edits.iter().collect(),
        None => vec![&call.input],
    };
    let written = ["content", "new_source"].map(|key| text_of(&call.input, key).lines().count());
    let mut sum = (written.iter().sum(), 0);
    for edit in edits {
        let (added, removed) = changed(text_of(edit, "old_string"), text_of(edit, "new_string"));
        sum = (sum.0 + added, sum.1 + removed);
    }
    sum
}

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// How many lines of a text are new and how many are gone, between those that it begins and ends
/// with before and after.
fn changed(old: &str, new: &str) -> (usize, usize) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let is_same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(is_same).count();
    let rests = old.iter().skip(head).rev().zip(new.iter().skip(head).rev());
    let both = head + rests.take_while(is_same).count();
    (new.len() - both, old.len() - both)
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
