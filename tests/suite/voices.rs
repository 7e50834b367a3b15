//! Who said what `claude-resume search` finds: a person, Claude to its agents, or a tool.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Store, assistant, entry, id, lines, user};

fn found(store: &Store, arguments: &[&str]) -> Vec<(String, String, String)> {
    store
        .run(&[&["search", "--json"], arguments].concat())
        .passages()
}

fn one(n: u32, role: &str, place: &str) -> Vec<(String, String, String)> {
    vec![(id(n), role.to_owned(), place.to_owned())]
}

/// A session that sent an agent to look, and answered Claude's question.
fn agent_store() -> Store {
    let store = Store::new();
    let call = |id: &str, name: &str, input: Value| json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    let result = |id: &str, content: Value| json!([{"type": "tool_result", "tool_use_id": id, "content": content}]);
    let sent = json!({"description": "Look", "prompt": "Look for the **axolotl**"});
    let mut answered = entry(
        5,
        "user",
        &result(
            "t2",
            json!("User has answered your questions: \"Which pond?\"=\"the deep one\". Go on."),
        ),
    );
    answered["toolUseResult"] = json!({"answers": {"Which pond?": "the deep one"}});
    let main = [
        entry(1, "user", &json!("Find the animal")),
        entry(2, "assistant", &call("t1", "Task", sent)),
        entry(
            3,
            "user",
            &result(
                "t1",
                json!([
                    {"type": "text", "text": "It is in the `pond`, asleep"},
                    {"type": "text", "text": "agentId: a1 (for resuming)"},
                ]),
            ),
        ),
        entry(
            4,
            "assistant",
            &call(
                "t2",
                "AskUserQuestion",
                json!({"questions": [{"question": "Which pond?"}]}),
            ),
        ),
        answered,
    ];
    store.session("-p", &id(100), 0, lines(&main));
    let agents = store.project("-p").join(id(100)).join("subagents");
    fs::create_dir_all(&agents).expect("made");
    let mut said = [
        entry(50, "user", &json!("Look for the **axolotl**")),
        entry(
            51,
            "assistant",
            &json!([{"type": "text", "text": "It is near the pond"}]),
        ),
        entry(
            52,
            "assistant",
            &json!([{"type": "text", "text": "It is in the `pond`, asleep"}]),
        ),
    ];
    for line in &mut said {
        line["isSidechain"] = json!(true);
    }
    fs::write(agents.join("agent-a1.jsonl"), lines(&said)).expect("written");
    store
}

#[test]
fn the_same_text_at_both_ends_of_an_agent_counts_once() {
    let store = agent_store();
    let all = |query: &str| found(&store, &["--all", query]);
    let sent = one(2, "to-agent", "resumed");
    assert_eq!(all("axolotl"), sent);
    assert_eq!(all("tool:task axolotl"), sent);
    assert_eq!(all("role:user axolotl"), []);
    assert_eq!(all("asleep"), one(3, "tool-output", "resumed"));
    // What the call does not have is found where it is.
    assert_eq!(all("near"), one(51, "claude", "agent"));
    assert_eq!(all("role:claude asleep"), one(52, "claude", "agent"));
    // Each end is a hit where only that is asked for.
    assert_eq!(all("role:tool asleep"), one(3, "tool-output", "resumed"));
}

#[test]
fn an_answer_to_a_question_of_claude_is_the_users() {
    let store = agent_store();
    let answer = one(5, "user", "resumed");
    assert_eq!(found(&store, &["--all", "role:user deep"]), answer);
    // The question is Claude's.
    assert_eq!(found(&store, &["--all", "role:user which"]), []);
}

#[test]
fn failed_calls_are_what_has_error_finds() {
    let store = Store::new();
    let mut entries = vec![entry(1, "user", &json!("Build it"))];
    for (n, is_error) in [(2, false), (4, true)] {
        let call = json!([{"type": "tool_use", "id": format!("t{n}"), "name": "Bash", "input": {"command": "make"}}]);
        let result = json!([{"type": "tool_result", "tool_use_id": format!("t{n}"), "content": "made", "is_error": is_error}]);
        entries.extend([entry(n, "assistant", &call), entry(n + 1, "user", &result)]);
    }
    store.session("-p", &id(100), 0, lines(&entries));
    let mut failed = assistant("API Error: 500", "/p");
    failed["isApiErrorMessage"] = json!(true);
    failed["message"]["model"] = json!("<synthetic>");
    store.session("-p", &id(200), 0, lines(&[user("Hi", "/p"), failed]));
    let error = one(5, "tool-output", "resumed");
    assert_eq!(found(&store, &["--all", "has:error"]), error);
    assert_eq!(found(&store, &["--all", "has:error tool:bash"]), error);
    assert_eq!(found(&store, &["--all", "has:error build"]).len(), 1);
}
