//! The words that were probably meant, where those that were typed do not occur.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::index::Index;
use super::messages::ContentSearch;
use super::wanted::Wanted;
use crate::search::{Needle, Query, RowId, replace_word};

/// So much of what was said is looked at, in bytes, newest first.
const MOST_TEXT: usize = 16 * 1024 * 1024;
/// Shorter words are near too many others.
const SHORTEST: usize = 4;
/// So many of the nearest words are tried.
const TRIED: usize = 4;
/// So many words may be missing.
const MOST_MISSING: usize = 2;

/// Words that would find something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The words of the query that do not occur, with those that do.
    pub changes: Vec<(Needle, Needle)>,
    /// Conversations that the query finds with them.
    pub count: usize,
}

impl Suggestion {
    /// A query as typed, with the words that occur.
    pub fn in_text(&self, typed: &str) -> String {
        let changes = self.changes.iter();
        changes.fold(typed.to_owned(), |text, (word, other)| {
            replace_word(&text, word, other)
        })
    }

    /// The words that occur.
    pub fn words(&self) -> String {
        let others = self.changes.iter().map(|(_, other)| other.text());
        others.collect::<Vec<_>>().join(" ")
    }
}

/// A part of a word that does not occur.
struct Missing<'w> {
    word: &'w Needle,
    part: Range<usize>,
}

/// A suggestion for a search that found nothing, if one or two words of it are the reason, or parts of
/// words that signs join. `None` if it became stale on the way.
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
    let mut missing: Vec<Missing<'_>> = Vec::new();
    let is_nowhere = |index: &mut Index, text: &str| count(index, &Query::phrase(text), 1) == 0;
    for word in search.query.plain_words() {
        if !is_nowhere(index, word.text()) {
            continue;
        }
        let parts = parts(word.text()).into_iter();
        let lost = parts.filter(|part| is_nowhere(index, &word.text()[part.clone()]));
        missing.extend(lost.map(|part| Missing { word, part }));
    }
    if missing.len() > MOST_MISSING {
        return None;
    }
    let near = missing.iter().map(|missing| {
        let part = &missing.word.text()[missing.part.clone()];
        let near = near_words(index, part, rows, is_stale);
        near.into_iter().take(TRIED).collect()
    });
    let near: Vec<Vec<String>> = near.collect();
    let suggestion = choices(&near).into_iter().find_map(|choice| {
        let changes = changes(&missing, &choice)?;
        let mut query = search.query.clone();
        for (word, other) in &changes {
            query = query.replacing(word, other);
        }
        let count = count(index, &query, usize::MAX);
        (count > 0).then_some(Suggestion { changes, count })
    });
    suggestion.filter(|_| !is_stale())
}

/// The parts of a word that signs join, such as `_` and `-`.
fn parts(word: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in word.split(|c: char| !c.is_alphanumeric()) {
        if !part.is_empty() {
            parts.push(start..start + part.len());
        }
        let sign = word[start + part.len()..].chars().next();
        start += part.len() + sign.map_or(0, char::len_utf8);
    }
    parts
}

/// One of each of these, in every way, the first ones first.
fn choices(all: &[Vec<String>]) -> Vec<Vec<&str>> {
    let mut choices: Vec<(usize, Vec<&str>)> = vec![(0, Vec::new())];
    for some in all {
        let longer = choices.iter().flat_map(|(late, chosen)| {
            let more = some.iter().enumerate();
            more.map(move |(at, one)| {
                let mut chosen = chosen.clone();
                chosen.push(one.as_str());
                (late + at, chosen)
            })
        });
        choices = longer.collect();
    }
    choices.sort_by_key(|(late, _)| *late);
    let chosen = choices.into_iter().map(|(_, chosen)| chosen);
    chosen.filter(|chosen| !chosen.is_empty()).collect()
}

/// The words with other parts in place of those that are missing.
fn changes(missing: &[Missing<'_>], others: &[&str]) -> Option<Vec<(Needle, Needle)>> {
    let mut changes = Vec::new();
    let mut missing = missing.iter().zip(others).peekable();
    while let Some((Missing { word, part }, other)) = missing.next() {
        let mut text = word.text()[..part.start].to_owned() + other;
        let mut end = part.end;
        while let Some((next, other)) = missing.next_if(|(next, _)| next.word == *word) {
            text += &word.text()[end..next.part.start];
            text += other;
            end = next.part.end;
        }
        text += &word.text()[end..];
        changes.push(((*word).clone(), Needle::new(&text)?));
    }
    Some(changes)
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

    /// Most words are far away, and that must cost little: a word that is long enough has one of the
    /// bytes that are looked at, and only such words are looked at whole.
    fn take(&mut self, text: &[u8]) {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let shortest = SHORTEST.max(self.word.len() - self.most);
        let mut at = shortest - 1;
        while let Some(byte) = text.get(at) {
            if !is_part(byte) {
                at += shortest;
                continue;
            }
            let before = text[..at].iter().rposition(|byte| !is_part(byte));
            let start = before.map_or(0, |before| before + 1);
            let length = text[start..].iter().position(|byte| !is_part(byte));
            let end = length.map_or(text.len(), |length| start + length);
            at = end + shortest;
            let stretch = &text[start..end];
            let letters = stretch.iter().fold(0, |set, byte| set | 1 << (byte % 32));
            if stretch.is_ascii() && self.is_far(stretch.len(), letters) {
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
