//! Which blocks of a text cannot contain a word: a filter over three bytes at a time, and over two.
//!
//! Each block has a set of hashes of every three bytes in it, and of every two. The sets are kept as
//! rows, one for each hash with a bit for each block, so that a query reads a few rows instead of
//! all sets. A word of a language and a single Chinese character have three bytes. The rows of two
//! bytes are for shorter words only.

use super::segment::BLOCK;
use crate::search::Bits;

/// Hashes of three bytes. A block of code has three to four thousand different triples.
const TRIPLES: usize = 8192;
/// Rows of two bytes: one for each two letters or digits, and the rest by their hash.
const PAIRS: usize = 2048;
/// Letters and digits.
const SIGNS: usize = 36;
pub const ROWS: usize = TRIPLES + PAIRS;
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
            let bit = 1 << (block % 8);
            let text = &text[block * BLOCK..end];
            for triple in text.windows(3) {
                eight[row_of_triple(triple)] |= bit;
            }
            for pair in text.windows(2) {
                eight[row_of_pair(pair)] |= bit;
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
    if word.len() == 2 {
        return vec![row_of_pair(word)];
    }
    let mut rows: Vec<usize> = word.windows(3).map(row_of_triple).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Can the filter say anything about a word?
pub fn knows(word: &[u8]) -> bool {
    word.len() >= 2
}

/// The blocks that are in all rows.
pub fn in_all(rows: impl Iterator<Item = Bits>) -> Option<Bits> {
    rows.reduce(|mut kept, row| {
        kept.keep(&row);
        kept
    })
}

fn row_of_triple(triple: &[u8]) -> usize {
    let number = triple
        .iter()
        .fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
    // The upper bits of a product depend on all bits of the number.
    (number.wrapping_mul(0x9e37_79b1) >> 19) as usize
}

fn row_of_pair(pair: &[u8]) -> usize {
    let sign = |byte: u8| match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b'0'..=b'9' => Some(usize::from(byte - b'0') + 26),
        _ => None,
    };
    let place = if let (Some(first), Some(second)) = (sign(pair[0]), sign(pair[1])) {
        first * SIGNS + second
    } else {
        let number = u32::from(pair[0]) << 8 | u32::from(pair[1]);
        let hash = (number.wrapping_mul(0x9e37_79b1) >> 16) as usize;
        SIGNS * SIGNS + hash % (PAIRS - SIGNS * SIGNS)
    };
    TRIPLES + place
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
