//! `claude-resume show` from the outside.

use serde_json::{Value, json};

use crate::support::{Store, conversation, id, lines};

fn entry(kind: &str, uuid: u32, parent: Option<u32>, content: &Value) -> Value {
    json!({
        "parentUuid": parent.map(id), "isSidechain": false, "type": kind,
        "message": {"id": format!("msg_{uuid}"), "role": kind, "model": "claude-opus-4-8", "content": content},
        "uuid": id(uuid), "timestamp": format!("2026-03-01T10:00:{uuid:02}.000Z"),
    })
}

/// One question, two answers to it: the first was rewound.
fn rewound() -> String {
    let tool = json!([
        {"type": "text", "text": "Let me look.\nOne moment."},
        {"type": "tool_use", "id": "t", "name": "Read", "input": {}},
    ]);
    lines(&[
        entry("user", 1, None, &json!("Fix the login page")),
        entry(
            "assistant",
            2,
            Some(1),
            &json!([{"type": "text", "text": "Rewound."}]),
        ),
        entry("assistant", 3, Some(1), &tool),
        entry(
            "user",
            4,
            Some(3),
            &json!([{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]),
        ),
    ])
}

#[test]
fn the_conversation_is_shown_as_text() {
    let store = Store::new();
    store.session("-p", &id(7), 0, rewound());
    let ran = store.run(&["show", "00000007"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "3 messages\n"));
    insta::assert_snapshot!(ran.out, @r"
       You | Fix the login page

    Claude | Let me look.
    Claude | One moment.

    Claude | > Read
    ");
}

#[test]
fn the_json_contract() {
    let store = Store::new();
    let path = store.session("-p", &id(7), 0, rewound());
    let ran = store.run(&["show", path.to_str().expect("UTF-8"), "--json"]);
    let shown: Value = serde_json::from_str(&ran.out).expect("one object");
    let pretty = serde_json::to_string_pretty(&shown).expect("serialises");
    insta::assert_snapshot!(pretty.replace(&*path.to_string_lossy(), "[path]"));
}

#[test]
fn the_leaf_can_be_chosen() {
    let store = Store::new();
    let pointer = json!({"type": "last-prompt", "lastPrompt": "x", "leafUuid": id(2)});
    store.session("-p", &id(7), 0, rewound() + &lines(&[pointer]));
    let uuids = |leaf: &str| -> Vec<String> {
        let ran = store.run(&["show", &id(7), "--json", "--leaf", leaf]);
        let shown: Value = serde_json::from_str(&ran.out).expect("one object");
        let messages = shown["messages"].as_array().expect("messages");
        messages
            .iter()
            .map(|message| message["uuid"].as_str().expect("an id").to_owned())
            .collect()
    };
    assert_eq!(uuids("resume"), [id(1), id(2)]);
    assert_eq!(uuids("newest"), [id(1), id(3), id(4)]);
    assert_eq!(uuids(&id(2)), [id(1), id(2)]);
}

#[test]
fn damage_is_said() {
    let store = Store::new();
    let orphan = entry("user", 9, Some(8), &json!("After a gap"));
    store.session("-p", &id(7), 0, rewound() + "garbage\n" + &lines(&[orphan]));
    let ran = store.run(&["show", &id(7)]);
    assert_eq!(
        ran.err,
        "1 message (1 bad line; 1 gap: what lies before is out of reach)\n"
    );
}

#[test]
fn nothing_stored_reaches_the_terminal_as_a_control() {
    let store = Store::new();
    let evil = json!("\u{1b}[2J\u{9b}31mevil\u{202e}\u{7}");
    store.session("-p", &id(7), 0, lines(&[entry("user", 1, None, &evil)]));
    for arguments in [&["show", "00000007"][..], &["show", "00000007", "--json"]] {
        let out = store.run(arguments).out;
        assert!(
            !out.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'),
            "{out:?}"
        );
    }
}

#[test]
fn broken_text_costs_only_what_is_broken() {
    let store = Store::new();
    let line = lines(&[entry("user", 1, None, &json!("aXb"))]);
    let broken = line.replace('X', "\\ud83c").into_bytes();
    store.session("-p", &id(7), 0, broken);
    assert!(store.run(&["show", "00000007"]).out.contains("a\u{fffd}b"));
}

#[test]
fn mistakes_are_one_clear_line() {
    let store = Store::new();
    store.session("-p", &id(7), 0, rewound());
    store.session(
        "-p",
        "00000007-0000-4000-8000-000000000001",
        0,
        conversation("Hello", "/w"),
    );
    store.session("-p", &id(8), 0, "");
    let seven = id(7);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["show", "deadbeef"], 1, "deadbeef: no session has this id"),
        (
            &["show", "00000007"],
            2,
            "2 sessions begin with it: 00000007-",
        ),
        (&["show", ""], 2, "ID"),
        (
            &["show", "/no/such.jsonl"],
            2,
            "/no/such.jsonl: cannot be read",
        ),
        (
            &["show", &seven, "--leaf", "deadbeef"],
            2,
            "has no entry deadbeef",
        ),
        (&["show", "00000008"], 1, "0 messages"),
    ];
    for (arguments, code, expected) in cases {
        let ran = store.run(arguments);
        assert_eq!(ran.code, Some(*code), "{arguments:?}: {}", ran.err);
        assert_eq!(
            (ran.out.as_str(), ran.err.lines().count()),
            ("", 1),
            "{arguments:?}: {}",
            ran.err
        );
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
}
