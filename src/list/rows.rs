//! One row per session, however many files hold it.
//!
//! A row keeps its place for life, so that the search and the screen, which know it by its place,
//! still mean the same session after others came, changed or went. Rows are shared, not copied:
//! the screen draws what the list holds.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::{Hidden, Session};

/// A session, and the other files that hold the same id.
#[derive(Debug, Clone)]
pub struct Row {
    pub session: Session,
    pub copies: Vec<Session>,
}

impl Row {
    /// The title as it is shown, or a text in its place.
    pub fn title(&self) -> Cow<'_, str> {
        self.session.meta.headline().unwrap_or("(no title)".into())
    }

    /// A session of which there is one file.
    pub fn new(session: Session) -> Self {
        let copies = Vec::new();
        Self { session, copies }
    }

    /// Every file that holds the session, the one that represents it first.
    pub fn files(&self) -> impl Iterator<Item = &Session> {
        std::iter::once(&self.session).chain(&self.copies)
    }
}

/// All rows, in the order in which the scan found them.
#[derive(Debug, Default)]
pub struct Rows {
    /// `None` where a row was removed.
    places: Vec<Option<Arc<Row>>>,
    by_id: HashMap<Box<str>, usize>,
    removed: usize,
    /// The config directory whose file represents a session if a copy is equally new.
    own_root: Option<PathBuf>,
}

impl Rows {
    /// No rows yet. A backup that was made with its times must not take over from the first of
    /// these roots, which is Claude Code's own.
    pub fn of_roots(roots: &[PathBuf]) -> Self {
        Self {
            own_root: roots.first().cloned(),
            ..Self::default()
        }
    }

    /// Adds a session and says at which place. If its id is known, the better of the two files
    /// becomes the row and the other one a copy: a file that can be shown beats one that cannot,
    /// then the newer wins.
    pub fn add(&mut self, session: Session) -> usize {
        if !is_unique(&session) {
            return self.push(session);
        }
        let known = self.by_id.get(&session.file.id).copied();
        let Some((at, row)) = known.and_then(|at| Some((at, self.places[at].as_mut()?))) else {
            let id = session.file.id.clone();
            let at = self.push(session);
            self.by_id.insert(id, at);
            return at;
        };
        // An empty file is what a crash left: beside any other file it does not count.
        if session.file.size == 0 {
            return at;
        }
        let row = Arc::make_mut(row);
        if row.session.file.size == 0 {
            row.session = session;
            return at;
        }
        let own_root = self.own_root.as_deref();
        let loser = if better(&session, &row.session, own_root) == Ordering::Greater {
            std::mem::replace(&mut row.session, session)
        } else {
            session
        };
        row.copies.push(loser);
        row.copies.sort_by_key(|copy| copy.file.path());
        at
    }

    /// Adds a session that may not be on disk any more. `None` for files that are no sessions: those
    /// may share a name.
    pub fn seed(&mut self, session: Session) -> Option<usize> {
        is_unique(&session).then(|| self.add(session))
    }

    /// Puts a session that was read again in the place of what was known of its file. Says at
    /// which place.
    pub fn replace(&mut self, session: Session) -> usize {
        let path = session.file.path();
        let Some(at) = self.find(&session.file.id, &path) else {
            return self.add(session);
        };
        if self.take(at, &path) {
            return self.add(session);
        }
        // A folder may have the name now, or a file where there was a folder.
        let id = session.file.id.clone();
        if is_unique(&session) {
            self.by_id.entry(id).or_insert(at);
        } else if self.by_id.get(&id) == Some(&at) {
            self.by_id.remove(&id);
        }
        self.places[at] = Some(Arc::new(Row::new(session)));
        at
    }

    /// Forgets a file. Says at which place something changed: the row is gone, or a copy of it
    /// has taken over.
    pub fn remove(&mut self, id: &str, path: &Path) -> Option<usize> {
        let at = self.find(id, path)?;
        if !self.take(at, path) {
            self.places[at] = None;
            self.removed += 1;
            if self.by_id.get(id) == Some(&at) {
                self.by_id.remove(id);
            }
        }
        Some(at)
    }

    /// To be called when the scan is over. A session that went on in another one is superseded
    /// only while that other one is shown or archived. Says which
    /// places changed.
    pub fn settle(&mut self) -> Vec<usize> {
        let is_orphan = |at: &usize| {
            self.get(*at)
                .is_some_and(|row| row.session.hidden == Some(Hidden::Superseded))
                && !self.has_successor(*at)
        };
        let orphans: Vec<usize> = (0..self.places.len()).filter(is_orphan).collect();
        for at in &orphans {
            if let Some(row) = &mut self.places[*at] {
                Arc::make_mut(row).session.hidden = None;
            }
        }
        orphans
    }

    /// Does the way from session to successor end in one that represents this conversation?
    fn has_successor(&self, mut at: usize) -> bool {
        let mut seen = HashSet::from([at]);
        loop {
            let successor = |at| self.get(at)?.session.meta.continued_in.as_ref();
            let next = successor(at).and_then(|id| self.by_id.get(id));
            let Some((next, row)) = next.and_then(|next| Some((*next, self.get(*next)?))) else {
                return false;
            };
            match row.session.hidden {
                None | Some(Hidden::Archived) => return next != at,
                Some(Hidden::Superseded) if seen.insert(next) => at = next,
                // A circle, or a file with nothing in it.
                Some(_) => return false,
            }
        }
    }

    /// The row at a place, unless it was removed.
    pub fn get(&self, at: usize) -> Option<&Arc<Row>> {
        self.places.get(at)?.as_ref()
    }

    /// The place of a session.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.places.iter().flatten().map(|row| &**row)
    }

    /// Every place that holds a row.
    pub fn places(&self) -> impl Iterator<Item = (usize, &Arc<Row>)> {
        let places = self.places.iter().enumerate();
        places.filter_map(|(at, row)| Some((at, row.as_ref()?)))
    }

    pub fn len(&self) -> usize {
        self.places.len() - self.removed
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn push(&mut self, session: Session) -> usize {
        self.places.push(Some(Arc::new(Row::new(session))));
        self.places.len() - 1
    }

    /// Where a file is, as a row or as a copy.
    fn find(&self, id: &str, path: &Path) -> Option<usize> {
        let holds = |row: &Row| {
            let mut files = row.files();
            files.any(|file| *file.file.id == *id && file.file.path() == path)
        };
        match self.by_id.get(id) {
            Some(at) if self.get(*at).is_some_and(|row| holds(row)) => Some(*at),
            // Files that are no sessions are not in the map.
            _ => self
                .places()
                .find(|(_, row)| *row.session.file.id == *id && holds(row))
                .map(|(at, _)| at),
        }
    }

    /// Takes a file out of its row; the best copy moves up. Is anything left of the row?
    fn take(&mut self, at: usize, path: &Path) -> bool {
        let Some(row) = &mut self.places[at] else {
            return false;
        };
        let row = Arc::make_mut(row);
        row.copies.retain(|copy| copy.file.path() != path);
        if row.session.file.path() != path {
            return true;
        }
        let own_root = self.own_root.as_deref();
        let copies = &row.copies;
        let best = (0..copies.len()).max_by(|a, b| better(&copies[*a], &copies[*b], own_root));
        if let Some(best) = best {
            row.session = row.copies.remove(best);
        }
        best.is_some()
    }
}

/// Files that are no sessions may share a name by chance.
fn is_unique(session: &Session) -> bool {
    session.hidden != Some(Hidden::NotASession) && !session.file.id.starts_with("agent-")
}

fn better(a: &Session, b: &Session, own_root: Option<&Path>) -> Ordering {
    let shown = |session: &Session| session.hidden.is_none();
    let is_own = |session: &Session| own_root == Some(&*session.file.project.root);
    shown(a)
        .cmp(&shown(b))
        .then_with(|| a.file.modified.cmp(&b.file.modified))
        .then_with(|| is_own(a).cmp(&is_own(b)))
        .then_with(|| a.file.path().cmp(&b.file.path()))
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
