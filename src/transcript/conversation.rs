//! One conversation with all that is known of it: the whole of what a preview or an export needs.

use std::io::{self, Read, Seek};

use super::chain::Chain;
use super::entry::{Entry, read_entries};
use super::index::Index;
use super::interruption::Interruption;
use super::link::{EntryId, Preserved};
use super::state::{Remarks, State};
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
        let state = State::read(source, index, Remarks::of(&entries, &turns))?;
        let usage = Usage::of(&entries, &Kept::by_the_last_compaction(index, chain));
        let interruption = Interruption::of(&entries);
        Ok(Self {
            entries,
            turns,
            usage,
            interruption,
            state,
        })
    }
}

/// The entries that the last compaction kept: they are older than the boundary before them.
#[derive(Debug)]
pub struct Kept<'a> {
    index: &'a Index,
    boundary: Option<(usize, &'a Preserved)>,
}

impl<'a> Kept<'a> {
    pub fn by_the_last_compaction(index: &'a Index, chain: &Chain) -> Self {
        let links = index.links();
        let boundary = chain.entries.iter().rev().find_map(|at| {
            let kept = links[*at].boundary.as_ref()?.preserved.as_ref()?;
            Some((*at, kept))
        });
        Self { index, boundary }
    }

    /// Is the entry with this id one of them?
    pub fn holds(&self, uuid: &str) -> bool {
        let Some((boundary, kept)) = self.boundary else {
            return false;
        };
        let Some(id) = EntryId::of(uuid.as_bytes()) else {
            return false;
        };
        match kept {
            Preserved::Messages { ids, .. } => ids.contains(&id),
            // A segment lies before the boundary in the file.
            Preserved::Segment { .. } => self.index.position(id).is_some_and(|at| at < boundary),
        }
    }
}
