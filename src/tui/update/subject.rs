//! What is read is what keys act on. Rows come and go while somebody reads, and then another one
//! may be under the cursor of the list: nobody has chosen that one.

use crate::search::RowId;
use crate::tui::app::App;
use crate::tui::layout::Focus;
use crate::tui::overlay::Overlay;

/// Who has brought something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Person,
    World,
}

/// Which session the keys were for before a message.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    row: Option<RowId>,
    focus: Focus,
}

impl Subject {
    pub fn of(app: &App) -> Self {
        Self {
            row: app.listing.cursor(),
            focus: app.focus,
        }
    }

    /// After a message: whoever began to read keeps that row, and whose row has gone is back in
    /// the list, where one sees what a key would be for.
    pub fn settle(self, app: &mut App, cause: Cause) {
        if app.history.is_some() {
            return;
        }
        if app.focus == Focus::Preview && self.focus == Focus::List {
            app.listing.stay();
        }
        let is_there = app.listing.cursor_row().is_some();
        if cause == Cause::Person || (is_there && app.listing.cursor() == self.row) {
            return;
        }
        app.focus = Focus::List;
        if matches!(app.overlay, Some(Overlay::Branches { .. })) {
            app.overlay = None;
        }
    }
}
