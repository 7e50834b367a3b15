//! The mouse: wheel, click, double click, and dragging the divider.

use chrono::TimeDelta;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::keys::{Motion, go, panes_changed};
use super::{Effect, preflight, reading};
use crate::preview::Fold;
use crate::resume::Wish;
use crate::tui::app::{App, Click, Held};
use crate::tui::layout::{Arrangement, Focus, branch_at, share};
use crate::tui::overlay::Overlay;

/// Two clicks within this time are a double click.
pub const DOUBLE_CLICK: TimeDelta = TimeDelta::milliseconds(400);
/// Lines, or rows, that one notch of the wheel moves by.
const WHEEL: isize = 3;

pub fn point(app: &mut App, event: MouseEvent, effects: &mut Vec<Effect>) {
    let at = Position::new(event.column, event.row);
    let divider = app.held == Held::Divider || near(app.layout().divider, at);
    if app.history.is_some() && app.overlay.is_none() && !divider {
        app.notice = None;
        super::history::point(app, event, effects);
        return;
    }
    match event.kind {
        MouseEventKind::ScrollUp => wheel(app, at, -1),
        MouseEventKind::ScrollDown => wheel(app, at, 1),
        MouseEventKind::Down(MouseButton::Left) => press(app, at, effects),
        MouseEventKind::Drag(MouseButton::Left) if app.held == Held::Divider => drag(app, at),
        // When the button is up again: what comes later would go to whatever is run.
        MouseEventKind::Up(MouseButton::Left) => match std::mem::take(&mut app.held) {
            Held::RowAgain => preflight::resume(app, Wish::Continue, effects),
            Held::Divider => panes_changed(app),
            Held::Nothing => {}
        },
        _ => {}
    }
}

fn wheel(app: &mut App, at: Position, direction: isize) {
    if app.overlay.is_some() {
        go(app, Motion::Lines(direction * WHEEL));
        return;
    }
    let layout = app.layout();
    if layout.preview.contains(at) {
        reading::scroll(app, direction * WHEEL);
    } else if layout.list.contains(at) {
        let pane = app.pane();
        let rows = (WHEEL / isize::try_from(pane.row_height.max(1)).unwrap_or(1)).max(1);
        app.listing.scroll(direction * rows, pane);
    }
}

fn press(app: &mut App, at: Position, effects: &mut Vec<Effect>) {
    app.notice = None;
    app.held = Held::Nothing;
    app.probing = false;
    app.awaiting = None;
    if matches!(app.overlay, Some(Overlay::Preflight(_) | Overlay::Batch(_))) {
        let body = app.layout().body();
        let line = body.contains(at).then(|| usize::from(at.y - body.y));
        preflight::click(app, line, effects);
        return;
    }
    if let Some(Overlay::Branches { cursor }) = app.overlay {
        // A click on a branch previews it, one beside them goes back.
        match branch_at(at.y, cursor, app.screen.height) {
            Some(branch) => reading::choose_branch_at(app, branch),
            None => app.overlay = None,
        }
        return;
    }
    if app.overlay.take().is_some() {
        return;
    }
    let layout = app.layout();
    if near(layout.divider, at) {
        app.held = Held::Divider;
        return;
    }
    if layout.preview.contains(at) {
        // With the keys the preview may get more room: what was clicked is where it was until then.
        reading::clamp(app);
        let body = layout.preview.y + app.preview_header(layout.preview);
        let below = at.y.checked_sub(body).map(usize::from);
        let line = below.map(|line| app.preview.top + line);
        app.focus = Focus::Preview;
        if let Some(at) = line.filter(|at| app.preview.line(*at).is_some()) {
            app.preview.cursor = at;
            reading::clamp(app);
            if let Some(fold) = app.preview.line(at).and_then(|line| line.fold) {
                reading::toggle(app, fold);
                // A second click on the same cell closes it again. What was said before opens
                // above its title and would stay out of sight.
                if fold != Fold::Earlier {
                    app.preview.unfolding = None;
                }
            }
        }
        return;
    }
    if layout.query.contains(at) {
        app.focus = Focus::List;
        return;
    }
    if !layout.list.contains(at) {
        return;
    }
    // With the first click the list may have got more room, and other rows are under the second.
    let last = app.last_click.take();
    let just_now = last.filter(|last| app.now - last.then <= DOUBLE_CLICK);
    let is_second = just_now.is_some_and(|last| last.at == at);
    if !is_second {
        let pane = app.pane();
        let Some(position) = app.listing.position_at(at.y - layout.list.y, pane) else {
            app.focus = Focus::List;
            return;
        };
        app.focus = Focus::List;
        let pane = app.pane();
        app.listing.go(position, pane);
    }
    let row = app.listing.cursor();
    let again = just_now.is_some_and(|last| Some(last.row) == row);
    let then = app.now;
    app.last_click = row.map(|row| Click { then, at, row });
    if again {
        app.last_click = None;
        app.held = Held::RowAgain;
    }
}

/// The divider is one cell thin: the cell beside it counts too.
fn near(divider: Rect, at: Position) -> bool {
    let wider = match divider {
        Rect { width: 0, .. } | Rect { height: 0, .. } => return false,
        Rect { width: 1, .. } => Rect {
            x: divider.x.saturating_sub(1),
            width: 2,
            ..divider
        },
        other => other,
    };
    wider.contains(at)
}

fn drag(app: &mut App, at: Position) {
    let layout = app.layout();
    let body = layout.body();
    let dragged = match layout.arrangement {
        Arrangement::Side => share(at.x, body.x, body.width),
        Arrangement::Stacked | Arrangement::Alone => share(at.y, body.y, body.height),
    };
    if let Some(share) = app.panes.share_mut(layout.arrangement, app.focus) {
        *share = dragged;
    }
    let pane = app.pane();
    app.listing.scroll_into_sight(pane);
    reading::fit(app);
}
