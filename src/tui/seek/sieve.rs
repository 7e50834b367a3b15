//! Which texts are worth a closer look.
//!
//! Comparing texts as people read them, whatever their capitals and accents, is slow: most texts do
//! not even have the letters. What is let through may have no match; what is not has none.

use memchr::memchr2_iter;

/// The letters without which there is no match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sieve {
    /// In small letters; everything is let through if there are none.
    letters: Vec<u8>,
}

impl Sieve {
    /// For a phrase that has to be met as a whole.
    pub fn of(phrase: Option<&str>) -> Self {
        let phrase = phrase.filter(|it| it.is_ascii()).unwrap_or_default();
        let words = phrase.split(|c: char| !c.is_ascii_alphanumeric());
        let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
        Self {
            letters: longest.to_ascii_lowercase().into_bytes(),
        }
    }

    pub fn lets_through(&self, text: &str) -> bool {
        let Some(first) = self.letters.first() else {
            return true;
        };
        let bytes = text.as_bytes();
        let mut begins = memchr2_iter(*first, first.to_ascii_uppercase(), bytes);
        let is_there = |at: usize| {
            let found = bytes.get(at..at + self.letters.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(&self.letters))
        };
        begins.any(is_there) || !text.chars().all(is_itself)
    }
}

/// Is it no letter, and no part of one, in whatever way it is written?
fn is_itself(c: char) -> bool {
    // The last two are arrows, and lines, blocks, shapes and signs.
    matches!(c, ' '..='~' | '\n' | '\t' | '·' | '–' | '—' | '‘'..='”' | '•' | '…'
        | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{27bf}')
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
