//! The prompts of all config directories, newest first, as they are asked for.
//!
//! Each history is read backwards and is in the order in which it was written; several are
//! merged by time, and what two of them have in common comes once. A line that is malformed, or that somebody has not finished writing, is passed
//! over and counted. Nothing is read before it is needed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::backwards::{Backwards, LineEnd};
use super::entry::Prompt;
use super::follow::Follow;
use super::pastes::{StoredPastes, stored_pastes};
use super::skipped::Skipped;
use crate::files;

/// Where the history of a config directory stands.
pub fn history_path(root: &Path) -> PathBuf {
    root.join("history.jsonl")
}

/// Where an entry stands: enough to read it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spot {
    /// Which of the roots.
    pub root: u16,
    pub length: u32,
    pub offset: u64,
}

/// An entry and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub spot: Spot,
    pub prompt: Prompt,
}

/// Reads the histories of several roots.
#[derive(Debug)]
pub struct Prompts {
    histories: Vec<History>,
    skipped: Arc<Skipped>,
    tally: Tally,
}

/// A line of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    Entry(Found),
    /// An entry in which nothing was asked.
    Blank,
    Malformed,
}

/// How many lines were passed over, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Passed {
    pub malformed: usize,
    /// Entries in which nothing was asked.
    pub blank: usize,
}

impl Passed {
    /// The entry of a line; one that is none is counted.
    pub fn entry(&mut self, line: Parsed) -> Option<Found> {
        match line {
            Parsed::Entry(found) => return Some(found),
            Parsed::Blank => self.blank += 1,
            Parsed::Malformed => self.malformed += 1,
        }
        None
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            malformed: self.malformed + other.malformed,
            blank: self.blank + other.blank,
        }
    }
}

/// What could not be read.
#[derive(Debug, Default)]
struct Tally {
    passed: Passed,
    troubles: Vec<(PathBuf, String)>,
}

#[derive(Debug)]
struct History {
    root: u16,
    path: PathBuf,
    lines: Backwards<File>,
    /// The next entry, read ahead to compare its time.
    next: Option<Found>,
}

impl Prompts {
    /// Opens the histories. A root without one is empty; one that cannot be read is a trouble.
    /// Also says from where each of them can be followed.
    pub fn open(roots: &[PathBuf], skipped: Arc<Skipped>) -> (Self, Vec<Follow>) {
        let mut prompts = Self {
            histories: Vec::new(),
            skipped,
            tally: Tally::default(),
        };
        let mut follows: Vec<Follow> = Vec::new();
        for (root, folder) in (0..).zip(roots) {
            let path = history_path(folder);
            let follow = Follow::new(root, path.clone());
            match prompts.open_one(root, &path, follow, &follows) {
                Ok(Some(follow)) => follows.push(follow),
                Ok(None) => {}
                Err(error) => prompts.tally.troubles.push((path, error.to_string())),
            }
        }
        (prompts, follows)
    }

    fn open_one(
        &mut self,
        root: u16,
        path: &Path,
        mut follow: Follow,
        others: &[Follow],
    ) -> io::Result<Option<Follow>> {
        let file = match files::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(follow)),
            Err(error) => return Err(error),
        };
        follow.begin(&file)?;
        // Two roots may be one directory under two names.
        if others.iter().any(|other| other.is_same_file(&follow)) {
            return Ok(None);
        }
        // What was taken back is known by the real path.
        let path = &path.canonicalize()?;
        let mut history = History {
            root,
            path: path.clone(),
            lines: Backwards::new(file)?,
            next: None,
        };
        // The first step also tells whether the last line is still being written.
        if let Some(line) = history.lines.next_line()? {
            if line.end == LineEnd::Open {
                follow.wait_at(line.offset);
            }
            history.next = take(
                root,
                line.offset,
                line.bytes,
                line.end,
                &mut self.tally.passed,
                &mut follow,
            )
            .filter(|found| !is_skipped(&self.skipped, path, found));
        }
        if history.next.is_none() {
            history.advance(&self.skipped, &mut self.tally);
        }
        self.histories.push(history);
        Ok(Some(follow))
    }

    /// What was passed over so far.
    pub fn passed(&self) -> Passed {
        self.tally.passed
    }

    /// Histories that cannot be read, or not to their beginning.
    pub fn troubles(&self) -> &[(PathBuf, String)] {
        &self.tally.troubles
    }
}

impl History {
    /// Goes on to the next entry that counts.
    fn advance(&mut self, skipped: &Skipped, tally: &mut Tally) {
        self.next = loop {
            match self.lines.next_line() {
                Ok(None) => break None,
                Ok(Some(line)) => {
                    if line.bytes.trim_ascii().is_empty() {
                        continue;
                    }
                    let line = parse(self.root, line.offset, line.bytes);
                    match tally.passed.entry(line) {
                        Some(found) if is_skipped(skipped, &self.path, &found) => {}
                        Some(found) => break Some(found),
                        None => {}
                    }
                }
                Err(error) => {
                    let path = self.path.clone();
                    tally.troubles.push((path, error.to_string()));
                    break None;
                }
            }
        };
    }

    fn time(&self) -> Option<i64> {
        Some(self.next.as_ref()?.prompt.timestamp)
    }
}

impl Iterator for Prompts {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        // Of equal times the first root goes first.
        let newest = self
            .histories
            .iter_mut()
            .filter(|history| history.next.is_some())
            .reduce(|best, other| {
                if other.time() > best.time() {
                    other
                } else {
                    best
                }
            })?;
        let found = newest.next.take()?;
        newest.advance(&self.skipped, &mut self.tally);
        // A copy of a config directory holds the same entries: they were entered once.
        for other in &mut self.histories {
            let is_copy =
                |next: &Found| next.spot.root != found.spot.root && next.prompt == found.prompt;
            while other.next.as_ref().is_some_and(is_copy) {
                other.advance(&self.skipped, &mut self.tally);
            }
        }
        Some(found)
    }
}

fn is_skipped(skipped: &Skipped, path: &Path, found: &Found) -> bool {
    skipped.has(path, &found.prompt)
}

/// The last line of a file: whole, although it may lack its newline, or not written to its end.
fn take(
    root: u16,
    offset: u64,
    bytes: &[u8],
    end: LineEnd,
    passed: &mut Passed,
    follow: &mut Follow,
) -> Option<Found> {
    if bytes.trim_ascii().is_empty() {
        return None;
    }
    let read = parse(root, offset, bytes);
    if end == LineEnd::Open && read != Parsed::Malformed {
        follow.wait_at(offset + bytes.len() as u64);
    }
    passed.entry(read)
}

/// What a line is.
pub fn parse(root: u16, offset: u64, line: &[u8]) -> Parsed {
    let (Some(prompt), Ok(length)) = (Prompt::parse(line), u32::try_from(line.len())) else {
        return Parsed::Malformed;
    };
    if prompt.is_blank() {
        return Parsed::Blank;
    }
    let spot = Spot {
        root,
        length,
        offset,
    };
    Parsed::Entry(Found { spot, prompt })
}

/// Reads entries again, by their spots, from the files that they were found in.
#[derive(Debug, Default)]
pub struct Reread {
    roots: Vec<PathBuf>,
    /// Held open: should another file take the name, the spots are those of this one.
    files: HashMap<u16, File>,
}

impl Reread {
    pub fn new(roots: &[PathBuf]) -> Self {
        Self {
            roots: roots.to_vec(),
            files: HashMap::new(),
        }
    }

    /// The entry at a spot. Nothing, if something else stands there now.
    pub fn read(&mut self, spot: Spot) -> io::Result<Option<Prompt>> {
        let Some(root) = self.roots.get(usize::from(spot.root)) else {
            return Ok(None);
        };
        let file = match self.files.entry(spot.root) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(files::open(&history_path(root))?),
        };
        file.seek(SeekFrom::Start(spot.offset))?;
        let mut line = Vec::with_capacity(spot.length as usize);
        file.take(u64::from(spot.length)).read_to_end(&mut line)?;
        Ok(Prompt::parse(&line))
    }

    /// The entry at a spot, and what was pasted into it and is kept in files, of at most so many
    /// bytes.
    pub fn with_pastes(&mut self, spot: Spot, most: usize) -> Option<(Prompt, StoredPastes)> {
        let prompt = self.read(spot).ok()??;
        let pasted = stored_pastes(&prompt, self.root(spot)?, most);
        Some((prompt, pasted))
    }

    /// The config directory that a spot is in, where its pastes are too.
    pub fn root(&self, spot: Spot) -> Option<&Path> {
        self.roots.get(usize::from(spot.root)).map(PathBuf::as_path)
    }
}

#[cfg(test)]
#[path = "prompts_tests.rs"]
mod tests;
