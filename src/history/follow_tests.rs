use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::HistoryGrowth;
use crate::history::{HistoryFollower, MergedHistory, Prompt, Skipped, history_path, skip_line};

fn line(display: &str, timestamp: i64) -> String {
    format!("{{\"display\":\"{display}\",\"timestamp\":{timestamp},\"project\":\"/p\"}}\n")
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn added(follow: &mut HistoryFollower, skipped: &Skipped) -> (Vec<String>, usize) {
    match follow.look(skipped).unwrap() {
        HistoryGrowth::Added(found, passed) => {
            let displays = found.into_iter().map(|found| found.prompt.display);
            (displays.collect(), passed.malformed)
        }
        HistoryGrowth::Replaced => panic!("it is the same file"),
    }
}

#[test]
fn what_is_added_is_read_when_its_line_is_whole() {
    let root = tempfile::tempdir().unwrap();
    let path = history_path(root.path());
    append(
        &path,
        &(line("known", 1_700_000_000_000) + "{\"display\":\"be"),
    );
    let (mut prompts, mut follows) = MergedHistory::open(&[root.path().to_owned()], Arc::default());
    assert_eq!(prompts.next().expect("one").prompt.display, "known");
    let follow = &mut follows[0];
    let skipped = Skipped::default();
    assert_eq!(added(follow, &skipped), (vec![], 0), "not finished yet");
    append(&path, "gun\",\"timestamp\":1700000000001}\n");
    append(&path, &line("next", 1_700_000_000_002));
    append(&path, "garbage\n{\"disp");
    assert_eq!(
        added(follow, &skipped),
        (vec!["begun".to_owned(), "next".to_owned()], 1)
    );
    assert_eq!(added(follow, &skipped), (vec![], 0));
    append(&path, "lay\":\"last\"}\n");
    assert_eq!(added(follow, &skipped), (vec!["last".to_owned()], 0));
}

#[test]
fn a_history_may_begin_later() {
    let root = tempfile::tempdir().unwrap();
    let (mut prompts, mut follows) = MergedHistory::open(&[root.path().to_owned()], Arc::default());
    assert_eq!(prompts.next(), None);
    assert_eq!(added(&mut follows[0], &Skipped::default()), (vec![], 0));
    let path = history_path(root.path());
    let real = history_path(&root.path().canonicalize().unwrap());
    let undone = Prompt::parse(line("taken back", 1_700_000_000_002).as_bytes()).unwrap();
    let skipped = Skipped::parse(&skip_line(&real, &undone));
    append(&path, &line("first", 1_700_000_000_001));
    append(&path, &line("taken back", 1_700_000_000_002));
    assert_eq!(
        added(&mut follows[0], &skipped),
        (vec!["first".to_owned()], 0)
    );
}

#[test]
fn a_file_that_became_shorter_or_another_one_is_read_anew() {
    let root = tempfile::tempdir().unwrap();
    let path = history_path(root.path());
    append(&path, &line("long enough to be cut", 1_700_000_000_000));
    let open = || MergedHistory::open(&[root.path().to_owned()], Arc::default()).1;
    let mut follow = open().remove(0);
    fs::write(&path, line("short", 1_700_000_000_001)).unwrap();
    assert_eq!(
        follow.look(&Skipped::default()).unwrap(),
        HistoryGrowth::Replaced
    );
    let mut follow = open().remove(0);
    let anew = line("others", 1_700_000_000_001) + &line("and more", 1_700_000_000_002);
    fs::write(&path, anew).unwrap();
    let looked = follow.look(&Skipped::default()).unwrap();
    assert_eq!(looked, HistoryGrowth::Replaced, "in its place, and longer");
    let mut follow = open().remove(0);
    let other = root.path().join("other");
    append(
        &other,
        &line("a longer text than before", 1_700_000_000_002),
    );
    fs::rename(&other, &path).unwrap();
    if cfg!(unix) {
        assert_eq!(
            follow.look(&Skipped::default()).unwrap(),
            HistoryGrowth::Replaced
        );
    }
    let mut follow = open().remove(0);
    fs::remove_file(&path).unwrap();
    assert_eq!(
        follow.look(&Skipped::default()).unwrap(),
        HistoryGrowth::Replaced
    );
}
