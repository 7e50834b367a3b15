//! Rejects texts that cannot match.
//!
//! Comparing texts without regard to case and accents is slow, and most texts do not even have the
//! letters. A text that passes may have no match; one that does not pass has none.

use memchr::memchr2_iter;

/// Letters that every match contains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LetterFilter {
    /// In lower case; empty lets everything pass.
    letters: Vec<u8>,
}

impl LetterFilter {
    /// For a phrase that has to match as a whole.
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

/// Is it surely no letter, and no part of one?
fn is_itself(c: char) -> bool {
    // The last two are arrows, and lines, blocks, shapes and signs.
    matches!(c, ' '..='~' | '\n' | '\t' | '·' | '–' | '—' | '‘'..='”' | '•' | '…'
        | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{27bf}')
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
