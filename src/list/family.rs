//! Sessions that were forked from one another.
//!
//! `/branch` and `--fork-session` keep the ids of the messages, a fork by the SDK makes new ones
//! and writes down where they come from. So relatives share their first message, or name the
//! session that they were forked from.

use std::collections::HashMap;

use crate::store::ForkOrigin;

/// Groups sessions, given by id and origin, into families. Gives, for each session, the place of
/// the first one in the list that belongs to the same family.
pub fn families<'a>(sessions: impl IntoIterator<Item = (&'a str, &'a ForkOrigin)>) -> Vec<usize> {
    let sessions: Vec<(&str, &ForkOrigin)> = sessions.into_iter().collect();
    let mut groups = UnionFind((0..sessions.len()).collect());
    let by_id: HashMap<&str, usize> = sessions
        .iter()
        .enumerate()
        .map(|(at, (id, _))| (*id, at))
        .collect();
    let mut by_first = HashMap::new();
    // Forks of one session are a family also when that session is gone.
    let mut by_source: HashMap<&str, usize> = HashMap::new();
    for (at, (_, origin)) in sessions.iter().enumerate() {
        if let Some(first) = origin.first_message {
            groups.join(at, *by_first.entry(first).or_insert(at));
        }
        if let Some(source) = origin.forked_from.as_deref() {
            let relative = by_id.get(source).copied().unwrap_or(at);
            groups.join(at, *by_source.entry(source).or_insert(relative));
        }
    }
    (0..sessions.len()).map(|at| groups.first(at)).collect()
}

/// Each place names an earlier member of its group, or itself.
struct UnionFind(Vec<usize>);

impl UnionFind {
    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
#[path = "family_tests.rs"]
mod tests;
