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
}

impl Chain {
    /// Builds the conversation that ends in the leaf that `rule` chooses. It has no entries if
    /// there is no such leaf.
    pub fn build(index: &Index, rule: LeafRule) -> Self {
        let mut parents = Parents::resolve(index);
        relink(index, &mut parents);
        let Some(leaf) = choose(index, &parents, rule) else {
            return Self::default();
        };
        let (walked, gaps) = walk(index, &parents, leaf.position());
        Self {
            entries: with_siblings(index, &parents, &walked),
            leaf: Some(leaf),
            gaps,
        }
    }

    /// The entries that are messages of this conversation: what the SDK returns.
    pub fn messages<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = &'a Link> {
        self.entries
            .iter()
            .map(|at| &index.links()[*at])
            .filter(|link| link.entry.is_message())
            .filter(|link| !link.is_meta && !link.is_sidechain && !link.is_team)
    }
}

/// The parent of each entry by its place, with progress lines bridged over.
#[derive(Debug)]
pub struct Parents {
    parents: Vec<Option<usize>>,
    /// A boundary whose compaction does not count.
    pub undone: Option<usize>,
}

impl Parents {
    /// Links are resolved only now that all are known: a parent may be written after its child.
    fn resolve(index: &Index) -> Self {
        let links = index.links();
        let direct = |link: &Link| link.parent.and_then(|id| index.position(id));
        let bridged = |link: &Link| {
            let mut at = direct(link);
            // A circle of progress lines leads nowhere.
            for _ in 0..links.len() {
                match at {
                    Some(parent) if links[parent].entry == EntryType::Progress => {
                        at = direct(&links[parent]);
                    }
                    found => return found,
                }
            }
            None
        };
        Self {
            parents: links.iter().map(bridged).collect(),
            undone: None,
        }
    }

    pub fn of(&self, at: usize) -> Option<usize> {
        self.parents[at]
    }

    pub fn set(&mut self, at: usize, parent: Option<usize>) {
        self.parents[at] = parent;
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }
}

fn choose(index: &Index, parents: &Parents, rule: LeafRule) -> Option<Leaf> {
    match rule {
        LeafRule::Entry(id) => index.position(id).map(Leaf::Given),
        LeafRule::Newest => last_leaf(index, parents, |_| true).map(Leaf::Last),
        LeafRule::Resume => pointed(index, parents)
            .map(Leaf::Pointer)
            .or_else(|| last_leaf(index, parents, |_| true).map(Leaf::Last)),
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
    let last_message = links.iter().rposition(|link| link.entry.is_message());
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

/// The last leaf in the file among those that `counts`. A branch that ends in a system line, or
/// in one of a sub-agent's, has its leaf at the last entry above that belongs to the conversation.
fn last_leaf(index: &Index, parents: &Parents, counts: impl Fn(usize) -> bool) -> Option<usize> {
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
    let mut last = None;
    for terminal in (0..links.len()).filter(|at| !has_child[*at]) {
        let mut at = Some(terminal);
        while let Some(here) = at {
            if std::mem::replace(&mut seen[here], true) {
                break;
            }
            if can_be_leaf(&links[here]) {
                if counts(here) {
                    last = last.max(Some(here));
                }
                break;
            }
            at = parents.of(here);
        }
    }
    last
}

/// The way from the leaf to the root, oldest first, and the gaps in it.
fn walk(index: &Index, parents: &Parents, leaf: usize) -> (Vec<usize>, usize) {
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
        if at.is_none() && link.parent.is_some() && !index.dropped_before {
            gaps += 1;
        }
    }
    walked.reverse();
    (walked, gaps)
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
