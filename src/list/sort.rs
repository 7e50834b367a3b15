//! The order of rows.

use std::cmp::Ordering;

use super::rows::Row;

/// What rows are sorted by. Newest, largest or first in the alphabet comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    #[default]
    Activity,
    Created,
    Size,
    Title,
}

impl Sort {
    /// A total order: ties are settled by activity, then by id, so that two runs agree.
    pub fn compare(self, a: &Row, b: &Row) -> Ordering {
        let first = match self {
            Self::Activity => Ordering::Equal,
            // Without a known beginning a session comes last.
            Self::Created => b.session.lite.created.cmp(&a.session.lite.created),
            Self::Size => b.session.stamp.size.cmp(&a.session.stamp.size),
            Self::Title => title(a).cmp(&title(b)),
        };
        first
            .then_with(|| b.session.last_activity().cmp(&a.session.last_activity()))
            .then_with(|| b.session.stamp.id.cmp(&a.session.stamp.id))
    }
}

/// Sessions without a title come after those with one.
fn title(row: &Row) -> (bool, String) {
    match row.session.lite.title() {
        Some((_, title)) => (false, title.to_lowercase()),
        None => (true, String::new()),
    }
}
