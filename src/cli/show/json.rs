//! `show --json`: everything that is known of a conversation, as one object.

use std::io::{self, Write};
use std::mem;

use serde::Serialize;

use super::shown::{Compaction, Shown};
use crate::text::escape_json;
use crate::transcript::{
    Audience, Branch, Breaks, Interruption, Leaf, LeftOut, PromptReach, Sent, SessionState,
    SubAgent, TranscriptMessage, Usage,
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
    compactions: Vec<CompactionReport<'a>>,
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
struct CompactionReport<'a> {
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
    #[serde(flatten)]
    breaks: Breaks,
    /// Entries elsewhere in the file whose parent is not there.
    orphans: usize,
    #[serde(flatten)]
    reach: PromptReach,
    percent_reachable: usize,
}

/// A list of patches that stands empty in the object. Texts have a backslash before a quotation
/// mark, so these letters mean nothing else.
const NO_HUNKS: &str = "\"hunks\":[]";

/// Prints the object. Patches and messages are not held: they are read again where they stand.
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
    // The SDK leaves nothing out and makes nothing up.
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
        let uuid = || entry.uuid.clone();
        let reason = sent.left_out(entry);
        left_out.extend(reason.map(|reason| NotSent {
            uuid: uuid(),
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
    let health = &shown.index.health;
    let mut branches = shown.branches.iter();
    let leaf = branches.find(|branch| branch.is_shown);
    Object {
        session: Session {
            id: shown.session_id(),
            path: shown.path.to_string_lossy().into_owned(),
            size: std::fs::metadata(&shown.path).ok().map(|file| file.len()),
            title: digest.state.title.as_deref(),
            cwd: shown.cwd(),
            git_branch: digest.git_branch.as_deref(),
            version: digest.version.as_deref(),
        },
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
        compactions: shown
            .overview
            .compactions
            .iter()
            .map(CompactionReport::of)
            .collect(),
        interruption: &digest.sent.interruption,
        state: &digest.state,
        usage: &digest.usage,
        turns: shown.overview.gist.turns(),
        subagents: &shown.agents,
        health: HealthReport {
            lines: health.lines,
            bad_lines: health.bad,
            bad_line_numbers: &health.bad_lines,
            glued_lines: health.glued,
            nul_runs: health.nul_runs,
            mended_lines: digest.mended,
            duplicates: health.duplicates,
            torn_end: health.torn_end,
            breaks: shown.chain.breaks,
            orphans: tree.orphans(),
            percent_reachable: reach.percent(),
            reach,
        },
        messages: [],
    }
}

impl<'a> CompactionReport<'a> {
    fn of(compaction: &'a Compaction) -> Self {
        Self {
            uuid: &compaction.uuid,
            at: compaction.at,
            trigger: compaction.trigger.as_deref(),
            tokens_before: compaction.tokens_before,
        }
    }
}
