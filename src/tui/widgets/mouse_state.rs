//! The mouse button: clicks, double clicks, and dragging the divider between panes.

use chrono::{DateTime, FixedOffset, TimeDelta};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use crate::tui::context::Context;
use crate::tui::layout::{Arrangement, Focus, share};

/// Two clicks within this time are a double click.
const DOUBLE_CLICK: TimeDelta = TimeDelta::milliseconds(400);

#[derive(Debug, Default)]
pub struct MouseState {
    is_dragging: bool,
    /// The button is down on a row for the second time.
    is_double: bool,
    last: Option<Click>,
}

#[derive(Debug, Clone, Copy)]
struct Click {
    then: DateTime<FixedOffset>,
    at: Position,
    row: u32,
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
                self.is_double = false;
                self.is_dragging = is_near(context.layout(focus).divider, at);
                if self.is_dragging {
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

    /// Was this cell clicked just now? With the first click the list may have got more room, and
    /// another row is under the second one.
    pub fn is_second(&self, at: Position, now: DateTime<FixedOffset>) -> bool {
        self.just_now(now).is_some_and(|last| last.at == at)
    }

    /// A click on a row.
    pub fn click(&mut self, at: Position, row: u32, now: DateTime<FixedOffset>) {
        self.is_double = self.just_now(now).is_some_and(|last| last.row == row);
        let click = Click { then: now, at, row };
        self.last = (!self.is_double).then_some(click);
    }

    fn just_now(&self, now: DateTime<FixedOffset>) -> Option<Click> {
        self.last.filter(|last| now - last.then <= DOUBLE_CLICK)
    }
}

/// The divider is one cell thin: the cell beside it counts too.
fn is_near(divider: Rect, at: Position) -> bool {
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
