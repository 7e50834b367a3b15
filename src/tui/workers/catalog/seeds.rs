//! The first rows: those of the cache, shown before anything on disk was looked at.
//!
//! A row is unchecked until each of its files was looked at, by the scan, after a change on disk, or
//! because something is to be done with it. The screen hears that a row is unchecked before it gets
//! the row, and that it was checked after it got what has changed. The search in conversations does
//! not hear of it in between.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, Weak};

use super::{Catalog, fingerprint, lock};
use crate::cache;
use crate::content::ContentRequest;
use crate::list::Row;
use crate::search::RowId;
use crate::store::{FileInfo, Session, TooManyOpen, rescan};
use crate::tui::request::CheckRequest;
use crate::tui::workers::{FirstRows, Outbox};
use crate::tui::{Message, Notice};

/// What came from the cache.
#[derive(Debug, Default)]
pub struct Seeds {
    /// The files of all seeds: until the scan is over, one of them that comes is no further copy.
    all: HashSet<u64>,
    /// Those that nobody has looked at yet.
    unchecked: HashSet<u64>,
    /// Empty files that the scan has found. They do not count beside another file with their id, and
    /// whether there is one is known at its end.
    empty: Vec<Session>,
    /// The places of the rows that the screen takes for unchecked.
    rows: BTreeSet<usize>,
}

impl Seeds {
    /// Is it a file whose row came from the cache?
    pub fn contains(&self, file: &FileInfo) -> bool {
        !self.all.is_empty() && self.all.contains(&fingerprint(file))
    }

    pub fn has_row(&self, row: RowId) -> bool {
        usize::try_from(row.0).is_ok_and(|at| self.rows.contains(&at))
    }

    /// Somebody has looked at a file.
    pub fn check(&mut self, file: u64) {
        self.unchecked.remove(&file);
    }

    /// The scan is over. Returns the files that nobody has looked at, which are not there or cannot
    /// be looked at, and the empty files that were put off.
    pub fn end(&mut self) -> (HashSet<u64>, Vec<Session>) {
        self.all.clear();
        let unchecked = std::mem::take(&mut self.unchecked);
        (unchecked, std::mem::take(&mut self.empty))
    }

    /// The rows that are not unchecked any more, each of them once.
    fn take_checked<'a>(&mut self, row: impl Fn(usize) -> Option<&'a Arc<Row>>) -> Vec<usize> {
        let unchecked = &self.unchecked;
        let is_checked = |at: &usize| {
            let mut files = row(*at).into_iter().flat_map(|row| row.files());
            !files.any(|session| unchecked.contains(&fingerprint(&session.file)))
        };
        let checked: Vec<usize> = self.rows.iter().copied().filter(is_checked).collect();
        self.rows.retain(|at| checked.binary_search(at).is_err());
        checked
    }
}

impl Catalog {
    /// Shows what an earlier scan has left in the cache.
    pub(super) fn seed(&mut self) {
        let Some(base) = self.sources.cache.as_deref() else {
            return;
        };
        if self.sources.first_rows != FirstRows::Cache || self.sources.only.is_some() {
            return;
        }
        let scope = &self.repository.scope;
        let is_near = |folder: &str| scope.may_be_near(folder);
        let sessions = cache::seeds(base, &self.sources.roots, is_near);
        for session in sessions {
            let file = fingerprint(&session.file);
            if let Some(at) = self.rows.seed(session) {
                self.seeds.all.insert(file);
                self.seeds.unchecked.insert(file);
                self.seeds.rows.insert(at);
            }
        }
        let places: Vec<usize> = self.seeds.rows.iter().copied().collect();
        self.tell(Message::Unchecked(ids(&places)));
        // Before they are shown: none of them goes into a family before the eyes of the user.
        self.relate();
        self.publish(places);
    }

    /// Puts an empty file off to the end of the scan, if a row of the cache may be in its way.
    /// Returns it if none is.
    pub(super) fn put_off(
        &mut self,
        session: Session,
        changed: &mut Vec<usize>,
    ) -> Option<Session> {
        if session.file.size > 0 || self.seeds.all.is_empty() {
            return Some(session);
        }
        let file = &session.file;
        if self.seeds.contains(file) {
            changed.extend(self.rows.remove(&file.id, &file.path()));
        }
        self.seeds.empty.push(session);
        None
    }

    /// Is this file known exactly as it is now?
    pub(super) fn is_known(&self, session: &Session) -> bool {
        let at = self.rows.position(&session.file.id);
        let known = at.and_then(|at| self.rows.get(at));
        known.is_some_and(|row| {
            let mut files = row.files();
            files.any(|known| is_same(known, session))
        })
    }

    /// Tells which rows were checked in the meantime.
    pub(super) fn tell_checked(&mut self) {
        if self.seeds.rows.is_empty() {
            return;
        }
        let mut checked = self.seeds.take_checked(|at| self.rows.get(at));
        checked.retain(|at| self.rows.get(*at).is_some());
        if checked.is_empty() {
            return;
        }
        let ids = ids(&checked);
        let rows = checked.iter().zip(&ids);
        let rows = rows.map(|(at, id)| (*id, self.rows.get(*at).cloned()));
        self.content.send(ContentRequest::Rows(rows.collect()));
        self.tell(Message::Checked(ids));
    }

    /// Takes what was found where the files of a row had been.
    fn take_check(&mut self, found: Vec<(FileInfo, Option<Session>)>) {
        let mut places = Vec::new();
        for (file, session) in found {
            self.saw(&file);
            places.extend(self.rows.position(&file.id));
            match session {
                Some(session) if self.is_known(&session) => {}
                Some(session) => places.push(self.rows.replace(session)),
                None => places.extend(self.rows.remove(&file.id, &file.path())),
            }
        }
        self.publish(places);
        self.relate();
    }
}

/// Looks at the files of a row, and waits for the catalog only if it has to take something.
pub fn check(request: &CheckRequest, catalog: &Weak<Mutex<Catalog>>, outbox: &Outbox) {
    let mut found = Vec::new();
    let mut has_changed = false;
    for known in request.what.files() {
        let file = &known.file;
        match rescan(&file.project.root, &file.project.dir, &file.id) {
            Ok(session) => {
                has_changed |= session.as_ref().is_none_or(|it| !is_same(known, it));
                found.push((file.clone(), session));
            }
            Err(TooManyOpen(path)) => {
                let text = format!("{}: too many open files", path.display());
                return outbox.tell(Message::Tell(Notice::Trouble(text)));
            }
        }
    }
    if !has_changed {
        return outbox.tell(Message::Checked(vec![request.row]));
    }
    if let Some(catalog) = catalog.upgrade() {
        lock(&catalog).take_check(found);
    }
}

/// Is this the same session in the same version of the same file?
fn is_same(known: &Session, session: &Session) -> bool {
    known.file.version() == session.file.version()
        && known.file.has_folder == session.file.has_folder
        && known.hidden == session.hidden
        && known.meta == session.meta
        && known.file.path() == session.file.path()
}

fn ids(places: &[usize]) -> Vec<RowId> {
    let ids = places.iter().map(|at| u32::try_from(*at));
    ids.filter_map(|id| id.ok().map(RowId)).collect()
}

#[cfg(test)]
#[path = "seeds_tests.rs"]
mod tests;
