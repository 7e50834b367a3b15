use std::io::{self, Write};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{json as as_json, ledger, markdown};
use super::{Portion, Shown, WINDOW};
use crate::cli::surroundings::Stdout;
use crate::preview::CardFacts;
use crate::transcript::{Chain, LeafRule, LoadExtent, load};
use crate::tui::Glyphs;

fn uuid(n: usize) -> String {
    format!("{n:08x}-0000-4000-8000-000000000000")
}

/// What an entry of a made-up conversation says. Numbers are of calls.
#[derive(Debug, Clone)]
enum Said {
    Prompt,
    Text,
    Edit(usize),
    /// The result of an edit, with a patch.
    Result(usize),
    Compaction,
    Broken,
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        4 => Just(Said::Prompt),
        3 => Just(Said::Text),
        4 => (0_usize..8).prop_map(Said::Edit),
        4 => (0_usize..8).prop_map(Said::Result),
        1 => Just(Said::Compaction),
        1 => Just(Said::Broken),
    ]
}

fn line(n: usize, said: &Said) -> String {
    let path = |call: &usize| format!("/w/{}.rs", call % 3);
    let (kind, content) = match said {
        Said::Prompt | Said::Compaction | Said::Broken => ("user", json!(format!("prompt {n}"))),
        Said::Text => (
            "assistant",
            json!([{"type": "text", "text": format!("answer {n}\n\n```\n\"hunks\":[] \u{202e}\n```")}]),
        ),
        Said::Edit(call) => (
            "assistant",
            json!([{"type": "tool_use", "id": format!("t{call}"), "name": "Edit",
                    "input": {"file_path": path(call), "old_string": "a", "new_string": "b"}}]),
        ),
        Said::Result(call) => (
            "user",
            json!([{"type": "tool_result", "tool_use_id": format!("t{call}"), "content": "ok"}]),
        ),
    };
    let parent = n.checked_sub(1).map(uuid);
    let mut value: Value = json!({"parentUuid": parent, "type": kind, "uuid": uuid(n), "cwd": "/w",
        "gitBranch": format!("b{n}"), "timestamp": format!("2026-03-{:02}T10:00:00Z", n / 4 + 1),
        "message": {"role": kind, "content": content, "id": format!("m{n}")}});
    if let Said::Result(call) = said {
        let patch = json!([{"oldStart": n, "newStart": n, "lines": ["-a", format!("+{n}\u{9b}")]}]);
        value["toolUseResult"] = json!({"filePath": path(call), "structuredPatch": patch});
    }
    value["isCompactSummary"] = json!(matches!(said, Said::Compaction));
    let text = value.to_string();
    match said {
        Said::Broken => text.replacen("\"cwd\":\"/w\"", "\"cwd\":nope", 1),
        _ => text,
    }
}

fn written(lines: &[Said]) -> tempfile::NamedTempFile {
    let lines = lines.iter().enumerate();
    let text: String = lines.map(|(n, said)| line(n, said) + "\n").collect();
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    file
}

fn shown(file: &tempfile::NamedTempFile, window: usize) -> Shown {
    let index = load(file.path(), LoadExtent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Resume);
    let path = file.path().to_owned();
    Shown::read(Portion::Resumed, path, index, chain, window).expect("reads")
}

/// Everything that `show` can print of it.
fn printed(shown: &Shown) -> [String; 4] {
    let (mut text, mut md, mut object) = (Vec::new(), Vec::new(), Vec::new());
    let facts = CardFacts::default();
    ledger::print(&mut text, shown, &facts, Stdout::Pipe, Glyphs::Unicode).expect("prints");
    markdown::print(&mut md, shown, &facts).expect("prints");
    as_json::print(&mut object, shown, "resume").expect("prints");
    let [text, md, object] =
        [text, md, object].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    [text, md, object, ledger::closing_line(shown)]
}

proptest! {
    /// However little is held, what is printed is what holding the whole prints.
    #[test]
    fn a_small_window_prints_the_same(lines in prop::collection::vec(said(), 0..50), window in 0_usize..6_000) {
        let file = written(&lines);
        let whole = printed(&shown(&file, usize::MAX));
        prop_assert_eq!(printed(&shown(&file, window)), whole);
    }
}

#[test]
fn the_object_has_every_message_and_every_patch() {
    let lines = [
        Said::Prompt,
        Said::Edit(0),
        Said::Edit(1),
        Said::Result(1),
        Said::Result(0),
        Said::Text,
        Said::Prompt,
        Said::Edit(3),
        Said::Result(3),
    ];
    let file = written(&lines);
    let shown = shown(&file, 0);
    let [_, _, object, _] = printed(&shown);
    let object: Value = serde_json::from_str(&object).expect("one object");
    let files = &object["state"]["files"];
    let starts: Vec<Vec<&Value>> = files
        .as_array()
        .expect("a list")
        .iter()
        .map(|file| {
            let hunks = file["hunks"].as_array().expect("a list");
            hunks.iter().map(|hunk| &hunk["oldStart"]).collect()
        })
        .collect();
    assert_eq!(starts, [vec![4, 8], vec![3]]);
    assert_eq!(object["messages"].as_array().map(Vec::len), Some(9));
}

#[test]
fn little_is_held_of_a_long_conversation() {
    let lines: Vec<Said> = (0..100).flat_map(|_| [Said::Prompt, Said::Text]).collect();
    let file = written(&lines);
    let shown = shown(&file, 4_000);
    assert!(
        shown.digest.newest.len() < 20,
        "{}",
        shown.digest.newest.len()
    );
    let mut taken = 0;
    let ran = shown.for_each_turn(&mut |_| {
        taken += 1;
        Ok(())
    });
    assert!(ran.is_ok());
    assert_eq!(taken, 100);
}

/// The one who reads has left: nothing more is read.
struct Closed {
    writes: usize,
}

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_printed_after_the_reader_has_left() {
    let file = written(&[Said::Prompt, Said::Text, Said::Prompt, Said::Text]);
    let shown = shown(&file, WINDOW);
    let facts = CardFacts::default();
    let print = |form: usize, out: &mut Closed| match form {
        0 => ledger::print(out, &shown, &facts, Stdout::Pipe, Glyphs::Unicode),
        1 => markdown::print(out, &shown, &facts),
        _ => as_json::print(out, &shown, "resume"),
    };
    for form in 0..3 {
        let mut closed = Closed { writes: 0 };
        let error = print(form, &mut closed).expect_err("nobody reads");
        assert!(crate::cli::is_broken_pipe(&error), "{error:#}");
        assert_eq!(closed.writes, 1);
    }
}
