//! Drawing: reads the state, writes cells. Only what is in sight is looked at.

mod batch;
mod branches;
mod footer;
mod header;
mod help;
mod history;
mod list;
mod preflight;
mod preview;
mod row;
mod words;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::app::App;
use super::layout::{Arrangement, Focus, Layout};
use super::overlay::Overlay;

/// Draws the whole screen.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let layout = app.layout();
    match &app.overlay {
        Some(Overlay::Help { top }) => {
            help::draw(app, *top, frame);
            return;
        }
        Some(Overlay::Branches { cursor }) => {
            branches::draw(app, *cursor, frame);
            return;
        }
        Some(Overlay::Preflight(_) | Overlay::Batch(_)) | None => {}
    }
    let buffer = frame.buffer_mut();
    rules(app, &layout, buffer);
    more_above(app, &layout, buffer);
    let (caret, finding) = if let Some(past) = &app.history {
        (history::draw(app, past, &layout, buffer), None)
    } else {
        list::draw(app, &layout, buffer);
        let finding = preview::draw(app, layout.preview, buffer);
        (header::draw(app, layout.query, buffer), finding)
    };
    footer::draw(app, layout.footer, buffer);
    // The hardware cursor is in the query line, where input methods look for it.
    let caret = match app.focus {
        Focus::List => caret,
        Focus::Preview => finding,
    };
    match (&app.overlay, caret) {
        (Some(Overlay::Preflight(card)), _) => preflight::draw(app, card, frame),
        (Some(Overlay::Batch(batch)), _) => batch::draw(app, batch, frame),
        (_, Some(caret)) => frame.set_cursor_position(caret),
        (_, None) => {}
    }
}

/// Writes a line of text at the top of an area, cut to its width.
fn put(buffer: &mut Buffer, area: Rect, line: &Line<'_>) {
    if !area.is_empty() {
        buffer.set_line(area.x, area.y, line, area.width);
    }
}

/// One line of an area, counted from its top; empty if it has no such line.
fn line_of(area: Rect, line: u16) -> Rect {
    if line >= area.height {
        return Rect::default();
    }
    Rect {
        y: area.y + line,
        height: 1,
        ..area
    }
}

/// Rows above what is in sight are told on the rule over the list: they may have come unseen.
fn more_above(app: &App, layout: &Layout, buffer: &mut Buffer) {
    let above = match &app.history {
        Some(history) => history.above(),
        None => app.listing.above(),
    };
    if above == 0 || layout.top_rule.is_empty() || layout.list.is_empty() {
        return;
    }
    let theme = app.setting.theme;
    let text = format!(" {} {} ", theme.signs().above, words::number(above));
    let width = words::columns(crate::text::width(&text));
    let x = layout
        .list
        .right()
        .saturating_sub(width + 1)
        .max(layout.list.x);
    let area = Rect {
        x,
        width: layout.list.right() - x,
        ..layout.top_rule
    };
    put(buffer, area, &Line::styled(text, theme.dim()));
}

/// The thin lines between the panes.
fn rules(app: &App, layout: &Layout, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let signs = theme.signs();
    let mut paint = |x: u16, y: u16, sign: &str| {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(sign).set_style(theme.dim());
        }
    };
    for rule in [layout.top_rule, layout.bottom_rule] {
        for x in rule.left()..rule.right() {
            paint(x, rule.y, signs.horizontal);
        }
    }
    let divider = layout.divider;
    match layout.arrangement {
        Arrangement::Side => {
            for y in divider.top()..divider.bottom() {
                paint(divider.x, y, signs.vertical);
            }
            if !divider.is_empty() && !layout.top_rule.is_empty() {
                paint(divider.x, layout.top_rule.y, signs.joint_down);
                paint(divider.x, layout.bottom_rule.y, signs.joint_up);
            }
        }
        Arrangement::Stacked => {
            for x in divider.left()..divider.right() {
                paint(x, divider.y, signs.horizontal);
            }
        }
        Arrangement::Alone => {}
    }
}
