//! How `claude-resume search` prints what it found: bounded lines in a pipe, whole words on a terminal.

use serde_json::json;

use crate::desk::{Desk, Pty};
use crate::support::{Store, entry, id, lines};

/// Twelve messages, in which number 3, 5 and 11 have the word, number 5 far inside.
fn store() -> Store {
    let store = Store::new();
    write(&store);
    store
}

fn write(store: &Store) {
    let texts = (1..=12).map(|n| match n {
        3 => "the xylophone is here".to_owned(),
        5 => format!(
            "{}the xylophone is there{}",
            "alpha beta ".repeat(600),
            " gamma delta".repeat(600)
        ),
        11 => "another xylophone".to_owned(),
        _ => format!("message {n} says nothing"),
    });
    let entries = (1..).zip(texts).map(|(n, text)| {
        let kind = if n % 2 == 1 { "user" } else { "assistant" };
        let mut line = entry(n, kind, &json!([{"type": "text", "text": text}]));
        if n == 1 {
            line["parentUuid"] = json!(null);
        }
        line
    });
    store.session("-p", &id(100), 0, lines(&entries.collect::<Vec<_>>()));
}

fn search(store: &Store, arguments: &[&str]) -> Vec<Vec<String>> {
    let ran = store.run(&[&["search", "--all", "xylophone"], arguments].concat());
    let lines = ran.out.lines();
    lines
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

#[test]
fn a_line_in_a_pipe_is_bounded_and_has_its_match() {
    let store = store();
    for (arguments, most) in [
        (&[][..], 500),
        (&["--max-bytes", "80"], 80),
        (&["--max-bytes", "0"], 2000),
    ] {
        let found = search(&store, arguments);
        assert_eq!(found.len(), 3);
        for line in found {
            assert!(
                line[5].contains("xylophone") && line[5].len() <= most,
                "{line:?}"
            );
        }
    }
}

#[test]
fn context_in_a_pipe_is_grouped_and_nothing_is_printed_twice() {
    let found = search(&store(), &["-C", "1", "-m", "0"]);
    let uuid = |line: &Vec<String>| line.get(1).cloned().unwrap_or_else(|| line[0].clone());
    let found: Vec<String> = found.iter().map(uuid).collect();
    let all = |range: std::ops::RangeInclusive<u32>| range.map(id).collect::<Vec<_>>();
    // The best passage is in the first group.
    let expected = [all(10..=12), vec!["--".to_owned()], all(2..=6)].concat();
    assert_eq!(found, expected);
    let lines = search(&store(), &["-C", "1"]);
    let kinds: Vec<_> = lines.iter().filter_map(|line| line.get(6)).collect();
    let (one, other) = ("match", "context");
    assert_eq!(kinds, [other, one, other, other, one, other, one, other]);
    let far = lines.iter().find(|line| line.get(1) == Some(&id(5)));
    assert!(far.is_some_and(|line| line[5].contains("xylophone") && line[5].len() <= 500));
}

#[test]
fn a_terminal_gets_whole_words_below_an_id_in_its_place() {
    let desk = Desk::new();
    write(&desk.store);
    for (columns, arguments) in [(80, &[][..]), (120, &[]), (60, &["-C", "1"])] {
        let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
        command.args(["search", "--all", "xylophone", "--no-cache"]);
        command.args(arguments);
        command.env("PAGER", "cat");
        command.env("NO_COLOR", "1");
        let mut pty = Pty::start(command, columns, 120);
        pty.wait_for("here");
        pty.end();
        let text = pty.text();
        let heading = text.lines().find(|line| line.starts_with("00000064  "));
        assert!(heading.is_some(), "{text}");
        for word in text.split_whitespace() {
            let word = word.trim_matches('…');
            let is_torn = "alpha beta gamma delta xylophone".contains(word)
                && !["alpha", "beta", "gamma", "delta", "xylophone", ""].contains(&word);
            assert!(!is_torn || word.len() == 1, "{word} in {text}");
        }
    }
}
