//! From Enter to `claude`, on a store of 10,000 sessions: the processor time that is ours.
//!
//! `cargo bench --bench resume` runs the real binary on a pseudo-terminal. This program stands in
//! for `claude`: a process that becomes another one keeps its clock, so the first thing it does is to
//! read it. The kernel counts in steps of 10 ms, so many rounds are taken and their mean is told.
//! Linux only.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout)]

#[path = "generate.rs"]
#[allow(dead_code)]
mod generate;

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

/// Where this program writes its clock down when it stands in for `claude`.
const RECORD: &str = "CLAUDE_RESUME_BENCH_RECORD";
const SESSIONS: usize = 10_000;
const ROUNDS: u32 = 30;
const ID: &str = "ffffffff-0000-4000-8000-00000000beef";
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    if let Some(record) = std::env::var_os(RECORD) {
        let clock = clock("self").as_millis().to_string();
        let new = PathBuf::from(&record).with_extension("new");
        fs::write(&new, clock).expect("written");
        fs::rename(new, record).expect("written");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join("claude");
    generate::generate(&store, SESSIONS, generate::Size::Realistic);
    let home = folder.path().join("home");
    let project = home.join("project");
    fs::create_dir_all(&project).expect("made");
    let made = Command::new("git")
        .args(["init", "-q", "-b", "main"])
        .arg(&project)
        .status();
    assert!(made.is_ok_and(|status| status.success()), "git is there");
    newest(&store, &project);

    let bench = Bench {
        store,
        home,
        project,
    };
    let (mut used, mut waited) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..ROUNDS {
        let (processor, wall) = bench.enter();
        used += processor;
        waited += wall;
    }
    println!("-- Enter to exec, {SESSIONS} sessions, mean of {ROUNDS}");
    println!("our processor time: {:.1?} (budget 20 ms)", used / ROUNDS);
    println!("until claude runs: {:.1?}", waited / ROUNDS);
    let (mut used, mut waited) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..ROUNDS {
        let (processor, wall) = bench.named();
        used += processor;
        waited += wall;
    }
    println!("-- claude-resume ID to exec, everything included");
    println!("our processor time: {:.1?}", used / ROUNDS);
    println!("until claude runs: {:.1?}", waited / ROUNDS);
}

/// A session that is newer than all others, in a directory that exists.
fn newest(store: &Path, project: &Path) {
    let cwd = project.to_str().expect("UTF-8");
    let folder = claude_resume::paths::project_name(cwd);
    let folder = store.join("projects").join(folder.as_str());
    fs::create_dir_all(&folder).expect("made");
    let branch = "main";
    let mut text = String::new();
    for n in 0..400 {
        let kind = if n % 2 == 0 { "user" } else { "assistant" };
        let parent = if n == 0 {
            "null".to_owned()
        } else {
            format!("\"{:08x}-0000-4000-8000-00000000beef\"", n - 1)
        };
        let line = format!(
            r#"{{"parentUuid":{parent},"isSidechain":false,"type":"{kind}","message":{{"role":"{kind}","content":"{}"}},"uuid":"{n:08x}-0000-4000-8000-00000000beef","timestamp":"2026-06-01T10:00:00.000Z","cwd":"{cwd}","gitBranch":"{branch}"}}"#,
            generate::filler(n, 1000)
        );
        text += &line;
        text.push('\n');
    }
    fs::write(folder.join(format!("{ID}.jsonl")), text).expect("written");
}

struct Bench {
    store: PathBuf,
    home: PathBuf,
    project: PathBuf,
}

impl Bench {
    /// Our time from Enter to the moment when `claude` runs, on all threads, and the time that
    /// passed.
    fn enter(&self) -> (Duration, Duration) {
        let record = self.home.join("record");
        let _ = fs::remove_file(&record);
        let mut picker = self.open(&["--all"], &record);
        picker.wait(|text| {
            text.contains("sessions") && !text.contains("scanning") && !text.contains("looking")
        });
        // Its preview is read, too.
        thread::sleep(Duration::from_millis(700));
        let pid = picker.child.process_id().expect("a process").to_string();
        let before = clock(&pid);
        let pressed = Instant::now();
        picker.input.write_all(b"\r").expect("typed");
        picker.input.flush().expect("typed");
        let (after, at) = recorded(&record);
        picker.child.wait().expect("ends");
        (after.saturating_sub(before), at - pressed)
    }

    /// The same for a session that is named.
    fn named(&self) -> (Duration, Duration) {
        let record = self.home.join("record");
        let _ = fs::remove_file(&record);
        let started = Instant::now();
        let mut picker = self.open(&[ID], &record);
        let (after, at) = recorded(&record);
        picker.child.wait().expect("ends");
        (after, at - started)
    }

    fn open(&self, arguments: &[&str], record: &Path) -> OnTerminal {
        let size = PtySize {
            rows: 40,
            cols: 120,
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_claude-resume"));
        command.args(arguments);
        let this = std::env::current_exe().expect("a path");
        command.env("CLAUDE_RESUME_COMMAND", this);
        command.env(RECORD, record);
        command.env("HOME", &self.home);
        command.env("CLAUDE_CONFIG_DIR", &self.store);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.cwd(&self.project);
        let mut reader = pty.master.try_clone_reader().expect("readable");
        let input = pty.master.take_writer().expect("writable");
        let (sender, output) = channel();
        let child = pty.slave.spawn_command(command).expect("starts");
        thread::spawn(move || {
            let _ends = (pty.slave, pty.master);
            let mut buffer = vec![0; 65_536];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let cells = |count| NonZero::new(count).expect("some");
        OnTerminal {
            child,
            input,
            output,
            screen: vt100::Parser::new(cells(40), cells(120), 0),
        }
    }
}

struct OnTerminal {
    child: Box<dyn Child + Send + Sync>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl OnTerminal {
    fn wait(&mut self, wanted: impl Fn(&str) -> bool) {
        while !wanted(&self.screen.screen().contents()) {
            let bytes = self.output.recv_timeout(PATIENCE).expect("output");
            self.screen.process(&bytes);
        }
    }
}

/// What the stand-in wrote down, and when it was there.
fn recorded(record: &Path) -> (Duration, Instant) {
    let start = Instant::now();
    loop {
        if let Ok(text) = fs::read_to_string(record) {
            let clock = text.parse().expect("a number");
            return (Duration::from_millis(clock), Instant::now());
        }
        assert!(start.elapsed() < PATIENCE, "claude was never run");
        thread::sleep(Duration::from_micros(200));
    }
}

/// The processor time of a process, its threads that have ended included.
fn clock(pid: &str) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("Linux");
    let fields = stat.rsplit_once(')').expect("a name").1;
    let ticks: u64 = fields
        .split_ascii_whitespace()
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u64>().expect("a number"))
        .sum();
    // A hundred a second, on every Linux that there is.
    Duration::from_millis(ticks * 10)
}
