//! What is known of the sessions on disk. Workers report it, every screen may read it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::list::{Row, Scope};
use crate::search::{RowId, Values};
use crate::store::{Registry, Trouble};

use super::families::Family;

#[derive(Debug, Default)]
pub struct Data {
    rows: Vec<Option<Arc<Row>>>,
    /// Rows of the cache whose files nobody has looked at yet: none of them is acted on.
    unchecked: HashSet<RowId>,
    /// The family of each row that has forks, by the number of the row.
    forks: Vec<Option<Family>>,
    pub running: Registry,
    pub names: Names,
    /// Names of the projects in the prompt history, newest first.
    pub prompt_projects: Vec<String>,
    pub here: Option<Here>,
    pub scan: Scan,
}

/// How far the scan is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Scan {
    /// Folders are being listed.
    #[default]
    Listing,
    Reading {
        read: usize,
        total: usize,
    },
    Over(Trouble),
}

/// The directory that the picker was started in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Here {
    pub kind: HereKind,
    /// Does any project folder belong to it?
    pub inhabited: bool,
    /// Has its repository more than one working tree?
    pub several_trees: bool,
    pub scope: Arc<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HereKind {
    Directory,
    Repository,
    /// The current directory is gone.
    Nowhere,
}

/// Names that can follow an operator, the most frequent first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    pub projects: Vec<String>,
    pub branches: Vec<String>,
    pub tags: Vec<String>,
    pub models: Vec<String>,
}

impl Data {
    /// Takes rows that came, changed or, where there is none, went.
    pub fn put_rows(&mut self, rows: Vec<(RowId, Option<Arc<Row>>)>) {
        if let Scan::Reading { read, total } = &mut self.scan {
            *read = (*read + rows.len()).min(*total);
        }
        for (id, row) in rows {
            if row.is_none() {
                self.unchecked.remove(&id);
            }
            put(&mut self.rows, id, row);
        }
    }

    pub fn put_unchecked(&mut self, rows: Vec<RowId>) {
        self.unchecked.extend(rows);
    }

    pub fn put_checked(&mut self, rows: &[RowId]) {
        for row in rows {
            self.unchecked.remove(row);
        }
    }

    pub fn is_unchecked(&self, row: RowId) -> bool {
        self.unchecked.contains(&row)
    }

    /// The same for a row without its number.
    pub fn is_row_unchecked(&self, row: &Row) -> bool {
        let id = &row.session.file.id;
        let mut unchecked = self.unchecked.iter();
        unchecked.any(|at| self.row(*at).is_some_and(|it| it.session.file.id == *id))
    }

    /// Takes the families of forks. A row that is alone in its family has none.
    pub fn put_forks(&mut self, members: &[(RowId, Family)]) {
        self.forks.clear();
        for (row, family) in members {
            put(&mut self.forks, *row, Some(*family));
        }
    }

    pub fn row(&self, id: RowId) -> Option<&Arc<Row>> {
        self.rows.get(id.0 as usize)?.as_ref()
    }

    /// The family that a row and its forks make.
    pub fn forks_of(&self, id: RowId) -> Option<Family> {
        *self.forks.get(id.0 as usize)?
    }

    pub fn has_forks(&self) -> bool {
        !self.forks.is_empty()
    }

    /// The row of a session.
    pub fn find(&self, session: &str) -> Option<RowId> {
        let is_it = |row: &Option<Arc<Row>>| {
            row.as_ref()
                .is_some_and(|row| &*row.session.file.id == session)
        };
        let at = self.rows.iter().position(is_it)?;
        Some(RowId(u32::try_from(at).ok()?))
    }

    /// The row of a session, if it may be acted on.
    pub fn find_checked(&self, session: &str) -> Option<RowId> {
        self.find(session).filter(|row| !self.is_unchecked(*row))
    }

    pub fn is_scanned(&self) -> bool {
        matches!(self.scan, Scan::Over(_))
    }

    /// The name of the scope around the current directory; nothing if that is gone. Before git has
    /// answered it counts as a repository.
    pub fn here_words(&self) -> Option<&'static str> {
        match self
            .here
            .as_ref()
            .map_or(HereKind::Repository, |here| here.kind)
        {
            HereKind::Directory => Some("this directory"),
            HereKind::Repository => Some("this repo"),
            HereKind::Nowhere => None,
        }
    }

    /// What operators can be completed with.
    pub fn values(&self) -> Values<'_> {
        Values {
            projects: &self.names.projects,
            branches: &self.names.branches,
            tags: &self.names.tags,
            models: &self.names.models,
        }
    }
}

/// Puts something at the number of a row.
fn put<T: Clone>(all: &mut Vec<Option<T>>, row: RowId, item: Option<T>) {
    let at = row.0 as usize;
    if at >= all.len() {
        all.resize(at + 1, None);
    }
    all[at] = item;
}
