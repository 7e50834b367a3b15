//! Which blocks of a text cannot contain a word: a filter over three bytes at a time.
//!
//! Each block has a set of hashes of every three bytes in it. The sets are kept as rows, one for
//! each hash with a bit for each block, so that a query reads a few rows instead of all sets. A
//! word of a language and a single Chinese character have three bytes; shorter ones pass.

use super::segment::BLOCK;
use crate::search::Bits;

/// Hashes there are. A block of code has three to four thousand different triples.
pub const ROWS: usize = 8192;
/// A word may begin in one block and end in the next, so a block also counts what follows it. So
/// much of a word is looked up.
const REACH: usize = 256;

/// The rows of a text, one after the other, each padded to whole bytes.
pub fn rows(text: &[u8]) -> Vec<u8> {
    let blocks = text.len().div_ceil(BLOCK);
    let width = blocks.div_ceil(8);
    let mut rows = vec![0; ROWS * width];
    // Eight blocks at a time: their bits are in one byte of each row.
    for group in 0..width {
        let mut eight = [0_u8; ROWS];
        for block in group * 8..blocks.min(group * 8 + 8) {
            let end = text.len().min((block + 1) * BLOCK + REACH);
            for triple in text[block * BLOCK..end].windows(3) {
                eight[row_of(triple)] |= 1 << (block % 8);
            }
        }
        for (row, bits) in rows.chunks_exact_mut(width).zip(eight) {
            row[group] = bits;
        }
    }
    rows
}

/// The rows whose blocks may contain a word, each once. None for a word that is too short.
pub fn rows_of(word: &[u8]) -> Vec<usize> {
    let word = &word[..word.len().min(REACH)];
    let mut rows: Vec<usize> = word.windows(3).map(row_of).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The blocks that are in all rows.
pub fn in_all(rows: impl Iterator<Item = Bits>) -> Option<Bits> {
    rows.reduce(|mut kept, row| {
        kept.keep(&row);
        kept
    })
}

fn row_of(triple: &[u8]) -> usize {
    let number = triple
        .iter()
        .fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
    // The upper bits of a product depend on all bits of the number.
    (number.wrapping_mul(0x9e37_79b1) >> 19) as usize
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
