//! Tokens: each API message counted once, however many lines it was written in.

use std::collections::HashMap;

use serde::Serialize;

use super::chain::Chain;
use super::entry::Entry;
use super::index::Index;
use super::link::{Boundary, EntryId};

/// Tokens as the API counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_creation: u64,
}

impl Tokens {
    fn of(entry: &Entry) -> Self {
        Self {
            input: entry.usage("input_tokens"),
            output: entry.usage("output_tokens"),
            cache_read: entry.usage("cache_read_input_tokens"),
            cache_creation: entry.usage("cache_creation_input_tokens"),
        }
    }

    /// How large the context was that the message was an answer to, answer included.
    pub fn context(self) -> u64 {
        let parts = [self.output, self.cache_read, self.cache_creation];
        parts.into_iter().fold(self.input, u64::saturating_add)
    }

    fn add(&mut self, other: Self) {
        // Whoever writes nonsense gets nonsense, but no end of the program.
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_creation = self.cache_creation.saturating_add(other.cache_creation);
    }
}

/// The entries that the last compaction kept: they are older than the boundary before them.
#[derive(Debug)]
pub struct Kept<'a> {
    index: &'a Index,
    boundary: Option<usize>,
}

impl<'a> Kept<'a> {
    pub fn by_the_last_compaction(index: &'a Index, chain: &Chain) -> Self {
        let links = index.links();
        let preserves = |at: &&usize| {
            let boundary = links[**at].boundary.as_deref();
            boundary.is_some_and(Boundary::has_preserved)
        };
        let boundary = chain.entries.iter().rev().find(preserves).copied();
        Self { index, boundary }
    }

    /// Is the entry with this id one of them?
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

impl Usage {
    /// Counts the answers among `entries`.
    pub fn of(entries: &[Entry], kept: &Kept<'_>) -> Self {
        let mut count = Count::default();
        for entry in entries {
            count.take(entry, kept);
        }
        count.usage()
    }
}

/// Counts answers one by one.
#[derive(Debug, Default)]
pub struct Count {
    usage: Usage,
    by_message: HashMap<EntryId, Tokens>,
}

impl Count {
    /// The numbers on what a compaction `kept` are from before it and say nothing of the context.
    pub fn take(&mut self, entry: &Entry, kept: &Kept<'_>) {
        let Some(model) = entry.model().filter(|_| !entry.is_synthetic()) else {
            return;
        };
        let usage = &mut self.usage;
        if !usage.models.iter().any(|known| known == model) {
            usage.models.push(model.to_owned());
        }
        let tokens = Tokens::of(entry);
        let name = entry.message_id().unwrap_or(&entry.uuid);
        let Some(id) = EntryId::of(name.as_bytes()) else {
            return;
        };
        // Every line of a message repeats its usage; the last has the final output count.
        let counted = self.by_message.entry(id).or_default();
        if tokens.output >= counted.output {
            *counted = tokens;
        }
        if tokens.context() > 0 && !kept.holds(&entry.uuid) {
            usage.context = Some(counted.context());
        }
    }

    pub fn usage(self) -> Usage {
        let mut usage = self.usage;
        usage.answers = self.by_message.len();
        for tokens in self.by_message.into_values() {
            usage.total.add(tokens);
        }
        usage
    }
}
