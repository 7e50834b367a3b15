//! The mouse in the history: what it points at has the keys, a second click chooses.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::super::Effect;
use super::super::keys::Motion;
use super::super::mouse::DOUBLE_CLICK;
use super::{attend, go, journey};
use crate::tui::app::{App, Click};
use crate::tui::layout::Focus;

/// Lines that one notch of the wheel moves by.
const WHEEL: isize = 3;

pub fn point(app: &mut App, event: MouseEvent, effects: &mut Vec<Effect>) {
    attend(app);
    let at = Position::new(event.column, event.row);
    let layout = app.layout();
    match event.kind {
        MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
            let by = if event.kind == MouseEventKind::ScrollUp {
                -WHEEL
            } else {
                WHEEL
            };
            let focus = if layout.preview.contains(at) {
                Focus::Preview
            } else {
                Focus::List
            };
            let before = std::mem::replace(&mut app.focus, focus);
            go(app, Motion::Lines(by));
            app.focus = before;
        }
        MouseEventKind::Down(MouseButton::Left) if layout.preview.contains(at) => {
            app.focus = Focus::Preview;
        }
        MouseEventKind::Down(MouseButton::Left) if layout.list.contains(at) => {
            app.focus = Focus::List;
            let lines = app.history_lines();
            let above = layout.list.y + (layout.list.height - lines);
            let clicked = at.y.checked_sub(above);
            let Some(history) = &mut app.history else {
                return;
            };
            let position = clicked.and_then(|line| history.position_at(line, lines));
            if let Some(position) = position {
                let again = position == history.position()
                    && app
                        .last_click
                        .is_some_and(|it| app.now - it.then <= DOUBLE_CLICK);
                history.go(position, lines);
                let row = history.cursor().map(|hit| hit.row);
                let then = app.now;
                app.last_click = row.map(|row| Click { then, at, row });
                if again {
                    app.last_click = None;
                    journey::choose(app, effects);
                }
            }
        }
        MouseEventKind::Down(MouseButton::Left) if layout.query.contains(at) => {
            app.focus = Focus::List;
        }
        _ => {}
    }
}
