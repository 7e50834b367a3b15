use serde_json::{Value, json};

use super::{FileChange, changed};
use crate::transcript::{ToolCall, ToolResult};

/// What a call changed of which no patch is reported.
fn counted(name: &str, input: Value) -> (usize, usize) {
    let call = ToolCall {
        id: "t".to_owned(),
        name: Some(name.to_owned()),
        input,
        result: Some(ToolResult {
            parts: Vec::new(),
            is_error: false,
            detail: Value::Null,
            at: None,
            entry: None,
        }),
    };
    let change = FileChange::of(&call).expect("a change");
    (change.added, change.removed)
}

#[test]
fn lines_around_a_change_are_not_counted() {
    let edit = |old: &str, new: &str| {
        counted(
            "Edit",
            json!({"file_path": "/w/a", "old_string": old, "new_string": new}),
        )
    };
    assert_eq!(edit("fn a() {\n    one\n}", "fn a() {\n    two\n}"), (1, 1));
    assert_eq!(edit("a\nb", "a\nnew\nb"), (1, 0));
    assert_eq!(edit("a\na\na", "a\na"), (0, 1));
    assert_eq!(edit("", "all\nnew"), (2, 0));
    assert_eq!(edit("a\nb", "c\nd"), (2, 2));
}

#[test]
fn several_edits_and_new_files_are_counted_together() {
    let edits = json!([
        {"old_string": "a\nb", "new_string": "a\nc"},
        {"old_string": "gone", "new_string": ""},
    ]);
    let input = json!({"file_path": "/w/a", "edits": edits});
    assert_eq!(counted("MultiEdit", input), (1, 2));
    let input = json!({"file_path": "/w/a", "content": "one\ntwo\n"});
    assert_eq!(counted("Write", input), (2, 0));
}

#[test]
fn equal_texts_are_no_change() {
    assert_eq!(changed("a\nb\na", "a\nb\na"), (0, 0));
    assert_eq!(changed("", ""), (0, 0));
}
