//! One conversation with all that is known of it: the whole of what a preview or an export needs.

use std::collections::BTreeSet;
use std::io::{self, Read, Seek};

use super::chain::Chain;
use super::entry::{Entry, read_entries};
use super::index::Index;
use super::interruption::Interruption;
use super::link::Preserved;
use super::state::State;
use super::turns::{Turn, turns};
use super::usage::Usage;

#[derive(Debug, Clone, Default)]
pub struct Conversation {
    pub entries: Vec<Entry>,
    pub turns: Vec<Turn>,
    pub usage: Usage,
    pub interruption: Interruption,
    pub state: State,
}

impl Conversation {
    /// Reads the lines of `chain`, and of the metadata, and no others.
    pub fn read(mut source: impl Read + Seek, index: &Index, chain: &Chain) -> io::Result<Self> {
        let entries = read_entries(&mut source, chain.links(index))?;
        let turns = turns(&entries);
        let state = State::read(source, index, &entries, &turns)?;
        let usage = Usage::of(&entries, &preserved(index, chain, &entries));
        let interruption = Interruption::of(&entries);
        Ok(Self {
            entries,
            turns,
            usage,
            interruption,
            state,
        })
    }

    /// How many lines a strict parser would refuse: what was broken in them is left out.
    pub fn mended(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_mended).count()
    }

    /// How many times a person asked for something.
    pub fn human_turns(&self) -> usize {
        self.turns.iter().filter(|turn| turn.is_human()).count()
    }
}

/// The entries that the last compaction kept: they are older than the boundary before them.
pub(super) fn preserved<'a>(
    index: &Index,
    chain: &Chain,
    entries: &'a [Entry],
) -> BTreeSet<&'a str> {
    let links = index.links();
    let boundary = chain.entries.iter().rev().find_map(|at| {
        let kept = links[*at].boundary.as_ref()?.preserved.as_ref()?;
        Some((*at, kept))
    });
    let Some((boundary, kept)) = boundary else {
        return BTreeSet::new();
    };
    let is_kept = |uuid: &str| {
        let id = super::EntryId::of(uuid.as_bytes());
        match kept {
            Preserved::Messages { ids, .. } => id.is_some_and(|id| ids.contains(&id)),
            // A segment lies before the boundary in the file.
            Preserved::Segment { .. } => id
                .and_then(|id| index.position(id))
                .is_some_and(|at| at < boundary),
        }
    };
    entries
        .iter()
        .map(|entry| entry.uuid.as_str())
        .filter(|uuid| is_kept(uuid))
        .collect()
}
