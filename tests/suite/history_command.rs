//! `claude-resume history`, as scripts use it.

use std::fs;
use std::path::{Path, PathBuf};

use claude_resume::history::content_hash;
use serde_json::{Value, json};

use crate::support::{NOON, Ran, Store, conversation, id};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A line of a history, so many days before these tests.
pub fn entry(display: &str, days: i64, project: &Path, session: Option<&str>) -> Value {
    let noon = i64::try_from(NOON).expect("small") * 1000;
    let mut entry = json!({
        "display": display, "pastedContents": {}, "timestamp": noon - days * DAY,
        "project": project.to_str().expect("UTF-8"),
    });
    if let Some(session) = session {
        entry["sessionId"] = json!(session);
    }
    entry
}

pub fn write(root: &Path, entries: &[Value]) {
    let path = root.join("history.jsonl");
    fs::write(path, crate::support::lines(entries)).expect("written");
}

/// A store with one session that is there, one that is gone, and a history of both.
fn store() -> Store {
    let store = Store::new();
    let (shop, docs) = (store.outside("shop"), store.outside("docs"));
    let cwd = shop.to_str().expect("UTF-8").to_owned();
    store.session("-shop", &id(1), 0, conversation("Why is it flaky?", &cwd));
    write(
        &store.root(),
        &[
            entry("older than sessions", 50, &docs, None),
            entry("the flaky link checker", 40, &docs, Some(&id(2))),
            entry("continue", 30, &docs, Some(&id(2))),
            entry("continue", 3, &shop, Some(&id(1))),
            entry("why is it flaky?\nrun it 200 times", 1, &shop, Some(&id(1))),
        ],
    );
    store
}

/// The prompts of a listing, in its order.
fn prompts(ran: &Ran) -> Vec<String> {
    let text = |object: Value| object["display"].as_str().expect("a text").to_owned();
    ran.json().into_iter().map(text).collect()
}

#[test]
fn everything_newest_first_and_each_prompt_once() {
    let store = store();
    let ran = store.run(&["history", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let objects = ran.json();
    assert_eq!(
        prompts(&ran),
        [
            "why is it flaky?\nrun it 200 times",
            "continue",
            "the flaky link checker",
            "older than sessions"
        ]
    );
    let noon = i64::try_from(NOON).expect("small") * 1000;
    let shop = store.outside("shop");
    assert_eq!(
        objects[1],
        json!({
            "prompt": "continue", "display": "continue", "timestamp": noon - 3 * DAY,
            "project": shop.to_str(), "sessionId": id(1), "count": 2, "conversation": "there",
            "root": store.root().to_str(),
        })
    );
    assert_eq!(objects[2]["conversation"], "deleted");
    assert_eq!(objects[3]["conversation"], "unknown");
    assert_eq!(objects[3]["sessionId"], Value::Null);
}

#[test]
fn lines_for_other_programs_have_one_line_each() {
    let store = store();
    let ran = store.run(&["history", "flaky"]);
    let lines: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    let docs = store.outside("docs");
    assert_eq!(lines.len(), 2);
    assert_eq!(
        lines[1],
        [
            "2026-01-20T10:00:00Z",
            docs.to_str().expect("UTF-8"),
            &id(2),
            "1",
            "deleted",
            "the flaky link checker"
        ]
    );
    assert_eq!(lines[0][5], "why is it flaky? run it 200 times");
}

#[test]
fn the_same_words_and_operators_as_in_the_picker() {
    let store = store();
    for (query, expected) in [
        (&["flaky", "checker"][..], &["the flaky link checker"][..]),
        (&["project:docs", "continue"], &["continue"]),
        (&["before:2026-01-15"], &["older than sessions"]),
        (
            &["flaky", "since:2026-02-01"],
            &["why is it flaky?\nrun it 200 times"],
        ),
        (&["\"flaky link\""], &["the flaky link checker"]),
        (
            &["flaky", "-checker"],
            &["why is it flaky?\nrun it 200 times"],
        ),
    ] {
        let mut arguments = vec!["history", "--json", "--"];
        arguments.extend(query);
        assert_eq!(prompts(&store.run(&arguments)), expected, "{query:?}");
    }
    let nothing = store.run(&["history", "xyzzy"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(1), ""));
}

#[test]
fn the_scope_is_a_session_a_project_or_everything() {
    let store = store();
    let shop = store.outside("shop");
    let of = |arguments: &[&str]| prompts(&store.run_in(&shop, arguments));
    let here = ["why is it flaky?\nrun it 200 times", "continue"];
    assert_eq!(of(&["history", "--json", "--project"]), here);
    let docs = format!("--project={}", store.outside("docs").display());
    assert_eq!(
        of(&["history", "--json", &docs]),
        ["continue", "the flaky link checker", "older than sessions"]
    );
    // A word behind it is the directory, where it can be one.
    let docs = store.outside("docs").display().to_string();
    let flaky = ["the flaky link checker"];
    assert_eq!(
        of(&["history", "flaky", "--project", &docs, "--json"]),
        flaky
    );
    assert_eq!(
        of(&["history", "--json", "--project", "../docs", "flaky"]),
        flaky
    );
    assert_eq!(of(&["history", "--json", "--project", "flaky"]), here[..1]);
    let gone = store.run(&["history", "--project", "/no/such/place", "--json"]);
    assert_eq!((gone.code, gone.err.as_str()), (Some(1), ""));
    let recalled = store.run_in(&shop, &["history", "--up-arrow", "--project", "flaky"]);
    assert_eq!(recalled.code, Some(2));
    assert!(
        recalled.err.contains("flaky: no such directory"),
        "{}",
        recalled.err
    );
    assert_eq!(
        of(&["history", "--json", "--session", &id(2)[..8]]),
        ["continue", "the flaky link checker"]
    );
    assert_eq!(of(&["history", "--json", "--all"]).len(), 4);
    assert_eq!(of(&["history", "--json", "--limit", "1"]), here[..1]);
}

#[test]
fn the_up_arrow_begins_with_this_session() {
    let store = store();
    let shop = store.outside("shop");
    let root = store.root();
    let entries: Vec<Value> = [
        entry("mine, long ago", 9, &shop, Some(&id(1))),
        entry(
            "of another project",
            8,
            Path::new("/elsewhere"),
            Some(&id(1)),
        ),
        entry("without a session", 7, &shop, None),
        entry("mine", 6, &shop, Some(&id(1))),
        entry("of another session", 5, &shop, Some(&id(2))),
    ]
    .into();
    write(&root, &entries);
    let expected = [
        "mine",
        "mine, long ago",
        "of another session",
        "without a session",
    ];
    let given = ["history", "--json", "--up-arrow", "--session", &id(1)];
    assert_eq!(prompts(&store.run_in(&shop, &given)), expected);
    let around = store
        .command(&shop)
        .env("SESSION_CONTEXT", format!("session_id={}", id(1)))
        .args(["history", "--print0", "--up-arrow"])
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&around.stdout).into_owned();
    assert_eq!(text, expected.map(|it| format!("{it}\0")).concat());
    let many: Vec<Value> = (0..300)
        .map(|n| entry(&format!("prompt {n}"), 300 - n, &shop, None))
        .collect();
    write(&root, &many);
    let ran = store.run_in(&shop, &["history", "--json", "--up-arrow"]);
    assert_eq!(prompts(&ran).len(), 100);
    assert_eq!(prompts(&ran)[0], "prompt 299");
}

#[test]
fn pastes_are_put_back_where_that_is_asked_for() {
    let store = Store::new();
    let cache = store.root().join("paste-cache");
    fs::create_dir(&cache).expect("made");
    fs::write(cache.join("d5c1c7a6bd2c0c30.txt"), "not what was pasted").expect("written");
    let mut prompt = entry(
        "see [Pasted text #1] [Pasted text #2 +9 lines] [Image #3]",
        1,
        Path::new("/p"),
        None,
    );
    prompt["pastedContents"] = json!({
        "1": {"id": 1, "type": "text", "content": "one\ntwo"},
        "2": {"id": 2, "type": "text", "contentHash": "0123456789abcdef"},
        "3": {"id": 3, "type": "image"},
    });
    write(&store.root(), &[prompt]);
    let plain = store.run(&["history", "--print0"]);
    assert_eq!(
        plain.out,
        "see [Pasted text #1] [Pasted text #2 +9 lines] [Image #3]\0"
    );
    let whole = store.run(&["history", "--print0", "--expand"]);
    assert_eq!(
        whole.out,
        "see one\ntwo [Pasted text #2 +9 lines] [Image #3]\0"
    );
    let said = "1 paste is lost, 1 image is not included";
    assert!(whole.err.contains(said), "{}", whole.err);
    assert!(plain.err.is_empty(), "{}", plain.err);
    let json = store.run(&["history", "--json", "--expand"]).json();
    assert_eq!(
        json[0]["prompt"],
        "see one\ntwo [Pasted text #2 +9 lines] [Image #3]"
    );
}

#[test]
fn what_is_kept_in_files_is_searched_too() {
    let store = Store::new();
    let root = store.root();
    let cache = root.join("paste-cache");
    fs::create_dir(&cache).expect("made");
    let trace = "thread main panicked: cannot be borrowed twice\n".repeat(40);
    let hash = content_hash(trace.as_bytes());
    fs::write(cache.join(format!("{hash}.txt")), &trace).expect("written");
    // Somebody wrote another text into this one.
    fs::write(cache.join("0123456789abcdef.txt"), &trace).expect("written");
    let pasted = |display: &str, days: i64, hash: &str| {
        let mut prompt = entry(display, days, Path::new("/p"), None);
        prompt["pastedContents"] = json!({"1": {"id": 1, "type": "text", "contentHash": hash}});
        prompt
    };
    write(
        &root,
        &[
            pasted("why? [Pasted text #1 +40 lines]", 3, &hash),
            pasted(
                "and here? [Pasted text #1 +40 lines]",
                2,
                "0123456789abcdef",
            ),
            pasted(
                "or here? [Pasted text #1 +40 lines]",
                1,
                "../../../etc/passwd",
            ),
        ],
    );
    let found = store.run(&["history", "--json", "borrowed", "twice"]);
    assert_eq!(prompts(&found), ["why? [Pasted text #1 +40 lines]"]);
    assert_eq!(prompts(&store.run(&["history", "--json"])).len(), 3);
}

#[test]
fn a_conversation_that_clean_up_cannot_have_taken_is_missing() {
    let store = Store::new();
    let root = store.root();
    let entries = [30, 29].map(|days| {
        let session = id(u32::try_from(days).expect("small"));
        entry(
            &format!("{days} days ago"),
            days,
            Path::new("/p"),
            Some(&session),
        )
    });
    write(&root, &entries);
    let run = |arguments: &[&str]| {
        let mut command = store.command(&root);
        command.args(arguments);
        command.env("CLAUDE_RESUME_NOW", "2026-03-01T10:00:00Z");
        command.env("CLAUDE_RESUME_MANAGED_DIR", root.join("managed"));
        Ran::from(&command.output().expect("it runs")).json()
    };
    let fates = || {
        let objects = run(&["history", "--json"]);
        let fate = |object: Value| object["conversation"].as_str().map(str::to_owned);
        objects.into_iter().filter_map(fate).collect::<Vec<_>>()
    };
    assert_eq!(fates(), ["missing", "deleted"]);
    fs::write(root.join("settings.json"), r#"{"cleanupPeriodDays": 7}"#).expect("written");
    assert_eq!(fates(), ["deleted", "deleted"]);
    let recalled = run(&["history", "--up-arrow", "--project", "/p", "--json"]);
    assert_eq!(recalled[0]["conversation"], "deleted");
    // What an organisation says counts more, and of what it says the last file.
    let added = root.join("managed/managed-settings.d");
    fs::create_dir_all(&added).expect("made");
    for (name, days) in [
        ("../managed-settings.json", 7),
        ("10-a.json", 7),
        ("20-b.json", 60),
    ] {
        let text = format!("{{\"cleanupPeriodDays\": {days}}}");
        fs::write(added.join(name), text).expect("written");
    }
    // Nor does a file count that is no setting.
    for name in ["30-c.json.bak", ".40-d.json"] {
        fs::write(added.join(name), r#"{"cleanupPeriodDays": 1}"#).expect("written");
    }
    assert_eq!(fates(), ["missing", "missing"]);
}

#[test]
fn deleted_sessions_are_told_by_their_prompts() {
    let store = store();
    let sessions = store.run(&["history", "--deleted", "--json"]).json();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    assert_eq!(sessions[0]["sessionId"], id(2));
    assert_eq!(sessions[0]["count"], 2);
    assert_eq!(
        sessions[0]["firstPrompt"]["display"],
        "the flaky link checker"
    );
    assert_eq!(sessions[0]["lastPrompt"]["display"], "continue");
}

#[test]
fn bad_lines_are_counted_and_several_roots_are_one_history() {
    let store = store();
    let path = store.root().join("history.jsonl");
    let mut text = fs::read_to_string(&path).expect("read");
    text.insert_str(0, "no json\n\0\0\0\n");
    text += "{\"display\":\"half wri";
    fs::write(&path, text).expect("written");
    let backup = store.outside("backup");
    fs::create_dir(backup.join("projects")).expect("made");
    write(
        &backup,
        &[entry("from the backup", 2, Path::new("/b"), None)],
    );
    let backup = backup.to_str().expect("UTF-8");
    let ran = store.run(&["history", "--json", "--root", backup]);
    assert_eq!(prompts(&ran)[1], "from the backup");
    assert_eq!(prompts(&ran).len(), 5);
    assert!(ran.err.contains("3 malformed lines"), "{}", ran.err);
    let root = |line: usize| {
        let line = ran.out.lines().nth(line).expect("a line");
        let listed: Value = serde_json::from_str(line).expect("JSON");
        PathBuf::from(listed["root"].as_str().expect("a root"))
    };
    let real = |path: &Path| path.canonicalize().expect("there");
    assert_eq!(real(&root(0)), real(&store.root()));
    assert_eq!(real(&root(1)), real(Path::new(backup)));
}

#[test]
fn reading_a_history_writes_nothing() {
    let store = store();
    let before = crate::history_writing::tree(&store.root());
    store.run(&["history", "--expand", "flaky"]);
    store.run(&["history", "--deleted"]);
    assert_eq!(crate::history_writing::tree(&store.root()), before);
    assert_eq!(crate::history_writing::tree(&store.outside("home")), []);
}

#[test]
fn hostile_prompts_cannot_reach_the_terminal() {
    let store = Store::new();
    let bad = "\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{202e}x";
    write(&store.root(), &[entry(bad, 1, Path::new(bad), Some(bad))]);
    for arguments in [&["history"][..], &["history", "--json"]] {
        let ran = store.run(arguments);
        assert!(!ran.out.contains('\u{1b}'), "{:?}", ran.out);
        assert!(!ran.out.contains('\u{202e}'), "{:?}", ran.out);
    }
}

#[test]
fn without_a_terminal_there_is_nothing_to_choose_on() {
    let store = store();
    let ran = store.run(&["history", "--print"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("needs a terminal") && ran.err.contains("use `history QUERY`"),
        "{}",
        ran.err
    );
    let ran = store.run(&["history", "--print", "flaky"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("omit --print"), "{}", ran.err);
    let everything = store.run(&["history"]);
    assert_eq!(everything.out.lines().count(), 4);
}

#[test]
fn a_history_that_is_no_file_is_said() {
    let store = Store::new();
    fs::create_dir(store.root().join("history.jsonl")).expect("made");
    for arguments in [
        &["history"][..],
        &["history", "flaky"],
        &["history", "--up-arrow"],
    ] {
        let ran = store.run(arguments);
        assert_eq!(ran.code, Some(2), "it may be there: {arguments:?}");
        assert!(
            ran.err.contains("history.jsonl: cannot be read"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_filter_that_is_none_selects_nothing_and_a_limit_of_none_everything() {
    let store = store();
    let ran = store.run(&["history", "since:foo"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("foo"), "{}", ran.err);
    let all = store.run(&["history", "--json"]).out;
    assert_eq!(store.run(&["history", "--json", "--limit", "0"]).out, all);
}

#[test]
fn the_beginning_of_an_id_is_enough_for_the_order_of_the_up_arrow() {
    let store = store();
    let shop = store.outside("shop");
    let recalled = |session: &str| {
        let arguments = ["history", "--up-arrow", "--print0", "--session", session];
        store.run_in(&shop, &arguments).out
    };
    let whole = recalled(&id(1));
    assert!(!whole.is_empty());
    assert_eq!(recalled(&id(1)[..8]), whole);
    assert_eq!(recalled(&id(1)[..8].to_uppercase()), whole);
}

#[test]
fn a_repeated_prompt_is_the_newest_one_and_says_where_a_conversation_is_left() {
    let store = store();
    let (shop, docs) = (store.outside("shop"), store.outside("docs"));
    write(
        &store.root(),
        &[
            entry("continue", 3, &shop, Some(&id(1))),
            entry("continue", 2, &docs, Some(&id(2))),
        ],
    );
    let found = store.run(&["history", "--json"]).json();
    let noon = i64::try_from(NOON).expect("small") * 1000;
    assert_eq!(
        found,
        [json!({
            "prompt": "continue", "display": "continue", "timestamp": noon - 2 * DAY,
            "project": docs.to_str(), "sessionId": id(2), "count": 2, "conversation": "deleted",
            "root": store.root().to_str(),
            "also": {
                "timestamp": noon - 3 * DAY, "project": shop.to_str(), "sessionId": id(1),
            },
        })]
    );
    let fields = store.run(&["history"]).out;
    let fields: Vec<&str> = fields.trim_end().split('\t').skip(1).collect();
    let project = docs.to_str().expect("text");
    assert_eq!(fields, [project, &id(2), "2", "deleted", "continue"]);
}

#[test]
fn only_what_was_asked_for_is_printed() {
    let store = store();
    let shop = store.outside("shop");
    write(
        &store.root(),
        &[
            entry("lint it", 3, &shop, None),
            entry("list interesting things", 2, &shop, None),
            entry("run the linter", 1, &shop, None),
        ],
    );
    let ran = store.run(&["history", "--json", "lint"]);
    assert_eq!(prompts(&ran), ["run the linter", "lint it"]);
    let ran = store.run(&["history", "--json", "/LINT(er)?$/"]);
    assert_eq!(prompts(&ran), ["run the linter"]);
    assert_eq!(store.run(&["history", "lsit"]).code, Some(1));
}

#[test]
fn operators_of_sessions_are_refused_and_words_in_quotes_are_words() {
    let store = store();
    for (query, operator) in [
        ("branch:main", "branch:"),
        ("is:running", "is:"),
        ("-tag:x", "tag:"),
        ("role:user lint", "role:"),
        ("file:a.rs", "file:"),
    ] {
        let ran = store.run(&["history", "--", query]);
        assert_eq!(ran.code, Some(2), "{query}");
        let said = format!("{operator} does not apply to prompts");
        assert!(ran.err.contains(&said), "{}", ran.err);
    }
    assert_eq!(store.run(&["history", "\"branch:main\""]).code, Some(1));
}

#[test]
fn a_session_without_a_name_is_refused() {
    let store = store();
    for arguments in [
        &["history", "--session", ""][..],
        &["history", "--session", " ", "--up-arrow"],
        &["history", "add", "--session", "", "text"],
    ] {
        let ran = store.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains("the id is empty"), "{}", ran.err);
    }
}

#[test]
fn a_directory_with_nothing_but_a_history_is_enough() {
    let store = Store::new();
    let backup = store.outside("backup");
    write(&backup, &[entry("of the backup", 1, Path::new("/p"), None)]);
    let root = backup.to_str().expect("UTF-8");
    let ran = store.run(&["--root", root, "history", "--json"]);
    assert_eq!(prompts(&ran), ["of the backup"]);
    // Sessions it has none.
    let listed = store.run(&["--root", root, "list"]);
    assert_eq!(listed.code, Some(1));
    let said = "no Claude Code sessions in";
    assert!(listed.err.contains(said), "{}", listed.err);
    let empty = store.outside("empty");
    let root = empty.to_str().expect("UTF-8");
    assert_eq!(store.run(&["--root", root, "history"]).code, Some(2));
}

#[test]
fn pastes_that_there_is_no_room_for_are_said() {
    let store = Store::new();
    let root = store.root();
    fs::create_dir(root.join("paste-cache")).expect("made");
    let file = fs::File::create(root.join("paste-cache/0123456789abcdef.txt"));
    file.expect("made").set_len(33 << 20).expect("set");
    let mut pasted = entry("why? [Pasted text #1]", 1, Path::new("/p"), None);
    let hash = "0123456789abcdef";
    pasted["pastedContents"] = json!({"1": {"id": 1, "type": "text", "contentHash": hash}});
    write(&root, &[pasted]);
    let ran = store.run(&["history", "--json", "why"]);
    assert_eq!(prompts(&ran).len(), 1);
    let said = "the pasted text of 1 prompt was not searched: there is more than 32 MiB of it";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert_eq!(
        store.run(&["history", "--json"]).err,
        "",
        "nothing was searched for"
    );
}

#[test]
fn a_prompt_without_a_time_has_none_in_any_form() {
    let store = Store::new();
    let mut undated = entry("when?", 1, Path::new("/p"), None);
    undated.as_object_mut().expect("one").remove("timestamp");
    write(&store.root(), &[undated]);
    let json = store.run(&["history", "--json"]).json();
    assert_eq!(json[0]["timestamp"], Value::Null);
    let fields = store.run(&["history"]).out;
    assert!(fields.starts_with("\t/p\t"), "{fields}");
}

#[test]
fn a_history_that_is_not_there_is_told() {
    let store = Store::new();
    let ran = store.run(&["history", "anything"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("history.jsonl: no prompt history yet"),
        "{}",
        ran.err
    );
}
