use std::ops::Range;

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Checkpoint, Traits, Voice, passages};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owned {
    lines: (u64, u64),
    pub voice: Voice,
    pub text: String,
    tool: Option<String>,
    uuid: Option<Uuid>,
    part: u16,
    at: Option<i64>,
    is_error: bool,
    pub cut: u64,
}

fn read_from(bytes: &[u8], start: &Checkpoint) -> (Vec<Owned>, Checkpoint) {
    let mut found = Vec::new();
    let at = usize::try_from(start.offset).expect("small");
    let end = passages(&bytes[at..], start, &|| false, &mut |passage| {
        let Range { start, end } = passage.lines;
        found.push(Owned {
            lines: (start, end),
            voice: passage.voice,
            text: passage.text.to_owned(),
            tool: passage.tool.map(str::to_owned),
            uuid: passage.uuid,
            part: passage.part,
            at: passage.at,
            is_error: passage.is_error,
            cut: passage.cut,
        });
    });
    (found, end.expect("read"))
}

pub(super) fn read(bytes: &[u8]) -> (Vec<Owned>, Checkpoint) {
    read_from(bytes, &Checkpoint::default())
}

pub(super) fn lines(lines: &[Value]) -> Vec<u8> {
    let lines = lines.iter().map(|line| format!("{line}\n"));
    lines.collect::<String>().into_bytes()
}

/// Voice, tool and text of each passage.
fn texts(entries: &[Value]) -> Vec<(Voice, String)> {
    let (found, _) = read(&lines(entries));
    let brief = |it: Owned| (it.voice, [it.tool.unwrap_or_default(), it.text].join("|"));
    found.into_iter().map(brief).collect()
}

fn traits(entries: &[Value]) -> Traits {
    read(&lines(entries)).1.traits
}

pub(super) fn user(content: impl Into<Value>) -> Value {
    json!({"parentUuid": null, "isSidechain": false, "type": "user",
        "message": {"role": "user", "content": content.into()},
        "uuid": "00000000-0000-4000-8000-000000000001", "timestamp": "2026-03-01T10:00:00.000Z"})
}

fn assistant(id: &str, blocks: impl Into<Value>) -> Value {
    json!({"parentUuid": null, "isSidechain": false,
        "message": {"model": "m", "id": id, "role": "assistant", "content": blocks.into(), "usage": {}},
        "type": "assistant",
        "uuid": "00000000-0000-4000-8000-000000000002", "timestamp": "2026-03-01T10:00:01.000Z"})
}

pub(super) fn said(id: &str, text: &str) -> Value {
    assistant(id, json!([{"type": "text", "text": text}]))
}

pub(super) fn call(id: &str, name: &str, input: impl Into<Value>) -> Value {
    assistant(
        &format!("msg_{id}"),
        json!([{"type": "tool_use", "id": id, "name": name, "input": input.into()}]),
    )
}

pub(super) fn result(id: &str, content: impl Into<Value>, is_error: bool) -> Value {
    user(
        json!([{"tool_use_id": id, "type": "tool_result", "content": content.into(), "is_error": is_error}]),
    )
}

fn queued(text: &str) -> Value {
    json!({"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-03-01T10:00:00.000Z",
        "sessionId": "s", "content": text})
}

fn of(voice: Voice, text: &str) -> (Voice, String) {
    (voice, format!("|{text}"))
}

pub(super) fn with(mut entry: Value, key: &str, value: impl Into<Value>) -> Value {
    entry[key] = value.into();
    entry
}

use Voice::{Claude, Path, Summary, Thinking, ToolInput, ToolOutput, User};

#[test]
fn prompts_are_handed_out_as_typed() {
    let found = texts(&[
        user("why?\nbecause"),
        user(
            json!([{"type": "text", "text": "<ide_selection>x</ide_selection> do it"},
            {"type": "text", "text": "now<system-reminder>no</system-reminder>"}]),
        ),
        user("<command-name>/fix</command-name><command-args>it now</command-args>"),
        user("<command-name>/clear</command-name>"),
        user("<bash-input>ls -la</bash-input>"),
        user("<system-reminder>no</system-reminder>"),
        user("[Request interrupted by user]"),
        with(user("for Claude alone"), "isMeta", true),
        json!({"type": "system", "subtype": "local_command", "content": "<command-name>/mcp</command-name>"}),
        json!({"type": "system", "subtype": "informational", "content": "no"}),
        json!({"type": "progress", "parentUuid": null, "data": {"message": user("no")}}),
    ]);
    let expected = [
        "why?\nbecause",
        "do it\n\nnow",
        "/fix it now",
        "/clear",
        "! ls -la",
        "/mcp",
    ];
    assert_eq!(found, expected.map(|text| of(User, text)));
}

#[test]
fn a_passage_names_its_lines() {
    let prompt = user("hello");
    let bytes = lines(&[json!({"type": "mode"}), prompt.clone()]);
    let (found, checkpoint) = read(&bytes);
    let length = prompt.to_string().len() as u64;
    let end = bytes.len() as u64;
    assert_eq!(found[0].lines, (end - length - 1, end - 1));
    assert_eq!(
        found[0].uuid,
        prompt["uuid"]
            .as_str()
            .map(|id| id.parse().expect("a UUID"))
    );
    assert_eq!(found[0].at, Some(1_772_359_200_000));
    assert_eq!(checkpoint.offset, end);
    // The oldest files have the time in the message, and ids that are no UUIDs.
    let old = json!({"type": "user", "uuid": "u1", "message": {"content": "x", "timestamp": 1_700_000_000.5}});
    let (found, _) = read(&lines(&[old]));
    assert_eq!(found[0].at, Some(1_700_000_000_500));
    assert!(found[0].uuid.is_some());
}

#[test]
fn each_block_is_a_passage_and_repeated_blocks_are_none() {
    let entries = [
        assistant(
            "a",
            json!([{"type": "thinking", "thinking": "hm", "signature": "no"}]),
        ),
        said("a", "one"),
        json!({"type": "file-history-snapshot"}),
        assistant(
            "a",
            json!([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]),
        ),
        result("t", "printed", false),
        said("a", "three"),
        said("b", "one"),
        user("and?"),
        said("b", "one"),
        assistant(
            "",
            json!([{"type": "text", "text": "x"}, {"type": "text", "text": "x"}]),
        ),
        assistant("", json!([{"type": "text", "text": " "}])),
        with(
            assistant("c", json!("No response requested.")),
            "message",
            json!({"id": "c", "model": "<synthetic>", "content": [{"type": "text", "text": "No response requested."}]}),
        ),
    ];
    let expected = [
        of(Thinking, "hm"),
        of(Claude, "one"),
        of(Claude, "two"),
        of(ToolOutput, "printed"),
        of(Claude, "three"),
        of(Claude, "one"),
        of(User, "and?"),
        of(Claude, "one"),
        of(Claude, "x"),
        of(Claude, "x"),
    ];
    assert_eq!(texts(&entries), expected);
    let bytes = lines(&entries);
    let (found, _) = read(&bytes);
    let parts: Vec<u16> = found.iter().map(|passage| passage.part).collect();
    assert_eq!(parts, [0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
    let line = &bytes[usize::try_from(found[2].lines.0).expect("small")
        ..usize::try_from(found[2].lines.1).expect("small")];
    assert_eq!(line, entries[3].to_string().as_bytes());
    assert!(traits(&entries).contains(Traits::THINKING));
}

#[test]
fn the_message_of_a_queued_prompt_wins() {
    let attachment = json!({"parentUuid": null, "attachment": {"type": "queued_command", "prompt": "typed ahead"},
        "type": "attachment", "uuid": "00000000-0000-4000-8000-000000000003", "timestamp": "2026-03-01T10:00:01.000Z"});
    let found = texts(&[
        queued("never sent"),
        queued("first"),
        queued("second"),
        queued("typed ahead"),
        queued("{\"task_id\":\"b1\",\"description\":\"no\"}"),
        queued("<task-notification>no</task-notification>"),
        user("first\nsecond"),
        attachment,
        user("it is first of all"),
    ]);
    let expected = [
        "first\nsecond",
        "typed ahead",
        "it is first of all",
        "never sent",
    ];
    assert_eq!(found, expected.map(|text| of(User, text)));
}

#[test]
fn a_queued_prompt_is_not_waited_for_without_end() {
    let noise = |kind: &str| {
        json!({"parentUuid": null, "type": "user", "isMeta": true, "message": {"content": [
        {"type": kind, "text": "x".repeat(400_000)}]}, "uuid": "u", "timestamp": "2026-03-01T10:00:01.000Z"})
    };
    let mut bytes = lines(&[said("a", "working"), queued("late"), noise("x")]);
    let (_, checkpoint) = read(&bytes);
    // Its message is still open, too.
    assert_eq!(checkpoint.offset, 0);
    bytes.extend(lines(&[
        said("b", "done"),
        noise("x"),
        noise("x"),
        user("late"),
        user("end"),
    ]));
    let (found, checkpoint) = read(&bytes);
    let prompts = found.iter().filter(|it| it.voice == User);
    assert_eq!(
        prompts.map(|it| it.text.as_str()).collect::<Vec<_>>(),
        ["late", "late", "end"]
    );
    assert_eq!(checkpoint.offset, bytes.len() as u64);
}

#[test]
fn summaries_are_told_apart() {
    let old = "This session is being continued from a previous conversation that ran out. So far:";
    let found = texts(&[
        json!({"type": "summary", "summary": "Fixes the clock", "leafUuid": "x"}),
        with(user("We did it."), "isCompactSummary", true),
        user(old),
        json!({"type": "system", "subtype": "away_summary", "content": "You were away."}),
    ]);
    let expected = ["Fixes the clock", "We did it.", old, "You were away."];
    assert_eq!(found, expected.map(|text| of(Summary, text)));
}

#[test]
fn of_a_call_the_words_and_the_paths_count() {
    let found = texts(&[
        call(
            "1",
            "Bash",
            json!({"command": "ls \"x\"", "timeout": 5, "description": "Lists"}),
        ),
        call(
            "2",
            "Edit",
            json!({"file_path": "/a.rs", "old_string": "b", "new_string": "c"}),
        ),
        call(
            "3",
            "MultiEdit",
            json!({"file_path": "/b.rs", "edits": [{"old_string": "d", "new_string": "e"}]}),
        ),
        call(
            "4",
            "TodoWrite",
            json!({"todos": [{"content": "f", "status": "pending", "activeForm": "no", "id": "1"}]}),
        ),
        call(
            "5",
            "Grep",
            json!({"pattern": "g.*", "path": "src", "output_mode": "content", "glob": "*.rs"}),
        ),
        call(
            "6",
            "mcp__x__y",
            json!({"taskId": "no", "list": ["h", {"deep": "i"}], "long": "j".repeat(9000), "more": "no"}),
        ),
        call("7", "Read", json!({"file_path": "/c.rs"})),
    ]);
    let owned = |voice, text: &str| (voice, text.to_owned());
    let expected = vec![
        owned(ToolInput, "Bash|ls \"x\"\nLists"),
        owned(Path, "Edit|/a.rs"),
        owned(ToolInput, "Edit|b\nc"),
        owned(Path, "MultiEdit|/b.rs"),
        owned(ToolInput, "MultiEdit|d\ne"),
        owned(ToolInput, "TodoWrite|f"),
        owned(Path, "Grep|src"),
        owned(ToolInput, "Grep|g.*\n*.rs"),
        owned(
            ToolInput,
            &format!("mcp__x__y|h\ni\n{}", "j".repeat(8 * 1024 - 2)),
        ),
        owned(Path, "Read|/c.rs"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_result_has_the_tool_of_its_call() {
    let entries = [
        call("1", "Bash", json!({})),
        result("1", "out", false),
        call("2", "Read", json!({})),
        result(
            "2",
            json!([{"type": "text", "text": "a"}, {"type": "image", "source": {"data": "xx"}}, {"type": "text", "text": "b"}]),
            true,
        ),
        result("3", "lost", false),
        user("<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>"),
        user("<local-command-stdout>Set model</local-command-stdout>"),
    ];
    let expected = ["Bash|out", "Read|a\nb", "|lost", "|a\nb", "|Set model"];
    assert_eq!(
        texts(&entries),
        expected.map(|text| (ToolOutput, text.to_owned()))
    );
    let (found, checkpoint) = read(&lines(&entries));
    assert_eq!(
        found.iter().map(|it| it.is_error).collect::<Vec<_>>(),
        [false, true, false, false, false]
    );
    assert!(checkpoint.traits.contains(Traits::ERROR) && checkpoint.traits.contains(Traits::IMAGE));
    assert!(
        !checkpoint.traits.contains(Traits::AGENT) && !checkpoint.traits.contains(Traits::THINKING)
    );
    // The last message may go on, and its result comes again.
    assert_eq!(checkpoint.open_calls, []);
    assert_eq!(checkpoint.offset, lines(&entries[..2]).len() as u64);
    let (_, checkpoint) = read(&lines(&[&entries[..1], &[user("go on")]].concat()));
    assert_eq!(checkpoint.open_calls, [("1".to_owned(), "Bash".to_owned())]);
}

#[test]
fn a_declined_call_is_what_the_user_said() {
    let declined = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    let entries = [
        result(
            "1",
            format!("{declined}. To tell you how to proceed, the user said:\nuse tabs"),
            true,
        ),
        result("2", declined, true),
    ];
    assert_eq!(texts(&entries), [of(User, "use tabs")]);
    assert!(!traits(&entries).contains(Traits::ERROR));
}

#[test]
fn traits_tell_what_is_there() {
    let error = with(
        with(said("a", ""), "isApiErrorMessage", true),
        "message",
        json!({"id": "a", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: 500"}]}),
    );
    let (found, checkpoint) = read(&lines(std::slice::from_ref(&error)));
    assert_eq!((found[0].voice, found[0].is_error), (Claude, true));
    assert_eq!(checkpoint.traits, Traits::default());
    for (entry, expected) in [
        (
            user(json!([{"type": "image", "source": {"data": "x"}}])),
            Traits::IMAGE,
        ),
        (call("1", "Task", json!({})), Traits::AGENT),
        (with(said("a", "b"), "isSidechain", true), Traits::AGENT),
        (
            assistant("a", json!([{"type": "thinking", "thinking": ""}])),
            Traits::default(),
        ),
        (with(error, "isApiErrorMessage", false), Traits::default()),
    ] {
        assert_eq!(traits(std::slice::from_ref(&entry)), expected, "{entry}");
    }
}

#[test]
fn attached_files_are_paths() {
    let attachment = |attachment: Value| {
        json!({"parentUuid": null, "attachment": attachment, "type": "attachment",
        "uuid": "00000000-0000-4000-8000-000000000003", "timestamp": "2026-03-01T10:00:01.000Z"})
    };
    let found = texts(&[
        attachment(json!({"type": "file", "filename": "/a/b.rs", "content": {"text": "no"}})),
        attachment(json!({"type": "skill_listing", "filename": "no", "prompt": "no"})),
    ]);
    assert_eq!(found, [of(Path, "/a/b.rs")]);
}

/// A line of any kind, with ids and texts that repeat.
fn any_line() -> impl Strategy<Value = String> {
    (0..24_usize, 0..3_usize, 0..3_usize).prop_map(|(kind, a, b)| {
        let (id, text) = (format!("msg_{a}"), format!("text {b} \"é\n"));
        let value = match kind {
            0 | 1 => user(text),
            2 => with(user(text), "isMeta", true),
            3..=6 => said(&id, &text),
            7 => assistant(&id, json!([{"type": "thinking", "thinking": text}])),
            8 => assistant(&id, json!([{"type": "tool_use", "id": b.to_string(), "name": "Bash", "input": {"command": text}}])),
            9 => call(&b.to_string(), "Read", json!({"file_path": "/a"})),
            10..=12 => result(&b.to_string(), text, a == 0),
            13 => json!({"type": "api-request", "content": user(text)}),
            14 => json!({"type": "progress", "parentUuid": null, "data": text}),
            15 | 16 => queued(&text),
            17 => json!({"type": "summary", "summary": text}),
            18 => with(user(text), "isCompactSummary", true),
            19 => with(said("", &text), "isSidechain", true),
            20 => return "garbage\n".to_owned(),
            21 => return format!("{}{}\n", &user("torn").to_string()[..20 + a], said(&id, &text)),
            22 => return format!("{}{}{}\r\n", said(&id, &text), queued(&text), said("msg_0", "glued")),
            _ => return "\n".to_owned(),
        };
        format!("{value}\n")
    })
}

proptest! {
    #[test]
    fn going_on_gives_the_same_as_reading_at_once(
        lines in prop::collection::vec(any_line(), 0..14),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..4),
        is_torn: bool,
    ) {
        let text = lines.concat();
        let bytes = &text.as_bytes()[..text.len() - usize::from(is_torn && !text.is_empty())];
        let mut ends: Vec<usize> = cuts.iter().map(|(cut, at_line)| {
            let cut = cut.index(bytes.len() + 1);
            let newline = bytes[..cut].iter().rposition(|b| *b == b'\n');
            if *at_line { newline.map_or(0, |newline| newline + 1) } else { cut }
        }).collect();
        ends.push(bytes.len());
        ends.sort_unstable();
        let mut kept: Vec<Owned> = Vec::new();
        let mut checkpoint = Checkpoint::default();
        for end in ends {
            let (found, next) = read_from(&bytes[..end], &checkpoint);
            // Of each side, what is read again is the last that was handed out.
            for is_tool in [false, true] {
                let side = kept.iter().filter(|passage| passage.voice.is_tool() == is_tool);
                let mut again = side.map(|passage| passage.lines.0 >= checkpoint.offset);
                prop_assert!(again.by_ref().find(|it| *it).is_none() || again.all(|it| it));
            }
            kept.retain(|passage| passage.lines.0 < checkpoint.offset);
            kept.extend(found);
            checkpoint = next;
        }
        let (mut expected, whole) = read(bytes);
        expected.sort();
        kept.sort();
        prop_assert_eq!(kept, expected);
        prop_assert_eq!(checkpoint, whole);
    }
}
