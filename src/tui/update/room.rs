//! What stays in sight when the panes take room from each other: a preview below the list grows
//! while it is read.

use super::reading;
use crate::tui::app::App;
use crate::tui::layout::Focus;

/// Where things stood before a message.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    focus: Focus,
    /// The line below the last one in sight of the preview.
    bottom: usize,
}

impl Room {
    pub fn of(app: &App) -> Self {
        Self {
            focus: app.focus,
            bottom: app.preview.top.saturating_add(app.preview_page()),
        }
    }

    /// After the keys went to the other pane. The preview grows and shrinks at its top, so its
    /// lines stay where they are on the screen; the line that was read stays in sight.
    pub fn settle(self, app: &mut App) {
        if app.focus == self.focus {
            return;
        }
        keep_rows_in_sight(app);
        let page = app.preview_page();
        let cursor = app.preview.cursor;
        let least = (cursor + 1).saturating_sub(page);
        let top = self.bottom.saturating_sub(page);
        app.preview.top = match self.focus {
            Focus::Preview => top.clamp(least, cursor.max(least)),
            Focus::List => top,
        };
        reading::clamp(app);
    }
}

/// After the room of a list has changed: the row under its cursor stays in sight.
pub fn keep_rows_in_sight(app: &mut App) {
    let pane = app.pane();
    app.listing.scroll_into_sight(pane);
    let lines = app.history_lines();
    if let Some(history) = &mut app.history {
        history.scroll_into_sight(lines);
    }
}
