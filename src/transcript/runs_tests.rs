use serde_json::{Value, json};

use super::describe_run;
use crate::transcript::{ToolCall, ToolResult};

fn call(name: &str, input: Value, detail: Value) -> ToolCall {
    ToolCall {
        id: "t".to_owned(),
        name: Some(name.to_owned()),
        input,
        result: Some(ToolResult {
            parts: Vec::new(),
            is_error: detail == "failed",
            detail,
            at: None,
        }),
    }
}

#[test]
fn a_run_is_said_in_a_few_words() {
    let patch = json!({"filePath": "/w/shop/src/a.rs", "structuredPatch": [
        {"oldStart": 1, "newStart": 1, "lines": [" a", "+b", "+c", "-d"]},
    ]});
    let edit = json!({"file_path": "/w/shop/src/a.rs"});
    let calls = [
        call("Read", json!({"file_path": "/a"}), Value::Null),
        call("Read", json!({"file_path": "/b"}), Value::Null),
        call("Read", json!({"file_path": "/a"}), Value::Null),
        call("Bash", json!({"command": "ls"}), Value::Null),
        call("Edit", edit, patch),
        call("Bash", json!({"command": "ls"}), json!("failed")),
        call("mcp__x__y", json!({}), Value::Null),
    ];
    assert_eq!(
        describe_run(&calls, Some("/w/shop")),
        "read 2 files, ran 2 commands, edited src/a.rs +2 -1, used mcp__x__y, 1 failed"
    );
    assert_eq!(describe_run(&[], None), "");
}

#[test]
fn a_notebook_is_a_file_of_its_own() {
    let cell = json!({"notebook_path": "/w/shop/n.ipynb", "new_source": "a = 1\nb = 2"});
    let notebook = call("NotebookEdit", cell, Value::Null);
    let input = json!({"file_path": "/w/shop/m.py", "old_string": "x", "new_string": "y"});
    let edit = call("Edit", input, Value::Null);
    let cwd = Some("/w/shop");
    assert_eq!(describe_run([&notebook], cwd), "edited n.ipynb +2 -0");
    assert_eq!(
        describe_run([&edit, &notebook], cwd),
        "edited m.py and n.ipynb +3 -1"
    );
    // Elsewhere the end of a path is enough.
    assert_eq!(
        describe_run([&edit], Some("/elsewhere")),
        "edited /w/shop/m.py +1 -1"
    );
    assert_eq!(super::called("/home/me/shop/m.py", None), "…/me/shop/m.py");
}

#[test]
fn a_call_without_a_result_is_not_said_to_have_been_made() {
    let mut bash = call("Bash", json!({"command": "make"}), Value::Null);
    let done = bash.clone();
    bash.result = None;
    assert_eq!(describe_run([&bash], None), "Bash never finished");
    assert_eq!(
        describe_run([&done, &bash, &bash], None),
        "ran a command, 2 calls never finished"
    );
}
