//! The history on a real terminal: Ctrl+R, every action, the deleted sessions, and the command.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::desk::{Desk, Pty};
use crate::history_command::{entry, write};
use crate::support::id;

const CTRL_R: &str = "\x12";
const ENTER: &str = "\r";
const ESC: &str = "\x1b";

/// A desk with a history: of a session that is there, and of one that is gone.
fn desk() -> Desk {
    let desk = Desk::new();
    let (shop, docs) = (desk.shop.clone(), desk.store.outside("docs"));
    let mut pasted = entry(
        "what is this? [Pasted text #1 +1 lines]",
        50,
        &docs,
        Some(&id(77)),
    );
    pasted["pastedContents"] = json!({"1": {"id": 1, "type": "text", "content": "stack\ntrace"}});
    let entries: Vec<Value> = vec![
        entry("the flaky link checker", 60, &docs, Some(&id(77))),
        pasted,
        entry("continue", 40, &docs, None),
        entry("Port the report", 3, &shop, Some(&id(3))),
        entry("continue", 2, &shop, Some(&id(3))),
        entry("Fix the login page", 1, &shop, Some(&id(2))),
    ];
    write(&desk.store.root(), &entries);
    desk
}

fn opened(desk: &Desk) -> Pty {
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text(CTRL_R);
    pty.wait_for("5 prompts");
    pty
}

fn leave(mut pty: Pty) {
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn ctrl_r_shows_what_was_asked_and_esc_goes_back() {
    let desk = desk();
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text("login");
    pty.wait_for("1 of 3");
    pty.type_text(CTRL_R);
    pty.wait_for("history ❯ login");
    pty.wait_for("1 of 5 prompts");
    pty.type_text("\x15flaky");
    pty.wait_for("the flaky link checker");
    pty.wait_for("deleted by cleanup");
    pty.type_text(ESC);
    pty.wait_for("type to search");
    pty.type_text(ESC);
    pty.wait("the list as it was", |screen| {
        let text = screen.contents();
        text.contains(" ❯ login") && text.contains("1 of 3") && !text.contains("history ❯")
    });
    leave(pty);
}

#[test]
fn what_another_process_adds_and_takes_back_is_seen_at_once() {
    let desk = desk();
    let mut pty = opened(&desk);
    // The folder in which this is remembered is not there yet.
    let add = ["history", "add", "asked elsewhere"];
    assert_eq!(desk.store.run(&add).code, Some(0));
    pty.wait_for("asked elsewhere");
    assert_eq!(desk.store.run(&["history", "undo"]).code, Some(0));
    pty.wait("it is gone again", |screen| {
        let text = screen.contents();
        text.contains("5 prompts") && !text.contains("asked elsewhere")
    });
    leave(pty);
}

#[test]
fn enter_goes_to_the_session_and_its_prompt() {
    let desk = desk();
    let mut pty = opened(&desk);
    pty.type_text("report");
    pty.wait_for("1 of 5 prompts");
    pty.type_text(ENTER);
    pty.wait("the session in the list", |screen| {
        screen.contents().contains("▌ Port the report")
    });
    pty.wait_for("You │ Port the report");
    leave(pty);
}

#[test]
fn a_prompt_is_copied_without_its_control_characters_and_how_many_is_said() {
    let desk = desk();
    let evil = entry(
        "safe\u{1b}[201~\r\nrm -rf\u{3}\u{202e}\ttab",
        0,
        &desk.shop,
        None,
    );
    write(&desk.store.root(), &[evil]);
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text(CTRL_R);
    pty.wait_for("1 prompt");
    pty.type_text("\x1by");
    pty.wait_for("2 lines, without 3 control");
    let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
    // "safe\nrm -rf\ttab"
    assert!(
        sent.contains("]52;c;c2FmZQpybSAtcmYJdGFi\x1b"),
        "the clipboard was set"
    );
    leave(pty);
}

#[test]
fn a_conversation_that_is_gone_is_said_and_its_prompt_can_be_copied() {
    let desk = desk();
    let mut pty = opened(&desk);
    pty.type_text("what is");
    pty.wait_for("1 of 5 prompts");
    pty.wait_for("what is this? stack");
    pty.type_text(ENTER);
    pty.wait_for("copies the prompt");
    pty.type_text("\x1by");
    pty.wait_for("sent the prompt to the terminal");
    // "what is this? stack\ntrace", as the terminal gets it.
    let sent = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(
        sent.contains("]52;c;d2hhdCBpcyB0aGlzPyBzdGFjawp0cmFjZQ=="),
        "the clipboard was set"
    );
    leave(pty);
}

#[test]
fn a_new_session_begins_with_the_prompt_in_its_project() {
    let desk = desk();
    let mut pty = opened(&desk);
    pty.type_text("checker");
    pty.wait_for("1 of 5 prompts");
    pty.type_text("\x1bn");
    assert_eq!(pty.end(), 0);
    pty.assert_restored();
    let recorded = desk.recorded();
    let docs = desk.store.outside("docs");
    assert_eq!(Path::new(&recorded[0]), docs);
    assert_eq!(recorded[2], "the flaky link checker");
}

#[test]
fn where_there_is_nothing_to_run_the_prompt_stays_in_sight() {
    let desk = desk();
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.env("CLAUDE_RESUME_COMMAND", "no-such-claude");
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("3 sessions");
    pty.type_text(CTRL_R);
    pty.wait_for("5 prompts");
    pty.type_text("checker");
    pty.wait_for("1 of 5 prompts");
    pty.type_text("\x1bn");
    pty.wait_for("no-such-claude was not found");
    pty.wait_for("the flaky link checker");
    leave(pty);
}

#[test]
fn the_session_of_a_prompt_is_resumed() {
    let desk = desk();
    let mut pty = opened(&desk);
    pty.type_text("login");
    pty.wait_for("1 of 5 prompts");
    pty.wait_for("still there");
    pty.type_text("\x1br");
    assert_eq!(pty.end(), 0);
    pty.assert_restored();
    let recorded = desk.recorded();
    assert_eq!(recorded[2..4], ["--resume", &id(2)]);
}

#[test]
fn ctrl_r_again_changes_the_scope() {
    let desk = desk();
    let mut pty = opened(&desk);
    pty.wait_for("[all]");
    pty.type_text(CTRL_R);
    pty.wait_for("[session]");
    pty.type_text(CTRL_R);
    pty.wait_for("[project]");
    pty.wait_for("3 prompts");
    pty.type_text(CTRL_R);
    pty.wait_for("5 prompts");
    leave(pty);
}

#[test]
fn deleted_sessions_are_shown_with_the_clean_up_that_counts() {
    let desk = desk();
    let settings = desk.shop.join(".claude");
    fs::create_dir(&settings).expect("made");
    fs::write(
        settings.join("settings.json"),
        r#"{"cleanupPeriodDays": 99}"#,
    )
    .expect("written");
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text("\x1bl");
    pty.wait_for("conversation deleted by cleanup, prompts only");
    pty.wait_for("cleanupPeriodDays 99 (project settings)");
    pty.wait_for("4 sessions expire within 7 days");
    pty.wait_for("1 session");
    pty.wait_for("2 prompts");
    pty.type_text(ENTER);
    pty.wait_for(&format!("history ❯ id:{}", &id(77)[..8]));
    pty.wait_for("trace");
    pty.type_text(ESC);
    pty.wait_for("deleted ❯");
    pty.type_text(ESC);
    pty.wait_for("3 sessions");
    leave(pty);
}

#[test]
fn the_history_follows_its_file() {
    let desk = desk();
    let mut pty = opened(&desk);
    let mut command = desk.store.command(&desk.shop);
    let status = command
        .args(["history", "add", "asked a moment ago"])
        .status();
    assert!(status.expect("runs").success());
    pty.wait_for("asked a moment ago");
    pty.wait_for("6 prompts");
    leave(pty);
}

#[test]
fn the_command_opens_the_history_and_esc_leaves_it() {
    let desk = desk();
    let mut pty = desk.open(&["history"]);
    pty.wait_for("history ❯");
    pty.wait_for("5 prompts");
    pty.type_text(ESC);
    assert_eq!(pty.end(), 1);
    pty.assert_restored();
}

#[test]
fn a_widget_gets_the_chosen_prompt_on_stdout() {
    let desk = desk();
    let mut command = desk.command("/bin/sh");
    let binary: PathBuf = env!("CARGO_BIN_EXE_claude-resume").into();
    command.args([
        "-c",
        &format!(
            "x=$('{}' history --print what); echo; echo \"<$x>\"",
            binary.display()
        ),
    ]);
    let mut pty = Pty::start(command, 120, 30);
    pty.wait_for("1 of 5 prompts");
    pty.wait_for("what is this? stack");
    pty.type_text(ENTER);
    pty.wait_for("<what is this? stack");
    pty.wait_for("trace>");
    pty.end();
    pty.assert_restored();
}

#[test]
fn a_prompt_with_escapes_is_printed_whole_into_a_pipe_and_safely_on_a_terminal() {
    let desk = Desk::new();
    let hostile = entry("one\x1b]0;owned\x07\ntwo", 1, &desk.shop, None);
    write(&desk.store.root(), &[hostile]);
    let mut pty = desk.open(&["history", "--print"]);
    pty.wait_for("1 prompt");
    pty.type_text(ENTER);
    assert_eq!(pty.end(), 0);
    let bytes = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(bytes.ends_with("one\r\ntwo\r\n"), "{bytes:?}");
    assert!(!bytes.contains("owned"), "{bytes:?}");

    let chosen = desk.store.root().join("chosen");
    let mut command = desk.command("/bin/sh");
    let binary = env!("CARGO_BIN_EXE_claude-resume");
    let line = format!("'{binary}' history --print >'{}'", chosen.display());
    command.args(["-c", &line]);
    let mut pty = Pty::start(command, 120, 30);
    pty.wait_for("1 prompt");
    pty.type_text(ENTER);
    assert_eq!(pty.end(), 0);
    let text = fs::read_to_string(&chosen).expect("read");
    assert_eq!(text, "one\x1b]0;owned\x07\ntwo\n");
}

#[test]
fn the_demo_has_a_history_with_a_paste_and_deleted_sessions() {
    let desk = Desk::new();
    let mut pty = desk.open(&["--demo"]);
    pty.wait_for("12 sessions");
    pty.type_text(CTRL_R);
    pty.wait_for("prompts");
    pty.wait_for("8 deleted");
    pty.type_text("really dead");
    pty.wait_for("1 of");
    pty.wait_for("GET https://docs.example.com/guide/chapter-02");
    pty.type_text("\x1bn");
    pty.wait_for("it would run: cd");
    pty.type_text("\x1bl");
    pty.wait_for("cleanupPeriodDays 90 (your settings)");
    pty.wait_for("3 sessions");
    leave(pty);
}

#[test]
fn a_history_that_cannot_be_read_is_said_and_harms_nothing() {
    let desk = Desk::new();
    fs::create_dir(desk.store.root().join("history.jsonl")).expect("made");
    let mut pty = desk.open(&[]);
    pty.wait_for("3 sessions");
    pty.type_text(CTRL_R);
    pty.wait_for("history cannot be read");
    pty.type_text(ESC);
    pty.wait_for("3 sessions");
    leave(pty);
}

#[test]
fn a_dumb_terminal_gets_lines() {
    let desk = desk();
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.args(["history"]);
    command.env("TERM", "dumb");
    let mut pty = Pty::start(command, 80, 24);
    pty.wait_for("Fix the login page");
    pty.wait_for("the flaky link checker");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_key_typed_in_one_breath_with_the_query_is_about_what_it_finds() {
    let desk = desk();
    for _ in 0..3 {
        let mut pty = desk.open(&["history", "--print"]);
        pty.wait_for("5 prompts");
        pty.type_text("checker\r");
        assert_eq!(pty.end(), 0);
        let text = pty.text();
        assert!(text.contains("the flaky link checker"), "{text}");
    }
}

#[test]
fn where_a_prompt_is_to_be_printed_nothing_is_run() {
    let desk = desk();
    let mut pty = desk.open(&["history", "--print"]);
    pty.wait_for("5 prompts");
    pty.type_text("checker");
    pty.wait_for("1 of 5 prompts");
    for key in ["\x1bn", "\x1br"] {
        pty.type_text(key);
        pty.wait_for("--print runs nothing");
        pty.type_text("\x1b[A");
        pty.wait("the next key takes it away", |screen| {
            !screen.contents().contains("to be printed")
        });
    }
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    assert!(!desk.record.exists());
}
