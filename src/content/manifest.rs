//! What a library knows, as bytes: the names of its segments, and for each file where its text is.

use std::collections::HashMap;

use super::bytes::{Reader, put_signed, put_text, put_unsigned};
use super::extract::{Extent, LeftOut};
use super::library::{FileKey, Library};
use super::prefix::Prefix;
use super::record::{FileRecord, Place};
use super::segment::Chunk;
use super::shelf::{SealedSegment, Shelf};
use crate::store::FileVersion;
use crate::transcript::{Checkpoint, Traits};

/// Counts up with every change of the format, of what is extracted and of how it is folded.
pub const VERSION: u32 = 8;

/// A library whose segments are all written. Files with text elsewhere are left out.
pub fn encode(library: &Library) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut numbers = HashMap::new();
    let named = library.shelves.iter().enumerate();
    let named: Vec<(usize, &str)> = named
        .filter_map(|(at, shelf)| match shelf {
            Shelf::Sealed(sealed) => Some((at, sealed.name()?)),
            Shelf::Open(_) | Shelf::Dropped => None,
        })
        .collect();
    put_unsigned(&mut bytes, named.len() as u64);
    for (number, (at, name)) in named.into_iter().enumerate() {
        numbers.insert(at, number);
        put_text(&mut bytes, name);
    }
    let is_stored = |record: &FileRecord| {
        let mut places = record.all_places();
        places.all(|place| numbers.contains_key(&(place.segment())))
    };
    let mut files: Vec<_> = library
        .files
        .iter()
        .filter(|(_, record)| is_stored(record))
        .collect();
    files.sort_unstable_by_key(|(key, _)| **key);
    put_unsigned(&mut bytes, files.len() as u64);
    for (FileKey(key), record) in files {
        bytes.extend_from_slice(&key.to_le_bytes());
        bytes.extend_from_slice(&record.owner.0.to_le_bytes());
        put_extent(&mut bytes, &record.extent());
        bytes.push(u8::from(record.lacks_tools));
        for places in &record.places {
            put_unsigned(&mut bytes, places.len() as u64);
            for place in places.iter() {
                put_unsigned(&mut bytes, numbers[&(place.segment())] as u64);
                for range in [place.chunk.text(), place.chunk.table()] {
                    put_unsigned(&mut bytes, range.start as u64);
                    put_unsigned(&mut bytes, range.len() as u64);
                }
            }
        }
    }
    bytes
}

/// The library of a manifest; `None` if the bytes make no sense. No segment is opened yet.
pub fn decode(bytes: &[u8], segment: impl Fn(&str) -> SealedSegment) -> Option<Library> {
    let reader = &mut Reader::new(bytes);
    let mut library = Library::default();
    for _ in 0..reader.size()? {
        let sealed = segment(reader.text()?);
        library.shelves.push(Shelf::Sealed(sealed));
    }
    for _ in 0..reader.size()? {
        let key = file_key(reader)?;
        let mut record = FileRecord::default();
        record.owner = file_key(reader)?;
        record.set_extent(extent(reader)?);
        record.lacks_tools = reader.byte()? != 0;
        for places in &mut record.places {
            for _ in 0..reader.size()? {
                let segment = reader.size()?;
                let (text, table) = (range(reader)?, range(reader)?);
                library.shelves.get(segment)?;
                places.push(Place::new(segment, Chunk::new(text, table)?)?);
            }
        }
        library.files.insert(key, record);
    }
    Some(library)
}

fn file_key(reader: &mut Reader<'_>) -> Option<FileKey> {
    let bytes = reader.take(8)?.try_into().ok()?;
    Some(FileKey(u64::from_le_bytes(bytes)))
}

fn range(reader: &mut Reader<'_>) -> Option<std::ops::Range<usize>> {
    let start = reader.size()?;
    Some(start..start.checked_add(reader.size()?)?)
}

fn sum(reader: &mut Reader<'_>) -> Option<u32> {
    Some(u32::from_le_bytes(reader.take(4)?.try_into().ok()?))
}

fn put_extent(bytes: &mut Vec<u8>, extent: &Extent) {
    let Extent {
        version,
        checkpoint,
        prefix,
        left_out,
    } = extent;
    put_unsigned(bytes, version.size);
    put_signed(bytes, version.nanos);
    put_unsigned(bytes, version.inode);
    put_unsigned(bytes, checkpoint.offset);
    put_unsigned(bytes, checkpoint.open_calls.len() as u64);
    for (id, tool) in &checkpoint.open_calls {
        put_text(bytes, id);
        put_text(bytes, tool);
    }
    bytes.push(checkpoint.traits.bits());
    put_unsigned(bytes, u64::from(checkpoint.damaged));
    put_unsigned(bytes, prefix.pieces.len() as u64);
    for sum in prefix.pieces.iter().chain([&prefix.rest]) {
        bytes.extend_from_slice(&sum.to_le_bytes());
    }
    put_unsigned(bytes, left_out.settled);
    put_unsigned(bytes, left_out.provisional);
}

fn extent(reader: &mut Reader<'_>) -> Option<Extent> {
    let version = FileVersion {
        size: reader.unsigned()?,
        nanos: reader.signed()?,
        inode: reader.unsigned()?,
    };
    let offset = reader.unsigned()?;
    let mut open_calls = Vec::new();
    for _ in 0..reader.size()? {
        open_calls.push((reader.text()?.to_owned(), reader.text()?.to_owned()));
    }
    let checkpoint = Checkpoint {
        offset,
        open_calls,
        traits: Traits::from_bits(reader.byte()?),
        damaged: u32::try_from(reader.unsigned()?).ok()?,
    };
    let mut prefix = Prefix::default();
    for _ in 0..reader.size()? {
        prefix.pieces.push(sum(reader)?);
    }
    prefix.rest = sum(reader)?;
    Some(Extent {
        version,
        checkpoint,
        prefix,
        left_out: LeftOut {
            settled: reader.unsigned()?,
            provisional: reader.unsigned()?,
        },
    })
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
