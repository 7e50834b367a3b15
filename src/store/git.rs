//! Asking git: one question, one answer, never longer than a person waits.
//!
//! Only questions that change nothing are asked here. Whoever asks says in which directory.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A repository on a network drive that sleeps must not hold up a listing.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// What git prints, if it succeeds.
pub fn git<S: AsRef<OsStr>>(dir: &Path, arguments: &[S]) -> Option<Vec<u8>> {
    let output = git_output(dir, arguments).ok()?;
    output.status.success().then_some(output.stdout)
}

/// All that git says. An error means that there is no git.
pub fn git_output<S: AsRef<OsStr>>(dir: &Path, arguments: &[S]) -> io::Result<Output> {
    unled(&mut Command::new("git"))
        .arg("-C")
        .arg(dir)
        .args(arguments)
        // A question must not write: `status` would refresh the index otherwise.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
}

/// Takes from a command of git what it may have inherited from a hook or an alias, and what would
/// lead it to another repository than the one that it is given.
pub fn unled(command: &mut Command) -> &mut Command {
    for name in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
    ] {
        command.env_remove(name);
    }
    command
}

/// Does it on another thread; `None` if it takes too long. A thread that git keeps waiting is
/// left behind: it only reads, and ends with the program.
pub fn patiently<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(TIME_LIMIT).ok()
}

#[cfg(unix)]
pub fn to_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
