//! A conversation in one pass that holds little of it: what is known of the whole, its newest
//! turns, and where to read the others.
//!
//! Says the same as `Conversation`, which holds everything, with two exceptions that no program
//! writes: a result that comes megabytes after its call is not seen by `take_turn`, and who had the
//! last word is decided by the last entries.

use std::collections::VecDeque;
use std::io::{self, Read, Seek};

use super::chain::Chain;
use super::conversation::Kept;
use super::entry::{Entry, Spot, for_each_entry};
use super::index::Index;
use super::interruption::Interruption;
use super::state::{Hunks, Remarks, State, replace};
use super::stretches::{Stretches, weight};
use super::turns::{Builder, Turn};
use super::usage::{Count, Usage};

/// Entries at the end that tell who had the last word, and their bytes: pictures are large.
const LAST_ENTRIES: usize = 512;
const LAST_BYTES: usize = 2 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Digest {
    pub stretches: Stretches,
    /// The newest turns, as many as were to be held, and the number of the first.
    pub newest: Vec<Turn>,
    pub first_held: usize,
    pub usage: Usage,
    pub interruption: Interruption,
    /// Without the patches of files.
    pub state: State,
    /// Where the session ran.
    pub cwd: Option<String>,
    /// The last that its lines name.
    pub git_branch: Option<String>,
    pub version: Option<String>,
    /// How many lines a strict parser would refuse: what was broken in them is left out.
    pub mended: usize,
    /// How many lines said something of a turn that had been let go.
    pub late: usize,
}

impl Digest {
    /// Reads the lines of `chain` and holds at most so many bytes of turns at a time, or one
    /// stretch. Every turn is shown to `take_turn`, oldest first.
    pub fn read(
        mut source: impl Read + Seek,
        index: &Index,
        chain: &Chain,
        held: usize,
        take_turn: &mut dyn FnMut(&Turn),
    ) -> io::Result<Self> {
        let spots: Vec<Spot> = chain.links(index).map(Spot::from).collect();
        let kept = Kept::by_the_last_compaction(index, chain);
        let mut pass = Pass {
            spots: &spots,
            most: held,
            weight: 0,
            builder: Builder::default(),
            remarks: Remarks::new(Hunks::Counted),
            count: Count::default(),
            last: Last::default(),
            named: Named::default(),
            take_turn,
        };
        for_each_entry(&mut source, spots.iter().copied(), &mut |at, entry| {
            pass.take(at, entry, &kept);
        })?;
        let Pass {
            builder,
            mut remarks,
            count,
            mut last,
            named,
            take_turn,
            ..
        } = pass;
        for turn in &builder.turns {
            remarks.take_turn(turn);
            take_turn(turn);
        }
        Ok(Self {
            first_held: builder.gone,
            newest: builder.turns,
            usage: count.usage(),
            interruption: Interruption::of(last.entries.make_contiguous()),
            state: State::read(source, index, remarks)?,
            cwd: named.cwd,
            git_branch: named.git_branch,
            version: named.version,
            mended: named.mended,
            late: builder.late,
            stretches: Stretches::new(spots, builder.joins),
        })
    }
}

/// The last entries, within bounds.
#[derive(Debug, Default)]
struct Last {
    entries: VecDeque<Entry>,
    /// Of each entry, and of all.
    bytes: VecDeque<usize>,
    sum: usize,
}

impl Last {
    fn push(&mut self, entry: Entry, bytes: usize) {
        self.entries.push_back(entry);
        self.bytes.push_back(bytes);
        self.sum += bytes;
        // The very last one decides alone, however large it is.
        while self.entries.len() > 1 && (self.entries.len() > LAST_ENTRIES || self.sum > LAST_BYTES)
        {
            self.entries.pop_front();
            self.sum -= self.bytes.pop_front().unwrap_or_default();
        }
    }
}

/// What lines say beside their messages.
#[derive(Debug, Default)]
struct Named {
    cwd: Option<String>,
    git_branch: Option<String>,
    version: Option<String>,
    mended: usize,
}

impl Named {
    fn take(&mut self, entry: &Entry) {
        if self.cwd.is_none() {
            self.cwd = entry.text("cwd").map(str::to_owned);
        }
        let last = |key: &str| entry.text(key).filter(|text| !text.is_empty());
        replace(&mut self.git_branch, last("gitBranch"));
        replace(&mut self.version, last("version"));
        self.mended += usize::from(entry.is_mended);
    }
}

struct Pass<'a> {
    spots: &'a [Spot],
    most: usize,
    /// Bytes of the entries since the first turn that is held.
    weight: usize,
    builder: Builder,
    remarks: Remarks,
    count: Count,
    last: Last,
    named: Named,
    take_turn: &'a mut dyn FnMut(&Turn),
}

impl Pass<'_> {
    fn take(&mut self, at: usize, entry: Entry, kept: &Kept<'_>) {
        self.builder.take(at, &entry);
        self.remarks.take_entry(&entry);
        self.count.take(&entry, kept);
        self.named.take(&entry);
        let bytes = self.spots.get(at).map_or(0, |spot| weight(&[*spot]));
        self.last.push(entry, bytes);
        self.weight += bytes;
        if self.weight > self.most {
            self.let_go(at);
        }
    }

    /// Lets go of half of what is held, up to the stretch that is going on.
    fn let_go(&mut self, at: usize) {
        let joins = &self.builder.joins;
        let first = self.builder.gone;
        let mut left = self.weight;
        let mut end = first;
        for turn in first..first + self.builder.turns.len() {
            if left <= self.most / 2 || end >= joins.newest() {
                break;
            }
            let from = joins.entry_of(turn).unwrap_or_default();
            let to = joins.entry_of(turn + 1).unwrap_or(at + 1);
            left -= weight(self.spots.get(from..to).unwrap_or_default()).min(left);
            end = turn + 1;
        }
        let end = end.min(joins.newest());
        for turn in self.builder.let_go(end) {
            self.remarks.take_turn(&turn);
            (self.take_turn)(&turn);
        }
        // A stretch that is larger than all that may be held is not weighed again at every entry.
        self.weight = if end > first { left } else { 0 };
    }
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
