//! The order of rows in `list`. The picker sorts in `search`, and for titles by folded text.

use std::cmp::{Ordering, Reverse};

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
    /// Puts rows in order. Ties are settled by activity, then by id, descending, so that two runs
    /// agree.
    pub fn arrange(self, rows: &mut [&Row]) {
        rows.sort_by(|a, b| by_activity(a, b));
        match self {
            Self::Activity => {}
            // Without a known beginning a session comes last.
            Self::Created => rows.sort_by_key(|row| Reverse(row.session.meta.created)),
            Self::Size => rows.sort_by_key(|row| Reverse(row.session.file.size)),
            Self::Title => rows.sort_by_cached_key(|row| title(row)),
        }
    }
}

fn by_activity(a: &Row, b: &Row) -> Ordering {
    let activity = |row: &Row| row.session.last_activity();
    activity(b)
        .cmp(&activity(a))
        .then_with(|| b.session.file.id.cmp(&a.session.file.id))
}

/// Sessions without a title come after those with one. Accents count here, but not in the picker:
/// folding belongs to `search`, which uses this room.
fn title(row: &Row) -> (bool, String) {
    match row.session.meta.headline() {
        Some(title) => (false, title.to_lowercase()),
        None => (true, String::new()),
    }
}
