//! A conversation in one pass that holds little of it: what is known of the whole, its newest
//! turns, and where to read the others.
//!
//! The result does not depend on how little is held, with one exception that no program writes:
//! `take_turn` does not see a result that comes megabytes after its call.

use std::io::{self, Read, Seek};
use std::sync::Arc;

use super::chain::Chain;
use super::entry::{Entry, EntryPos, for_each_entry};
use super::index::Index;
use super::sent::{Sending, Sent};
use super::state::{Remarks, SessionState, replace};
use super::stretches::{Stretches, weight};
use super::turns::{Turn, TurnBuilder};
use super::usage::{Usage, UsageCounter};

#[derive(Debug, Default)]
pub struct Digest {
    pub stretches: Stretches,
    /// The newest turns, as many as may be held, and the number of the first.
    pub newest: Vec<Turn>,
    pub first_held: usize,
    pub usage: Usage,
    /// What resuming makes of it.
    pub sent: Arc<Sent>,
    /// Without the patches of files.
    pub state: SessionState,
    /// Where the session ran.
    pub cwd: Option<String>,
    /// The last that its lines name.
    pub git_branch: Option<String>,
    pub version: Option<String>,
    /// How many lines a strict parser would refuse: their broken parts are left out.
    pub mended: usize,
    /// How many lines belong to a turn that was no longer held.
    pub late: usize,
}

impl Digest {
    /// Reads the lines of `chain` and holds all of its turns.
    pub fn whole(source: impl Read + Seek, index: &Index, chain: &Chain) -> io::Result<Self> {
        Self::read(source, index, chain, usize::MAX, &mut |_| {})
    }

    /// Reads the lines of `chain` and holds at most `held` bytes of turns at a time, or one
    /// stretch. Passes every turn to `take_turn`, oldest first.
    pub fn read(
        mut source: impl Read + Seek,
        index: &Index,
        chain: &Chain,
        held: usize,
        take_turn: &mut dyn FnMut(&Turn),
    ) -> io::Result<Self> {
        let positions: Vec<EntryPos> = chain.links(index).map(EntryPos::from).collect();
        let mut pass = Pass {
            positions: &positions,
            most: held,
            weight: 0,
            builder: TurnBuilder::default(),
            remarks: Remarks::default(),
            usage: UsageCounter::new(index, chain),
            sending: Sending::new(index, chain),
            digest: Self::default(),
            take_turn,
        };
        for_each_entry(&mut source, positions.iter().copied(), &mut |at, entry| {
            pass.take(at, &entry);
        })?;
        let sent = Arc::new(pass.sending.finish());
        sent.mark(&mut pass.builder.turns);
        for turn in &pass.builder.turns {
            pass.remarks.take_turn(turn);
            (pass.take_turn)(turn);
        }
        let Pass {
            builder, digest, ..
        } = pass;
        Ok(Self {
            first_held: builder.gone,
            newest: builder.turns,
            usage: pass.usage.finish(),
            state: SessionState::read(source, index, pass.remarks)?,
            late: builder.late,
            stretches: Stretches::new(positions, &builder.joins, sent.clone()),
            sent,
            ..digest
        })
    }

    /// Notes what a line says besides its message.
    fn note(&mut self, entry: &Entry) {
        let line = &entry.line;
        if self.cwd.is_none() {
            self.cwd = line.cwd.as_str().map(str::to_owned);
        }
        let visible = |text: &&str| !text.is_empty();
        replace(
            &mut self.git_branch,
            line.git_branch.as_str().filter(visible),
        );
        replace(&mut self.version, line.version.as_str().filter(visible));
        self.mended += usize::from(line.is_mended);
    }
}

struct Pass<'a> {
    positions: &'a [EntryPos],
    most: usize,
    /// Bytes of the entries since the first turn that is held.
    weight: usize,
    builder: TurnBuilder,
    remarks: Remarks,
    usage: UsageCounter<'a>,
    sending: Sending,
    digest: Digest,
    take_turn: &'a mut dyn FnMut(&Turn),
}

impl Pass<'_> {
    fn take(&mut self, at: usize, entry: &Entry) {
        self.builder.take(at, entry);
        self.remarks.take_entry(entry);
        self.usage.take(entry);
        self.digest.note(entry);
        self.sending.take(entry);
        self.weight += weight(self.positions.get(at..=at).unwrap_or_default());
        if self.weight > self.most {
            self.let_go(at);
        }
    }

    /// Drops half of the turns that are held, but not those of the current stretch.
    fn let_go(&mut self, at: usize) {
        let joins = &self.builder.joins;
        let first = self.builder.gone;
        let mut left = self.weight;
        let mut end = first;
        while left > self.most / 2 && end < joins.newest() {
            let from = joins.entry_of(end).unwrap_or_default();
            let to = joins.entry_of(end + 1).unwrap_or(at + 1);
            left -= weight(self.positions.get(from..to).unwrap_or_default()).min(left);
            end += 1;
        }
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
