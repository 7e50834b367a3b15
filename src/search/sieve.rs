//! The first tier: which rows pass every test of a query, by one pass over the arena.
//!
//! The longest word leads: a vectorised search jumps from one of its occurrences to the next, and
//! only the rows it lands in are looked at further. Everything else a query asks is checked for
//! those rows alone. Knows nothing of order, scope or hidden kinds.

use memchr::memmem::Finder;

use super::bits::Bits;
use super::document::Field;
use super::haystack::{Haystack, State};
use super::needle::{Needle, Stretch};
use super::query::{Name, Query, Sign, Term, Test};

/// So many slots are looked at before asking whether anybody still wants to know: about a tenth
/// of a millisecond.
pub const STRIDE: usize = 4096;
/// Candidates are looked at one by one if there are at most this part of all rows; a pass over
/// everything is faster otherwise.
const FEW: usize = 8;

/// A query made ready for many rows.
#[derive(Debug)]
pub struct Sieve<'q> {
    /// Words and phrases that must stand somewhere, the longest first.
    texts: Vec<(&'q Needle, Finder<'q>)>,
    /// Everything else, the cheap tests first.
    others: Vec<&'q Term>,
}

/// Has the question become stale? Asked between strides.
pub type Stale<'a> = &'a dyn Fn() -> bool;

impl<'q> Sieve<'q> {
    pub fn new(query: &'q Query) -> Self {
        Self::of(query.terms().iter())
    }

    pub fn of(terms: impl Iterator<Item = &'q Term>) -> Self {
        let mut texts = Vec::new();
        let mut others = Vec::new();
        for term in terms {
            match (term.sign, &term.test) {
                (Sign::Wanted, Test::Word(needle) | Test::Phrase(needle)) => {
                    texts.push((needle, needle.finder()));
                }
                _ => others.push(term),
            }
        }
        texts.sort_by_key(|(needle, _)| std::cmp::Reverse(needle.text().len()));
        others.sort_by_key(|term| matches!(term.test, Test::Word(_) | Test::Phrase(_)));
        Self { texts, others }
    }

    /// The slots that pass, of the candidates or of all. Nothing, if it became stale on the way.
    pub fn sift(
        &self,
        haystack: &Haystack,
        candidates: Option<&Bits>,
        is_stale: Stale<'_>,
    ) -> Option<Bits> {
        let total = haystack.slots().len();
        let mut passed = Bits::with_len(total);
        match (candidates, self.texts.split_first()) {
            (Some(few), _) if few.count() <= total / FEW => {
                for (count, slot) in few.ones().enumerate() {
                    if count.is_multiple_of(STRIDE) && is_stale() {
                        return None;
                    }
                    passed.set(slot, self.passes(haystack, slot));
                }
            }
            (_, Some(((needle, finder), rest))) => {
                for first in (0..total).step_by(STRIDE) {
                    if is_stale() {
                        return None;
                    }
                    let stride = first..total.min(first + STRIDE);
                    self.follow(haystack, needle, finder, rest, stride, &mut passed);
                }
            }
            (_, None) => {
                for slot in 0..total {
                    if slot.is_multiple_of(STRIDE) && is_stale() {
                        return None;
                    }
                    passed.set(slot, self.passes(haystack, slot));
                }
            }
        }
        Some(passed)
    }

    /// Does this slot pass?
    pub fn passes(&self, haystack: &Haystack, slot: usize) -> bool {
        haystack.slots()[slot].state == State::Alive
            && self.passes_others(haystack, slot)
            && self
                .texts
                .iter()
                .all(|(needle, finder)| stands_in(haystack, slot, needle, finder))
    }

    /// Follows one needle through a stride of slots.
    fn follow(
        &self,
        haystack: &Haystack,
        needle: &Needle,
        finder: &Finder<'_>,
        rest: &[(&Needle, Finder<'_>)],
        stride: std::ops::Range<usize>,
        passed: &mut Bits,
    ) {
        let arena = haystack.arena();
        let slots = haystack.slots();
        let end = haystack.range(stride.end - 1).end;
        let mut slot = stride.start;
        let mut range = haystack.range(slot);
        let mut from = range.start;
        while let Some(found) = arena
            .bytes
            .get(from..end)
            .and_then(|text| finder.find(text))
        {
            let at = from + found;
            if at >= range.end {
                // In the next slot more often than not; otherwise anywhere behind it.
                slot += 1;
                range = haystack.range(slot);
                if at >= range.end {
                    let behind = &slots[slot..stride.end];
                    slot += behind.partition_point(|slot| slot.start() <= at) - 1;
                    range = haystack.range(slot);
                }
            }
            if !counts(haystack, slot, needle, at) {
                from = at + 1;
                continue;
            }
            let passes = slots[slot].state == State::Alive
                && self.passes_others(haystack, slot)
                && rest
                    .iter()
                    .all(|(needle, finder)| stands_in(haystack, slot, needle, finder));
            passed.set(slot, passes);
            from = range.end;
        }
    }

    fn passes_others(&self, haystack: &Haystack, slot: usize) -> bool {
        self.others
            .iter()
            .all(|term| passes(haystack, slot, &term.test) == (term.sign == Sign::Wanted))
    }
}

/// Does a needle that stands at `at` count? Its capitals must be right. And an id is found by its
/// beginning only: three letters from `a` to `f` stand somewhere in every hundredth id.
fn counts(haystack: &Haystack, slot: usize, needle: &Needle, at: usize) -> bool {
    let id = haystack.field(slot, Field::Id);
    let inside_id = at > id.at && at < id.at + id.bytes.len();
    !inside_id && needle.fits(haystack.arena().upper, at)
}

fn stands_in(haystack: &Haystack, slot: usize, needle: &Needle, finder: &Finder<'_>) -> bool {
    let Stretch { bytes, at, .. } = haystack.texts(slot);
    let mut from = 0;
    while let Some(found) = bytes.get(from..).and_then(|text| finder.find(text)) {
        if counts(haystack, slot, needle, at + from + found) {
            return true;
        }
        from += found + 1;
    }
    false
}

fn passes(haystack: &Haystack, slot: usize, test: &Test) -> bool {
    let facts = &haystack.slots()[slot];
    match test {
        Test::Word(needle) | Test::Phrase(needle) => {
            stands_in(haystack, slot, needle, &needle.finder())
        }
        Test::Is(mark) => facts.marks.has(*mark),
        Test::Since(moment) => facts.activity >= *moment,
        Test::Before(moment) => facts.activity < *moment,
        Test::Name(name, value) => passes_name(haystack, slot, *name, value.as_ref()),
    }
}

fn passes_name(haystack: &Haystack, slot: usize, name: Name, value: Option<&Needle>) -> bool {
    let field = |field| haystack.field(slot, field);
    let text = match name {
        Name::Project => haystack.directory(slot),
        Name::Branch => field(Field::Branch),
        Name::Tag => field(Field::Tag),
        Name::Model => haystack.model(slot),
        Name::Pr => field(Field::Pr),
        Name::Id => field(Field::Id),
    };
    let Some(value) = value else {
        return !text.bytes.is_empty();
    };
    match name {
        Name::Project => value.is_in(text) || value.is_in(field(Field::Project)),
        Name::Branch | Name::Tag | Name::Model => value.is_in(text),
        Name::Pr => is_pr(text, value),
        Name::Id => value.begins(text),
    }
}

/// A number is the beginning of the pull request's number; anything else a part of the whole.
fn is_pr(text: Stretch<'_>, value: &Needle) -> bool {
    let typed = value.text().trim_start_matches('#').as_bytes();
    let number = text.bytes.rsplit(|byte| *byte == b'#').next();
    if typed.iter().all(u8::is_ascii_digit) {
        !text.bytes.is_empty() && number.is_some_and(|number| number.starts_with(typed))
    } else {
        value.is_in(text)
    }
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
