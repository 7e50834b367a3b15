//! The mouse button: clicks, double clicks, and dragging the divider between panes.

use chrono::{DateTime, FixedOffset, TimeDelta};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use crate::tui::layout::share;
use crate::tui::{Arrangement, Context, Focus};

/// Two clicks within this time are a double click.
const DOUBLE_CLICK: TimeDelta = TimeDelta::milliseconds(400);

#[derive(Debug, Default)]
pub struct MouseState {
    is_dragging: bool,
    /// The button is down on a row for the second time.
    is_double: bool,
    /// When and where a row was clicked.
    last: Option<(DateTime<FixedOffset>, Position)>,
}

/// What an event of the mouse means to a screen with two panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Press {
    Wheel(Position, isize),
    Down(Position),
    /// The divider was moved.
    Divider,
    /// A double click ended. Not before the button is up: its release would go to the program
    /// that is run next.
    Double,
    Nothing,
}

impl MouseState {
    pub fn event(&mut self, event: MouseEvent, focus: Focus, context: &mut Context) -> Press {
        let at = Position::new(event.column, event.row);
        match event.kind {
            MouseEventKind::ScrollUp => Press::Wheel(at, -1),
            MouseEventKind::ScrollDown => Press::Wheel(at, 1),
            MouseEventKind::Down(MouseButton::Left) => {
                // With the first click the list may have got more room, and another row may be
                // here now: the row of the first click is meant.
                let is_second = |(then, cell): (DateTime<_>, Position)| {
                    let is_here = cell.y == at.y && cell.x.abs_diff(at.x) <= 1;
                    is_here && context.now - then <= DOUBLE_CLICK
                };
                self.is_double = self.last.take().is_some_and(is_second);
                self.is_dragging = is_near(context.layout(focus).divider, at);
                if self.is_dragging || self.is_double {
                    Press::Nothing
                } else {
                    Press::Down(at)
                }
            }
            MouseEventKind::Drag(MouseButton::Left) if self.is_dragging => {
                drag(at, focus, context);
                Press::Divider
            }
            MouseEventKind::Up(MouseButton::Left) => {
                let is_dragging = std::mem::take(&mut self.is_dragging);
                let is_double = std::mem::take(&mut self.is_double);
                match (is_dragging, is_double) {
                    (true, _) => Press::Divider,
                    (false, true) => Press::Double,
                    (false, false) => Press::Nothing,
                }
            }
            _ => Press::Nothing,
        }
    }

    /// What was clicked is not there any more.
    pub fn forget(&mut self) {
        self.last = None;
        self.is_double = false;
    }

    /// A row was clicked.
    pub fn click(&mut self, at: Position, now: DateTime<FixedOffset>) {
        self.last = Some((now, at));
    }
}

/// The divider is one cell thin: the cell beside it counts too.
fn is_near(divider: Rect, at: Position) -> bool {
    let beside = Position::new(at.x.saturating_add(1), at.y);
    divider.contains(at) || (divider.width == 1 && divider.contains(beside))
}

fn drag(at: Position, focus: Focus, context: &mut Context) {
    let layout = context.layout(focus);
    let body = layout.body();
    let dragged = match layout.arrangement {
        Arrangement::Side => share(at.x, body.x, body.width),
        Arrangement::Stacked | Arrangement::Alone => share(at.y, body.y, body.height),
    };
    if let Some(share) = context.panes.share_mut(layout.arrangement, focus) {
        *share = dragged;
    }
}
