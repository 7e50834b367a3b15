use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value as Json, json};

use super::{Parts, SharedEnding};
use crate::json::End;
use crate::transcript::link::link;

const ID: &str = "11111111-0000-4000-8000-000000000000";
const TIME: &str = "2026-03-01T10:00:00.000Z";

/// An object with its fields in the order given.
fn object(fields: &[(&str, Json)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{}:{value}", json!(key)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// Contents that look like fields, entries and brackets.
fn tricky() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(json!("\"uuid\":\"evil\",\"timestamp\":\"2031\"}")),
        Just(json!("{\"parentUuid\":null,\"type\":\"user\"")),
        Just(json!("back\\slash\\")),
        Just(json!("}{][ \",\"toolUseResult\":{}")),
        Just(json!({"type": "user", "uuid": "evil", "isMeta": true, "x": [1, "]}"]})),
        Just(json!({"id": "evil", "toolUseID": "evil", "toolUseResult": {"uuid": "evil"}})),
        Just(json!([{"type": "tool_result", "content": []}])),
        Just(json!([{"type": "text", "text": "tool_result"}])),
        any::<String>().prop_map(Json::from),
        Just(json!({})),
        Just(Json::Null),
    ]
}

/// An entry in one of the orders in which versions of Claude Code write it.
fn entry() -> impl Strategy<Value = String> {
    let more = prop_oneof![
        3 => Just(("version", json!("2.1.325"))),
        1 => Just(("isMeta", json!(true))),
        1 => Just(("teamName", json!("core"))),
        1 => Just(("isCompactSummary", json!(true))),
        1 => Just(("todos", json!([]))),
    ];
    (0..9_u32, tricky(), tricky(), more, any::<bool>()).prop_map(
        |(form, first, second, more, is_sidechain)| {
            let front = vec![
                ("parentUuid", json!(ID)),
                ("isSidechain", json!(is_sidechain)),
            ];
            let back = vec![
                ("uuid", json!(ID)),
                ("timestamp", json!(TIME)),
                ("cwd", json!("/w")),
                ("gitBranch", json!("main")),
            ];
            let answer = json!({"model": "m", "id": "msg_1", "content": [first.clone()]});
            let result = json!({"role": "user", "content": [
                {"tool_use_id": "t", "type": "tool_result", "content": first.clone()},
            ]});
            let user = ("type", json!("user"));
            let middle = match form {
                0 => vec![("message", answer), ("type", json!("assistant")), more],
                1 => vec![("type", json!("assistant")), ("message", answer), more],
                2 => vec![user, ("message", result), ("toolUseResult", second), more],
                3 => {
                    let end = [more, ("toolUseResult", second)];
                    let all = [front, vec![user, ("message", result)], back, end.to_vec()];
                    return object(&all.concat());
                }
                4 => vec![user, ("message", json!({"content": first})), more],
                5 => vec![
                    ("attachment", json!({"type": "x", "content": first})),
                    ("type", json!("attachment")),
                    more,
                ],
                6 => vec![
                    ("type", json!("progress")),
                    ("data", json!({"message": {"type": "user", "message": first, "uuid": "evil", "timestamp": TIME}})),
                    ("toolUseID", json!("t")),
                ],
                7 => vec![
                    ("type", json!("system")),
                    ("subtype", json!("compact_boundary")),
                    ("compactMetadata", json!({"preservedSegment": first})),
                ],
                _ => vec![("type", json!("system")), ("content", first), more],
            };
            object(&[front, middle, back].concat())
        },
    )
}

/// A line as a crash, or two writers at once, may leave it.
fn line() -> impl Strategy<Value = String> {
    let other = prop_oneof![
        entry(),
        Just(r#"{"type":"last-prompt","lastPrompt":"x","sessionId":"s"}"#.to_owned()),
        Just(r#"{"type":"cost-state","modelUsage":{"a":1},"sessionId":"s"}"#.to_owned()),
        Just(r#"{"type":"api-request","request":{"messages":["x"]}}"#.to_owned()),
    ];
    (entry(), other, any::<Index>(), 0..6_u32).prop_map(|(entry, other, cut, damage)| {
        let cut = cut.index(entry.len());
        let cut = (0..=cut).rev().find(|at| entry.is_char_boundary(*at));
        let torn = &entry[..cut.unwrap_or(0)];
        match damage {
            0 => torn.to_owned(),
            1 => format!("{torn}{other}"),
            2 => format!("{entry}{other}"),
            3 => format!("{other}{torn}"),
            4 => format!("{torn}\0\0\0\0{other}"),
            _ => entry + "\r",
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A glance may give up, but never answer differently from a walk through the line.
    #[test]
    fn a_glance_agrees_with_a_walk(before in entry(), line in line()) {
        let mut ending = SharedEnding::default();
        Parts::glance(before.as_bytes(), &mut ending);
        if let Some((parts, length)) = Parts::glance(line.as_bytes(), &mut ending) {
            let (walked, end) = Parts::walk(line.as_bytes());
            prop_assert_eq!(End::Closed(length), end, "{}", line);
            prop_assert_eq!(link(&parts), link(&walked), "{}", line);
        }
    }
}

#[test]
fn a_glance_is_enough_for_what_is_large() {
    let lines = [
        r#"{"parentUuid":"p","isSidechain":false,"message":{"id":"m","content":["x"]},"type":"assistant","uuid":"u","timestamp":"2026-03-01T10:00:00.000Z"}"#,
        r#"{"parentUuid":"p","isSidechain":false,"attachment":{"type":"file"},"type":"attachment","uuid":"u","timestamp":"2026-03-01T10:00:00.000Z"}"#,
        r#"{"parentUuid":"p","type":"user","message":{"content":[{"type":"tool_result","content":"x"}]},"toolUseResult":{"stdout":"x"},"uuid":"u","timestamp":"2026-03-01T10:00:00.000Z"}"#,
        r#"{"parentUuid":"p","type":"user","message":{"content":[{"type":"tool_result","content":"x"}]},"uuid":"u","timestamp":"2026-03-01T10:00:00.000Z","toolUseResult":{"stdout":"x"}}"#,
        r#"{"parentUuid":"p","type":"user","message":{"content":[{"type":"tool_result","content":"x"}]},"uuid":"u","timestamp":"2026-03-01T10:00:00.000Z","toolUseResult":"Error: x","version":"2"}"#,
        r#"{"parentUuid":"p","type":"progress","data":{"message":{"uuid":"evil"}},"toolUseID":"t","uuid":"u","timestamp":"2026-03-01T10:00:00.000Z"}"#,
    ];
    for line in lines {
        let (walked, end) = Parts::walk(line.as_bytes());
        let mut ending = SharedEnding::default();
        // The second time it is known how the line ends.
        for _ in 0..2 {
            let (parts, length) = Parts::glance(line.as_bytes(), &mut ending).expect(line);
            assert_eq!(link(&parts), link(&walked));
            assert_eq!(End::Closed(length), end);
        }
    }
}

#[test]
fn what_a_glance_cannot_know_is_walked_through() {
    let lines = [
        // A prompt: a flag may stand between two bodies.
        r#"{"parentUuid":null,"type":"user","message":{"content":"x"},"isMeta":true,"origin":{},"uuid":"u","timestamp":"2026-03-01T10:00:00.000Z"}"#,
        // Two entries on one line.
        r#"{"parentUuid":null,"type":"user","message":{"content":[{"type":"tool_result"}]},"uuid":"u","timest{"parentUuid":null,"type":"user","message":{"content":"x"},"uuid":"u","timestamp":"2026-03-01T10:00:00.000Z"}"#,
        // Torn inside the entry that a report of progress holds.
        r#"{"parentUuid":null,"type":"progress","data":{"message":{"message":{},"uuid":"evil","timestamp":"2026-03-01T10:00:00.000Z"}"#,
    ];
    for line in lines {
        assert!(
            Parts::glance(line.as_bytes(), &mut SharedEnding::default()).is_none(),
            "{line}"
        );
    }
}
