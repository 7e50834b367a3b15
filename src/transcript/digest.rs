//! A conversation in one pass that holds little of it: what is known of the whole, its newest
//! turns, and where to read the others.
//!
//! What it says is the same, however little is held, with one exception that no program writes: a
//! result that comes megabytes after its call is not seen by `take_turn`.

use std::io::{self, Read, Seek};
use std::sync::Arc;

use super::chain::Chain;
use super::entry::{Entry, Spot, for_each_entry};
use super::index::Index;
use super::sent::{Sending, Sent};
use super::state::{Remarks, State, replace};
use super::stretches::{Stretches, weight};
use super::turns::{Builder, Turn};
use super::usage::{Count, Kept, Usage};

#[derive(Debug, Default)]
pub struct Digest {
    pub stretches: Stretches,
    /// The newest turns, as many as were to be held, and the number of the first.
    pub newest: Vec<Turn>,
    pub first_held: usize,
    pub usage: Usage,
    /// What resuming makes of it.
    pub sent: Arc<Sent>,
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
    /// Reads the lines of `chain` and holds all of its turns.
    pub fn whole(source: impl Read + Seek, index: &Index, chain: &Chain) -> io::Result<Self> {
        Self::read(source, index, chain, usize::MAX, &mut |_| {})
    }

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
            remarks: Remarks::default(),
            count: Count::default(),
            sending: Sending::new(index, chain),
            named: Named::default(),
            take_turn,
        };
        for_each_entry(&mut source, spots.iter().copied(), &mut |at, entry| {
            pass.take(at, &entry, &kept);
        })?;
        let Pass {
            mut builder,
            mut remarks,
            count,
            sending,
            named,
            take_turn,
            ..
        } = pass;
        let sent = Arc::new(sending.finish());
        sent.mark(&mut builder.turns);
        for turn in &builder.turns {
            remarks.take_turn(turn);
            take_turn(turn);
        }
        Ok(Self {
            first_held: builder.gone,
            newest: builder.turns,
            usage: count.usage(),
            state: State::read(source, index, remarks)?,
            cwd: named.cwd,
            git_branch: named.git_branch,
            version: named.version,
            mended: named.mended,
            late: builder.late,
            stretches: Stretches::new(spots, builder.joins, sent.clone()),
            sent,
        })
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
    sending: Sending,
    named: Named,
    take_turn: &'a mut dyn FnMut(&Turn),
}

impl Pass<'_> {
    fn take(&mut self, at: usize, entry: &Entry, kept: &Kept<'_>) {
        self.builder.take(at, entry);
        self.remarks.take_entry(entry);
        self.count.take(entry, kept);
        self.named.take(entry);
        self.sending.take(entry);
        self.weight += self.spots.get(at).map_or(0, |spot| weight(&[*spot]));
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
