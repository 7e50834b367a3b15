//! A conversation with the lines that were laid out of it, turn by turn.
//!
//! A turn is laid out again only when something changed that shows in it: the width, a fold of
//! its own, the day before it, or that its code has colours now. The newest turns come first, and
//! whoever asks may stop in between.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::NaiveDate;

use super::agents::Agents;
use super::ledger::{Head, Manner, day_of, render_head, render_note, render_turn};
use super::line::{Line, Tone};
use super::options::Options;
use super::scroll::Scroll;
use crate::transcript::Turn;

/// Bytes of lines that are laid out at most, roughly: a conversation of a hundred megabytes would
/// take ten times that, for lines that nobody scrolls through.
const MOST_BYTES: usize = 96 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Book {
    turns: Arc<Vec<Turn>>,
    /// The number of the first turn.
    first: i64,
    pub head: Head,
    pub agents: Agents,
    /// Lines of our own before some turns, by their numbers.
    notes: BTreeMap<i64, String>,
    /// The turns that stood first before earlier ones were put in front, and how often that was
    /// done until then.
    seams: BTreeMap<i64, usize>,
    blocks: HashMap<i64, Block>,
}

/// A turn that was laid out, and under which circumstances.
#[derive(Debug)]
struct Block {
    columns: usize,
    options: Options,
    before: Option<NaiveDate>,
    paint: Paint,
    lines: Arc<Vec<Line>>,
    weight: usize,
}

/// How it stands with the colours of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    /// There is code, and it has none yet.
    Wanted,
    Done,
}

/// What was laid out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Laid {
    pub scroll: Scroll,
    /// Turns before the first line.
    pub unlaid: usize,
    /// Is there code that could have colours?
    pub wants_paint: bool,
}

impl Book {
    pub fn new(turns: Vec<Turn>, head: Head) -> Self {
        Self {
            turns: Arc::new(turns),
            head,
            ..Self::default()
        }
    }

    pub fn turns(&self) -> &Arc<Vec<Turn>> {
        &self.turns
    }

    pub fn first(&self) -> i64 {
        self.first
    }

    /// Puts turns in front, under numbers below those that are there.
    pub fn put_before(&mut self, mut earlier: Vec<Turn>, note: Option<String>) {
        let count = i64::try_from(earlier.len()).unwrap_or_default();
        self.seams.insert(self.first, self.seams.len() + 1);
        earlier.extend(self.turns.iter().cloned());
        self.turns = Arc::new(earlier);
        self.first -= count;
        self.notes.extend(note.map(|note| (self.first, note)));
    }

    /// Takes over the numbers of what was shown before, and the lines that are still right: a
    /// conversation that was read again, or further back, keeps its places.
    pub fn follow(&mut self, shown: Self) {
        let known: HashMap<&str, i64> = (shown.first..)
            .zip(shown.turns.iter())
            .map(|(number, turn)| (turn.uuid.as_str(), number))
            .collect();
        // A turn of which only the end was known goes by the name of a step.
        let meeting = (0..).zip(self.turns.iter()).find_map(|(at, turn)| {
            let steps = turn.steps.iter().map(|step| step.uuid.as_str());
            let mut names = std::iter::once(turn.uuid.as_str()).chain(steps);
            let number = names.find_map(|name| known.get(name))?;
            Some(number - at)
        });
        let Some(first) = meeting else {
            return;
        };
        let by = first - self.first;
        let notes = std::mem::take(&mut self.notes).into_iter();
        self.notes = notes.map(|(number, note)| (number + by, note)).collect();
        let seams = std::mem::take(&mut self.seams).into_iter();
        self.seams = seams.map(|(number, depth)| (number + by, depth)).collect();
        self.first = first;
        let before: HashMap<i64, &Turn> = (shown.first..).zip(shown.turns.iter()).collect();
        let same = (first..)
            .zip(self.turns.iter())
            .filter(|(number, turn)| before.get(number) == Some(turn))
            .map(|(number, _)| number);
        let mut blocks = shown.blocks;
        if self.agents == shown.agents {
            let kept = same.filter_map(|number| Some((number, blocks.remove(&number)?)));
            self.blocks = kept.collect();
        }
    }

    /// Lays out the newest `wanted` turns, or as many of them as may be held at once. `None` if it
    /// was told to stop.
    pub fn lay_out(
        &mut self,
        wanted: usize,
        manner: Manner<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Laid> {
        self.lay_out_within(MOST_BYTES, wanted, manner, go_on)
    }

    fn lay_out_within(
        &mut self,
        most: usize,
        wanted: usize,
        manner: Manner<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Laid> {
        let mut unlaid = self.turns.len().saturating_sub(wanted);
        let turns = Arc::clone(&self.turns);
        let numbered: Vec<(i64, &Turn)> = (self.first..).zip(turns.iter()).collect();
        let mut day = turns[..unlaid]
            .iter()
            .rev()
            .find_map(|turn| day_of(turn, manner.clock));
        let mut days = Vec::new();
        for (_, turn) in &numbered[unlaid..] {
            days.push(day);
            day = day_of(turn, manner.clock).or(day);
        }
        let asked_for = numbered[unlaid..].iter().zip(&days);
        let mut held = 0;
        let mut too_many = 0;
        for (left, ((number, turn), before)) in asked_for.enumerate().rev() {
            if !go_on() {
                return None;
            }
            held += self.lay_out_turn(*number, turn, *before, manner);
            if held > most && left > 0 {
                too_many = left;
                break;
            }
        }
        unlaid += too_many;
        let shown = &numbered[unlaid..];
        if too_many > 0 {
            let first = self.first + i64::try_from(unlaid).unwrap_or_default();
            self.blocks.retain(|number, _| *number >= first);
        }
        let mut laid = Laid {
            unlaid,
            ..Laid::default()
        };
        if unlaid == 0 {
            let head = render_head(self.head, self.first, manner);
            laid.scroll.push(Arc::new(head));
        } else if let (1.., Some((number, _))) = (too_many, shown.first()) {
            let words = format!("── {unlaid} turns before this: `claude-resume show` has them ──");
            let note = render_note(&words, *number, manner);
            laid.scroll.push(Arc::new(note));
        }
        for (number, _) in shown {
            if let Some(depth) = self.seams.get(number) {
                let seam = render_head(Head::Shown(*depth), *number, manner);
                laid.scroll.push(Arc::new(seam));
            }
            if let Some(note) = self.notes.get(number) {
                let note = render_note(note, *number, manner);
                laid.scroll.push(Arc::new(note));
            }
            if let Some(block) = self.blocks.get(number) {
                laid.scroll.push(Arc::clone(&block.lines));
                laid.wants_paint |= block.paint == Paint::Wanted;
            }
        }
        Some(laid)
    }

    /// Lays out a turn where that is to be done, and says how much memory its lines take.
    fn lay_out_turn(
        &mut self,
        number: i64,
        turn: &Turn,
        before: Option<NaiveDate>,
        manner: Manner<'_>,
    ) -> usize {
        let options = manner.options.of_turn(number);
        if let Some(block) = self.blocks.get(&number)
            && block.columns == manner.columns
            && block.options == options
            && block.before == before
            && (block.paint == Paint::Done || manner.syntaxes.is_none())
        {
            return block.weight;
        }
        let manner = Manner {
            agents: &self.agents,
            options: &options,
            ..manner
        };
        let mut lines = render_turn(number, turn, before, manner);
        lines.shrink_to_fit();
        let mut spans = lines.iter().flat_map(|line| &line.spans);
        let has_code = spans.any(|span| span.tone == Tone::Block);
        let paint = if has_code && manner.syntaxes.is_none() {
            Paint::Wanted
        } else {
            Paint::Done
        };
        let block = Block {
            columns: manner.columns,
            options,
            before,
            paint,
            weight: Scroll::weight(&lines),
            lines: Arc::new(lines),
        };
        let weight = block.weight;
        self.blocks.insert(number, block);
        weight
    }

    /// Forgets the lines of one turn: something that they show has come.
    pub fn forget(&mut self, number: i64) {
        self.blocks.remove(&number);
    }

    /// Forgets all lines, and keeps the conversation.
    pub fn forget_lines(&mut self) {
        self.blocks.clear();
    }

    /// How much memory the lines take, roughly.
    pub fn weight(&self) -> usize {
        self.blocks.values().map(|block| block.weight).sum()
    }
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
