use std::io::Cursor;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Digest;
use crate::transcript::{Chain, Index, LeafRule, LoadExtent, Turn, load_from};

fn uuid(n: usize) -> String {
    format!("{n:08x}-0000-4000-8000-000000000000")
}

/// What an entry of a made-up conversation says. Numbers are of calls and of messages.
#[derive(Debug, Clone)]
enum Said {
    Prompt,
    /// A shell line and a prompt in one entry: two turns.
    Twice,
    Text(usize),
    Call(usize, usize),
    Result(usize),
    /// A result and a prompt in one entry.
    Both(usize),
    Meta,
    Compaction,
    Foreign,
    Broken,
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        3 => Just(Said::Prompt),
        1 => Just(Said::Twice),
        3 => (0_usize..4).prop_map(Said::Text),
        4 => (0_usize..6, 0_usize..4).prop_map(|(id, message)| Said::Call(id, message)),
        4 => (0_usize..6).prop_map(Said::Result),
        1 => (0_usize..6).prop_map(Said::Both),
        1 => Just(Said::Meta),
        1 => Just(Said::Compaction),
        1 => Just(Said::Foreign),
        1 => Just(Said::Broken),
    ]
}

fn line(n: usize, said: &Said) -> String {
    let result = |id: &usize| json!({"type": "tool_result", "tool_use_id": format!("t{id}"), "content": format!("came of {n}")});
    let (kind, message, content) = match said {
        Said::Prompt | Said::Foreign | Said::Broken | Said::Compaction => {
            ("user", None, json!(format!("prompt {n}")))
        }
        Said::Twice => (
            "user",
            None,
            json!([
                {"type": "text", "text": format!("<bash-input>ls {n}</bash-input>")},
                {"type": "text", "text": format!("and {n}")},
            ]),
        ),
        Said::Text(message) => (
            "assistant",
            Some(message),
            json!([{"type": "text", "text": "the same in every line"}]),
        ),
        Said::Call(id, message) => (
            "assistant",
            // Some programs give their messages no ids.
            Some(message).filter(|message| **message > 0),
            json!([{"type": "tool_use", "id": format!("t{id}"), "name": "TaskCreate",
                    "input": {"subject": format!("task {n}")}}]),
        ),
        Said::Result(id) => ("user", None, json!([result(id)])),
        Said::Both(id) => (
            "user",
            None,
            json!([result(id), {"type": "text", "text": format!("prompt {n}")}]),
        ),
        Said::Meta => ("user", None, json!("for itself")),
    };
    let parent = n.checked_sub(1).map(uuid);
    let mut value: Value = json!({"parentUuid": parent, "isSidechain": matches!(said, Said::Foreign),
        "type": kind, "uuid": uuid(n), "cwd": "/w", "sessionId": "s",
        "message": {"role": kind, "content": content,
                    "id": message.map(|message| format!("m{message}"))}});
    if matches!(said, Said::Meta) {
        value["isMeta"] = json!(true);
    }
    if matches!(said, Said::Compaction) {
        value["isCompactSummary"] = json!(true);
    }
    if matches!(said, Said::Broken) {
        // Its link is read, its content cannot be.
        value["type"] = json!("user");
        let text = value.to_string();
        return text.replacen("\"cwd\":\"/w\"", "\"cwd\":nope", 1);
    }
    value.to_string()
}

fn loaded(lines: &[Said]) -> (Cursor<Vec<u8>>, Index, Chain) {
    let text: String = (0..)
        .zip(lines)
        .map(|(n, said)| line(n, said) + "\n")
        .collect();
    let bytes = text.into_bytes();
    let size = bytes.len() as u64;
    let index = load_from(Cursor::new(&bytes), size, LoadExtent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Resume);
    (Cursor::new(bytes), index, chain)
}

/// Every turn of a digest, read stretch by stretch.
fn turns_of(digest: &Digest, file: &Cursor<Vec<u8>>) -> Vec<Turn> {
    let mut turns = Vec::new();
    while turns.len() < digest.stretches.headings().len() {
        let read = digest.stretches.read(file.clone(), turns.len());
        let (first, stretch) = read.expect("reads");
        assert_eq!(first, turns.len());
        assert!(!stretch.is_empty());
        turns.extend(stretch);
    }
    turns
}

#[test]
fn turns_that_nothing_ties_together_are_read_alone() {
    let lines = [
        Said::Prompt,
        Said::Call(1, 1),
        Said::Result(1),
        Said::Prompt,
        Said::Call(2, 2),
        Said::Prompt,
        Said::Result(2),
        Said::Prompt,
        Said::Text(3),
    ];
    let (file, index, chain) = loaded(&lines);
    let digest = Digest::read(file, &index, &chain, usize::MAX, &mut |_| {}).expect("reads");
    let around: Vec<_> = (0..4).map(|turn| digest.stretches.around(turn)).collect();
    // The result of the second turn's call came after the third was asked.
    assert_eq!(around, [0..1, 1..3, 1..3, 3..4]);
}

#[test]
fn little_is_held_of_a_long_conversation() {
    let lines: Vec<Said> = (0..400)
        .map(|n| {
            if n % 2 == 0 {
                Said::Prompt
            } else {
                Said::Call(n, n)
            }
        })
        .collect();
    let (file, index, chain) = loaded(&lines);
    let mut seen = Vec::new();
    let digest = Digest::read(file.clone(), &index, &chain, 4_000, &mut |turn| {
        seen.push(turn.uuid.clone());
    });
    let digest = digest.expect("reads");
    assert!(digest.newest.len() < 20, "{}", digest.newest.len());
    assert_eq!(digest.first_held + digest.newest.len(), 200);
    let whole = Digest::whole(file.clone(), &index, &chain).expect("reads");
    let uuids: Vec<String> = whole.newest.iter().map(|turn| turn.uuid.clone()).collect();
    assert_eq!(seen, uuids);
    assert_eq!(turns_of(&digest, &file), whole.newest);
    let bytes: usize = digest.stretches.headings().iter().map(|it| it.bytes).sum();
    assert_eq!(
        bytes,
        index.links().iter().map(|link| link.length).sum::<usize>()
    );
}

#[test]
fn a_file_that_changed_is_not_taken_for_what_it_was() {
    let (file, index, chain) = loaded(&[Said::Prompt, Said::Prompt]);
    let digest = Digest::read(file, &index, &chain, 0, &mut |_| {}).expect("reads");
    let other = Cursor::new(vec![b'x'; 10_000]);
    assert!(digest.stretches.read(other, 0).is_err());
}

proptest! {
    /// However little is held, what is read is what reading the whole gives.
    #[test]
    fn stretches_are_the_whole(lines in prop::collection::vec(said(), 0..60), most in 0_usize..6_000) {
        let (file, index, chain) = loaded(&lines);
        let whole = Digest::whole(file.clone(), &index, &chain).expect("reads");
        let mut seen = 0;
        let digest = Digest::read(file.clone(), &index, &chain, most, &mut |_| seen += 1);
        let digest = digest.expect("reads");
        prop_assert_eq!(seen, whole.newest.len());
        prop_assert_eq!(turns_of(&digest, &file), whole.newest.clone());
        prop_assert_eq!(&digest.usage, &whole.usage);
        prop_assert_eq!(&digest.sent.interruption, &whole.sent.interruption);
        prop_assert_eq!(&digest.newest, &whole.newest[digest.first_held..]);
    }
}
