//! Guards against keys that were meant for what was on the screen before.
//!
//! Two Enters in a hurry mean the row, not the first choice of the card, which may run git. And an
//! Enter means the row that was under the cursor when it was decided on, not one that came there a
//! moment ago. The guard has no clock: times come in as arguments.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, MouseEventKind};

use super::keymap::{Action, KeyLayer, Keymap, layers};

/// Longer than between two keys in a hurry, shorter than it takes to read.
const GLANCE: Duration = Duration::from_millis(300);

/// What is on the screen, as far as keys may be meant for something else.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// What tells a card with choices from another one.
    pub question: Option<&'a str>,
    /// How often another row came under the cursor by itself. `None` if the panes have no keys.
    pub shifts: Option<u64>,
    pub layers: &'static [KeyLayer],
    pub keymap: &'a Keymap,
}

/// What a key came too soon for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooSoon {
    Question,
    Row,
}

#[derive(Debug, Default)]
pub struct Guard {
    question: Glance<Option<String>>,
    row: Glance<u64>,
}

impl Guard {
    /// A frame was drawn.
    pub fn drawn(&mut self, sight: &Sight<'_>, now: Instant) {
        self.question.drawn(sight.question.map(str::to_owned), now);
        if let Some(shifts) = sight.shifts {
            self.row.drawn(shifts, now);
        }
    }

    /// Is this event for something that was not there long enough? A key that is held down goes on
    /// coming, so each time that it does begins the time again.
    pub fn too_soon(&mut self, event: &Event, sight: &Sight<'_>, now: Instant) -> Option<TooSoon> {
        if sight.question.is_some() {
            let question = sight.question.map(str::to_owned);
            let is_held_back = answers(event, sight.keymap) && self.question.is_new(&question, now);
            return is_held_back.then_some(TooSoon::Question);
        }
        let shifts = sight.shifts?;
        let action = pressed(event).and_then(|key| sight.keymap.action(sight.layers, *key));
        if action.is_some_and(Action::is_on_row) {
            return self.row.is_new(&shifts, now).then_some(TooSoon::Row);
        }
        // Who moves the cursor has seen where it is.
        if matches!(action, Some(Action::Move(_))) && self.row.of == shifts {
            self.row.since = None;
        }
        None
    }
}

/// Something that has to be on the screen for a while.
#[derive(Debug, Default)]
struct Glance<T> {
    of: T,
    /// When it was drawn, or when a key came too soon for it.
    since: Option<Instant>,
}

impl<T: PartialEq> Glance<T> {
    fn drawn(&mut self, of: T, now: Instant) {
        if self.of != of {
            let since = Some(now);
            *self = Self { of, since };
        }
    }

    fn is_new(&mut self, of: &T, now: Instant) -> bool {
        if self.of != *of {
            return true;
        }
        let is_new = self.since.is_some_and(|since| now < since + GLANCE);
        if is_new {
            self.since = Some(now);
        }
        is_new
    }
}

fn pressed(event: &Event) -> Option<&KeyEvent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(key),
        _ => None,
    }
}

fn answers(event: &Event, keymap: &Keymap) -> bool {
    if let Event::Mouse(mouse) = event {
        return matches!(mouse.kind, MouseEventKind::Down(_));
    }
    pressed(event).is_some_and(|key| {
        let is_digit = matches!(key.code, KeyCode::Char('0'..='9'));
        is_digit || keymap.action(layers::CARD, *key) == Some(Action::Choose)
    })
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
