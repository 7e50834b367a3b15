//! Tokens: each API message counted once, however many lines it was written in.

use std::collections::HashMap;

use serde::Serialize;

use super::chain::Chain;
use super::entry::Entry;
use super::index::Index;
use super::link::{Boundary, EntryId};
use crate::record::Tokens;

/// The entries that the last compaction preserved: they are older than the boundary before them.
#[derive(Debug)]
pub struct Preserved<'a> {
    index: &'a Index,
    boundary: Option<usize>,
}

impl<'a> Preserved<'a> {
    pub fn by_last_compaction(index: &'a Index, chain: &Chain) -> Self {
        let links = index.links();
        let preserves = |at: &&usize| {
            let boundary = links[**at].boundary.as_deref();
            boundary.is_some_and(Boundary::has_preserved)
        };
        let boundary = chain.entries.iter().rev().find(preserves).copied();
        Self { index, boundary }
    }

    /// Was the entry with this id preserved?
    pub fn holds(&self, uuid: &str) -> bool {
        let id = EntryId::of(uuid.as_bytes());
        let at = id.and_then(|id| self.index.position(id));
        at.zip(self.boundary)
            .is_some_and(|(at, boundary)| at < boundary)
    }
}

/// What a conversation used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub total: Tokens,
    /// Tokens in the context after the last answer. `None` where no answer came since the last
    /// compaction: the numbers on preserved messages are those of before.
    pub context: Option<u64>,
    /// The models that answered, in the order of their first answers.
    pub models: Vec<String>,
    /// How many API messages there were.
    pub answers: usize,
}

/// Counts answers one by one.
#[derive(Debug, Default)]
pub struct UsageCounter {
    pub usage: Usage,
    by_message: HashMap<EntryId, Tokens>,
}

impl UsageCounter {
    /// The numbers on `preserved` entries are from before the compaction, so they do not tell the
    /// size of the context.
    pub fn take(&mut self, entry: &Entry, preserved: &Preserved<'_>) {
        let Some(model) = entry.model().filter(|_| !entry.is_synthetic()) else {
            return;
        };
        let usage = &mut self.usage;
        if !usage.models.iter().any(|known| known == model) {
            usage.models.push(model.to_owned());
        }
        let tokens = entry.line.message.usage;
        let name = entry.message_id().unwrap_or(&entry.uuid);
        let Some(id) = EntryId::of(name.as_bytes()) else {
            return;
        };
        // Every line of a message repeats its usage; the last has the final output count.
        let counted = self.by_message.entry(id).or_default();
        if tokens.output >= counted.output {
            *counted = tokens;
        }
        if tokens.context() > 0 && !preserved.holds(&entry.uuid) {
            usage.context = Some(counted.context());
        }
    }

    pub fn finish(self) -> Usage {
        let mut usage = self.usage;
        usage.answers = self.by_message.len();
        for tokens in self.by_message.into_values() {
            usage.total += tokens;
        }
        usage
    }
}
