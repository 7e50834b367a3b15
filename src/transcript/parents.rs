//! The parent of each entry: as the file states it, as a compaction moved it, or, where the file
//! lacks it, as Claude Code replaces it.
//!
//! Parents are resolved when all entries are known, because a parent may be written after its
//! child. Progress lines are bridged over. Claude Code and Anthropic's SDK differ in what they do
//! about damage; `Linking` says whose rules apply.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::compaction::{Preservation, preservation};
use super::index::{Index, IndexStart};
use super::link::{Boundary, Link};
use crate::record::EntryType;

/// Milliseconds between an entry whose parent is missing and the one that Claude Code joins it to.
/// Measured with version 2.1.325: 5,000 are joined, 5,001 are not.
const LONGEST_BRIDGE: i64 = 5_000;

/// How many entries are looked at for one missing parent: in a file of orphans with one time, all
/// of them would be.
const MOST_CANDIDATES: usize = 4_096;

/// Times and places of entries of the conversation, and of those of sub-agents.
type Candidates = [Vec<(i64, Reverse<usize>)>; 2];

/// Whose rules link the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// Those of `claude --resume`.
    Resume,
    /// Those of Anthropic's SDK.
    Sdk,
    /// Those of `claude --resume`, and nothing that it drops is dropped.
    Whole,
    /// Those of `claude --resume`, as if no compaction had preserved messages.
    Uncompacted,
}

/// What an entry hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    Entry(usize),
    Root,
    /// A parent is named and not there.
    Missing,
}

#[derive(Debug)]
pub struct Parents {
    of: Vec<Parent>,
    /// Entries that are in the file and that resuming does not load.
    absent: Vec<bool>,
    /// What may replace missing parents; empty where nothing does.
    candidates: Candidates,
    /// Entries that a compaction hung elsewhere than where they were written.
    moved: HashSet<usize>,
    pub lineage: Lineage,
    /// A boundary whose compaction does not count.
    pub undone: Option<usize>,
    /// Does the last compaction name messages to preserve that are not all there?
    pub lost_preserved: bool,
}

impl Parents {
    pub fn new(index: &Index, linking: Linking) -> Self {
        let links = index.links();
        let mut parents = Self {
            of: Vec::new(),
            absent: match linking {
                Linking::Resume | Linking::Uncompacted => {
                    links.iter().map(|link| link.is_glued).collect()
                }
                Linking::Sdk | Linking::Whole => vec![false; links.len()],
            },
            candidates: Candidates::default(),
            moved: HashSet::new(),
            lineage: Lineage::default(),
            undone: None,
            lost_preserved: false,
        };
        parents.of = parents.resolved(index);
        if linking != Linking::Uncompacted {
            parents.relink(index, linking);
        }
        // Where only a part of the file was read, a missing parent may lie before it.
        if linking != Linking::Sdk && index.start != IndexStart::Window {
            parents.candidates = parents.candidates(index);
        }
        parents.lineage = Lineage::new(index.links().len(), |at, _| parents.of(at));
        parents
    }

    /// The parent in the tree of the file.
    pub fn of(&self, at: usize) -> Option<usize> {
        match self.of[at] {
            Parent::Entry(parent) => Some(parent),
            Parent::Root | Parent::Missing => None,
        }
    }

    /// What Claude Code puts in the place of a missing parent: the entry with the latest time that
    /// is not after the orphan's, if it is close enough. Of several with one time it is the first
    /// in the file. Entries that were `passed` on the way are not taken.
    pub fn replacement(
        &self,
        index: &Index,
        orphan: usize,
        passed: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if !self.is_missing(orphan) {
            return None;
        }
        let link = &index.links()[orphan];
        let latest = link.time?;
        let branch = &self.candidates[usize::from(link.is_sidechain)];
        let end = branch.partition_point(|(time, _)| *time <= latest);
        let earlier = branch[..end].iter().rev().take(MOST_CANDIDATES);
        earlier
            .take_while(|(time, _)| latest.saturating_sub(*time) <= LONGEST_BRIDGE)
            .map(|(_, Reverse(at))| *at)
            .find(|at| *at != orphan && !passed(*at))
    }

    /// Is the parent of this entry, or of the progress lines before it, named and not there?
    pub fn is_missing(&self, at: usize) -> bool {
        self.of[at] == Parent::Missing
    }

    /// Is the entry in the file, and not loaded when the session is resumed?
    pub fn is_absent(&self, at: usize) -> bool {
        self.absent[at]
    }

    fn resolved(&self, index: &Index) -> Vec<Parent> {
        let links = index.links();
        let named = |link: &Link| match link.parent {
            None => Parent::Root,
            Some(id) => match index.position(id) {
                Some(at) if !self.absent[at] => Parent::Entry(at),
                _ => Parent::Missing,
            },
        };
        // What each progress line leads to, found once: there may be chains of thousands.
        let mut known: Vec<Option<Parent>> = vec![None; links.len()];
        let mut resolved = Vec::with_capacity(links.len());
        for link in links {
            let mut found = named(link);
            let mut crossed = Vec::new();
            while let Parent::Entry(at) = found
                && links[at].entry == EntryType::Progress
            {
                if let Some(known) = known[at] {
                    found = known;
                    break;
                }
                // A circle of progress lines leads nowhere.
                known[at] = Some(Parent::Root);
                crossed.push(at);
                found = named(&links[at]);
            }
            for at in crossed {
                known[at] = Some(found);
            }
            resolved.push(found);
        }
        resolved
    }

    /// Does what the last compaction says about messages from before it.
    fn relink(&mut self, index: &Index, linking: Linking) {
        let mut kept = Vec::new();
        match (preservation(index, self, linking), linking) {
            (Preservation::None, _) => {}
            (Preservation::Kept { anchor, messages }, _) => {
                self.splice(anchor, &messages);
                kept = messages;
            }
            (Preservation::Broken { boundary, before }, Linking::Sdk) => {
                self.of[boundary] = before.map_or(Parent::Missing, Parent::Entry);
                self.undone = Some(boundary);
                return;
            }
            (Preservation::Broken { .. }, _) => {
                self.lost_preserved = true;
                return;
            }
        }
        if linking == Linking::Resume {
            self.prune(index, &kept);
        }
    }

    /// Hangs the messages on the anchor, and what hung there on the last of them.
    fn splice(&mut self, anchor: usize, messages: &[usize]) {
        let (Some(&head), Some(&tail)) = (messages.first(), messages.last()) else {
            return;
        };
        let inside: HashSet<usize> = messages.iter().copied().collect();
        if inside.contains(&anchor) {
            return;
        }
        for child in 0..self.of.len() {
            if self.of(child) == Some(anchor) && !inside.contains(&child) {
                self.hang(child, tail);
            }
        }
        self.hang(head, anchor);
        for pair in messages.windows(2) {
            self.hang(pair[1], pair[0]);
        }
    }

    fn hang(&mut self, child: usize, parent: usize) {
        self.of[child] = Parent::Entry(parent);
        self.moved.insert(child);
    }

    /// Does an entry hang where it was written?
    pub fn is_moved(&self, at: usize) -> bool {
        self.moved.contains(&at)
    }

    /// In a file where any compaction preserved messages, Claude Code drops what lies before the
    /// last boundary, except for what that one preserves. What hung on something that is dropped
    /// hangs on the last message that is kept.
    fn prune(&mut self, index: &Index, kept: &[usize]) {
        let preserves = |link: &Link| {
            let boundary = link.boundary.as_deref();
            !link.is_sidechain && boundary.is_some_and(Boundary::has_preserved)
        };
        let Some(boundary) = index.last_boundary else {
            return;
        };
        if !index.links().iter().any(preserves) {
            return;
        }
        let inside: HashSet<usize> = kept.iter().copied().collect();
        for at in (0..boundary).filter(|at| !inside.contains(at)) {
            self.absent[at] = true;
        }
        for at in 0..self.of.len() {
            let is_cut = self.of(at).is_some_and(|parent| self.absent[parent]);
            match kept.last() {
                Some(tail) if is_cut && !self.absent[at] => self.hang(at, *tail),
                None if is_cut => self.of[at] = Parent::Missing,
                _ => {}
            }
        }
    }

    /// The entries that may replace a missing parent, by time.
    fn candidates(&self, index: &Index) -> Candidates {
        let mut candidates = Candidates::default();
        for (at, link) in index.links().iter().enumerate() {
            let counts = link.entry != EntryType::Progress && !self.absent[at];
            if let Some(time) = link.time.filter(|_| counts) {
                let branch = &mut candidates[usize::from(link.is_sidechain)];
                branch.push((time, Reverse(at)));
            }
        }
        for branch in &mut candidates {
            branch.sort_unstable();
        }
        candidates
    }
}

/// What each entry hangs on, and the entries in an order in which each follows that.
#[derive(Debug, Default)]
pub struct Lineage {
    pub order: Vec<usize>,
    /// Nothing where a circle closes: it is cut there.
    pub parent_of: Vec<Option<usize>>,
}

impl Lineage {
    /// `parent` gets an entry, and which entries were passed on the way to it.
    pub fn new(
        count: usize,
        parent: impl Fn(usize, &dyn Fn(usize) -> bool) -> Option<usize>,
    ) -> Self {
        let mut order = Vec::with_capacity(count);
        let mut parent_of = vec![None; count];
        let mut seen = vec![false; count];
        let mut done = vec![false; count];
        for start in 0..count {
            let mut way = Vec::new();
            let mut at = Some(start);
            while let Some(here) = at.filter(|here| !std::mem::replace(&mut seen[*here], true)) {
                way.push(here);
                at = parent(here, &|at| seen[at] && !done[at]);
                parent_of[here] = at;
            }
            if let (Some(last), Some(met)) = (way.last(), at)
                && !done[met]
            {
                parent_of[*last] = None;
            }
            for here in way.into_iter().rev() {
                done[here] = true;
                order.push(here);
            }
        }
        Self { order, parent_of }
    }

    /// A value for each entry, made of the value of the entry that it hangs on.
    pub fn inherit<T: Copy>(&self, root: T, of: impl Fn(usize, T) -> T) -> Vec<T> {
        let mut values = vec![root; self.parent_of.len()];
        for &at in &self.order {
            values[at] = of(at, self.parent_of[at].map_or(root, |parent| values[parent]));
        }
        values
    }

    /// For each entry the value of the nearest one that has one: itself, or what it hangs on.
    pub fn nearest<T: Copy>(&self, own: impl Fn(usize) -> Option<T>) -> Vec<Option<T>> {
        self.inherit(None, |at, inherited| own(at).or(inherited))
    }
}
