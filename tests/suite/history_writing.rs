//! Recording prompts: by one process, by many at once, and by one that dies with the lock.
//!
//! A writer that follows npm's `proper-lockfile`, as Claude Code's do, is written down here from
//! the description of that protocol; it shares no code with ours.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::support::{Ran, Store, id};

/// Says which part this test program plays when it is started by itself.
const PART: &str = "CLAUDE_RESUME_TEST_PART";
const HISTORY: &str = "CLAUDE_RESUME_TEST_HISTORY";
const ENTRIES: usize = 500;
/// So long may a process take that waits for a lock. Not a measure.
const PATIENCE: Duration = Duration::from_secs(120);

/// All files below a folder with their contents.
pub fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("listed").path();
        if path.is_dir() {
            found.extend(tree(&path));
        } else {
            let content = fs::read(&path).expect("read");
            found.push((path, content));
        }
    }
    found.sort();
    found
}

fn history(store: &Store) -> Vec<Value> {
    let text = fs::read_to_string(store.root().join("history.jsonl")).expect("read");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("every line is whole"))
        .collect()
}

fn displays(ran: &Ran) -> Vec<String> {
    ran.json()
        .iter()
        .map(|object| object["display"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn a_prompt_is_recorded_with_its_project_and_session() {
    let store = Store::new();
    let shop = store.outside("shop");
    let ran = store.run_in(
        &shop,
        &["history", "add", "fix", "the login", "--session", &id(1)],
    );
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (Some(0), "", "")
    );
    let entries = history(&store);
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["display"], "fix the login");
    assert_eq!(entries[0]["project"], shop.to_str().expect("UTF-8"));
    assert_eq!(entries[0]["sessionId"], id(1));
    assert_eq!(entries[0]["pastedContents"], json!({}));
    assert!(entries[0]["timestamp"].as_i64().expect("a number") > 1_700_000_000_000);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = store.root().join("history.jsonl");
        let mode = fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn the_session_may_be_said_by_the_surroundings_and_the_prompt_by_stdin() {
    let store = Store::new();
    let mut child = store
        .command(&store.outside("shop"))
        .env("SESSION_CONTEXT", format!("session_id={}", id(7)))
        .args(["history", "add"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all("two\nlines\n".as_bytes()).expect("written");
    drop(input);
    assert!(child.wait().expect("ends").success());
    let entries = history(&store);
    assert_eq!(entries[0]["display"], "two\nlines");
    assert_eq!(entries[0]["sessionId"], id(7));
}

#[test]
fn pastes_go_where_claude_code_keeps_them_and_pictures_nowhere() {
    let store = Store::new();
    let folder = store.outside("texts");
    fs::write(folder.join("short"), "a\nb").expect("written");
    fs::write(folder.join("long"), "x\n".repeat(600)).expect("written");
    let ran = store.run_in(
        &folder,
        &[
            "history",
            "add",
            "see [Pasted text #1 +1 lines] and",
            "--paste",
            "short",
            "--paste",
            "long",
        ],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let entry = &history(&store)[0];
    assert_eq!(
        entry["display"],
        "see [Pasted text #1 +1 lines] and [Pasted text #2 +600 lines]"
    );
    assert_eq!(entry["pastedContents"]["1"]["content"], "a\nb");
    let hash = entry["pastedContents"]["2"]["contentHash"]
        .as_str()
        .expect("a hash");
    let kept = store.root().join(format!("paste-cache/{hash}.txt"));
    assert_eq!(fs::read_to_string(kept).expect("kept"), "x\n".repeat(600));
    let shown = store.run(&["history", "--print0", "--expand"]);
    assert_eq!(shown.out, format!("see a\nb and {}\0", "x\n".repeat(600)));

    let line = json!({"display": "look [Image #1]", "pastedContents": {"1": {"id": 1, "type": "image", "content": "iVBOR"}}});
    let ran = feed(
        &store,
        &["history", "add", "--json"],
        &format!("{line}\nnonsense\n"),
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let entry = &history(&store)[1];
    assert_eq!(entry["display"], "look [Image #1]");
    assert_eq!(entry["pastedContents"], json!({}));
}

#[test]
fn the_last_prompt_can_be_taken_back_once() {
    let store = Store::new();
    store.run(&["history", "add", "kept"]);
    store.run(&["history", "add", "a mistake"]);
    let undone = store.run(&["history", "undo"]);
    assert_eq!(
        (undone.code, undone.out.as_str()),
        (Some(0), "hidden: a mistake\n")
    );
    assert_eq!(history(&store).len(), 2, "the file stays as it is");
    assert_eq!(displays(&store.run(&["history", "--json"])), ["kept"]);
    let recalled = store.run(&["history", "--up-arrow", "--json"]);
    assert_eq!(displays(&recalled), ["kept"]);
    assert_eq!(store.run(&["history", "undo"]).code, Some(1));
    let state = store.outside("home").join(".local/state/claude-resume");
    if cfg!(target_os = "linux") {
        assert!(state.join("skipped-prompts.tsv").is_file());
    }
}

#[test]
fn an_empty_prompt_and_a_missing_directory_are_refused() {
    let store = Store::new();
    assert_eq!(store.run(&["history", "add", " "]).code, Some(2));
    let ran = store
        .command(&store.root())
        .env("CLAUDE_CONFIG_DIR", "/no/such/directory")
        .args(["history", "add", "text"])
        .output()
        .expect("runs");
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("/no/such/directory"));
}

#[test]
fn a_project_is_a_whole_path_wherever_it_was_named_from() {
    let store = Store::new();
    let real = store.root().canonicalize().expect("there");
    fs::create_dir(real.join("shop")).expect("made");
    for (given, project) in [("shop", "shop"), ("gone/long", "gone/long")] {
        let ran = store
            .command(&real)
            .args(["history", "add", "text", "--project", given])
            .output()
            .expect("runs");
        assert!(ran.status.success());
        let entry = history(&store).pop().expect("written");
        let expected = real.join(project);
        assert_eq!(entry["project"], json!(expected.to_str()));
    }
}

#[test]
fn a_line_of_another_history_keeps_what_it_refers_to() {
    let store = Store::new();
    let line = |hash: &str| {
        let paste = json!({"1": {"id": 1, "type": "text", "contentHash": hash}});
        json!({"display": "[Pasted text #1]", "pastedContents": paste})
    };
    let good = line("0123456789abcdef");
    let text = format!("{good}\n{}\n", line("../../etc/passwd"));
    let ran = feed(&store, &["history", "add", "--json"], &text);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("line 2 was not recorded: a paste"));
    let entries = history(&store);
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["pastedContents"], good["pastedContents"]);
}

#[test]
fn many_lines_that_are_none_are_not_all_named() {
    let store = Store::new();
    let ran = feed(&store, &["history", "add", "--json"], &"no\n".repeat(25));
    assert_eq!(ran.code, Some(2));
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!(said.len(), 11, "{}", ran.err);
    assert_eq!(said[10], "claude-resume: 15 more lines were not recorded");
}

#[test]
fn whoever_waits_for_a_lock_is_told_so() {
    let store = Store::new();
    let lock = store.root().join("history.jsonl.lock");
    fs::create_dir(&lock).expect("made");
    let mut child = store
        .command(&store.root())
        .args(["history", "add", "patience"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut said = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    stderr.read_line(&mut said).expect("a line");
    assert!(
        said.contains("is held by another process: waiting"),
        "{said}"
    );
    fs::remove_dir(&lock).expect("removed");
    assert!(child.wait().expect("ends").success());
    assert_eq!(history(&store).len(), 1);
}

#[test]
fn each_config_directory_has_a_last_prompt_of_its_own() {
    let store = Store::new();
    let other = store.outside("other");
    let in_other = |arguments: &[&str]| {
        let ran = store
            .command(&store.root())
            .env("CLAUDE_CONFIG_DIR", &other)
            .args(arguments)
            .output()
            .expect("runs");
        Ran::from(&ran)
    };
    store.run(&["history", "add", "here"]);
    assert_eq!(in_other(&["history", "undo"]).code, Some(1));
    in_other(&["history", "add", "there"]);
    let undone = store.run(&["history", "undo"]);
    assert_eq!(undone.out, "hidden: here\n", "{}", undone.err);
    assert_eq!(in_other(&["history", "undo"]).out, "hidden: there\n");
}

/// Runs a command on the store with a text on its stdin.
fn feed(store: &Store, arguments: &[&str], text: &str) -> Ran {
    let mut child = store
        .command(&store.root())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(text.as_bytes()).expect("written");
    drop(input);
    Ran::from(&child.wait_with_output().expect("ends"))
}

#[test]
fn times_that_are_given_stay_and_one_that_is_none_is_left_out() {
    let store = Store::new();
    let text = r#"{"display":"new","timestamp":1760000000000}
{"display":"never","timestamp":9223372036854775807}
{"display":"old","timestamp":1500000000000}

{"display":"sometime","timestamp":"yesterday"}
{"display":"  "}
no prompt
"#;
    let ran = feed(&store, &["history", "add", "--json"], text);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let said: Vec<&str> = ran.err.lines().collect();
    let reasons = [
        (
            2,
            "its timestamp 9223372036854775807 is no time in milliseconds since 1970",
        ),
        (5, "timestamp is not a number of milliseconds since 1970"),
        (6, "the prompt is empty"),
        (7, "not a JSON object with a `display` string"),
    ];
    let expected = reasons
        .map(|(line, reason)| format!("claude-resume: line {line} was not recorded: {reason}"));
    assert_eq!(said, expected);
    let entries = history(&store);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["timestamp"], 1_760_000_000_000_i64);
    assert_eq!(entries[1]["timestamp"], 1_500_000_000_000_i64);
}

#[test]
fn whatever_of_a_line_could_not_be_kept_is_told() {
    let store = Store::new();
    let text = r#"{"display":"a","project":"some/where"}
{"display":"b","sessionId":5}
{"display":"c","project":""}
{"display":"d","pastedContents":[{"content":"lost"}]}
{"display":"e","pastedContents":{"1":{"type":"text","content":5}}}
"#;
    let ran = feed(&store, &["history", "add", "--json"], text);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!(said.len(), 4, "{}", ran.err);
    assert!(said[0].contains("line 2 was not recorded: project or sessionId"));
    assert!(said[1].contains("line 3 was not recorded: project or sessionId"));
    assert!(said[2].contains("line 4 was not recorded: pastedContents"));
    assert!(said[3].contains("line 5 was not recorded: a paste"));
    let entries = history(&store);
    assert_eq!(entries.len(), 1);
    let project = entries[0]["project"].as_str().expect("a path");
    assert!(std::path::Path::new(project).is_absolute(), "{project}");
    assert!(project.ends_with("/some/where"), "{project}");
}

#[test]
fn a_paste_that_cannot_be_kept_loses_no_other_prompt() {
    let store = Store::new();
    // No folder can be made where a file is.
    fs::write(store.root().join("paste-cache"), "").expect("made");
    let long = "x".repeat(2000);
    let bad = json!({
        "display": "[Pasted text #1]",
        "pastedContents": {"1": {"id": 1, "type": "text", "content": long}},
    });
    let text = format!("{{\"display\":\"before\"}}\n{bad}\n{{\"display\":\"behind\"}}\n");
    let ran = feed(&store, &["history", "add", "--json"], &text);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("line 2 was not recorded: "), "{}", ran.err);
    let entries = history(&store);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["display"], "before");
    assert_eq!(entries[1]["display"], "behind");
}

#[test]
fn prompts_wait_while_the_history_cannot_be_written() {
    let store = Store::new();
    let path = store.root().join("history.jsonl");
    fs::create_dir(&path).expect("made");
    let text = "{\"display\":\"one\"}\n{\"display\":\"two\"}\n";
    let ran = feed(&store, &["history", "add", "--json"], text);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("writes the 2 waiting prompts"),
        "{}",
        ran.err
    );
    fs::remove_dir(&path).expect("removed");
    assert_eq!(store.run(&["history", "add", "three"]).code, Some(0));
    let said: Vec<Value> = history(&store)
        .into_iter()
        .map(|entry| entry["display"].clone())
        .collect();
    assert_eq!(said, ["one", "two", "three"]);
}

#[test]
fn prompts_wait_behind_a_lock_that_cannot_be_taken_away() {
    let store = Store::new();
    let lock = store.root().join("history.jsonl.lock");
    fs::create_dir(&lock).expect("made");
    fs::write(lock.join("note"), "").expect("written");
    let long_ago = FileTimes::new().set_modified(UNIX_EPOCH);
    let folder = File::open(&lock).expect("opened");
    folder.set_times(long_ago).expect("set");
    let ran = store.run(&["history", "add", "one"]);
    assert_eq!(ran.code, Some(2));
    let lock_name = lock.display().to_string();
    for part in [
        &lock_name,
        "remove it by hand",
        "writes the 1 waiting prompt",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    fs::remove_dir_all(&lock).expect("removed");
    assert_eq!(store.run(&["history", "add", "two"]).code, Some(0));
    let said: Vec<Value> = history(&store)
        .into_iter()
        .map(|entry| entry["display"].clone())
        .collect();
    assert_eq!(said, ["one", "two"]);
}

#[test]
fn a_clock_that_was_set_is_the_time_of_a_prompt() {
    let store = Store::new();
    let ran = store
        .command(&store.root())
        .env("CLAUDE_RESUME_NOW", "2025-10-09T08:53:20Z")
        .args(["history", "add", "text"])
        .output()
        .expect("runs");
    assert!(ran.status.success());
    assert_eq!(history(&store)[0]["timestamp"], 1_760_000_000_000_i64);
}

/// Starts this test program again to play a part.
fn play(part: &str, history: &Path) -> Child {
    Command::new(std::env::current_exe().expect("a path"))
        .args([
            "--exact",
            "history_writing::a_part_in_another_process",
            "--nocapture",
        ])
        .env(PART, part)
        .env(HISTORY, history)
        .stdout(Stdio::null())
        .spawn()
        .expect("starts")
}

/// No test by itself: what the other processes of the test below do.
#[test]
fn a_part_in_another_process() {
    let (Ok(part), Ok(path)) = (std::env::var(PART), std::env::var(HISTORY)) else {
        return;
    };
    let path = PathBuf::from(path);
    match part.as_str() {
        "hold" => {
            let lock = npm::lock(&path).expect("the first one has it");
            // Until somebody ends this process, however long it takes to start the others.
            let start = Instant::now();
            while start.elapsed() < PATIENCE {
                let times = FileTimes::new().set_modified(SystemTime::now());
                let folder = File::open(&lock).expect("opens");
                folder.set_times(times).expect("set");
                thread::sleep(Duration::from_millis(500));
            }
        }
        name => {
            let entries = (0..ENTRIES).map(|n| entry(name, n).to_string() + "\n");
            npm::write(&path, entries.collect());
        }
    }
}

fn entry(writer: &str, n: usize) -> Value {
    json!({
        "display": format!("{writer} {n}"), "pastedContents": {},
        "timestamp": 1_760_000_000_000_i64, "project": "/p", "sessionId": writer,
    })
}

/// The other side: npm's protocol as its documentation describes it.
mod npm {
    use super::*;

    const STALE: Duration = Duration::from_secs(10);

    pub fn lock(file: &Path) -> Option<PathBuf> {
        let mut folder = file.canonicalize().expect("it is there").into_os_string();
        folder.push(".lock");
        let folder = PathBuf::from(folder);
        for wait in [50, 100, 200, 0] {
            if acquire(&folder) {
                return Some(folder);
            }
            thread::sleep(Duration::from_millis(wait));
        }
        None
    }

    fn acquire(folder: &Path) -> bool {
        match fs::create_dir(folder) {
            Ok(()) => return true,
            Err(error) => assert_eq!(error.kind(), ErrorKind::AlreadyExists),
        }
        let Ok(found) = fs::metadata(folder) else {
            return fs::create_dir(folder).is_ok();
        };
        let age = found
            .modified()
            .expect("a time")
            .elapsed()
            .unwrap_or_default();
        if age <= STALE {
            return false;
        }
        let _ = fs::remove_dir(folder);
        fs::create_dir(folder).is_ok()
    }

    /// Writes entries in small batches; those that found no lock are tried again with the next.
    pub fn write(path: &Path, entries: Vec<String>) {
        let start = Instant::now();
        let mut rest = entries.into_iter().peekable();
        let mut pending: Vec<String> = Vec::new();
        while rest.peek().is_some() || !pending.is_empty() {
            assert!(start.elapsed() < PATIENCE, "the lock never came");
            pending.extend(rest.by_ref().take(7));
            if let Some(folder) = lock(path) {
                let mut file = OpenOptions::new().append(true).open(path).expect("opens");
                file.write_all(pending.concat().as_bytes())
                    .expect("written");
                pending.clear();
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

#[test]
fn eight_processes_at_once_lose_nothing_although_one_dies_with_the_lock() {
    let store = Store::new();
    let path = store.root().join("history.jsonl");
    fs::write(&path, "").expect("made");
    // One takes the lock and is killed with it.
    let lock = store.root().join("history.jsonl.lock");
    let mut holder = play("hold", &path);
    let start = Instant::now();
    while !lock.is_dir() {
        assert!(start.elapsed() < PATIENCE, "nobody holds the lock");
        thread::sleep(Duration::from_millis(5));
    }
    // Six of ours and two that follow npm's protocol begin while it holds the lock.
    let ours: Vec<Child> = (0..6)
        .map(|n| spawn_add(&store, &format!("ours-{n}")))
        .collect();
    let theirs: Vec<Child> = (0..2).map(|n| play(&format!("npm-{n}"), &path)).collect();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(
        fs::read_to_string(&path).expect("read"),
        "",
        "the lock is respected"
    );
    holder.kill().expect("killed");
    holder.wait().expect("ended");
    assert!(lock.is_dir(), "nobody released it");
    // Nine seconds of waiting, made short.
    let times = FileTimes::new().set_modified(SystemTime::now() - Duration::from_secs(9));
    File::open(&lock)
        .expect("opens")
        .set_times(times)
        .expect("set");
    for mut child in ours.into_iter().chain(theirs) {
        assert!(child.wait().expect("ends").success());
    }
    assert_nothing_is_lost(&store, 8);
}

/// What a writer does that uses npm's package itself: a few entries under each lock.
const NODE_WRITER: &str = r#"
const lockfile = require("proper-lockfile");
const fs = require("fs");
const [path, lines] = [process.argv[1], process.argv[2].split("\n")];
(async () => {
    let pending = [];
    while (lines.length > 0 || pending.length > 0) {
        pending.push(...lines.splice(0, 7));
        try {
            const options = { stale: 10000, retries: { retries: 3, minTimeout: 50 } };
            const release = await lockfile.lock(path, options);
            fs.appendFileSync(path, pending.join("\n") + "\n", { mode: 0o600 });
            pending = [];
            await release();
        } catch (error) {
            if (error.code !== "ELOCKED") throw error;
        }
    }
})();
"#;

/// Against the package itself, where somebody has installed it: see CONTRIBUTING.md.
#[test]
fn two_of_ours_and_the_package_of_npm_lose_nothing() {
    let Some(modules) = std::env::var_os("CLAUDE_RESUME_NODE_MODULES") else {
        return crate::support::skip("CLAUDE_RESUME_NODE_MODULES names no proper-lockfile");
    };
    let store = Store::new();
    let path = store.root().join("history.jsonl");
    fs::write(&path, "").expect("made");
    let lines: Vec<String> = (0..ENTRIES).map(|n| entry("node", n).to_string()).collect();
    let node = Command::new("node")
        .args(["-e", NODE_WRITER])
        .arg(&path)
        .arg(lines.join("\n"))
        .env("NODE_PATH", modules)
        .spawn()
        .expect("node starts");
    let ours = ["ours-0", "ours-1"].map(|writer| spawn_add(&store, writer));
    for mut child in ours.into_iter().chain([node]) {
        assert!(child.wait().expect("ends").success());
    }
    assert_nothing_is_lost(&store, 3);
}

/// Every writer has written all of its entries, in order.
fn assert_nothing_is_lost(store: &Store, writers: usize) {
    let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for entry in history(store) {
        let display = entry["display"].as_str().expect("a text");
        let (writer, n) = display.split_once(' ').expect("a number");
        seen.entry(writer.to_owned())
            .or_default()
            .push(n.parse().expect("a number"));
    }
    assert_eq!(seen.len(), writers);
    for (writer, numbers) in seen {
        assert_eq!(numbers, (0..ENTRIES).collect::<Vec<_>>(), "{writer}");
    }
    assert!(!store.root().join("history.jsonl.lock").exists());
}

/// Records entries as they come: a few at a time, so that they are many appends.
fn spawn_add(store: &Store, writer: &str) -> Child {
    let mut child = store
        .command(&store.root())
        .args(["history", "add", "--json"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("piped");
    let writer = writer.to_owned();
    thread::spawn(move || {
        for n in 0..ENTRIES {
            let line = entry(&writer, n).to_string() + "\n";
            input.write_all(line.as_bytes()).expect("written");
            if n % 5 == 0 {
                thread::sleep(Duration::from_millis(2));
            }
        }
    });
    child
}
