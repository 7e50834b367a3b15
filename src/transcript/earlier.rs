//! What was said before a compaction: in this file, or in the one that it continues.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::chain::Chain;
use super::compaction::before;
use super::index::Index;
use super::link::EntryId;
use super::load::{LoadExtent, for_each_block, load};
use crate::files;

/// A conversation before a compaction, and its file.
#[derive(Debug)]
pub struct Earlier {
    pub path: PathBuf,
    pub index: Index,
    pub chain: Chain,
}

impl Earlier {
    /// Without what a later conversation has kept: a compaction may take messages along, and
    /// a view of both shows them once.
    #[must_use]
    pub fn without(mut self, later: &Chain, in_index: &Index) -> Self {
        let kept: HashSet<EntryId> = later.links(in_index).map(|link| link.id).collect();
        let links = self.index.links();
        self.chain
            .entries
            .retain(|at| !kept.contains(&links[*at].id));
        self
    }
}

/// Where the part before a conversation is.
#[derive(Debug)]
pub enum EarlierPart {
    /// The conversation begins at its beginning.
    Complete,
    Found(Box<Earlier>),
    /// There was something, and it is in no file any more.
    Gone,
}

/// Looks for what lies before `chain`: in its own file first, then in the other files of its folder.
pub fn earlier(path: &Path, index: &Index, chain: &Chain) -> io::Result<EarlierPart> {
    let links = index.links();
    let compacted = chain
        .entries
        .iter()
        .find(|at| links[**at].boundary.is_some() || links[**at].is_compact_summary);
    let Some(&at) = compacted else {
        return Ok(EarlierPart::Complete);
    };
    let whole = load(path, LoadExtent::Everything)?;
    let named = links[at].boundary.as_ref();
    if let Some(last) = named.and_then(|boundary| boundary.logical_parent)
        && whole.position(last).is_none()
        && let Some(found) = in_another_file(path, last)?
    {
        return Ok(found);
    }
    // The place of an entry differs between the two loads of a large file, its id does not.
    let last = whole
        .position(links[at].id)
        .and_then(|at| before(&whole, at));
    let Some(last) = last.map(|last| whole.links()[last].id) else {
        return Ok(EarlierPart::Gone);
    };
    Ok(found(path, whole, last))
}

fn in_another_file(path: &Path, last: EntryId) -> io::Result<Option<EarlierPart>> {
    for other in transcripts_beside(path)? {
        // A file that vanished or cannot be read is not the one.
        if mentions(&other, last).unwrap_or(false)
            && let Ok(index) = load(&other, LoadExtent::Everything)
            && index.position(last).is_some()
        {
            return Ok(Some(found(&other, index, last)));
        }
    }
    Ok(None)
}

fn found(path: &Path, index: Index, last: EntryId) -> EarlierPart {
    let chain = Chain::before_compaction(&index, last);
    EarlierPart::Found(Box::new(Earlier {
        path: path.to_owned(),
        index,
        chain,
    }))
}

fn transcripts_beside(path: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut others = Vec::new();
    for entry in fs::read_dir(folder)? {
        let other = entry?.path();
        let is_transcript = other.extension().is_some_and(|it| it == "jsonl");
        if is_transcript && other.file_name() != path.file_name() && other.is_file() {
            others.push(other);
        }
    }
    others.sort();
    Ok(others)
}

/// Does the file contain the id? Cheaper than loading it, and nearly always no.
fn mentions(path: &Path, id: EntryId) -> io::Result<bool> {
    let wanted = id.hyphenated();
    let finder = memmem::Finder::new(&wanted);
    let mut is_found = false;
    for_each_block(files::open(path)?, |lines, _| {
        is_found = is_found || finder.find(lines).is_some();
    })?;
    Ok(is_found)
}
