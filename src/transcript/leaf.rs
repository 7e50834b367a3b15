//! Where a conversation ends: the leaf that resuming starts from, by Claude Code's own rules as
//! its behavior shows them, or by those of Anthropic's SDK.

use super::index::{Index, Pointer};
use super::link::{EntryId, Link};
use super::parents::Parents;
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

/// An end of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tip {
    /// Where the walk to the root begins: no entry of the conversation hangs on this one.
    pub end: usize,
    /// The last entry at or before the end that is more than a remark of the program.
    pub leaf: usize,
}

/// The leaf that the rule chooses, and the entry that the walk to the root begins at.
pub fn choose(index: &Index, parents: &Parents, rule: LeafRule) -> Option<(Leaf, usize)> {
    let links = index.links();
    // In a circle every entry has a child.
    let last_entry = || {
        let at = links.iter().rposition(can_be_leaf)?;
        Some((Leaf::Last(at), at))
    };
    match rule {
        LeafRule::Entry(id) => index.position(id).map(|at| (Leaf::Given(at), at)),
        LeafRule::Newest => {
            let at = leaf_of_sdk(index, parents)?;
            Some((Leaf::Last(at), with_remarks(index, parents, at)))
        }
        LeafRule::Resume => {
            let tips = tips(index, parents);
            let pointed = index
                .pointer
                .and_then(|pointer| pointed(index, parents, pointer, &tips));
            let last = || tips.last().map(|tip| (Leaf::Last(tip.leaf), tip.end));
            pointed.or_else(last).or_else(last_entry)
        }
    }
}

/// The ends of all branches, in the order of their lines in the file. A branch without a
/// message has none.
pub fn tips(index: &Index, parents: &Parents) -> Vec<Tip> {
    let links = index.links();
    let is_own = |at: usize| {
        !links[at].is_sidechain && links[at].entry != EntryType::Progress && !parents.is_absent(at)
    };
    let mut has_child = vec![false; links.len()];
    for at in (0..links.len()).filter(|at| is_own(*at)) {
        let Some(parent) = parents.of(at) else {
            continue;
        };
        // A parent that was written again after its child, and later, is an end itself.
        let (upper, lower) = (&links[parent], &links[at]);
        let is_rewritten = upper.offset > lower.offset && upper.time > lower.time;
        if !is_rewritten || parents.is_moved(at) {
            has_child[parent] = true;
        }
    }
    let leaves = parents
        .lineage
        .nearest(|at| can_be_leaf(&links[at]).then_some(at));
    let is_said = |link: &Link| link.entry.is_message() && !link.is_sidechain;
    let said = parents
        .lineage
        .nearest(|at| is_said(&links[at]).then_some(()));
    let orphans = parents
        .lineage
        .nearest(|at| parents.is_missing(at).then_some(at));
    let mut tips = Vec::new();
    for end in (0..links.len()).filter(|at| is_own(*at) && !has_child[*at]) {
        let from = match (said[end], orphans[end]) {
            (Some(()), _) => Some(end),
            (None, Some(orphan)) => parents
                .replacement(index, orphan, |_| false)
                .filter(|at| said[*at].is_some()),
            (None, None) => None,
        };
        let leaf = leaves[end].or_else(|| leaves[from?]);
        if let (Some(_), Some(leaf)) = (from, leaf) {
            tips.push(Tip { end, leaf });
        }
    }
    tips.sort_by_key(|tip| links[tip.end].offset);
    tips
}

/// The end that Claude Code's own pointer leads to.
fn pointed(
    index: &Index,
    parents: &Parents,
    pointer: Pointer,
    tips: &[Tip],
) -> Option<(Leaf, usize)> {
    let links = index.links();
    let target = index.position(pointer.leaf?)?;
    let link = &links[target];
    if link.entry == EntryType::Progress || link.is_sidechain || parents.is_absent(target) {
        return None;
    }
    let is_outdated = index
        .last_boundary
        .is_some_and(|boundary| target < boundary && pointer.offset < links[boundary].offset);
    if is_outdated {
        return None;
    }
    let below = parents.lineage.nearest(|at| (at == target).then_some(()));
    let is_below = |tip: &&Tip| below[tip.end].is_some();
    // After a rewind exactly the target is meant, until the last thing in the file is below it.
    let is_newer = |tip: &&Tip| !pointer.explicit || links[tip.end].offset > pointer.offset;
    let later = tips.last().filter(is_below).filter(is_newer);
    if let Some(tip) = later {
        return Some((Leaf::Pointer(tip.leaf), tip.end));
    }
    let leaf = parents
        .lineage
        .nearest(|at| can_be_leaf(&links[at]).then_some(at))[target]?;
    Some((Leaf::Pointer(leaf), with_remarks(index, parents, target)))
}

/// Can a conversation end in this entry?
fn can_be_leaf(link: &Link) -> bool {
    let kind = matches!(
        link.entry,
        EntryType::User | EntryType::Assistant | EntryType::Attachment
    );
    kind && !link.is_sidechain
}

/// The last leaf as the SDK sees it: that of the branch whose end is the last in the file, system
/// lines included. A branch that ends in a system line has its leaf at the last ancestor that belongs
/// to the conversation. Ends of sub-agents and teams count where there is no other, by their leaves.
fn leaf_of_sdk(index: &Index, parents: &Parents) -> Option<usize> {
    let links = index.links();
    let is_progress = |at: usize| links[at].entry == EntryType::Progress;
    let mut has_child = vec![false; links.len()];
    for at in (0..links.len()).filter(|at| !is_progress(*at)) {
        if let Some(parent) = parents.of(at) {
            has_child[parent] = true;
        }
    }
    let is_own = |at: usize| !links[at].is_sidechain && !links[at].is_team;
    let is_leaf = |at: usize| can_be_leaf(&links[at]) && !links[at].is_team;
    let leaves = parents.lineage.nearest(|at| is_leaf(at).then_some(at));
    let is_said = |at: usize| is_leaf(at) && links[at].entry.is_message();
    let said = parents.lineage.nearest(|at| is_said(at).then_some(()));
    let counts = |end: &usize| !has_child[*end] && !is_progress(*end) && said[*end].is_some();
    let ends = (0..links.len()).filter(counts);
    let order = |end: &usize| {
        let is_own = is_own(*end);
        (is_own, if is_own { Some(*end) } else { leaves[*end] })
    };
    leaves[ends.max_by_key(order)?]
}

/// The last of the system lines that hang below an entry, one on the other: remarks on the whole,
/// such as a summary for someone who was away.
fn with_remarks(index: &Index, parents: &Parents, leaf: usize) -> usize {
    let mut last = leaf;
    for (at, link) in index.links().iter().enumerate().skip(leaf + 1) {
        if link.entry == EntryType::System && parents.of(at) == Some(last) {
            last = at;
        }
    }
    last
}
