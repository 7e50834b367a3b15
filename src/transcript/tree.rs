//! Every branch of a transcript: rewinding leaves the old end of a conversation in the file, and
//! no flag marks it.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Seek};

use serde::Serialize;

use super::chain::Chain;
use super::compaction::before;
use super::entry::{Block, Entry, read_entries};
use super::index::{Index, Start};
use super::leaf::{Leaf, LeafRule, tips};
use super::link::Link;
use super::parents::{Linking, Parents};
use crate::record::{EntryType, Prompt, one_line};

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
pub struct Reach {
    /// Prompts in the conversation, and in what was compacted before it.
    pub reachable: usize,
    /// Prompts on branches that were rewound.
    pub rewound: usize,
    /// Prompts that damage has cut off.
    pub lost: usize,
}

impl Reach {
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
    /// The entries, each behind the one that it hangs on.
    order: Vec<usize>,
    /// What each entry hangs on, over compactions; nothing where a circle closes.
    above: Vec<Option<usize>>,
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
        let (order, above) = from_the_roots(index, &parents);
        let mut joins = vec![None; shown.len()];
        for &at in &order {
            joins[at] = match above[at] {
                _ if shown[at] => Some(at),
                Some(above) => joins[above],
                None => None,
            };
        }
        Self {
            leaf: chain.leaf.map(Leaf::position),
            resumed: Chain::build(index, LeafRule::Resume)
                .leaf
                .map(Leaf::position),
            index,
            parents,
            order,
            above,
            joins,
            shown,
        }
    }

    /// The branches with what tells them apart: the shown one first, then the others from the
    /// newest to the oldest. What hangs in the tree without a word of a person or of Claude (the
    /// output of a hook, an `/exit`) is no branch. Reads the lines of prompts, and of little else.
    pub fn branches(&self, mut source: impl Read + Seek) -> io::Result<Vec<Branch>> {
        let counts = Counts::read(self, &mut source)?;
        let others = self.other_leaves();
        let mut branches = Vec::new();
        for leaf in self.leaf.into_iter().chain(others) {
            let is_shown = Some(leaf) == self.leaf;
            let junction = self.joins[leaf].filter(|_| !is_shown);
            let at = |of: &[usize], place: Option<usize>| place.map_or(0, |at| of[at]);
            let turns = counts.turns[leaf] - at(&counts.turns, junction);
            let answers = counts.answers[leaf] - at(&counts.answers, junction);
            if !is_shown && turns == 0 && answers == 0 {
                continue;
            }
            let mut uuid = |at: usize| {
                let link = std::iter::once(&self.index.links()[at]);
                let entry = read_entries(&mut source, link)?.pop();
                io::Result::Ok(entry.map(|entry| entry.uuid))
            };
            branches.push(Branch {
                leaf: uuid(leaf)?.unwrap_or_default(),
                is_shown,
                is_resumed: Some(leaf) == self.resumed,
                is_cut_off: junction.is_none() && self.is_cut_off(leaf),
                left_at: junction.map(&mut uuid).transpose()?.flatten(),
                shared_turns: at(&counts.turns, junction),
                turns,
                at: self.index.links()[leaf].time,
                last_prompt: counts.last_prompt(leaf),
            });
        }
        Ok(branches)
    }

    /// Does the way of an entry end where a parent is missing?
    fn is_cut_off(&self, mut at: usize) -> bool {
        while let Some(above) = self.above[at] {
            at = above;
        }
        self.parents.is_missing(at) && self.index.start == Start::File
    }

    /// Leaves that are no part of the shown conversation, nor of a newer branch, newest first: a
    /// parallel tool call ends in an entry that nothing hangs on, and is no branch.
    fn other_leaves(&self) -> Vec<usize> {
        let links = self.index.links();
        let mut walked = self.shown.clone();
        let mut covered = self.shown.clone();
        let groups = Groups::of(self.index, &self.parents);
        groups.cover(&mut covered);
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
                groups.cover_siblings(here, links, &mut covered);
                at = self.above[here];
            }
        }
        others
    }

    /// How many parents are named and not there, outside the conversation that is shown. In a
    /// large file parents were dropped on purpose, and nothing can be said of them.
    pub fn orphans(&self) -> usize {
        if self.index.start != Start::File {
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
    pub fn reach(&self, chain: &Chain) -> Reach {
        let links = self.index.links();
        let first = chain.entries.first().copied().unwrap_or_default();
        let mut cut_off = vec![false; links.len()];
        let mut reach = Reach::default();
        for &at in &self.order {
            cut_off[at] = match self.above[at] {
                Some(above) => cut_off[above],
                None => self.parents.is_missing(at) && self.index.start == Start::File,
            };
            if !is_prompt(&links[at]) {
                continue;
            }
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

/// The entries in an order in which each follows what it hangs on, and what that is. A circle is
/// cut where it closes.
fn from_the_roots(index: &Index, parents: &Parents) -> (Vec<usize>, Vec<Option<usize>>) {
    let count = index.links().len();
    let mut order = Vec::with_capacity(count);
    let mut above = vec![None; count];
    let mut seen = vec![false; count];
    let mut done = vec![false; count];
    for start in 0..count {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(here) = at.filter(|here| !std::mem::replace(&mut seen[*here], true)) {
            way.push(here);
            let is_passed = |at: usize| seen[at] && !done[at];
            let replacement = || parents.replacement(index, here, is_passed);
            at = parents
                .of(here)
                .or_else(replacement)
                .or_else(|| before(index, here));
            above[here] = at;
        }
        if let (Some(last), Some(met)) = (way.last(), at)
            && !done[met]
        {
            above[*last] = None;
        }
        for here in way.into_iter().rev() {
            done[here] = true;
            order.push(here);
        }
    }
    (order, above)
}

/// Could a person have typed this line, going by its flags?
fn is_prompt(link: &Link) -> bool {
    let typed = link.entry == EntryType::User
        && !link.is_meta
        && !link.is_tool_result
        && !link.is_compact_summary;
    (typed || link.is_queued) && !link.is_sidechain && !link.is_team
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
            let replacement = || parents.replacement(index, here, |at| seen[at]);
            at = parents
                .of(here)
                .or_else(replacement)
                .or_else(|| before(index, here));
        }
    }
}

/// Entries that belong together although they hang side by side: the lines of one API message
/// and the results of its tools.
struct Groups {
    by_message: HashMap<super::EntryId, Vec<usize>>,
}

impl Groups {
    fn of(index: &Index, parents: &Parents) -> Self {
        let mut by_message: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, link) in index.links().iter().enumerate() {
            let parent = || parents.of(at).map(|parent| &index.links()[parent]);
            let message = link.message.or_else(|| {
                let parent = link.is_tool_result.then(parent)??;
                parent.message
            });
            if let Some(message) = message {
                by_message.entry(message).or_default().push(at);
            }
        }
        Self { by_message }
    }

    /// Covers every group that is covered in part.
    fn cover(&self, covered: &mut [bool]) {
        for group in self.by_message.values() {
            if group.iter().any(|at| covered[*at]) {
                for &at in group {
                    covered[at] = true;
                }
            }
        }
    }

    fn cover_siblings(&self, at: usize, links: &[Link], covered: &mut [bool]) {
        let group = links[at].message.and_then(|id| self.by_message.get(&id));
        for &sibling in group.into_iter().flatten() {
            covered[sibling] = true;
        }
    }
}

/// How much was asked and answered on the way to each entry.
struct Counts {
    turns: Vec<usize>,
    answers: Vec<usize>,
    /// The last turn at or above each entry.
    last: Vec<Option<usize>>,
    prompts: HashMap<usize, Prompted>,
}

#[derive(Debug, Clone)]
enum Prompted {
    Typed(String),
    /// A turn only if Claude answered it.
    Command(String),
}

impl Counts {
    /// Reads every prompt once, and of the answers only those to commands.
    fn read(tree: &Tree<'_>, mut source: impl Read + Seek) -> io::Result<Self> {
        let links = tree.index.links();
        let mut entry = |at: usize| {
            let link = std::iter::once(&links[at]);
            io::Result::Ok(read_entries(&mut source, link)?.pop())
        };
        let mut prompts = HashMap::new();
        for at in (0..links.len()).filter(|at| is_prompt(&links[*at])) {
            if let Some(prompted) = entry(at)?.as_ref().and_then(prompted) {
                prompts.insert(at, prompted);
            }
        }
        let mut asked: Vec<Option<usize>> = vec![None; links.len()];
        let mut answered: HashSet<usize> = HashSet::new();
        for &at in &tree.order {
            asked[at] = match tree.above[at] {
                _ if prompts.contains_key(&at) => Some(at),
                Some(above) => asked[above],
                None => None,
            };
            if let Some(asked) = asked[at]
                && links[at].entry == EntryType::Assistant
                && matches!(prompts.get(&asked), Some(Prompted::Command(_)))
                && !answered.contains(&asked)
                && !entry(at)?.is_some_and(|entry| entry.is_synthetic())
            {
                answered.insert(asked);
            }
        }
        prompts
            .retain(|at, prompted| matches!(prompted, Prompted::Typed(_)) || answered.contains(at));
        let mut counts = Self {
            turns: vec![0; links.len()],
            answers: vec![0; links.len()],
            last: vec![None; links.len()],
            prompts,
        };
        for &at in &tree.order {
            let above = tree.above[at];
            let is_turn = counts.prompts.contains_key(&at);
            let is_answer = links[at].entry == EntryType::Assistant;
            counts.turns[at] = above.map_or(0, |at| counts.turns[at]) + usize::from(is_turn);
            counts.answers[at] = above.map_or(0, |at| counts.answers[at]) + usize::from(is_answer);
            counts.last[at] = match above {
                _ if is_turn => Some(at),
                Some(above) => counts.last[above],
                None => None,
            };
        }
        Ok(counts)
    }

    fn last_prompt(&self, leaf: usize) -> Option<String> {
        match self.prompts.get(&self.last[leaf]?)? {
            Prompted::Typed(text) | Prompted::Command(text) => Some(text.clone()),
        }
    }
}

/// What a person asked for in an entry, on one line.
fn prompted(entry: &Entry) -> Option<Prompted> {
    let blocks = match entry.queued_prompt() {
        Some(prompt) => super::entry::blocks(prompt),
        None => entry.blocks(),
    };
    let mut command = None;
    for block in blocks {
        match block {
            Block::ToolResult { .. } => return None,
            Block::Image(_) => {
                command.get_or_insert(Prompted::Typed("[image]".to_owned()));
            }
            Block::Text(text) => match Prompt::of(text) {
                Prompt::Typed(text) => {
                    return one_line(&text).map(|text| Prompted::Typed(text.into()));
                }
                Prompt::Command(text) => {
                    command = one_line(&text).map(|text| Prompted::Command(text.into()));
                }
                Prompt::Machine => {}
            },
            _ => {}
        }
    }
    command
}
