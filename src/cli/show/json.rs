//! `show --json`: everything about a conversation, as one object.

use std::io::{self, Write};
use std::mem;

use serde::Serialize;
use serde_json::{Value, json};

use super::shown::{CompactionInfo, Shown};
use crate::text::escape_json;
use crate::transcript::{
    Audience, Branch, Breaks, Health, Interruption, Leaf, LeftOut, PromptReach, Sent, SessionState,
    SubAgent, TranscriptMessage, Usage,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    session: Value,
    rule: &'a str,
    leaf: Option<&'a str>,
    /// How the leaf was found: `pointer`, `last` or `given`.
    leaf_by: Option<&'static str>,
    branches: &'a [Branch],
    compactions: &'a [CompactionInfo],
    interruption: &'a Interruption,
    state: &'a SessionState,
    usage: &'a Usage,
    turns: usize,
    subagents: &'a [SubAgent],
    health: HealthReport<'a>,
    /// Filled in while it is printed, and the last field for that.
    messages: [TranscriptMessage<'a>; 0],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HealthReport<'a> {
    #[serde(flatten)]
    health: &'a Health,
    /// Lines of the conversation that a strict parser rejects.
    mended_lines: usize,
    #[serde(flatten)]
    breaks: Breaks,
    /// Entries elsewhere in the file whose parent is missing.
    orphans: usize,
    #[serde(flatten)]
    reach: PromptReach,
    percent_reachable: usize,
}

/// An empty list of patches in the object. Quotation marks in texts are escaped, so nothing else
/// reads like this.
const NO_HUNKS: &str = "\"hunks\":[]";

/// Prints the object. Patches and messages are not kept in memory: they are read again.
pub fn print(out: &mut impl Write, shown: &Shown, rule: &str) -> anyhow::Result<()> {
    let object = serde_json::to_string(&object(shown, rule))?;
    let object = object.strip_suffix("]}").unwrap_or(&object);
    let mut pieces = object.split(NO_HUNKS);
    print_json(out, pieces.next().unwrap_or_default())?;
    for (file, piece) in shown.digest.state.files.iter().zip(pieces) {
        write!(out, "\"hunks\":[")?;
        let mut between = "";
        shown.for_each_hunk(file, &mut |hunk| {
            print_json(out, mem::replace(&mut between, ","))?;
            print_json(out, &serde_json::to_string(hunk)?)
        })?;
        write!(out, "]")?;
        print_json(out, piece)?;
    }
    let sent = &*shown.digest.sent;
    // The SDK leaves nothing out and adds nothing.
    let nothing = Sent::default();
    let (audience, sent) = match rule {
        "newest" => (Audience::Sdk, &nothing),
        _ => (Audience::Claude(sent), sent),
    };
    let mut left_out = Vec::new();
    let mut between = "";
    let mut put = |out: &mut _, message: Option<TranscriptMessage<'_>>| {
        let Some(message) = message else {
            return Ok(());
        };
        print_json(out, mem::replace(&mut between, ","))?;
        print_json(out, &serde_json::to_string(&message)?)
    };
    shown.for_each_entry(&mut |entry| {
        put(out, TranscriptMessage::of(entry, audience))?;
        let reason = sent.left_out(entry);
        left_out.extend(reason.map(|reason| NotSent {
            uuid: entry.uuid.clone(),
            reason,
        }));
        put(out, TranscriptMessage::made_up(sent.made_up_after(entry)))
    })?;
    print_json(out, "],\"leftOut\":")?;
    print_json(out, &serde_json::to_string(&left_out)?)?;
    writeln!(out, "}}")?;
    Ok(())
}

/// An entry of the conversation that resuming does not send.
#[derive(Serialize)]
struct NotSent {
    uuid: String,
    reason: LeftOut,
}

fn print_json(out: &mut impl Write, json: &str) -> io::Result<()> {
    out.write_all(escape_json(json).as_bytes())
}

fn object<'a>(shown: &'a Shown, rule: &'a str) -> Object<'a> {
    let digest = &shown.digest;
    let tree = shown.tree();
    let reach = tree.reach(&shown.chain);
    let mut branches = shown.branches.iter();
    let leaf = branches.find(|branch| branch.is_shown);
    Object {
        session: json!({
            "id": shown.session_id(),
            "path": shown.path.to_string_lossy(),
            // Bytes of the file.
            "size": std::fs::metadata(&shown.path).ok().map(|file| file.len()),
            "title": digest.state.title,
            "cwd": digest.cwd,
            "gitBranch": digest.git_branch,
            "version": digest.version,
        }),
        rule,
        leaf: leaf
            .map(|branch| branch.leaf.as_str())
            .filter(|leaf| !leaf.is_empty()),
        leaf_by: shown.chain.leaf.map(|leaf| match leaf {
            Leaf::Pointer(_) => "pointer",
            Leaf::Last(_) => "last",
            Leaf::Given(_) => "given",
        }),
        branches: &shown.branches,
        compactions: &shown.overview.compactions,
        interruption: &digest.sent.interruption,
        state: &digest.state,
        usage: &digest.usage,
        turns: shown.overview.gist.turns(),
        subagents: &shown.agents,
        health: HealthReport {
            health: &shown.index.health,
            mended_lines: digest.mended,
            breaks: shown.chain.breaks,
            orphans: tree.orphans(),
            percent_reachable: reach.percent(),
            reach,
        },
        messages: [],
    }
}
