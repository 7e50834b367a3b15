//! From a prompt of the history to where it was asked, when resuming does not lead there.

use std::fs;

use chrono::DateTime;
use claude_resume::preview::PageLine;
use claude_resume::tui::{Effect, Hold, Request};
use serde_json::{Value, json};

use crate::history_mode::notice;
use crate::support::{self, entry, id};
use crate::world::{EVERYTHING, World};

const SHORT: i64 = 500;

fn asked(n: usize, text: &str) -> Value {
    entry(n, "user", &json!(text))
}

fn answer(n: usize) -> Value {
    let text = json!([{"type": "text", "text": format!("answer {n}")}]);
    entry(n, "assistant", &text)
}

fn behind(mut entry: Value, parent: usize) -> Value {
    entry["parentUuid"] = json!(id(u32::try_from(parent).expect("few")));
    entry
}

/// What a compaction leaves: a boundary, and a summary behind it.
fn compaction(n: usize) -> [Value; 2] {
    let mut boundary = entry(n, "system", &json!(null));
    boundary["logicalParentUuid"] = boundary["parentUuid"].take();
    boundary["subtype"] = json!("compact_boundary");
    boundary["content"] = json!("Conversation compacted");
    boundary["compactMetadata"] = json!({"trigger": "auto", "preTokens": 9});
    let mut summary = asked(n + 1, "This session is being continued");
    summary["isCompactSummary"] = json!(true);
    [boundary, summary]
}

/// A picker with this conversation in its preview.
fn reading(lines: &[Value]) -> (World, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{}.jsonl", id(1)));
    fs::write(&path, support::lines(lines)).expect("written");
    let mut world = World::full(100, 30);
    world.open(&path, EVERYTHING);
    (world, folder)
}

/// Goes to where an entry was asked, as the history knows it. Says what is under the cursor then.
fn go_to(world: &mut World, entry: &Value) -> String {
    let text = entry["message"]["content"].as_str().expect("a prompt");
    let written = entry["timestamp"].as_str().expect("a time");
    let written = DateTime::parse_from_rfc3339(written).expect("a time");
    let timestamp = written.timestamp_millis() - SHORT;
    world.app.status = None;
    world.reader_mut().hold = Hold::Untouched;
    let row = world.sessions().list.cursor().expect("a row");
    world.reveal(row, text, timestamp);
    let request = world.asked.clone().expect("asked");
    world.carry_out(Effect::Ask(Request::Preview(Box::new(request))));
    assert_eq!(
        world.sessions().pending,
        None,
        "it is not looked for for ever"
    );
    let preview = &world.reader();
    let line = preview.line(preview.cursor);
    line.map(PageLine::text).unwrap_or_default()
}

#[test]
fn what_lies_before_compactions_is_opened() {
    let mut lines = vec![asked(0, "the oldest"), answer(1)];
    lines.extend(compaction(2));
    lines.extend([asked(4, "go on"), answer(5)]);
    lines.extend(compaction(6));
    lines.extend([asked(8, "go on"), answer(9)]);
    let (mut world, _folder) = reading(&lines);
    assert!(!world.screen().contains("the oldest"));
    assert_eq!(go_to(&mut world, &lines[8]), "go on");
    assert_eq!(world.reader().options.earlier, 0);
    assert_eq!(world.app.status, None);
    // The same words behind the compaction are another prompt.
    assert_eq!(go_to(&mut world, &lines[4]), "go on");
    assert_eq!(world.reader().options.earlier, 1);
    assert!(notice(&world).contains("before a compaction"));
    assert_eq!(go_to(&mut world, &lines[0]), "the oldest");
    assert_eq!(world.reader().options.earlier, 2);
}

#[test]
fn the_branch_that_was_rewound_is_opened() {
    let lines = [
        asked(0, "begin"),
        answer(1),
        asked(2, "go on"),
        answer(3),
        behind(asked(4, "try that"), 1),
        answer(5),
        behind(asked(6, "go on"), 1),
        answer(7),
    ];
    for (n, leaf) in [(4, Some(5)), (0, None), (2, Some(3)), (6, None)] {
        let (mut world, _folder) = reading(&lines);
        let text = lines[n]["message"]["content"].as_str();
        assert_eq!(Some(go_to(&mut world, &lines[n]).as_str()), text);
        assert_eq!(world.reader().leaf, leaf.map(id), "{n}");
        let said = leaf.is_some_and(|_| notice(&world).contains("rewound"));
        assert_eq!(said, leaf.is_some());
    }
}

#[test]
fn nothing_stays_open_for_a_prompt_that_is_nowhere() {
    let mut lines = vec![asked(0, "begin"), answer(1)];
    lines.extend(compaction(2));
    lines.extend([asked(4, "left"), answer(5)]);
    lines.extend([behind(asked(6, "go on"), 3), answer(7)]);
    let (mut world, _folder) = reading(&lines);
    go_to(&mut world, &asked(0, "nobody asked this"));
    assert!(notice(&world).contains("this prompt was not found"));
    assert_eq!(world.reader().leaf, None);
    assert_eq!(world.reader().options.earlier, 0);
    // Of other times the same words are better than nothing, and only of what is resumed.
    assert_eq!(go_to(&mut world, &asked(5, "go on")), "go on");
    assert_eq!(world.reader().leaf, None);
}
