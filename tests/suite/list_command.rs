//! `claude-resume list` from the outside: formats, filters, paging, mistakes.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, Store, conversation, id, lines, user};

/// A store with one session of each sort that the filters tell apart.
fn varied() -> Store {
    let store = Store::new();
    let mut on_branch = user("Rotate the keys", "/home/ada/gateway");
    on_branch["gitBranch"] = json!("feat/Keys");
    on_branch["timestamp"] = json!("2026-03-01T10:20:00.000Z");
    store.session(
        "-home-ada-gateway",
        &id(1),
        30,
        lines(&[
            on_branch,
            json!({"type": "tag", "tag": "auth"}),
            json!({"type": "pr-link", "prNumber": 412, "prUrl": "https://github.com/acme/gateway/pull/412", "prRepository": "acme/gateway"}),
            json!({"type": "ai-title", "aiTitle": "Key rotation"}),
            json!({"type": "last-prompt", "lastPrompt": "great, now open a PR"}),
        ]),
    );
    store.session(
        "-home-ada-shop",
        &id(2),
        20,
        conversation("Fix the login page", "/home/ada/shop"),
    );
    let mut large = user(&format!("A log: {}", "x".repeat(5_000)), "/home/ada/shop");
    large["timestamp"] = json!("2026-02-01T00:00:00.000Z");
    store.session("-home-ada-shop", &id(3), 10, lines(&[large]));
    store.session("-home-ada-shop", &id(4), 40, "");
    let mut sdk = user("Run the report", "/home/ada/shop");
    sdk["entrypoint"] = json!("sdk-py");
    store.session("-home-ada-shop", &id(5), 50, lines(&[sdk]));
    store
}

/// Replaces what differs from run to run.
fn stable(store: &Store, text: &str) -> String {
    text.replace(&*store.root().to_string_lossy(), "[root]")
}

#[test]
fn the_json_contract() {
    let store = varied();
    let copy = store.session(
        "-home-ada-copy",
        &id(2),
        5,
        conversation("Fix the login page", "/home/ada/shop"),
    );
    assert!(copy.exists());
    let ran = store.run(&["list", "--all", "--include", "all", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "shown 5 of 5\n"));
    let pretty: Vec<String> = ran
        .json()
        .iter()
        .map(|object| serde_json::to_string_pretty(object).expect("serialises"))
        .collect();
    insta::assert_snapshot!(stable(&store, &pretty.join("\n")));
}

#[test]
fn a_running_session_says_so() {
    let store = varied();
    let Some(pid) = store.running(&id(2), "busy", Some("main:@1.%2")) else {
        crate::support::skip("no /proc here");
        return;
    };
    let ran = store.run(&["list", "--all", "--json"]);
    let live: Vec<Value> = ran.json().iter().map(|row| row["live"].clone()).collect();
    let busy = json!({"pid": pid, "status": "busy", "tmux": "main:@1.%2"});
    assert_eq!(live, [Value::Null, busy, Value::Null]);
}

#[test]
fn into_a_pipe_it_prints_tab_separated_lines() {
    let store = varied();
    let ran = store.run(&["list", "--all"]);
    insta::assert_snapshot!(ran.out);
    assert_eq!(ran.err, "shown 3 of 5 (hidden: 1 empty, 1 programmatic)\n");
}

#[test]
fn without_a_command_and_a_terminal_it_lists_with_numbers_and_chooses_nothing() {
    let ran = varied().run(&["--all"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("  1. Key rotation, "), "{}", ran.out);
    assert_eq!(lines.len(), 4, "{}", ran.out);
    assert!(lines[3].starts_with("2 hidden: "), "{}", ran.out);
}

/// Runs the binary with something to read from a pipe.
fn fed(arguments: &[&str], input: &[u8]) -> Ran {
    use std::io::Write;
    use std::process::Stdio;
    let store = varied();
    let mut command = store.command(&store.root());
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // It may be gone by now.
    let _ = pipe.write_all(input);
    drop(pipe);
    Ran::from(&child.wait_with_output().expect("ends"))
}

#[test]
fn a_number_from_a_pipe_chooses_and_only_the_choice_is_on_stdout() {
    let ran = fed(&["--plain", "--all", "--print", "login"], b"7\n1\n");
    assert_eq!((ran.code, ran.out), (Some(0), format!("{}\n", id(2))));
    assert!(ran.err.contains("1. Fix the login page"), "{}", ran.err);
}

/// What comes through a pipe is for somebody else, such as the loop around us.
#[test]
fn numbers_are_not_read_from_a_pipe_unasked() {
    let ran = fed(&["--all", "--print", "login"], b"1\n");
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("1. Fix the login page"), "{}", ran.err);
    assert!(ran.err.contains("pass an id"), "{}", ran.err);
}

#[test]
fn filters_and_orders() {
    let store = varied();
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["00000001", "00000002", "00000003"]),
        (
            &["--sort", "created"],
            &["00000001", "00000002", "00000003"],
        ),
        (&["--sort", "size"], &["00000003", "00000002", "00000001"]),
        (&["--sort", "title"], &["00000003", "00000002", "00000001"]),
        (&["--branch", "feat/keys"], &["00000001"]),
        (&["--branch", "feat"], &[]),
        (&["--tag", "AUTH"], &["00000001"]),
        (&["--project", "SHOP"], &["00000002", "00000003"]),
        (&["--since", "2026-03-01"], &["00000001", "00000002"]),
        (&["--since", "2026-03-01T10:10"], &["00000001"]),
        (&["--since", "100y"], &["00000001", "00000002", "00000003"]),
        (
            &["--include", "empty"],
            &["00000004", "00000001", "00000002", "00000003"],
        ),
        (
            &["--include", "empty,programmatic", "--limit", "2"],
            &["00000004", "00000001"],
        ),
        (&["--limit", "1"], &["00000001"]),
        (&["--limit", "0"], &["00000001", "00000002", "00000003"]),
        (&["--limit", "1", "--offset", "1"], &["00000002"]),
        (&["--offset", "9"], &[]),
        // Filtered first, paged afterwards.
        (
            &["--project", "shop", "--offset", "1", "--limit", "1"],
            &["00000003"],
        ),
    ];
    for (arguments, expected) in cases {
        let mut all = vec!["list", "--all"];
        all.extend(*arguments);
        let ran = store.run(&all);
        assert_eq!(ran.ids(), *expected, "{arguments:?}");
        let code = i32::from(expected.is_empty());
        assert_eq!(ran.code, Some(code), "{arguments:?}: nothing found is 1");
    }
}

#[test]
fn ids_find_sessions_of_any_kind() {
    let store = varied();
    assert_eq!(
        store.run(&["list", "00000004", "00000001-0"]).ids(),
        ["00000004", "00000001"]
    );
    let unknown = store.run(&["list", "deadbeef"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (Some(1), ""));
    assert_eq!(
        unknown.err,
        "claude-resume: deadbeef: no session has this id or begins with it: `claude-resume list --all` lists them\n",
    );
}

#[test]
fn an_id_that_a_filter_left_out_is_not_called_unknown() {
    let store = varied();
    let filtered = store.run(&["list", "00000001", "--branch", "nope"]);
    assert_eq!(filtered.code, Some(1));
    assert_eq!(filtered.err, "shown 0 of 0 (5 not matching)\n");
    let half = store.run(&["list", "00000001", "deadbeef"]);
    assert_eq!((half.code, half.ids()), (Some(1), vec!["00000001"]));
    assert!(
        half.err.contains("deadbeef: no session has this id"),
        "{}",
        half.err
    );
}

#[test]
fn a_session_belongs_to_where_any_of_its_copies_was() {
    let store = Store::new();
    store.session("-a", &id(1), 0, conversation("Hello", "/w/a"));
    store.session("-b", &id(1), 5, conversation("Hello", "/w/b"));
    for dir in ["/w/a", "/w/b"] {
        assert_eq!(
            store.run(&["list", "--dir", dir]).ids(),
            ["00000001"],
            "{dir}"
        );
    }
}

#[test]
fn the_closing_line_adds_up() {
    let store = varied();
    let err = |arguments: &[&str]| store.run(arguments).err;
    assert_eq!(
        err(&["list", "--all", "--limit", "1"]),
        "shown 1 of 5 (hidden: 1 empty, 1 programmatic; 2 on other pages)\n"
    );
    assert_eq!(
        err(&["list", "--dir", "/home/ada/shop"]),
        "shown 2 of 4 in /home/ada/shop (hidden: 1 empty, 1 programmatic; 1 elsewhere (--all lists them))\n"
    );
}

#[test]
fn mistakes_are_one_clear_line() {
    let store = varied();
    let no_projects = store.outside("no-projects");
    let no_projects = no_projects.to_str().expect("UTF-8");
    let cases: &[(&[&str], &str)] = &[
        (&["list", "--limit", "-1"], "not a whole number (0 or more)"),
        (&["list", "--offset", "many"], "--offset"),
        (&["list", "--since", "soon"], "'soon' is not a time"),
        (
            &["list", "--sort", "colour"],
            "[possible values: activity, created, size, title]",
        ),
        (
            &["list", "--include", "empty,odd"],
            "[possible values: all, empty,",
        ),
        (&["list", "--all", "--repo"], "--all"),
        (&["list", ""], "ID"),
        (&["list", "--since", "-1d"], "'-1d' is not a time"),
        (
            &["list", "--root", "/no/such/root"],
            "/no/such/root: no such directory",
        ),
        (&["--root", no_projects, "list"], "no projects/ in it"),
        (&["--frobnicate"], "--frobnicate"),
        (&["--print", "--print-command"], "--print-command"),
        (&["list", "--frobnicate"], "--frobnicate"),
    ];
    for (arguments, expected) in cases {
        let ran = store.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.starts_with("claude-resume: ") && ran.err.contains(expected),
            "{}",
            ran.err
        );
    }
}

#[test]
fn an_empty_store_says_where_it_looked() {
    let store = Store::new();
    let ran = store.run(&["list"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(ran.err.lines().count(), 1);
    assert!(
        ran.err.contains("no Claude Code sessions in"),
        "{}",
        ran.err
    );
    // A machine where Claude Code never ran.
    let nothing = store
        .command(&store.root())
        .env("CLAUDE_CONFIG_DIR", "")
        .arg("list")
        .output()
        .expect("runs");
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("~/.claude/projects"));
}

#[test]
fn further_roots_and_the_older_location_are_listed_too() {
    let store = varied();
    let other = Store::new();
    other.session("-p", &id(8), 0, conversation("Elsewhere", "/w"));
    let root = other.root();
    let with_root = store.run(&["list", "--all", "--root", root.to_str().expect("UTF-8")]);
    assert!(with_root.ids().contains(&"00000008"), "{}", with_root.out);

    let older = store.outside("home/.config/claude/projects/-p");
    fs::write(
        older.join(format!("{}.jsonl", id(9))),
        conversation("Older", "/w"),
    )
    .expect("written");
    assert!(store.run(&["list", "--all"]).ids().contains(&"00000009"));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    use std::io::Read;
    use std::process::Stdio;
    let store = Store::new();
    for n in 0..3_000 {
        store.session("-p", &id(n), 0, conversation("Hello", "/w"));
    }
    let mut child = store
        .command(&store.root())
        .args(["list", "--all", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut first = [0; 100];
    child
        .stdout
        .take()
        .expect("piped")
        .read_exact(&mut first)
        .expect("reads");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
