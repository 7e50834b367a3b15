//! One row per session, however many files hold it.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::store::{Hidden, Session};

/// A session, and the other files that hold the same id.
#[derive(Debug, Clone)]
pub struct Row {
    pub session: Session,
    pub copies: Vec<Session>,
}

/// All rows, in the order in which the scan found them.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    by_id: HashMap<Box<str>, usize>,
}

impl Rows {
    /// Adds a session. If its id is known, the better of the two files becomes the row and the
    /// other one a copy: a file that can be shown beats one that cannot, then the newer wins.
    pub fn add(&mut self, session: Session) {
        // Files that are no sessions may share a name by chance.
        let is_session =
            session.hidden != Some(Hidden::NotASession) && !session.stamp.id.starts_with("agent-");
        if is_session && let Some(&at) = self.by_id.get(&session.stamp.id) {
            let row = &mut self.rows[at];
            let loser = if better(&session, &row.session) == Ordering::Greater {
                std::mem::replace(&mut row.session, session)
            } else {
                session
            };
            row.copies.push(loser);
            row.copies.sort_by_key(|copy| copy.stamp.path());
            return;
        }
        if is_session {
            self.by_id.insert(session.stamp.id.clone(), self.rows.len());
        }
        self.rows.push(Row {
            session,
            copies: Vec::new(),
        });
    }

    /// To be called when the scan is over. A session that went on in another one is superseded
    /// only while the person can get at that other one, or put it away themselves.
    pub fn settle(&mut self) {
        let orphans: Vec<usize> = (0..self.rows.len())
            .filter(|at| self.rows[*at].session.hidden == Some(Hidden::Superseded))
            .filter(|at| !self.has_successor(*at))
            .collect();
        for at in orphans {
            self.rows[at].session.hidden = None;
        }
    }

    /// Does the way from session to successor end in one that stands for this conversation?
    fn has_successor(&self, mut at: usize) -> bool {
        let mut seen = HashSet::from([at]);
        loop {
            let successor = self.rows[at].session.lite.continued_in.as_ref();
            let Some(&next) = successor.and_then(|id| self.by_id.get(id)) else {
                return false;
            };
            match self.rows[next].session.hidden {
                None | Some(Hidden::Archived) => return next != at,
                Some(Hidden::Superseded) if seen.insert(next) => at = next,
                // A circle, or a file with nothing in it.
                Some(_) => return false,
            }
        }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Row> {
        self.rows.iter()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = &'a Row;
    type IntoIter = std::slice::Iter<'a, Row>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn better(a: &Session, b: &Session) -> Ordering {
    let shown = |session: &Session| session.hidden.is_none();
    shown(a)
        .cmp(&shown(b))
        .then_with(|| a.stamp.modified.cmp(&b.stamp.modified))
        .then_with(|| a.stamp.path().cmp(&b.stamp.path()))
}
