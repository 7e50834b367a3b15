use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{TAIL, directories, from_the_end, outlook, session_ids};

struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn file(lines: &[Value]) -> File {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.jsonl");
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    fs::write(&path, lines.join("\n") + "\n").expect("written");
    File {
        _folder: folder,
        path,
    }
}

fn uuid(n: u32) -> String {
    format!("{n:08x}-0000-4000-8000-0000000000cc")
}

fn message(n: u32, parent: Option<u32>, kind: &str, text: &str) -> Value {
    json!({
        "parentUuid": parent.map(uuid), "type": kind, "uuid": uuid(n), "cwd": "/w", "sessionId": "s",
        "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {
            "id": format!("m{n}"), "role": kind, "model": "claude-opus-4-8", "content": text,
            "usage": {"input_tokens": 1000 * n, "output_tokens": 1},
        },
    })
}

fn left_in(tree: &str) -> Value {
    json!({"type": "worktree-state", "worktreeSession": {"worktreePath": tree, "worktreeBranch": "b"}})
}

#[test]
fn a_healthy_file_tells_its_context_and_its_worktree() {
    let file = file(&[
        message(1, None, "user", "Go"),
        message(2, Some(1), "assistant", "Yes"),
        left_in("/w/old"),
        left_in("/w/new"),
    ]);
    let known = outlook(&file.path).expect("read");
    assert_eq!(known.context, Some(2001));
    assert_eq!(
        known.worktree.map(|tree| tree.path),
        Some("/w/new".to_owned())
    );
    assert_eq!((known.reach.lost, known.is_empty), (0, false));
}

#[test]
fn a_worktree_that_was_left_is_none() {
    let file = file(&[
        message(1, None, "user", "Go"),
        left_in("/w/old"),
        json!({"type": "worktree-state", "worktreeSession": null}),
    ]);
    assert_eq!(outlook(&file.path).expect("read").worktree, None);
}

#[test]
fn what_is_cut_off_and_what_is_empty_is_told() {
    let cut = file(&[
        message(1, None, "user", "Lost"),
        message(3, Some(99), "user", "Found"),
        message(4, Some(3), "assistant", "Yes"),
    ]);
    assert_eq!(outlook(&cut.path).expect("read").reach.lost, 1);
    let empty = file(&[json!({"type": "custom-title", "customTitle": "T"})]);
    assert!(outlook(&empty.path).expect("read").is_empty);
}

#[test]
fn a_file_that_is_too_large_is_known_from_its_end() {
    let mut lines = vec![message(
        1,
        None,
        "user",
        &"x".repeat(usize::try_from(TAIL).expect("small")),
    )];
    lines.push(message(2, Some(1), "user", "Go"));
    lines.push(message(3, Some(2), "assistant", "Yes"));
    lines.push(left_in("/w/tree"));
    let file = file(&lines);
    let size = fs::metadata(&file.path).expect("there").len();
    let known = from_the_end(&file.path, size).expect("read");
    assert_eq!(known.context, Some(3001));
    assert_eq!(
        known.worktree.map(|tree| tree.path),
        Some("/w/tree".to_owned())
    );
    assert_eq!(
        (known.reach.lost, known.is_empty),
        (0, false),
        "nobody looked"
    );
}

#[test]
fn directories_come_in_order_and_where_it_moved_to_first() {
    let at = |cwd: &str| json!({"type": "user", "message": {"cwd": "/nested"}, "cwd": cwd, "sessionId": "a"});
    let file = file(&[
        at("/one"),
        at("/two"),
        json!({"type": "relocated", "relocatedCwd": "/two"}),
        at("/one"),
        json!({"type": "user", "sessionId": "b"}),
    ]);
    assert_eq!(directories(&file.path).expect("read"), ["/two", "/one"]);
    assert_eq!(session_ids(&file.path, 1 << 20).expect("read"), ["a", "b"]);
    assert_eq!(
        session_ids(&file.path, 120).expect("read"),
        ["a"],
        "the first lines only"
    );
}
