//! What is kept between requests: the rows, their order, and what is known about the last query.
//!
//! A verdict on a row holds until the row changes, so rows that come during a query are
//! judged alone, and a query that only grew looks at earlier hits alone. Both must give what a
//! search from scratch would give: a test holds that. Knows no thread: `worker` drives it.

use std::cmp::Ordering;

use super::bits::Bits;
use super::document::{Distance, Document, Field, RowId};
use super::haystack::{Haystack, RowClass};
use super::query::Query;
use super::rank::{Patterns, Ranker, Tier, Verdict, narrows};
use super::sieve::{RowSieve, STRIDE, Stale};
use super::worker::{MatchCounts, Reply, Search, SearchHit};
use crate::list::Sort;
use crate::store::Hidden;

/// So many rows are matched fuzzily without a reply before: they take a millisecond.
const AT_ONCE: usize = 1000;

/// Rows that can be searched.
#[derive(Debug, Default)]
pub struct Searcher {
    haystack: Haystack,
    order: SlotOrder,
    contained: Option<Judged>,
    loose: Option<Judged>,
    /// For the part of a query that is about rows alone.
    about_rows: Option<Judged>,
    ranker: Ranker,
}

/// The rows whose conversations may have what a search looks for, in the order of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentCandidates {
    pub shown: Vec<RowId>,
    /// Within reach, but of a hidden kind: only counted.
    pub hidden: Vec<RowId>,
    /// Beyond reach and of no hidden kind: only counted.
    pub elsewhere: Vec<RowId>,
}

/// What is known about the slots for one query.
#[derive(Debug)]
struct Judged {
    query: Query,
    /// Slots that contain everything; or that match fuzzily, or may match a longer query.
    passed: Bits,
    /// By slot, zero for no match. Empty in the first tier.
    scores: Vec<u16>,
    unjudged: Vec<usize>,
}

/// Living slots in the order of the screen.
#[derive(Debug, Default)]
struct SlotOrder {
    sort: Sort,
    ties: Ties,
    slots: Vec<u32>,
    /// Were slots added or changed since they were sorted?
    is_stale: bool,
}

/// What comes first of rows that the sort has no preference for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Ties {
    /// By id, descending, as in `list::Sort`.
    #[default]
    ById,
    /// What was put first.
    ByRow,
}

impl Searcher {
    pub fn put(&mut self, rows: &[(RowId, Document)]) {
        for (row, document) in rows {
            let known = self.haystack.slots();
            let Some(slot) = self.haystack.put(*row, document) else {
                continue;
            };
            if slot >= known {
                self.order.slots.extend(u32::try_from(slot));
            }
            self.order.is_stale = true;
            for judged in self.judged().into_iter().flatten() {
                judged.unjudged.push(slot);
            }
        }
        self.tidy();
    }

    /// Puts rows of which the first ones come first where the sort has no preference.
    pub fn put_in_order(&mut self, rows: &[(RowId, Document)]) {
        self.order.ties = Ties::ByRow;
        self.put(rows);
    }

    /// Says anew how far away a row is that is of no hidden kind. What matches stays what it was.
    pub fn set_place(&mut self, row: RowId, place: Distance) {
        self.haystack.set_place(row, place);
    }

    pub fn remove(&mut self, rows: &[RowId]) {
        for row in rows {
            if self.haystack.remove(*row).is_some() {
                self.order.is_stale = true;
            }
        }
        self.tidy();
    }

    /// Answers a search: with one reply or two, or with none if it became stale on the way.
    pub fn answer(&mut self, search: &Search, is_stale: Stale<'_>, mut reply: impl FnMut(Reply)) {
        if self.contain(&search.query, is_stale).is_none() {
            return;
        }
        self.order.arrange(&self.haystack, search.order);
        let Some(patterns) = Patterns::new(&search.query) else {
            self.loose = None;
            reply(self.reply(search, Tier::Fuzzy));
            return;
        };
        let left = match &self.loose {
            Some(loose) if loose.query == search.query => loose.unjudged.len(),
            _ => usize::MAX,
        };
        if left > AT_ONCE {
            reply(self.reply(search, Tier::Substring));
        }
        if self.loosen(&search.query, &patterns, is_stale).is_some() {
            reply(self.reply(search, Tier::Fuzzy));
        }
    }

    /// What has all words of a search in it, without what only has its letters.
    pub fn answer_words(&mut self, search: &Search) -> Option<Reply> {
        self.contain(&search.query, &|| false)?;
        self.order.arrange(&self.haystack, search.order);
        Some(self.reply(search, Tier::Substring))
    }

    /// The rows that a search in conversations has to look at: those that pass every term about the
    /// row itself and are not in the first tier already. None, if nothing is looked for in texts;
    /// nothing at all, if it became stale on the way.
    pub fn content_candidates(
        &mut self,
        search: &Search,
        is_stale: Stale<'_>,
    ) -> Option<ContentCandidates> {
        let mut candidates = ContentCandidates::default();
        let Some(part) = search.query.about_rows() else {
            return Some(candidates);
        };
        self.contain(&search.query, is_stale)?;
        sift(&mut self.about_rows, &self.haystack, &part, is_stale)?;
        self.order.arrange(&self.haystack, search.order);
        let visibilities = visibilities(search);
        let has = |known: &Option<Judged>, slot| {
            let known = known.as_ref();
            known.is_some_and(|known| known.passed.get(slot))
        };
        for slot in self.order.slots.iter().map(|&slot| slot as usize) {
            if !has(&self.about_rows, slot) || has(&self.contained, slot) {
                continue;
            }
            let rows = match visibilities[self.haystack.class(slot).index()] {
                RowVisibility::Shown => &mut candidates.shown,
                RowVisibility::Hidden => &mut candidates.hidden,
                RowVisibility::Elsewhere => &mut candidates.elsewhere,
                RowVisibility::Neither => continue,
            };
            rows.push(self.haystack.row(slot));
        }
        Some(candidates)
    }

    /// All that can be found, as one text.
    pub fn text(&self) -> &[u8] {
        self.haystack.arena().bytes
    }

    /// How far away each row is.
    pub fn places(&self) -> impl Iterator<Item = (RowId, Distance)> + '_ {
        let slots = self.order.slots.iter().map(|&slot| slot as usize);
        slots.filter_map(|slot| {
            let place = self.haystack.class(slot).place()?;
            Some((self.haystack.row(slot), place))
        })
    }

    /// Brings the first tier up to date.
    fn contain(&mut self, query: &Query, is_stale: Stale<'_>) -> Option<()> {
        sift(&mut self.contained, &self.haystack, query, is_stale)
    }

    /// Brings the second tier up to date, for a query whose first tier is.
    fn loosen(
        &mut self,
        query: &Query,
        patterns: &Patterns<'_>,
        is_stale: Stale<'_>,
    ) -> Option<()> {
        let slots = self.haystack.slots();
        let same = self.loose.take_if(|known| known.query == *query);
        let (mut next, candidates) = if let Some(mut known) = same {
            known.passed.resize(slots);
            known.scores.resize(slots, 0);
            let unjudged = std::mem::take(&mut known.unjudged);
            (known, unjudged)
        } else {
            let narrowed = self
                .loose
                .as_ref()
                .filter(|known| narrows(query, &known.query))
                .map(|known| with(&known.passed, &known.unjudged, slots));
            let fresh = Judged {
                query: query.clone(),
                passed: Bits::with_len(slots),
                scores: vec![0; slots],
                unjudged: Vec::new(),
            };
            let candidates =
                narrowed.map_or_else(|| (0..slots).collect(), |some| some.ones().collect());
            (fresh, candidates)
        };
        for (count, slot) in candidates.into_iter().enumerate() {
            if count % STRIDE == STRIDE - 1 && is_stale() {
                return None;
            }
            let contained = self.contained.as_ref();
            let verdict = if contained.is_some_and(|known| known.passed.get(slot)) {
                // It is in the better tier already.
                Verdict::TooLoose
            } else {
                self.ranker.judge(patterns, &self.haystack, slot)
            };
            next.passed.set(slot, verdict != Verdict::No);
            next.scores[slot] = match verdict {
                Verdict::No | Verdict::TooLoose => 0,
                Verdict::Score(score) => score,
            };
        }
        self.loose = Some(next);
        Some(())
    }

    /// Everything that is known about a search whose tiers are up to date.
    fn reply(&self, search: &Search, tier: Tier) -> Reply {
        let mut counts = MatchCounts {
            searched: self.haystack.len(),
            ..MatchCounts::default()
        };
        let visibilities = visibilities(search);
        let passed = self.contained.as_ref().map(|known| &known.passed);
        let scores = match tier {
            Tier::Substring | Tier::Inside => None,
            Tier::Fuzzy => self.loose.as_ref().map(|known| &known.scores),
        };
        let mut hits = Vec::new();
        let mut below = Vec::new();
        for slot in self.order.slots.iter().map(|&slot| slot as usize) {
            let visibility = visibilities[self.haystack.class(slot).index()];
            counts.shown += usize::from(visibility == RowVisibility::Shown);
            let contained = passed.is_some_and(|passed| passed.get(slot));
            let score = scores.map_or(0, |scores| scores[slot]);
            if !contained && score == 0 {
                continue;
            }
            let row = self.haystack.row(slot);
            match visibility {
                RowVisibility::Shown if contained => hits.push(SearchHit {
                    row,
                    tier: Tier::Substring,
                }),
                RowVisibility::Shown => below.push((score, row)),
                RowVisibility::Hidden => {
                    counts.hidden += 1;
                    counts.loose_hidden += usize::from(!contained);
                }
                RowVisibility::Elsewhere => {
                    counts.elsewhere += 1;
                    counts.loose_elsewhere += usize::from(!contained);
                }
                RowVisibility::Neither => {}
            }
        }
        // The sort keeps the order of rows that match equally well.
        below.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        hits.extend(below.into_iter().map(|(_, row)| SearchHit {
            row,
            tier: Tier::Fuzzy,
        }));
        Reply {
            generation: search.generation,
            tier,
            hits,
            counts,
        }
    }

    fn judged(&mut self) -> [&mut Option<Judged>; 3] {
        [&mut self.contained, &mut self.loose, &mut self.about_rows]
    }

    /// Moves rows together where that is worth it, and forgets verdicts that few rows have left.
    fn tidy(&mut self) {
        if self.haystack.compact() {
            for known in self.judged() {
                *known = None;
            }
            let slots = 0..u32::try_from(self.haystack.slots()).unwrap_or(u32::MAX);
            self.order.slots = slots.collect();
            self.order.is_stale = true;
        }
        let slots = self.haystack.slots();
        for known in self.judged() {
            known.take_if(|known| known.unjudged.len() > slots);
        }
    }
}

/// Brings up to date which slots pass every test of a query.
fn sift(
    known: &mut Option<Judged>,
    haystack: &Haystack,
    query: &Query,
    is_stale: Stale<'_>,
) -> Option<()> {
    let sieve = RowSieve::new(query);
    let slots = haystack.slots();
    if let Some(known) = known
        && known.query == *query
    {
        known.passed.resize(slots);
        for slot in known.unjudged.drain(..) {
            known.passed.set(slot, sieve.passes(haystack, slot));
        }
        return Some(());
    }
    let candidates = known
        .as_ref()
        .filter(|known| query.narrows(&known.query))
        .map(|known| with(&known.passed, &known.unjudged, slots));
    let passed = sieve.sift(haystack, candidates.as_ref(), is_stale)?;
    *known = Some(Judged {
        query: query.clone(),
        passed,
        scores: Vec::new(),
        unjudged: Vec::new(),
    });
    Some(())
}

/// What becomes of a row that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowVisibility {
    Shown,
    /// Within reach, but of a hidden kind.
    Hidden,
    /// Of no hidden kind, but out of reach.
    Elsewhere,
    Neither,
}

/// What a search makes of each class that a row can have.
fn visibilities(search: &Search) -> [RowVisibility; RowClass::COUNT] {
    let mut visibilities = [RowVisibility::Neither; RowClass::COUNT];
    for place in Distance::ALL {
        for hidden in std::iter::once(None).chain(Hidden::ALL.map(Some)) {
            let near = place <= search.reach;
            let shown = hidden.is_none_or(|hidden| search.include.has_any(&[hidden]));
            visibilities[RowClass::new(place, hidden).index()] = match (near, shown) {
                (true, true) => RowVisibility::Shown,
                (true, false) => RowVisibility::Hidden,
                (false, true) => RowVisibility::Elsewhere,
                (false, false) => RowVisibility::Neither,
            };
        }
    }
    visibilities
}

fn with(known: &Bits, more: &[usize], slots: usize) -> Bits {
    let mut all = known.clone();
    all.resize(slots);
    for slot in more {
        all.set(*slot, true);
    }
    all
}

impl SlotOrder {
    fn arrange(&mut self, haystack: &Haystack, sort: Sort) {
        if self.sort == sort && !self.is_stale {
            return;
        }
        self.slots
            .retain(|slot| haystack.class(*slot as usize).is_alive());
        // Sorting what is mostly sorted costs little more than a look.
        let ties = self.ties;
        self.slots
            .sort_by(|a, b| compare(haystack, sort, ties, *a as usize, *b as usize));
        self.sort = sort;
        self.is_stale = false;
    }
}

/// As `list::Sort` arranges rows.
fn compare(haystack: &Haystack, sort: Sort, ties: Ties, a: usize, b: usize) -> Ordering {
    let (left, right) = (haystack.facts(a), haystack.facts(b));
    let text = |slot, field| haystack.field(slot, field).bytes;
    let first = match sort {
        Sort::Activity => Ordering::Equal,
        Sort::Created => haystack
            .sort_facts(b)
            .created
            .cmp(&haystack.sort_facts(a).created),
        Sort::Size => haystack
            .sort_facts(b)
            .size
            .cmp(&haystack.sort_facts(a).size),
        Sort::Title => {
            let (left, right) = (text(a, Field::Title), text(b, Field::Title));
            let untitled = left.is_empty().cmp(&right.is_empty());
            untitled.then_with(|| left.cmp(right))
        }
    };
    first
        .then_with(|| right.activity.cmp(&left.activity))
        .then_with(|| match ties {
            Ties::ById => text(b, Field::Id).cmp(text(a, Field::Id)),
            Ties::ByRow => Ordering::Equal,
        })
        .then_with(|| haystack.row(a).cmp(&haystack.row(b)))
}

#[cfg(test)]
#[path = "searcher_tests.rs"]
mod tests;
