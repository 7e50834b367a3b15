//! `claude-resume show --around` from the outside.

use serde_json::{Value, json};

use crate::support::{Ran, Store, entry, lines};

const SESSION: &str = "00000000-0000-4000-8000-000000000100";

fn uuid(n: usize) -> String {
    format!("{n}a00000{n}-0000-4000-8000-00000000000{n}")
}

/// A question, a long answer with its last word at the end, and thanks.
fn store() -> Store {
    let store = Store::new();
    let said = |n: usize, kind: &str, text: &str| {
        let mut line = entry(n, kind, &json!(text));
        line["uuid"] = json!(uuid(n));
        line["parentUuid"] = json!((n > 1).then(|| uuid(n - 1)));
        line
    };
    let long = "word ".repeat(2000);
    let entries = [
        said(1, "user", &format!("question {long}")),
        said(2, "assistant", &format!("{long} bassoon")),
        said(3, "user", "thanks"),
    ];
    store.session("-p", SESSION, 0, lines(&entries));
    store
}

fn around(store: &Store, arguments: &[&str]) -> Ran {
    store.run(&[&["show", SESSION, "--around"], arguments].concat())
}

#[test]
fn the_beginning_of_a_uuid_names_a_message() {
    let store = store();
    let expected = around(&store, &[&uuid(2)]).out;
    for name in ["2", "2A00", "2a000002-0000-4"] {
        assert_eq!(around(&store, &[name]).out, expected, "{name}");
    }
    let none = around(&store, &["4a"]);
    assert_eq!((none.code, &*none.out), (Some(1), ""));
    let word = around(&store, &["2z"]);
    assert_eq!(word.code, Some(1), "{}", word.err);
}

#[test]
fn an_ambiguous_beginning_names_the_candidates() {
    let store = Store::new();
    let entries: Vec<Value> = (1..=7).map(|n| entry(n, "user", &json!("hi"))).collect();
    store.session("-p", SESSION, 0, lines(&entries));
    let ran = around(&store, &["0000"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    let first = entries[0]["uuid"].as_str().expect("an id");
    assert!(
        ran.err.contains(&format!("matches {first}, ")),
        "{}",
        ran.err
    );
    assert!(ran.err.contains(", 2 more: "), "{}", ran.err);
}

#[test]
fn the_message_is_printed_whole_and_its_context_is_not() {
    let store = store();
    let ran = around(&store, &["2", "-C", "1"]);
    assert!(ran.out.contains("  bassoon\n"), "{}", ran.out);
    assert_eq!(ran.out.matches("  …\n").count(), 1);
    let ran = around(&store, &["2", "-C", "1", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(object["uuid"], uuid(2));
    let cut: Vec<&Value> = object["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .collect();
    let cut: Vec<&Value> = cut.iter().map(|it| &it["isCut"]).collect();
    assert_eq!(cut, [true, false, false]);
    assert_eq!(around(&store, &["2", "-C", "0"]).out.lines().count(), 5);
}

#[test]
fn a_pipe_gets_absolute_times() {
    let ran = around(&store(), &["3", "-C", "0"]);
    let head = format!("You · 2026-03-01T00:03:00Z · {}\n", uuid(3));
    assert!(ran.out.contains(&head), "{}", ran.out);
}
