//! To a session that is known by its id, wherever it stands in the list.

use std::sync::Arc;

use super::{Listing, Pane};
use crate::list::Row;
use crate::search::RowId;
use crate::tui::dates::Calendar;

impl Listing {
    /// The row of a session.
    pub fn find(&self, session: &str) -> Option<RowId> {
        let is_it = |row: &Option<Arc<Row>>| {
            row.as_ref()
                .is_some_and(|row| &*row.session.file.id == session)
        };
        let at = self.rows.iter().position(is_it)?;
        Some(RowId(u32::try_from(at).ok()?))
    }

    /// Puts the cursor on a row, which may come into the list with the next result only. Its
    /// family is opened if it would be folded away.
    pub fn select(&mut self, row: RowId, by_day: Option<&Calendar>, pane: Pane) {
        self.touch();
        self.cursor = Some(row);
        let is_shown = self.hits.iter().any(|hit| hit.row == row);
        let family = self.row(row).and_then(|it| self.families.of(row, it));
        if let (false, Some(family)) = (is_shown, family) {
            self.families.open(family);
        }
        self.regroup(by_day, pane);
        self.cursor = Some(row);
    }
}
