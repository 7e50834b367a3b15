//! Where the messages of a transcript are: on the branch that resuming loads, or off it, and what
//! is around them there.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use serde::Serialize;
use uuid::Uuid;

use super::chain::Chain;
use super::compaction::before;
use super::index::{Index, IndexStart};
use super::leaf::{Leaf, LeafRule};
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

/// A transcript, and which of its entries resuming reaches.
#[derive(Debug)]
pub struct Standings {
    index: Index,
    /// The conversation that resuming loads, in its order.
    resumed: Vec<usize>,
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
            // The leaf is chosen among what resuming loads; the rest is needed all the same.
            let leaf = chain
                .leaf
                .map(|leaf| index.links()[Leaf::position(leaf)].id);
            index = load(path, LoadExtent::Everything)?;
            if is_agent {
                index = index.of_subagent();
            }
            let rule = leaf.map_or(LeafRule::Resume, LeafRule::Entry);
            chain = Chain::build(&index, rule);
        }
        let reached = Tree::new(&index, &chain).reached();
        Ok(Self {
            index,
            resumed: chain.entries,
            reached,
            is_agent,
        })
    }

    pub fn of(&self, uuid: Uuid) -> Option<Standing> {
        let at = self.position(uuid)?;
        Some(if self.is_agent || self.index.links()[at].is_sidechain {
            Standing::Agent
        } else if self.resumed.contains(&at) {
            Standing::Resumed
        } else if self.reached[at] {
            Standing::BeforeCompaction
        } else {
            Standing::Rewound
        })
    }

    /// The lines of a message and of up to `context` messages before and after it, on the branch
    /// that it is on. Of several ways to go on, the one that resuming reaches is taken, else the
    /// newest. Empty if there is no such entry.
    pub fn around(&self, uuid: Uuid, context: usize) -> Vec<&Link> {
        let Some(target) = self.position(uuid) else {
            return Vec::new();
        };
        let way = if self.resumed.contains(&target) {
            self.resumed.clone()
        } else {
            self.way_through(target)
        };
        let links = self.index.links();
        // Lines of one message count as one.
        let mut messages: Vec<Vec<usize>> = Vec::new();
        for at in way {
            let link = &links[at];
            let counts = link.entry.is_message() || link.is_queued || at == target;
            let is_meta = link.is_meta && !link.is_peer;
            if !counts || (is_meta && at != target) {
                continue;
            }
            match messages.last_mut() {
                Some(last) if link.message.is_some() && links[last[0]].message == link.message => {
                    last.push(at);
                }
                _ => messages.push(vec![at]),
            }
        }
        let here = messages.iter().position(|lines| lines.contains(&target));
        let here = here.unwrap_or_default();
        let end = here.saturating_add(context).saturating_add(1);
        let shown = &messages[here.saturating_sub(context)..end.min(messages.len())];
        shown.iter().flatten().map(|at| &links[*at]).collect()
    }

    fn position(&self, uuid: Uuid) -> Option<usize> {
        self.index.position(EntryId::of_uuid(uuid)?)
    }

    /// From the root through an entry to a leaf.
    fn way_through(&self, target: usize) -> Vec<usize> {
        let index = &self.index;
        let links = index.links();
        let parent = |at: usize| {
            let named = links[at].parent.and_then(|id| index.position(id));
            named.or_else(|| before(index, at))
        };
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        for at in 0..links.len() {
            if let Some(parent) = parent(at) {
                children.entry(parent).or_default().push(at);
            }
        }
        let mut seen = HashSet::from([target]);
        let mut way = Vec::new();
        let mut at = parent(target);
        while let Some(here) = at.filter(|here| seen.insert(*here)) {
            way.push(here);
            at = parent(here);
        }
        way.reverse();
        way.push(target);
        let mut here = target;
        while let Some(next) = children.get(&here) {
            let next = next.iter().filter(|at| seen.insert(**at));
            let Some(&next) = next.max_by_key(|at| (self.reached[**at], **at)) else {
                break;
            };
            way.push(next);
            here = next;
        }
        way
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
