use std::fs;
use std::path::PathBuf;

use super::{RegistryEntry, Status, running};

fn root_with(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let root = tempfile::tempdir().expect("a temporary folder");
    let sessions = root.path().join("sessions");
    fs::create_dir(&sessions).expect("made");
    for (name, content) in files {
        fs::write(sessions.join(name), content).expect("written");
    }
    let roots = vec![root.path().to_owned()];
    (root, roots)
}

fn alive(_: &RegistryEntry) -> bool {
    true
}

#[test]
fn an_entry_of_a_living_process_is_live() {
    let (_root, roots) = root_with(&[(
        "42.json",
        r#"{"pid":42,"sessionId":"s","procStart":"9","status":"waiting","tmux":"a:@1.%2","updatedAt":5,"new":[]}"#,
    )]);
    let live = running(&roots, alive);
    let session = live.anywhere("s").expect("it runs");
    assert_eq!(
        (session.pid, session.status, session.tmux.as_deref()),
        (42, Status::Waiting, Some("a:@1.%2"))
    );
    assert!(running(&roots, |_| false).is_empty());
}

#[test]
fn other_files_and_broken_entries_are_passed_over() {
    let (_root, roots) = root_with(&[
        ("42.key", r#"{"pid":42,"sessionId":"key"}"#),
        ("pid-42.json", r#"{"pid":42,"session_id":"legacy"}"#),
        ("43.json", r#"{"pid":43,"sessionId":"torn"#),
        ("44.json", r#"{"pid":45,"sessionId":"renamed"}"#),
        ("46.json", "[]"),
    ]);
    assert!(running(&roots, alive).is_empty());
    assert!(running(&[PathBuf::from("/nowhere")], alive).is_empty());
}

#[test]
fn of_two_processes_the_one_that_spoke_last_counts() {
    let (_root, roots) = root_with(&[
        (
            "1.json",
            r#"{"pid":1,"sessionId":"s","status":"idle","updatedAt":10}"#,
        ),
        (
            "2.json",
            r#"{"pid":2,"sessionId":"s","status":"busy","updatedAt":20}"#,
        ),
        ("3.json", r#"{"pid":3,"sessionId":"s","updatedAt":15}"#),
    ]);
    let live = running(&roots, alive);
    assert_eq!(live.anywhere("s").map(|live| live.pid), Some(2));
}

#[test]
fn what_changed_is_told_by_its_id() {
    let entry =
        |id: &str, status: &str| format!(r#"{{"pid":1,"sessionId":"{id}","status":"{status}"}}"#);
    let registry = |entry: String| {
        let (_root, roots) = root_with(&[("1.json", &entry)]);
        let mut registry = super::Registry::default();
        if let Some(live) = running(&roots, alive).anywhere("s") {
            registry.add("s".to_owned(), vec!["/root".into()], live.clone());
        }
        registry
    };
    let (idle, busy) = (registry(entry("s", "idle")), registry(entry("s", "busy")));
    let none = registry(entry("other", "idle"));
    let changed = |now: &super::Registry, before| now.changed(before).count();
    assert_eq!(changed(&idle, &idle), 0);
    assert_eq!(changed(&busy, &idle), 1);
    assert_eq!(changed(&none, &idle), 1);
    assert_eq!(changed(&idle, &none), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_id_that_was_used_again_is_not_live() {
    let pid = std::process::id();
    let stat = fs::read_to_string("/proc/self/stat").expect("read");
    let start = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.split(' ').nth(19))
        .expect("22 fields");
    for (recorded, expected) in [(start, true), ("1", false)] {
        let entry = format!(r#"{{"pid":{pid},"sessionId":"s","procStart":"{recorded}"}}"#);
        let (_root, roots) = root_with(&[(&format!("{pid}.json"), &entry)]);
        let found = running(&roots, super::is_running).anywhere("s").is_some();
        assert_eq!(found, expected, "{recorded}");
    }
    let no_start = format!(r#"{{"pid":{pid},"sessionId":"s"}}"#);
    let (_root, roots) = root_with(&[(&format!("{pid}.json"), &no_start)]);
    assert!(running(&roots, super::is_running).is_empty());
}

#[test]
fn an_odd_field_costs_only_itself() {
    let (_root, roots) = root_with(&[(
        "42.json",
        r#"{"pid":42,"sessionId":"s","status":5,"tmux":{"a":1},"updatedAt":"x","startedAt":null}"#,
    )]);
    let live = running(&roots, alive);
    let live = live.anywhere("s").expect("it runs");
    assert_eq!((live.status, live.tmux.as_deref()), (Status::Unknown, None));
}
