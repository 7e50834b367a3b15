use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

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

#[test]
fn what_a_process_claimed_that_died_is_claimed_again() {
    let state = tempfile::tempdir().unwrap();
    let pending = Pending::new(state.path());
    let history = Path::new("/h");
    pending.put(history, "a\n").unwrap();
    // It dies: nothing is done with it and nothing is given back.
    std::mem::forget(pending.claim(history));
    assert!(pending.claim(history).is_empty());
    let folder = state.path().join("pending-prompts");
    let path = fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let file = File::options().append(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(61))
        .unwrap();
    let again = pending.claim(history);
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].lines, "a\n");
    assert!(pending.claim(history).is_empty(), "one has it now");
    for one in again {
        one.give_back();
    }
    assert_eq!(pending.claim(history).len(), 1, "and it waits again");
}
