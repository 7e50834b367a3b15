//! Sessions by when they were last used: `-c`, `--last N` and `-`.

use std::path::{Path, PathBuf};

use super::{Target, found};
use crate::cli::surroundings::Surroundings;
use crate::cli::{collect, complain, counted};
use crate::list::{Row, Scope, Sort};
use crate::store::{ScanDepth, is_running, running, worktrees};
use crate::tui::Reach;

/// The most sessions that are named because they continued elsewhere.
const NAMED: usize = 3;

impl Surroundings {
    /// The `nth` most recent session in the scope that is not running.
    pub fn recent(&self, nth: usize, reach: Reach) -> Target {
        let (rows, _) = collect(self, ScanDepth::Candidates);
        let mut trees = Vec::new();
        let scope = match &self.current_dir {
            _ if reach == Reach::All => Scope::Everything,
            Some(here) => {
                trees = worktrees(here);
                Scope::repository(trees.clone(), here.clone())
            }
            None => {
                let gone = "the current directory is gone: use --all to look everywhere";
                return Target::NoSession(gone.to_owned());
            }
        };
        let live = running(&self.roots, is_running);
        let mut near: Vec<&Row> = rows
            .iter()
            .filter(|row| row.session.hidden.is_none())
            .filter(|row| row.files().any(|session| scope.contains(session)))
            .filter(|row| live.of(&row.session).is_none())
            .collect();
        Sort::Activity.arrange(&mut near);
        // A session that continued elsewhere left only an old copy here, and resuming it would
        // lead away from here.
        let (fitting, away): (Vec<&Row>, Vec<&Row>) = near
            .into_iter()
            .partition(|row| scope.contains(&row.session));
        // The disk is read only for rows that could be taken.
        let fitting = fitting.into_iter().filter(|row| !is_enclosed(row, &trees));
        let fitting: Vec<&Row> = fitting.take(nth.max(1)).collect();
        let taken = fitting.get(nth.saturating_sub(1));
        let since = taken.map_or(i64::MIN, |row| row.session.last_activity());
        let newer = away
            .iter()
            .filter(|row| row.session.last_activity() >= since);
        for Row { session, .. } in newer.take(NAMED) {
            complain(&format!(
                "{id} continued in {}. To resume it there, run `claude-resume {id}`",
                session.meta.cwd.as_deref().unwrap_or("another project"),
                id = session.file.id,
            ));
        }
        if let Some(row) = taken {
            return Target::One(Box::new(found(row)));
        }
        if let Some(why) = self.no_store() {
            return Target::NoSession(why);
        }
        let place = scope.label();
        Target::NoSession(match fitting.len() {
            0 => format!(
                "no session in {place} can be resumed (none, or all running). Use --all to look everywhere"
            ),
            count => format!(
                "only {} in {place} can be resumed: use a smaller N, or --all",
                counted(count, "session")
            ),
        })
    }
}

/// Does it belong to another repository inside one of these working trees?
fn is_enclosed(row: &Row, trees: &[PathBuf]) -> bool {
    let cwd = row.session.meta.cwd.as_deref().map(Path::new);
    let top = cwd.and_then(|cwd| cwd.ancestors().find(|dir| dir.join(".git").exists()));
    top.is_some_and(|top| {
        let is_tree = trees.iter().any(|tree| tree == top);
        !is_tree && trees.iter().any(|tree| top.starts_with(tree))
    })
}
