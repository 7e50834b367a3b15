//! Which transcript is meant: by path, by id, by the beginning of an id, or by its exact title.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::bail;

use super::collect;
use super::prefix::{is_whole_id, with_prefix};
use crate::store::{Depth, FileState, Session, Stamp, list, readers};

/// How many candidates an error names.
const NAMED: usize = 10;

/// The transcript that is meant. What fits several sessions is an error that names them.
pub fn find(wanted: &str, roots: &[PathBuf]) -> anyhow::Result<Option<PathBuf>> {
    let path = Path::new(wanted);
    let is_path = path.extension().is_some_and(|it| it == "jsonl") || wanted.contains('/');
    if is_path {
        // A title may have a slash in it; a file that is there comes first.
        let titled = if path.exists() {
            Candidates::new()
        } else {
            titled(wanted, roots)?
        };
        let found = one_of(wanted, "have this title", titled)?;
        return Ok(found.or_else(|| Some(path.to_owned())));
    }
    let begun = begun(wanted, roots);
    if begun.len() == 1 && is_whole_id(wanted) {
        return one_of(wanted, "begin with it", begun);
    }
    let titled = titled(wanted, roots)?;
    let how = match (begun.is_empty(), titled.is_empty()) {
        (true, _) => "have this title",
        (_, true) => "begin with it",
        _ => "begin with it or have it as their title",
    };
    let both = begun.into_iter().chain(titled).collect();
    one_of(wanted, how, both)
}

/// Files by the ids of their sessions.
type Candidates = BTreeMap<String, PathBuf>;

/// The files of the sessions whose id begins so, one for each.
fn begun(wanted: &str, roots: &[PathBuf]) -> Candidates {
    let listing = list(roots, readers(), &AtomicBool::new(false));
    let stamps = listing.stamps.into_iter();
    let files = stamps.filter(|stamp| stamp.state == FileState::File);
    let newest = |(id, files): (String, Vec<Stamp>)| {
        // One id in several folders is one session: the newest file that holds anything stands for
        // it.
        let files = files.into_iter();
        let best = files.max_by_key(|stamp| (stamp.size > 0, stamp.modified))?;
        Some((id, best.path()))
    };
    with_prefix(files, wanted)
        .into_iter()
        .filter_map(newest)
        .collect()
}

/// The files of the sessions that have this title, in any case.
fn titled(wanted: &str, roots: &[PathBuf]) -> anyhow::Result<Candidates> {
    let (rows, _) = collect(roots, Depth::Candidates)?;
    let wanted = wanted.to_lowercase();
    let sessions = rows.iter().map(|row| &row.session);
    let has_title = |session: &&Session| {
        let title = session.lite.title();
        title.is_some_and(|(_, title)| title.to_lowercase() == wanted)
    };
    let named = sessions.filter(has_title).map(|session| {
        let id = session.stamp.id.to_lowercase();
        (id, session.stamp.path())
    });
    Ok(named.collect())
}

/// The only one of them, if there is one.
fn one_of(wanted: &str, how: &str, found: Candidates) -> anyhow::Result<Option<PathBuf>> {
    if found.len() > 1 {
        bail!("{}", ambiguous(wanted, how, found.into_keys()));
    }
    Ok(found.into_values().next())
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
