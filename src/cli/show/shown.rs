//! A conversation to show: facts about the whole, and its turns as a stream.
//!
//! Only a window of a long conversation is in memory at a time, or one group of turns that belong
//! together. The output does not depend on the size of the window.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use crate::files;
use crate::preview::Gist;
use crate::transcript::{
    AgentStarts, Branch, Chain, Digest, Entry, FileChange, Hunk, Index, Link, StepKind, SubAgent,
    Tree, Turn, TurnOpening, read_entries, subagents,
};

/// Bytes of lines in memory at a time. Turns take about twice as much as their lines.
pub const WINDOW: usize = 4 * 1024 * 1024;

/// Which part of a session is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Portion {
    Resumed,
    BeforeCompaction,
}

/// A conversation, and the file it was found in.
#[derive(Debug)]
pub struct Shown {
    pub portion: Portion,
    pub path: PathBuf,
    pub index: Index,
    pub chain: Chain,
    pub digest: Digest,
    pub overview: Overview,
    pub branches: Vec<Branch>,
    pub agents: Vec<SubAgent>,
    window: usize,
}

/// Facts about all turns that are needed before the first one is printed.
#[derive(Debug, Default)]
pub struct Overview {
    pub gist: Gist,
    /// The compactions in the conversation: the one that it begins with, and any older or undone
    /// ones in its middle.
    pub compactions: Vec<CompactionInfo>,
    pub has_code: bool,
    turns: usize,
    starts: AgentStarts,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactionInfo {
    /// The number of the turn that it opens.
    #[serde(skip)]
    pub turn: usize,
    pub uuid: String,
    pub at: Option<i64>,
    pub trigger: Option<String>,
    pub tokens_before: Option<u64>,
}

impl Overview {
    fn take(&mut self, turn: &Turn) {
        self.gist.take(turn);
        self.starts.take(turn);
        if let TurnOpening::Compaction {
            trigger,
            tokens_before,
            ..
        } = &turn.opening
        {
            self.compactions.push(CompactionInfo {
                turn: self.turns,
                uuid: turn.uuid.clone(),
                at: turn.at,
                trigger: trigger.clone(),
                tokens_before: *tokens_before,
            });
        }
        let mut steps = turn.steps.iter();
        let is_code =
            |what: &StepKind| matches!(what, StepKind::Text(text) if text.contains("```"));
        self.has_code = self.has_code || steps.any(|step| is_code(&step.what));
        self.turns += 1;
    }
}

impl Shown {
    /// Reads the facts about the whole. `window` limits the bytes in memory from then on.
    pub fn read(
        portion: Portion,
        path: PathBuf,
        index: Index,
        chain: Chain,
        window: usize,
    ) -> anyhow::Result<Self> {
        let file = open(&path)?;
        let (digest, overview) =
            digested(&file, &index, &chain, window).with_context(|| unreadable(&path))?;
        let branches = Tree::new(&index, &chain)
            .branches(&file)
            .with_context(|| unreadable(&path))?;
        let agents = subagents(&path, &overview.starts);
        Ok(Self {
            portion,
            path,
            index,
            chain,
            digest,
            overview,
            branches,
            agents,
            window,
        })
    }

    pub fn tree(&self) -> Tree<'_> {
        Tree::new(&self.index, &self.chain)
    }

    /// The directory of the session.
    pub fn cwd(&self) -> Option<&str> {
        self.digest.cwd.as_deref()
    }

    /// The content of its head.
    pub fn gist(&self) -> Gist {
        self.overview.gist.clone().with(&self.digest)
    }

    pub fn session_id(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    pub fn is_empty(&self) -> bool {
        self.overview.turns == 0
    }

    /// Does it begin with a compaction?
    pub fn begins_compacted(&self) -> bool {
        matches!(self.overview.compactions.first(), Some(first) if first.turn == 0)
    }

    /// Passes on the turns, oldest first, until an error.
    pub fn for_each_turn(
        &self,
        take: &mut dyn FnMut(&Turn) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let Digest {
            stretches,
            newest,
            first_held,
            ..
        } = &self.digest;
        let mut next = 0;
        if *first_held > 0 {
            let file = open(&self.path)?;
            while next < *first_held {
                let (first, turns) = stretches
                    .read_on(&file, next, self.window)
                    .with_context(|| unreadable(&self.path))?;
                for turn in turns.iter().skip(next - first) {
                    take(turn)?;
                    next += 1;
                }
            }
        }
        for turn in newest.iter().skip(next - first_held) {
            take(turn)?;
        }
        Ok(())
    }

    /// Passes on the lines of the conversation, oldest first, until an error.
    pub fn for_each_entry(
        &self,
        take: &mut dyn FnMut(&Entry) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let file = open(&self.path)?;
        let links: Vec<&Link> = self.chain.links(&self.index).collect();
        let mut left = links.as_slice();
        while !left.is_empty() {
            let mut bytes = 0;
            let fitting = left.iter().take_while(|link| {
                bytes += link.length;
                bytes <= self.window
            });
            // A line that is larger than the window is read alone.
            let (now, later) = left.split_at(fitting.count().max(1));
            left = later;
            let entries = read_entries(&file, now.iter().copied());
            for entry in &entries.with_context(|| unreadable(&self.path))? {
                take(entry)?;
            }
        }
        Ok(())
    }

    /// Passes on the patches of a file, until an error.
    pub fn for_each_hunk(
        &self,
        change: &FileChange,
        take: &mut dyn FnMut(&Hunk) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let file = open(&self.path)?;
        for entry in &change.reported_in {
            let link = self.index.position(*entry);
            let link = link.and_then(|at| self.index.links().get(at));
            let entries = read_entries(&file, link.into_iter());
            for entry in &entries.with_context(|| unreadable(&self.path))? {
                for hunk in &Hunk::reported(&entry.line.report()) {
                    take(hunk)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads a conversation in one pass, or in several with larger windows if the result of a call came
/// after its turn had left the window.
fn digested(
    file: &File,
    index: &Index,
    chain: &Chain,
    window: usize,
) -> io::Result<(Digest, Overview)> {
    let mut held = window;
    loop {
        let mut overview = Overview::default();
        let digest = Digest::read(file, index, chain, held, &mut |turn| overview.take(turn))?;
        if digest.late == 0 {
            return Ok((digest, overview));
        }
        held = held.saturating_mul(8).max(1);
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    files::open(path).with_context(|| unreadable(path))
}

pub fn unreadable(path: &Path) -> String {
    format!("{}: cannot be read", path.display())
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
