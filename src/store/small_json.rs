//! Small JSON files that others write: read whole, or not at all.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde_json::Value;

/// More than any such file holds.
const MAX_BYTES: u64 = 64 * 1024;

/// The content of a regular file; `None` if it is none, is not there, or holds no JSON.
pub fn read(path: &Path) -> Option<Value> {
    // Opening a pipe would wait for somebody to write into it.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(json).ok()
}
