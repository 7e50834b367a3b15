//! What a compaction does to the links: it cuts them, and may preserve some messages from before.

use std::collections::HashSet;

use super::index::Index;
use super::link::{Boundary, PreservedSegment};
use super::parents::{Linking, Parents};

/// What the last compaction preserved.
#[derive(Debug, PartialEq, Eq)]
pub enum Preservation {
    None,
    /// These messages, oldest first, come after the anchor.
    Kept {
        anchor: usize,
        messages: Vec<usize>,
    },
    /// It names messages that are not all there.
    Broken {
        boundary: usize,
        /// The last entry before the compaction.
        before: Option<usize>,
    },
}

pub fn preservation(index: &Index, parents: &Parents, linking: Linking) -> Preservation {
    let Some(at) = index.last_boundary else {
        return Preservation::None;
    };
    let boundary = match index.links()[at].boundary.as_deref() {
        Some(boundary) if boundary.has_preserved() => boundary,
        _ => return Preservation::None,
    };
    let listed = || listed(index, boundary);
    let segment = || segment(index, parents, boundary.segment.as_ref()?);
    let found = match (linking, &boundary.messages, &boundary.segment) {
        // The SDK looks at the list only where no segment is named.
        (Linking::Sdk, _, Some(_)) | (_, None, _) => segment(),
        _ => listed(),
    };
    match found {
        Some((anchor, messages)) => Preservation::Kept { anchor, messages },
        None => Preservation::Broken {
            boundary: at,
            before: boundary.logical_parent.and_then(|id| index.position(id)),
        },
    }
}

/// The last entry before the compaction that an entry begins: a boundary names it. Where that one
/// is not in this file, and in version 1.0, which wrote no boundary, it is the last message in
/// front of the compaction.
pub fn before(index: &Index, at: usize) -> Option<usize> {
    let link = &index.links()[at];
    let named = match &link.boundary {
        Some(boundary) => boundary.logical_parent.and_then(|id| index.position(id)),
        None if link.is_compact_summary && link.parent.is_none() => None,
        None => return None,
    };
    let in_front = || {
        let earlier = &index.links()[..at];
        earlier
            .iter()
            .rposition(|link| link.entry.is_message() && !link.is_sidechain)
    };
    named.or_else(in_front)
}

fn listed(index: &Index, boundary: &Boundary) -> Option<(usize, Vec<usize>)> {
    let listed = boundary.messages.as_ref()?;
    let messages: Option<Vec<usize>> = listed.ids.iter().map(|id| index.position(*id)).collect();
    Some((index.position(listed.anchor)?, messages?))
}

/// The entries from the head to the tail, if the way up from the tail leads to the head.
fn segment(
    index: &Index,
    parents: &Parents,
    segment: &PreservedSegment,
) -> Option<(usize, Vec<usize>)> {
    let head = index.position(segment.head)?;
    let mut at = index.position(segment.tail)?;
    let mut messages = vec![at];
    let mut seen = HashSet::from([at]);
    while at != head {
        at = parents.of(at)?;
        if !seen.insert(at) {
            return None;
        }
        messages.push(at);
    }
    messages.reverse();
    Some((index.position(segment.anchor)?, messages))
}
