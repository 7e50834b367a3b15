use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;

use super::{MergedHistory, Passed, Reread, history_path};
use crate::history::{HistoryGrowth, Prompt, Skipped, skip_line};

fn line(display: &str, timestamp: i64, session: &str) -> String {
    let display = serde_json::to_string(display).unwrap();
    format!(
        "{{\"display\":{display},\"pastedContents\":{{}},\"timestamp\":{timestamp},\"project\":\"/p\",\"sessionId\":\"{session}\"}}\n"
    )
}

struct Roots(tempfile::TempDir);

impl Roots {
    fn new(contents: &[&[u8]]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (n, content) in contents.iter().enumerate() {
            let root = folder.path().join(n.to_string());
            fs::create_dir(&root).unwrap();
            fs::write(history_path(&root), content).unwrap();
        }
        Self(folder)
    }

    fn paths(&self, count: usize) -> Vec<PathBuf> {
        (0..count)
            .map(|n| self.0.path().join(n.to_string()))
            .collect()
    }
}

fn displays(prompts: &mut MergedHistory) -> Vec<String> {
    prompts.map(|found| found.prompt.display).collect()
}

#[test]
fn the_newest_comes_first_and_bad_lines_are_counted() {
    let content = format!(
        "{}not json\n{}\n\0\0\0\n{}{{\"display\":\"half wri",
        line("one", 1_700_000_000_001, "a"),
        "{\"display\":\"old, without a session\",\"timestamp\":1700000000002,\"project\":\"/p\"}",
        line("日本語\nin two lines", 1_700_000_000_003, "a"),
    );
    let roots = Roots::new(&[content.as_bytes()]);
    let (mut prompts, _) = MergedHistory::open(&roots.paths(1), Arc::default());
    assert_eq!(
        displays(&mut prompts),
        ["日本語\nin two lines", "old, without a session", "one"]
    );
    let passed = Passed {
        malformed: 3,
        blank: 0,
    };
    assert_eq!(prompts.passed(), passed);
    assert!(prompts.troubles().is_empty());
}

#[test]
fn a_prompt_in_which_nothing_was_asked_is_counted_apart() {
    // The last one has no newline: what follows it belongs to another line all the same.
    let content = line("", 1_700_000_000_001, "a")
        + &line("asked", 1_700_000_000_002, "a")
        + "not json\n"
        + &line(" \t\n\u{1b}", 1_700_000_000_003, "a")
        + line("\u{3000}", 1_700_000_000_004, "a").trim_end();
    let roots = Roots::new(&[content.as_bytes()]);
    let (mut prompts, mut follows) = MergedHistory::open(&roots.paths(1), Arc::default());
    assert_eq!(displays(&mut prompts), ["asked"]);
    let passed = |malformed, blank| Passed { malformed, blank };
    assert_eq!(prompts.passed(), passed(1, 3));
    let mut file = fs::File::options()
        .append(true)
        .open(history_path(&roots.paths(1)[0]))
        .unwrap();
    let more = format!("\n{}", line("  ", 1_700_000_000_005, "a"));
    file.write_all(more.as_bytes()).unwrap();
    let growth = follows[0].look(&Skipped::default()).unwrap();
    assert_eq!(growth, HistoryGrowth::Added(Vec::new(), passed(0, 1)));
}

#[test]
fn several_roots_are_merged_by_time() {
    let time = |n: i64| 1_700_000_000_000 + n;
    let first = line("a1", time(1), "a") + &line("a4", time(4), "a") + &line("a5", time(5), "a");
    let second = line("b2", time(2), "b") + &line("b3", time(3), "b") + &line("b5", time(5), "b");
    let roots = Roots::new(&[first.as_bytes(), second.as_bytes()]);
    let mut paths = roots.paths(2);
    paths.push("/no/such/root".into());
    let (mut prompts, _) = MergedHistory::open(&paths, Arc::default());
    assert_eq!(displays(&mut prompts), ["a5", "b5", "a4", "b3", "b2", "a1"]);
    assert!(prompts.troubles().is_empty(), "no history is an empty one");
}

#[test]
fn what_a_copy_of_the_directory_holds_too_was_entered_once() {
    let time = |n: i64| 1_700_000_000_000 + n;
    let old = line("first", time(1), "a") + &line("continue", time(2), "a");
    let new = old.clone() + &line("continue", time(3), "a");
    let roots = Roots::new(&[new.as_bytes(), old.as_bytes()]);
    let (mut prompts, _) = MergedHistory::open(&roots.paths(2), Arc::default());
    assert_eq!(displays(&mut prompts), ["continue", "continue", "first"]);
}

#[cfg(unix)]
#[test]
fn one_directory_under_two_names_is_read_once() {
    let content = line("only once", 1_700_000_000_000, "a");
    let roots = Roots::new(&[content.as_bytes()]);
    let other = roots.0.path().join("other");
    std::os::unix::fs::symlink(roots.0.path().join("0"), &other).unwrap();
    let (mut prompts, _) = MergedHistory::open(&[roots.paths(1).remove(0), other], Arc::default());
    assert_eq!(displays(&mut prompts), ["only once"]);
}

#[test]
fn a_history_that_is_no_file_is_a_trouble_and_no_end() {
    let roots = Roots::new(&[line("there", 1_700_000_000_000, "a").as_bytes()]);
    let odd = roots.0.path().join("odd");
    fs::create_dir_all(history_path(&odd)).unwrap();
    let (mut prompts, _) = MergedHistory::open(&[odd, roots.paths(1).remove(0)], Arc::default());
    assert_eq!(prompts.troubles().len(), 1);
    assert_eq!(displays(&mut prompts), ["there"]);
}

#[test]
fn what_was_taken_back_is_passed_over() {
    let content = line("kept", 1_700_000_000_001, "a")
        + &line("taken back", 1_700_000_000_002, "a")
        + &line("of another session", 1_700_000_000_002, "b");
    let roots = Roots::new(&[content.as_bytes()]);
    let paths = roots.paths(1);
    let real = history_path(&paths[0]).canonicalize().unwrap();
    let undone = Prompt::parse(line("taken back", 1_700_000_000_002, "a").as_bytes()).unwrap();
    let skipped = Skipped::parse(&skip_line(&real, &undone));
    let (mut prompts, _) = MergedHistory::open(&paths, Arc::new(skipped));
    assert_eq!(displays(&mut prompts), ["of another session", "kept"]);
}

#[test]
fn an_entry_can_be_read_again_from_its_spot() {
    let content = line("one", 1_700_000_000_001, "a") + &line("two", 1_700_000_000_002, "a");
    let roots = Roots::new(&[content.as_bytes()]);
    let paths = roots.paths(1);
    let (prompts, _) = MergedHistory::open(&paths, Arc::default());
    let mut reread = Reread::new(&paths);
    for found in prompts {
        assert_eq!(reread.read(found.spot).unwrap(), Some(found.prompt.clone()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_file_gives_what_a_forward_read_gives(
        pieces in prop::collection::vec(
            prop_oneof![
                (any::<String>(), 1_i64..9_000_000_000_000).prop_map(|(text, at)| line(&text, at, "s").into_bytes()),
                prop::collection::vec(any::<u8>(), 0..60),
                Just(b"\n".to_vec()),
            ],
            0..30,
        ),
    ) {
        let bytes = pieces.concat();
        let mut expected: Vec<Prompt> = bytes
            .split(|byte| *byte == b'\n')
            .filter_map(Prompt::parse)
            .filter(|prompt| !prompt.is_blank())
            .collect();
        expected.reverse();
        let roots = Roots::new(&[&bytes]);
        let (prompts, _) = MergedHistory::open(&roots.paths(1), Arc::default());
        let read: Vec<Prompt> = prompts.map(|found| found.prompt).collect();
        prop_assert_eq!(read, expected);
    }
}
