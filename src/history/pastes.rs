//! Pasted texts, put back in place of their references in a prompt.
//!
//! Short pastes are in the history itself, long ones in a file named after the hash of their text.
//! Claude Code deletes old files, so a missing one is normal; one whose text has another hash is not
//! what was pasted. A hash is untrusted: only 16 hexadecimal digits become a path.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::entry::{Paste, PasteKind, Prompt};
use crate::files;

/// Longer pastes are kept in files of their own, in characters as JavaScript counts them.
pub const MAX_INLINE: usize = 1024;
/// Most bytes to put back into one prompt; the rest is left out with a note. A line may refer to the
/// same long paste a thousand times.
const LARGEST: usize = 64 * 1024 * 1024;
/// Digits of a SHA-256 that name a file.
const DIGITS: usize = 16;
/// No reference is longer, in bytes.
const LONGEST_REFERENCE: usize = 80;
/// How a reference begins, after its bracket.
const KINDS: [&str; 3] = ["Pasted text #", "Image #", "...Truncated text #"];

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptPart<'a> {
    /// What was typed.
    Typed(&'a str),
    /// What was pasted, in full.
    Pasted(Cow<'a, str>),
    /// A reference whose text is no longer there.
    Expired(&'a str),
    /// A reference whose file has another text now.
    Changed(&'a str),
    /// A reference to more than is put back.
    TooMuch(&'a str),
    /// A reference to a picture.
    Image(&'a str),
}

/// What is known of the file of a paste.
#[derive(Debug, Clone)]
enum Stored {
    Text(String),
    Changed,
    Gone,
    TooMuch,
}

/// The files that were read, each once.
#[derive(Debug)]
struct PasteCache<'a> {
    root: &'a Path,
    stored: HashMap<&'a str, Stored>,
    /// How many bytes may still be put back.
    room: usize,
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

/// Where long pastes are kept.
pub fn paste_folder(root: &Path) -> PathBuf {
    root.join("paste-cache")
}

/// The file for the text with this hash; `None` if it is not a hash.
pub fn paste_path(root: &Path, hash: &str) -> Option<PathBuf> {
    is_hash(hash).then(|| paste_folder(root).join(format!("{hash}.txt")))
}

/// The parts of a prompt, what was pasted put back. Reads the files of long pastes.
pub fn expand<'a>(prompt: &'a Prompt, root: &Path) -> Vec<PromptPart<'a>> {
    expand_within(prompt, root, LARGEST)
}

fn expand_within<'a>(prompt: &'a Prompt, root: &Path, room: usize) -> Vec<PromptPart<'a>> {
    let mut shelf = PasteCache {
        root,
        stored: HashMap::new(),
        room,
    };
    let display = prompt.display.as_str();
    let mut pieces = Vec::new();
    let mut at = 0;
    for (range, id) in references(display) {
        let reference = display.get(range.clone()).unwrap_or_default();
        let piece = match prompt.pastes.iter().find(|paste| paste.id == id) {
            Some(paste) => shelf.piece(paste, reference),
            // The picture itself is not kept.
            None if reference.starts_with("[Image") => PromptPart::Image(reference),
            // Words that look like a reference, typed by hand.
            None => continue,
        };
        push_typed(&mut pieces, display.get(at..range.start));
        pieces.push(piece);
        at = range.end;
    }
    push_typed(&mut pieces, display.get(at..));
    pieces
}

/// The texts that were pasted into a prompt and are kept in files, for search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredPastes {
    /// All of them. Files that are gone or changed are not in it.
    pub text: String,
    /// How many there was no room for.
    pub left_out: usize,
}

/// Reads the files of what was pasted into a prompt, of at most so many bytes altogether.
pub fn stored_pastes(prompt: &Prompt, root: &Path, most: usize) -> StoredPastes {
    let mut all = StoredPastes::default();
    for paste in &prompt.pastes {
        let PasteKind::Stored(hash) = &paste.kind else {
            continue;
        };
        let room = most.saturating_sub(all.text.len() + 1);
        match stored_text(root, hash, room) {
            Stored::Text(text) => {
                all.text.push_str(&text);
                all.text.push('\n');
            }
            Stored::TooMuch => all.left_out += 1,
            Stored::Changed | Stored::Gone => {}
        }
    }
    all
}

/// The prompt as one text. What cannot be put back stays as it was typed: the text may be sent on, so
/// nothing is added to it.
pub fn flat(pieces: &[PromptPart<'_>]) -> String {
    pieces.iter().map(PromptPart::text).collect()
}

impl PromptPart<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Pasted(text) => text,
            Self::Typed(text)
            | Self::Image(text)
            | Self::Expired(text)
            | Self::Changed(text)
            | Self::TooMuch(text) => text,
        }
    }
}

/// What a prompt refers to and its text does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lacking {
    pub pastes: usize,
    pub images: usize,
}

impl Lacking {
    pub fn of(pieces: &[PromptPart<'_>]) -> Self {
        let mut lacking = Self::default();
        for piece in pieces {
            match piece {
                PromptPart::Expired(_) | PromptPart::Changed(_) | PromptPart::TooMuch(_) => {
                    lacking.pastes += 1;
                }
                PromptPart::Image(_) => lacking.images += 1,
                PromptPart::Typed(_) | PromptPart::Pasted(_) => {}
            }
        }
        lacking
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            pastes: self.pastes + other.pastes,
            images: self.images + other.images,
        }
    }

    /// In words, if anything is lacking.
    pub fn words(self) -> Option<String> {
        let counted = |count: usize, one: &str, many: &str| {
            let what = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{count} {what}"))
        };
        let pastes = counted(self.pastes, "paste is lost", "pastes are lost");
        let images = counted(
            self.images,
            "image is not included",
            "images are not included",
        );
        let said: Vec<String> = [pastes, images].into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}

fn push_typed<'a>(pieces: &mut Vec<PromptPart<'a>>, text: Option<&'a str>) {
    pieces.extend(text.filter(|text| !text.is_empty()).map(PromptPart::Typed));
}

impl<'a> PasteCache<'a> {
    fn piece<'p: 'a>(&mut self, paste: &'p Paste, reference: &'p str) -> PromptPart<'p> {
        let text: Cow<'p, str> = match &paste.kind {
            PasteKind::Inline(text) if text.len() <= self.room => text.into(),
            PasteKind::Inline(_) => return PromptPart::TooMuch(reference),
            PasteKind::Image => return PromptPart::Image(reference),
            PasteKind::Nothing => return PromptPart::Expired(reference),
            PasteKind::Stored(hash) => {
                let (root, room) = (self.root, self.room);
                let stored = self.stored.entry(hash);
                match stored.or_insert_with(|| stored_text(root, hash, room)) {
                    Stored::Text(text) if text.len() <= room => text.clone().into(),
                    Stored::Text(_) | Stored::TooMuch => return PromptPart::TooMuch(reference),
                    Stored::Changed => return PromptPart::Changed(reference),
                    Stored::Gone => return PromptPart::Expired(reference),
                }
            }
        };
        self.room -= text.len();
        PromptPart::Pasted(text)
    }
}

/// Reads the file of a paste, unless it is larger than there is room for.
fn stored_text(root: &Path, hash: &str, room: usize) -> Stored {
    let Some(path) = paste_path(root, hash) else {
        return Stored::Gone;
    };
    let room = u64::try_from(room).unwrap_or(u64::MAX);
    match files::read(&path, room) {
        Ok(bytes) if content_hash(&bytes).eq_ignore_ascii_case(hash) => {
            Stored::Text(String::from_utf8_lossy(&bytes).into_owned())
        }
        Ok(_) => Stored::Changed,
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Stored::TooMuch,
        Err(_) => Stored::Gone,
    }
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
