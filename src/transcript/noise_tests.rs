use std::io::Cursor;

use crate::transcript::{
    Chain, Digest, LeafRule, LoadExtent, NoteOrigin, Turn, TurnOpening, load_from,
};

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
    let turn = &only_turn(&text);
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

fn only_turn(text: &str) -> Turn {
    let index = load_from(text.as_bytes(), text.len() as u64, LoadExtent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Resume);
    let digest = Digest::whole(Cursor::new(text), &index, &chain).expect("reads");
    let [turn] = digest.newest.try_into().expect("one turn");
    turn
}

/// What is noted in the only turn of a conversation of these lines.
fn notes(lines: &[String]) -> (String, Vec<(NoteOrigin, String, String)>) {
    let text = lines.join("\n");
    let turn = &only_turn(&text);
    let TurnOpening::Prompt { text, images, .. } = &turn.opening else {
        panic!("a prompt: {turn:?}");
    };
    let pictures: Vec<String> = images.iter().map(crate::preview::picture).collect();
    let notes = turn.noise.iter();
    let notes = notes.map(|note| (note.whose, note.kind.clone(), note.text.clone()));
    (format!("{text}{}", pictures.concat()), notes.collect())
}

fn prompt(content: &str) -> String {
    line(
        1,
        "user",
        &format!(r#""message":{{"role":"user","content":{content}}}"#),
    )
}

#[test]
fn what_the_program_put_into_a_prompt_is_no_part_of_it() {
    let typed = r#""before <system-reminder>be kind</system-reminder> after""#;
    let (text, found) = notes(&[prompt(typed)]);
    assert_eq!(text, "before\nafter");
    let reminder = (NoteOrigin::Program, "for Claude".into(), "be kind".into());
    assert_eq!(found, [reminder]);
    let (text, found) = notes(&[prompt(r#""what is <system-reminder> for?""#)]);
    assert_eq!(text, "what is <system-reminder> for?");
    assert_eq!(found, []);
}

#[test]
fn a_document_in_a_prompt_is_named() {
    let pdf = r#"[{"type":"text","text":"see"},{"type":"document","source":
        {"type":"base64","media_type":"application/pdf","data":"AAAA"}}]"#
        .replace('\n', "");
    assert_eq!(notes(&[prompt(&pdf)]).0, "see[document 3 B]");
}

#[test]
fn files_that_a_person_attached_are_told_from_notes() {
    let file = r#""attachment":{"type":"file","filename":"/w/notes.md","displayPath":"notes.md",
        "content":{"type":"text","file":{"filePath":"/w/notes.md","content":"x"}}}"#
        .replace('\n', "");
    let (_, found) = notes(&[prompt(r#""look""#), line(2, "attachment", &file)]);
    assert_eq!(
        found,
        [(NoteOrigin::Person, "file".into(), "notes.md".into())]
    );
}

#[test]
fn errors_of_hooks_and_retries_are_noted() {
    let hook = r#""subtype":"stop_hook_summary","hookCount":1,"hookErrors":["lint failed"]"#;
    let error = r#""subtype":"api_error","error":{"status":529,"error":{"type":"overloaded_error",
        "message":"Overloaded"}},"retryAttempt":1,"maxRetries":10"#
        .replace('\n', "");
    let (_, found) = notes(&[
        prompt(r#""look""#),
        line(2, "system", hook),
        line(3, "system", &error),
    ]);
    let texts: Vec<&str> = found.iter().map(|(_, _, text)| text.as_str()).collect();
    assert_eq!(texts, ["lint failed", "529 Overloaded (retry 1 of 10)"]);
}

#[test]
fn a_task_that_is_over_is_told_by_its_summary_and_tags_are_no_words() {
    let over = r#""<task-notification>\n<task-id>b7</task-id>\n<status>completed</status>\n<summary>Tests completed (exit code 0)</summary>\n</task-notification>\nRead the file""#;
    let opened = r#""<ide_opened_file>The user opened a.rs</ide_opened_file>""#;
    let machine = |n: usize, content: &str| {
        let message = format!(r#""message":{{"role":"user","content":{content}}}"#);
        line(n, "user", &message)
    };
    let (_, found) = notes(&[prompt(r#""look""#), machine(2, over), machine(3, opened)]);
    assert_eq!(
        found,
        [
            (
                NoteOrigin::Task,
                "task".into(),
                "Tests completed (exit code 0)".into()
            ),
            (
                NoteOrigin::Program,
                "for Claude".into(),
                "The user opened a.rs".into()
            ),
        ]
    );
}
