//! What `show` says of entries that resuming does not send as they stand.

use serde_json::{Value, json};

use crate::support::{Ran, Store, id, lines};

fn entry(kind: &str, n: u32, parent: Option<u32>, content: &Value) -> Value {
    json!({
        "parentUuid": parent.map(id), "isSidechain": false, "type": kind,
        "message": {"id": format!("msg_{n}"), "role": kind, "model": "claude-opus-4-8", "content": content},
        "uuid": id(n), "timestamp": format!("2026-03-01T10:00:{n:02}.000Z"),
    })
}

fn prompt(n: u32, parent: Option<u32>) -> Value {
    entry("user", n, parent, &json!(format!("Question {n}")))
}

fn answer(n: u32, parent: Option<u32>) -> Value {
    let text = format!("Answer {n}");
    entry(
        "assistant",
        n,
        parent,
        &json!([{"type": "text", "text": text}]),
    )
}

fn call(n: u32, parent: Option<u32>, tool: &str) -> Value {
    let call =
        json!([{"type": "tool_use", "id": tool, "name": "Bash", "input": {"command": "make"}}]);
    entry("assistant", n, parent, &call)
}

fn result(n: u32, parent: Option<u32>, tool: &str) -> Value {
    let result = json!([{"type": "tool_result", "tool_use_id": tool, "content": "ok"}]);
    entry("user", n, parent, &result)
}

fn show(content: &str, more: &[&str]) -> Ran {
    let store = Store::new();
    store.session("-p", &id(7), 0, content);
    let session = id(7);
    store.run(&[&["show", session.as_str()], more].concat())
}

#[test]
fn a_gap_that_claude_code_joins_is_shown_where_it_is() {
    let content = lines(&[
        prompt(1, None),
        answer(2, Some(1)),
        prompt(3, Some(99)),
        answer(4, Some(3)),
    ]);
    let ran = show(&content, &[]);
    let at = |words: &str| ran.out.find(words).expect(words);
    let gap = at("gap: an entry is missing here. Claude joins both sides");
    assert!(
        at("Answer 2") < gap && gap < at("Question 3"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("1 gap that Claude joins"), "{}", ran.err);
    assert!(!ran.err.contains("Claude will see"), "{}", ran.err);
}

#[test]
fn what_is_not_sent_is_shown_and_marked() {
    let second = lines(&[prompt(1, None), answer(2, Some(1)), prompt(3, Some(2))])
        .trim_end()
        .to_owned()
        + &lines(&[answer(4, Some(3))]);
    let no_call = lines(&[
        prompt(1, None),
        result(2, Some(1), "none"),
        answer(3, Some(2)),
    ]);
    let repeated = lines(&[
        prompt(1, None),
        call(2, Some(1), "t"),
        result(3, Some(2), "t"),
        answer(4, Some(3)),
        call(5, Some(4), "t"),
        result(6, Some(5), "t"),
        answer(7, Some(6)),
    ]);
    let no_result = lines(&[
        prompt(1, None),
        call(2, Some(1), "t"),
        prompt(3, Some(2)),
        answer(4, Some(3)),
    ]);
    let cases = [
        (
            second,
            "(resume leaves this out: another entry comes before it on its line)",
            json!([{"uuid": id(4), "reason": "secondOnLine"}]),
        ),
        (
            no_call,
            "(resume leaves this out)",
            json!([{"uuid": id(2), "reason": "noCall"}]),
        ),
        (
            repeated,
            "ran make (resume leaves this out)",
            json!([{"uuid": id(5), "reason": "repeatedId"}, {"uuid": id(6), "reason": "repeatedId"}]),
        ),
        (
            no_result,
            "Bash never finished (resume leaves this out)",
            json!([{"uuid": id(2), "reason": "noResult"}]),
        ),
    ];
    for (content, words, left_out) in cases {
        for form in [&[][..], &["--md"]] {
            let ran = show(&content, form);
            assert!(ran.out.contains(words), "{form:?} {}", ran.out);
            assert_eq!(
                ran.out.matches("resume leaves").count(),
                1,
                "{form:?} {}",
                ran.out
            );
        }
        let shown = show(&content, &["--json"]).json();
        assert_eq!(shown[0]["leftOut"], left_out);
    }
}

#[test]
fn a_call_that_was_running_is_sent_with_a_result_that_is_made_up() {
    let content = lines(&[prompt(1, None), call(2, Some(1), "t")]);
    let ran = show(&content, &[]);
    assert!(!ran.out.contains("leaves"), "{}", ran.out);
    let shown = show(&content, &["--json"]).json();
    assert_eq!(shown[0]["leftOut"], json!([]));
    let last = &shown[0]["messages"][2];
    assert_eq!(
        (&last["isMadeUp"], &last["blocks"][0]["tool_use_id"]),
        (&json!(true), &json!("t"))
    );
}

#[test]
fn a_queued_prompt_has_the_id_that_the_sdk_knows_it_by() {
    let queued = |source: Value| {
        json!({"parentUuid": id(3), "isSidechain": false, "type": "attachment", "uuid": id(4),
            "timestamp": "2026-03-01T10:00:04.000Z", "attachment": {"type": "queued_command",
            "prompt": "and the tests", "commandMode": "prompt", "source_uuid": source}})
    };
    for (source, expected) in [(json!(id(40)), id(40)), (Value::Null, id(4))] {
        let content = lines(&[
            prompt(1, None),
            call(2, Some(1), "t"),
            result(3, Some(2), "t"),
            queued(source),
            answer(5, Some(4)),
        ]);
        for leaf in ["resume", "newest"] {
            let shown = show(&content, &["--json", "--leaf", leaf]).json();
            let messages = shown[0]["messages"].as_array().expect("messages").clone();
            let queued: Vec<&Value> = messages
                .iter()
                .filter(|message| message["isQueued"] == true)
                .map(|message| &message["uuid"])
                .collect();
            assert_eq!(queued, [&json!(expected)], "{leaf}");
        }
    }
}

#[test]
fn messages_that_a_compaction_kept_and_that_are_gone_are_said() {
    let mut boundary = json!({"parentUuid": null, "logicalParentUuid": id(2), "isSidechain": false,
        "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
        "uuid": id(3), "timestamp": "2026-03-01T10:00:03.000Z"});
    boundary["compactMetadata"] = json!({"trigger": "manual",
        "preservedSegment": {"headUuid": id(99), "anchorUuid": id(4), "tailUuid": id(2)}});
    let mut summary = prompt(4, Some(3));
    summary["isCompactSummary"] = json!(true);
    let content = lines(&[
        prompt(1, None),
        answer(2, Some(1)),
        boundary,
        summary,
        prompt(5, Some(4)),
        answer(6, Some(5)),
    ]);
    let ran = show(&content, &[]);
    assert!(!ran.out.contains("Answer 2"), "the cut stays: {}", ran.out);
    assert!(
        ran.err
            .contains("messages that the compaction kept are missing"),
        "{}",
        ran.err
    );
}
