use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::PendingFolder;

#[test]
fn what_waits_is_claimed_once_and_only_for_its_history() {
    let state = tempfile::tempdir().unwrap();
    let pending = PendingFolder::new(state.path());
    let history = Path::new("/home/ada/.claude/history.jsonl");
    let other = Path::new("/backup/history.jsonl");
    pending.put(history, "a\nb\n").unwrap();
    pending.put(other, "c\n").unwrap();
    let claimed = pending.claim(history);
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].lines, "a\nb\n");
    assert!(pending.claim(history).is_empty(), "somebody has it");
    drop(claimed);
    for one in pending.claim(history) {
        one.done();
    }
    assert!(pending.claim(history).is_empty(), "it is written");
    assert_eq!(pending.claim(other).len(), 1);
}

#[test]
fn one_line_can_be_taken_away() {
    let state = tempfile::tempdir().unwrap();
    let pending = PendingFolder::new(state.path());
    let history = Path::new("/h");
    pending.put(history, "a\nb\n").unwrap();
    assert!(!pending.remove(history, |line| line == "x\n"));
    assert!(pending.remove(history, |line| line == "b\n"));
    assert_eq!(pending.claim(history)[0].lines, "a\n");
}

#[test]
fn what_else_waits_goes_on_waiting_when_a_line_is_taken_away() {
    let state = tempfile::tempdir().unwrap();
    let pending = PendingFolder::new(state.path());
    let history = Path::new("/h");
    for line in ["a\n", "b\n", "c\n"] {
        pending.put(history, line).unwrap();
    }
    // Whichever of them is looked at first, the other two are still there.
    assert!(pending.remove(history, |line| line == "b\n"));
    let mut left: Vec<String> = pending
        .claim(history)
        .iter()
        .map(|claimed| claimed.lines.clone())
        .collect();
    left.sort();
    assert_eq!(left, ["a\n", "c\n"]);
}

#[test]
fn a_claim_is_never_older_than_when_it_was_made() {
    let state = tempfile::tempdir().unwrap();
    let pending = PendingFolder::new(state.path());
    let history = Path::new("/h");
    pending.put(history, "a\n").unwrap();
    let waiting = pending.waiting();
    let file = File::options().append(true).open(&waiting[0]).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600))
        .unwrap();
    let claimed = pending.claim(history);
    assert_eq!(claimed.len(), 1);
    assert!(pending.waiting().is_empty());
}

#[test]
fn giving_back_overwrites_nothing() {
    let state = tempfile::tempdir().unwrap();
    let pending = PendingFolder::new(state.path());
    let history = Path::new("/h");
    pending.put(history, "a\n").unwrap();
    let path = pending.waiting().remove(0);
    let claimed = pending.claim(history);
    fs::write(&path, "/h\nb\n").unwrap();
    drop(claimed);
    assert_eq!(fs::read_to_string(&path).unwrap(), "/h\nb\n");
    let names = fs::read_dir(state.path().join("pending-prompts")).unwrap();
    assert_eq!(names.count(), 2, "neither is lost");
}

#[test]
fn what_a_process_claimed_that_died_is_claimed_again() {
    let state = tempfile::tempdir().unwrap();
    let pending = PendingFolder::new(state.path());
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
    drop(again);
    assert_eq!(pending.claim(history).len(), 1, "and it waits again");
}
