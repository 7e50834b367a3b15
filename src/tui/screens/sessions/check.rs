//! No row of the cache is acted on before its file was looked at: the action waits for that, and is
//! not done if the row turns out to say something else.

use std::sync::Arc;

use super::super::Flow;
use super::{Pending, Sessions};
use crate::list::Row;
use crate::search::RowId;
use crate::tui::request::CheckRequest;
use crate::tui::widgets::clean;
use crate::tui::{Action, Host, Request};

impl Sessions {
    /// Asks for a check of the row under the cursor, if an action has to wait for one. Returns
    /// whether it has.
    pub(super) fn asks_check(&mut self, action: Action, host: &mut Host<'_>) -> bool {
        let row = self.list.cursor().map(|row| self.families.owner(row));
        let Some(row) = row.filter(|row| host.data.is_unchecked(*row)) else {
            return false;
        };
        let Some(what) = host.data.row(row).map(Arc::clone) else {
            return false;
        };
        // What comes meanwhile must not put the cursor on another row.
        self.list.stay();
        host.ask(Request::Check(CheckRequest { row, what }));
        self.pending = Some(Pending::Check(row, action));
        true
    }

    pub(super) fn awaits_check(&self, rows: &[RowId]) -> bool {
        matches!(self.pending, Some(Pending::Check(row, _)) if rows.contains(&row))
    }

    /// The row is as it was when the key was pressed.
    pub(super) fn checked(&mut self, host: &mut Host<'_>) -> Flow {
        let Some(Pending::Check(row, action)) = self.pending.take() else {
            return Flow::Stay;
        };
        host.answered();
        let cursor = self.list.cursor().map(|row| self.families.owner(row));
        if cursor != Some(row) {
            host.warn("nothing was done: the list has changed. Look again");
            host.shifted();
            return Flow::Stay;
        }
        self.on_action(action, host)
    }

    /// Rows are about to change. An action that waits for one of them is given up if that says
    /// something else now, or is gone. Returns the row that an action was waiting for.
    pub(super) fn take_stale_check(
        &mut self,
        rows: &[(RowId, Option<Arc<Row>>)],
        host: &mut Host<'_>,
    ) -> Option<RowId> {
        let Some(Pending::Check(row, _)) = self.pending else {
            return None;
        };
        if let Some((_, now)) = rows.iter().find(|(id, _)| *id == row)
            && let Some(before) = host.data.row(row)
            && !now.as_ref().is_some_and(|now| is_same_choice(before, now))
        {
            self.pending = None;
            if now.is_some() {
                host.shifted();
                let title = clean(&before.title(), 60, host.context.theme());
                host.warn(format!(
                    "nothing was done: \"{title}\" has changed. Look again"
                ));
            }
        }
        Some(row)
    }
}

/// Is it what a person chose? A session that only went on is.
fn is_same_choice(before: &Row, now: &Row) -> bool {
    let (was, is) = (&before.session, &now.session);
    before.title() == now.title()
        && was.hidden == is.hidden
        && was.meta.cwd == is.meta.cwd
        && was.file.path() == is.file.path()
}
