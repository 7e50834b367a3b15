//! What resuming has to know of a transcript before it starts: little, and soon.
//!
//! Links and a few lines at the end of the conversation, no turns. A file that is too large to walk
//! through while somebody waits is looked at from its end, and swept for what says where it was
//! left; its damage stays unknown.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use super::chain::Chain;
use super::entry::read_entries;
use super::index::{Health, Index};
use super::leaf::LeafRule;
use super::load::{Extent, load, load_from};
use super::metadata::Metadata;
use super::state::{Worktree, worktree};
use super::sweep::sweep;
use super::tree::{Reach, Tree};
use super::usage::{Preserved, UsageCounter};
use crate::files;
use crate::json::{Value, field, unescape};

/// Up to this size a file is walked through, which takes a millisecond for each megabyte.
const WALKED: u64 = 96 * 1024 * 1024;
/// What is read of the end of a larger one.
const TAIL: u64 = 4 * 1024 * 1024;
/// Entries at the end of a conversation among which the last answer is.
const LAST_ENTRIES: usize = 64;
/// How far into a file to look for the directories and ids that its lines name.
const NAMED_WITHIN: u64 = 16 * 1024 * 1024;

/// What is known of a session before it is resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResumeInfo {
    pub worktree: Option<Worktree>,
    pub health: Health,
    pub reach: Reach,
    /// Tokens of the last request.
    pub context: Option<u64>,
    /// Is there nothing to go on from?
    pub is_empty: bool,
}

pub fn resume_info(path: &Path) -> io::Result<ResumeInfo> {
    let size = std::fs::metadata(path)?.len();
    if size > WALKED {
        return from_the_end(path, size);
    }
    let index = load(path, Extent::Resumed)?;
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
    file.seek(SeekFrom::Start(size - TAIL))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let start = memchr::memchr(b'\n', &tail).map_or(tail.len(), |at| at + 1);
    let mut tail = io::Cursor::new(tail.split_off(start));
    let index = load_from(&mut tail, TAIL, Extent::Everything)?;
    let chain = Chain::build(&index, LeafRule::Newest);
    let worktree = match index.metadata.count(Metadata::WorktreeState) {
        0 => last_worktree(files::open(path)?.take(size - TAIL + start as u64))?,
        _ => left_in(&mut tail, &index)?,
    };
    Ok(ResumeInfo {
        worktree,
        context: context(&mut tail, &index, &chain)?,
        ..ResumeInfo::default()
    })
}

/// What the last `worktree-state` of a file says that nobody walks through. Claude Code writes the
/// type of its metadata first; elsewhere in a line it is part of something else, but for an entry
/// that was written behind another one.
fn last_worktree(source: impl Read) -> io::Result<Option<Worktree>> {
    let mut last = None;
    sweep(source, b"{\"type\":\"worktree-state\"", |hit| {
        if matches!(hit.before(), b'\n' | b'}') {
            let mut entries = serde_json::Deserializer::from_slice(hit.rest()).into_iter();
            if let Some(Ok(line)) = entries.next() {
                last = worktree(&line);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(last)
}

fn left_in(source: impl Read + Seek, index: &Index) -> io::Result<Option<Worktree>> {
    let line = index.metadata.read_last(source, Metadata::WorktreeState)?;
    Ok(line.and_then(|line| worktree(&line)))
}

fn context(source: impl Read + Seek, index: &Index, chain: &Chain) -> io::Result<Option<u64>> {
    let links: Vec<_> = chain.links(index).collect();
    let last = &links[links.len().saturating_sub(LAST_ENTRIES)..];
    let entries = read_entries(source, last.iter().copied())?;
    let preserved = Preserved::by_last_compaction(index, chain);
    let mut counter = UsageCounter::default();
    for entry in &entries {
        counter.take(entry, &preserved);
    }
    Ok(counter.usage.context)
}

/// The directories that the lines of a transcript name, each once, in the order of the file; the
/// last one that it was moved to comes first.
pub fn directories(path: &Path) -> io::Result<Vec<String>> {
    let mut moved_to = None;
    let mut found: Vec<String> = Vec::new();
    each_line(path, NAMED_WITHIN, |line| {
        let text = |key: &[u8]| match field(line, key) {
            Some(Value::Text(raw)) if !raw.is_empty() => Some(unescape(raw).into_owned()),
            _ => None,
        };
        if line.starts_with(b"{\"type\":\"relocated\"") {
            moved_to = text(b"relocatedCwd").or(moved_to.take());
        }
        if let Some(cwd) = text(b"cwd")
            && !found.contains(&cwd)
        {
            found.push(cwd);
        }
    })?;
    if let Some(moved_to) = moved_to {
        found.retain(|cwd| *cwd != moved_to);
        found.insert(0, moved_to);
    }
    Ok(found)
}

/// The first directory that is wanted, among those that lines far into a transcript name: behind
/// what `directories` looks at.
pub fn later_directory(
    path: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> io::Result<Option<String>> {
    directory_behind(path, NAMED_WITHIN, is_wanted)
}

fn directory_behind(
    path: &Path,
    offset: u64,
    is_wanted: impl Fn(&str) -> bool,
) -> io::Result<Option<String>> {
    let mut file = files::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut found = None;
    let mut refused: Vec<u8> = Vec::new();
    // Stands in `cwd` and in `relocatedCwd`.
    sweep(file, b"wd\":\"", |hit| {
        let value = hit.rest().get(5..).unwrap_or_default();
        let value = value.split(|b| *b == b'"').next().unwrap_or_default();
        // Line after line names the same one.
        if value == refused {
            return ControlFlow::Continue(());
        }
        let keys: [&[u8]; 2] = [b"relocatedCwd", b"cwd"];
        for raw in keys.iter().filter_map(|key| field(hit.line(), key)?.text()) {
            let cwd = unescape(raw);
            if is_wanted(&cwd) {
                found = Some(cwd.into_owned());
                return ControlFlow::Break(());
            }
            // The word also stands deeper in a line, with values that nobody has judged.
            if raw == value {
                refused.clear();
                refused.extend_from_slice(value);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// The session ids that the first lines of a transcript name, each once. Every line of one has a
/// type; other files name sessions, too, such as the history of prompts.
pub fn session_ids(path: &Path, within: u64) -> io::Result<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    each_line(path, within, |line| {
        if let (Some(Value::Text(raw)), Some(Value::Text(_))) =
            (field(line, b"sessionId"), field(line, b"type"))
        {
            let id = unescape(raw);
            if !found.iter().any(|known| *known == id) {
                found.push(id.into_owned());
            }
        }
    })?;
    Ok(found)
}

fn each_line(path: &Path, within: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut reader = BufReader::new(files::open(path)?.take(within));
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        take(line.trim_ascii());
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
#[path = "resume_info_tests.rs"]
mod tests;
