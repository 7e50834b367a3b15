//! What resuming needs to know of a transcript before it starts: little, and soon.
//!
//! Reads links and a few lines at the end of the conversation, no turns. Of a file that is too large
//! to walk while the user waits, the end is read, and the rest is swept for the worktree that the
//! session was left in; its damage stays unknown.

use std::io::{self, Read, Seek};
use std::path::Path;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

use super::chain::Chain;
use super::entry::read_entries;
use super::index::{Health, Index};
use super::leaf::LeafRule;
use super::load::{LoadExtent, for_each_block, load, load_end};
use super::state::{LeftWorktree, worktree};
use super::tree::{PromptReach, Tree};
use super::usage::UsageCounter;
use crate::files;
use crate::json::unescape;
use crate::record::Line;

/// Files up to this size are walked, which takes a millisecond per megabyte.
const WALKED: u64 = 96 * 1024 * 1024;
/// Bytes that are read of the end of a larger file.
const TAIL: u64 = 4 * 1024 * 1024;
/// The last answer is among this many entries at the end of a conversation.
const LAST_ENTRIES: usize = 64;
/// No session has been in more directories than this.
const MOST_DIRECTORIES: usize = 256;

/// What is known of a session before it is resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResumeInfo {
    pub worktree: Option<LeftWorktree>,
    pub health: Health,
    pub reach: PromptReach,
    /// Tokens of the last request.
    pub context: Option<u64>,
    /// Is there no conversation in it?
    pub is_empty: bool,
}

pub fn resume_info(path: &Path) -> io::Result<ResumeInfo> {
    let size = std::fs::metadata(path)?.len();
    if size > WALKED {
        return from_the_end(path, size);
    }
    let index = load(path, LoadExtent::Resumed)?;
    let chain = Chain::build(&index, LeafRule::Resume);
    let mut file = files::open(path)?;
    Ok(ResumeInfo {
        worktree: left_in(&mut file, &index)?,
        context: context(&mut file, &index, &chain)?,
        reach: Tree::new(&index, &chain).reach(&chain),
        is_empty: chain.entries.is_empty(),
        health: index.health,
    })
}

fn from_the_end(path: &Path, size: u64) -> io::Result<ResumeInfo> {
    let mut file = files::open(path)?;
    let index = load_end(&mut file, size, TAIL)?;
    let chain = Chain::build(&index, LeafRule::Newest);
    let worktree = match index.metadata.last("worktree-state") {
        Some(_) => left_in(&mut file, &index)?,
        None => last_worktree(files::open(path)?)?,
    };
    Ok(ResumeInfo {
        worktree,
        context: context(&mut file, &index, &chain)?,
        ..ResumeInfo::default()
    })
}

/// The last `worktree-state` of a file that is too large to walk. Claude Code writes the type of its
/// metadata first, so the bytes mean something else inside a line, unless two entries share it.
fn last_worktree(source: impl Read) -> io::Result<Option<LeftWorktree>> {
    let finder = Finder::new(b"{\"type\":\"worktree-state\"");
    let mut last = None;
    for_each_block(source, |lines, _| {
        for at in finder.find_iter(lines) {
            let is_entry = at == 0 || matches!(lines[at - 1], b'\n' | b'}');
            let mut entries = serde_json::Deserializer::from_slice(&lines[at..]).into_iter();
            if let (true, Some(Ok(line))) = (is_entry, entries.next()) {
                last = worktree(&line);
            }
        }
    })?;
    Ok(last)
}

fn left_in(source: impl Read + Seek, index: &Index) -> io::Result<Option<LeftWorktree>> {
    let line = index.metadata.read_last(source, "worktree-state")?;
    Ok(line.and_then(|line| worktree(&line)))
}

fn context(source: impl Read + Seek, index: &Index, chain: &Chain) -> io::Result<Option<u64>> {
    let links: Vec<_> = chain.links(index).collect();
    let last = &links[links.len().saturating_sub(LAST_ENTRIES)..];
    let entries = read_entries(source, last.iter().copied())?;
    let mut counter = UsageCounter::new(index, chain);
    for entry in &entries {
        counter.take(entry);
    }
    Ok(counter.usage.context)
}

/// The directories that the lines of a transcript name, each once, in the order of the file; the
/// last one that it was moved to comes first.
pub fn directories(path: &Path) -> io::Result<Vec<String>> {
    let mut moved_to = None;
    let mut found: Vec<String> = Vec::new();
    let mut last = String::new();
    // The end of the keys `cwd` and `relocatedCwd`, and the quote before the value.
    let finder = Finder::new(b"wd\":\"");
    for_each_block(files::open(path)?, |lines, _| {
        for at in finder.find_iter(lines) {
            let rest = &lines[at + finder.needle().len()..];
            let value = unescape(rest.split(|b| *b == b'"').next().unwrap_or_default());
            // Line after line names the same directory.
            if value == last && lines[..at].ends_with(b"c") {
                continue;
            }
            let start = memrchr(b'\n', &lines[..at]).map_or(0, |newline| newline + 1);
            let end = memchr(b'\n', rest)
                .map_or(lines.len(), |newline| lines.len() - rest.len() + newline);
            let line = Line::parse(&lines[start..end]);
            if let Some(cwd) = line.relocated_cwd.as_str() {
                moved_to = Some(cwd.to_owned());
            }
            if let Some(cwd) = line.cwd.as_str().filter(|cwd| !cwd.is_empty()) {
                if found.len() < MOST_DIRECTORIES && !found.iter().any(|known| known == cwd) {
                    found.push(cwd.to_owned());
                }
                // A nested field of the same name says nothing of the next line.
                if value == cwd {
                    last = value.into_owned();
                }
            }
        }
    })?;
    if let Some(moved_to) = moved_to {
        found.retain(|cwd| *cwd != moved_to);
        found.insert(0, moved_to);
    }
    Ok(found)
}

/// The session ids that the first lines of a transcript name, each once. Every line of a transcript
/// has a type; other files name sessions, too, such as the history of prompts.
pub fn session_ids(path: &Path, within: u64) -> io::Result<Vec<String>> {
    let mut head = Vec::new();
    files::open(path)?.take(within).read_to_end(&mut head)?;
    let mut found: Vec<String> = Vec::new();
    for line in head.split(|b| *b == b'\n').map(Line::parse) {
        if let (Some(id), Some(_)) = (line.session_id.as_str(), line.kind())
            && !found.iter().any(|known| known == id)
        {
            found.push(id.to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
#[path = "resume_info_tests.rs"]
mod tests;
