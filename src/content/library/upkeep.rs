//! What a save does to a library before it is written: it keeps the text within its limit, and copies
//! what is still used out of segments that are mostly dead or have text that must not be kept.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use super::{FileKey, FileRecord, Library, Place, Side};
use crate::content::record::Places;
use crate::content::segment::{BLOCK, Part};
use crate::content::shelf::{Shelf, TextError};
use crate::content::store::TextStore;
use crate::search::Bits;

impl Library {
    /// Drops the tool texts of the oldest files until all text is at most so many bytes.
    pub fn limit(&mut self, most: usize) {
        let length = |places: &Places| -> usize {
            places.iter().map(|place| place.chunk.text().len()).sum()
        };
        let mut used: usize = self
            .files
            .values()
            .map(|record| record.places.iter().map(length).sum::<usize>())
            .sum();
        let mut by_age: Vec<(i64, FileKey)> = self
            .files
            .iter()
            .map(|(key, record)| (record.version.nanos, *key))
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

    /// The segments with text that must not be kept, those that are mostly dead, and the small ones if
    /// there are many.
    pub fn worth_rewriting(&self, many: usize, small: usize) -> HashSet<usize> {
        let mut used = vec![0; self.shelves.len()];
        for place in self.files.values().flat_map(FileRecord::all_places) {
            used[place.segment()] += place.chunk.text().len();
        }
        let sealed = |at: usize| Some(self.segment(at).ok()??.text_len());
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
        worth.extend(&self.purge);
        worth
    }

    /// Copies what is still used out of a segment into new ones, which are written as they get full.
    /// If the segment turns out to be damaged, what was not copied yet stays in it.
    pub fn rewrite(&mut self, segment: usize, store: &TextStore) -> io::Result<()> {
        // What is copied must not come back to it.
        for open in &mut self.open {
            *open = open.filter(|open| *open != segment);
        }
        let is_in = |record: &FileRecord| {
            let mut places = record.all_places();
            places.any(|place| place.segment() == segment)
        };
        let keys = self.files.iter().filter(|(_, record)| is_in(record));
        let mut keys: Vec<FileKey> = keys.map(|(key, _)| *key).collect();
        keys.sort_unstable();
        self.has_changed = true;
        for key in keys {
            let Some(mut record) = self.files.get(&key).cloned() else {
                continue;
            };
            for side in Side::BOTH {
                for place in record.places[side as usize].iter_mut() {
                    if place.segment() != segment {
                        continue;
                    }
                    match self.part(place) {
                        Ok(part) => *place = self.put(side, &part).unwrap_or(place.clone()),
                        Err(TextError::Damaged) => return Ok(()),
                        Err(TextError::Unavailable(error)) => return Err(error),
                    }
                }
            }
            self.files.insert(key, record);
            self.seal(store, false)?;
        }
        self.drop_segment(segment);
        Ok(())
    }

    fn part(&self, place: &Place) -> Result<Part, TextError> {
        let range = place.chunk.text();
        let number = place.segment();
        let caps = if let Some(Shelf::Open(open)) = self.shelves.get(number) {
            stretch_of(&open.caps, range.clone())
        } else if let Some(segment) = self.segment(number)? {
            let first = range.start / BLOCK;
            let all = segment.caps(first..range.end.div_ceil(BLOCK));
            let all = all.map_err(|error| self.note(number, error))?;
            let start = range.start - first * BLOCK;
            stretch_of(&all, start..start + range.len())
        } else {
            Bits::default()
        };
        Ok(Part {
            text: self.text(number, range)?,
            caps,
            table: self.table(place)?,
        })
    }
}

/// A part of some bits, which begins at 0.
fn stretch_of(bits: &Bits, range: Range<usize>) -> Bits {
    let mut found = Bits::with_len(range.len());
    let mut at = range.start;
    while let Some(set) = bits.first_in(at..range.end) {
        found.set(set - range.start, true);
        at = set + 1;
    }
    found
}
