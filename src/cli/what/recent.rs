//! Sessions by when they were last used: `-c`, `--last N` and `-`.

use std::path::{Path, PathBuf};

use super::{Meant, Reach, Store, seen};
use crate::cli::{collect, complain};
use crate::list::{Row, Scope, Sort};
use crate::store::{ScanDepth, is_running, running, worktrees};

/// How many sessions that went on elsewhere are named.
const TOLD: usize = 3;

impl Store<'_> {
    /// The session that was used `nth` last in the scope, those that run now left out.
    pub fn recent(self, nth: usize, reach: Reach) -> anyhow::Result<Meant> {
        let (rows, _) = collect(self.roots, ScanDepth::Candidates)?;
        let mut trees = Vec::new();
        let scope = match &self.surroundings.current_dir {
            _ if reach == Reach::Everywhere => Scope::Everything,
            Some(here) => {
                trees = worktrees(here);
                Scope::repository(trees.clone(), here.clone())
            }
            None => {
                let gone = "the directory you are in is gone: --all looks everywhere";
                return Ok(Meant::NoSession(gone.to_owned()));
            }
        };
        let live = running(self.roots, is_running);
        let mut near: Vec<&Row> = rows
            .iter()
            .filter(|row| row.session.hidden.is_none())
            .filter(|row| row.files().any(|session| scope.contains(session)))
            .filter(|row| live.of(&row.session).is_none())
            .collect();
        Sort::Activity.arrange(&mut near);
        // Of a session that went on elsewhere only an old copy is here: it would lead away from here.
        let (fitting, away): (Vec<&Row>, Vec<&Row>) = near
            .into_iter()
            .partition(|row| scope.contains(&row.session));
        // Only what could be taken is looked up on disk.
        let fitting = fitting.into_iter().filter(|row| !is_enclosed(row, &trees));
        let fitting: Vec<&Row> = fitting.take(nth.max(1)).collect();
        let found = fitting.get(nth.saturating_sub(1));
        let since = found.map(|row| row.session.last_activity());
        let newer = |row: &&&Row| since.is_none_or(|since| row.session.last_activity() >= since);
        let newer: Vec<&&Row> = away.iter().filter(newer).collect();
        for row in newer.iter().take(TOLD) {
            tell_away(row);
        }
        if let more @ 1.. = newer.len().saturating_sub(TOLD) {
            complain(&format!("and {more} more that went on elsewhere"));
        }
        if let Some(row) = found {
            return Ok(Meant::One(Box::new(seen(row))));
        }
        if let Some(why) = self.no_store() {
            return Ok(Meant::NoSession(why));
        }
        let place = scope.label();
        Ok(Meant::NoSession(match fitting.len() {
            0 => format!("no session in {place} that is not running: --all looks everywhere"),
            1 => format!("only 1 session in {place} that is not running"),
            count => format!("only {count} sessions in {place} that are not running"),
        }))
    }
}

/// Does it belong to another repository that lies inside one of these working trees?
fn is_enclosed(row: &Row, trees: &[PathBuf]) -> bool {
    let cwd = row.session.meta.cwd.as_deref().map(Path::new);
    let is_top = |folder: &&Path| folder.join(".git").exists();
    let top = cwd.and_then(|cwd| cwd.ancestors().find(is_top));
    top.is_some_and(|top| {
        let lies_in = |tree: &PathBuf| is_top(&tree.as_path()) && top.starts_with(tree);
        trees.iter().any(lies_in) && trees.iter().all(|tree| tree != top)
    })
}

fn tell_away(row: &Row) {
    let session = &row.session;
    complain(&format!(
        "{id} went on in {}, and only a copy of it is here: `claude-resume {id}` goes there",
        session.meta.cwd.as_deref().unwrap_or("another project"),
        id = session.file.id,
    ));
}
