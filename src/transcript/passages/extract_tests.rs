use serde_json::{Value, json};

use crate::transcript::passages::Voice;
use crate::transcript::passages::tests::{call, lines, read, result, said, user, with};

/// Voice and text of each passage.
fn texts(entries: &[Value]) -> Vec<(Voice, String)> {
    let (found, _) = read(&lines(entries));
    found.into_iter().map(|it| (it.voice, it.text)).collect()
}

fn of(voice: Voice, text: &str) -> (Voice, String) {
    (voice, text.to_owned())
}

#[test]
fn what_claude_tells_an_agent_is_not_the_users() {
    let input = json!({"description": "Look", "prompt": "Look for it", "subagent_type": "x"});
    let side = |entry| with(entry, "isSidechain", true);
    let declined = "The user doesn't want to proceed with this tool use. The tool use was rejected. \
                    To tell you how to proceed, the user said:\nnot there";
    let found = texts(&[
        user("Find it"),
        call("1", "Task", input.clone()),
        call("2", "Agent", input.clone()),
        call("3", "Other", input),
        side(user("Look for it")),
        side(said("a", "Not here")),
        side(user("<command-name>/go</command-name>")),
        side(result("4", declined, true)),
    ]);
    let expected = [
        of(Voice::User, "Find it"),
        of(Voice::ToolInput, "Look\nx"),
        of(Voice::ToAgent, "Look for it"),
        of(Voice::ToolInput, "Look\nx"),
        of(Voice::ToAgent, "Look for it"),
        of(Voice::ToolInput, "Look\nLook for it\nx"),
        of(Voice::ToAgent, "Look for it"),
        of(Voice::Claude, "Not here"),
        of(Voice::ToAgent, "/go"),
        of(Voice::User, "not there"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn answers_to_questions_of_claude_are_the_users() {
    let text = "User has answered your questions: \"Which?\"=\"this\". You can now continue.";
    let reported = |report: Value| {
        let answered = with(result("1", text, false), "toolUseResult", report);
        texts(&[call("1", "AskUserQuestion", json!({})), answered])
    };
    let found = reported(json!({
        "questions": [{"question": "Which?"}],
        "answers": {"Which?": "this", "And?": ["one", "two"], "Deep": {"no": "no"}},
        "annotations": {"Which?": {"notes": "not \"that\"", "preview": "no"}},
    }));
    assert_eq!(found, [of(Voice::User, "this\none\ntwo\nnot \"that\"")]);
    // Where the answers are not told apart, the tool has the text.
    for report in [json!({"answers": {}}), json!("answers"), json!(null)] {
        assert_eq!(reported(report), [of(Voice::ToolOutput, text)]);
    }
}
