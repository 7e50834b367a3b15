//! The one way to open files: regular ones only, and without waiting.
//!
//! A file that this program did not write a moment ago may be a pipe, a device or an endless file
//! by now. Opening a pipe waits for its writer and reading a device never ends, so neither is
//! opened, and what is read whole has a limit. Errors say what is wrong; the caller names the path.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

use crate::text::size;

/// More than a configuration, a settings file or a note beside a session ever holds, in bytes.
pub const SMALL: u64 = 1024 * 1024;
/// More than any file that is read whole ever holds, in bytes: `.claude.json` has tens of
/// megabytes in old installations.
pub const LARGE: u64 = 64 * 1024 * 1024;

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
    let file = options.open(path)?;
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
    let bytes = read(path, SMALL).ok()?;
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(json).ok()
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
