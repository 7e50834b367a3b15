//! After each message: the row that the keys act on and the lines in sight do not change unseen.

use super::Sessions;
use crate::search::RowId;
use crate::tui::{Context, Focus, Host};

/// What a message must not change unseen: which session the keys act on, and the visible lines.
#[derive(Debug, Clone, Copy)]
pub struct SelectionGuard {
    row: Option<RowId>,
    /// Is what a key asked for still missing?
    is_answer_due: bool,
    focus: Focus,
    /// The line below the last visible one of the reader.
    bottom: usize,
}

impl Sessions {
    pub fn guard(&self, context: &Context) -> SelectionGuard {
        let rows = self.reader.rows(self.reader_pane(context).area);
        SelectionGuard {
            row: self.list.cursor(),
            is_answer_due: self.is_answer_due(),
            focus: self.focus,
            bottom: self.reader.top.saturating_add(rows),
        }
    }

    /// After a message: the reader keeps its row, and if that row has gone, the keys go back to the
    /// list, where it shows what they act on. Returns whether they did.
    pub fn settle(&mut self, before: SelectionGuard, is_input: bool, host: &mut Host<'_>) -> bool {
        if self.focus == Focus::Preview && before.focus == Focus::List {
            self.list.stay();
        }
        // Where nothing was found, only a correction brings a row that nobody has asked for.
        let is_corrected = self.query.corrected.is_some();
        let is_other = |row: RowId| before.row.map_or(is_corrected, |before| before != row);
        if !is_input && !before.is_answer_due && self.list.cursor().is_some_and(is_other) {
            // A second click would be for the row that was there before.
            self.pointer.forget();
            host.shifted();
        }
        let is_there = self.cursor_row(host.data).is_some();
        let is_lost = !is_input && (!is_there || self.list.cursor() != before.row);
        if is_lost {
            self.focus = Focus::List;
        }
        if self.focus != before.focus {
            self.list.scroll_into_sight(self.pane(host.context));
            let pane = self.reader_pane(host.context);
            self.reader.refocus(before.bottom, pane);
        }
        is_lost
    }
}
