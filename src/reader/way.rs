//! The way to an entry: which part of a conversation has to be opened so that it is shown.

use std::io;
use std::path::Path;

use super::files::{CancellableFile, stamp};
use super::open::of_file;
use crate::transcript::{
    Chain, EntryId, Index, IndexStart, LoadExtent, Tree, Turn, TurnOpening, load_from,
};

/// What to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// What resuming loads.
    Resumed,
    /// And what was compacted away before it.
    Earlier,
    /// The branch with this leaf, which was rewound.
    Branch(String),
}

/// The way to an entry from the conversation that resuming loads. `None` if the file has no such
/// entry.
pub fn way_to(
    entry: EntryId,
    path: &Path,
    (index, chain): (&Index, &Chain),
    go_on: &dyn Fn() -> bool,
) -> io::Result<Option<Way>> {
    if chain.has(index, entry) {
        return Ok(Some(Way::Resumed));
    }
    if index.start == IndexStart::File {
        return Ok(way_in(entry, index, chain));
    }
    let (size, ..) = stamp(path)?;
    let file = CancellableFile::new(path, go_on)?;
    let whole = of_file(path, load_from(file, size, LoadExtent::Everything)?);
    Ok(way_in(entry, &whole, &chain.in_whole(index, &whole)))
}

fn way_in(entry: EntryId, index: &Index, chain: &Chain) -> Option<Way> {
    let at = index.position(entry)?;
    let branch = Tree::new(index, chain).branch_with(at);
    Some(branch.map_or(Way::Earlier, Way::Branch))
}

/// The turns that entries are in, and those that started agents. Turns are counted from zero.
#[derive(Debug, Default)]
pub struct EntryTurns {
    turns: Vec<(EntryId, u32)>,
    agents: Vec<(String, u32)>,
    count: u32,
}

impl EntryTurns {
    /// Takes the next turn.
    pub fn take(&mut self, turn: &Turn) {
        let number = self.count;
        self.count += 1;
        let mut put = |entry: Option<EntryId>| {
            let entry = entry.map(|entry| (entry, number));
            if self.turns.last() != entry.as_ref() {
                self.turns.extend(entry);
            }
        };
        put(EntryId::of(turn.uuid.as_bytes()));
        if let TurnOpening::Compaction { summary_entry, .. } = turn.opening {
            put(summary_entry);
        }
        for step in &turn.steps {
            put(EntryId::of(step.uuid.as_bytes()));
            let call = step.call();
            put(call.and_then(|call| call.result.as_ref()?.entry));
            if let Some(call) = call.filter(|call| call.starts_agent()) {
                self.agents.push((call.id.clone(), number));
            }
        }
    }

    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.turns.sort_unstable();
        self.turns.shrink_to_fit();
        self
    }

    /// The turns that an entry is in, the first one first.
    pub fn of_entry(&self, entry: EntryId) -> impl Iterator<Item = u32> {
        let first = self.turns.partition_point(|(known, _)| *known < entry);
        let known = self.turns.iter().skip(first);
        let known = known.take_while(move |(known, _)| *known == entry);
        known.map(|(_, turn)| *turn)
    }

    /// The turn of the call that started an agent.
    pub fn of_agent(&self, call: &str) -> Option<u32> {
        let mut agents = self.agents.iter();
        let (_, turn) = agents.find(|(known, _)| known == call)?;
        Some(*turn)
    }

    pub fn weight(&self) -> usize {
        self.turns.len() * size_of::<(EntryId, u32)>()
    }
}
