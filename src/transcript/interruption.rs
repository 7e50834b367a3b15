//! Where the conversation stopped: was Claude done, or was it cut off?
//!
//! The rule of Claude Code when it resumes: what it would leave out (unfinished tool calls,
//! thinking without an answer) is passed over, and the last line that is left decides.

use std::collections::HashSet;

use serde::Serialize;

use super::entry::{Block, Entry};
use super::turns::{Turn, What};
use crate::record::{EntryType, UserText};

/// Tools whose result is the end of a turn: they speak to the person themselves.
const LAST_WORDS: [&str; 3] = ["SendUserMessage", "SendUserFile", "Brief"];

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Interruption {
    /// Claude had the last word.
    #[default]
    None,
    /// The last prompt was never answered.
    #[serde(rename_all = "camelCase")]
    Prompt { uuid: String, by: By },
    /// Claude was at work: a tool had answered, or was still running.
    #[serde(rename_all = "camelCase")]
    Turn { uuid: String, by: By },
}

/// What cut Claude off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum By {
    /// The person pressed Esc.
    Person,
    /// The end of the program, while these tools were running.
    End { tools: Vec<String> },
}

impl Interruption {
    pub fn of(entries: &[Entry]) -> Self {
        let answered: HashSet<&str> = entries
            .iter()
            .flat_map(Entry::blocks)
            .filter_map(|block| match block {
                Block::ToolResult { id, .. } => Some(id),
                _ => None,
            })
            .collect();
        let answering: HashSet<&str> = entries
            .iter()
            .filter(|entry| entry.kind == EntryType::Assistant && has_content(entry, &answered))
            .filter_map(Entry::message_id)
            .collect();
        let mut running = Vec::new();
        for entry in entries.iter().rev().filter(|entry| !entry.is_foreign) {
            match entry.kind {
                EntryType::Assistant => {
                    if entry.is_set("isApiErrorMessage") {
                        continue;
                    }
                    let said = match entry.message_id() {
                        Some(id) => answering.contains(id),
                        None => has_content(entry, &answered),
                    };
                    if said {
                        return Self::None;
                    }
                    running.splice(0..0, unanswered(entry, &answered));
                }
                EntryType::User => return after_user(entry, entries, running),
                EntryType::Attachment => {
                    return Self::Turn {
                        uuid: entry.uuid.clone(),
                        by: By::End { tools: running },
                    };
                }
                _ => {}
            }
        }
        Self::None
    }
}

/// The tools that a conversation ends with and that gave nothing back: what ran when the program
/// was killed. Resuming leaves these calls out, so they say nothing about who had the last word.
pub fn unfinished(turns: &[Turn]) -> Vec<String> {
    let steps = turns.last().map_or(&[][..], |turn| &turn.steps);
    let calls = steps.iter().rev().map_while(|step| match &step.what {
        What::Tool(call) => Some(call),
        _ => None,
    });
    let mut names: Vec<String> = calls
        .filter(|call| call.result.is_none())
        .filter_map(|call| call.name.clone())
        .collect();
    names.reverse();
    names
}

/// Does resuming keep anything of this line?
fn has_content(entry: &Entry, answered: &HashSet<&str>) -> bool {
    entry.blocks().into_iter().any(|block| match block {
        Block::Text(text) => !text.trim().is_empty(),
        Block::ToolUse { id, .. } => answered.contains(id),
        Block::Image(_) | Block::Other(_) => true,
        Block::Thinking(_) | Block::ToolResult { .. } => false,
    })
}

fn unanswered(entry: &Entry, answered: &HashSet<&str>) -> Vec<String> {
    entry
        .blocks()
        .into_iter()
        .filter_map(|block| match block {
            Block::ToolUse { id, name, .. } if !answered.contains(id) => Some(name.to_owned()),
            _ => None,
        })
        .collect()
}

fn after_user(entry: &Entry, entries: &[Entry], running: Vec<String>) -> Interruption {
    if entry.is_meta {
        return Interruption::None;
    }
    let uuid = entry.uuid.clone();
    let mut by = By::End { tools: running };
    for block in entry.blocks() {
        match block {
            Block::ToolResult { id, .. } => {
                return if calls(entries, id).is_some_and(|name| LAST_WORDS.contains(&name)) {
                    Interruption::None
                } else {
                    Interruption::Turn { uuid, by }
                };
            }
            Block::Text(text) => match UserText::of(text) {
                UserText::Interrupted => by = By::Person,
                // What a command printed asks for nothing.
                UserText::CommandOutput(_) | UserText::ShellOutput { .. } => {
                    return Interruption::None;
                }
                UserText::Typed(_)
                | UserText::Shell(_)
                | UserText::Command { .. }
                | UserText::Machine => {}
            },
            _ => {}
        }
    }
    Interruption::Prompt { uuid, by }
}

/// The name of the tool that was called with this id.
fn calls<'a>(entries: &'a [Entry], wanted: &str) -> Option<&'a str> {
    entries
        .iter()
        .rev()
        .flat_map(Entry::blocks)
        .find_map(|block| match block {
            Block::ToolUse { id, name, .. } if id == wanted => Some(name),
            _ => None,
        })
}
