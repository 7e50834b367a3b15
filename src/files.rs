//! The one way to open files: regular ones only, and without waiting.
//!
//! A file that this program did not write a moment ago may be a pipe, a device or an endless file
//! by now. Opening a pipe waits for its writer and reading a device never ends, so neither is
//! opened, and what is read whole has a limit. Errors say what is wrong; the caller names the path.
//!
//! A process may have few files open: 256 on macOS, less in some shells. Where it has none left, other
//! threads will close theirs in a moment, so opening waits for them. The limit is not raised:
//! Claude Code would inherit it.

use std::fs::{File, OpenOptions, ReadDir};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::text::size;

/// More than a configuration, a settings file or a note beside a session ever holds, in bytes.
pub const SMALL: u64 = 1024 * 1024;
/// More than any file that is read whole ever holds, in bytes: `.claude.json` has tens of
/// megabytes in old installations.
pub const LARGE: u64 = 64 * 1024 * 1024;

/// How often all threads together wait for a file to be closed, and how long, before it counts as an
/// error.
const MOST_WAITS: usize = 50;
const WAIT: Duration = Duration::from_millis(2);
/// The waits since something was last opened.
static WAITS: AtomicUsize = AtomicUsize::new(0);

/// Opens something, and waits while too many files are open.
fn patiently<T>(mut open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match open() {
            Err(error) if is_exhausted(&error) => {
                if WAITS.fetch_add(1, Ordering::Relaxed) >= MOST_WAITS {
                    return Err(error);
                }
                thread::sleep(WAIT);
            }
            Err(error) => return Err(error),
            Ok(opened) => {
                WAITS.store(0, Ordering::Relaxed);
                return Ok(opened);
            }
        }
    }
}

/// Are too many files open? Then nothing is wrong with the one that could not be opened.
pub fn is_exhausted(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let exhausted = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
        error
            .raw_os_error()
            .is_some_and(|code| exhausted.contains(&code))
    }
    #[cfg(windows)]
    {
        const ERROR_TOO_MANY_OPEN_FILES: i32 = 4;
        error.raw_os_error() == Some(ERROR_TOO_MANY_OPEN_FILES)
    }
}

/// Lists a folder.
pub fn read_dir(folder: &Path) -> io::Result<ReadDir> {
    patiently(|| std::fs::read_dir(folder))
}

/// Opens a regular file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

/// Opens a regular file in the way that the options say.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = patiently(|| options.open(path))?;
    if !file.metadata()?.is_file() {
        let reason = "not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(file)
}

/// Fills a buffer from a position of a file.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: usize) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, buffer, at as u64);
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < buffer.len() {
            let at = (at + done) as u64;
            match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[done..], at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        Ok(())
    }
}

/// Reads a regular file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // The size that a file claims is neither believed nor allocated.
    open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let reason = format!("larger than {}", size(most));
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Reads a regular file of at most so many bytes as text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
}

/// The content of a small JSON file; `None` if it cannot be read or holds no JSON.
pub fn read_json(path: &Path) -> Option<Value> {
    json_if_open(path).ok().flatten()
}

/// The same, but an error if too many files are open to know.
pub fn json_if_open(path: &Path) -> io::Result<Option<Value>> {
    let bytes = match read(path, SMALL) {
        Ok(bytes) => bytes,
        Err(error) if is_exhausted(&error) => return Err(error),
        Err(_) => return Ok(None),
    };
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(serde_json::from_slice(json).ok())
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
