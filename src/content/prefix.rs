//! Tells whether the known beginning of a file is still what it was, by checksums of its pieces.
//!
//! Only a full read is certain: of a long beginning, some pieces are compared.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};

use crc32fast::Hasher;

use crate::files;

/// Bytes of a piece.
const PIECE: u64 = 256 * 1024;
/// A beginning of at most this many pieces is compared whole.
const WHOLE: u64 = 32;
/// Of a longer one, as many pieces are compared, evenly spread, and its end.
const SPREAD: u64 = 8;

/// Checksums of the beginning of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prefix {
    pub pieces: Vec<u32>,
    /// The checksum of what follows the last whole piece.
    pub rest: u32,
}

impl Prefix {
    /// Does a file still begin with these `end` bytes?
    pub fn is_kept(&self, file: &File, end: u64) -> io::Result<bool> {
        let count = end / PIECE;
        if self.pieces.len() as u64 != count || rest(file, end)? != self.rest {
            return Ok(false);
        }
        let compared: BTreeSet<u64> = if count <= WHOLE {
            (0..count).collect()
        } else {
            (0..=SPREAD).map(|at| at * (count - 1) / SPREAD).collect()
        };
        for (at, known) in (0..).zip(&self.pieces) {
            let start = at * PIECE;
            if compared.contains(&at) && sum(file, start, start + PIECE)? != *known {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn rest(file: &File, end: u64) -> io::Result<u32> {
    sum(file, end - end % PIECE, end)
}

fn sum(file: &File, start: u64, end: u64) -> io::Result<u32> {
    let too_large = |_| io::ErrorKind::FileTooLarge;
    let mut bytes = vec![0; usize::try_from(end - start).map_err(too_large)?];
    files::read_exact_at(file, &mut bytes, usize::try_from(start).map_err(too_large)?)?;
    Ok(crc32fast::hash(&bytes))
}

/// Reads a file on, and sums its pieces as they pass.
#[derive(Debug)]
pub struct Summing<'f> {
    file: &'f File,
    pieces: Vec<u32>,
    hasher: Hasher,
    /// Bytes of the piece that was begun.
    begun: u64,
}

impl<'f> Summing<'f> {
    /// `known` is the sum of the first `start` bytes. The file is at their end.
    pub fn new(file: &'f File, known: Prefix, start: u64) -> Self {
        Self {
            file,
            pieces: known.pieces,
            hasher: Hasher::new_with_initial(known.rest),
            begun: start % PIECE,
        }
    }

    /// The sums of the first `end` bytes, at most as many as were read.
    pub fn finish(mut self, end: u64) -> io::Result<Prefix> {
        let count = usize::try_from(end / PIECE).unwrap_or(usize::MAX);
        self.pieces.truncate(count);
        Ok(Prefix {
            pieces: self.pieces,
            rest: rest(self.file, end)?,
        })
    }
}

impl Read for Summing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file;
        let length = file.read(buffer)?;
        let mut new = buffer.get(..length).unwrap_or_default();
        while !new.is_empty() {
            let left = usize::try_from(PIECE - self.begun).unwrap_or(usize::MAX);
            let (piece, behind) = new.split_at(left.min(new.len()));
            self.hasher.update(piece);
            self.begun += piece.len() as u64;
            if self.begun == PIECE {
                let hasher = std::mem::take(&mut self.hasher);
                self.pieces.push(hasher.finalize());
                self.begun = 0;
            }
            new = behind;
        }
        Ok(length)
    }
}

#[cfg(test)]
#[path = "prefix_tests.rs"]
mod tests;
