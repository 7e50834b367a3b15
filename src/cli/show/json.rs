//! `show --json`: everything that is known of a conversation, as one object.

use std::io::Write;

use serde::Serialize;

use super::Shown;
use crate::text::escape_json;
use crate::transcript::{
    Branch, Interruption, Leaf, Message, Opening, Reach, State, SubAgent, Usage,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    session: Session<'a>,
    rule: &'a str,
    leaf: Option<&'a str>,
    /// How the leaf was found: `pointer`, `last` or `given`.
    leaf_by: Option<&'static str>,
    branches: &'a [Branch],
    compactions: Vec<Compaction<'a>>,
    interruption: &'a Interruption,
    state: &'a State,
    usage: &'a Usage,
    turns: usize,
    subagents: &'a [SubAgent],
    health: HealthReport<'a>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session<'a> {
    id: String,
    path: String,
    /// Bytes of the file.
    size: Option<u64>,
    title: Option<&'a str>,
    cwd: Option<&'a str>,
    git_branch: Option<&'a str>,
    version: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Compaction<'a> {
    uuid: &'a str,
    at: Option<i64>,
    trigger: Option<&'a str>,
    tokens_before: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HealthReport<'a> {
    lines: u64,
    /// How many lines could not be read, and the numbers of the first of them.
    bad_lines: u64,
    bad_line_numbers: &'a [u64],
    glued_lines: u64,
    nul_runs: u64,
    /// Lines of the conversation that a strict parser refuses.
    mended_lines: usize,
    duplicates: u64,
    torn_end: bool,
    /// Parents that the conversation names and that are not there.
    gaps: usize,
    /// Entries elsewhere in the file whose parent is not there.
    orphans: usize,
    has_circle: bool,
    #[serde(flatten)]
    reach: Reach,
    percent_reachable: usize,
}

pub fn print(out: &mut impl Write, shown: &Shown, rule: &str) -> anyhow::Result<()> {
    let conversation = &shown.conversation;
    let last = |key: &str| {
        let mut entries = conversation.entries.iter().rev();
        entries.find_map(|entry| entry.text(key).filter(|text| !text.is_empty()))
    };
    let tree = shown.tree();
    let reach = tree.reach(&shown.chain);
    let leaf = shown.chain.leaf.map(|leaf| {
        let links = shown.index.links();
        links[leaf.position()].id
    });
    let leaf = conversation
        .entries
        .iter()
        .map(|entry| entry.uuid.as_str())
        .find(|uuid| crate::transcript::EntryId::of(uuid.as_bytes()) == leaf);
    let health = &shown.index.health;
    let object = Object {
        session: Session {
            id: shown.session_id(),
            path: shown.path.to_string_lossy().into_owned(),
            size: std::fs::metadata(&shown.path).ok().map(|file| file.len()),
            title: conversation.state.title.as_deref(),
            cwd: conversation
                .entries
                .iter()
                .find_map(|entry| entry.text("cwd")),
            git_branch: last("gitBranch"),
            version: last("version"),
        },
        rule,
        leaf,
        leaf_by: shown.chain.leaf.map(|leaf| match leaf {
            Leaf::Pointer(_) => "pointer",
            Leaf::Last(_) => "last",
            Leaf::Given(_) => "given",
        }),
        branches: &shown.branches,
        compactions: compactions(shown),
        interruption: &conversation.interruption,
        state: &conversation.state,
        usage: &conversation.usage,
        turns: conversation.human_turns(),
        subagents: &shown.agents,
        health: HealthReport {
            lines: health.lines,
            bad_lines: health.bad,
            bad_line_numbers: &health.bad_lines,
            glued_lines: health.glued,
            nul_runs: health.nul_runs,
            mended_lines: conversation.mended(),
            duplicates: health.duplicates,
            torn_end: health.torn_end,
            gaps: shown.chain.gaps,
            orphans: tree.orphans(),
            has_circle: shown.chain.has_circle,
            percent_reachable: reach.percent(),
            reach,
        },
        messages: conversation
            .entries
            .iter()
            .filter_map(Message::of)
            .collect(),
    };
    writeln!(out, "{}", escape_json(&serde_json::to_string(&object)?))?;
    Ok(())
}

/// The compactions in the conversation: the one that it begins with, and any that an undone or
/// old one left in its middle.
fn compactions(shown: &Shown) -> Vec<Compaction<'_>> {
    let turns = shown.conversation.turns.iter();
    turns
        .filter_map(|turn| match &turn.opening {
            Opening::Compaction {
                trigger,
                tokens_before,
                ..
            } => Some(Compaction {
                uuid: &turn.uuid,
                at: turn.at,
                trigger: trigger.as_deref(),
                tokens_before: *tokens_before,
            }),
            _ => None,
        })
        .collect()
}
