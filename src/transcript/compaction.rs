//! What a compaction does to the links: it cuts them, and may keep some messages from before.

use std::collections::HashSet;

use super::chain::Parents;
use super::index::Index;
use super::link::Preserved;

/// Puts the messages that the last compaction preserved behind its anchor. If what it names is
/// not all there, the compaction is undone instead: the whole conversation before it comes back
/// rather than losing a part, and its summary falls away.
pub fn relink(index: &Index, parents: &mut Parents) {
    let Some(at) = index.last_boundary else {
        return;
    };
    let Some(boundary) = index.links()[at].boundary.as_deref() else {
        return;
    };
    let Some(preserved) = &boundary.preserved else {
        return;
    };
    if let Some((anchor, kept)) = chosen(index, parents, preserved) {
        splice(parents, anchor, &kept);
        return;
    }
    let before = boundary.logical_parent.and_then(|id| index.position(id));
    parents.undo(at, before);
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

/// The anchor and the preserved entries in order, if all of them are there.
fn chosen(index: &Index, parents: &Parents, preserved: &Preserved) -> Option<(usize, Vec<usize>)> {
    match preserved {
        Preserved::Messages { anchor, ids } => {
            let kept: Option<Vec<usize>> = ids.iter().map(|id| index.position(*id)).collect();
            Some((index.position(*anchor)?, kept?))
        }
        Preserved::Segment { anchor, head, tail } => {
            let head = index.position(*head)?;
            let mut at = index.position(*tail)?;
            let mut kept = vec![at];
            let mut seen = HashSet::from([at]);
            while at != head {
                at = parents.of(at)?;
                if !seen.insert(at) {
                    return None;
                }
                kept.push(at);
            }
            kept.reverse();
            Some((index.position(*anchor)?, kept))
        }
    }
}

/// Hangs the kept entries behind the anchor, and what hung there behind the last of them.
fn splice(parents: &mut Parents, anchor: usize, kept: &[usize]) {
    let (Some(&head), Some(&tail)) = (kept.first(), kept.last()) else {
        return;
    };
    if kept.contains(&anchor) {
        return;
    }
    let inside: HashSet<usize> = kept.iter().copied().collect();
    for child in 0..parents.len() {
        if parents.of(child) == Some(anchor) && !inside.contains(&child) {
            parents.set(child, Some(tail));
        }
    }
    parents.set(head, Some(anchor));
    for pair in kept.windows(2) {
        parents.set(pair[1], Some(pair[0]));
    }
}
