//! `--demo`: the sample store, unpacked into a temporary folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use tempfile::TempDir;

use crate::demo::demo;
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
    // This process stands for the Claude Code that has the session open.
    let pid = std::process::id();
    for (id, status) in &made.running {
        let entry = json!({
            "pid": pid, "sessionId": id, "status": status,
            "procStart": own_start(), "startedAt": now,
        });
        let registry = folder.path().join("sessions");
        fs::create_dir_all(&registry)?;
        fs::write(registry.join(format!("{pid}.json")), entry.to_string())?;
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
    let _ = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _ = fs::remove_dir_all(folder);
            std::process::exit(128 + signal);
        }
    });
}

#[cfg(not(unix))]
pub fn remove_on_signals(_folder: &Path) {}

/// When this process started, as the kernel counts it.
fn own_start() -> Option<String> {
    let stat = files::read_text("/proc/self/stat".as_ref(), files::SMALL).ok()?;
    let fields = stat.rsplit_once(')')?.1;
    fields.split_ascii_whitespace().nth(19).map(str::to_owned)
}
