//! Tokens: each API message counted once, however many lines it was written in.

use std::collections::HashMap;

use serde::Serialize;

use super::chain::Chain;
use super::entry::Entry;
use super::index::Index;
use super::link::{Boundary, EntryId};
use crate::record::Tokens;

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
#[derive(Debug)]
pub struct UsageCounter<'a> {
    pub usage: Usage,
    by_message: HashMap<EntryId, Tokens>,
    index: &'a Index,
    /// The last compaction that preserved entries: they are older than it.
    preserving: Option<usize>,
}

impl<'a> UsageCounter<'a> {
    pub fn new(index: &'a Index, chain: &Chain) -> Self {
        let preserves = |at: &&usize| {
            let boundary = index.links()[**at].boundary.as_deref();
            boundary.is_some_and(Boundary::has_preserved)
        };
        Self {
            usage: Usage::default(),
            by_message: HashMap::new(),
            index,
            preserving: chain.entries.iter().rev().find(preserves).copied(),
        }
    }

    pub fn take(&mut self, entry: &Entry) {
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
        let at = entry.id().and_then(|id| self.index.position(id));
        if tokens.context() > 0 && self.preserving.is_none_or(|last| at >= Some(last)) {
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
