//! Every branch of a transcript: rewinding leaves the old end of a conversation in the file, and
//! no flag marks it.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Seek};

use serde::Serialize;

use super::asked::{AskedPrompt, asked, is_prompt};
use super::chain::Chain;
use super::compaction::before;
use super::entry::read_entry;
use super::index::{Index, IndexStart};
use super::leaf::{Leaf, LeafRule, tips};
use super::link::EntryId;
use super::parents::{Lineage, Linking, Parents};
use crate::record::EntryType;

/// One way from the root to a leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// The uuid of its last entry.
    pub leaf: String,
    pub is_shown: bool,
    /// Is it the one that `claude --resume` takes?
    pub is_resumed: bool,
    /// Has damage cut its beginning off?
    pub is_cut_off: bool,
    /// The entry where it left the conversation that is shown; `None` for that one itself, and
    /// for one that began anew.
    pub left_at: Option<String>,
    /// How many turns of the conversation that is shown it shares.
    pub shared_turns: usize,
    /// How many turns it has of its own; all of them, also those that were compacted away, for
    /// the one that is shown.
    pub turns: usize,
    /// When its last entry was written.
    pub at: Option<i64>,
    pub last_prompt: Option<String>,
}

/// What of a file's turns the conversation that is shown reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptReach {
    /// Prompts in the conversation, and in what was compacted before it.
    pub reachable: usize,
    /// Prompts on branches that were rewound.
    pub rewound: usize,
    /// Prompts that damage has cut off.
    pub lost: usize,
}

impl PromptReach {
    /// Of the turns that were not rewound, how many Claude will know of. A whole file has 100.
    pub fn percent(self) -> usize {
        let all = self.reachable + self.lost;
        (self.reachable * 100).checked_div(all).unwrap_or(100)
    }
}

/// The branches of a file, seen from one conversation in it.
#[derive(Debug)]
pub struct Tree<'a> {
    index: &'a Index,
    parents: Parents,
    /// What each entry hangs on, over compactions.
    lineage: Lineage,
    /// Where the way of each entry meets the shown conversation.
    joins: Vec<Option<usize>>,
    /// The conversation that is shown, with what was compacted before it.
    shown: Vec<bool>,
    leaf: Option<usize>,
    resumed: Option<usize>,
}

impl<'a> Tree<'a> {
    pub fn new(index: &'a Index, chain: &Chain) -> Self {
        let parents = Parents::new(index, Linking::Whole);
        let mut shown = vec![false; index.links().len()];
        for &at in &chain.entries {
            shown[at] = true;
        }
        mark_history(index, chain, &mut shown);
        let lineage = Lineage::new(shown.len(), |at, passed| {
            previous(index, &parents, at, passed)
        });
        let resumed = Chain::build(index, LeafRule::Resume);
        Self {
            leaf: chain.leaf.map(Leaf::position),
            resumed: resumed.leaf.map(Leaf::position),
            index,
            parents,
            joins: lineage.nearest(|at| shown[at].then_some(at)),
            lineage,
            shown,
        }
    }

    /// The branches with what tells them apart: the shown one first, then the others from the
    /// newest to the oldest. What hangs in the tree without a word of the user or of Claude (the
    /// output of a hook, an `/exit`) is no branch. Reads the lines of prompts, and of little else.
    pub fn branches(&self, mut source: impl Read + Seek) -> io::Result<Vec<Branch>> {
        let prompts = self.prompts(&mut source)?;
        let links = self.index.links();
        let tallies = self.lineage.inherit(TurnTally::default(), |at, inherited| {
            let is_turn = prompts.contains_key(&at);
            let is_answer = links[at].entry == EntryType::Assistant;
            TurnTally {
                turns: inherited.turns + usize::from(is_turn),
                answers: inherited.answers + usize::from(is_answer),
                last: if is_turn { Some(at) } else { inherited.last },
            }
        });
        let cut_off = self.cut_off();
        let mut branches = Vec::new();
        for leaf in self.leaf.into_iter().chain(self.other_leaves()) {
            let is_shown = Some(leaf) == self.leaf;
            let junction = self.joins[leaf].filter(|_| !is_shown);
            let shared = junction.map_or_else(TurnTally::default, |at| tallies[at]);
            let tally = tallies[leaf];
            if !is_shown && (tally.turns, tally.answers) == (shared.turns, shared.answers) {
                continue;
            }
            let mut uuid = |at: usize| {
                let entry = read_entry(&mut source, &links[at])?;
                io::Result::Ok(entry.map(|entry| entry.uuid))
            };
            branches.push(Branch {
                leaf: uuid(leaf)?.unwrap_or_default(),
                is_shown,
                is_resumed: Some(leaf) == self.resumed,
                is_cut_off: junction.is_none() && cut_off[leaf],
                left_at: junction.map(&mut uuid).transpose()?.flatten(),
                shared_turns: shared.turns,
                turns: tally.turns - shared.turns,
                at: links[leaf].time,
                last_prompt: tally.last.map(|at| prompts[&at].text.clone()),
            });
        }
        Ok(branches)
    }

    /// The prompts that open turns. Reads every prompt once, and of the answers only those to
    /// commands: a command that Claude did not answer opens no turn.
    fn prompts(&self, mut source: impl Read + Seek) -> io::Result<HashMap<usize, AskedPrompt>> {
        let links = self.index.links();
        let mut entry = |at: usize| read_entry(&mut source, &links[at]);
        let mut prompts = HashMap::new();
        for at in (0..links.len()).filter(|at| is_prompt(&links[*at])) {
            if let Some(prompt) = entry(at)?.as_ref().and_then(asked) {
                prompts.insert(at, prompt);
            }
        }
        let asked = self
            .lineage
            .nearest(|at| prompts.contains_key(&at).then_some(at));
        let mut answered: HashSet<usize> = HashSet::new();
        for &at in &self.lineage.order {
            if let Some(asked) = asked[at]
                && links[at].entry == EntryType::Assistant
                && prompts[&asked].is_command
                && !answered.contains(&asked)
                && !entry(at)?.is_some_and(|entry| entry.is_synthetic())
            {
                answered.insert(asked);
            }
        }
        prompts.retain(|at, prompt| !prompt.is_command || answered.contains(at));
        Ok(prompts)
    }

    /// Does the way from each entry to the root end at a missing parent?
    fn cut_off(&self) -> Vec<bool> {
        let is_file = self.index.start == IndexStart::File;
        self.lineage
            .inherit(false, |at, inherited| match self.lineage.parent_of[at] {
                Some(_) => inherited,
                None => self.parents.is_missing(at) && is_file,
            })
    }

    /// The leaf of the newest branch that has an entry, if the conversation that is shown does not
    /// have it.
    pub fn branch_with(&self, at: usize) -> Option<String> {
        let up = |from: usize| {
            let mut walked = HashSet::new();
            std::iter::successors(Some(from), |at| self.lineage.parent_of[*at])
                .take_while(move |at| walked.insert(*at))
        };
        let leaves = self.other_leaves();
        // The end of a parallel tool call has no leaf of its own.
        let mut own = up(at).take_while(|at| !self.shown[*at]);
        let leaf = own.find_map(|at| {
            let mut leaves = leaves.iter();
            leaves.find(|leaf| up(**leaf).any(|passed| passed == at))
        })?;
        Some(self.index.links()[*leaf].id.hyphenated())
    }

    /// Leaves that are no part of the shown conversation, nor of a newer branch, newest first: a
    /// parallel tool call ends in an entry that nothing hangs on, and is no branch.
    fn other_leaves(&self) -> Vec<usize> {
        let links = self.index.links();
        let mut walked = self.shown.clone();
        let groups = by_message(self.index, &self.parents);
        let mut covered = self.covered(&groups);
        let mut others = Vec::new();
        for tip in tips(self.index, &self.parents).into_iter().rev() {
            let leaf = tip.leaf;
            if covered[leaf] || links[leaf].is_sidechain {
                continue;
            }
            others.push(leaf);
            let mut at = Some(leaf);
            while let Some(here) = at.filter(|here| !std::mem::replace(&mut walked[*here], true)) {
                covered[here] = true;
                let siblings = links[here].message.and_then(|id| groups.get(&id));
                for &at in siblings.into_iter().flatten() {
                    covered[at] = true;
                }
                at = self.lineage.parent_of[here];
            }
        }
        others
    }

    /// By entry: is it in the conversation that is shown, or was it compacted away from it?
    pub fn reached(&self) -> Vec<bool> {
        self.covered(&by_message(self.index, &self.parents))
    }

    /// The shown entries, with those that belong to their messages.
    fn covered(&self, groups: &HashMap<super::EntryId, Vec<usize>>) -> Vec<bool> {
        let mut covered = self.shown.clone();
        let is_shown = |group: &&Vec<usize>| group.iter().any(|at| self.shown[*at]);
        for &at in groups.values().filter(is_shown).flatten() {
            covered[at] = true;
        }
        covered
    }

    /// How many parents are named and not there, outside the conversation that is shown. In a
    /// large file parents were dropped on purpose, and nothing can be said of them.
    pub fn orphans(&self) -> usize {
        if self.index.start != IndexStart::File {
            return 0;
        }
        let missing = |at: usize| {
            let parent = self.index.links()[at].parent?;
            self.index.position(parent).is_none().then_some(parent)
        };
        let places = 0..self.shown.len();
        let (inside, outside): (Vec<usize>, Vec<usize>) = places.partition(|at| self.shown[*at]);
        let known: HashSet<_> = inside.into_iter().filter_map(missing).collect();
        let lost: HashSet<_> = outside.into_iter().filter_map(missing).collect();
        lost.difference(&known).count()
    }

    /// What of the file's prompts this conversation reaches, by links alone.
    pub fn reach(&self, chain: &Chain) -> PromptReach {
        let links = self.index.links();
        let first = chain.entries.first().copied().unwrap_or_default();
        let cut_off = self.cut_off();
        let mut reach = PromptReach::default();
        for at in (0..links.len()).filter(|at| is_prompt(&links[*at])) {
            let is_lost = cut_off[at] || (chain.breaks.gaps > 0 && at < first);
            if self.shown[at] {
                reach.reachable += 1;
            } else if self.joins[at].is_none() && is_lost {
                reach.lost += 1;
            } else {
                reach.rewound += 1;
            }
        }
        reach
    }
}

/// What comes before an entry, over compactions. Entries that were `passed` replace no missing parent.
fn previous(
    index: &Index,
    parents: &Parents,
    at: usize,
    passed: impl Fn(usize) -> bool,
) -> Option<usize> {
    let replacement = || parents.replacement(index, at, passed);
    let parent = parents.of(at).or_else(replacement);
    parent.or_else(|| before(index, at))
}

/// Marks what was compacted before the conversation: the way it had before its messages were
/// put in new places.
fn mark_history(index: &Index, chain: &Chain, shown: &mut [bool]) {
    let parents = Parents::new(index, Linking::Uncompacted);
    let mut seen = vec![false; shown.len()];
    for &entry in &chain.entries {
        let mut at = before(index, entry);
        while let Some(here) = at.filter(|here| !std::mem::replace(&mut seen[*here], true)) {
            shown[here] = true;
            at = previous(index, &parents, here, |at| seen[at]);
        }
    }
}

/// Entries that belong together although they hang side by side: the lines of one API message
/// and the results of its tools.
fn by_message(index: &Index, parents: &Parents) -> HashMap<EntryId, Vec<usize>> {
    let mut by_message: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, link) in index.links().iter().enumerate() {
        let of_parent = || index.links()[parents.of(at).filter(|_| link.is_tool_result)?].message;
        if let Some(message) = link.message.or_else(of_parent) {
            by_message.entry(message).or_default().push(at);
        }
    }
    by_message
}

/// How much was asked and answered up to an entry.
#[derive(Debug, Clone, Copy, Default)]
struct TurnTally {
    turns: usize,
    answers: usize,
    /// The last turn.
    last: Option<usize>,
}
