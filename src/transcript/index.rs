//! The links of one file, and how healthy it is.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde::Serialize;

use super::link::{EntryId, Link};
use super::metadata::MetadataLines;

/// How many numbers of bad lines are kept: enough to look at, whatever the damage.
const LISTED_LINES: usize = 100;

/// What is wrong with a file. A bad line is data, not an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub lines: u64,
    /// Lines that are no JSON object, or not to their end.
    #[serde(rename = "badLines")]
    pub bad: u64,
    /// The numbers of the first of them, counted from one.
    #[serde(rename = "badLineNumbers")]
    pub bad_lines: Vec<u64>,
    /// Lines that begin with bytes of zero, as a lost power supply leaves them.
    pub nul_runs: u64,
    /// Objects that follow another one, or a torn stub, on the same line.
    #[serde(rename = "gluedLines")]
    pub glued: u64,
    /// Entries that a later line with the same id replaced.
    pub duplicates: u64,
    /// Does the file end inside a line?
    pub torn_end: bool,
}

impl Health {
    pub(super) fn note_bad(&mut self) {
        self.bad += 1;
        if self.bad_lines.len() < LISTED_LINES {
            self.bad_lines.push(self.lines);
        }
    }
}

/// The leaf that Claude Code wrote down last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointer {
    /// `None` if it names the id that means "none".
    pub leaf: Option<EntryId>,
    /// Written after a rewind: exactly that entry is meant.
    pub explicit: bool,
    /// The offset of its line in the file.
    pub offset: u64,
}

/// What the first link of an index is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IndexStart {
    /// The first entry of the file.
    #[default]
    File,
    /// The boundary of a compaction: what lies before it was dropped, as when resuming.
    Boundary,
    /// The first entry in a part of the file.
    Window,
}

/// The links of one file in the order of their first lines, each entry once.
#[derive(Debug, Clone, Default)]
pub struct Index {
    links: Vec<Link>,
    by_id: HashMap<EntryId, usize>,
    pub pointer: Option<Pointer>,
    /// The position of the last compaction among the links.
    pub last_boundary: Option<usize>,
    pub start: IndexStart,
    pub metadata: MetadataLines,
    pub health: Health,
}

impl Index {
    /// Adds a link. Of two lines with one id the later wins, at the position of the first.
    pub fn add(&mut self, link: Link) {
        let is_boundary = link.boundary.is_some() && !link.is_sidechain;
        let at = match self.by_id.entry(link.id) {
            Entry::Occupied(known) => {
                let at = *known.get();
                self.health.duplicates += 1;
                self.links[at] = link;
                at
            }
            Entry::Vacant(free) => {
                let at = *free.insert(self.links.len());
                self.links.push(link);
                at
            }
        };
        if is_boundary {
            self.last_boundary = Some(at);
        }
    }

    /// Forgets everything so far: a compaction without preserved messages follows.
    pub fn drop_all(&mut self) {
        if !self.links.is_empty() {
            self.start = IndexStart::Boundary;
        }
        self.links = Vec::new();
        self.by_id = HashMap::new();
        self.last_boundary = None;
    }

    /// The same links read as a conversation of their own: in the file of a sub-agent every line
    /// says that it belongs to one.
    #[must_use]
    pub fn of_subagent(mut self) -> Self {
        for link in &mut self.links {
            link.is_sidechain = false;
            link.is_team = false;
        }
        self
    }

    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The place of an entry among the links.
    pub fn position(&self, id: EntryId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }
}
