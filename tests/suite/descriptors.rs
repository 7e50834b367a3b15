//! Few file descriptors: macOS gives a process 256, and a shell may give fewer. Nothing may vanish.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use claude_resume::store::{ScanDepth, TooManyOpen, Trouble, rescan};

use crate::desk::{Desk, Pty};
use crate::support::{Ran, Store, conversation, id, scan_roots};

/// More folders and files than any of these limits.
const FOLDERS: u32 = 80;
const SESSIONS: u32 = 240;

/// Sessions in many folders, each with an agent.
fn store() -> Store {
    let store = Store::new();
    fill(&store);
    store
}

fn fill(store: &Store) {
    for n in 1..=SESSIONS {
        let folder = format!("-work-project-{}", n % FOLDERS);
        let text = format!("What about heron {n}?");
        let path = store.session(&folder, &id(n), u64::from(n), conversation(&text, "/work"));
        let agents = path.with_extension("").join("subagents");
        std::fs::create_dir_all(&agents).expect("made");
        let text = conversation("The agent saw an egret", "/work");
        std::fs::write(agents.join("agent-a1.jsonl"), text).expect("written");
    }
}

/// Runs the binary with so many descriptors at most.
fn run_within(limit: u32, store: &Store, arguments: &[&str]) -> Ran {
    let mut plain = store.command(Path::new("/"));
    plain.args(arguments);
    let mut limited = Command::new("/bin/sh");
    limited
        .arg("-c")
        .arg(format!("ulimit -n {limit} && exec \"$@\""))
        .arg("sh")
        .arg(plain.get_program())
        .args(plain.get_args())
        .env_clear()
        .current_dir("/");
    for (name, value) in plain.get_envs() {
        limited.envs(value.map(|value| (name, value)));
    }
    Ran::from(&limited.output().expect("runs"))
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

#[test]
fn with_64_descriptors_everything_is_listed_and_found() {
    let store = store();
    for arguments in [
        &["list", "--all", "--limit", "0"][..],
        &["list", "--all", "--limit", "0", "--no-cache"],
        &["search", "--all", "--limit", "0", "-l", "heron"],
        &[
            "search",
            "--all",
            "--limit",
            "0",
            "-l",
            "--no-cache",
            "egret",
        ],
        // From the cache.
        &["search", "--all", "--limit", "0", "-l", "egret"],
    ] {
        let ran = run_within(64, &store, arguments);
        let said = ran.err.replace("shown 240 of 240\n", "");
        assert_eq!((ran.code, &*said), (Some(0), ""), "{arguments:?}");
        assert_eq!(lines(&ran.out), 240, "{arguments:?}");
    }
}

#[test]
fn with_64_descriptors_the_picker_finds_everything() {
    let desk = Desk::new();
    fill(&desk.store);
    for text in ["heron", "egret"] {
        let mut command = desk.command("/bin/sh");
        command.args(["-c", "ulimit -n 64 && exec \"$@\"", "sh"]);
        command.arg(env!("CARGO_BIN_EXE_claude-resume"));
        command.args(["--all", text]);
        let mut pty = Pty::start(command, 100, 30);
        pty.wait_for("240 of 240");
        pty.type_text("\x03");
        assert_eq!(pty.end(), 130);
        pty.assert_restored();
    }
}

/// Where a test passes the folder of a store to the program that it starts.
const ROOT: &str = "TEST_ROOT";

/// Runs in a process of its own, which has no descriptor to spare.
#[test]
#[ignore = "started by the test below"]
fn a_scan_without_a_descriptor_to_spare() {
    let root = PathBuf::from(std::env::var_os(ROOT).expect("started by the other test"));
    let roots = [root];
    let (sessions, trouble) = scan_roots(&roots, ScanDepth::Candidates);
    assert_eq!((sessions.len(), trouble), (240, Trouble::default()));
    let mut taken = Vec::new();
    let file = &sessions[0].file;
    while let Ok(file) = File::open("/dev/null") {
        taken.push(file);
    }
    // The folders cannot be listed, and a file is neither unreadable nor gone.
    let (none, trouble) = scan_roots(&roots, ScanDepth::Candidates);
    assert_eq!((none.len(), trouble.folders.len()), (0, 1));
    assert!(trouble.hides(file), "it may still be there");
    let project = &file.project;
    let read = rescan(&project.root, &project.dir, &file.id);
    assert_eq!(read.map(|_| ()), Err(TooManyOpen(file.path())));
    // One is enough.
    taken.pop();
    let (sessions, trouble) = scan_roots(&roots, ScanDepth::Candidates);
    assert_eq!((sessions.len(), trouble), (240, Trouble::default()));
}

#[test]
fn what_cannot_be_opened_now_is_neither_unreadable_nor_gone() {
    let store = store();
    let output = Command::new("/bin/sh")
        .args(["-c", "ulimit -n 40 && exec \"$@\"", "sh"])
        .arg(std::env::current_exe().expect("known"))
        .args([
            "--exact",
            "descriptors::a_scan_without_a_descriptor_to_spare",
        ])
        .args(["--ignored", "--test-threads=1"])
        .env(ROOT, store.root())
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

/// With hardly any, something may be missing, but it is said, and nothing of it is kept.
#[test]
fn what_could_not_be_opened_is_said_and_not_kept() {
    let store = store();
    for limit in 4..20 {
        for arguments in [
            &["list", "--all", "--limit", "0"][..],
            &["search", "--all", "--limit", "0", "-l", "heron"],
        ] {
            let ran = run_within(limit, &store, arguments);
            let is_whole = ran.code == Some(0) && lines(&ran.out) == 240;
            let is_said = ran.err.contains("too many open files") && ran.code.is_some();
            assert!(
                is_whole || is_said,
                "{limit} {arguments:?}: {:?} {} of 240\n{}",
                ran.code,
                lines(&ran.out),
                ran.err
            );
        }
    }
    let ran = run_within(256, &store, &["list", "--all", "--limit", "0"]);
    assert_eq!((lines(&ran.out), &*ran.err), (240, "shown 240 of 240\n"));
}
