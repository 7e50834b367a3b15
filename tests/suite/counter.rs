//! A counter to hand sessions over: a store, a `claude` that writes down how it was called, and a
//! look at the whole config directory before and after each run.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::support::{Ran, Store, conversation, id};

pub struct Counter {
    pub store: Store,
    record: PathBuf,
}

/// How `claude` was called.
#[derive(Debug, PartialEq, Eq)]
pub struct Call {
    pub cwd: String,
    pub config_dir: String,
    pub persist: String,
    pub arguments: Vec<String>,
}

impl Counter {
    pub fn new() -> Self {
        let store = Store::new();
        let bin = store.outside("bin");
        let record = bin.join("record");
        let script = format!(
            "#!/bin/sh\nprintf '%s\\0' \"$PWD\" \"$CLAUDE_CONFIG_DIR\" \"$CLAUDE_CODE_FORCE_SESSION_PERSISTENCE\" \"$@\" > '{}'\nexit 7\n",
            record.display()
        );
        let claude = bin.join("claude");
        fs::write(&claude, script).expect("written");
        fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).expect("set");
        Self { store, record }
    }

    /// A session in a directory of its own, filed where Claude Code would file it.
    pub fn session(&self, n: u32, directory: &Path, title: &str) -> PathBuf {
        let name = serde_json::json!({"type": "ai-title", "aiTitle": title});
        let content = conversation(title, path(directory));
        self.file(n, directory, format!("{content}{name}\n"))
    }

    pub fn file(&self, n: u32, directory: &Path, content: impl AsRef<[u8]>) -> PathBuf {
        let folder = claude_resume::paths::project_name(path(directory));
        self.store
            .session(folder.as_str(), &id(n), u64::from(n), content)
    }

    pub fn command(&self, here: &Path, arguments: &[&str]) -> Command {
        let mut command = self.store.command(here);
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.store.outside("bin");
        command
            .env("PATH", format!("{}:{path}", bin.display()))
            .args(arguments);
        command
    }

    /// Runs the binary off any terminal. Nothing in the config directory may change.
    pub fn run(&self, here: &Path, arguments: &[&str]) -> Ran {
        self.run_command(&mut self.command(here, arguments))
    }

    pub fn run_command(&self, command: &mut Command) -> Ran {
        let _ = fs::remove_file(&self.record);
        let before = fingerprint(&self.store.root());
        let ran = Ran::from(&command.output().expect("runs"));
        assert_eq!(
            before,
            fingerprint(&self.store.root()),
            "the config directory is untouched"
        );
        ran
    }

    /// How `claude` was called, if it was.
    pub fn called(&self) -> Option<Call> {
        let text = fs::read_to_string(&self.record).ok()?;
        let mut words = text.split_terminator('\0').map(str::to_owned);
        Some(Call {
            cwd: words.next()?,
            config_dir: words.next()?,
            persist: words.next()?,
            arguments: words.collect(),
        })
    }

    /// Which session `claude` was to resume, and where.
    pub fn resumed(&self) -> Option<(String, String)> {
        let call = self.called()?;
        let at = call.arguments.iter().position(|word| word == "--resume")?;
        Some((call.arguments.get(at + 1)?.clone(), call.cwd))
    }
}

pub fn path(directory: &Path) -> &str {
    directory.to_str().expect("UTF-8")
}

/// Every path below a folder with its time, its size and a hash of its content.
pub type Fingerprint = Vec<(PathBuf, SystemTime, u64, u64)>;

pub fn fingerprint(folder: &Path) -> Fingerprint {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let metadata = fs::symlink_metadata(&path).expect("there");
        let mut hasher = DefaultHasher::new();
        if metadata.is_dir() {
            let entries = fs::read_dir(&path).expect("listed");
            open.extend(entries.map(|entry| entry.expect("listed").path()));
        } else {
            fs::read(&path).unwrap_or_default().hash(&mut hasher);
        }
        let modified = metadata.modified().expect("known");
        found.push((path, modified, metadata.len(), hasher.finish()));
    }
    found.sort();
    found
}
