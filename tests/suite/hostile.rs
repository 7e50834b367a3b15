//! Stores that nobody would make on purpose.

use std::fs;
use std::path::PathBuf;

use claude_resume::store::{Hidden, ScanDepth};
use serde_json::json;

#[cfg(unix)]
use crate::support::pipe;
use crate::support::{Store, conversation, id, lines, set_modified, user};

#[test]
fn a_hundred_thousand_files_in_one_folder() {
    let store = Store::new();
    let project = store.project("-p");
    for n in 0..100_000 {
        fs::File::create(project.join(format!("{}.jsonl", id(n)))).expect("made");
    }
    store.session("-p", &id(77), 0, conversation("The needle", "/w"));
    let ran = store.run(&["list", "--all"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.ends_with("\tThe needle\n"), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1);
    assert_eq!(ran.err, "shown 1 of 100000 (hidden: 99999 empty)\n");
}

#[test]
fn three_thousand_project_folders() {
    let store = Store::new();
    for n in 0..3_000 {
        store.session(&format!("-p{n}"), &id(n), 0, conversation("Hello", "/w"));
    }
    let ran = store.run(&["list", "--all"]);
    assert_eq!(ran.out.lines().count(), 3_000, "{}", ran.err);
}

#[test]
fn equal_and_future_times_keep_a_stable_order() {
    let store = Store::new();
    let bare = |prompt: &str| {
        let mut first = user(prompt, "/w");
        first["timestamp"] = json!("not-a-date");
        lines(&[first])
    };
    for n in [3, 1, 2] {
        store.session("-p", &id(n), 0, bare("Same time"));
    }
    let future = store.session("-p", &id(4), 0, bare("From tomorrow"));
    set_modified(&future, 4_102_444_800);
    let first = store.run(&["list", "--all"]);
    assert_eq!(
        first.ids(),
        ["00000004", "00000003", "00000002", "00000001"]
    );
    assert_eq!(store.run(&["list", "--all"]).out, first.out);
}

#[test]
fn paths_with_everything_in_them() {
    let store = Store::new();
    let cwd = "/home/ada/it's \"$(rm -rf)\" \n `x` 🦀 \u{202e}";
    store.session("-odd", &id(1), 0, conversation("Hello", cwd));
    let listed = store.run(&["list", "--json", "--dir", cwd]);
    assert_eq!(listed.json()[0]["cwd"], json!(cwd));
    let tsv = store.run(&["list", "--all"]);
    assert_eq!(tsv.out.lines().count(), 1, "{}", tsv.out);
    assert!(!tsv.out.contains('\u{202e}'));
}

#[test]
fn nothing_stored_reaches_a_pipe_or_a_terminal_as_a_control() {
    let store = Store::new();
    let evil = "\u{1b}]52;c;aGk=\u{7}\u{1b}[?1049h\u{9b}2J\u{202e}evil\u{0}\u{7f}\r\n\t";
    let mut first = user(&format!("{evil} prompt"), evil);
    first["gitBranch"] = json!(evil);
    store.session(
        "-p",
        &id(1),
        0,
        lines(&[
            first,
            json!({"type": "custom-title", "customTitle": format!("{evil} title")}),
            json!({"type": "tag", "tag": evil}),
        ]),
    );
    for arguments in [&["list", "--all"][..], &["list", "--all", "--json"]] {
        let ran = store.run(arguments);
        assert_eq!(ran.code, Some(0));
        let controls = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!ran.out.contains(controls), "{:?}", ran.out);
        assert_eq!(ran.out.lines().count(), 1);
    }
    let json = store.run(&["list", "--all", "--json"]).json();
    assert_eq!(json[0]["tag"], json!(evil.trim()), "the data is whole");
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_running_sessions_is_not_waited_for() {
    let store = Store::new();
    store.session("-p", &id(1), 0, conversation("Hello", "/w"));
    fs::create_dir(store.root().join("sessions")).expect("made");
    pipe(&store.root().join("sessions/1.json"));
    assert_eq!(store.run(&["list", "--all"]).code, Some(0));
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_called_like_a_session_is_not_waited_for() {
    let store = Store::new();
    pipe(&store.project("-p").join(format!("{}.jsonl", id(1))));
    let (sessions, _) = store.scan(ScanDepth::Everything);
    assert_eq!(sessions[0].hidden, Some(Hidden::NotASession));
}

/// Takes the permissions away; `false` if that makes no difference, as for root.
#[cfg(unix)]
fn lock(path: &PathBuf) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).expect("set");
    let locked = fs::read_dir(path).is_err() && fs::File::open(path).is_err();
    if !locked {
        crate::support::skip("permissions do not bind this user");
    }
    locked
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_counted() {
    use std::os::unix::fs::PermissionsExt;
    let store = Store::new();
    let file = store.session("-p", &id(1), 0, conversation("Secret", "/w"));
    store.session("-p", &id(2), 0, conversation("Open", "/w"));
    let folder = store.project("-locked");
    if lock(&file) && lock(&folder) {
        let ran = store.run(&["list", "--all"]);
        assert_eq!(ran.code, Some(0));
        assert_eq!(ran.ids(), ["00000002"]);
        assert!(ran.err.contains("hidden: 1 unreadable"), "{}", ran.err);
        assert!(
            ran.err.contains("-locked: cannot be listed: "),
            "{}",
            ran.err
        );
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("set");
}

#[test]
fn a_root_that_cannot_be_listed_is_named() {
    let store = Store::new();
    let projects = store.root().join("projects");
    fs::remove_dir(&projects).expect("removed");
    fs::write(&projects, "a file").expect("written");
    let ran = store.run(&["list"]);
    assert_eq!(ran.code, Some(2), "unreadable is not the same as empty");
    assert!(
        ran.err.contains("projects: cannot be listed: "),
        "{}",
        ran.err
    );
}

#[test]
fn reading_changes_nothing() {
    let store = Store::new();
    store.session("-p", &id(1), 0, conversation("Hello", "/w"));
    store.session("-p", &id(2), 1, "");
    let snapshot = || {
        let mut entries: Vec<_> = fs::read_dir(store.project("-p"))
            .expect("listed")
            .chain(fs::read_dir(store.root()).expect("listed"))
            .map(|entry| {
                let entry = entry.expect("listed");
                let metadata = entry.metadata().expect("stat");
                (
                    entry.path(),
                    metadata.len(),
                    metadata.modified().expect("known"),
                )
            })
            .collect();
        entries.sort();
        entries
    };
    let before = snapshot();
    store.run(&["list", "--all", "--include", "all", "--json"]);
    assert_eq!(snapshot(), before);
}
