//! The first tier: which rows pass every test of a query, by one pass over the arena.
//!
//! The longest word leads: a vectorized search jumps from one of its occurrences to the next, and
//! only the rows it lands in are looked at further. Everything else a query asks is checked for
//! those rows alone. Knows nothing of order, scope or hidden kinds.

use super::bits::Bits;
use super::document::Field;
use super::haystack::Haystack;
use super::needle::{Needle, Stretch};
use super::operator::Facet;
use super::pattern::Pattern;
use super::pull_request::{is_address_of, pull_request};
use super::query::{Query, Sign, Term, Test};

/// So many slots are looked at before checking for cancellation: about a tenth
/// of a millisecond.
pub const STRIDE: usize = 4096;
/// Candidates are looked at one by one if there are at most this part of all rows; a pass over
/// everything is faster otherwise.
const FEW: usize = 8;
const UUID_LENGTH: usize = 36;

/// A query made ready for many rows.
#[derive(Debug)]
pub struct RowSieve<'q> {
    /// Words and phrases that must occur somewhere, the longest first.
    texts: Vec<&'q Needle>,
    /// Everything else, the cheap tests first.
    others: Vec<&'q Term>,
}

/// Is the query stale? Asked between strides.
pub type Stale<'a> = &'a dyn Fn() -> bool;

impl<'q> RowSieve<'q> {
    pub fn new(query: &'q Query) -> Self {
        Self::of(query.terms().iter())
    }

    pub fn of(terms: impl Iterator<Item = &'q Term>) -> Self {
        let mut texts = Vec::new();
        let mut others = Vec::new();
        for term in terms {
            match (term.sign, &term.test) {
                // The address of a pull request is also found by what it stands for.
                (Sign::Wanted, Test::Word(needle) | Test::Phrase(needle))
                    if pull_request(needle.text()).is_none() =>
                {
                    texts.push(needle);
                }
                _ => others.push(term),
            }
        }
        texts.sort_by_key(|needle| std::cmp::Reverse(needle.text().len()));
        others.sort_by_key(|term| match term.test {
            Test::Regex(_) => 2,
            Test::Word(_) | Test::Phrase(_) => 1,
            _ => 0,
        });
        Self { texts, others }
    }

    /// The slots that pass, of the candidates or of all. Nothing, if it became stale on the way.
    pub fn sift(
        &self,
        haystack: &Haystack,
        candidates: Option<&Bits>,
        is_stale: Stale<'_>,
    ) -> Option<Bits> {
        let total = haystack.slots();
        let mut passed = Bits::with_len(total);
        let few = candidates.filter(|candidates| candidates.count() <= total / FEW);
        if few.is_none()
            && let Some((needle, rest)) = self.texts.split_first()
        {
            for first in (0..total).step_by(STRIDE) {
                if is_stale() {
                    return None;
                }
                let stride = first..total.min(first + STRIDE);
                self.follow(haystack, (needle, rest), stride, &mut passed);
            }
            return Some(passed);
        }
        let all = few.is_none().then_some(0..total);
        let slots = few.into_iter().flat_map(Bits::ones);
        for (count, slot) in slots.chain(all.into_iter().flatten()).enumerate() {
            if count.is_multiple_of(STRIDE) && is_stale() {
                return None;
            }
            passed.set(slot, self.passes(haystack, slot));
        }
        Some(passed)
    }

    /// Does this slot pass? Dead ones may; they are not looked at afterwards.
    pub fn passes(&self, haystack: &Haystack, slot: usize) -> bool {
        self.passes_others(haystack, slot)
            && self
                .texts
                .iter()
                .all(|needle| stands_in(haystack, slot, needle))
    }

    /// Follows one needle through a stride of slots.
    fn follow(
        &self,
        haystack: &Haystack,
        (needle, rest): (&Needle, &[&Needle]),
        stride: std::ops::Range<usize>,
        passed: &mut Bits,
    ) {
        let arena = haystack.arena();
        let text = Stretch {
            bytes: &arena.bytes[..haystack.range(stride.end - 1).end],
            ..arena
        };
        let mut slot = stride.start;
        let mut range = haystack.range(slot);
        let mut from = range.start;
        while let Some(at) = needle.next(text, from) {
            if at >= range.end {
                slot = slot_at(haystack.starts(), slot + 1, at);
                range = haystack.range(slot);
            }
            if !counts(haystack, slot, at) {
                from = at + 1;
                continue;
            }
            let passes = self.passes_others(haystack, slot)
                && rest.iter().all(|needle| stands_in(haystack, slot, needle));
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

/// The slot, from `first` on, whose texts a place in the arena belongs to. The next one more often
/// than not, so it is looked for in steps that double.
fn slot_at(starts: &[u32], first: usize, at: usize) -> usize {
    let is_before = |start: &u32| *start as usize <= at;
    let mut step = 1;
    while starts.get(first + step).is_some_and(is_before) {
        step *= 2;
    }
    let end = starts.len().min(first + step);
    first + starts[first..end].partition_point(is_before) - 1
}

/// Does a needle found at a place in the arena count? An id is found by its beginning only:
/// three letters from `a` to `f` occur in every hundredth id.
fn counts(haystack: &Haystack, slot: usize, at: usize) -> bool {
    let into = at - haystack.starts()[slot] as usize;
    // The id is the first text of a row. What is no UUID may be longer, and is no number then.
    let inside_id =
        into > 0 && into < UUID_LENGTH && into < haystack.field(slot, Field::Id).bytes.len();
    !inside_id
}

fn stands_in(haystack: &Haystack, slot: usize, needle: &Needle) -> bool {
    let texts = haystack.texts(slot);
    let mut from = 0;
    while let Some(at) = needle.next(texts, from) {
        if counts(haystack, slot, texts.at + at) {
            return true;
        }
        from = at + 1;
    }
    false
}

/// An id is found by its beginning only, here too.
fn matches_in(haystack: &Haystack, slot: usize, pattern: &Pattern) -> bool {
    let mut fields = haystack.fields(slot);
    let id = fields.next().unwrap_or_default();
    pattern.begins(id) || fields.any(|field| pattern.regex().is_match(field))
}

fn passes(haystack: &Haystack, slot: usize, test: &Test) -> bool {
    let facts = haystack.facts(slot);
    match test {
        Test::Word(needle) | Test::Phrase(needle) => {
            stands_in(haystack, slot, needle)
                || is_address_of(needle.text(), haystack.field(slot, Field::Pr).bytes)
        }
        Test::Is(flag) => facts.flags.has(*flag),
        Test::Since(moment) => facts.activity >= *moment,
        Test::Before(moment) => facts.activity < *moment,
        Test::Regex(pattern) => matches_in(haystack, slot, pattern),
        // The row alone does not know.
        Test::Role(_) | Test::Tool(_) | Test::File(_) | Test::Has(_) => false,
        Test::Name(name, value) => passes_name(haystack, slot, *name, value.as_ref()),
    }
}

fn passes_name(haystack: &Haystack, slot: usize, name: Facet, value: Option<&Needle>) -> bool {
    let field = |field| haystack.field(slot, field);
    let text = match name {
        Facet::Project => haystack.directory(slot),
        Facet::Branch => field(Field::Branch),
        Facet::Tag => field(Field::Tag),
        Facet::Model => haystack.model(slot),
        Facet::Pr => field(Field::Pr),
        Facet::Id => field(Field::Id),
    };
    let Some(value) = value else {
        return !text.bytes.is_empty();
    };
    match name {
        Facet::Project => value.is_in(text) || value.is_in(field(Field::Project)),
        Facet::Branch | Facet::Tag | Facet::Model => value.is_in(text),
        Facet::Pr => is_pr(text, value),
        Facet::Id => value.begins(text),
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
