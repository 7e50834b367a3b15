//! `claude-resume show` from the outside.

use serde_json::{Value, json};

use crate::support::{Store, conversation, id, lines, user};

fn entry(kind: &str, uuid: u32, parent: Option<u32>, content: &Value) -> Value {
    json!({
        "parentUuid": parent.map(id), "isSidechain": false, "type": kind,
        "message": {"id": format!("msg_{uuid}"), "role": kind, "model": "claude-opus-4-8", "content": content},
        "uuid": id(uuid), "timestamp": format!("2026-03-01T10:00:{uuid:02}.000Z"),
    })
}

/// One question, two answers to it: the first was rewound.
fn rewound() -> String {
    let tool = json!([
        {"type": "text", "text": "Let me look.\nOne moment."},
        {"type": "tool_use", "id": "t", "name": "Read", "input": {}},
    ]);
    lines(&[
        entry("user", 1, None, &json!("Fix the login page")),
        entry(
            "assistant",
            2,
            Some(1),
            &json!([{"type": "text", "text": "Rewound."}]),
        ),
        entry("assistant", 3, Some(1), &tool),
        entry(
            "user",
            4,
            Some(3),
            &json!([{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]),
        ),
    ])
}

#[test]
fn the_conversation_is_shown_as_text() {
    let store = Store::new();
    store.session("-p", &id(7), 0, rewound());
    let ran = store.run(&["show", "00000007"]);
    let said = "3 messages (stopped in the middle of a turn; 2 branches: --branches lists them)\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), said));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_it_is_and_where_it_was_stands_above() {
    let store = Store::new();
    let mut asked = entry("user", 1, None, &json!("Fix the login page"));
    asked["cwd"] = json!("/work/shop");
    asked["gitBranch"] = json!("fix/login");
    let named = json!({"type": "custom-title", "customTitle": "Login", "sessionId": id(7)});
    store.session("-p", &id(7), 0, lines(&[asked, named]));
    let head = |arguments: &[&str]| {
        let ran = store.run(arguments);
        let lines = ran.out.lines().filter(|line| !line.is_empty());
        lines.take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let (place, time) = (
        "/work/shop · fix/login · opus-4-8",
        "1 turn · 375 B · 2026-03-01 10:00",
    );
    assert_eq!(head(&["show", &id(7)]), ["Login", place, time]);
    assert_eq!(head(&["show", &id(7), "--md"]), ["# Login", place, time]);
}

#[test]
fn the_json_contract() {
    let store = Store::new();
    let path = store.session("-p", &id(7), 0, rewound());
    let ran = store.run(&["show", path.to_str().expect("UTF-8"), "--json"]);
    let shown: Value = serde_json::from_str(&ran.out).expect("one object");
    let pretty = serde_json::to_string_pretty(&shown).expect("serialises");
    insta::assert_snapshot!(pretty.replace(&*path.to_string_lossy(), "[path]"));
}

#[test]
fn the_leaf_can_be_chosen() {
    let store = Store::new();
    let pointer = json!({"type": "last-prompt", "lastPrompt": "x", "leafUuid": id(2)});
    store.session("-p", &id(7), 0, rewound() + &lines(&[pointer]));
    let uuids = |leaf: &str| -> Vec<String> {
        let ran = store.run(&["show", &id(7), "--json", "--leaf", leaf]);
        let shown: Value = serde_json::from_str(&ran.out).expect("one object");
        let messages = shown["messages"].as_array().expect("messages");
        messages
            .iter()
            .map(|message| message["uuid"].as_str().expect("an id").to_owned())
            .collect()
    };
    assert_eq!(uuids("resume"), [id(1), id(2)]);
    assert_eq!(uuids("newest"), [id(1), id(3), id(4)]);
    assert_eq!(uuids(&id(2)), [id(1), id(2)]);
}

#[test]
fn damage_is_said() {
    let store = Store::new();
    let mut orphan = entry("user", 9, Some(8), &json!("After a gap"));
    orphan["timestamp"] = json!("2099-01-01T00:00:00Z");
    store.session("-p", &id(7), 0, rewound() + "garbage\n" + &lines(&[orphan]));
    let ran = store.run(&["show", &id(7)]);
    assert_eq!(
        ran.err,
        "1 message (your last prompt was not answered; 3 branches: --branches lists them; 1 bad line; \
         Claude will see 50 %)\n"
    );
}

#[test]
fn nothing_stored_reaches_the_terminal_as_a_control() {
    let store = Store::new();
    let evil = json!("\u{1b}[2J\u{9b}31mevil\u{202e}\u{7}");
    store.session("-p", &id(7), 0, lines(&[entry("user", 1, None, &evil)]));
    for arguments in [&["show", "00000007"][..], &["show", "00000007", "--json"]] {
        let out = store.run(arguments).out;
        assert!(
            !out.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'),
            "{out:?}"
        );
    }
}

#[test]
fn broken_text_costs_only_what_is_broken() {
    let store = Store::new();
    let line = lines(&[entry("user", 1, None, &json!("aXb"))]);
    let broken = line.replace('X', "\\ud83c").into_bytes();
    store.session("-p", &id(7), 0, broken);
    assert!(store.run(&["show", "00000007"]).out.contains("a\u{fffd}b"));
}

/// A conversation with a rewind, a compaction, tools and commands.
fn eventful() -> String {
    let fixture = |name: &str| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(root.join(format!("fixtures/transcript/{name}.jsonl")))
            .expect("a fixture")
    };
    fixture("compaction-cuts")
        + &fixture("state-files")
            .replace("ask1", "ask4")
            .replace("answer1", "answer4")
            .replace(r#""parentUuid":null"#, r#""parentUuid":"answer3""#)
}

#[test]
fn the_conversation_as_markdown() {
    let store = Store::new();
    store.session("-p", &id(7), 0, eventful());
    let ran = store.run(&["show", "00000007", "--md"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_another_session_sent_is_that_of_a_peer() {
    let store = Store::new();
    let mut sent = entry("user", 3, Some(2), &json!("Rename the module"));
    sent["isMeta"] = json!(true);
    sent["origin"] = json!({"kind": "peer", "name": "other\u{1b}[31m shop"});
    let answered = entry("assistant", 2, Some(1), &json!("Done."));
    let asked = entry("user", 1, None, &json!("Begin"));
    store.session("-p", &id(7), 0, lines(&[asked, answered, sent]));
    let shown = store.run(&["show", "00000007"]).out;
    assert!(shown.contains("Peer │ Rename the module"), "{shown}");
    assert!(shown.contains("1 turn ·"), "{shown}");
    let document = store.run(&["show", "00000007", "--md"]).out;
    assert!(document.contains("## Peer (other"), "{document}");
    assert!(!document.contains('\u{1b}'), "{document}");
    let object = &store.run(&["show", "00000007", "--json"]).json()[0];
    let message = &object["messages"][2];
    assert_eq!(message["role"], "peer");
    assert_eq!(message["from"], "other\u{1b}[31m shop");
    assert_eq!(object["interruption"]["kind"], "none");
}

#[test]
fn markdown_keeps_tabs_and_flags_and_closes_what_is_left_open() {
    let store = Store::new();
    let text = "\u{1f1e9}\u{1f1ea}\n```make\nall:\n\tcc x.c";
    let asked = entry("user", 1, None, &json!(text));
    let next = entry("user", 2, Some(1), &json!("next"));
    store.session("-p", &id(7), 0, crate::support::lines(&[asked, next]));
    let ran = store.run(&["show", "00000007", "--md"]);
    assert!(
        ran.out.contains(&format!("{text}\n```\n\n## You")),
        "{}",
        ran.out
    );
}

#[test]
fn what_was_compacted_away_can_be_shown() {
    let store = Store::new();
    store.session("-p", &id(7), 0, eventful());
    let ran = store.run(&["show", "00000007", "--before-compaction"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "4 messages\n"));
    assert!(ran.out.contains("Question ask2"), "{}", ran.out);
    let ran = store.run(&["show", "00000007"]);
    assert!(!ran.out.contains("Question ask2"), "{}", ran.out);
    assert!(ran.err.contains("--before-compaction"), "{}", ran.err);
    store.session("-p", &id(8), 0, rewound());
    let ran = store.run(&["show", "00000008", "--before-compaction"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("was never compacted"), "{}", ran.err);
    // Further back than there is anything is not the same as never compacted.
    let twice = [
        "show",
        "00000007",
        "--before-compaction",
        "--before-compaction",
    ];
    let ran = store.run(&twice);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("compacted only 1 time"), "{}", ran.err);
}

#[test]
fn a_command_that_was_cut_off_is_said_and_not_said_to_have_run() {
    let store = Store::new();
    let entries = [
        json!({"parentUuid": null, "type": "user", "uuid": id(1), "cwd": "/w",
            "message": {"role": "user", "content": "build it"}}),
        json!({"parentUuid": id(1), "type": "assistant", "uuid": id(2), "cwd": "/w",
        "message": {"id": "m1", "role": "assistant", "content": [
            {"type": "text", "text": "I will run it."},
            {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}},
        ]}}),
    ];
    store.session("-p", &id(7), 0, lines(&entries));
    let ran = store.run(&["show", "00000007"]);
    assert!(
        ran.err.contains("stopped while running Bash"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("Bash never finished"), "{}", ran.out);
    assert!(!ran.out.contains("ran a command"), "{}", ran.out);
}

#[test]
fn branches_are_listed_with_the_leaf_to_ask_for() {
    let store = Store::new();
    store.session("-p", &id(7), 0, rewound());
    let ran = store.run(&["show", "00000007", "--branches"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.out);
    assert!(lines[0].starts_with("* shown") && lines[0].contains(&id(4)));
    assert!(lines[1].contains("left after turn 1") && lines[1].contains(&id(2)));
    assert!(lines[1].ends_with("\"Fix the login page\""), "{}", lines[1]);
    let leaf = store.run(&["show", "00000007", "--leaf", &id(2)]);
    assert!(leaf.out.contains("Rewound."), "{}", leaf.out);
}

#[test]
fn a_session_is_found_by_its_title_in_any_case() {
    let store = Store::new();
    let title = json!({"type": "custom-title", "customTitle": "The Login Page"});
    store.session(
        "-p",
        &id(7),
        0,
        rewound() + &lines(std::slice::from_ref(&title)),
    );
    let ran = store.run(&["show", "the login page"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    store.session("-p", &id(8), 0, rewound() + &lines(&[title]));
    let ran = store.run(&["show", "the login page"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("2 sessions have this title") && ran.err.contains(&id(8)),
        "{}",
        ran.err
    );
}

/// A session that started two agents, one in each layout, and one that only warmed up.
fn with_agents(store: &Store) {
    let task = |n: u32, prompt: &str| json!([{"type": "tool_use", "id": format!("t{n}"), "name": "Task", "input": {"prompt": prompt}}]);
    let result = |n: u32| json!([{"type": "tool_result", "tool_use_id": format!("t{n}"), "content": "done"}]);
    let mut named = entry("user", 5, Some(4), &result(2));
    named["toolUseResult"] = json!({"agentId": "old1"});
    let main = lines(&[
        entry("user", 1, None, &json!("Delegate")),
        entry("assistant", 2, Some(1), &task(1, "Look here")),
        entry("user", 3, Some(2), &result(1)),
        entry("assistant", 4, Some(3), &task(2, "Look there")),
        named,
        entry("assistant", 6, Some(5), &task(3, "Look again")),
        entry("user", 8, Some(6), &result(3)),
    ]);
    let path = store.session("-p", &id(7), 0, main);
    let agent = |prompt: &str, at: u32| {
        let mut ask = entry("user", at, None, &json!(prompt));
        let mut answer = entry(
            "assistant",
            at + 50,
            Some(at),
            &json!([{"type": "text", "text": format!("Saw: {prompt}")}]),
        );
        for line in [&mut ask, &mut answer] {
            line["isSidechain"] = json!(true);
            line["sessionId"] = json!(id(7));
        }
        lines(&[ask, answer])
    };
    let folder = path.with_extension("").join("subagents/workflows/run1");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("agent-new1.jsonl"), agent("Look here", 2)).expect("written");
    std::fs::write(
        folder.join("agent-new1.meta.json"),
        r#"{"agentType":"Explore","toolUseId":"t1"}"#,
    )
    .expect("written");
    std::fs::write(folder.join("agent-timed.jsonl"), agent("Look again", 7)).expect("written");
    store.session("-p", "agent-old1", 0, agent("Look there", 4));
    store.session("-p", "agent-warm", 0, agent("Warmup", 4));
    let suggestion = folder.join("agent-aprompt_suggestion-1.jsonl");
    std::fs::write(suggestion, agent("What may be asked next", 4)).expect("written");
    let foreign = agent("Of another session", 4).replace(&id(7), &id(9));
    store.session("-p", "agent-foreign", 0, foreign);
}

#[test]
fn sub_agents_are_found_in_both_layouts_and_linked_to_their_calls() {
    let store = Store::new();
    with_agents(&store);
    let ran = store.run(&["show", "00000007", "--json"]);
    let shown: Value = serde_json::from_str(&ran.out).expect("one object");
    let agents: Vec<(&str, &str, &str)> = shown["subagents"]
        .as_array()
        .expect("agents")
        .iter()
        .map(|agent| {
            let text = |key: &str| agent[key].as_str().unwrap_or_default();
            (text("id"), text("toolUseId"), text("linkedBy"))
        })
        .collect();
    assert_eq!(
        agents,
        [
            ("new1", "t1", "meta"),
            ("old1", "t2", "result"),
            ("timed", "t3", "time")
        ]
    );
    let ran = store.run(&["show", "00000007", "--subagent", "old"]);
    assert!(
        ran.out.contains("Saw: Look there"),
        "{} {}",
        ran.out,
        ran.err
    );
    let ran = store.run(&["show", "00000007", "--subagent", "nobody"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("this session has new1, old1, timed"),
        "{}",
        ran.err
    );
}

#[test]
fn the_cost_of_the_last_session_is_taken_from_the_config() {
    let store = Store::new();
    let config = |last: &str| {
        let project = json!({
            "lastSessionId": last, "lastCost": 1.5, "lastLinesAdded": 3, "lastLinesRemoved": 1,
            "lastDuration": 900_000, "lastAPIDuration": 60_000, "lastToolDuration": 5_000,
        });
        let config = json!({"projects": {"/w": project}});
        std::fs::write(store.root().join(".claude.json"), config.to_string()).expect("written");
    };
    store.session("-p", &id(7), 0, conversation("Hello", "/w"));
    let cost = || {
        let ran = store.run(&["show", "00000007", "--json"]);
        let shown: Value = serde_json::from_str(&ran.out).expect("one object");
        shown["state"]["cost"].clone()
    };
    config(&id(7));
    assert_eq!(
        (&cost()["usd"], &cost()["source"]),
        (&json!(1.5), &json!("config"))
    );
    let numbers = [
        "linesAdded",
        "linesRemoved",
        "duration",
        "apiDuration",
        "toolDuration",
    ];
    let known = cost();
    assert_eq!(
        numbers.map(|name| known[name].as_u64()),
        [Some(3), Some(1), Some(900_000), Some(60_000), Some(5_000)]
    );
    // Another session was the last: what this one cost is not known.
    config(&id(8));
    assert_eq!(cost(), Value::Null);
}

#[test]
fn mistakes_are_one_clear_line() {
    let store = Store::new();
    store.session("-p", &id(7), 0, rewound());
    store.session("-p", &id(8), 0, "");
    let seven = id(7);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["show", "deadbeef"], 1, "deadbeef: no session has this id"),
        (&["show", ""], 2, "ID"),
        (
            &["show", "/no/such.jsonl"],
            2,
            "/no/such.jsonl: cannot be read",
        ),
        (
            &["show", &seven, "--leaf", "deadbeef"],
            2,
            "has no entry deadbeef",
        ),
        (&["show", "00000008"], 1, "is empty"),
    ];
    for (arguments, code, expected) in cases {
        let ran = store.run(arguments);
        assert_eq!(ran.code, Some(*code), "{arguments:?}: {}", ran.err);
        assert_eq!(
            (ran.out.as_str(), ran.err.lines().count()),
            ("", 1),
            "{arguments:?}: {}",
            ran.err
        );
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
}

/// An old store names its files otherwise, and their lines tell the id.
#[test]
fn of_several_sessions_in_files_of_other_names_none_is_taken() {
    let store = Store::new();
    let old = |name: &str, n: u32| {
        let mut prompt = user(&format!("Prompt {n}"), "/w");
        prompt["sessionId"] = json!(id(n));
        store.session("-p", name, u64::from(n), lines(&[prompt]));
    };
    old("first", 0x8c1f_0001);
    let ran = store.run(&["show", "8c1f"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("Prompt"), "{}", ran.out);
    old("second", 0x8c1f_0002);
    let ran = store.run(&["show", "8c1f"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    assert!(
        ran.err.contains("2 session ids begin with it"),
        "{}",
        ran.err
    );
    for n in [0x8c1f_0001, 0x8c1f_0002] {
        assert!(ran.err.contains(&id(n)), "{}", ran.err);
    }
    // Nor is one that has the name of its id.
    store.session("-p", &id(0x8c1f_0003), 3, conversation("Prompt 3", "/w"));
    assert_eq!(store.run(&["show", "8c1f"]).code, Some(2));
    assert_eq!(store.run(&["show", &id(0x8c1f_0002)]).code, Some(0));
}

#[test]
fn a_terminal_without_glyphs_gets_letters() {
    let store = Store::new();
    store.session("-p", &id(7), 0, eventful());
    let out = |locale: &str| {
        let mut command = store.command(&store.root());
        command.args(["show", "00000007"]).env("LC_ALL", locale);
        let ran = command.output().expect("runs");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let plain = out("C");
    assert!(plain.is_ascii(), "{plain}");
    assert!(plain.contains(" | > "), "{plain}");
    assert!(out("C.UTF-8").contains(" │ ▸ "));
}

#[test]
fn pictures_are_printed_whole() {
    let store = Store::new();
    let pictures = "family 👨‍👩‍👧‍👦, flag 🇩🇪, hand 👍🏽, rainbow 🏳️‍🌈";
    let said = json!([{"type": "text", "text": pictures}]);
    let asked = entry("user", 1, None, &json!("pictures"));
    let answered = entry("assistant", 2, Some(1), &said);
    store.session("-p", &id(7), 0, lines(&[asked, answered]));
    let ran = store.run(&["show", "00000007"]);
    assert!(ran.out.contains(pictures), "{}", ran.out);
}

#[test]
fn whoever_has_seen_enough_may_leave() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    let store = Store::new();
    let long = "word ".repeat(2_000);
    let asked: Vec<Value> = (1..40)
        .map(|n| entry("user", n, n.checked_sub(2).map(|_| n - 1), &json!(long)))
        .collect();
    store.session("-p", &id(7), 0, lines(&asked));
    for form in [&["show", "00000007"][..], &["show", "00000007", "--md"]] {
        let mut child = store
            .command(&store.root())
            .args(form)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut first).expect("a line");
        drop(out);
        let ended = child.wait_with_output().expect("ends");
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), &*err), (Some(0), ""), "{form:?}");
    }
}
