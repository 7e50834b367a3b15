//! The text of all conversations: which file is known up to where, and in which segment its text is.
//!
//! Text is added to a segment in memory for each of the two parts. A segment that is full is
//! written to a file of its own. Files are known by the hash of their path, because a hundred
//! thousand paths would take more memory than everything else here.

mod upkeep;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use siphasher::sip::SipHasher13;

use super::extract::{Extent, Parts, Reading};
use super::record::{FileRecord, Place, Side};
use super::segment::{BLOCK, Chunk, OpenSegment, Part, Segment};
use super::shelf::{Shelf, TextError};
use super::store::TextStore;
use super::table::Table;
use crate::search::RowId;

/// Bytes of text of a segment. There are two in memory, one for each side.
const FULL: usize = 16 * 1024 * 1024;

/// The path of a transcript, as a number. It is stored, so its hash is a stated one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileKey(pub u64);

impl FileKey {
    pub fn of(path: &Path) -> Self {
        let mut hasher = SipHasher13::new();
        hasher.write(path.as_os_str().as_encoded_bytes());
        Self(hasher.finish())
    }
}

/// A key is a hash already.
#[derive(Debug, Default, Clone, Copy)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        // Keys come as one number; this is for completeness.
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    /// The number of a row, spread over all bits.
    fn write_u32(&mut self, number: u32) {
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub type ByFile<T> = HashMap<FileKey, T, BuildHasherDefault<KeyHasher>>;
pub type ByRow<T> = HashMap<RowId, T, BuildHasherDefault<KeyHasher>>;
pub type FileKeys = HashSet<FileKey, BuildHasherDefault<KeyHasher>>;

#[derive(Debug)]
pub struct Library {
    pub shelves: Vec<Shelf>,
    pub files: ByFile<FileRecord>,
    /// The open segment of each side.
    open: [Option<usize>; 2],
    /// Files that are being read.
    growing: ByFile<(Reading, FileRecord)>,
    /// Was anything added or dropped since it was stored?
    pub has_changed: bool,
    /// Segments that turned out to be damaged. Whoever reads one notes it here.
    damaged: Mutex<BTreeSet<usize>>,
    /// Files whose text was dropped with a segment: they have to be read again.
    lost: Vec<FileKey>,
    /// Segments with text that must not be kept: its file was deleted, or has something else now.
    purge: BTreeSet<usize>,
    /// The files of segments that were dropped. They are deleted once no manifest names them.
    dropped: Vec<String>,
    /// A segment in memory is written when it has so much text.
    full: usize,
}

impl Default for Library {
    fn default() -> Self {
        Self {
            shelves: Vec::new(),
            files: ByFile::default(),
            open: [None; 2],
            growing: ByFile::default(),
            has_changed: false,
            damaged: Mutex::default(),
            lost: Vec::new(),
            purge: BTreeSet::new(),
            dropped: Vec::new(),
            full: FULL,
        }
    }
}

impl Library {
    /// A file is about to be read. If what is known of it is damaged, its pieces are passed over,
    /// and it has to be read once more.
    pub fn begin(
        &mut self,
        key: FileKey,
        owner: FileKey,
        reading: Reading,
    ) -> Result<(), TextError> {
        let mut record = match (reading, self.files.get(&key)) {
            (Reading::Added, Some(known)) => self.without_provisional(known.clone())?,
            _ => FileRecord::default(),
        };
        record.owner = owner;
        self.growing.insert(key, (reading, record));
        Ok(())
    }

    /// Takes a piece of a file that is being read.
    pub fn add(&mut self, key: FileKey, parts: &Parts) {
        let Some((reading, mut record)) = self.growing.remove(&key) else {
            return;
        };
        for (side, part) in Side::BOTH.into_iter().zip(parts) {
            record.places[side as usize].extend(self.put(side, part));
        }
        self.growing.insert(key, (reading, record));
    }

    /// A file was read up to here. Returns whether its text is here: it is not if a segment with the
    /// beginning was dropped meanwhile.
    pub fn finish(&mut self, key: FileKey, extent: Extent) -> bool {
        let grown = self.growing.remove(&key);
        let is_here = grown.is_some();
        if let Some((reading, record)) = grown {
            let mut record = record;
            record.set_extent(extent);
            let before = self.files.insert(key, record);
            if let (Some(before), Reading::Whole) = (before, reading) {
                self.purge(&before);
            }
            self.has_changed = true;
        }
        is_here
    }

    /// A file could not be read, or reading was stopped. What was known of it is still known, and
    /// still as old.
    pub fn give_up(&mut self, key: FileKey) {
        self.growing.remove(&key);
    }

    /// The file of an agent is known to belong to another transcript than was said of it.
    pub fn set_owner(&mut self, key: FileKey, owner: FileKey) {
        if let Some((_, record)) = self.growing.get_mut(&key) {
            record.owner = owner;
        }
        if let Some(record) = self.files.get_mut(&key)
            && record.owner != owner
        {
            record.owner = owner;
            self.has_changed = true;
        }
    }

    /// Drops what is known of a file. Its text goes with the next save.
    pub fn forget(&mut self, key: FileKey) {
        if let Some(record) = self.files.remove(&key) {
            self.purge(&record);
            self.has_changed = true;
        }
    }

    /// The same for all files of sessions whose transcripts are not there. Returns whether there were
    /// any.
    pub fn forget_gone(&mut self, is_there: impl Fn(FileKey) -> bool) -> bool {
        let files = self.files.iter();
        let gone = files.filter(|(_, record)| !is_there(record.owner));
        let gone: Vec<FileKey> = gone.map(|(key, _)| *key).collect();
        for key in &gone {
            self.forget(*key);
        }
        !gone.is_empty()
    }

    fn purge(&mut self, record: &FileRecord) {
        let segments = record.all_places().map(Place::segment);
        self.purge.extend(segments);
    }

    /// Nothing that must not be kept is in a segment any more. Returns the files to delete.
    pub fn take_dropped(&mut self) -> Vec<String> {
        self.purge.clear();
        std::mem::take(&mut self.dropped)
    }

    /// Nothing of a segment is used any more.
    fn drop_segment(&mut self, at: usize) {
        if let Some(shelf) = self.shelves.get_mut(at) {
            if let Shelf::Sealed(sealed) = shelf {
                self.dropped.extend(sealed.name().map(str::to_owned));
            }
            *shelf = Shelf::Dropped;
        }
    }

    /// A segment that is written; `None` if it is in memory or has nothing any more.
    pub fn segment(&self, at: usize) -> Result<Option<&Segment>, TextError> {
        match self.shelves.get(at) {
            Some(Shelf::Sealed(sealed)) => {
                let opened = sealed.open();
                opened.map(Some).map_err(|error| self.noted(at, error))
            }
            Some(Shelf::Open(_) | Shelf::Dropped) | None => Ok(None),
        }
    }

    /// What an error while reading a segment comes to.
    pub fn note(&self, at: usize, error: io::Error) -> TextError {
        let error = match self.shelves.get(at) {
            Some(Shelf::Sealed(sealed)) => sealed.judged(error),
            _ => TextError::Damaged,
        };
        self.noted(at, error)
    }

    /// A place that is outside of its segment, or makes no sense.
    pub fn note_damage(&self, at: usize) -> TextError {
        self.noted(at, TextError::Damaged)
    }

    fn noted(&self, at: usize, error: TextError) -> TextError {
        if matches!(error, TextError::Damaged) {
            let damaged = self.damaged.lock();
            let mut damaged = damaged.unwrap_or_else(PoisonError::into_inner);
            damaged.insert(at);
        }
        error
    }

    /// Drops the segments that turned out to be damaged, and everything that has text in them.
    /// Returns whether there were any.
    pub fn drop_damaged(&mut self) -> bool {
        let damaged = self.damaged.get_mut();
        let damaged = std::mem::take(damaged.unwrap_or_else(PoisonError::into_inner));
        if damaged.is_empty() {
            return false;
        }
        let is_in = |record: &FileRecord| {
            let mut places = record.all_places();
            places.any(|place| damaged.contains(&(place.segment())))
        };
        let lost = &mut self.lost;
        self.files.retain(|key, record| {
            let goes = is_in(record);
            lost.extend(goes.then_some(*key));
            !goes
        });
        self.growing.retain(|_, (_, record)| !is_in(record));
        for at in damaged {
            self.drop_segment(at);
        }
        self.has_changed = true;
        true
    }

    /// The files that have to be read again because their text was dropped.
    pub fn take_lost(&mut self) -> Vec<FileKey> {
        std::mem::take(&mut self.lost)
    }

    /// The table of a chunk.
    pub fn table(&self, place: &Place) -> Result<Vec<u8>, TextError> {
        let range = place.chunk.table();
        let number = place.segment();
        if let Some(Shelf::Open(open)) = self.shelves.get(number) {
            return match open.tables.get(range) {
                Some(table) => Ok(table.to_vec()),
                None => Err(self.note_damage(number)),
            };
        }
        match self.segment(number)? {
            Some(segment) => {
                let table = segment.table(&range);
                table.map_err(|error| self.note(number, error))
            }
            None => Err(TextError::Damaged),
        }
    }

    /// Bytes of text in a segment; 0 if that cannot be known.
    pub fn text_len(&self, at: usize) -> usize {
        if let Some(Shelf::Open(open)) = self.shelves.get(at) {
            return open.text.len();
        }
        let segment = self.segment(at).ok().flatten();
        segment.map_or(0, Segment::text_len)
    }

    /// Bytes of text: all that is stored, and what of it belongs to no file any more.
    pub fn sizes(&self) -> (usize, usize) {
        let stored: usize = (0..self.shelves.len()).map(|at| self.text_len(at)).sum();
        let places = self.files.values().flat_map(FileRecord::all_places);
        let used: usize = places.map(|place| place.chunk.text().len()).sum();
        (stored, stored.saturating_sub(used))
    }

    /// Writes full segments, or all that are in memory.
    pub fn seal(&mut self, store: &TextStore, all: bool) -> io::Result<()> {
        for at in 0..self.shelves.len() {
            let Some(Shelf::Open(open)) = self.shelves.get(at) else {
                continue;
            };
            if open.text.is_empty() || !all && open.text.len() < self.full {
                continue;
            }
            match store.seal(open) {
                Ok(sealed) => self.shelves[at] = Shelf::Sealed(sealed),
                Err(error) => {
                    // Without room anywhere it has to stay in memory. To try again with each piece
                    // would take longer than everything else.
                    self.full = self.full.saturating_mul(2);
                    return Err(error);
                }
            }
            for open in &mut self.open {
                *open = open.filter(|open| *open != at);
            }
            self.has_changed = true;
        }
        Ok(())
    }

    fn put(&mut self, side: Side, part: &Part) -> Option<Place> {
        if part.text.is_empty() {
            return None;
        }
        let number = *self.open[side as usize].get_or_insert_with(|| {
            self.shelves.push(Shelf::Open(OpenSegment::default()));
            self.shelves.len() - 1
        });
        let Some(Shelf::Open(open)) = self.shelves.get_mut(number) else {
            return None;
        };
        Place::new(number, open.push(part)?)
    }

    /// A record without the passages that will be handed out again.
    fn without_provisional(&self, mut record: FileRecord) -> Result<FileRecord, TextError> {
        let offset = record.offset;
        for places in &mut record.places {
            while let Some(place) = places.pop() {
                let table = self.table(&place)?;
                let (text, length) = before(&table, offset);
                if length > 0 {
                    let (from, table_from) = (place.chunk.text().start, place.chunk.table().start);
                    let chunk = Chunk::new(from..from + text, table_from..table_from + length);
                    let place = chunk.and_then(|chunk| Place::new(place.segment(), chunk));
                    places.extend(place);
                    break;
                }
            }
        }
        Ok(record)
    }

    /// The names of the files that the segments are in.
    pub fn names(&self) -> HashSet<&str> {
        let names = self.shelves.iter().filter_map(|shelf| match shelf {
            Shelf::Sealed(sealed) => sealed.name(),
            Shelf::Open(_) | Shelf::Dropped => None,
        });
        names.collect()
    }

    /// A stretch of the text of a segment.
    pub fn text(&self, segment: usize, range: Range<usize>) -> Result<Vec<u8>, TextError> {
        if let Some(Shelf::Open(open)) = self.shelves.get(segment) {
            return Ok(open.text.get(range).unwrap_or_default().to_vec());
        }
        let Some(sealed) = self.segment(segment)? else {
            return Err(TextError::Damaged);
        };
        if range.end > sealed.text_len() {
            return Err(self.note_damage(segment));
        }
        let first = range.start / BLOCK;
        let mut text = Vec::new();
        let read = sealed.text(first..range.end.div_ceil(BLOCK), &mut text);
        read.map_err(|error| self.note(segment, error))?;
        let start = range.start - first * BLOCK;
        text.truncate(start + range.len());
        text.drain(..start.min(text.len()));
        Ok(text)
    }
}

/// How much text, and how many bytes of a table, are before an offset of the transcript.
fn before(table: &[u8], offset: u64) -> (usize, usize) {
    let mut entries = Table::new(table);
    let (mut text, mut length) = (0, 0);
    while let Some(entry) = entries.next() {
        if entry.lines.start >= offset {
            break;
        }
        // With the separator.
        text = entry.text.end + 1;
        length = entries.position();
    }
    (text, length)
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
