use serde_json::json;

use super::message;
use crate::preview::TurnPos;
use crate::transcript::{
    ContentPart, StepKind, ToolCall, ToolResult, Turn, TurnOpening, TurnStep, Typed,
};

fn turn(opening: TurnOpening, steps: Vec<StepKind>) -> Turn {
    let step = |what| TurnStep {
        uuid: String::new(),
        at: None,
        what,
        mark: None,
    };
    Turn {
        opening,
        uuid: String::new(),
        at: None,
        steps: steps.into_iter().map(step).collect(),
        noise: Vec::new(),
        mark: None,
    }
}

fn bash(command: &str, output: &str) -> StepKind {
    StepKind::Tool(Box::new(ToolCall {
        id: String::new(),
        name: Some("Bash".to_owned()),
        input: json!({"command": command}),
        result: Some(ToolResult {
            parts: vec![ContentPart::Text(output.to_owned())],
            is_error: false,
            detail: json!({}),
            at: None,
            entry: None,
        }),
    }))
}

fn at(step: Option<usize>) -> TurnPos {
    TurnPos { turn: 0, step }
}

#[test]
fn a_message_is_copied_whole_and_as_it_was_written() {
    let long = "word ".repeat(500);
    let prompt = TurnOpening::Prompt {
        text: format!("{long}\n\tindented \u{1b}[31mred\u{1b}[0m\n\n"),
        images: Vec::new(),
        typed: Typed::AtThePrompt,
    };
    let said = StepKind::Text("**as** it was written".to_owned());
    let turn = turn(
        prompt,
        vec![
            said,
            bash("make", "done"),
            bash("ls", "a\nb"),
            StepKind::Interrupted,
        ],
    );
    let copied = message(&turn, at(None)).unwrap_or_default();
    assert_eq!(copied.lines().count(), 2);
    assert!(copied.starts_with(long.trim_end()), "not wrapped");
    assert!(
        copied.ends_with("\n\tindented \u{1b}[31mred\u{1b}[0m"),
        "{copied:?}"
    );
    assert_eq!(
        message(&turn, at(Some(0))).as_deref(),
        Some("**as** it was written")
    );
    let run = message(&turn, at(Some(1))).unwrap_or_default();
    assert_eq!(run, "· $ make  exit 0\n  done\n· $ ls  exit 0\n  a\n  b");
    assert_eq!(message(&turn, at(Some(3))), None, "nothing was said");
    assert_eq!(message(&turn, at(Some(9))), None, "there is no such step");
}

#[test]
fn all_that_a_command_printed_is_copied() {
    let output: Vec<String> = (0..5000).map(|n| format!("line {n}")).collect();
    let turn = turn(TurnOpening::Unasked, vec![bash("make", &output.join("\n"))]);
    let copied = message(&turn, at(Some(0))).unwrap_or_default();
    assert_eq!(copied.lines().count(), 5001);
    assert!(copied.ends_with("line 4999"));
}
