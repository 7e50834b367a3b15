//! Which parts of a text on screen matched.
//!
//! Called for visible rows only, and always with the whole text of a field: what is cut off on
//! the screen may be what matched. Nothing is remembered between calls.

use std::cell::RefCell;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::document::Field;
use super::fold::{FoldProfile, Folded, trace};
use super::needle::{Needle, Stretch};
use super::operator::Facet;
use super::query::{Query, Sign, Term, Test};
use super::rank::{Ranker, Tier};

thread_local! {
    /// The fuzzy matcher brings 130 KB of working memory: too much to make anew for every text.
    static RANKER: RefCell<Ranker> = RefCell::default();
}

/// The parts of `text`, the sanitized text of one field, that the query matched: byte ranges that
/// begin and end between graphemes, in order, apart from each other.
pub fn highlight(text: &str, field: Field, query: &Query, tier: Tier) -> Vec<Range<usize>> {
    marked(text, query, |term, stretch| {
        let found = places(&term.test, Some(field), stretch);
        if found.is_empty() && tier == Tier::Fuzzy {
            return fuzzy_places(term, field, stretch);
        }
        found
    })
}

/// Does a query match only what a shown text leaves out of the stored one?
pub fn is_left_out(shown: &str, stored: &str, field: Field, query: &Query) -> bool {
    let has = |text| !highlight(text, field, query, Tier::Substring).is_empty();
    shown != stored && !has(shown) && has(stored)
}

fn marked(
    text: &str,
    query: &Query,
    places: impl Fn(&Term, Stretch<'_>) -> Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let folded = Folded::new(text);
    let stretch = Stretch {
        bytes: folded.text.as_bytes(),
        upper: &folded.upper,
        at: 0,
    };
    let wanted = query.terms().iter().filter(|it| it.sign == Sign::Wanted);
    let mut found: Vec<_> = wanted.flat_map(|term| places(term, stretch)).collect();
    found.sort_by_key(|range| range.start);
    whole_marks(text, trace(text, FoldProfile::Verbatim, &found))
}

/// Where a test is met in a folded field, or in a text that is none.
fn places(test: &Test, field: Option<Field>, stretch: Stretch<'_>) -> Vec<Range<usize>> {
    let all = |needle: &Needle| {
        let length = needle.text().len();
        needle.places(stretch).map(|at| at..at + length).collect()
    };
    let beginning = |needle: &Needle| {
        let begins = needle.begins(stretch);
        begins.then(|| 0..needle.text().len()).into_iter().collect()
    };
    match (test, field) {
        // An id is found by its beginning only.
        (
            Test::Word(needle) | Test::Phrase(needle) | Test::Name(Facet::Id, Some(needle)),
            Some(Field::Id),
        ) => beginning(needle),
        (Test::Regex(pattern), Some(Field::Id)) => {
            let places = pattern.places(stretch.bytes);
            places.take_while(|range| range.start == 0).collect()
        }
        (Test::Regex(pattern), _) => pattern.places(stretch.bytes).collect(),
        (Test::Word(needle) | Test::Phrase(needle), _)
        | (Test::Name(Facet::Project, Some(needle)), Some(Field::Project))
        | (Test::Name(Facet::Branch, Some(needle)), Some(Field::Branch))
        | (Test::Name(Facet::Tag, Some(needle)), Some(Field::Tag))
        | (Test::Name(Facet::Pr, Some(needle)), Some(Field::Pr)) => all(needle),
        (
            Test::Name(..)
            | Test::Is(_)
            | Test::Since(_)
            | Test::Before(_)
            | Test::Role(_)
            | Test::Tool(_)
            | Test::File(_)
            | Test::Has(_),
            _,
        ) => Vec::new(),
    }
}

/// Where the letters of a word are in one of the fields that are matched fuzzily.
fn fuzzy_places(term: &Term, field: Field, stretch: Stretch<'_>) -> Vec<Range<usize>> {
    match field {
        Field::Title | Field::Project | Field::Branch | Field::Tag => {}
        Field::Id | Field::Pr | Field::FirstPrompt | Field::LastPrompt => return Vec::new(),
    }
    let places = RANKER.with_borrow_mut(|ranker| ranker.places(term, stretch));
    let places = places.unwrap_or_default();
    places.into_iter().map(|at| at..at + 1).collect()
}

/// Ranges of a text as they can be marked: of whole graphemes, in order, apart from each other.
pub fn whole_marks(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    joined(whole_graphemes(text, ranges))
}

/// Widens ranges to whole graphemes: half of one cannot be drawn.
fn whole_graphemes(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if text.is_ascii() || ranges.is_empty() {
        return ranges;
    }
    let starts: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
    let widen = |range: Range<usize>| {
        let first = starts.partition_point(|start| *start <= range.start);
        let after = starts.partition_point(|start| *start < range.end);
        let start = starts.get(first.saturating_sub(1)).copied().unwrap_or(0);
        start..starts.get(after).copied().unwrap_or(text.len())
    };
    ranges.into_iter().map(widen).collect()
}

fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
#[path = "highlight_tests.rs"]
mod tests;
