//! The prompts of all config directories, newest first, as they are asked for.
//!
//! Each history is read backwards; several are merged by time, and equal entries of two histories
//! come once. A malformed or incomplete line is skipped and counted. Nothing is read before it is
//! needed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::backwards::{Backwards, LineEnd};
use super::entry::Prompt;
use super::follow::HistoryFollower;
use super::pastes::{StoredPastes, stored_pastes};
use super::skipped::Skipped;
use crate::files;

/// The history of a config directory.
pub fn history_path(root: &Path) -> PathBuf {
    root.join("history.jsonl")
}

/// The position of an entry, to read it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PromptPos {
    /// Which of the roots.
    pub root: u16,
    pub length: u32,
    pub offset: u64,
}

/// An entry and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPrompt {
    pub spot: PromptPos,
    pub prompt: Prompt,
}

/// Reads the histories of several roots.
#[derive(Debug)]
pub struct MergedHistory {
    histories: Vec<HistoryReader>,
    skipped: Arc<Skipped>,
    tally: Tally,
}

/// How many lines were passed over, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Passed {
    pub malformed: usize,
    /// Entries in which nothing was asked.
    pub blank: usize,
}

impl Passed {
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
struct HistoryReader {
    root: u16,
    path: PathBuf,
    lines: Backwards<File>,
    /// The next entry, read ahead to compare its time.
    next: Option<FoundPrompt>,
}

impl MergedHistory {
    /// Opens the histories. A root without one is empty; one that cannot be read is a trouble.
    /// Also says from where each of them can be followed.
    pub fn open(roots: &[PathBuf], skipped: Arc<Skipped>) -> (Self, Vec<HistoryFollower>) {
        let mut prompts = Self {
            histories: Vec::new(),
            skipped,
            tally: Tally::default(),
        };
        let mut follows: Vec<HistoryFollower> = Vec::new();
        for (root, folder) in (0..).zip(roots) {
            let path = history_path(folder);
            match prompts.open_one(root, &path, &follows) {
                Ok(follow) => follows.extend(follow),
                Err(error) => prompts.tally.troubles.push((path, error.to_string())),
            }
        }
        (prompts, follows)
    }

    fn open_one(
        &mut self,
        root: u16,
        path: &Path,
        others: &[HistoryFollower],
    ) -> io::Result<Option<HistoryFollower>> {
        let mut follow = HistoryFollower::new(root, path.to_owned());
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
        let mut history = HistoryReader {
            root,
            // Entries to skip are known by the real path.
            path: path.canonicalize()?,
            lines: Backwards::new(file)?,
            next: None,
        };
        // Only the last line may still be written. One that is whole needs no newline.
        if let Some(line) = history.lines.next_line()? {
            if line.end == LineEnd::Open {
                let is_whole = Prompt::parse(line.bytes).is_some();
                let length = if is_whole { line.bytes.len() as u64 } else { 0 };
                follow.wait_at(line.offset + length);
            }
            let found = parse(root, line.offset, line.bytes, &mut self.tally.passed);
            history.next = found.filter(|found| !self.skipped.has(&history.path, &found.prompt));
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

impl HistoryReader {
    /// Goes on to the next entry that counts.
    fn advance(&mut self, skipped: &Skipped, tally: &mut Tally) {
        self.next = loop {
            match self.lines.next_line() {
                Ok(None) => break None,
                Ok(Some(line)) => {
                    let found = parse(self.root, line.offset, line.bytes, &mut tally.passed);
                    if let Some(found) = found
                        && !skipped.has(&self.path, &found.prompt)
                    {
                        break Some(found);
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

impl Iterator for MergedHistory {
    type Item = FoundPrompt;

    fn next(&mut self) -> Option<FoundPrompt> {
        // Of equal times the first root goes first.
        let histories = self.histories.iter_mut().rev();
        let newest = histories.max_by_key(|history| history.time())?;
        let found = newest.next.take()?;
        newest.advance(&self.skipped, &mut self.tally);
        // A copy of a config directory holds the same entries: they were entered once.
        for other in &mut self.histories {
            let is_copy = |next: &FoundPrompt| {
                next.spot.root != found.spot.root && next.prompt == found.prompt
            };
            while other.next.as_ref().is_some_and(is_copy) {
                other.advance(&self.skipped, &mut self.tally);
            }
        }
        Some(found)
    }
}

/// The entry of a line. A line without one is counted, unless it is empty.
pub fn parse(root: u16, offset: u64, line: &[u8], passed: &mut Passed) -> Option<FoundPrompt> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let (Some(prompt), Ok(length)) = (Prompt::parse(line), u32::try_from(line.len())) else {
        passed.malformed += 1;
        return None;
    };
    if prompt.is_blank() {
        passed.blank += 1;
        return None;
    }
    let spot = PromptPos {
        root,
        length,
        offset,
    };
    Some(FoundPrompt { spot, prompt })
}

/// Reads entries again, by their positions, from the files that they were found in.
#[derive(Debug, Default)]
pub struct Reread {
    roots: Vec<PathBuf>,
    /// Held open, because another file may take the name.
    files: HashMap<u16, File>,
}

impl Reread {
    pub fn new(roots: &[PathBuf]) -> Self {
        Self {
            roots: roots.to_vec(),
            files: HashMap::new(),
        }
    }

    /// The entry at a position; `None` if something else is there now.
    pub fn read(&mut self, spot: PromptPos) -> io::Result<Option<Prompt>> {
        let Some(path) = self.root(spot).map(history_path) else {
            return Ok(None);
        };
        let file = match self.files.entry(spot.root) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(files::open(&path)?),
        };
        file.seek(SeekFrom::Start(spot.offset))?;
        let mut line = Vec::with_capacity(spot.length as usize);
        file.take(u64::from(spot.length)).read_to_end(&mut line)?;
        Ok(Prompt::parse(&line))
    }

    /// The entry at a spot, and what was pasted into it and is kept in files, of at most so many
    /// bytes.
    pub fn with_pastes(&mut self, spot: PromptPos, most: usize) -> Option<(Prompt, StoredPastes)> {
        let prompt = self.read(spot).ok()??;
        let pasted = stored_pastes(&prompt, self.root(spot)?, most);
        Some((prompt, pasted))
    }

    /// The config directory that a spot is in, where its pastes are too.
    pub fn root(&self, spot: PromptPos) -> Option<&Path> {
        self.roots.get(usize::from(spot.root)).map(PathBuf::as_path)
    }
}

#[cfg(test)]
#[path = "prompts_tests.rs"]
mod tests;
