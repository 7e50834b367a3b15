use serde_json::{Value, json};

use super::{agent_answer, background, found_pages, told};
use crate::transcript::{ContentPart, ToolCall, ToolResult};

fn result(text: &str, detail: Value) -> ToolResult {
    ToolResult {
        parts: vec![ContentPart::Text(text.to_owned())],
        is_error: false,
        detail,
        at: None,
        entry: None,
    }
}

#[test]
fn what_is_wrapped_around_a_text_is_not_shown() {
    for (text, shown) in [
        ("plain\n", "plain"),
        (
            "<tool_use_error>no such file</tool_use_error>",
            "no such file",
        ),
        (
            "<persisted-output>\nsaved to /x\n</persisted-output>",
            "saved to /x",
        ),
        (
            "1\tfn a()\n\n<system-reminder>\nbe careful\n</system-reminder>\n",
            "1\tfn a()",
        ),
        (
            "a\n<system-reminder>b</system-reminder>\n<system-reminder>c</system-reminder>",
            "a",
        ),
        // A file that is about them keeps them.
        (
            "let a = \"<system-reminder>\";\nlet b = \"</system-reminder>\";",
            "let a = \"<system-reminder>\";\nlet b = \"</system-reminder>\";",
        ),
        ("a <tool_use_error> in it", "a <tool_use_error> in it"),
    ] {
        assert_eq!(told(text), shown);
    }
}

#[test]
fn an_agents_answer_ends_where_it_ends() {
    let text = "Two callers.\nagentId: a1 (use it to go on)\n<usage>total_tokens: 9</usage>";
    assert_eq!(agent_answer(&result(text, Value::Null)), "Two callers.");
    let text = "The field is called agentId: a number.";
    assert_eq!(agent_answer(&result(text, Value::Null)), text);
}

#[test]
fn pages_that_were_found_are_a_list() {
    let detail = json!({"results": [
        {"tool_use_id": "s", "content": [{"title": "JWT [RFC]", "url": "https://example.com/a"}]},
        "It is all about time.\n\nREMINDER: You MUST include the sources above",
    ]});
    assert_eq!(
        found_pages(&result("Links: [{}]", detail)).as_deref(),
        Some("- JWT [RFC] <https://example.com/a>\n\nIt is all about time.")
    );
    assert_eq!(found_pages(&result("no report", Value::Null)), None);
}

#[test]
fn what_runs_in_the_background_is_told_by_its_report() {
    let call = |detail: Value| ToolCall {
        id: String::new(),
        name: Some("TaskOutput".to_owned()),
        input: Value::Null,
        result: Some(result("<status>running</status>", detail)),
    };
    let task = json!({"task": {"status": "in_progress", "output": "half"}});
    let shell = json!({"status": "running", "stdout": "ready", "stderr": "slow"});
    let told = |detail| background(&call(detail));
    let status = |status: &str| Some(status.to_owned());
    assert_eq!(told(task), Some(("half".to_owned(), status("in progress"))));
    assert_eq!(
        told(shell),
        Some(("ready\nslow".to_owned(), status("running")))
    );
    assert_eq!(told(Value::Null), None);
}
