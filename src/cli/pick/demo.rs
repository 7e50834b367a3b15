//! `--demo`: the sample store, unpacked into a temporary folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use tempfile::TempDir;

use crate::demo::{DemoRun, demo};
use crate::files;

/// Writes the store. It is deleted when the returned value is dropped.
pub fn unpack(home: &str, now: i64) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("claude-resume-demo-")
        .tempdir()?;
    let made = demo(home, now);
    for file in &made.files {
        let path = folder.path().join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &file.content)?;
        let since = Duration::from_millis(u64::try_from(file.modified).unwrap_or(0));
        File::options()
            .append(true)
            .open(&path)?
            .set_modified(UNIX_EPOCH + since)?;
    }
    for run in &made.running {
        register(folder.path(), run, now)?;
    }
    Ok(folder)
}

/// Deletes the store if a signal ends the numbered list, which waits for a line. The full screen
/// handles signals itself.
#[cfg(unix)]
pub fn remove_on_signals(folder: &Path) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
        return;
    };
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _ = fs::remove_dir_all(folder);
            std::process::exit(128 + signal);
        }
    });
}

#[cfg(not(unix))]
pub fn remove_on_signals(_folder: &Path) {}

/// Registers this process as the Claude Code that has the session open.
fn register(root: &Path, run: &DemoRun, now: i64) -> io::Result<()> {
    let pid = std::process::id();
    let start = files::read_text("/proc/self/stat".as_ref(), files::SMALL)
        .ok()
        .and_then(|stat| {
            let fields = stat.rsplit_once(')')?.1;
            fields.split_ascii_whitespace().nth(19).map(str::to_owned)
        });
    let entry = json!({
        "pid": pid, "sessionId": run.session_id, "status": run.status,
        "procStart": start, "startedAt": now,
    });
    let folder = root.join("sessions");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("{pid}.json")), entry.to_string())
}
