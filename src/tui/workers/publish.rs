//! What the screen and the search are told about rows that changed.

use std::sync::Arc;

use crate::list::{Distance, Row, Rows, Scope};
use crate::search::{Document, RowContext, RowId};
use crate::store::Registry;

/// Rows that changed, for the screen, and the same for the search.
#[derive(Debug, Default)]
pub struct Published {
    /// `None` where a row is gone.
    pub rows: Vec<(RowId, Option<Arc<Row>>)>,
    pub put: Vec<(RowId, Document)>,
    pub gone: Vec<RowId>,
    /// Is a visible one near the current directory?
    pub is_near: bool,
}

/// Reads the rows at these positions.
pub fn publish(
    rows: &Rows,
    mut changed: Vec<usize>,
    scope: &Scope,
    running: &Registry,
) -> Published {
    changed.sort_unstable();
    changed.dedup();
    let mut published = Published::default();
    for at in changed {
        let Ok(id) = u32::try_from(at).map(RowId) else {
            continue;
        };
        let row = rows.get(at).cloned();
        if let Some(row) = &row {
            let place = scope.distance_of_row(row);
            let live = running.of(&row.session);
            let document = Document::of(row, RowContext { place, live });
            let is_near = document.place != Distance::Elsewhere && document.hidden.is_none();
            published.is_near |= is_near;
            published.put.push((id, document));
        } else {
            published.gone.push(id);
        }
        published.rows.push((id, row));
    }
    published
}
