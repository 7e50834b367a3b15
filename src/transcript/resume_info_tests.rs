use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{TAIL, directories, from_the_end, resume_info, session_ids};

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
    let known = resume_info(&file.path).expect("read");
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
    assert_eq!(resume_info(&file.path).expect("read").worktree, None);
}

#[test]
fn what_is_cut_off_and_what_is_empty_is_told() {
    let mut after_the_gap = message(3, Some(99), "user", "Found");
    let lost = |orphan: &Value| {
        let cut = file(&[
            message(1, None, "user", "Lost"),
            orphan.clone(),
            message(4, Some(3), "assistant", "Yes"),
        ]);
        resume_info(&cut.path).expect("read").reach.lost
    };
    // Claude Code joins what was written within seconds.
    assert_eq!(lost(&after_the_gap), 0);
    after_the_gap["timestamp"] = json!("2099-01-01T00:00:00Z");
    assert_eq!(lost(&after_the_gap), 1);
    let empty = file(&[json!({"type": "custom-title", "customTitle": "T"})]);
    assert!(resume_info(&empty.path).expect("read").is_empty);
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

/// Lines before the end of a large file, and so much behind them that only a sweep sees them.
fn far_from_the_end(early: &[Value], late: &[Value]) -> File {
    let filler = message(8, Some(7), "user", &"x".repeat(1000));
    let mut lines = early.to_vec();
    let many = usize::try_from(TAIL / 1000 + 200).expect("few");
    lines.extend(std::iter::repeat_n(filler, many));
    lines.extend_from_slice(late);
    file(&lines)
}

fn worktree_of_large(file: &File) -> Option<String> {
    let size = fs::metadata(&file.path).expect("there").len();
    let known = from_the_end(&file.path, size).expect("read");
    known.worktree.map(|tree| tree.path)
}

#[test]
fn a_worktree_far_from_the_end_of_a_large_file_is_found() {
    let early = [left_in("/w/old"), left_in("/w/tree")];
    let file = far_from_the_end(&early, &[]);
    assert_eq!(worktree_of_large(&file).as_deref(), Some("/w/tree"));
    // What comes later counts, also that it was left.
    let none = json!({"type": "worktree-state", "worktreeSession": null});
    let left = far_from_the_end(&early, std::slice::from_ref(&none));
    assert_eq!(worktree_of_large(&left), None);
    let left = far_from_the_end(&[early[1].clone(), none], &[]);
    assert_eq!(worktree_of_large(&left), None);
}

#[test]
fn a_worktree_that_is_only_spoken_of_is_none() {
    let spoken = json!({"type": "progress", "data": [left_in("/w/nested")]});
    let quoted = message(1, None, "user", &left_in("/w/quoted").to_string());
    let file = far_from_the_end(&[spoken, quoted], &[]);
    assert_eq!(worktree_of_large(&file), None);
}

/// A crash between two writers leaves two entries on one line.
#[test]
fn a_worktree_behind_another_entry_is_found() {
    let file = far_from_the_end(&[message(1, None, "user", "Go")], &[]);
    let text = fs::read_to_string(&file.path).expect("read");
    let glued = format!("{}{}", message(1, None, "user", "Go"), left_in("/w/glued"));
    fs::write(&file.path, format!("{glued}\n{text}")).expect("written");
    assert_eq!(worktree_of_large(&file).as_deref(), Some("/w/glued"));
}

/// A directory in the input of a tool is not one of the session, but may become one.
#[test]
fn a_directory_that_was_only_spoken_of_is_found_where_it_is_named() {
    let spoken = json!({"type": "assistant", "cwd": "/a", "message": {"input": {"cwd": "/x"}}});
    let alone = file(std::slice::from_ref(&spoken));
    assert_eq!(directories(&alone.path).expect("read"), ["/a"]);
    let named = file(&[spoken, json!({"type": "user", "cwd": "/x"})]);
    assert_eq!(directories(&named.path).expect("read"), ["/a", "/x"]);
}

#[test]
fn directories_come_in_order_and_where_it_moved_to_first() {
    let at = |cwd: &str| json!({"type": "user", "message": {"cwd": "/nested"}, "cwd": cwd, "sessionId": "a"});
    let file = file(&[
        at("/one"),
        at("/two \"x\""),
        at("/two \"x\""),
        json!({"type": "relocated", "relocatedCwd": "/two \"x\""}),
        at("/one"),
        json!({"type": "user", "sessionId": "b"}),
    ]);
    assert_eq!(
        directories(&file.path).expect("read"),
        ["/two \"x\"", "/one"]
    );
    assert_eq!(session_ids(&file.path, 1 << 20).expect("read"), ["a", "b"]);
    assert_eq!(
        session_ids(&file.path, 120).expect("read"),
        ["a"],
        "the first lines only"
    );
}
