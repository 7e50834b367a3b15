//! Every branch of a transcript: rewinding leaves the old end of a conversation in the file, and
//! no flag marks it.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Seek};

use serde::Serialize;

use super::chain::{Chain, Leaf, Parents, leaves};
use super::compaction::before;
use super::entry::{Block, Entry, read_entries};
use super::index::Index;
use super::link::Link;
use crate::record::{EntryType, Prompt, one_line};

/// One way from the root to a leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// The uuid of its last entry.
    pub leaf: String,
    pub is_shown: bool,
    /// The entry where it left the conversation that is shown; `None` for that one itself, and
    /// for one that began anew.
    pub left_at: Option<String>,
    /// How many turns of the conversation that is shown it shares.
    pub shared_turns: usize,
    /// How many turns it has of its own; all of them for the one that is shown.
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
    /// The conversation that is shown, with what was compacted before it.
    shown: Vec<bool>,
    /// The leaves of the other branches, newest first.
    others: Vec<usize>,
    leaf: Option<usize>,
}

impl<'a> Tree<'a> {
    pub fn new(index: &'a Index, chain: &Chain) -> Self {
        let parents = Parents::relinked(index);
        let links = index.links();
        let mut shown = vec![false; links.len()];
        for &at in &chain.entries {
            shown[at] = true;
        }
        mark_history(index, chain, &mut shown);
        let leaf = chain.leaf.map(Leaf::position);
        let mut tree = Self {
            index,
            parents,
            shown,
            others: Vec::new(),
            leaf,
        };
        tree.others = tree.other_leaves();
        tree
    }

    /// How many branches there are, the shown one included.
    pub fn len(&self) -> usize {
        usize::from(self.leaf.is_some()) + self.others.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The branches with what tells them apart: the shown one first, then the others from the
    /// newest to the oldest. Reads the lines of prompts, and of nothing else.
    pub fn branches(&self, source: impl Read + Seek) -> io::Result<Vec<Branch>> {
        let mut prompts = Prompts {
            source,
            known: HashMap::new(),
        };
        let mut branches = Vec::new();
        for leaf in self.leaf.into_iter().chain(self.others.iter().copied()) {
            branches.push(self.describe(leaf, &mut prompts)?);
        }
        Ok(branches)
    }

    fn describe(&self, leaf: usize, prompts: &mut Prompts<impl Read + Seek>) -> io::Result<Branch> {
        let links = self.index.links();
        let is_shown = Some(leaf) == self.leaf;
        let path = self.path(leaf);
        let junction = path
            .iter()
            .position(|at| self.shown[*at])
            .filter(|_| !is_shown);
        let own = &path[..junction.unwrap_or(path.len())];
        let shared = junction.map_or(&[][..], |at| &path[at..]);
        let (turns, last_own) = prompts.count(links, own)?;
        let (shared_turns, last_shared) = prompts.count(links, shared)?;
        Ok(Branch {
            leaf: prompts.uuid(&links[leaf])?.unwrap_or_default(),
            is_shown,
            left_at: match junction {
                Some(at) => prompts.uuid(&links[path[at]])?,
                None => None,
            },
            shared_turns,
            turns,
            at: links[leaf].time,
            last_prompt: last_own.or(last_shared),
        })
    }

    /// From a leaf to its root, over compactions.
    fn path(&self, leaf: usize) -> Vec<usize> {
        let mut seen = HashSet::new();
        let mut path = Vec::new();
        let mut at = Some(leaf);
        while let Some(here) = at.filter(|here| seen.insert(*here)) {
            path.push(here);
            at = self.above(here);
        }
        path
    }

    fn above(&self, at: usize) -> Option<usize> {
        self.parents.of(at).or_else(|| before(self.index, at))
    }

    /// Leaves that are no part of the shown conversation, nor of a newer branch: a parallel tool
    /// call ends in an entry that nothing hangs on, and is no branch.
    fn other_leaves(&self) -> Vec<usize> {
        let links = self.index.links();
        let mut walked = self.shown.clone();
        let mut covered = self.shown.clone();
        let groups = Groups::of(self.index, &self.parents);
        groups.cover(&mut covered);
        let mut others = Vec::new();
        for leaf in leaves(self.index, &self.parents).into_iter().rev() {
            if covered[leaf] || links[leaf].is_sidechain {
                continue;
            }
            others.push(leaf);
            let mut at = Some(leaf);
            while let Some(here) = at.filter(|here| !std::mem::replace(&mut walked[*here], true)) {
                covered[here] = true;
                groups.cover_siblings(here, links, &mut covered);
                at = self.above(here);
            }
        }
        others
    }

    /// How many entries name a parent that is not there. In a large file parents were dropped on
    /// purpose, and nothing can be said of them.
    pub fn orphans(&self) -> usize {
        let links = 0..self.index.links().len();
        if self.index.dropped_before {
            return 0;
        }
        links.filter(|at| self.parents.is_cut_off(*at)).count()
    }

    /// What of the file's prompts this conversation reaches, by links alone.
    pub fn reach(&self, chain: &Chain) -> Reach {
        let links = self.index.links();
        let first = chain.entries.first().copied().unwrap_or_default();
        let mut reach = Reach::default();
        for (at, link) in links.iter().enumerate() {
            if !is_prompt(link) {
                continue;
            }
            if self.shown[at] {
                reach.reachable += 1;
                continue;
            }
            let path = self.path(at);
            let joins = path.iter().any(|at| self.shown[*at]);
            let has_gap = !self.index.dropped_before
                && path
                    .last()
                    .is_some_and(|root| self.parents.is_cut_off(*root));
            if !joins && (has_gap || (chain.gaps > 0 && at < first)) {
                reach.lost += 1;
            } else {
                reach.rewound += 1;
            }
        }
        reach
    }
}

/// Could a person have typed this line, going by its flags?
fn is_prompt(link: &Link) -> bool {
    link.entry == EntryType::User
        && !link.is_meta
        && !link.is_tool_result
        && !link.is_compact_summary
        && !link.is_sidechain
        && !link.is_team
}

/// Marks what was compacted before the conversation: the way it had before its messages were
/// put in new places.
fn mark_history(index: &Index, chain: &Chain, shown: &mut [bool]) {
    let parents = Parents::resolved(index);
    let mut seen = vec![false; shown.len()];
    for &entry in &chain.entries {
        let mut at = before(index, entry);
        while let Some(here) = at.filter(|here| !std::mem::replace(&mut seen[*here], true)) {
            shown[here] = true;
            at = parents.of(here).or_else(|| before(index, here));
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

/// What the prompts of a file say, each read once.
struct Prompts<S> {
    source: S,
    known: HashMap<usize, Option<Prompted>>,
}

#[derive(Debug, Clone)]
enum Prompted {
    Typed(String),
    /// A turn only if Claude answered it.
    Command(String),
}

impl<S: Read + Seek> Prompts<S> {
    /// Counts the turns on a way that is given from its end, and says what was asked last.
    fn count(&mut self, links: &[Link], path: &[usize]) -> io::Result<(usize, Option<String>)> {
        let mut turns = 0;
        let mut last = None;
        let mut answered = false;
        for &at in path {
            let link = &links[at];
            if link.entry == EntryType::Assistant {
                answered = true;
            }
            let queued = link.entry == EntryType::Attachment;
            if !queued && !is_prompt(link) {
                continue;
            }
            match self.read(at, link)? {
                Some(Prompted::Typed(text)) => {
                    turns += 1;
                    last.get_or_insert(text);
                    answered = false;
                }
                Some(Prompted::Command(text)) if std::mem::take(&mut answered) => {
                    turns += 1;
                    last.get_or_insert(text);
                }
                Some(Prompted::Command(_)) | None => {}
            }
        }
        Ok((turns, last))
    }

    fn read(&mut self, at: usize, link: &Link) -> io::Result<Option<Prompted>> {
        if let Some(known) = self.known.get(&at) {
            return Ok(known.clone());
        }
        let entries = read_entries(&mut self.source, std::iter::once(link))?;
        let prompted = entries.first().and_then(prompted);
        self.known.insert(at, prompted.clone());
        Ok(prompted)
    }

    fn uuid(&mut self, link: &Link) -> io::Result<Option<String>> {
        let entries = read_entries(&mut self.source, std::iter::once(link))?;
        Ok(entries.into_iter().next().map(|entry| entry.uuid))
    }
}

/// What a person asked for in an entry, on one line.
fn prompted(entry: &Entry) -> Option<Prompted> {
    let blocks = match entry.kind {
        EntryType::Attachment => {
            let attachment = entry.value("attachment");
            if attachment["type"] != "queued_command" {
                return None;
            }
            super::entry::blocks(&attachment["prompt"])
        }
        _ => entry.blocks(),
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
