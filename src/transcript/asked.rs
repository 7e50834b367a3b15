//! What the user asked in a transcript: the prompts of all branches.

use std::io::{self, Read, Seek};

use super::entry::{ContentBlock, Entry, blocks, read_entry};
use super::index::Index;
use super::link::{EntryId, Link};
use crate::record::{EntryType, UserPrompt, one_line};

/// A prompt, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedPrompt {
    pub text: String,
    /// Is it a command that Claude may not have seen?
    pub is_command: bool,
}

/// Every prompt of a transcript, on whatever branch, with its entry and its time. Reads no other
/// lines.
pub fn asked_prompts(
    mut source: impl Read + Seek,
    index: &Index,
) -> io::Result<Vec<(EntryId, Option<i64>, AskedPrompt)>> {
    let mut prompts = Vec::new();
    for link in index.links().iter().filter(|link| is_prompt(link)) {
        if let Some(prompt) = read_entry(&mut source, link)?.as_ref().and_then(asked) {
            prompts.push((link.id, link.time, prompt));
        }
    }
    Ok(prompts)
}

/// Could the user have typed this line, going by its flags?
pub fn is_prompt(link: &Link) -> bool {
    let typed = link.entry == EntryType::User
        && !link.is_meta
        && !link.is_peer
        && !link.is_tool_result
        && !link.is_compact_summary;
    (typed || link.is_queued) && !link.is_sidechain && !link.is_team
}

/// What was typed in an entry, if anything.
pub fn asked(entry: &Entry) -> Option<AskedPrompt> {
    let blocks = match entry.queued_prompt() {
        Some(prompt) => blocks(prompt),
        None => entry.blocks(),
    };
    let asked = |text: &str, is_command| {
        let text = String::from(one_line(text)?);
        Some(AskedPrompt { text, is_command })
    };
    let mut other = None;
    for block in blocks {
        match block {
            ContentBlock::ToolResult { .. } => return None,
            ContentBlock::Image(_) => other = other.or_else(|| asked("[image]", false)),
            ContentBlock::Text(text) => match UserPrompt::of(text) {
                UserPrompt::Typed(text) => return asked(&text, false),
                UserPrompt::Command(text) => other = asked(&text, true),
                UserPrompt::Machine => {}
            },
            _ => {}
        }
    }
    other
}
