//! A question that has just come up: nobody can have read it yet.
//!
//! Who presses Enter twice in a hurry means the row, not whatever the card offers first, which may
//! run git. Knows no clock: moments come in as arguments.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEventKind, MouseEventKind};

use super::overlay::Overlay;

/// Longer than between the two keys of somebody in a hurry, shorter than anybody reads.
const GLANCE: Duration = Duration::from_millis(300);

/// Since when the question on the screen has been there.
#[derive(Debug, Default)]
pub struct Unread {
    question: Option<String>,
    since: Option<Instant>,
}

impl Unread {
    /// A frame was drawn with this above the panes.
    pub fn drawn(&mut self, overlay: Option<&Overlay>, now: Instant) {
        let question = question(overlay);
        if self.question.as_deref() != question {
            self.question = question.map(str::to_owned);
            self.since = self.question.as_ref().map(|_| now);
        }
    }

    /// Does this answer a question that was not there long enough?
    pub fn is_too_soon(&self, event: &Event, overlay: Option<&Overlay>, now: Instant) -> bool {
        let Some(asked) = question(overlay) else {
            return false;
        };
        let is_new = self.question.as_deref() != Some(asked)
            || self.since.is_some_and(|since| now < since + GLANCE);
        is_new && answers(event)
    }
}

fn question(overlay: Option<&Overlay>) -> Option<&str> {
    match overlay? {
        Overlay::Preflight(card) if card.entry.is_none() => Some(&card.question.headline),
        Overlay::Batch(_) => Some("several"),
        _ => None,
    }
}

fn answers(event: &Event) -> bool {
    match event {
        Event::Key(key) => {
            let is_answer = |code| matches!(code, KeyCode::Enter | KeyCode::Char('0'..='9'));
            key.kind != KeyEventKind::Release && is_answer(key.code)
        }
        Event::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
        _ => false,
    }
}

#[cfg(test)]
#[path = "unread_tests.rs"]
mod tests;
