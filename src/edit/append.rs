//! Adding whole lines to the history, under its lock, with one write.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::lock::{Lock, WriteError};
use super::private;
use crate::files;

/// Adds lines, each with its newline. The file is made if it is not there.
pub fn append(path: &Path, lines: &str) -> Result<(), WriteError> {
    let failed = |error| WriteError::failed(path, error);
    // The lock is on the real path, so the file has to be there first.
    let mut options = private::options();
    options.create(true).append(true).read(true);
    let mut file = files::open_with(&mut options, path).map_err(failed)?;
    let lock = Lock::take(path)?;
    let written = (|| {
        // The last line may be incomplete: ours must not become a part of it.
        let mut text = String::with_capacity(lines.len() + 1);
        if !ends_a_line(&mut file)? {
            text.push('\n');
        }
        text.push_str(lines);
        file.write_all(text.as_bytes())
    })();
    drop(lock);
    written.map_err(failed)
}

fn ends_a_line(file: &mut fs::File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
#[path = "append_tests.rs"]
mod tests;
