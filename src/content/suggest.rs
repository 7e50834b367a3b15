//! The word that was probably meant, where the one that was typed does not occur.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::index::Index;
use super::messages::ContentSearch;
use super::wanted::Wanted;
use crate::search::{Needle, Query, RowId};

/// So much of what was said is looked at, in bytes, newest first.
const MOST_TEXT: usize = 16 * 1024 * 1024;
/// Shorter words are near too many others.
const SHORTEST: usize = 4;
/// So many of the nearest words are tried.
const TRIED: usize = 4;

/// A word that would find something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The word of the query that does not occur.
    pub word: Needle,
    pub other: Needle,
    /// Conversations that the query finds with it.
    pub count: usize,
}

/// A suggestion for a search that found nothing, if one word of it is the reason. `None` if it became
/// stale on the way.
pub fn suggestion(
    index: &mut Index,
    search: &ContentSearch,
    is_stale: &impl Fn() -> bool,
) -> Option<Suggestion> {
    let rows = &search.rows.shown;
    let count = |index: &mut Index, query: &Query, most: usize| {
        let Some(wanted) = Wanted::new(query) else {
            return 0;
        };
        let mut count = 0;
        index.search(&wanted, rows, |_, has| {
            count += usize::from(has);
            count < most && !is_stale()
        });
        count
    };
    let words: Vec<&Needle> = search.query.plain_words().collect();
    let mut missing = words
        .into_iter()
        .filter(|word| count(index, &Query::phrase(word.text()), 1) == 0);
    let (Some(word), None) = (missing.next(), missing.next()) else {
        return None;
    };
    let near = near_words(index, word.text(), rows, is_stale).into_iter();
    let suggestion = near.take(TRIED).find_map(|near| {
        let other = Needle::new(&near)?;
        let query = search.query.replacing(word, &other);
        let count = count(index, &query, usize::MAX);
        let word = word.clone();
        (count > 0).then_some(Suggestion { word, other, count })
    });
    suggestion.filter(|_| !is_stale())
}

/// Words that were said and are spelled almost like this one, the nearest and most frequent first.
fn near_words(
    index: &Index,
    word: &str,
    rows: &[RowId],
    is_stale: &impl Fn() -> bool,
) -> Vec<String> {
    let Some(mut speller) = Speller::new(word) else {
        return Vec::new();
    };
    let mut looked_at = 0;
    for row in rows {
        if looked_at > MOST_TEXT || is_stale() {
            break;
        }
        for text in index.talk(*row) {
            looked_at += text.len();
            speller.take(&text);
        }
    }
    speller.near()
}

/// Collects words that differ little from one.
struct Speller {
    word: Vec<char>,
    letters: u32,
    most: usize,
    /// Distance and frequency.
    found: HashMap<String, (usize, usize)>,
}

impl Speller {
    /// Nothing for a word that is too short or has more than letters and digits in it.
    fn new(word: &str) -> Option<Self> {
        let chars: Vec<char> = word.chars().collect();
        let is_plain = chars.iter().all(|c| c.is_alphanumeric());
        (is_plain && chars.len() >= SHORTEST).then(|| Self {
            letters: letters(word),
            most: if chars.len() < 7 { 1 } else { 2 },
            word: chars,
            found: HashMap::new(),
        })
    }

    /// Most words are far away, and that must cost little: ASCII is looked at once, byte by byte.
    fn take(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() {
            let (mut length, mut letters, mut is_ascii) = (0, 0_u32, true);
            for byte in rest {
                if !byte.is_ascii_alphanumeric() && byte.is_ascii() {
                    break;
                }
                is_ascii &= byte.is_ascii();
                letters |= 1 << (byte % 32);
                length += 1;
            }
            let (stretch, behind) = rest.split_at(length);
            rest = behind.get(1..).unwrap_or_default();
            if is_ascii && self.is_far(length, letters) {
                continue;
            }
            let stretch = String::from_utf8_lossy(stretch);
            let words = stretch.split(|c: char| !c.is_alphanumeric());
            words.for_each(|word| self.compare(word));
        }
    }

    fn is_far(&self, length: usize, letters: u32) -> bool {
        let other = (letters ^ self.letters).count_ones() as usize;
        length < SHORTEST || length.abs_diff(self.word.len()) > self.most || other > 2 * self.most
    }

    fn compare(&mut self, word: &str) {
        if self.is_far(word.chars().count(), letters(word)) {
            return;
        }
        if let Some((_, frequency)) = self.found.get_mut(word) {
            *frequency += 1;
            return;
        }
        let distance = distance(&self.word, &word.chars().collect::<Vec<_>>());
        if distance <= self.most {
            self.found.insert(word.to_owned(), (distance, 1));
        }
    }

    fn near(self) -> Vec<String> {
        let mut near: Vec<_> = self.found.into_iter().collect();
        near.sort_unstable_by(|(a, (near, often)), (b, (far, rarely))| {
            (near, Reverse(often), a).cmp(&(far, Reverse(rarely), b))
        });
        near.into_iter().map(|(word, _)| word).collect()
    }
}

/// The letters of a word as a set. A change of one letter changes two of its members at most.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |set, c| set | 1 << (c as u32 % 32))
}

/// How many letters have to be added, dropped, changed or swapped with the next one.
pub fn distance(a: &[char], b: &[char]) -> usize {
    let first: Vec<usize> = (0..=b.len()).collect();
    let (mut before, mut above) = (first.clone(), first);
    for (y, &left) in a.iter().enumerate() {
        let mut row = vec![y + 1];
        for (x, &right) in b.iter().enumerate() {
            let changed = above[x] + usize::from(left != right);
            let mut least = changed.min(above[x + 1] + 1).min(row[x] + 1);
            if x > 0 && y > 0 && left == b[x - 1] && a[y - 1] == right {
                least = least.min(before[x - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
#[path = "suggest_tests.rs"]
mod tests;
