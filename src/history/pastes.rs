//! What was pasted into a prompt, put back where the prompt refers to it.
//!
//! Short pastes stand in the history itself, long ones in a file called after the hash of their
//! text. Such files are swept, so one that is missing is nothing unusual; one whose text has
//! another hash is not what was pasted. A hash comes from a file that anybody may write: what is
//! not exactly 16 hexadecimal digits never becomes a path.

use std::borrow::Cow;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::entry::{Paste, PasteKind, Prompt};

/// Longer pastes are kept in files of their own, in characters as JavaScript counts them.
pub const MAX_INLINE: usize = 1024;
/// Nobody pastes more; a file that is larger is not read.
const LARGEST: u64 = 64 * 1024 * 1024;
/// Digits of a SHA-256 that name a file.
const DIGITS: usize = 16;
/// No reference is longer, in bytes.
const LONGEST_REFERENCE: usize = 80;
/// How a reference begins, behind its bracket.
const KINDS: [&str; 3] = ["Pasted text #", "Image #", "...Truncated text #"];

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// What was typed.
    Typed(&'a str),
    /// What was pasted, in full.
    Pasted(Cow<'a, str>),
    /// A reference whose text is no longer there.
    Expired(&'a str),
    /// A reference whose file holds something else by now.
    Changed(&'a str),
    /// A reference to a picture.
    Image(&'a str),
}

/// The name of the file that a text is kept in, without its ending.
pub fn content_hash(text: &[u8]) -> String {
    let mut name = String::with_capacity(DIGITS);
    for byte in Sha256::digest(text).iter().take(DIGITS / 2) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

pub fn is_hash(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Where the text with this hash is kept. Nothing, if it is no hash.
pub fn paste_path(root: &Path, hash: &str) -> Option<PathBuf> {
    is_hash(hash).then(|| root.join("paste-cache").join(format!("{hash}.txt")))
}

/// The parts of a prompt, what was pasted put back. Reads the files of long pastes.
pub fn expand<'a>(prompt: &'a Prompt, root: &Path) -> Vec<Piece<'a>> {
    let display = prompt.display.as_str();
    let mut pieces = Vec::new();
    let mut at = 0;
    for (range, id) in references(display) {
        let Some(paste) = prompt.pastes.iter().find(|paste| paste.id == id) else {
            // Words that look like a reference, typed by hand, or a picture: those are not kept.
            let reference = display.get(range.clone()).unwrap_or_default();
            if reference.starts_with("[Image") {
                push_typed(&mut pieces, display.get(at..range.start));
                pieces.push(Piece::Image(reference));
                at = range.end;
            }
            continue;
        };
        push_typed(&mut pieces, display.get(at..range.start));
        let reference = display.get(range.clone()).unwrap_or_default();
        pieces.push(piece(paste, reference, root));
        at = range.end;
    }
    push_typed(&mut pieces, display.get(at..));
    pieces
}

/// The prompt as one text: what is no longer there is said where it was.
pub fn flat(pieces: &[Piece<'_>]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Typed(part) | Piece::Image(part) => text.push_str(part),
            Piece::Pasted(part) => text.push_str(part),
            Piece::Expired(reference) => {
                text.push_str(reference);
                text.push_str(" (paste expired)");
            }
            Piece::Changed(reference) => {
                text.push_str(reference);
                text.push_str(" (paste changed on disk)");
            }
        }
    }
    text
}

fn push_typed<'a>(pieces: &mut Vec<Piece<'a>>, text: Option<&'a str>) {
    pieces.extend(text.filter(|text| !text.is_empty()).map(Piece::Typed));
}

fn piece<'a>(paste: &'a Paste, reference: &'a str, root: &Path) -> Piece<'a> {
    match &paste.kind {
        PasteKind::Inline(text) => Piece::Pasted(text.into()),
        PasteKind::Image => Piece::Image(reference),
        PasteKind::Nothing => Piece::Expired(reference),
        PasteKind::Stored(hash) => match paste_path(root, hash).and_then(|path| read(&path)) {
            Some(bytes) if content_hash(&bytes).eq_ignore_ascii_case(hash) => {
                Piece::Pasted(String::from_utf8_lossy(&bytes).into_owned().into())
            }
            Some(_) => Piece::Changed(reference),
            None => Piece::Expired(reference),
        },
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    // Opening a pipe would wait for somebody to write into it.
    let found = fs::metadata(path).ok()?;
    if !found.is_file() || found.len() > LARGEST {
        return None;
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).ok()?.take(LARGEST);
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Where a text refers to something pasted, and to which number.
fn references(text: &str) -> impl Iterator<Item = (Range<usize>, u64)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text.get(from..)?.find('[')?;
            from = start + 1;
            let rest = text.get(from..)?;
            let Some(after) = KINDS.iter().find_map(|kind| rest.strip_prefix(kind)) else {
                continue;
            };
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let Some(id) = after.get(..digits).and_then(|number| number.parse().ok()) else {
                continue;
            };
            let Some(close) = rest.find([']', '[', '\n']) else {
                continue;
            };
            if rest.as_bytes().get(close) != Some(&b']') || close > LONGEST_REFERENCE {
                continue;
            }
            from += close + 1;
            return Some((start..from, id));
        }
    })
}

#[cfg(test)]
#[path = "pastes_tests.rs"]
mod tests;
