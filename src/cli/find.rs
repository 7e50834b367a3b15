//! Which transcript is meant: by path, by id, by the beginning of an id, or by its exact title.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::bail;

use super::collect;
use super::what::id_of_old;
use crate::list::has_prefix;
use crate::store::{Depth, FileState, Stamp, list, readers};

/// How many candidates an error names.
const NAMED: usize = 10;

/// The transcript that is meant. One that fits several sessions is an error that names them.
pub fn find(wanted: &str, roots: &[PathBuf]) -> anyhow::Result<Option<PathBuf>> {
    let path = Path::new(wanted);
    let is_path = path.extension().is_some_and(|it| it == "jsonl") || wanted.contains('/');
    if is_path {
        return Ok(Some(path.to_owned()));
    }
    // Names are enough for an id: no file is opened.
    let listing = list(roots, readers(), &AtomicBool::new(false));
    let mut by_id: Vec<&Stamp> = listing
        .stamps
        .iter()
        .filter(|stamp| stamp.state == FileState::File && has_prefix(&stamp.id, wanted))
        .collect();
    // One id in several folders is one session: the newest file that holds anything stands for it.
    by_id.sort_by(|a, b| {
        let rank = |stamp: &Stamp| (stamp.size > 0, stamp.modified);
        a.id.cmp(&b.id).then_with(|| rank(b).cmp(&rank(a)))
    });
    by_id.dedup_by(|later, first| later.id == first.id);
    match by_id.as_slice() {
        [] => {
            let mut files = listing.stamps.iter();
            let old = files
                .find(|stamp| stamp.state == FileState::File && id_of_old(stamp, wanted).is_some());
            match old {
                Some(stamp) => Ok(Some(stamp.path())),
                None => by_title(wanted, roots),
            }
        }
        [stamp] => Ok(Some(stamp.path())),
        several => {
            let ids = several.iter().map(|stamp| stamp.id.to_string());
            bail!("{}", ambiguous(wanted, "begin with it", ids))
        }
    }
}

fn by_title(wanted: &str, roots: &[PathBuf]) -> anyhow::Result<Option<PathBuf>> {
    let (rows, _) = collect(roots, Depth::Candidates)?;
    let wanted_title = wanted.to_lowercase();
    let has_title = |title: &str| title.to_lowercase() == wanted_title;
    let titled: Vec<_> = rows
        .iter()
        .map(|row| &row.session)
        .filter(|session| {
            let title = session.lite.title();
            title.is_some_and(|(_, title)| has_title(title))
        })
        .collect();
    match titled.as_slice() {
        [] => Ok(None),
        [session] => Ok(Some(session.stamp.path())),
        several => {
            let ids = several.iter().map(|session| session.stamp.id.to_string());
            bail!("{}", ambiguous(wanted, "have this title", ids))
        }
    }
}

fn ambiguous(wanted: &str, how: &str, ids: impl ExactSizeIterator<Item = String>) -> String {
    let count = ids.len();
    let named: Vec<String> = ids.take(NAMED).collect();
    let more = match count.saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{wanted}: {count} sessions {how}: {}{more}",
        named.join(", ")
    )
}
