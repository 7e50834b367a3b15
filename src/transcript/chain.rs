//! From the links to one conversation: the leaf, the walk to the root, the siblings put back.

use std::collections::{HashMap, HashSet};

use super::compaction::relink;
use super::index::Index;
use super::link::{EntryId, Link};
use crate::record::EntryType;

/// Which leaf to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafRule {
    /// What `claude --resume` takes: the leaf that it wrote down, if that still makes sense.
    Resume,
    /// What Anthropic's SDK takes: the last leaf in the file.
    Newest,
    /// This entry.
    Entry(EntryId),
}

/// How a leaf was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// By what Claude Code wrote down.
    Pointer(usize),
    /// The last one in the file.
    Last(usize),
    /// As asked for.
    Given(usize),
}

impl Leaf {
    pub fn position(self) -> usize {
        match self {
            Self::Pointer(at) | Self::Last(at) | Self::Given(at) => at,
        }
    }
}

/// A conversation: places of entries among the links, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain {
    pub entries: Vec<usize>,
    pub leaf: Option<Leaf>,
    /// Parents that are named and not there: what lies before them cannot be reached.
    pub gaps: usize,
    /// Does the way to the root lead in a circle?
    pub has_circle: bool,
}

impl Chain {
    /// Builds the conversation that ends in the leaf that `rule` chooses. It has no entries if
    /// there is no such leaf.
    pub fn build(index: &Index, rule: LeafRule) -> Self {
        let parents = Parents::relinked(index);
        let Some(leaf) = choose(index, &parents, rule) else {
            return Self::default();
        };
        let (walked, gaps, has_circle) = walk(index, &parents, leaf.position());
        let mut entries = with_siblings(index, &parents, &walked);
        if !matches!(leaf, Leaf::Given(_)) {
            let known: HashSet<usize> = entries.iter().copied().collect();
            let remarks = remarks_below(index, &parents, leaf.position());
            entries.extend(remarks.into_iter().filter(|at| !known.contains(at)));
        }
        Self {
            entries,
            leaf: Some(leaf),
            gaps,
            has_circle,
        }
    }

    /// What was said up to an entry before a compaction, as it was linked then.
    pub fn before_compaction(index: &Index, last: EntryId) -> Self {
        let parents = Parents::resolved(index);
        let Some(leaf) = index.position(last) else {
            return Self::default();
        };
        let (walked, gaps, has_circle) = walk(index, &parents, leaf);
        Self {
            entries: with_siblings(index, &parents, &walked),
            leaf: Some(Leaf::Given(leaf)),
            gaps,
            has_circle,
        }
    }

    /// The entries of this conversation, oldest first.
    pub fn links<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = &'a Link> {
        self.entries.iter().map(|at| &index.links()[*at])
    }

    /// The entries that are messages of this conversation: what the SDK returns.
    pub fn messages<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = &'a Link> {
        self.entries
            .iter()
            .map(|at| &index.links()[*at])
            .filter(|link| link.entry.is_message() || link.is_queued)
            .filter(|link| !link.is_meta && !link.is_sidechain && !link.is_team)
    }
}

/// The parent of each entry by its place, with progress lines bridged over.
#[derive(Debug)]
pub struct Parents {
    of: Vec<Option<usize>>,
    /// Entries above which a parent is named and not there.
    cut_off: Vec<bool>,
    /// A boundary whose compaction does not count.
    undone: Option<usize>,
}

impl Parents {
    /// The parents that resuming goes by: preserved messages hang where the last compaction
    /// left them.
    pub fn relinked(index: &Index) -> Self {
        let mut parents = Self::resolved(index);
        relink(index, &mut parents);
        parents
    }

    /// The parents as they are written. Links are resolved only now that all are known: a parent
    /// may be written after its child.
    pub fn resolved(index: &Index) -> Self {
        let links = index.links();
        let mut parents = Self {
            of: Vec::with_capacity(links.len()),
            cut_off: Vec::with_capacity(links.len()),
            undone: None,
        };
        let above = |link: &Link| match link.parent {
            None => Above::Nothing,
            Some(id) => index.position(id).map_or(Above::Missing, Above::Entry),
        };
        // What each progress line leads to, found once: there may be chains of thousands.
        let mut bridges: Vec<Option<Above>> = vec![None; links.len()];
        for link in links {
            let mut found = above(link);
            let mut crossed = Vec::new();
            while let Above::Entry(at) = found
                && links[at].entry == EntryType::Progress
            {
                if let Some(known) = bridges[at] {
                    found = known;
                    break;
                }
                // A circle of progress lines leads nowhere.
                bridges[at] = Some(Above::Nothing);
                crossed.push(at);
                found = above(&links[at]);
            }
            for at in crossed {
                bridges[at] = Some(found);
            }
            parents.cut_off.push(found == Above::Missing);
            parents.of.push(match found {
                Above::Entry(at) => Some(at),
                Above::Nothing | Above::Missing => None,
            });
        }
        parents
    }

    /// Is the parent of this entry, or of the progress lines above it, named and not there?
    pub fn is_cut_off(&self, at: usize) -> bool {
        self.cut_off[at]
    }

    pub fn of(&self, at: usize) -> Option<usize> {
        self.of[at]
    }

    /// Makes nothing of the compaction at a boundary: the conversation goes on from the entry
    /// before it. If that is not there, it is cut off, as when Claude Code resumes it.
    pub fn undo(&mut self, boundary: usize, before: Option<usize>) {
        self.of[boundary] = before;
        self.cut_off[boundary] = before.is_none();
        self.undone = Some(boundary);
    }

    pub fn set(&mut self, at: usize, parent: Option<usize>) {
        self.of[at] = parent;
    }

    pub fn len(&self) -> usize {
        self.of.len()
    }
}

/// What an entry hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    Entry(usize),
    /// It is a root.
    Nothing,
    /// A parent is named and not there.
    Missing,
}

fn choose(index: &Index, parents: &Parents, rule: LeafRule) -> Option<Leaf> {
    match rule {
        LeafRule::Entry(id) => index.position(id).map(Leaf::Given),
        LeafRule::Newest => last_leaf(index, parents, |_| true).map(Leaf::Last),
        LeafRule::Resume => pointed(index, parents)
            .map(Leaf::Pointer)
            .or_else(|| last_leaf(index, parents, |_| true).map(Leaf::Last))
            // In a circle every entry has a child.
            .or_else(|| index.links().iter().rposition(can_be_leaf).map(Leaf::Last)),
    }
}

/// The leaf that Claude Code's own pointer leads to.
fn pointed(index: &Index, parents: &Parents) -> Option<usize> {
    let links = index.links();
    let pointer = index.pointer?;
    let target = index.position(pointer.leaf?)?;
    let from_before = index
        .last_boundary
        .is_some_and(|boundary| target < boundary);
    if from_before {
        return None;
    }
    let below = descendants(parents, target);
    let newest = last_leaf(index, parents, |at| below[at]);
    let own_message = |link: &Link| link.entry.is_message() && !link.is_sidechain && !link.is_team;
    let last_message = links.iter().rposition(own_message);
    let goes_on = last_message.is_some_and(|at| at != target && below[at]);
    // After a rewind exactly this entry is meant, until something new is said below it.
    if pointer.explicit && !goes_on && can_be_leaf(&links[target]) {
        return Some(target);
    }
    newest
}

/// Can a conversation end in this entry?
fn can_be_leaf(link: &Link) -> bool {
    let kind = matches!(
        link.entry,
        EntryType::User | EntryType::Assistant | EntryType::Attachment
    );
    kind && !link.is_sidechain && !link.is_team
}

/// Which entries lie at or below `top`.
fn descendants(parents: &Parents, top: usize) -> Vec<bool> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for at in 0..parents.len() {
        if let Some(parent) = parents.of(at) {
            children[parent].push(at);
        }
    }
    let mut below = vec![false; parents.len()];
    let mut open = vec![top];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut below[at], true) {
            open.extend(&children[at]);
        }
    }
    below
}

/// The last leaf in the file among those that `counts`.
fn last_leaf(index: &Index, parents: &Parents, counts: impl Fn(usize) -> bool) -> Option<usize> {
    leaves(index, parents).into_iter().rfind(|at| counts(*at))
}

/// The leaves in the order of the file. A branch that ends in a system line, or in one of a
/// sub-agent's, has its leaf at the last entry above that belongs to the conversation.
pub fn leaves(index: &Index, parents: &Parents) -> Vec<usize> {
    let links = index.links();
    let mut has_child = vec![false; links.len()];
    for (at, link) in links.iter().enumerate() {
        if link.entry != EntryType::Progress
            && let Some(parent) = parents.of(at)
        {
            has_child[parent] = true;
        }
    }
    // Branches share their upper part: what one of them has looked at need not be looked at again.
    let mut seen = vec![false; links.len()];
    let mut leaves = Vec::new();
    let ends = |at: &usize| !has_child[*at] && links[*at].entry != EntryType::Progress;
    for terminal in (0..links.len()).filter(ends) {
        let mut at = Some(terminal);
        while let Some(here) = at {
            if std::mem::replace(&mut seen[here], true) {
                break;
            }
            if can_be_leaf(&links[here]) {
                leaves.push(here);
                break;
            }
            at = parents.of(here);
        }
    }
    leaves.sort_unstable();
    leaves
}

/// The way from the leaf to the root, oldest first, the gaps in it, and whether it is a circle.
fn walk(index: &Index, parents: &Parents, leaf: usize) -> (Vec<usize>, usize, bool) {
    let links = index.links();
    let mut walked = Vec::new();
    let mut seen = HashSet::new();
    let mut gaps = 0;
    let mut at = Some(leaf);
    while let Some(here) = at.filter(|here| seen.insert(*here)) {
        let link = &links[here];
        // A compaction that does not count has no boundary and no summary to show.
        let is_dropped = parents.undone.is_some_and(|boundary| {
            here == boundary || (link.is_compact_summary && parents.of(here) == Some(boundary))
        });
        if !is_dropped {
            walked.push(here);
        }
        at = parents.of(here);
        // In a large file what lies before a compaction was dropped on purpose.
        if at.is_none() && parents.is_cut_off(here) && !index.dropped_before {
            gaps += 1;
        }
    }
    walked.reverse();
    (walked, gaps, at.is_some())
}

/// System lines that hang below the last message, one on the other: remarks on the whole, such as
/// a summary for someone who was away. No conversation ends in one.
fn remarks_below(index: &Index, parents: &Parents, leaf: usize) -> Vec<usize> {
    let links = index.links();
    let mut remarks = Vec::new();
    let mut last = leaf;
    for (at, link) in links.iter().enumerate().skip(leaf + 1) {
        if link.entry == EntryType::System && parents.of(at) == Some(last) {
            remarks.push(at);
            last = at;
        }
    }
    remarks
}

/// Puts back what a walk along single parents misses: a message with several tool calls is
/// written as lines that hang on each other, and each result hangs on its own line.
fn with_siblings(index: &Index, parents: &Parents, walked: &[usize]) -> Vec<usize> {
    let links = index.links();
    let on_chain: HashSet<usize> = walked.iter().copied().collect();
    let mut last_on_chain: HashMap<EntryId, usize> = HashMap::new();
    for &at in walked {
        if let Some(message) = links[at].message {
            last_on_chain.insert(message, at);
        }
    }
    // Lines of those messages, and results that hang on one of them, that are not on the chain.
    let mut siblings: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut results: HashMap<usize, Vec<usize>> = HashMap::new();
    let message_of = |at: usize| links[at].message.filter(|m| last_on_chain.contains_key(m));
    for (at, link) in links.iter().enumerate() {
        if on_chain.contains(&at) || link.is_sidechain {
            continue;
        }
        if let Some(message) = message_of(at) {
            siblings
                .entry(last_on_chain[&message])
                .or_default()
                .push(at);
        } else if link.is_tool_result
            && let Some(message) = parents.of(at).and_then(message_of)
        {
            results.entry(last_on_chain[&message]).or_default().push(at);
        }
    }
    let mut whole = Vec::with_capacity(walked.len());
    for &at in walked {
        whole.push(at);
        whole.extend(siblings.remove(&at).unwrap_or_default());
        let mut answers = results.remove(&at).unwrap_or_default();
        answers.sort_by_key(|at| links[*at].time);
        whole.extend(answers);
    }
    whole
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
