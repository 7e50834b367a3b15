//! Pipes, devices and endless files in the place of small ones: nothing waits for them, and nothing
//! reads them to their end.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use claude_resume::history::content_hash;
use serde_json::json;

use crate::support::{Ran, Store, conversation, entry, id, lines, pipe, run_briefly};

/// Where the program keeps its own files, below the home of a store.
const CONFIG: &str = ".config/claude-resume/config.toml";
const PICKER: &str = ".local/state/claude-resume/picker.toml";
const SKIPPED: &str = ".local/state/claude-resume/skipped-prompts.tsv";

/// A store with a session that has an agent, and a prompt in its history.
fn store() -> Store {
    let store = Store::new();
    let content = conversation("Mend the door", "/w");
    store.session("-w", &id(1), 0, content.replace("/w", &dir(&store)));
    let folder = store.project("-w").join(id(1));
    fs::create_dir_all(folder.join("subagents")).expect("made");
    let agent = lines(&[entry(0, "user", &json!("Look"))]);
    fs::write(folder.join("subagents/agent-a1.jsonl"), agent).expect("written");
    let prompt =
        json!({"display": "Mend the door", "pastedContents": {}, "timestamp": 1, "project": "/w"});
    fs::write(store.root().join("history.jsonl"), lines(&[prompt])).expect("written");
    store
}

fn dir(store: &Store) -> String {
    store.outside("work").to_string_lossy().into_owned()
}

fn home(store: &Store, name: &str) -> PathBuf {
    let path = store.outside("home").join(name);
    fs::create_dir_all(path.parent().expect("below home")).expect("made");
    path
}

/// Runs a command that has to end by itself.
fn run(store: &Store, arguments: &[&str]) -> Ran {
    run_briefly(store.command(&store.outside("work")).args(arguments))
}

/// Puts something endless in the place of a file.
type Endless = fn(&Path);

const ENDLESS: &[(&str, Endless)] = &[
    ("a pipe", |path| pipe(path)),
    ("a device", |path| {
        std::os::unix::fs::symlink("/dev/zero", path).expect("linked");
    }),
    ("a file of 8 GB", |path| {
        File::create(path)
            .expect("made")
            .set_len(8 << 30)
            .expect("sparse");
    }),
];

#[test]
fn a_configuration_without_an_end_is_named_by_every_command_that_needs_it() {
    for (what, put) in ENDLESS {
        let store = store();
        let config = home(&store, CONFIG);
        put(&config);
        for arguments in [
            &["config"][..],
            &["--dry-run", &id(1)],
            &["--plain", "door"],
        ] {
            let ran = run(&store, arguments);
            assert_eq!(ran.code, Some(2), "{what}, {arguments:?}: {}", ran.err);
            let reason = match *what {
                "a file of 8 GB" => "larger than 1.0 MB",
                _ => "not a regular file",
            };
            let wanted = format!("{}: cannot be read: {reason}; ", config.display());
            assert!(
                ran.err.contains(&wanted),
                "{what}, {arguments:?}: {}",
                ran.err
            );
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        }
        assert_eq!(run(&store, &["list", "--all"]).code, Some(0), "{what}");
    }
}

#[test]
fn what_was_taken_back_and_cannot_be_read_is_said_and_the_history_shown() {
    for (what, put) in ENDLESS {
        let store = store();
        let skipped = home(&store, SKIPPED);
        put(&skipped);
        let ran = run(&store, &["history", "door"]);
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.err);
        assert!(ran.out.contains("Mend the door"), "{what}: {}", ran.out);
        let wanted = format!("{}: cannot be read: ", skipped.display());
        assert!(ran.err.contains(&wanted), "{what}: {}", ran.err);
        assert!(ran.err.contains("remove the file"), "{what}: {}", ran.err);
    }
}

#[test]
fn taking_back_into_a_pipe_is_an_error() {
    let store = store();
    assert_eq!(
        run(&store, &["history", "add", "Oil the hinge"]).code,
        Some(0)
    );
    let skipped = home(&store, SKIPPED);
    pipe(&skipped);
    let ran = run(&store, &["history", "undo"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(&*skipped.to_string_lossy()), "{}", ran.err);
}

#[test]
fn a_pipe_among_prompts_that_wait_does_not_keep_another_from_being_recorded() {
    let store = store();
    let history = store
        .root()
        .canonicalize()
        .expect("there")
        .join("history.jsonl");
    let hash = content_hash(history.to_str().expect("UTF-8").as_bytes());
    let state = ".local/state/claude-resume";
    pipe(&home(
        &store,
        &format!("{state}/pending-prompts-{hash}.jsonl"),
    ));
    let ran = run(&store, &["history", "add", "Oil the hinge"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        run(&store, &["history", "hinge"])
            .out
            .contains("Oil the hinge")
    );
}

/// Files that say something small, or nothing if they cannot be read, with a command that reads
/// them and its exit code.
#[test]
fn a_small_file_without_an_end_says_nothing() {
    let session = format!("claude/projects/-w/{}", id(1));
    let (list, show) = (&["list", "--all"][..], &["show", "00000001", "--json"][..]);
    for (name, arguments, code) in [
        (&*format!("home/{PICKER}"), &["config"][..], Some(0)),
        ("home/.claude.json", show, Some(0)),
        ("claude/.claude.json", show, Some(0)),
        // No session is deleted yet.
        ("claude/settings.json", &["history", "--deleted"], Some(1)),
        ("claude/sessions/1.json", list, Some(0)),
        (&format!("{session}/custom-title.json"), list, Some(0)),
        (&format!("{session}/archived.json"), list, Some(0)),
        (
            &format!("{session}/subagents/agent-a1.meta.json"),
            show,
            Some(0),
        ),
        // There may be a `claude` that it would run, or none.
        ("work/.git", &["--dry-run", "00000001"], None),
    ] {
        for (what, put) in ENDLESS {
            let store = store();
            let path = store.outside(".").join(name);
            fs::create_dir_all(path.parent().expect("in the store")).expect("made");
            put(&path);
            let ran = run(&store, arguments);
            let wanted = code.or(ran.code);
            assert_eq!(ran.code, wanted, "{name}, {what}: {}", ran.err);
        }
    }
}

#[test]
fn a_history_that_is_no_file_is_named() {
    let store = store();
    let history = store.root().join("history.jsonl");
    fs::remove_file(&history).expect("removed");
    pipe(&history);
    for arguments in [&["history", "door"][..], &["history", "add", "Oil"]] {
        let ran = run(&store, arguments);
        let wanted = format!("{}: cannot be ", history.display());
        assert!(ran.err.contains(&wanted), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains("not a regular file"),
            "{arguments:?}: {}",
            ran.err
        );
    }
}
