use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Pending, Recorder, Undone};
use crate::history::{
    MergedHistory, Paste, PasteKind, Prompt, Skipped, content_hash, expand, flat,
};

struct Desk {
    _keep: tempfile::TempDir,
    root: PathBuf,
    state: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let root = keep.path().canonicalize().unwrap().join("claude");
        fs::create_dir(&root).unwrap();
        Self {
            state: keep.path().join("state"),
            root,
            _keep: keep,
        }
    }

    fn recorder(&self) -> Recorder {
        Recorder::new(&self.root, &self.state)
    }

    /// What a read of ours shows, newest first.
    fn shown(&self) -> Vec<String> {
        let skipped = Arc::new(Skipped::load(&self.state).expect("read"));
        let (prompts, _) = MergedHistory::open(std::slice::from_ref(&self.root), skipped);
        prompts.map(|found| found.prompt.display).collect()
    }

    fn text(&self) -> String {
        fs::read_to_string(self.root.join("history.jsonl")).unwrap_or_default()
    }
}

fn prompt(display: &str) -> Prompt {
    Prompt {
        display: display.to_owned(),
        timestamp: 1_760_000_000_000,
        project: "/home/ada/code/shop".to_owned(),
        session: Some("8c1f".to_owned()),
        ..Prompt::default()
    }
}

#[test]
fn a_prompt_is_written_as_claude_code_writes_it() {
    let desk = Desk::new();
    let mut recorder = desk.recorder();
    let mut with_paste = prompt("fix \"this\" [Pasted text #1]");
    with_paste.pastes.push(Paste {
        id: 1,
        kind: PasteKind::Inline("a\nb".to_owned()),
    });
    recorder.add(&with_paste).unwrap();
    let mut without_session = prompt("日本語");
    without_session.session = None;
    recorder.add(&without_session).unwrap();
    assert_eq!(recorder.waiting(), 2);
    assert_eq!(desk.text(), "", "nothing is written one by one");
    recorder.flush().unwrap();
    assert_eq!(
        desk.text(),
        concat!(
            r#"{"display":"fix \"this\" [Pasted text #1]","pastedContents":{"1":{"id":1,"type":"text","content":"a\nb"}},"timestamp":1760000000000,"project":"/home/ada/code/shop","sessionId":"8c1f"}"#,
            "\n",
            r#"{"display":"日本語","pastedContents":{},"timestamp":1760000000001,"project":"/home/ada/code/shop"}"#,
            "\n",
        )
    );
}

#[test]
fn a_long_paste_goes_to_the_paste_store() {
    let desk = Desk::new();
    let mut recorder = desk.recorder();
    let short = "é".repeat(1024);
    let long = "é".repeat(1025);
    let mut with_pastes = prompt("[Pasted text #1] and [Pasted text #2]");
    for (id, text) in [(1, &short), (2, &long)] {
        with_pastes.pastes.push(Paste {
            id,
            kind: PasteKind::Inline(text.clone()),
        });
    }
    recorder.add(&with_pastes).unwrap();
    recorder.flush().unwrap();
    let hash = content_hash(long.as_bytes());
    let file = desk.root.join(format!("paste-cache/{hash}.txt"));
    assert_eq!(fs::read_to_string(&file).unwrap(), long);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(desk.text().contains(&format!("\"contentHash\":\"{hash}\"")));
    assert!(desk.text().contains(&short));
    assert!(!desk.text().contains(&long));
    let (mut prompts, _) = MergedHistory::open(std::slice::from_ref(&desk.root), Arc::default());
    let read = prompts.next().expect("one").prompt;
    assert_eq!(
        flat(&expand(&read, &desk.root)),
        format!("{short} and {long}")
    );
}

#[test]
fn what_is_not_written_yet_is_withdrawn() {
    let desk = Desk::new();
    let mut recorder = desk.recorder();
    recorder.add(&prompt("kept")).unwrap();
    recorder.add(&prompt("typed by mistake")).unwrap();
    assert_eq!(
        recorder.undo().unwrap(),
        Undone::Withdrawn("typed by mistake".to_owned())
    );
    assert_eq!(recorder.undo().unwrap(), Undone::Nothing);
    recorder.flush().unwrap();
    assert_eq!(desk.shown(), ["kept"]);
}

#[test]
fn what_is_written_is_skipped_by_every_read_of_ours() {
    let desk = Desk::new();
    let mut recorder = desk.recorder();
    recorder.add(&prompt("kept")).unwrap();
    recorder.add(&prompt("taken back")).unwrap();
    recorder.flush().unwrap();
    let before = desk.text();
    // Another process takes it back.
    assert_eq!(
        desk.recorder().undo().unwrap(),
        Undone::Skipped("taken back".to_owned())
    );
    assert_eq!(desk.text(), before, "the file stays as it is");
    assert_eq!(desk.shown(), ["kept"]);
    assert_eq!(desk.recorder().undo().unwrap(), Undone::Nothing);
}

#[test]
fn times_stay_as_given_unless_they_are_taken() {
    let desk = Desk::new();
    let mut recorder = desk.recorder();
    for timestamp in [500, 300, 500, 501, 500] {
        let prompt = Prompt {
            timestamp,
            ..prompt("x")
        };
        recorder.add(&prompt).unwrap();
    }
    recorder.flush().unwrap();
    let times: Vec<i64> = desk
        .text()
        .lines()
        .map(|line| {
            let entry: serde_json::Value = serde_json::from_str(line).unwrap();
            entry["timestamp"].as_i64().unwrap()
        })
        .collect();
    assert_eq!(times, [500, 300, 501, 502, 503]);
}

#[test]
fn a_time_that_is_none_is_refused() {
    let desk = Desk::new();
    let mut recorder = desk.recorder();
    for timestamp in [i64::MIN, -1, super::LATEST + 1, i64::MAX] {
        let prompt = Prompt {
            timestamp,
            ..prompt("x")
        };
        let error = recorder.add(&prompt).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    }
    assert_eq!(recorder.waiting(), 0);
    let last = Prompt {
        timestamp: super::LATEST,
        ..prompt("x")
    };
    recorder.add(&last).unwrap();
    assert!(recorder.add(&last).is_err(), "there is none after it");
}

#[cfg(unix)]
#[test]
fn what_is_written_through_a_link_is_taken_back_too() {
    let desk = Desk::new();
    let real = desk.root.with_file_name("elsewhere.jsonl");
    fs::write(&real, "").unwrap();
    std::os::unix::fs::symlink(&real, desk.root.join("history.jsonl")).unwrap();
    let mut recorder = desk.recorder();
    recorder.add(&prompt("kept")).unwrap();
    recorder.add(&prompt("taken back")).unwrap();
    recorder.flush().unwrap();
    assert_eq!(
        desk.recorder().undo().unwrap(),
        Undone::Skipped("taken back".to_owned())
    );
    assert_eq!(desk.shown(), ["kept"]);
}

#[test]
fn while_the_lock_is_held_prompts_wait_and_the_next_recorder_writes_them() {
    let desk = Desk::new();
    let lock = desk.root.join("history.jsonl.lock");
    fs::create_dir(&lock).unwrap();
    let mut recorder = desk.recorder();
    recorder.add(&prompt("first")).unwrap();
    recorder.add(&prompt("second")).unwrap();
    assert!(recorder.flush().unwrap_err().is_busy());
    assert_eq!(recorder.waiting(), 2);
    recorder.leave_behind().unwrap();
    assert_eq!(
        desk.recorder().undo().unwrap(),
        Undone::Withdrawn("second".to_owned())
    );
    fs::remove_dir(&lock).unwrap();
    let mut next = desk.recorder();
    next.add(&prompt("third")).unwrap();
    next.flush().unwrap();
    assert_eq!(desk.shown(), ["third", "first"]);
    let history = desk.root.canonicalize().unwrap().join("history.jsonl");
    let waiting = Pending::claim(&desk.state, &history).unwrap();
    assert_eq!(waiting.lines, "");
}

#[test]
fn what_another_one_asked_in_the_same_millisecond_stays() {
    let desk = Desk::new();
    let nobody = Prompt {
        session: None,
        ..prompt("taken back")
    };
    let mut recorder = desk.recorder();
    recorder.add(&nobody).unwrap();
    recorder.flush().unwrap();
    let foreign = desk.text().replace("taken back", "asked elsewhere");
    let path = desk.root.join("history.jsonl");
    fs::write(&path, foreign + &desk.text()).unwrap();
    recorder.undo().unwrap();
    assert_eq!(desk.shown(), ["asked elsewhere"]);
}

#[test]
fn what_a_killed_process_left_half_written_is_swept_by_the_next_one() {
    let desk = Desk::new();
    let cache = desk.root.join("paste-cache");
    fs::create_dir(&cache).unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 60 * 60);
    let leave = |name: &str, then| {
        let file = fs::File::create(cache.join(name)).unwrap();
        file.set_modified(then).unwrap();
    };
    leave(".claude-resume-ours.tmp", old);
    leave(".claude-resume-at-work.tmp", std::time::SystemTime::now());
    leave("0123456789abcdef.4711.tmp", old);
    leave("0123456789abcdef.txt", old);
    let mut recorder = desk.recorder();
    recorder.add(&prompt("x")).unwrap();
    recorder.flush().unwrap();
    let mut left: Vec<String> = fs::read_dir(&cache)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let others = ["0123456789abcdef.4711.tmp", "0123456789abcdef.txt"];
    assert_eq!(
        left,
        [&[".claude-resume-at-work.tmp"], &others[..]].concat()
    );
}
