//! From the links to one conversation: the walk from the leaf to the root, with the lines put
//! back that such a walk misses.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::index::{Index, IndexStart};
use super::leaf::{Leaf, LeafRule, choose};
use super::link::{EntryId, Link};
use super::merging::calls_last;
use super::parents::{Linking, Parents};
use crate::record::EntryType;

/// A conversation: places of entries among the links, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain {
    pub entries: Vec<usize>,
    pub leaf: Option<Leaf>,
    /// Entries of this conversation that resuming does not load, because Claude Code reads only
    /// the first object of a line.
    pub unread: HashSet<usize>,
    /// Entries whose parent is missing, and that Claude Code joins to the entry before.
    pub bridged: HashSet<usize>,
    pub breaks: Breaks,
}

/// What damage has done to the way from the leaf to the root.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Breaks {
    /// Parents that are named and not there, without a replacement: what lies before them cannot
    /// be reached.
    pub gaps: usize,
    /// Missing parents that Claude Code replaces.
    pub joined: usize,
    /// Does the way to the root lead in a circle?
    pub has_circle: bool,
    /// Are messages missing that the last compaction preserved?
    pub lost_preserved: bool,
}

impl Chain {
    /// Builds the conversation that ends in the leaf that `rule` chooses. It has no entries if
    /// there is no such leaf.
    pub fn build(index: &Index, rule: LeafRule) -> Self {
        let linking = match rule {
            LeafRule::Resume | LeafRule::Entry(_) => Linking::Resume,
            LeafRule::Newest => Linking::Sdk,
        };
        let parents = Parents::new(index, linking);
        let chosen = choose(index, &parents, rule);
        chosen.map_or_else(Self::default, |(leaf, end)| {
            Self::walk(index, &parents, linking, leaf, end)
        })
    }

    /// The same conversation in an index of the whole file: its leaf is chosen among what resuming
    /// loads.
    #[must_use]
    pub fn in_whole(&self, index: &Index, whole: &Index) -> Self {
        let leaf = self.leaf.map(Leaf::position);
        let leaf = leaf.map(|at| LeafRule::Entry(index.links()[at].id));
        Self::build(whole, leaf.unwrap_or(LeafRule::Resume))
    }

    /// What was said up to an entry before a compaction, as it was linked then.
    pub fn before_compaction(index: &Index, last: EntryId) -> Self {
        let linking = Linking::Uncompacted;
        let parents = Parents::new(index, linking);
        index.position(last).map_or_else(Self::default, |end| {
            Self::walk(index, &parents, linking, Leaf::Given(end), end)
        })
    }

    fn walk(index: &Index, parents: &Parents, linking: Linking, leaf: Leaf, end: usize) -> Self {
        let links = index.links();
        let mut chain = Self {
            leaf: Some(leaf),
            ..Self::default()
        };
        let breaks = &mut chain.breaks;
        breaks.lost_preserved = parents.lost_preserved;
        let mut walked = Vec::new();
        let mut seen = HashSet::new();
        let mut at = Some(end);
        while let Some(here) = at.filter(|here| seen.insert(*here)) {
            let link = &links[here];
            // A compaction that does not count has no boundary and no summary to show.
            let is_dropped = parents.undone.is_some_and(|boundary| {
                here == boundary || (link.is_compact_summary && parents.of(here) == Some(boundary))
            });
            if !is_dropped {
                walked.push(here);
            }
            let replacement = || parents.replacement(index, here, |at| seen.contains(&at));
            at = parents.of(here).or_else(replacement);
            if parents.is_missing(here) {
                match at {
                    Some(_) => {
                        chain.bridged.insert(here);
                    }
                    // What was dropped on purpose, or not read, is no gap.
                    None => breaks.gaps += usize::from(index.start == IndexStart::File),
                }
            }
        }
        breaks.has_circle = at.is_some();
        breaks.joined = chain.bridged.len();
        walked.reverse();
        chain.entries = match linking {
            Linking::Sdk => with_siblings_of_sdk(index, parents, &walked),
            _ => calls_last(index, with_siblings(index, parents, &walked)),
        };
        if linking != Linking::Sdk {
            chain.put_unread(index, parents);
        }
        chain
    }

    /// Puts entries that Claude Code does not read after the ones that they hang on.
    fn put_unread(&mut self, index: &Index, parents: &Parents) {
        let links = index.links();
        let mut unread: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, link) in links.iter().enumerate().filter(|(_, link)| link.is_glued) {
            let parent = link.parent.and_then(|id| index.position(id));
            if let Some(parent) = parent
                && parents.is_absent(at)
                && !link.is_sidechain
            {
                unread.entry(parent).or_default().push(at);
            }
        }
        if unread.is_empty() {
            return;
        }
        let read = std::mem::take(&mut self.entries);
        let is_read: HashSet<usize> = read.iter().copied().collect();
        for at in read {
            let mut next = vec![at];
            while let Some(at) = next.pop() {
                self.entries.push(at);
                if !is_read.contains(&at) {
                    self.unread.insert(at);
                }
                let children = unread.remove(&at).unwrap_or_default();
                next.extend(children.into_iter().rev());
            }
        }
    }

    /// Is an entry in this conversation?
    pub fn has(&self, index: &Index, entry: EntryId) -> bool {
        let at = index.position(entry);
        at.is_some_and(|at| self.entries.contains(&at))
    }

    /// The entries of this conversation, oldest first.
    pub fn links<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = &'a Link> {
        self.entries.iter().map(|at| &index.links()[*at])
    }

    /// The entries that are messages of this conversation: what the SDK returns.
    pub fn messages<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = &'a Link> {
        self.links(index)
            .filter(|link| link.entry.is_message() || link.is_queued)
            .filter(|link| !link.is_meta || link.is_peer)
            .filter(|link| !link.is_sidechain && !link.is_team)
    }
}

/// The lines of one message and what followed from its calls. A walk along single parents misses
/// some: a message with several tool calls is written as lines that hang on each other, and each
/// result hangs on the line of its call.
#[derive(Default)]
struct MessageGroup {
    /// On the chain, in its order.
    lines: Vec<usize>,
    results: Vec<usize>,
    last: usize,
    /// Not on the chain, in the order of the file.
    missed_lines: Vec<usize>,
    missed_results: Vec<usize>,
    /// Has any of its calls a result? A note that hangs on a mere text is not put back.
    has_result: bool,
}

/// The groups of the messages on the chain. `follows` says which entries belong to what they hang
/// on.
fn groups(
    index: &Index,
    parents: &Parents,
    walked: &[usize],
    follows: impl Fn(usize) -> bool,
) -> HashMap<EntryId, MessageGroup> {
    let links = index.links();
    let mut groups: HashMap<EntryId, MessageGroup> = HashMap::new();
    // The message that each entry on the chain, or next to it, belongs to.
    let mut messages: HashMap<usize, EntryId> = HashMap::new();
    for &at in walked {
        let message = links[at].message.or_else(|| {
            let parent = parents.of(at).filter(|_| links[at].is_tool_result)?;
            messages.get(&parent).copied()
        });
        let Some(message) = message else {
            continue;
        };
        messages.insert(at, message);
        let group = groups.entry(message).or_default();
        group.last = at;
        if links[at].message.is_some() {
            group.lines.push(at);
        } else {
            group.results.push(at);
            group.has_result = true;
        }
    }
    let on_chain: HashSet<usize> = walked.iter().copied().collect();
    for (at, link) in links.iter().enumerate() {
        let is_foreign = link.is_sidechain && link.message.is_some();
        if on_chain.contains(&at) || is_foreign || parents.is_absent(at) {
            continue;
        }
        let of_parent = || {
            let parent = parents.of(at).filter(|_| follows(at))?;
            messages.get(&parent).copied()
        };
        let Some(message) = link.message.or_else(of_parent) else {
            continue;
        };
        if let Some(group) = groups.get_mut(&message) {
            messages.insert(at, message);
            if link.message.is_some() {
                group.missed_lines.push(at);
            } else {
                group.missed_results.push(at);
                group.has_result |= link.is_tool_result;
            }
        }
    }
    groups
}

/// As Claude Code does it: a line goes after the last line of its message that is before it in
/// the file, a result before the first result that is after it in the file.
fn with_siblings(index: &Index, parents: &Parents, walked: &[usize]) -> Vec<usize> {
    // The entries to insert before and after an entry of the chain.
    let mut before: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut after: HashMap<usize, Vec<usize>> = HashMap::new();
    let leads_on = leads_on(index, parents);
    // Notes of the program come along, unless the conversation went on from them.
    let follows = |at: usize| {
        let link = &index.links()[at];
        let is_note = link.is_meta || link.entry == EntryType::Attachment;
        link.is_tool_result || (is_note && !leads_on[at])
    };
    for group in groups(index, parents, walked, follows).values() {
        for &line in &group.missed_lines {
            let previous = group.lines.iter().rfind(|at| **at < line);
            if let Some(previous) = previous.or(group.lines.first()) {
                after.entry(*previous).or_default().push(line);
            }
        }
        for &result in group.missed_results.iter().filter(|_| group.has_result) {
            let later = group.results.iter().find(|at| **at > result);
            match later {
                Some(later) => before.entry(*later).or_default().push(result),
                None => after.entry(group.last).or_default().push(result),
            }
        }
    }
    let mut whole = Vec::with_capacity(walked.len());
    for at in walked {
        whole.extend(before.remove(at).unwrap_or_default());
        whole.push(*at);
        whole.extend(after.remove(at).unwrap_or_default());
    }
    whole
}

/// Which entries have a prompt or an answer below them.
fn leads_on(index: &Index, parents: &Parents) -> Vec<bool> {
    let links = index.links();
    let mut leads_on = vec![false; links.len()];
    for at in (0..links.len()).rev() {
        let link = &links[at];
        let is_prompt = link.entry == EntryType::User && !link.is_meta && !link.is_tool_result;
        let is_said = link.entry == EntryType::Assistant || is_prompt;
        if let Some(parent) = parents.of(at).filter(|_| is_said || leads_on[at]) {
            leads_on[parent] = true;
        }
    }
    leads_on
}

/// As the SDK does it: after the last line of the message on the chain, results by time.
fn with_siblings_of_sdk(index: &Index, parents: &Parents, walked: &[usize]) -> Vec<usize> {
    let links = index.links();
    let mut groups = groups(index, parents, walked, |at| {
        links[at].is_tool_result && !links[at].is_sidechain
    });
    let mut whole = Vec::with_capacity(walked.len());
    for &at in walked {
        whole.push(at);
        let Some(message) = links[at].message else {
            continue;
        };
        let is_last = |group: &&mut MessageGroup| group.lines.last() == Some(&at);
        if let Some(group) = groups.get_mut(&message).filter(is_last) {
            whole.append(&mut group.missed_lines);
            group.missed_results.sort_by_key(|at| links[*at].time);
            whole.append(&mut group.missed_results);
        }
    }
    whole
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
