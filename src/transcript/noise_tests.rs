use std::io::Cursor;

use crate::transcript::{Chain, Conversation, Extent, LeafRule, load_from};

fn line(n: usize, kind: &str, rest: &str) -> String {
    let id = |n: usize| format!("{n:08x}-0000-4000-8000-000000000000");
    let parent = match n {
        1 => "null".to_owned(),
        n => format!("\"{}\"", id(n - 1)),
    };
    format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"type":"{kind}","uuid":"{}","timestamp":"2026-03-01T10:00:00.000Z",{rest}}}"#,
        id(n)
    )
}

#[test]
fn notes_of_the_program_are_kept_beside_the_steps_and_make_no_turn() {
    let long = "é".repeat(3000);
    let text = [
        line(
            1,
            "attachment",
            r#""attachment":{"type":"hook_success","content":"ready"}"#,
        ),
        line(2, "user", r#""message":{"role":"user","content":"hello"}"#),
        line(
            3,
            "user",
            r#""isMeta":true,"message":{"role":"user","content":"a reminder"}"#,
        ),
        line(
            4,
            "assistant",
            r#""message":{"id":"m","role":"assistant","content":[{"type":"text","text":"hi"}]}"#,
        ),
        line(
            5,
            "system",
            &format!(r#""subtype":"informational","content":"{long}""#),
        ),
    ]
    .join("\n");
    let index = load_from(text.as_bytes(), text.len() as u64, Extent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Resume);
    let conversation = Conversation::read(Cursor::new(&text), &index, &chain).expect("reads");
    let [turn] = conversation.turns.as_slice() else {
        panic!("one turn: {:?}", conversation.turns);
    };
    let notes: Vec<_> = turn
        .noise
        .iter()
        .map(|note| (note.before, note.kind.as_str(), note.text.chars().count()))
        .collect();
    assert_eq!(
        notes,
        [
            (0, "hook_success", 5),
            (0, "for Claude", 10),
            (1, "informational", 1024),
        ]
    );
    assert_eq!(turn.steps.len(), 1);
}
