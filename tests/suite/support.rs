//! Stores made for one test, and the binary run on them.

use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, Once};
use std::time::{Duration, UNIX_EPOCH};

use claude_resume::store::{
    Event, LastPrompt, LiteReader, LiteReading, ScanDepth, Session, Trouble, scan,
};
use serde_json::{Value, json};

/// 2026-03-01T10:00:00Z, when the sessions of these tests happen.
pub const NOON: u64 = 1_772_359_200;

/// A session id that ends in `n`.
pub fn id(n: u32) -> String {
    format!("{n:08x}-0000-4000-8000-000000000000")
}

/// The beginning of a session: one prompt and one answer.
pub fn conversation(prompt: &str, cwd: &str) -> String {
    // Sessions that begin with the same message would be forks of one another.
    let own = prompt.bytes().chain(cwd.bytes()).fold(1_u32, |hash, byte| {
        hash.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    lines(&[user(prompt, cwd), assistant("Done.", cwd)])
        .replace("00000001-0000-4000", &format!("{own:08x}-0000-4000"))
}

pub fn user(prompt: &str, cwd: &str) -> Value {
    json!({
        "parentUuid": null, "isSidechain": false, "type": "user",
        "message": {"role": "user", "content": prompt},
        "uuid": "00000001-0000-4000-8000-000000000000",
        "timestamp": "2026-03-01T10:00:00.000Z", "cwd": cwd, "gitBranch": "main",
    })
}

pub fn assistant(text: &str, cwd: &str) -> Value {
    json!({
        "parentUuid": "00000001-0000-4000-8000-000000000000", "isSidechain": false,
        "message": {"id": "msg", "role": "assistant", "content": [{"type": "text", "text": text}]},
        "type": "assistant", "uuid": "00000002-0000-4000-8000-000000000000",
        "timestamp": "2026-03-01T10:00:05.000Z", "cwd": cwd, "gitBranch": "main",
    })
}

/// The entry with this number in a conversation, behind the one before it. Ten are written in ten
/// minutes of an hour, and two hundred a day.
pub fn entry(n: usize, kind: &str, content: &Value) -> Value {
    let uuid = |n: usize| id(u32::try_from(n).expect("few"));
    json!({"parentUuid": n.checked_sub(1).map(uuid), "isSidechain": false, "type": kind,
           "uuid": uuid(n), "cwd": "/home/ada/code/shop", "sessionId": "s",
           "timestamp": format!("2026-03-{:02}T{:02}:{:02}:00.000Z", 1 + n / 200, n % 200 / 10, n % 10),
           "message": {"id": format!("m{n}"), "role": kind, "content": content}})
}

pub fn lines(entries: &[Value]) -> String {
    let mut text = String::new();
    for entry in entries {
        text += &entry.to_string();
        text.push('\n');
    }
    text
}

/// A config directory that vanishes with the test.
pub struct Store {
    folder: tempfile::TempDir,
}

impl Store {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(folder.path().join("claude/projects")).expect("made");
        fs::create_dir(folder.path().join("home")).expect("made");
        Self { folder }
    }

    /// The config directory.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("claude")
    }

    pub fn project(&self, name: &str) -> PathBuf {
        let folder = self.root().join("projects").join(name);
        fs::create_dir_all(&folder).expect("made");
        folder
    }

    /// A place outside the config directory, by its real path.
    pub fn outside(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).expect("made");
        folder.canonicalize().expect("exists")
    }

    /// Writes a session whose file was last changed `minutes` after noon.
    pub fn session(
        &self,
        project: &str,
        id: &str,
        minutes: u64,
        content: impl AsRef<[u8]>,
    ) -> PathBuf {
        let path = self.project(project).join(format!("{id}.jsonl"));
        fs::write(&path, content).expect("written");
        set_modified(&path, NOON + minutes * 60);
        path
    }

    /// Lets this process pass for a Claude Code that has a session open. Says which process that
    /// is; `None` where processes cannot be told apart.
    pub fn running(&self, id: &str, status: &str, tmux: Option<&str>) -> Option<u32> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        let start = fields.split_ascii_whitespace().nth(19)?;
        let pid = std::process::id();
        let mut entry = json!({"pid": pid, "sessionId": id, "procStart": start, "status": status});
        if let Some(tmux) = tmux {
            entry["tmux"] = json!(tmux);
        }
        let folder = self.root().join("sessions");
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join(format!("{pid}.json")), entry.to_string()).expect("written");
        Some(pid)
    }

    /// Runs the binary on this store, far away from the real home.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_in(self.folder.path(), arguments)
    }

    pub fn run_in(&self, dir: &Path, arguments: &[&str]) -> Ran {
        Ran::from(&self.command(dir).args(arguments).output().expect("runs"))
    }

    pub fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_claude-resume"));
        command
            .current_dir(dir)
            .env_clear()
            .env("HOME", self.folder.path().join("home"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TZ", "UTC")
            .env("CLAUDE_CONFIG_DIR", self.root());
        command
    }

    /// All sessions by the library, and what was in the way.
    pub fn scan(&self, depth: ScanDepth) -> (Vec<Session>, Trouble) {
        scan_roots(&[self.root()], depth)
    }
}

pub fn scan_roots(roots: &[PathBuf], depth: ScanDepth) -> (Vec<Session>, Trouble) {
    let found = Mutex::new((Vec::new(), None));
    let stop = AtomicBool::new(false);
    scan(roots, depth, None, &stop, &|event| {
        let mut found = found.lock().expect("fine");
        match event {
            Event::Listed(_) => {}
            Event::Batch(batch) => found.0.extend(batch),
            Event::Finished(trouble) => found.1 = Some(trouble),
        }
        ControlFlow::Continue(())
    });
    let (mut sessions, trouble): (Vec<Session>, _) = found.into_inner().expect("fine");
    sessions.sort_by(|a, b| a.file.id.cmp(&b.file.id));
    (sessions, trouble.expect("the scan finished"))
}

pub fn set_modified(path: &Path, seconds: u64) {
    let file = File::options().append(true).open(path).expect("opens");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
        .expect("set");
}

/// Makes a named pipe.
#[cfg(unix)]
pub fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("runs");
    assert!(made.success(), "{}: a pipe", path.display());
}

/// Runs a command that prints little and has to end by itself: one that waits for something is
/// ended, and fails the test.
#[cfg(target_os = "linux")]
pub fn run_briefly(command: &mut Command) -> Ran {
    use std::process::Stdio;
    use std::time::Instant;
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("runs");
    let began = Instant::now();
    while child.try_wait().expect("is ours").is_none() {
        let is_late = began.elapsed() > Duration::from_secs(30);
        if is_late {
            child.kill().expect("ended");
        }
        assert!(!is_late, "{command:?} does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    Ran::from(&child.wait_with_output().expect("ended"))
}

/// Reads bytes as the windows of a file.
pub fn read(bytes: &[u8]) -> LiteReading {
    LiteReader::default()
        .read(&bytes, bytes.len() as u64, LastPrompt::Entry)
        .expect("slices never fail")
}

/// What a run of the binary left behind.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn from(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8"),
            err: String::from_utf8(output.stderr.clone()).expect("stderr is UTF-8"),
        }
    }

    /// The objects of a `--json` listing.
    pub fn json(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).expect("an object a line"))
            .collect()
    }

    /// The message, the voice and the place of each passage that `search --json` printed.
    pub fn passages(&self) -> Vec<(String, String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let objects = self.json();
        let objects = objects.iter();
        objects
            .map(|it| (text(&it["uuid"]), text(&it["role"]), text(&it["place"])))
            .collect()
    }

    /// The first eight characters of each id in a tab-separated listing.
    pub fn ids(&self) -> Vec<&str> {
        self.out.lines().map(|line| &line[..8]).collect()
    }
}

/// Where transcripts are kept that are not part of the project.
const CORPUS: &str = "CLAUDE_RESUME_CORPUS";

/// Notes that a check is left out on this machine, for the list at the end of the run.
pub fn skip(why: &str) {
    static FIRST: Once = Once::new();
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped.txt");
    FIRST.call_once(|| {
        let _ = fs::remove_file(&list);
    });
    let test = std::thread::current();
    let line = format!("{}: {why}\n", test.name().unwrap_or("a test"));
    let file = fs::File::options().create(true).append(true).open(list);
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("noted");
}

/// All transcripts of the corpus, in order. Says that the test is skipped if there is none.
pub fn corpus() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os(CORPUS) else {
        skip(&format!("{CORPUS} names no folder with transcripts"));
        return None;
    };
    let mut found = Vec::new();
    transcripts(Path::new(&folder), &mut found);
    found.sort();
    assert!(!found.is_empty(), "{CORPUS} has transcripts in it");
    Some(found)
}

fn transcripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            transcripts(&path, found);
        } else if path.extension().is_some_and(|it| it == "jsonl") {
            found.push(path);
        }
    }
}
