//! Which transcript is meant: by path, by id, by the beginning of an id, or by its exact title.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::bail;

use super::collect;
use super::prefix::with_prefix;
use crate::store::{Depth, FileState, list, readers};

/// How many candidates an error names.
const NAMED: usize = 10;

/// The transcript that is meant. One that fits several sessions is an error that names them.
pub fn find(wanted: &str, roots: &[PathBuf]) -> anyhow::Result<Option<PathBuf>> {
    let path = Path::new(wanted);
    let is_path = path.extension().is_some_and(|it| it == "jsonl") || wanted.contains('/');
    if is_path {
        return Ok(Some(path.to_owned()));
    }
    let listing = list(roots, readers(), &AtomicBool::new(false));
    let stamps = listing.stamps.into_iter();
    let fitting = with_prefix(
        stamps.filter(|stamp| stamp.state == FileState::File),
        wanted,
    );
    if fitting.len() > 1 {
        bail!(
            "{}",
            ambiguous(wanted, "begin with it", fitting.into_keys())
        );
    }
    // One id in several folders is one session: the newest file that holds anything stands for it.
    let files = fitting.into_values().flatten();
    match files.max_by_key(|stamp| (stamp.size > 0, stamp.modified)) {
        Some(stamp) => Ok(Some(stamp.path())),
        None => by_title(wanted, roots),
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
