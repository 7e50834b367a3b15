//! Where the messages of a transcript are: on the branch that resuming loads, or off it, and what
//! is around them there.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::iter::successors;
use std::path::Path;

use serde::Serialize;
use uuid::Uuid;

use super::chain::Chain;
use super::compaction::before;
use super::index::{Index, IndexStart};
use super::leaf::LeafRule;
use super::link::{EntryId, Link};
use super::load::{LoadExtent, load};
use super::tree::Tree;

/// Where a message is in its transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Resuming loads it.
    Resumed,
    /// A compaction replaced it with a summary.
    BeforeCompaction,
    /// On a branch that was rewound, or that damage cut off.
    Rewound,
    /// In the conversation of a sub-agent.
    Agent,
}

/// A transcript, and which of its entries resuming reaches. Each question is answered without going
/// through all of it.
#[derive(Debug)]
pub struct Standings {
    index: Index,
    /// The conversation that resuming loads, in its order.
    resumed: Vec<usize>,
    /// Where an entry is in that conversation.
    places: HashMap<usize, usize>,
    /// By entry: how its branch goes on. `None` for a leaf. Filled when first needed.
    next: OnceCell<Vec<Option<usize>>>,
    /// By entry: is it in that conversation, or was it compacted away from it?
    reached: Vec<bool>,
    is_agent: bool,
}

/// Where each of these messages is. `None` for what is no entry of the conversation.
pub fn standings(path: &Path, uuids: &[Uuid]) -> io::Result<Vec<Option<Standing>>> {
    let standings = Standings::load(path)?;
    Ok(uuids.iter().map(|uuid| standings.of(*uuid)).collect())
}

impl Standings {
    pub fn load(path: &Path) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_agent = name.starts_with("agent-");
        let mut index = load(path, LoadExtent::Resumed)?;
        if is_agent {
            index = index.of_subagent();
        }
        let mut chain = Chain::build(&index, LeafRule::Resume);
        if index.start == IndexStart::Boundary {
            let mut whole = load(path, LoadExtent::Everything)?;
            if is_agent {
                whole = whole.of_subagent();
            }
            chain = chain.in_whole(&index, &whole);
            index = whole;
        }
        let reached = Tree::new(&index, &chain).reached();
        let places = chain.entries.iter().copied().enumerate();
        let places = places.map(|(place, at)| (at, place)).collect();
        Ok(Self {
            index,
            resumed: chain.entries,
            places,
            next: OnceCell::new(),
            reached,
            is_agent,
        })
    }

    pub fn of(&self, uuid: Uuid) -> Option<Standing> {
        let at = self.position(uuid)?;
        Some(if self.is_agent || self.index.links()[at].is_sidechain {
            Standing::Agent
        } else if self.places.contains_key(&at) {
            Standing::Resumed
        } else if self.reached[at] {
            Standing::BeforeCompaction
        } else {
            Standing::Rewound
        })
    }

    /// The entries whose ids begin with these hexadecimal digits.
    pub fn beginning_with(&self, digits: &str) -> Vec<Uuid> {
        let ids = self.index.links().iter().map(|link| link.id.uuid());
        ids.filter(|id| id.simple().to_string().starts_with(digits))
            .collect()
    }

    /// The lines of a message and of up to `context` messages before and after it, on the branch
    /// that it is on. Of several ways to go on, the one that resuming reaches is taken, else the
    /// newest. Empty if there is no such entry.
    pub fn around(&self, uuid: Uuid, context: usize) -> Vec<&Link> {
        let Some(target) = self.position(uuid) else {
            return Vec::new();
        };
        let (mut lines, after) = if let Some(&place) = self.places.get(&target) {
            let before = self.resumed[..place].iter().rev().copied();
            let after = self.resumed[place + 1..].iter().copied();
            (
                self.messages(target, before, context),
                self.messages(target, after, context),
            )
        } else {
            let mut seen = HashSet::from([target]);
            let mut is_new = |at: &usize| seen.insert(*at);
            let before = successors(self.parent(target), |at| self.parent(*at));
            let before = self.messages(target, before.take_while(&mut is_new), context);
            let after = successors(self.next(target), |at| self.next(*at));
            let after = self.messages(target, after.take_while(&mut is_new), context);
            (before, after)
        };
        lines.reverse();
        lines.push(target);
        lines.extend(after);
        lines
            .into_iter()
            .map(|at| &self.index.links()[at])
            .collect()
    }

    /// The lines that come next on a way from an entry, as far as they belong to its message or to
    /// the next `most` messages. Lines of one message count as one.
    fn messages(&self, from: usize, way: impl Iterator<Item = usize>, most: usize) -> Vec<usize> {
        let links = self.index.links();
        let mut lines = Vec::new();
        let (mut last, mut count) = (from, 0);
        for at in way {
            let link = &links[at];
            let counts = link.entry.is_message() || link.is_queued;
            if !counts || (link.is_meta && !link.is_peer) {
                continue;
            }
            if link.message.is_none() || link.message != links[last].message {
                count += 1;
            }
            if count > most {
                break;
            }
            lines.push(at);
            last = at;
        }
        lines
    }

    fn position(&self, uuid: Uuid) -> Option<usize> {
        self.index.position(EntryId::of_uuid(uuid)?)
    }

    /// The entry that one comes after, also before a compaction.
    fn parent(&self, at: usize) -> Option<usize> {
        let named = self.index.links()[at].parent;
        let named = named.and_then(|id| self.index.position(id));
        named.or_else(|| before(&self.index, at))
    }

    /// The entry that a branch goes on with.
    fn next(&self, at: usize) -> Option<usize> {
        let next = self.next.get_or_init(|| {
            let mut next: Vec<Option<usize>> = vec![None; self.index.links().len()];
            for child in 0..next.len() {
                let Some(parent) = self.parent(child) else {
                    continue;
                };
                let other = next[parent].filter(|other| self.reached[*other]);
                if other.is_none() || self.reached[child] {
                    next[parent] = Some(child);
                }
            }
            next
        });
        next[at]
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
