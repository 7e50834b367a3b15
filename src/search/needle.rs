//! One thing to look for: a folded word or phrase, with its capitals where it has some.

use memchr::memmem::Finder;

use super::bits::Bits;
use super::fold::Folded;

/// A folded word or phrase, ready to be looked for in many texts. With a capital in it, it
/// matches only where the same letters are capitals; without one, anywhere.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    upper: Option<Bits>,
    finder: Finder<'static>,
}

/// What it looks for is all there is to it.
impl PartialEq for Needle {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.upper) == (&other.text, &other.upper)
    }
}

impl Eq for Needle {}

/// A stretch of folded text together with its capitals.
#[derive(Debug, Clone, Copy)]
pub struct Stretch<'a> {
    pub bytes: &'a [u8],
    pub upper: &'a Bits,
    /// The position in `upper` that belongs to the first byte.
    pub at: usize,
}

impl Needle {
    /// Nothing, if nothing is left of the text after folding.
    pub fn new(text: &str) -> Option<Self> {
        let Folded { text, upper } = Folded::new(text.trim());
        let upper = (upper.count() > 0).then_some(upper);
        let finder = Finder::new(text.as_bytes()).into_owned();
        (!text.is_empty()).then_some(Self {
            text,
            upper,
            finder,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn upper(&self) -> Option<&Bits> {
        self.upper.as_ref()
    }

    /// Its next occurrence in a stretch, at or after a position.
    pub fn next(&self, stretch: Stretch<'_>, from: usize) -> Option<usize> {
        let Some(wanted) = &self.upper else {
            return Some(from + self.finder.find(stretch.bytes.get(from..)?)?);
        };
        // Capitals are rare: going from one to the next is faster than trying all small letters.
        let offset = wanted.first_in(0..wanted.len())?;
        let end = stretch.at + stretch.bytes.len();
        let mut at = from;
        loop {
            let first = stretch.at + at + offset;
            let capital = stretch.upper.first_in(first..end)?;
            at = capital - stretch.at - offset;
            if at + self.text.len() > stretch.bytes.len() {
                return None;
            }
            if self.begins_at(stretch, at) {
                return Some(at);
            }
            at += 1;
        }
    }

    pub fn begins(&self, stretch: Stretch<'_>) -> bool {
        self.begins_at(stretch, 0)
    }

    pub fn is_in(&self, stretch: Stretch<'_>) -> bool {
        self.next(stretch, 0).is_some()
    }

    /// Its occurrences in a stretch, without overlaps.
    pub fn places<'a>(&'a self, stretch: Stretch<'a>) -> impl Iterator<Item = usize> + 'a {
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = self.next(stretch, from)?;
            from = at + self.text.len();
            Some(at)
        })
    }

    fn begins_at(&self, stretch: Stretch<'_>, at: usize) -> bool {
        let text = self.text.as_bytes();
        let is_there = stretch
            .bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(text));
        let upper = self.upper.as_ref();
        is_there
            && upper
                .is_none_or(|wanted| stretch.upper.agrees(stretch.at + at, wanted, 0, text.len()))
    }

    /// Is every text that begins with this one also a text that begins with `other`?
    pub fn extends(&self, other: &Self) -> bool {
        self.text.starts_with(&other.text)
            && match (&self.upper, &other.upper) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(mine), Some(theirs)) => mine.agrees(0, theirs, 0, other.text.len()),
            }
    }
}

#[cfg(test)]
#[path = "needle_tests.rs"]
mod tests;
