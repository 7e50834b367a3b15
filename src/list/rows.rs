//! One row per session, however many files hold it.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::PathBuf;

use crate::store::{Hidden, Session};

/// A session, and the other files that hold the same id.
#[derive(Debug, Clone)]
pub struct Row {
    pub session: Session,
    pub copies: Vec<PathBuf>,
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
            row.copies.push(loser.stamp.path());
            row.copies.sort_unstable();
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
    /// only while that other one exists.
    pub fn settle(&mut self) {
        for row in &mut self.rows {
            let session = &mut row.session;
            let orphaned = session.hidden == Some(Hidden::Superseded)
                && session
                    .lite
                    .continued_in
                    .as_ref()
                    .is_some_and(|successor| !self.by_id.contains_key(successor));
            if orphaned {
                session.hidden = None;
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
