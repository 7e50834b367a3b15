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
        describe_run(&calls),
        "read 2 files, ran 2 commands, edited src/a.rs +2 -1, used mcp__x__y, 1 failed"
    );
    assert_eq!(describe_run(&[]), "");
}
