//! Everything that can be found: one text with all rows in it, and their facts beside it.
//!
//! The texts of a row follow each other, folded, each with a separator after it that no
//! folded text contains, so that no match reaches from one field into the next. Rows are added at
//! the end; a row that changes is added again and its old place is dead until enough is dead to
//! be worth moving everything. A place in the arena is called a slot, and slots are in the order
//! of the arena.

use std::collections::HashMap;

use super::bits::Bits;
use super::column::Column;
use super::document::{Distance, Document, Field, RowId, SessionFlags};
use super::fold::{Folded, fold_onto};
use super::needle::Stretch;
use crate::store::{Hidden, Millis};

/// Comes after every field. Folding leaves no control characters.
const SEPARATOR: u8 = 0x1f;
/// So much of a field can be found, in bytes: all that the store keeps of a title or a path, and
/// the sum of the short fields fits into 16 bits.
pub const LONGEST_FIELD: usize = 4 * 1024;
/// Places in the arena are numbers of 32 bits.
const LARGEST: usize = u32::MAX as usize;
/// A folded text is at most so many times as long: that of one Arabic ligature.
const LONGEST_FOLDED: usize = 11;
/// Below this, dead text is not worth a copy of the rest.
const WORTH_MOVING: usize = 1024 * 1024;
/// The fields whose ends are known, in the order of `Field`; the prompts follow.
const SHORT_FIELDS: usize = 6;

/// What operators and fuzzy matching ask about a row.
#[derive(Debug, Clone)]
pub struct RowFacts {
    pub flags: SessionFlags,
    pub activity: Millis,
    /// Which letters the fields have that are matched fuzzily.
    pub letters: Letters,
    /// Where the short fields end, counted from the start.
    ends: [u16; SHORT_FIELDS],
    directory: u32,
    model: u32,
}

/// Where a row is and whether it is of a hidden kind, in a byte: every reply asks that of every
/// row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowClass(u8);

impl RowClass {
    /// How many there are: three places with ten kinds each, in steps of sixteen.
    pub const COUNT: usize = 48;
    /// The slot of a row that was removed or moved.
    const DEAD: Self = Self(u8::MAX);

    pub fn new(place: Distance, hidden: Option<Hidden>) -> Self {
        let kind = hidden.map_or(0, |hidden| hidden as u8 + 1);
        Self((place as u8) << 4 | kind)
    }

    pub fn is_alive(self) -> bool {
        self != Self::DEAD
    }

    /// Where a living row is.
    pub fn place(self) -> Option<Distance> {
        Distance::ALL.get(usize::from(self.0 >> 4)).copied()
    }

    /// A number below `COUNT`, for a living row.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of characters, in 64 bits: one each for letters and digits, the others share the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Letters(u64);

impl Letters {
    pub fn of(text: &[u8]) -> Self {
        let mut set = 0;
        for &byte in text {
            set |= match byte {
                b'a'..=b'z' => 1 << (byte - b'a'),
                b'0'..=b'9' => 1 << (byte - b'0' + 26),
                _ => 1 << (36 + byte % 28),
            };
        }
        Self(set)
    }

    pub fn cover(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What only some orders ask about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortFacts {
    /// `Millis::MIN` where it is not known.
    pub created: Millis,
    pub size: u64,
}

impl Default for SortFacts {
    fn default() -> Self {
        Self {
            created: Millis::MIN,
            size: 0,
        }
    }
}

/// The rows.
#[derive(Debug, Default)]
pub struct Haystack {
    text: Vec<u8>,
    upper: Bits,
    /// Where the texts of each slot begin. Beside each other, because a pass looks for the slot
    /// of every hit.
    starts: Vec<u32>,
    rows: Vec<RowId>,
    classes: Vec<RowClass>,
    facts: Vec<RowFacts>,
    sort_facts: Column<SortFacts>,
    /// The slot of each row plus one; zero for none. Rows are numbered without gaps, so a table is
    /// a fifth of what a hash map of half a million would be.
    by_row: Column<u32>,
    living: usize,
    /// Directories and models: few, and shared by many rows.
    names: NameTable,
    dead_bytes: usize,
}

#[derive(Debug, Default)]
struct NameTable {
    texts: Vec<Folded>,
    known: HashMap<Box<str>, u32>,
}

impl NameTable {
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(Folded::new(text));
        self.known.insert(text.into(), id);
        id
    }
}

impl Haystack {
    /// Adds a row or replaces what is known of it. Returns the slot that is new or changed;
    /// nothing, if the arena is full (4 GiB).
    pub fn put(&mut self, row: RowId, document: &Document) -> Option<usize> {
        let (start, facts) = self.append(document)?;
        let class = RowClass::new(document.place, document.hidden);
        // Flags, size and times change far more often than texts.
        let same = self
            .slot(row)
            .filter(|slot| self.same_text(*slot, start as usize));
        let slot = if let Some(slot) = same {
            self.text.truncate(start as usize);
            self.upper.resize(start as usize);
            self.facts[slot] = facts;
            self.classes[slot] = class;
            slot
        } else {
            self.add(row, start, class, facts)
        };
        let sort_facts = SortFacts {
            created: document.created.unwrap_or(Millis::MIN),
            size: document.size,
        };
        self.sort_facts.set(slot, sort_facts);
        Some(slot)
    }

    /// Says anew how far away a row is that is of no hidden kind.
    pub fn set_place(&mut self, row: RowId, place: Distance) {
        if let Some(slot) = self.slot(row) {
            self.classes[slot] = RowClass::new(place, None);
        }
    }

    /// Forgets a row. Returns the slot that died.
    pub fn remove(&mut self, row: RowId) -> Option<usize> {
        let slot = self.slot(row)?;
        self.by_row.set(row.0 as usize, 0);
        self.kill(slot);
        Some(slot)
    }

    /// Moves everything together if much is dead, and says whether it did. All slots have other
    /// numbers afterwards.
    pub fn compact(&mut self) -> bool {
        if self.dead_bytes < WORTH_MOVING.max(self.text.len() / 3) {
            return false;
        }
        let old = std::mem::take(self);
        self.text.reserve_exact(old.text.len() - old.dead_bytes);
        for slot in 0..old.slots() {
            if !old.classes[slot].is_alive() {
                continue;
            }
            let range = old.range(slot);
            let start = self.text.len();
            self.text.extend_from_slice(&old.text[range.clone()]);
            self.upper.resize(self.text.len());
            for (to, from) in (start..).zip(range) {
                if old.upper.get(from) {
                    self.upper.set(to, true);
                }
            }
            // It fits: it is not above what it was.
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            let facts = old.facts[slot].clone();
            let moved = self.add(old.rows[slot], start, old.classes[slot], facts);
            self.sort_facts.set(moved, old.sort_facts.get(slot));
        }
        self.names = old.names;
        true
    }

    /// The rows that are alive.
    pub fn len(&self) -> usize {
        self.living
    }

    /// How many slots there are, dead ones among them.
    pub fn slots(&self) -> usize {
        self.starts.len()
    }

    fn slot(&self, row: RowId) -> Option<usize> {
        (self.by_row.get(row.0 as usize) as usize).checked_sub(1)
    }

    pub fn row(&self, slot: usize) -> RowId {
        self.rows[slot]
    }

    pub fn class(&self, slot: usize) -> RowClass {
        self.classes[slot]
    }

    pub fn facts(&self, slot: usize) -> &RowFacts {
        &self.facts[slot]
    }

    pub fn sort_facts(&self, slot: usize) -> SortFacts {
        self.sort_facts.get(slot)
    }

    /// Where the texts of the slots begin in the arena, slot by slot.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All texts, for a pass over everything.
    pub fn arena(&self) -> Stretch<'_> {
        Stretch {
            bytes: &self.text,
            upper: &self.upper,
            at: 0,
        }
    }

    /// Where the texts of a slot are in the arena.
    pub fn range(&self, slot: usize) -> std::ops::Range<usize> {
        let end = self.starts.get(slot + 1);
        let end = end.map_or(self.text.len(), |next| *next as usize);
        self.starts[slot] as usize..end
    }

    /// All texts of a slot.
    pub fn texts(&self, slot: usize) -> Stretch<'_> {
        self.stretch(self.range(slot))
    }

    /// The texts of a slot one by one, in the order of `Field`.
    pub fn fields(&self, slot: usize) -> impl Iterator<Item = &[u8]> {
        let texts = &self.text[self.range(slot)];
        // A separator comes after the last one, too.
        let texts = texts.strip_suffix(&[SEPARATOR]).unwrap_or(texts);
        texts.split(|byte| *byte == SEPARATOR)
    }

    /// One of the short texts of a slot; for a prompt, both of them.
    pub fn field(&self, slot: usize, field: Field) -> Stretch<'_> {
        let ends = &self.facts[slot].ends;
        let start = self.starts[slot] as usize;
        let index = field as usize;
        // The separator is one after the end.
        let from = match index.min(SHORT_FIELDS) {
            0 => start,
            index => start + usize::from(ends[index - 1]) + 1,
        };
        let to = match ends.get(index) {
            Some(&end) => start + usize::from(end),
            None => self.range(slot).end,
        };
        self.stretch(from..to)
    }

    pub fn directory(&self, slot: usize) -> Stretch<'_> {
        self.name(self.facts[slot].directory)
    }

    pub fn model(&self, slot: usize) -> Stretch<'_> {
        self.name(self.facts[slot].model)
    }

    fn name(&self, id: u32) -> Stretch<'_> {
        let name = &self.names.texts[id as usize];
        Stretch {
            bytes: name.text.as_bytes(),
            upper: &name.upper,
            at: 0,
        }
    }

    fn stretch(&self, range: std::ops::Range<usize>) -> Stretch<'_> {
        Stretch {
            at: range.start,
            bytes: &self.text[range],
            upper: &self.upper,
        }
    }

    fn add(&mut self, row: RowId, start: u32, class: RowClass, facts: RowFacts) -> usize {
        let slot = self.slots();
        self.starts.push(start);
        self.rows.push(row);
        self.classes.push(class);
        self.facts.push(facts);
        // There are fewer slots than bytes, and those fit.
        let number = u32::try_from(slot + 1).unwrap_or(u32::MAX);
        if let Some(old) = self.slot(row) {
            self.kill(old);
        }
        self.by_row.set(row.0 as usize, number);
        self.living += 1;
        slot
    }

    /// Writes the texts of a row to the end of the arena. Returns where they begin.
    fn append(&mut self, document: &Document) -> Option<(u32, RowFacts)> {
        let start = self.text.len();
        // Prompts are never cut here: those of sessions were long before, and those of the history
        // are searched whole. A row that might not fit is none.
        let prompts = document.first_prompt.len() + document.last_prompt.len();
        if start + 16 * LONGEST_FIELD + LONGEST_FOLDED * prompts > LARGEST {
            return None;
        }
        let short = [
            &document.id,
            &document.title,
            &document.project,
            &document.branch,
            &document.tag,
            &document.pr,
        ];
        let mut ends = [0; SHORT_FIELDS];
        for (text, end) in short.into_iter().zip(&mut ends) {
            self.push_field(text, LONGEST_FIELD);
            // Six fields of 4 KiB fit.
            *end = u16::try_from(self.text.len() - start - 1).unwrap_or(u16::MAX);
        }
        let end = |field: Field| start + usize::from(ends[field as usize]);
        let letters = Letters::of(&self.text[end(Field::Id)..end(Field::Tag)]);
        // Where a prompt serves as title, or the first is also the last, once is enough.
        let first = &document.first_prompt;
        let last = &document.last_prompt;
        for (text, known) in [(first, &document.title), (last, first)] {
            let repeated = text == known || *text == document.title;
            self.push_field(if repeated { "" } else { text }, usize::MAX);
        }
        let facts = RowFacts {
            flags: document.flags,
            activity: document.activity,
            letters,
            ends,
            directory: self.names.intern(&document.directory),
            model: self.names.intern(&document.model),
        };
        Some((u32::try_from(start).ok()?, facts))
    }

    fn push_field(&mut self, text: &str, most: usize) {
        fold_onto(&mut self.text, &mut self.upper, text, most);
        self.text.push(SEPARATOR);
        self.upper.resize(self.text.len());
    }

    /// Is the text from here to the end of the arena what a slot already has?
    fn same_text(&self, old: usize, start: usize) -> bool {
        let new = start..self.text.len();
        // The last slot has no other end yet than that of the arena.
        let old = self.range(old);
        let old = old.start..old.end.min(start);
        self.text[old.clone()] == self.text[new.clone()]
            && self
                .upper
                .agrees(old.start, &self.upper, new.start, new.len())
    }

    fn kill(&mut self, slot: usize) {
        self.dead_bytes += self.range(slot).len();
        self.classes[slot] = RowClass::DEAD;
        self.living -= 1;
    }
}

#[cfg(test)]
#[path = "haystack_tests.rs"]
mod tests;
