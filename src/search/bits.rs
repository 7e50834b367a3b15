//! A row of bits: which bytes were capitals, which rows match.

use std::ops::Range;

/// Bits by position. Positions at or beyond the length read as unset.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    pub fn with_len(len: usize) -> Self {
        Self {
            words: vec![0; len.div_ceil(64)],
            len,
        }
    }

    /// Bits from little-endian bytes, eight in each.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let word = |eight: &[u8]| {
            let mut word = [0; 8];
            word[..eight.len()].copy_from_slice(eight);
            u64::from_le_bytes(word)
        };
        Self {
            words: bytes.chunks(8).map(word).collect(),
            len: bytes.len() * 8,
        }
    }

    /// The bits as little-endian bytes, eight in each.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        bytes.take(self.len.div_ceil(8)).collect()
    }

    /// Adds the bits of another row at the end.
    pub fn extend(&mut self, other: &Self) {
        let start = self.len;
        self.resize(start + other.len);
        for (at, &word) in (start..).step_by(64).zip(&other.words) {
            self.set_run(at, word);
        }
    }

    /// Unsets what is not set in the other.
    pub fn keep(&mut self, other: &Self) {
        for (at, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(at).copied().unwrap_or(0);
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds unset bits up to this length, or cuts.
    pub fn resize(&mut self, len: usize) {
        self.words.resize(len.div_ceil(64), 0);
        if !len.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << (len % 64)) - 1;
        }
        self.len = len;
    }

    pub fn get(&self, at: usize) -> bool {
        self.words
            .get(at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Sets a bit below the length; elsewhere it does nothing.
    pub fn set(&mut self, at: usize, bit: bool) {
        if at >= self.len {
            return;
        }
        if let Some(word) = self.words.get_mut(at / 64) {
            let mask = 1 << (at % 64);
            if bit {
                *word |= mask;
            } else {
                *word &= !mask;
            }
        }
    }

    /// Sets up to 64 bits at once: those that are set in the mask, whose lowest bit is for `at`.
    /// The mask must not reach beyond the length.
    pub fn set_run(&mut self, at: usize, mask: u64) {
        let (first, shift) = (at / 64, at % 64);
        if let Some(word) = self.words.get_mut(first) {
            *word |= mask << shift;
        }
        if shift > 0
            && let Some(word) = self.words.get_mut(first + 1)
        {
            *word |= mask >> (64 - shift);
        }
    }

    /// Are the same bits set in both, from `at` on here and from `from` on there?
    pub fn agrees(&self, at: usize, other: &Self, from: usize, count: usize) -> bool {
        (0..count).all(|step| self.get(at + step) == other.get(from + step))
    }

    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The first set bit of a range. Nothing after the range is looked at: asking about one row after
    /// the other must not walk through all rows each time.
    pub fn first_in(&self, range: Range<usize>) -> Option<usize> {
        let words = self
            .words
            .get(..range.end.div_ceil(64).min(self.words.len()))?;
        let mut at = range.start / 64;
        let mut word = words.get(at)? >> (range.start % 64) << (range.start % 64);
        while word == 0 {
            at += 1;
            word = *words.get(at)?;
        }
        let found = at * 64 + word.trailing_zeros() as usize;
        (found < range.end).then_some(found)
    }

    /// The positions of the set bits, in order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    at * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
