use serde_json::{Value, json};

use super::describe_run;
use crate::transcript::{ContentPart, ToolCall, ToolResult};

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
            entry: None,
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
        "read 2 files, ran 2 commands, edited src/a.rs +2 -1, used y (x), 1 failed"
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
        "ran make, 2 calls never finished"
    );
}

#[test]
fn what_the_person_did_not_let_run_was_not_done() {
    let declined = |name: &str, said: &str| {
        let mut call = call(name, json!({"file_path": "/a"}), json!("failed"));
        let text = "The user doesn't want to proceed with this tool use. The tool use was \
                    rejected. To tell you how to proceed, the user said:\n";
        if let Some(result) = &mut call.result {
            result.parts = vec![ContentPart::Text(format!("{text}{said}"))];
        }
        call
    };
    let words = |calls: &[ToolCall]| describe_run(calls, None);
    assert_eq!(words(&[declined("Bash", "not now")]), "you declined Bash");
    assert_eq!(
        words(&[declined("ExitPlanMode", "smaller steps")]),
        "proposed a plan, you declined it"
    );
    assert_eq!(
        words(&[declined("Bash", ""), declined("Edit", "")]),
        "you declined 2 calls"
    );
    let result = declined("Bash", "not now").result.expect("there");
    assert_eq!(result.declined(), Some("not now"));
    let clarify = "The user wants to clarify these questions.\n    This means they may";
    let result = declined("AskUserQuestion", clarify).result.expect("there");
    assert_eq!(result.declined(), Some(""));
    let failed = call("Bash", json!({}), json!("failed"));
    assert_eq!(failed.result.expect("there").declined(), None);
}

#[test]
fn a_single_call_says_what_it_was_about() {
    let read = call("Read", json!({"file_path": "/w/src/a.rs"}), Value::Null);
    let run = call(
        "Bash",
        json!({"command": "cargo test\n  --all"}),
        Value::Null,
    );
    let long = call("Bash", json!({"command": "x".repeat(100)}), Value::Null);
    let words = |call: &ToolCall| describe_run([call], Some("/w"));
    assert_eq!(words(&read), "read src/a.rs");
    assert_eq!(words(&run), "ran cargo test --all");
    assert_eq!(words(&long), format!("ran {}…", "x".repeat(60)));
    let search = call("Grep", json!({"pattern": "fn a"}), Value::Null);
    assert_eq!(words(&search), "searched for fn a");
    assert_eq!(
        describe_run([&read, &run], Some("/w")),
        "read a file, ran a command"
    );
    assert_eq!(describe_run([&read, &read], Some("/w")), "read a file");
}

#[test]
fn every_kind_of_call_has_its_words() {
    let questions = json!({"questions": [{"question": "Which\none?"}]});
    let answers = json!({"answers": {"Which\none?": "The first"}});
    for (call, words) in [
        (
            call("WebSearch", json!({}), Value::Null),
            "searched the web",
        ),
        (call("WebFetch", json!({}), Value::Null), "looked up a page"),
        (
            call("TaskOutput", json!({}), Value::Null),
            "checked a background task",
        ),
        (
            call("KillShell", json!({}), Value::Null),
            "stopped a background task",
        ),
        (
            call("ToolSearch", json!({}), Value::Null),
            "looked for tools",
        ),
        (
            call("SendMessage", json!({"to": "bob"}), Value::Null),
            "wrote to bob",
        ),
        (
            call("Skill", json!({"skill": "commit"}), Value::Null),
            "used the skill commit",
        ),
        (
            call("mcp__plugin_a-b_docs__query", json!({}), Value::Null),
            "used query (docs)",
        ),
        (
            call("AskUserQuestion", questions, answers),
            "asked “Which one?”: The first",
        ),
        (call("Edit", json!({}), json!("failed")), "an edit failed"),
    ] {
        assert_eq!(describe_run([&call], None), words);
    }
}
