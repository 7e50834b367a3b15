//! What the loader makes of each fixture: the conversation, its turns, its state, its health.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use claude_resume::transcript::{
    Chain, Digest, EarlierPart, Leaf, LeafRule, Link, LoadExtent, SessionState, StepKind, Tokens,
    Tree, Turn, TurnOpening, TurnStep, earlier, load, read_entries,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/transcript")
}

fn names() -> BTreeSet<String> {
    fs::read_dir(folder())
        .expect("exists")
        .map(|entry| {
            let path = entry.expect("listed").path();
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

/// Everything that is worth a line, and nothing that is as usual.
fn describe(path: &Path) -> String {
    let mut said = String::new();
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            writeln!(said, "  {name}: {value}").expect("written");
        }
    };
    let index = load(path, LoadExtent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Resume);
    let file = File::open(path).expect("opens");
    let conversation = Digest::whole(&file, &index, &chain).expect("reads");
    let entries = read_entries(&file, chain.links(&index)).expect("reads");
    let ids: Vec<&str> = entries.iter().map(|entry| entry.uuid.as_str()).collect();
    line("chain", ids.join(" "));
    let leaf = chain.leaf.map(|leaf| {
        let link: &Link = &index.links()[leaf.position()];
        let entries = read_entries(&file, std::iter::once(link)).expect("reads");
        let how = match leaf {
            Leaf::Pointer(_) => "as Claude Code wrote down",
            Leaf::Last(_) => "last in the file",
            Leaf::Given(_) => "given",
        };
        format!("{}, {how}", entries[0].uuid)
    });
    line("leaf", leaf.unwrap_or_default());
    for turn in &conversation.newest {
        line("turn", describe_turn(turn));
    }
    let tree = Tree::new(&index, &chain);
    for branch in tree.branches(&file).expect("reads").iter().skip(1) {
        line(
            "branch",
            format!(
                "{} left at {:?} after {} turns, {} of its own, {:?}",
                branch.leaf,
                branch.left_at.as_deref().unwrap_or("the beginning"),
                branch.shared_turns,
                branch.turns,
                branch.last_prompt.as_deref().unwrap_or_default()
            ),
        );
    }
    match earlier(path, &index, &chain).expect("reads") {
        EarlierPart::Complete => {}
        EarlierPart::Gone => line("earlier", "gone".to_owned()),
        EarlierPart::Found(earlier) => {
            let file = File::open(&earlier.path).expect("opens");
            let entries = read_entries(file, earlier.chain.links(&earlier.index)).expect("reads");
            let ids: Vec<&str> = entries.iter().map(|entry| entry.uuid.as_str()).collect();
            let name = earlier.path.file_stem().expect("a name").to_string_lossy();
            line("earlier", format!("{} in {name}", ids.join(" ")));
        }
    }
    line("ends", unless_usual(&conversation.sent.interruption));
    if conversation.usage.total != Tokens::default() {
        line("usage", unless_usual(&conversation.usage));
    }
    for (name, value) in described_state(&conversation.state) {
        line(&name, value);
    }
    let left_out: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            let reason = conversation.sent.left_out(entry)?;
            Some(format!("{} ({reason:?})", entry.uuid))
        })
        .collect();
    line("left out", left_out.join(" "));
    let health = &index.health;
    let counts = [
        ("bad lines", health.bad),
        ("glued", health.glued),
        ("runs of zeros", health.nul_runs),
        ("mended", conversation.mended as u64),
        ("duplicates", health.duplicates),
        ("torn end", u64::from(health.torn_end)),
        ("gaps", chain.breaks.gaps as u64),
        ("joined", chain.breaks.joined as u64),
        ("orphans", tree.orphans() as u64),
        ("circle", u64::from(chain.breaks.has_circle)),
    ];
    for (name, count) in counts {
        if count > 0 {
            line(name, count.to_string());
        }
    }
    if !health.bad_lines.is_empty() {
        line("bad line numbers", format!("{:?}", health.bad_lines));
    }
    let reach = tree.reach(&chain);
    if reach.lost > 0 {
        line("reach", format!("{} %", reach.percent()));
    }
    said
}

/// A value as JSON, unless it says nothing.
fn unless_usual<T: Default + PartialEq + serde::Serialize>(value: &T) -> String {
    if *value == T::default() {
        return String::new();
    }
    serde_json::to_string(value).expect("serialises")
}

fn described_state(state: &SessionState) -> Vec<(String, String)> {
    let known = serde_json::to_value(state).expect("serialises");
    let usual = serde_json::to_value(SessionState::default()).expect("serialises");
    known
        .as_object()
        .expect("an object")
        .iter()
        .filter(|(key, value)| usual.get(key) != Some(*value))
        .map(|(key, value)| (key.clone(), value.to_string()))
        .collect()
}

fn describe_turn(turn: &Turn) -> String {
    let opening = match &turn.opening {
        TurnOpening::Prompt {
            text,
            images,
            typed,
        } => {
            let images = match images.as_slice() {
                [] => String::new(),
                images => format!(" and {images:?}"),
            };
            format!("{text:?}{images} {typed:?}")
        }
        other => format!("{other:?}"),
    };
    let human = if turn.is_human() { "" } else { " (no turn)" };
    let steps: Vec<String> = turn.steps.iter().map(describe_step).collect();
    format!("{opening}{human} -> [{}]", steps.join(", "))
}

fn describe_step(step: &TurnStep) -> String {
    match &step.what {
        StepKind::Text(text) => format!("{text:?}"),
        StepKind::Tool(call) => {
            let name = call.name.as_deref().unwrap_or("?");
            let result = call.result.as_ref().map(|result| {
                let failed = if result.is_error { " failed" } else { "" };
                format!("{:?}{failed}", result.parts)
            });
            format!(
                "{name} {}",
                result.unwrap_or_else(|| "unanswered".to_owned())
            )
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn every_transcript_reads_as_recorded() {
    let mut described = String::new();
    for name in names() {
        let path = folder().join(format!("{name}.jsonl"));
        described += &(name + "\n" + &describe(&path));
    }
    insta::assert_snapshot!(described);
}
