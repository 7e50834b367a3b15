use std::fs;
use std::path::Path;

use super::{Pending, put};

#[test]
fn what_waits_is_claimed_once_and_only_for_its_history() {
    let state = tempfile::tempdir().unwrap();
    let history = Path::new("/home/ada/.claude/history.jsonl");
    let other = Path::new("/backup/history.jsonl");
    put(state.path(), history, "a\nb\n").unwrap();
    put(state.path(), other, "c\n").unwrap();
    put(state.path(), history, "d\n").unwrap();
    let claimed = Pending::claim(state.path(), history).unwrap();
    assert_eq!(claimed.lines, "a\nb\nd\n");
    assert!(Pending::claim(state.path(), history).is_err(), "one has it");
    drop(claimed);
    let again = Pending::claim(state.path(), history).unwrap();
    assert_eq!(again.lines, "a\nb\nd\n", "it waits again");
    again.keep("b\n").unwrap();
    let again = Pending::claim(state.path(), history).unwrap();
    assert_eq!(again.lines, "b\n");
    again.keep("").unwrap();
    assert_eq!(Pending::claim(state.path(), history).unwrap().lines, "");
    assert_eq!(Pending::claim(state.path(), other).unwrap().lines, "c\n");
}

#[test]
fn a_line_that_was_not_written_to_its_end_is_left_out() {
    let state = tempfile::tempdir().unwrap();
    let history = Path::new("/h");
    put(state.path(), history, "a\nb").unwrap();
    assert_eq!(Pending::claim(state.path(), history).unwrap().lines, "a\n");
}

#[test]
fn what_is_too_large_is_left_alone() {
    let state = tempfile::tempdir().unwrap();
    let history = Path::new("/h");
    put(state.path(), history, "a\n").unwrap();
    let file = fs::read_dir(state.path()).unwrap().next().unwrap().unwrap();
    let file = fs::File::options().append(true).open(file.path()).unwrap();
    file.set_len(crate::files::LARGE + 1).unwrap();
    assert!(Pending::claim(state.path(), history).is_err());
}
