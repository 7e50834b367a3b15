//! How good a passage is for what was typed: words in a row, then how far apart they are, whole words
//! before parts of words, the order in which they were typed, what was said before what was printed.

use std::ops::Range;

/// How near each other the words are. The best comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Closeness {
    /// As typed, one after the other; or there is only one.
    Phrase,
    /// In one passage.
    Passage,
    /// Anywhere in the conversation.
    Scattered,
}

/// How good a passage or a conversation is. The best comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u16);

// The bits of a rank, the weightiest first.
const CLOSENESS: u32 = 11;
const GAP: u32 = 6;
const PARTS: u32 = 2;
const OTHER_ORDER: u32 = 1;
const PRINTED: u16 = 1;

impl Rank {
    /// For what could not be compared.
    pub const WORST: Self = Self(u16::MAX);

    pub fn closeness(self) -> Closeness {
        match self.0 >> CLOSENESS {
            0 => Closeness::Phrase,
            1 => Closeness::Passage,
            _ => Closeness::Scattered,
        }
    }

    fn new(closeness: Closeness, gap: u32, parts: u32, is_other_order: bool) -> Self {
        let bits = (closeness as u16) << CLOSENESS
            | (gap.min(31) as u16) << GAP
            | (parts.min(15) as u16) << PARTS
            | u16::from(is_other_order) << OTHER_ORDER;
        Self(bits)
    }

    /// For a conversation that is found for one word: whole words come before parts of words, then
    /// the newest, whoever said it.
    pub fn of_word(is_whole: bool) -> Self {
        Self::new(Closeness::Phrase, 0, u32::from(!is_whole), false)
    }

    /// For a passage that a tool was given or printed.
    #[must_use]
    pub fn printed(self) -> Self {
        Self(self.0 | PRINTED)
    }
}

/// What is around an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Edges {
    pub starts_word: bool,
    pub ends_word: bool,
    pub joint: Joint,
}

/// How an occurrence is joined to what is before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joint {
    #[default]
    None,
    /// By a space or a sign that joins words.
    Sign,
    /// By its capital, as in camel case.
    Capital,
}

/// An occurrence of a word in a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    pub start: usize,
    pub end: usize,
    pub edges: Edges,
}

impl Edges {
    pub fn is_word(self) -> bool {
        self.starts_word && self.ends_word
    }
}

impl Spot {
    /// Does it come directly after another word? `checkpoint_test`, `checkpointTest` and `checkpoint
    /// test` are two words in a row.
    fn follows(&self, other: &Self) -> bool {
        (self.start == other.end && self.edges.joint == Joint::Capital)
            || (self.start == other.end + 1 && self.edges.joint == Joint::Sign)
    }
}

/// The part of a passage that has most of the words, near each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    pub range: Range<usize>,
    /// How many of the words it has.
    pub words: usize,
    is_row: bool,
    gap: u32,
    parts: u32,
    is_other_order: bool,
}

impl Window {
    /// The better one has the smaller key.
    fn key(&self) -> (bool, u32, u32, bool) {
        (!self.is_row, self.gap, self.parts, self.is_other_order)
    }

    /// Where so many words were typed.
    pub fn rank(&self, typed: usize) -> Rank {
        if self.words < typed {
            let missing = u32::try_from(typed - self.words).unwrap_or(u32::MAX);
            return Rank::new(Closeness::Scattered, missing, 0, false);
        }
        let closeness = if self.is_row || typed < 2 {
            Closeness::Phrase
        } else {
            Closeness::Passage
        };
        Rank::new(closeness, self.gap, self.parts, self.is_other_order)
    }
}

/// The best window of a passage. `spots` are the occurrences of each word, in the order in which the
/// words were typed; words that do not occur have none.
pub fn best_window(spots: &[Vec<Spot>]) -> Option<Window> {
    let mut all: Vec<(usize, &Spot)> = spots
        .iter()
        .enumerate()
        .flat_map(|(word, spots)| spots.iter().map(move |spot| (word, spot)))
        .collect();
    all.sort_unstable_by_key(|(word, spot)| (spot.start, spot.end, *word));
    let words = spots.iter().filter(|spots| !spots.is_empty()).count();
    let mut last: Vec<Option<&Spot>> = vec![None; spots.len()];
    let mut best: Option<Window> = None;
    for (word, spot) in all {
        last[word] = Some(spot);
        let chosen: Vec<&Spot> = last.iter().flatten().copied().collect();
        if chosen.len() < words {
            continue;
        }
        let window = window(&chosen);
        if best.as_ref().is_none_or(|best| window.key() < best.key()) {
            best = Some(window);
        }
    }
    best
}

/// The window of one occurrence of each word, in the order in which they were typed.
fn window(chosen: &[&Spot]) -> Window {
    let start = chosen.iter().map(|spot| spot.start).min().unwrap_or(0);
    let end = chosen.iter().map(|spot| spot.end).max().unwrap_or(0);
    let letters: usize = chosen.iter().map(|spot| spot.end - spot.start).sum();
    let gap = (end - start).saturating_sub(letters);
    let parts = chosen.iter().filter(|spot| !spot.edges.is_word()).count();
    let pairs = || chosen.iter().zip(chosen.iter().skip(1));
    let is_row = pairs().all(|(one, next)| next.follows(one));
    Window {
        range: start..end,
        words: chosen.len(),
        is_row,
        // The signs between words in a row do not count.
        gap: if is_row { 0 } else { bucket(gap) },
        parts: u32::try_from(parts).unwrap_or(u32::MAX),
        is_other_order: pairs().any(|(one, next)| next.start < one.start),
    }
}

/// Powers of two: nobody remembers if words were 20 or 21 letters apart, and what counts after that
/// must count.
fn bucket(gap: usize) -> u32 {
    usize::BITS - gap.leading_zeros()
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
