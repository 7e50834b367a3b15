//! Which rows to show, and the count of those that are not.

use std::collections::{BTreeMap, HashSet};

use super::rows::{Row, Rows};
use super::scope::Scope;
use super::sort::Sort;
use crate::store::{Hidden, Millis};

/// The hidden kinds to show after all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Include(HashSet<Hidden>);

impl Include {
    pub fn new(kinds: impl IntoIterator<Item = Hidden>) -> Self {
        Self(kinds.into_iter().collect())
    }

    pub fn everything() -> Self {
        Self::new(Hidden::ALL)
    }

    /// Is any of these kinds to be shown?
    pub fn has_any(&self, kinds: &[Hidden]) -> bool {
        kinds.iter().any(|kind| self.0.contains(kind))
    }

    fn shows(&self, row: &Row) -> bool {
        row.session
            .hidden
            .is_none_or(|hidden| self.0.contains(&hidden))
    }
}

/// What a row must be like.
#[derive(Debug, Clone)]
pub struct Filter {
    pub scope: Scope,
    pub include: Include,
    /// Last activity at or after this.
    pub since: Option<Millis>,
    pub branch: Option<String>,
    pub tag: Option<String>,
    /// Part of the directory, or of the folder name where no directory is recorded.
    pub project: Option<String>,
    /// Beginnings of session ids; empty for any.
    pub ids: Vec<String>,
    /// The ids of the sessions that a search found, if there was one.
    pub found: Option<HashSet<String>>,
}

/// A part of the result. A limit of zero is no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageRange {
    pub offset: usize,
    pub limit: usize,
}

/// The rows of one page, and what became of all the others.
#[derive(Debug)]
pub struct SelectedRows<'a> {
    pub rows: Vec<&'a Row>,
    /// Rows that match but are on another page.
    pub other_pages: usize,
    /// Rows that match but are of a kind that is not shown.
    pub hidden: BTreeMap<Hidden, usize>,
    /// Rows that would be shown in a wider scope.
    pub elsewhere: usize,
    /// Rows that would be shown without the conditions.
    pub unmatched: usize,
}

impl SelectedRows<'_> {
    /// Everything that matches, shown or not.
    pub fn total(&self) -> usize {
        self.rows.len() + self.other_pages + self.hidden.values().sum::<usize>()
    }
}

impl Filter {
    /// Filters first, then sorts, then pages.
    pub fn select<'a>(&self, rows: &'a Rows, sort: Sort, page: PageRange) -> SelectedRows<'a> {
        let mut hidden = BTreeMap::new();
        let mut elsewhere = 0;
        let mut unmatched = 0;
        let mut shown: Vec<&Row> = Vec::new();
        for row in rows.iter() {
            let visible = self.include.shows(row);
            if !self.is_in_scope(row) {
                elsewhere += usize::from(visible && self.matches(row));
            } else if !self.matches(row) {
                unmatched += usize::from(visible);
            } else if visible {
                shown.push(row);
            } else if let Some(reason) = row.session.hidden {
                *hidden.entry(reason).or_insert(0) += 1;
            }
        }
        sort.arrange(&mut shown);
        let matching = shown.len();
        let limit = match page.limit {
            0 => usize::MAX,
            limit => limit,
        };
        let rows: Vec<&Row> = shown.into_iter().skip(page.offset).take(limit).collect();
        SelectedRows {
            other_pages: matching - rows.len(),
            rows,
            hidden,
            elsewhere,
            unmatched,
        }
    }

    /// A session belongs to a place if any of its copies does.
    fn is_in_scope(&self, row: &Row) -> bool {
        row.files().any(|session| self.scope.contains(session))
    }

    fn matches(&self, row: &Row) -> bool {
        let session = &row.session;
        let meta = &session.meta;
        let project = meta.cwd.as_deref().unwrap_or(&session.file.project.name);
        self.since
            .is_none_or(|since| session.last_activity() >= since)
            && equals(self.branch.as_deref(), meta.git_branch.as_deref())
            && equals(self.tag.as_deref(), meta.tag.as_deref())
            && self
                .project
                .as_deref()
                .is_none_or(|part| project.to_lowercase().contains(&part.to_lowercase()))
            && self
                .found
                .as_ref()
                .is_none_or(|found| found.contains(&*session.file.id))
            && (self.ids.is_empty() || self.ids.iter().any(|id| has_prefix(&session.file.id, id)))
    }
}

/// Names are compared without regard to case: two branches that differ only in it do not occur.
fn equals(wanted: Option<&str>, actual: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| {
        actual.is_some_and(|actual| actual.to_lowercase() == wanted.to_lowercase())
    })
}

pub fn has_prefix(id: &str, prefix: &str) -> bool {
    id.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
