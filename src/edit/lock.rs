//! The lock that Claude Code's writers of the history hold: npm's `proper-lockfile`.
//!
//! A directory `<file>.lock` next to the file's real path: the process that creates it holds the
//! lock. Its time is renewed while the lock is held, so one that was not renewed for ten seconds
//! belongs to a process that died, and is removed. Claude Code does not see locks of the operating
//! system.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

/// A lock that was not renewed for this long is stale.
pub const STALE: Duration = Duration::from_secs(10);
/// How often it is renewed: often enough that one renewal may come late.
const RENEWAL: Duration = Duration::from_secs(5);
/// How long to wait before each further attempt.
const WAITS: [Duration; 3] = [
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(200),
];

/// Why a history was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{} is held by another process", .0.display())]
    Busy(PathBuf),
    #[error(
        "{}: this lock is stale, but it cannot be removed ({error}): remove it by hand",
        folder.display()
    )]
    Stuck { folder: PathBuf, error: io::Error },
    #[error("{}: cannot be written: {error}", path.display())]
    Failed { path: PathBuf, error: io::Error },
}

impl WriteError {
    pub fn failed(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        Self::Failed { path, error }
    }

    /// Whether it is worth trying again later.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Busy(_))
    }
}

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    /// Dropping it ends the thread that renews the lock.
    renewal: Option<Sender<()>>,
    /// Returns whether the lock is still ours to release: another process may have taken it for
    /// stale.
    renewing: Option<thread::JoinHandle<bool>>,
}

impl Lock {
    /// Locks a file, which must exist. Waits for a third of a second at most.
    pub fn take(file: &Path) -> Result<Self, WriteError> {
        let failed = |error| WriteError::failed(file, error);
        let real = file.canonicalize().map_err(failed)?;
        let mut folder = real.into_os_string();
        folder.push(".lock");
        let folder = PathBuf::from(folder);
        for wait in WAITS.map(Some).into_iter().chain([None]) {
            if attempt(&folder)?
                && let Some(lock) = Self::hold(&folder).map_err(failed)?
            {
                return Ok(lock);
            }
            if let Some(wait) = wait {
                thread::sleep(wait);
            }
        }
        Err(WriteError::Busy(folder))
    }

    /// Renews the lock from now on; `None` if another process took it for stale meanwhile.
    fn hold(folder: &Path) -> io::Result<Option<Self>> {
        let (renewal, dropped) = channel::<()>();
        let mut known = match modified(folder) {
            Ok(known) => known,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let path = folder.to_owned();
        let renewing = thread::Builder::new()
            .name("lock".to_owned())
            .spawn(move || {
                while dropped.recv_timeout(RENEWAL) == Err(RecvTimeoutError::Timeout) {
                    match renew(&path, known) {
                        Some(now) => known = now,
                        None => return false,
                    }
                }
                modified(&path).is_ok_and(|now| now == known)
            })
            .inspect_err(|_| {
                // Nothing would renew it, and others need not wait until it is stale.
                let _ = fs::remove_dir(folder);
            })?;
        Ok(Some(Self {
            folder: folder.to_owned(),
            renewal: Some(renewal),
            renewing: Some(renewing),
        }))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.renewal.take();
        let is_ours = self.renewing.take().map(thread::JoinHandle::join);
        if let Some(Ok(true)) = is_ours {
            // One that cannot be removed is stale in ten seconds.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Tries to make the folder, once more if what is there is stale.
fn attempt(folder: &Path) -> Result<bool, WriteError> {
    let failed = |error| WriteError::failed(folder, error);
    for _ in 0..2 {
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| true).map_err(failed),
        }
        match modified(folder) {
            Ok(seen) if !is_stale(seen) => return Ok(false),
            // Another process may have found it stale too and have it by now: the shorter the time
            // between this look and the removal, the better. Appends are single writes, so that
            // even two holders at once lose nothing.
            Ok(_) => match fs::remove_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    // Something is in it, or it is not a directory.
                    let folder = folder.to_owned();
                    return Err(WriteError::Stuck { folder, error });
                }
                _ => {}
            },
            // It was released in between.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(false)
}

fn modified(folder: &Path) -> io::Result<SystemTime> {
    fs::metadata(folder)?.modified()
}

/// A time in the future is that of a clock that was set back: it is not stale.
fn is_stale(seen: SystemTime) -> bool {
    let age = SystemTime::now().duration_since(seen);
    age.is_ok_and(|age| age > STALE)
}

/// Renews the lock if it is still ours. Returns its new time.
fn renew(folder: &Path, known: SystemTime) -> Option<SystemTime> {
    if modified(folder).ok()? != known {
        return None;
    }
    let times = FileTimes::new().set_modified(SystemTime::now());
    File::open(folder).ok()?.set_times(times).ok()?;
    modified(folder).ok()
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
