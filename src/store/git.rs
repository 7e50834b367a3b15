//! Asking git: one question, one answer, never longer than a person waits.
//!
//! Only questions that change nothing are asked here. The caller names the directory.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// A repository on a network drive that sleeps must not hold up a listing.
const TIME_LIMIT: Duration = Duration::from_secs(3);
/// How long it takes to end a git that was too slow, and to say so.
const GRACE: Duration = Duration::from_millis(300);

thread_local! {
    /// When the caller of this thread stops waiting.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Held for reading while a program starts.
static STARTING: RwLock<()> = RwLock::new(());

/// Does something while no program is starting. A program that is stopped together with us before
/// it has started keeps the thread that starts it waiting, and so all of us from stopping.
pub fn between_starts<T>(work: impl FnOnce() -> T) -> T {
    let _starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Starts a program on a thread that must not keep us from stopping.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    command.spawn()
}

fn start(command: &mut Command) -> io::Result<Child> {
    spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

/// What git prints, if it succeeds.
pub fn git<S: AsRef<OsStr>>(dir: &Path, arguments: &[S]) -> Option<Vec<u8>> {
    let output = git_output(dir, arguments).ok()?;
    output.status.success().then_some(output.stdout)
}

/// All that git says. An error means that there is no git, or that it was too slow.
pub fn git_output<S: AsRef<OsStr>>(dir: &Path, arguments: &[S]) -> io::Result<Output> {
    let mut command = Command::new("git");
    clear_git_env(&mut command)
        // They may name programs of the repository, which a question has no reason to start.
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "log.showSignature=false",
        ])
        .arg("-C")
        .arg(dir)
        .args(arguments)
        // A question must not write: `status` would refresh the index otherwise.
        .env("GIT_OPTIONAL_LOCKS", "0")
        // What a partial clone lacks is not fetched, and no password is asked for.
        .env("GIT_ALLOW_PROTOCOL", "")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    match DEADLINE.get() {
        None => start(&mut command)?.wait_with_output(),
        Some(deadline) => output_before(&mut command, deadline),
    }
}

/// What a program prints until then; one that is still at it is ended.
fn output_before(command: &mut Command, deadline: Instant) -> io::Result<Output> {
    let left = || deadline.saturating_duration_since(Instant::now());
    if left().is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    let mut child = start(command)?;
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let printed = stdout.recv_timeout(left());
    let printed = printed.and_then(|stdout| Ok((stdout, stderr.recv_timeout(left())?)));
    let Ok((stdout, stderr)) = printed else {
        // One that waits for a disk may take its time even then. Only this thread waits for it.
        let _ = child.kill().and_then(|()| child.wait());
        return Err(io::ErrorKind::TimedOut.into());
    };
    Ok(Output {
        status: child.wait()?,
        stdout,
        stderr,
    })
}

/// Reads to the end on its own thread, so that the caller can stop waiting. Without a thread nothing
/// is received.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let mut printed = Vec::new();
        if let Some(mut pipe) = pipe {
            // What came before a mistake is all that there is.
            let _ = pipe.read_to_end(&mut printed);
        }
        let _ = sender.send(printed);
    };
    let _ = thread::Builder::new().spawn(read);
    receiver
}

/// Removes the variables that a hook or an alias sets, and that would lead git to another repository.
pub fn clear_git_env(command: &mut Command) -> &mut Command {
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

/// Does something on another thread. `None` if there is no thread, or if it takes too long: then its
/// git is ended, and what it made of that is not used.
pub fn with_timeout<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let deadline = Instant::now() + TIME_LIMIT;
    let work = move || {
        DEADLINE.set(Some(deadline));
        let found = work();
        if Instant::now() < deadline {
            // The caller may have stopped waiting.
            let _ = sender.send(found);
        }
    };
    let _ = thread::Builder::new().spawn(work);
    receiver.recv_timeout(TIME_LIMIT + GRACE).ok()
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
