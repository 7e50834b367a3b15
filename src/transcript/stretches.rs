//! A conversation taken apart into stretches that can be read alone, each by itself.
//!
//! Most turns are: nothing that comes later says anything of them. Where a result or a repeated
//! line reaches back into an earlier turn, everything up to that turn is one stretch. What is held
//! here is small: the positions of the lines, and a heading for each turn. Texts are read on
//! demand, and are the same as when the whole is read.

use std::io::{self, Read, Seek};
use std::ops::Range;
use std::sync::Arc;

use super::entry::{EntryPos, for_each_entry};
use super::link::EntryId;
use super::sent::Sent;
use super::turns::{Turn, TurnBuilder};

/// More than this of a line is seldom kept, however long it is.
const MOST_OF_A_LINE: usize = 512 * 1024;

/// A turn without its texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnHeading {
    /// The entry that opens it.
    pub id: Option<EntryId>,
    pub at: Option<i64>,
    /// How many bytes its lines have, roughly, and the offset of the first of them.
    pub bytes: usize,
    pub offset: u64,
    /// How many bytes the stretch has that it is read with. A turn of which none of these has
    /// changed in a file that grew is the same turn.
    pub together: usize,
}

impl TurnHeading {
    /// The heading of a turn whose position is not known yet.
    pub fn new(uuid: &str, at: Option<i64>) -> Self {
        Self {
            id: EntryId::of(uuid.as_bytes()),
            at,
            ..Self::default()
        }
    }
}

/// Where turns begin, and which of them hang together, as it turns out while entries are taken.
#[derive(Debug, Default)]
pub struct Joins {
    /// The number of the first turn of each stretch.
    starts: Vec<usize>,
    /// Each turn, and the entry that opens it.
    turns: Vec<(usize, TurnHeading)>,
    entry: usize,
    /// Did the entry at hand say something already?
    is_used: bool,
}

impl Joins {
    pub fn begin(&mut self, entry: usize) {
        self.entry = entry;
        self.is_used = false;
    }

    /// The entry at hand opens a turn. If it belongs to an earlier one as well, both are read
    /// together.
    pub fn open(&mut self, turn: usize, heading: TurnHeading) {
        if !self.is_used || turn == 0 {
            self.starts.push(turn);
        }
        // What comes before the first turn belongs to it.
        let entry = if turn == 0 { 0 } else { self.entry };
        self.turns.push((entry, heading));
        self.is_used = true;
    }

    /// The entry at hand says something of a turn.
    pub fn touch(&mut self, turn: usize) {
        self.is_used = true;
        while self.starts.last().is_some_and(|start| *start > turn) {
            self.starts.pop();
        }
    }

    /// Where the stretch begins that the newest turn is in.
    pub fn newest(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The entry that opens a turn.
    pub fn entry_of(&self, turn: usize) -> Option<usize> {
        self.turns.get(turn).map(|(entry, _)| *entry)
    }
}

#[derive(Debug, Default)]
pub struct Stretches {
    /// The lines of the conversation in their order.
    positions: Vec<EntryPos>,
    headings: Vec<TurnHeading>,
    /// The first turn of each stretch, and the number of its first line.
    starts: Vec<(usize, usize)>,
    sent: Arc<Sent>,
}

impl Stretches {
    pub(super) fn new(positions: Vec<EntryPos>, joins: &Joins, sent: Arc<Sent>) -> Self {
        let line_of = |turn: usize| joins.entry_of(turn);
        let starts = joins.starts.iter();
        let starts = starts.filter_map(|turn| Some((*turn, line_of(*turn)?)));
        let starts = starts.collect();
        let mut headings = Vec::with_capacity(joins.turns.len());
        for (turn, (begin, heading)) in joins.turns.iter().enumerate() {
            let end = line_of(turn + 1).unwrap_or(positions.len());
            headings.push(TurnHeading {
                bytes: weight(positions.get(*begin..end).unwrap_or_default()),
                offset: positions.get(*begin).map_or(0, |pos| pos.offset),
                ..*heading
            });
        }
        let mut stretches = Self {
            positions,
            headings,
            starts,
            sent,
        };
        let mut first = 0;
        while first < stretches.headings.len() {
            let turns = stretches.around(first);
            first = turns.end.max(first + 1);
            if let Some(together) = stretches.headings.get_mut(turns) {
                let bytes = together.iter().map(|heading| heading.bytes).sum();
                for heading in together {
                    heading.together = bytes;
                }
            }
        }
        stretches
    }

    /// A heading for each turn, oldest first.
    pub fn headings(&self) -> &[TurnHeading] {
        &self.headings
    }

    /// How much memory this takes.
    pub fn weight(&self) -> usize {
        self.positions.len() * size_of::<EntryPos>()
            + self.headings.len() * size_of::<TurnHeading>()
    }

    /// The turns that are read together with one.
    pub fn around(&self, turn: usize) -> Range<usize> {
        let next = self.starts.partition_point(|(start, _)| *start <= turn);
        let start = next.checked_sub(1).and_then(|at| self.starts.get(at));
        let end = self.starts.get(next);
        start.map_or(0, |(turn, _)| *turn)..end.map_or(self.headings.len(), |(turn, _)| *turn)
    }

    /// Reads the stretch that a turn is in, and says which turn is its first.
    pub fn read(&self, source: impl Read + Seek, turn: usize) -> io::Result<(usize, Vec<Turn>)> {
        self.read_on(source, turn, 0)
    }

    /// Reads on after the stretch that a turn is in, up to so many bytes in all: lines that are
    /// read together are parsed together.
    pub fn read_on(
        &self,
        source: impl Read + Seek,
        turn: usize,
        most: usize,
    ) -> io::Result<(usize, Vec<Turn>)> {
        let mut turns = self.around(turn);
        let together = |turn: usize| self.headings.get(turn).map(|heading| heading.together);
        let mut bytes = together(turn).unwrap_or_default();
        while let Some(next) = together(turns.end).filter(|next| bytes + next <= most) {
            bytes += next;
            turns.end = self.around(turns.end).end;
        }
        let line_of = |turn: usize| {
            let at = self.starts.partition_point(|(start, _)| *start < turn);
            self.starts.get(at).map(|(_, line)| *line)
        };
        let from = line_of(turns.start).unwrap_or_default();
        let to = line_of(turns.end).unwrap_or(self.positions.len());
        let positions = self.positions.get(from..to).unwrap_or_default();
        let mut builder = TurnBuilder::default();
        for_each_entry(source, positions.iter().copied(), &mut |at, entry| {
            builder.take(at, &entry);
        })?;
        let mut read = builder.turns;
        self.sent.mark(&mut read);
        if read.len() != turns.len() {
            return Err(io::Error::other("it was changed while it was read"));
        }
        Ok((turns.start, read))
    }
}

/// How many bytes of some lines are kept, roughly.
pub(super) fn weight(positions: &[EntryPos]) -> usize {
    let each = positions.iter().map(|pos| pos.length.min(MOST_OF_A_LINE));
    each.sum()
}
