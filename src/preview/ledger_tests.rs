use chrono::DateTime;
use serde_json::{Value, json};

use super::render;
use crate::preview::{Agents, Fold, Level, Manner, Options, PageLine};
use crate::text::width;
use crate::transcript::{
    ContentPart, EntryMark, Image, LeftOut, StepKind, ToolCall, ToolResult, Turn, TurnOpening,
    TurnStep, Typed,
};

const MINUTE: i64 = 60_000;
/// 2026-03-01T10:00:00Z
const START: i64 = 1_772_359_200_000;

fn step(minute: i64, what: StepKind) -> TurnStep {
    TurnStep {
        uuid: String::new(),
        at: Some(START + minute * MINUTE),
        what,
        mark: None,
    }
}

fn call(name: &str, input: Value, text: &str, detail: Value) -> StepKind {
    let is_error = detail == "failed";
    StepKind::Tool(Box::new(ToolCall {
        id: String::new(),
        name: Some(name.to_owned()),
        input,
        result: Some(ToolResult {
            parts: vec![ContentPart::Text(text.to_owned())],
            is_error,
            detail,
            at: None,
            entry: None,
        }),
    }))
}

fn said(text: &str) -> StepKind {
    StepKind::Text(text.to_owned())
}

/// A conversation with everything in it.
fn rich() -> Vec<Turn> {
    let patch = json!({"filePath": "src/auth/refresh.rs", "structuredPatch": [
        {"oldStart": 1, "newStart": 1, "lines": [" fn expiry() {", "-    Local::now()", "+    Utc::now()", " }"]},
    ]});
    let turn = |opening, minute: i64, steps| Turn {
        opening,
        uuid: String::new(),
        at: Some(START + minute * MINUTE),
        steps,
        noise: Vec::new(),
        mark: None,
    };
    vec![
        turn(
            TurnOpening::Compaction {
                summary: Some("They looked at **tokens**.".to_owned()),
                summary_entry: None,
                trigger: None,
                tokens_before: Some(155_000),
            },
            0,
            Vec::new(),
        ),
        turn(
            TurnOpening::Prompt {
                text: "Users get logged out although the refresh token is valid. Find out why.\n\nログインが切れます".to_owned(),
                images: vec![Image {
                    media_type: None,
                    bytes: 340_000,
                }],
                typed: Typed::AtThePrompt,
            },
            2,
            vec![
                step(2, StepKind::Thinking("Hm.".to_owned())),
                step(2, said("I'll start with the expiry check.")),
                step(3, call("Read", json!({"file_path": "src/auth/refresh.rs"}), "…", json!({"file": {"numLines": 40}}))),
                step(3, call("Bash", json!({"command": "cargo test\n  --all"}), "error[E0308]\nmismatched types", json!("failed"))),
                step(4, call("Grep", json!({"pattern": "expiry"}), "", json!({"numFiles": 3, "numLines": 12}))),
                step(5, said("It is compared in **local time**:\n\n```rust\nif exp < Local::now() {\n```\n\n| where | what |\n|---|---|\n| refresh.rs | wrong |")),
                step(6, call("Edit", json!({"file_path": "src/auth/refresh.rs"}), "", patch)),
                step(6, call("TodoWrite", json!({"todos": [{"content": "fix", "status": "completed"}, {"content": "open PR", "status": "pending"}]}), "", Value::Null)),
                step(6, call("mcp__tracker__close", json!({"id": 7}), "closed", Value::Null)),
                step(7, StepKind::ApiError("API Error: overloaded".to_owned())),
                step(7, StepKind::Interrupted),
            ],
        ),
        turn(
            TurnOpening::Command { name: "/model".to_owned(), arguments: "opus".to_owned() },
            60 * 24,
            vec![step(60 * 24, StepKind::Output { text: "Set model to opus".to_owned(), errors: String::new() })],
        ),
        turn(
            TurnOpening::Shell("git status".to_owned()),
            60 * 24 + 1,
            vec![step(60 * 24 + 1, StepKind::Recap("You fixed the expiry.".to_owned()))],
        ),
    ]
}

fn lines(options: &Options, columns: usize) -> Vec<PageLine> {
    lines_of(&rich(), options, columns)
}

fn lines_of(turns: &[Turn], options: &Options, columns: usize) -> Vec<PageLine> {
    let clock = |at: i64| DateTime::from_timestamp_millis(at).map(|time| time.naive_utc());
    let manner = Manner {
        options,
        columns,
        clock: &clock,
        painter: None,
        agents: &Agents::default(),
        cwd: None,
    };
    render(turns, manner)
}

fn page(options: &Options, columns: usize) -> String {
    let row = |line: PageLine| format!("{:>6} │ {}", line.margin, line.text());
    let rows = lines(options, columns).into_iter().map(row);
    let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n")
}

#[test]
fn questions_and_answers_with_the_rest_folded() {
    for columns in [31, 71, 111] {
        insta::assert_snapshot!(
            format!("summary_{columns}"),
            page(&Options::default(), columns)
        );
    }
}

#[test]
fn everything_open() {
    let options = Options {
        level: Level::Full,
        ..Options::default()
    };
    for columns in [31, 71, 111] {
        insta::assert_snapshot!(format!("full_{columns}"), page(&options, columns));
    }
}

#[test]
fn only_what_was_asked() {
    let options = Options {
        level: Level::Prompts,
        ..Options::default()
    };
    insta::assert_snapshot!(page(&options, 71));
}

#[test]
fn an_open_call_says_what_resuming_makes_of_it() {
    let words = |mark: Option<EntryMark>| {
        let mut call = call("Bash", json!({"command": "make"}), "", Value::Null);
        if let StepKind::Tool(call) = &mut call {
            call.result = None;
        }
        let mut turns = rich();
        turns.truncate(1);
        turns[0].steps = vec![TurnStep {
            mark,
            ..step(1, call)
        }];
        let options = Options {
            level: Level::Full,
            ..Options::default()
        };
        let manner = Manner {
            options: &options,
            columns: 100,
            clock: &|_| None,
            painter: None,
            agents: &Agents::default(),
            cwd: None,
        };
        let lines: Vec<String> = render(&turns, manner).iter().map(PageLine::text).collect();
        lines.join("\n")
    };
    let open = words(None);
    assert!(open.contains("(never finished)"), "{open}");
    assert!(!open.contains("resume"), "{open}");
    let running = words(Some(EntryMark::MadeUp));
    let told = "(never finished)\n  (resume tells Claude that it was interrupted)";
    assert!(running.contains(told), "{running}");
    let passed_over = words(Some(EntryMark::LeftOut(LeftOut::NoResult)));
    let why = "(never finished)\n  (resume leaves this out: the tool never returned a result)";
    assert!(passed_over.contains(why), "{passed_over}");
}

#[test]
fn a_command_that_only_the_program_answered_is_one_fold_with_what_it_printed() {
    let printed = |text: &str| StepKind::Output {
        text: text.to_owned(),
        errors: String::new(),
    };
    let told = |steps: Vec<StepKind>, level| {
        let mut turn = rich().remove(2);
        turn.steps = steps.into_iter().map(|what| step(1, what)).collect();
        let options = Options {
            level,
            ..Options::default()
        };
        let lines = lines_of(&[turn], &options, 71);
        // A place is looked up as in a sorted list.
        assert!(lines.is_sorted_by_key(|line| line.place));
        let texts = lines.iter().map(PageLine::text);
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts
    };
    let bye = || vec![printed("Bye!")];
    assert_eq!(told(bye(), Level::Summary), ["▸ /model opus"]);
    let open = ["▾ /model opus", "  Bye!"];
    assert_eq!(told(bye(), Level::Full), open);
    assert_eq!(told(bye(), Level::Prompts), ["/model opus"]);
    let two = vec![printed("a\nb\nc"), printed("d")];
    let folds = ["▸ /model opus, 3 lines", "▸ output of /model"];
    assert_eq!(told(two, Level::Summary), folds);
    // What Claude answered was asked.
    let answered = vec![printed("Bye!"), said("Yes.")];
    let asked = ["/model opus", "▸ output of /model", "Yes."];
    assert_eq!(told(answered, Level::Summary), asked);
    let failed = vec![StepKind::ApiError("overloaded".to_owned())];
    assert_eq!(told(failed, Level::Summary), ["/model opus", "overloaded"]);
}

#[test]
fn a_fold_opens_and_closes_again() {
    let mut options = Options::default();
    let closed = lines(&options, 71);
    let folds: Vec<Fold> = closed.iter().filter_map(|line| line.fold).collect();
    assert!(folds.len() >= 4, "{folds:?}");
    for fold in folds {
        options.toggle(fold);
        let open = lines(&options, 71);
        assert!(open.len() > closed.len(), "{fold:?}");
        // The line that was under the cursor is still there, at the same place.
        assert!(open.iter().any(|line| line.fold == Some(fold)));
        options.toggle(fold);
        assert_eq!(lines(&options, 71), closed);
    }
}

#[test]
fn no_line_is_wider_than_asked_for() {
    let options = Options {
        level: Level::Full,
        ..Options::default()
    };
    for columns in 1..130 {
        for line in lines(&options, columns) {
            assert!(
                width(&line.text()) <= columns,
                "{columns}: {:?}",
                line.text()
            );
        }
    }
}
