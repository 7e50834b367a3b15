use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{NewestTime, Outline};
use crate::record::EntryType;

/// 2026-03-01T10:00:00Z
const TEN: i64 = 1_772_359_200_000;

#[test]
fn both_ends_of_a_line_are_read_and_its_body_is_not() {
    let line = br#"{"parentUuid":"p","isSidechain":false,"type":"user","message":{"cwd":"/evil","isMeta":true},"isMeta":false,"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w","gitBranch":"main"}"#;
    let outline = Outline::of(line);
    assert_eq!(outline.entry, Some(EntryType::User));
    assert_eq!(outline.cwd, Some(&b"/w"[..]));
    assert_eq!(outline.git_branch, Some(&b"main"[..]));
    assert_eq!(outline.is_sidechain, Some(false));
    assert_eq!(outline.time(), Some(TEN));
    assert!(!outline.is_meta);
    assert!(outline.message.is_some());
}

#[test]
fn a_flag_between_two_bodies_is_found_before_a_line_is_judged() {
    let line = br#"{"type":"user","message":{"content":"x"},"isMeta":true,"origin":{"kind":"hook"},"timestamp":"2026-03-01T10:00:00.000Z"}"#;
    let quick = Outline::of(line);
    assert!(!quick.is_meta, "out of sight from both ends");
    assert!(quick.complete(line).is_meta);
    // Where the ends meet at the message, nothing can be hidden and nothing is read again.
    let simple = br#"{"type":"user","message":{"content":"x"},"isMeta":true,"timestamp":"T"}"#;
    assert!(Outline::of(simple).complete(simple).is_meta);
}

#[test]
fn a_complete_outline_knows_where_a_message_was_copied_from() {
    let fork = r#"{"sessionId":"s","messageUuid":"m"}"#;
    let fork_length = fork.len();
    let lines = [
        (
            r#"{"type":"user","message":{"uuid":"evil"},"uuid":"u"}"#.to_owned(),
            None,
        ),
        (
            format!(r#"{{"type":"user","message":{{}},"uuid":"u","forkedFrom":{fork}}}"#),
            Some(fork),
        ),
        (
            format!(r#"{{"forkedFrom":{fork},"type":"user","message":{{}},"uuid":"u"}}"#),
            Some(fork),
        ),
    ];
    for (line, expected) in &lines {
        let outline = Outline::of(line.as_bytes()).complete(line.as_bytes());
        assert_eq!(outline.uuid, Some(&b"u"[..]), "{line}");
        let source = outline.forked_from.and_then(|fork| fork.get(..fork_length));
        assert_eq!(source, expected.map(str::as_bytes), "{line}");
    }
}

#[test]
fn a_line_cut_at_its_start_tells_what_stands_at_its_end() {
    let cut =
        br#"lf of a text","x":[{}]},"type":"assistant","timestamp":"2026-03-01T10:00:00.000Z"}"#;
    let outline = Outline::of_back(cut);
    assert_eq!(outline.entry, Some(EntryType::Assistant));
    assert_eq!(outline.time(), Some(TEN));
}

fn newer(line: &[u8], known: Option<i64>) -> Option<i64> {
    Outline::newer_message(line, known, &mut NewestTime::default())
}

#[test]
fn a_time_that_was_met_is_compared_as_it_is_written() {
    let mut newest = NewestTime::default();
    let at = |time: &str| format!(r#"{{"type":"user","message":{{}},"timestamp":"{time}"}}"#);
    let mut met = |time: &str| Outline::newer_message(at(time).as_bytes(), None, &mut newest);
    assert_eq!(met("2026-03-01T10:00:00.000Z"), Some(TEN));
    assert_eq!(met("2026-03-01T10:00:00.000Z"), None);
    assert_eq!(met("2026-03-01T09:59:59.999Z"), None);
    assert_eq!(met("2026-03-01T10:00:00.001Z"), Some(TEN + 1));
    assert_eq!(
        met("2026-03-01T12:30:00+02:00"),
        Some(TEN + 1_800_000),
        "in another form"
    );
}

#[test]
fn only_messages_that_are_newer_have_a_time() {
    let line = br#"{"type":"user","message":{},"timestamp":"2026-03-01T10:00:00.000Z"}"#;
    assert_eq!(newer(line, None), Some(TEN));
    assert_eq!(newer(line, Some(TEN - 1)), Some(TEN));
    assert_eq!(newer(line, Some(TEN)), None);
    let noise = br#"{"type":"progress","data":{},"timestamp":"2026-03-01T10:00:00.000Z"}"#;
    assert_eq!(newer(noise, None), None);
}

/// A line with its fields in any order, texts that look like fields, and bodies anywhere.
fn line() -> impl Strategy<Value = Json> {
    let tricky = prop_oneof![
        Just(json!("\"timestamp\":\"2031-01-01T00:00:00.000Z\"")),
        Just(json!("{\"type\":\"user\"")),
        Just(json!("back\\slash\\")),
        Just(json!({"timestamp": "2031-01-01T00:00:00.000Z", "type": "user", "x": [1, "]}"]})),
        Just(json!([{"type": "tool_result"}])),
        Just(json!("[brackets} in {text]")),
        any::<String>().prop_map(Json::from),
        Just(Json::Null),
    ];
    let kinds = prop_oneof![Just("user"), Just("assistant"), Just("system"), Just("tag")];
    let fields = (
        kinds,
        10_u32..60,
        prop::collection::vec(tricky, 4),
        any::<u64>(),
    );
    fields.prop_map(|(kind, minute, values, order)| {
        let mut fields = vec![
            ("type", json!(kind)),
            (
                "timestamp",
                json!(format!("2026-03-01T10:{minute}:00.000Z")),
            ),
            ("message", values[0].clone()),
            ("toolUseResult", values[1].clone()),
            ("cwd", values[2].clone()),
            ("zz", values[3].clone()),
        ];
        // Any rotation and any direction.
        fields.rotate_left(usize::try_from(order % 6).unwrap_or(0));
        if order % 2 == 0 {
            fields.reverse();
        }
        Json::Object(
            fields
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        )
    })
}

proptest! {
    /// The shortcuts may give up, but never answer differently from a walk through the line.
    #[test]
    fn shortcuts_agree_with_a_walk(line in line()) {
        let text = line.to_string();
        let text = text.as_bytes();
        let full = Outline::full(text);
        let expected = full.entry.filter(|entry| entry.is_message()).and_then(|_| full.time());
        prop_assert_eq!(newer(text, None), expected);
        prop_assert_eq!(Outline::of(text).entry, full.entry);
        // Once more, knowing how the line ends.
        let mut newest = NewestTime::default();
        Outline::newer_message(text, None, &mut newest);
        newest.time = [0; 24];
        prop_assert_eq!(Outline::newer_message(text, None, &mut newest), expected);
        let complete = Outline::of(text).complete(text);
        prop_assert_eq!(complete.cwd, full.cwd);
        prop_assert_eq!(complete.has_tool_result, full.has_tool_result);
    }
}

#[test]
fn lines_that_end_alike_are_read_alike() {
    let at = |time: &str, body: &str, end: &str| {
        format!(r#"{{"type":"user","message":{{"content":"{body}"}},"timestamp":"{time}"{end}}}"#)
    };
    let (nine, ten) = ("2026-03-01T09:59:59.000Z", "2026-03-01T10:00:00.000Z");
    let end = r#","cwd":"/w","gitBranch":"main""#;
    let torn = at(nine, "x", end);
    let lines = [
        at(nine, "x", end),
        at(ten, "y", end),
        // In another place, inside a text, and of another length.
        format!(r#"{{"timestamp":"{ten}","type":"user","message":{{}}{end}}}"#),
        at(nine, &format!(r#"\"timestamp\":\"{ten}"#), ""),
        at("T", "x", end),
        // Torn, so that the end of another line stands inside.
        torn[..torn.len() - 40].to_owned() + &at(ten, "z", end),
        at(ten, "x", r#","cwd":"/v""#) + "\r",
    ];
    for first in &lines {
        for second in &lines {
            let mut newest = NewestTime::default();
            Outline::newer_message(first.as_bytes(), None, &mut newest);
            newest.time = [0; 24];
            assert_eq!(
                Outline::newer_message(second.as_bytes(), None, &mut newest),
                newer(second.as_bytes(), None),
                "{first}\n{second}"
            );
        }
    }
}

#[test]
fn an_attachment_is_read_without_a_walk_as_with_one() {
    let lines = [
        r#"{"parentUuid":"p","isSidechain":false,"attachment":{"type":"x","cwd":"/evil"},"type":"attachment","timestamp":"2026-03-01T10:00:00.000Z","entrypoint":"cli","cwd":"/w"}"#,
        r#"{"parentUuid":"p","isSidechain":true,"attachment":{},"type":"attachment","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w"}"#,
        r#"{"parentUuid":"p","attachment":[{}],"cwd":"/w","timestamp":"2026-03-01T10:00:00.000Z"}"#,
    ];
    for line in lines.map(str::as_bytes) {
        let (quick, walked) = (
            Outline::of_attachment(line).expect("compact"),
            Outline::of(line),
        );
        assert_eq!((quick.entry, quick.time()), (walked.entry, walked.time()));
        assert_eq!(
            (quick.cwd, quick.entrypoint),
            (walked.cwd, walked.entrypoint)
        );
        assert_eq!(quick.is_sidechain, walked.is_sidechain);
    }
    // Anything out of the ordinary is left to the walk.
    for line in [
        r#"{"type":"user","message":{},"timestamp":"T","cwd":"/w"}"#,
        r#"{"attachment":{},"origin":{"cwd":"/evil","timestamp":"T"}}"#,
        r#"{"attachment":{"cwd":"/evil","timestamp":"2031-01-01T00:00:00.000Z"}"#,
    ] {
        assert!(Outline::of_attachment(line.as_bytes()).is_none(), "{line}");
    }
}
