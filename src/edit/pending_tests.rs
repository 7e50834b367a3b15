use std::path::Path;

use super::Pending;

#[test]
fn what_waits_is_claimed_once_and_only_for_its_history() {
    let state = tempfile::tempdir().unwrap();
    let pending = Pending::new(state.path());
    let history = Path::new("/home/ada/.claude/history.jsonl");
    let other = Path::new("/backup/history.jsonl");
    pending.put(history, "a\nb\n").unwrap();
    pending.put(other, "c\n").unwrap();
    let claimed = pending.claim(history);
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].lines, "a\nb\n");
    assert!(pending.claim(history).is_empty(), "somebody has it");
    for one in claimed {
        one.give_back();
    }
    for one in pending.claim(history) {
        one.done();
    }
    assert!(pending.claim(history).is_empty(), "it is written");
    assert_eq!(pending.claim(other).len(), 1);
}

#[test]
fn one_line_can_be_taken_away() {
    let state = tempfile::tempdir().unwrap();
    let pending = Pending::new(state.path());
    let history = Path::new("/h");
    pending.put(history, "a\nb\n").unwrap();
    assert!(!pending.remove(history, |line| line == "x\n"));
    assert!(pending.remove(history, |line| line == "b\n"));
    assert_eq!(pending.claim(history)[0].lines, "a\n");
}
