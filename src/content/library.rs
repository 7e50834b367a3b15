//! The text of all conversations: which file is known up to where, and in which segment its text is.
//!
//! Text is added to a segment in memory for each of the two parts. A segment that is full is
//! written to a file of its own. Files are known by the hash of their path, because a hundred
//! thousand paths would take more memory than everything else here.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::Range;
use std::path::Path;

use super::extract::{Extent, Parts, Reading};
use super::segment::{BLOCK, Chunk, OpenSegment, Part, Segment};
use super::store::TextStore;
use super::table::Table;
use crate::search::Bits;

/// A segment in memory is written when it has so much text. There are two, one for each side.
const FULL: usize = 16 * 1024 * 1024;

/// The path of a transcript, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileKey(pub u64);

impl FileKey {
    pub fn of(path: &Path) -> Self {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
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

    fn finish(&self) -> u64 {
        self.0
    }
}

pub type ByFile<T> = HashMap<FileKey, T, BuildHasherDefault<KeyHasher>>;

/// The two parts of a text, in the order in which they are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    Talk,
    Tools,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Talk, Self::Tools];
}

/// Where some text of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub segment: usize,
    pub chunk: Chunk,
}

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileRecord {
    pub extent: Extent,
    /// By side, in the order of the file.
    pub places: [Vec<Place>; 2],
    /// The text of tools was left out, because all text together would be too large.
    pub lacks_tools: bool,
}

/// A segment that can be searched.
#[derive(Debug)]
pub enum Shelf {
    Open(OpenSegment),
    /// With the name of its file, if it has one.
    Sealed(Segment, Option<String>),
    /// It could not be read. Nothing is in it any more.
    Lost,
}

impl Shelf {
    pub fn text_len(&self) -> usize {
        match self {
            Self::Open(open) => open.text.len(),
            Self::Sealed(segment, _) => segment.text_len(),
            Self::Lost => 0,
        }
    }
}

#[derive(Debug, Default)]
pub struct Library {
    pub shelves: Vec<Shelf>,
    pub files: ByFile<FileRecord>,
    /// The open segment of each side.
    open: [Option<usize>; 2],
    /// Files that are being read.
    growing: ByFile<FileRecord>,
    /// Was anything added or dropped since it was stored?
    pub has_changed: bool,
}

impl Library {
    /// A file is about to be read.
    pub fn begin(&mut self, key: FileKey, reading: Reading) -> io::Result<()> {
        let record = match (reading, self.files.get(&key)) {
            (Reading::Added, Some(known)) => self.without_provisional(known.clone())?,
            _ => FileRecord::default(),
        };
        self.growing.insert(key, record);
        Ok(())
    }

    /// Takes a piece of a file that is being read.
    pub fn add(&mut self, key: FileKey, parts: &Parts) {
        let Some(mut record) = self.growing.remove(&key) else {
            return;
        };
        for (side, part) in Side::BOTH.into_iter().zip(parts) {
            record.places[side as usize].extend(self.put(side, part));
        }
        self.growing.insert(key, record);
    }

    /// A file was read up to here.
    pub fn finish(&mut self, key: FileKey, extent: Extent) {
        if let Some(record) = self.growing.remove(&key) {
            self.files.insert(key, FileRecord { extent, ..record });
            self.has_changed = true;
        }
    }

    /// A file could not be read, or reading was stopped. What was known of it is still known, and
    /// still as old.
    pub fn give_up(&mut self, key: FileKey) {
        self.growing.remove(&key);
    }

    pub fn forget(&mut self, key: FileKey) {
        self.has_changed |= self.files.remove(&key).is_some();
    }

    /// Drops a segment that cannot be read, and everything that has text in it.
    pub fn lose(&mut self, segment: usize) {
        let is_in = |record: &FileRecord| {
            let mut places = record.places.iter().flatten();
            places.any(|place| place.segment == segment)
        };
        self.files.retain(|_, record| !is_in(record));
        self.growing.retain(|_, record| !is_in(record));
        if let Some(shelf) = self.shelves.get_mut(segment) {
            *shelf = Shelf::Lost;
        }
        self.has_changed = true;
    }

    /// The table of a chunk.
    pub fn table(&self, place: &Place) -> io::Result<Vec<u8>> {
        let range = place.chunk.table();
        match self.shelves.get(place.segment) {
            Some(Shelf::Open(open)) => {
                let table = open.tables.get(range);
                table
                    .map(<[u8]>::to_vec)
                    .ok_or_else(|| io::ErrorKind::InvalidData.into())
            }
            Some(Shelf::Sealed(segment, _)) => segment.table(&range),
            Some(Shelf::Lost) | None => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Bytes of text: all that is stored, and what of it belongs to no file any more.
    pub fn sizes(&self) -> (usize, usize) {
        let stored: usize = self.shelves.iter().map(Shelf::text_len).sum();
        let places = self
            .files
            .values()
            .flat_map(|record| record.places.iter().flatten());
        let used: usize = places.map(|place| place.chunk.text().len()).sum();
        (stored, stored.saturating_sub(used))
    }

    /// Writes full segments, or all that are in memory.
    pub fn seal(&mut self, store: &TextStore, all: bool) -> io::Result<()> {
        for at in 0..self.shelves.len() {
            let Some(Shelf::Open(open)) = self.shelves.get(at) else {
                continue;
            };
            if open.text.is_empty() || !all && open.text.len() < FULL {
                continue;
            }
            let (segment, name) = store.seal(open)?;
            self.shelves[at] = Shelf::Sealed(segment, name);
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
        let chunk = open.push(part)?;
        Some(Place {
            segment: number,
            chunk,
        })
    }

    /// A record without the passages that will be handed out again.
    fn without_provisional(&self, mut record: FileRecord) -> io::Result<FileRecord> {
        let offset = record.extent.checkpoint.offset;
        for places in &mut record.places {
            while let Some(place) = places.pop() {
                let table = self.table(&place)?;
                let (text, length) = before(&table, offset);
                if length > 0 {
                    let (from, table_from) = (place.chunk.text().start, place.chunk.table().start);
                    let chunk = Chunk::new(from..from + text, table_from..table_from + length);
                    places.extend(chunk.map(|chunk| Place { chunk, ..place }));
                    break;
                }
            }
        }
        Ok(record)
    }

    /// The names of the files that the segments are in.
    pub fn names(&self) -> HashSet<&str> {
        let names = self.shelves.iter().filter_map(|shelf| match shelf {
            Shelf::Sealed(_, name) => name.as_deref(),
            Shelf::Open(_) | Shelf::Lost => None,
        });
        names.collect()
    }

    /// Drops the tool texts of the oldest files until all text is at most so many bytes.
    pub fn limit(&mut self, most: usize) {
        let length = |places: &[Place]| -> usize {
            places.iter().map(|place| place.chunk.text().len()).sum()
        };
        let mut used: usize = self
            .files
            .values()
            .map(|record| {
                record
                    .places
                    .iter()
                    .map(|places| length(places))
                    .sum::<usize>()
            })
            .sum();
        let mut by_age: Vec<(i64, FileKey)> = self
            .files
            .iter()
            .map(|(key, record)| (record.extent.version.nanos, *key))
            .collect();
        by_age.sort_unstable();
        for (_, key) in by_age {
            if used <= most {
                return;
            }
            if let Some(record) = self.files.get_mut(&key) {
                let dropped = std::mem::take(&mut record.places[Side::Tools as usize]);
                record.lacks_tools |= !dropped.is_empty();
                used -= length(&dropped);
            }
        }
    }

    /// The segments that are mostly dead, and the small ones if there are many.
    pub fn worth_rewriting(&self, many: usize, small: usize) -> HashSet<usize> {
        let mut used = vec![0; self.shelves.len()];
        for place in self
            .files
            .values()
            .flat_map(|record| record.places.iter().flatten())
        {
            used[place.segment] += place.chunk.text().len();
        }
        let sealed = |at: usize| match &self.shelves[at] {
            Shelf::Sealed(segment, _) => Some(segment.text_len()),
            Shelf::Open(_) | Shelf::Lost => None,
        };
        let all = || (0..self.shelves.len()).filter_map(|at| Some((at, sealed(at)?)));
        let smalls: Vec<usize> = all()
            .filter(|(_, length)| *length < small)
            .map(|(at, _)| at)
            .collect();
        let mut worth: HashSet<usize> = all()
            .filter(|(at, length)| used[*at] * 2 < *length)
            .map(|(at, _)| at)
            .collect();
        if smalls.len() > many {
            worth.extend(smalls);
        }
        worth
    }

    /// Copies what is still used out of segments into new ones: out of those named.
    pub fn rewrite(&mut self, segments: &HashSet<usize>) -> io::Result<()> {
        let mut keys: Vec<FileKey> = self.files.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            let Some(mut record) = self.files.get(&key).cloned() else {
                continue;
            };
            for side in Side::BOTH {
                for place in &mut record.places[side as usize] {
                    if segments.contains(&place.segment) {
                        let part = self.part(place)?;
                        if let Some(moved) = self.put(side, &part) {
                            *place = moved;
                        }
                    }
                }
            }
            self.files.insert(key, record);
        }
        for &segment in segments {
            self.shelves[segment] = Shelf::Lost;
        }
        self.has_changed = true;
        Ok(())
    }

    /// A stretch of the text of a segment.
    pub fn text(&self, segment: usize, range: Range<usize>) -> io::Result<Vec<u8>> {
        match self.shelves.get(segment) {
            Some(Shelf::Open(open)) => Ok(open.text.get(range).unwrap_or_default().to_vec()),
            Some(Shelf::Sealed(segment, _)) => {
                let first = range.start / BLOCK;
                let mut text = Vec::new();
                segment.text(first..range.end.div_ceil(BLOCK), &mut text)?;
                let start = range.start - first * BLOCK;
                text.truncate(start + range.len());
                text.drain(..start.min(text.len()));
                Ok(text)
            }
            Some(Shelf::Lost) | None => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn part(&self, place: &Place) -> io::Result<Part> {
        let range = place.chunk.text();
        let mut caps = Bits::with_len(range.len());
        if let Some(Shelf::Sealed(segment, _)) = self.shelves.get(place.segment) {
            let first = range.start / BLOCK;
            let all = segment.caps(first..range.end.div_ceil(BLOCK))?;
            let start = range.start - first * BLOCK;
            let within = start..start + range.len();
            let mut at = start;
            while let Some(capital) = all.first_in(at..within.end) {
                caps.set(capital - start, true);
                at = capital + 1;
            }
        }
        Ok(Part {
            text: self.text(place.segment, range)?,
            caps,
            table: self.table(place)?,
        })
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
