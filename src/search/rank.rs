//! The second tier: rows whose short texts have the letters of every word, in order.
//!
//! The only user of `nucleo`. Ids are left out: any three hex digits occur in order in
//! every id. So are prompts, which are long enough to have the letters of nearly anything; but a
//! word that occurs in a prompt as it is counts, so that one mistyped word among right ones does
//! not lose the row. A row whose letters are too far apart is no match.

use nucleo::{Config, Matcher, Utf32Str, Utf32String};

use super::bits::Bits;
use super::document::Field;
use super::haystack::{Haystack, Letters};
use super::needle::{Needle, Stretch};
use super::query::{Query, Sign, Term, Test};
use super::sieve::RowSieve;

/// How well a row matches, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// It contains every word.
    Substring,
    /// The text of its conversation has what is looked for.
    Inside,
    /// Its short texts contain the letters of every word, in order.
    Fuzzy,
}

/// The fields that are matched fuzzily, side by side in the arena.
const FIELDS: [Field; 4] = [Field::Title, Field::Project, Field::Branch, Field::Tag];
/// Words of other lengths, in characters, are looked for as they are: two letters occur in order
/// nearly everywhere, and a whole line is not mistyped.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=32;
/// What comes after this many bytes of a title is not looked at: a title that long is a text.
const LONGEST: usize = 256;
/// What nucleo gives for one letter, without bonuses for beginnings of words and neighbours and
/// without what it takes for gaps.
const LETTER: u16 = 16;

/// A query made ready for fuzzy matching.
#[derive(Debug)]
pub struct Patterns<'q> {
    words: Vec<FuzzyWord<'q>>,
    /// Everything that is no plain word must hold as it does in the first tier.
    strict: RowSieve<'q>,
}

#[derive(Debug)]
struct FuzzyWord<'q> {
    needle: &'q Needle,
    whole: RowSieve<'q>,
    letters: Letters,
    /// Its letters with their capitals.
    spelling: Utf32String,
    /// In characters; nothing for a word that is looked for as it is.
    length: Option<u16>,
}

/// What fuzzy matching says about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    No,
    /// The letters are there but too far apart. More letters may bring them together.
    TooLoose,
    /// Higher is better; never zero.
    Score(u16),
}

impl<'q> Patterns<'q> {
    /// Nothing, if there is no word to be matched fuzzily.
    pub fn new(query: &'q Query) -> Option<Self> {
        let words: Vec<FuzzyWord<'q>> = query.terms().iter().filter_map(FuzzyWord::new).collect();
        let is_strict = |term: &&Term| word(term).is_none();
        words
            .iter()
            .any(|word| word.length.is_some())
            .then(|| Self {
                words,
                strict: RowSieve::of(query.terms().iter().filter(is_strict)),
            })
    }
}

fn word(term: &Term) -> Option<&Needle> {
    match (term.sign, &term.test) {
        (Sign::Wanted, Test::Word(needle)) => Some(needle),
        _ => None,
    }
}

fn fuzzy_length(needle: &Needle) -> Option<u16> {
    let length = needle.text().chars().count();
    u16::try_from(length)
        .ok()
        .filter(|_| LENGTHS.contains(&length))
}

/// Can nothing but `Verdict::No` come of the newer query where it came of the older one?
pub fn narrows(newer: &Query, older: &Query) -> bool {
    older.terms().iter().all(|old| {
        // A word that was looked for as it is says nothing about one that may match loosely.
        let strict = word(old).is_some_and(|needle| fuzzy_length(needle).is_none());
        newer.terms().iter().any(|new| {
            let loose = word(new).is_some_and(|needle| fuzzy_length(needle).is_some());
            new.implies(old) && !(strict && loose)
        })
    })
}

impl<'q> FuzzyWord<'q> {
    fn new(term: &'q Term) -> Option<Self> {
        let needle = word(term)?;
        let text = needle.text();
        let spelling = if needle.upper().is_none() && text.is_ascii() {
            Utf32String::Ascii(text.into())
        } else {
            let mut letters = Vec::new();
            let capitals = needle.upper().map(|upper| (upper, 0));
            spell(text.as_bytes(), capitals, &mut letters);
            Utf32String::Unicode(letters.into())
        };
        Some(Self {
            needle,
            whole: RowSieve::of(std::iter::once(term)),
            letters: Letters::of(text.as_bytes()),
            spelling,
            length: fuzzy_length(needle),
        })
    }
}

/// The letters of a folded text, with their capitals where those count.
fn spell(text: &[u8], capitals: Option<(&Bits, usize)>, letters: &mut Vec<char>) {
    let is_capital = |at| capitals.is_some_and(|(upper, start)| upper.get(start + at));
    let text = std::str::from_utf8(text).unwrap_or_default();
    letters.clear();
    letters.extend(text.char_indices().map(|(at, c)| match c {
        _ if is_capital(at) => c.to_uppercase().next().unwrap_or(c),
        _ => c,
    }));
}

/// The matcher with its buffers, used again for every row.
#[derive(Debug)]
pub struct Ranker {
    matcher: Matcher,
    letters: Vec<char>,
    places: Vec<u32>,
}

impl Default for Ranker {
    fn default() -> Self {
        let mut config = Config::DEFAULT;
        // Both sides are folded already.
        config.ignore_case = false;
        config.normalize = false;
        Self {
            matcher: Matcher::new(config),
            letters: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl Ranker {
    pub fn judge(&mut self, patterns: &Patterns<'_>, haystack: &Haystack, slot: usize) -> Verdict {
        let facts = haystack.facts(slot);
        if !haystack.class(slot).is_alive() || !patterns.strict.passes(haystack, slot) {
            return Verdict::No;
        }
        let mut sum: u16 = 0;
        let mut tight = true;
        for word in &patterns.words {
            let mut best = Verdict::No;
            if facts.letters.cover(word.letters) {
                for field in FIELDS {
                    best = best.max(self.fit(word, haystack.field(slot, field)));
                }
            }
            match best {
                Verdict::Score(score) => sum = sum.saturating_add(score),
                _ if word.whole.passes(haystack, slot) => {
                    sum = sum.saturating_add(word.length.unwrap_or(1) * LETTER);
                }
                Verdict::TooLoose => tight = false,
                Verdict::No => return Verdict::No,
            }
        }
        if tight {
            Verdict::Score(sum)
        } else {
            Verdict::TooLoose
        }
    }

    fn fit(&mut self, word: &FuzzyWord<'_>, field: Stretch<'_>) -> Verdict {
        let Some(length) = word.length else {
            return Verdict::No;
        };
        let field = cut(field);
        if field.bytes.len() < word.needle.text().len() {
            return Verdict::No;
        }
        let (haystack, needle) = prepare(word, field, &mut self.letters);
        let Some(score) = self.matcher.fuzzy_match(haystack, needle) else {
            return Verdict::No;
        };
        // Where the score alone decides, the places are not needed.
        if score < length * LETTER * 3 / 4 {
            return Verdict::TooLoose;
        }
        if score < length * LETTER * 5 / 4 {
            self.places.clear();
            self.matcher
                .fuzzy_indices(haystack, needle, &mut self.places);
            if !is_close(score, length, &self.places) {
                return Verdict::TooLoose;
            }
        }
        Verdict::Score(score)
    }

    /// Where the letters of a word are in a folded text, as byte offsets, if it matches there.
    pub fn places(&mut self, term: &Term, field: Stretch<'_>) -> Option<Vec<usize>> {
        let word = FuzzyWord::new(term)?;
        let length = word.length?;
        let field = cut(field);
        self.places.clear();
        let (haystack, needle) = prepare(&word, field, &mut self.letters);
        let score = self
            .matcher
            .fuzzy_indices(haystack, needle, &mut self.places)?;
        if !is_close(score, length, &self.places) {
            return None;
        }
        let text = std::str::from_utf8(field.bytes).ok()?;
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let places = self.places.iter();
        Some(
            places
                .filter_map(|&place| starts.get(place as usize).copied())
                .collect(),
        )
    }
}

/// Are the letters close enough to each other to be what was meant? Either with few others
/// between them, as in a mistyped word, or at beginnings of words, as in an abbreviation: that is
/// what the score rewards.
fn is_close(score: u16, length: u16, places: &[u32]) -> bool {
    let (first, last) = (places.first(), places.last());
    let span = first.zip(last).map_or(0, |(first, last)| last - first + 1);
    score >= length * LETTER * 5 / 4
        || score >= length * LETTER * 3 / 4 && span <= 2 * u32::from(length) + 2
}

/// The part of a field that is looked at.
fn cut(field: Stretch<'_>) -> Stretch<'_> {
    let mut end = field.bytes.len().min(LONGEST);
    while end < field.bytes.len() && field.bytes[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    Stretch {
        bytes: &field.bytes[..end],
        ..field
    }
}

/// Both sides as nucleo wants them: it compares bytes only if both are.
fn prepare<'a>(
    word: &'a FuzzyWord<'_>,
    field: Stretch<'a>,
    letters: &'a mut Vec<char>,
) -> (Utf32Str<'a>, Utf32Str<'a>) {
    let needle = word.spelling.slice(..);
    let has_capitals = word.needle.upper().is_some();
    if !has_capitals && field.bytes.is_ascii() {
        return (Utf32Str::Ascii(field.bytes), needle);
    }
    let capitals = has_capitals.then_some((field.upper, field.at));
    spell(field.bytes, capitals, letters);
    (Utf32Str::Unicode(letters), needle)
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
