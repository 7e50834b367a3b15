//! A conversation with the lines that were laid out of it, turn by turn.
//!
//! A turn is laid out again only when something changed that shows in it: the width, a fold of
//! its own, the day before it, or that its code has colors now. Of every turn the heading is
//! known; the texts and lines of those around the window are held, and no others for long. Whoever
//! asks may stop in between.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDate;

use super::agents::Agents;
use super::ledger::{LedgerHead, Manner, render_head, render_note, render_turn};
use super::line::{PageLine, Tone};
use super::options::Options;
use super::scroll::Scroll;
use super::window::{Around, Arrival, Library, TurnWindow, WindowGrowth};
use crate::transcript::{EntryId, Turn, TurnHeading};

#[derive(Debug, Default)]
pub struct Book {
    /// A heading for each turn.
    headings: Vec<TurnHeading>,
    /// The number of the first turn.
    first: i64,
    /// Turns with their texts, by their numbers.
    held: BTreeMap<i64, Arc<Turn>>,
    pub head: LedgerHead,
    pub agents: Agents,
    /// Lines of our own before some turns, by their numbers.
    notes: BTreeMap<i64, String>,
    /// The turns that were first before earlier ones were inserted, and how often that was
    /// done until then.
    seams: BTreeMap<i64, usize>,
    blocks: HashMap<i64, LaidTurn>,
}

/// A turn that was laid out, and under which circumstances.
#[derive(Debug)]
struct LaidTurn {
    key: LayoutKey,
    /// Does its code have no colors yet?
    wants_paint: bool,
    lines: Arc<Vec<PageLine>>,
    weight: usize,
}

/// What the lines of a turn depend on: the columns, the options that are about it, and the day of the
/// turns before it.
type LayoutKey = (usize, Options, Option<NaiveDate>);

/// What was laid out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Laid {
    pub scroll: Scroll,
    /// The numbers of the turns whose lines these are.
    pub shown: Range<i64>,
    /// Those among them whose texts are held.
    pub held: Range<i64>,
    /// Turns before and after them.
    pub before: usize,
    pub behind: usize,
    /// Is there code without colors?
    pub wants_paint: bool,
}

impl Book {
    /// A conversation that is held whole.
    pub fn new(turns: Vec<Turn>, head: LedgerHead) -> Self {
        let heading = |turn: &Turn| TurnHeading::new(&turn.uuid, turn.at);
        let headings = turns.iter().map(heading).collect();
        Self::with_headings(headings, 0, turns, head)
    }

    /// A conversation of which some turns are held, the first of them being the one of this number.
    pub fn with_headings(
        headings: Vec<TurnHeading>,
        first_held: i64,
        turns: Vec<Turn>,
        head: LedgerHead,
    ) -> Self {
        let turns = turns.into_iter().map(Arc::new);
        Self {
            headings,
            held: (first_held..).zip(turns).collect(),
            head,
            ..Self::default()
        }
    }

    /// The numbers of all turns.
    pub fn numbers(&self) -> Range<i64> {
        let count = i64::try_from(self.headings.len()).unwrap_or_default();
        self.first..self.first + count
    }

    /// The turns of these numbers that are held.
    pub fn turns(&self, numbers: Range<i64>) -> Vec<Arc<Turn>> {
        self.held
            .range(numbers)
            .map(|(_, turn)| Arc::clone(turn))
            .collect()
    }

    /// Puts turns in front, under numbers below those that are there.
    pub fn put_before(&mut self, mut earlier: Vec<TurnHeading>, note: Option<String>) {
        let count = i64::try_from(earlier.len()).unwrap_or_default();
        self.seams.insert(self.first, self.seams.len() + 1);
        earlier.append(&mut self.headings);
        self.headings = earlier;
        self.first -= count;
        self.notes.extend(note.map(|note| (self.first, note)));
    }

    /// Takes over the numbers of what was shown before, and the lines that are still right: a
    /// conversation that was read again, or further back, keeps its places. Gives the numbers of
    /// the turns that are the same.
    pub fn follow(&mut self, shown: Self) -> BTreeSet<i64> {
        let Some(by) = self.meeting(&shown) else {
            return BTreeSet::new();
        };
        let notes = std::mem::take(&mut self.notes).into_iter();
        self.notes = notes.map(|(number, note)| (number + by, note)).collect();
        let seams = std::mem::take(&mut self.seams).into_iter();
        self.seams = seams.map(|(number, depth)| (number + by, depth)).collect();
        let held = std::mem::take(&mut self.held).into_iter();
        self.held = held.map(|(number, turn)| (number + by, turn)).collect();
        self.first += by;
        let is_same = |number: i64| {
            let is_read_alike = match (self.heading(number), shown.heading(number)) {
                // Known by its position in the file, with everything that it hangs together
                // with: files only grow.
                (Some(one), Some(other)) => one == other && one.together > 0,
                _ => false,
            };
            match (self.held.get(&number), shown.held.get(&number)) {
                (Some(one), Some(other)) => one == other,
                _ => is_read_alike,
            }
        };
        let same: BTreeSet<i64> = self.numbers().filter(|number| is_same(*number)).collect();
        // What was changed in place, such as a secret, must not stay on the screen: only what was
        // read again and is equal keeps its lines.
        let is_equal = |number: &i64| {
            let held = self.held.get(number);
            held.is_some() && held == shown.held.get(number)
        };
        let equal: BTreeSet<i64> = same.iter().copied().filter(is_equal).collect();
        let Self {
            mut blocks,
            mut held,
            agents,
            ..
        } = shown;
        let keeps_lines = self.agents == agents;
        for &number in &equal {
            if let Some(turn) = held.remove(&number) {
                self.held.insert(number, turn);
            }
            if let Some(block) = blocks.remove(&number).filter(|_| keeps_lines) {
                self.blocks.insert(number, block);
            }
        }
        same
    }

    /// Drops all lines, because something changed that may show in any of them.
    pub fn forget_lines(&mut self) {
        self.blocks.clear();
    }

    /// By how much the numbers differ from those of what was shown before.
    fn meeting(&self, shown: &Self) -> Option<i64> {
        let names = shown.numbers().zip(&shown.headings);
        let mut known: HashMap<EntryId, i64> = HashMap::new();
        for (number, heading) in names {
            // One entry may open two turns.
            heading.id.map(|id| *known.entry(id).or_insert(number));
        }
        let own = self.numbers().zip(&self.headings);
        let mut same = own.filter_map(|(number, heading)| {
            let theirs = known.get(&heading.id?)?;
            Some(theirs - number)
        });
        // A turn of which only the end was known goes by the name of a step.
        let by_step = || {
            let uuids: HashMap<&str, i64> = shown
                .held
                .iter()
                .map(|(number, turn)| (turn.uuid.as_str(), *number))
                .collect();
            self.held.iter().find_map(|(number, turn)| {
                let mut steps = turn.steps.iter();
                let theirs = steps.find_map(|step| uuids.get(step.uuid.as_str()))?;
                Some(theirs - number)
            })
        };
        same.next().or_else(by_step)
    }

    fn heading(&self, number: i64) -> Option<&TurnHeading> {
        let at = usize::try_from(number - self.first).ok()?;
        self.headings.get(at)
    }

    /// Lays out a window. `None` if it was told to stop, or a turn could not be read.
    pub fn lay_out(
        &mut self,
        window: TurnWindow,
        manner: Manner<'_>,
        library: &mut dyn Library,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Laid> {
        let all = self.numbers();
        let mut growth = WindowGrowth::new(self.anchor(window.around), all.clone());
        if all.is_empty() {
            return Some(self.put_together(growth.shown, manner));
        }
        // Requests that stop at ever different places must not collect all of it.
        self.let_go(window, 2, &(growth.shown.start..growth.shown.start + 1));
        while let Some(number) = growth.next(window) {
            if !go_on() {
                return None;
            }
            let is_held = !growth.is_full(window.budget);
            let lines = match self.right_block(number, manner) {
                Some(block) if !is_held => block.weight,
                _ => {
                    let turn = self.turn(number, library)?;
                    if library.agents_of(number, &turn, &mut self.agents) == Arrival::Agents {
                        self.blocks.remove(&number);
                    }
                    // A cancelled library may have left an agent out.
                    if !go_on() {
                        return None;
                    }
                    self.lay_out_turn(number, &turn, manner)
                }
            };
            let texts = self.heading(number).map_or(0, |heading| heading.bytes);
            growth.take(number, lines, texts, window.budget);
            if !is_held && texts > 0 {
                self.held.remove(&number);
            }
        }
        self.let_go(window, 1, &growth.shown);
        let laid = self.put_together(growth.shown, manner);
        Some(Laid {
            held: growth.held,
            ..laid
        })
    }

    /// The turn that a window lies around.
    fn anchor(&self, around: Around) -> i64 {
        let all = self.numbers();
        let last = (all.end - 1).max(all.start);
        match around {
            Around::End => last,
            Around::Beginning => all.start,
            Around::Turn(number) => number.clamp(all.start, last),
            Around::Moment(moment) => {
                let distance = |(number, heading): (i64, &TurnHeading)| {
                    Some((heading.at?.abs_diff(moment), number))
                };
                let near = all.zip(&self.headings).filter_map(distance).min();
                near.map_or(last, |(_, number)| number)
            }
        }
    }

    /// A turn, read if it is not held.
    fn turn(&mut self, number: i64, library: &mut dyn Library) -> Option<Arc<Turn>> {
        if !self.held.contains_key(&number) {
            let (first, turns) = library.stretch(number)?;
            for (number, turn) in (first..).zip(turns) {
                self.held.entry(number).or_insert_with(|| Arc::new(turn));
            }
        }
        self.held.get(&number).map(Arc::clone)
    }

    /// Drops what exceeds the budget, taken this many times, except these turns.
    fn let_go(&mut self, window: TurnWindow, times: usize, kept: &Range<i64>) {
        if self.texts_weight() > window.budget.texts.saturating_mul(times) {
            self.held.retain(|number, _| kept.contains(number));
        }
        if self.lines_weight() > window.budget.lines.saturating_mul(times) {
            self.blocks.retain(|number, _| kept.contains(number));
        }
    }

    fn put_together(&self, shown: Range<i64>, manner: Manner<'_>) -> Laid {
        let all = self.numbers();
        let count = |turns: i64| usize::try_from(turns).unwrap_or_default();
        let mut laid = Laid {
            before: count(shown.start - all.start),
            behind: count(all.end - shown.end),
            shown: shown.clone(),
            ..Laid::default()
        };
        if all.is_empty() {
            let head = render_head(self.head, self.first, manner);
            laid.scroll.push(Arc::new(head));
        }
        for number in shown {
            for lines in self.lines_before(number, manner) {
                laid.scroll.push(lines);
            }
            if let Some(block) = self.blocks.get(&number) {
                laid.scroll.push(Arc::clone(&block.lines));
                laid.wants_paint |= block.wants_paint;
            }
        }
        laid
    }

    /// The lines before a turn that do not belong to it: the head, a seam, a note.
    fn lines_before(&self, number: i64, manner: Manner<'_>) -> Vec<Arc<Vec<PageLine>>> {
        let mut before = Vec::new();
        if number == self.first {
            before.push(render_head(self.head, number, manner));
        }
        let depth = self.seams.get(&number);
        before.extend(depth.map(|depth| render_head(LedgerHead::Shown(*depth), number, manner)));
        let note = self.notes.get(&number);
        before.extend(note.map(|note| render_note(note, number, manner)));
        before.into_iter().map(Arc::new).collect()
    }

    /// The lines of a turn as a window would show them, without keeping them.
    pub fn lines_of(
        &self,
        number: i64,
        turn: &Turn,
        mut manner: Manner<'_>,
    ) -> Vec<Arc<Vec<PageLine>>> {
        manner.painter = None;
        let mut lines = self.lines_before(number, manner);
        lines.push(match self.right_block(number, manner) {
            Some(block) => Arc::clone(&block.lines),
            None => Arc::new(self.render(turn, number, &self.key(number, manner), manner)),
        });
        lines
    }

    fn key(&self, number: i64, manner: Manner<'_>) -> LayoutKey {
        let at = usize::try_from(number - self.first).unwrap_or_default();
        let earlier = self.headings.get(..at).unwrap_or_default().iter().rev();
        let mut times = earlier.filter_map(|heading| heading.at.and_then(manner.clock));
        let before = times.next().map(|time| time.date());
        (manner.columns, manner.options.of_turn(number), before)
    }

    fn render(
        &self,
        turn: &Turn,
        number: i64,
        (_, options, before): &LayoutKey,
        manner: Manner<'_>,
    ) -> Vec<PageLine> {
        let manner = Manner {
            agents: &self.agents,
            options,
            ..manner
        };
        render_turn(number, turn, *before, manner)
    }

    /// The layout of a turn, if it is up to date.
    fn right_block(&self, number: i64, manner: Manner<'_>) -> Option<&LaidTurn> {
        let block = self.blocks.get(&number)?;
        let is_painted = !block.wants_paint || manner.painter.is_none();
        (is_painted && block.key == self.key(number, manner)).then_some(block)
    }

    /// Lays out a turn unless its layout is up to date, and returns the memory that its lines take.
    fn lay_out_turn(&mut self, number: i64, turn: &Turn, manner: Manner<'_>) -> usize {
        if let Some(block) = self.right_block(number, manner) {
            return block.weight;
        }
        let key = self.key(number, manner);
        let mut lines = self.render(turn, number, &key, manner);
        lines.shrink_to_fit();
        let mut spans = lines.iter().flat_map(|line| &line.spans);
        let has_code = spans.any(|span| span.tone == Tone::Block);
        // One that was told to stop may have left code plain.
        let is_painted = manner.painter.is_some_and(|it| (it.go_on)());
        let weight = Scroll::weight(&lines);
        let block = LaidTurn {
            key,
            wants_paint: has_code && !is_painted,
            weight,
            lines: Arc::new(lines),
        };
        self.blocks.insert(number, block);
        weight
    }

    /// How much memory it takes, roughly: texts are kept as they were read.
    pub fn weight(&self) -> usize {
        self.texts_weight() + self.lines_weight() + self.headings.len() * size_of::<TurnHeading>()
    }

    fn texts_weight(&self) -> usize {
        let texts = self.held.keys().filter_map(|number| self.heading(*number));
        texts.map(|heading| heading.bytes).sum()
    }

    fn lines_weight(&self) -> usize {
        self.blocks.values().map(|block| block.weight).sum()
    }
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
