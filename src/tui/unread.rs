//! A question that has just come up: nobody can have read it yet.
//!
//! Who presses Enter twice in a hurry means the row, not whatever the card offers first, which may
//! run git. Knows no clock: moments come in as arguments.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEventKind, MouseEventKind};

use super::keymap::{Action, Keymap, Place};
use super::overlay::Overlay;

/// Longer than between the two keys of somebody in a hurry, shorter than anybody reads.
const GLANCE: Duration = Duration::from_millis(300);

/// Since when the question on the screen has been there, or somebody has pressed keys at it.
#[derive(Debug, Default)]
pub struct Unread {
    question: Option<Asked>,
    since: Option<Instant>,
}

/// What tells questions apart: a choice that takes a second key asks once more.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    headline: String,
    armed: bool,
}

impl Unread {
    /// A frame was drawn with this above the panes.
    pub fn drawn(&mut self, overlay: Option<&Overlay>, now: Instant) {
        let question = Asked::on(overlay);
        if self.question != question {
            self.since = question.as_ref().map(|_| now);
            self.question = question;
        }
    }

    /// Does this answer a question that was not there long enough? A key that is held down goes on
    /// answering, so each such answer begins the time anew.
    pub fn is_too_soon(
        &mut self,
        event: &Event,
        overlay: Option<&Overlay>,
        keymap: &Keymap,
        now: Instant,
    ) -> bool {
        let asked = Asked::on(overlay);
        if asked.is_none() || !answers(event, keymap) {
            return false;
        }
        let is_new = self.question != asked || self.since.is_some_and(|since| now < since + GLANCE);
        if is_new {
            self.question = asked;
            self.since = Some(now);
        }
        is_new
    }
}

impl Asked {
    fn on(overlay: Option<&Overlay>) -> Option<Self> {
        match overlay? {
            Overlay::Preflight(card) if card.entry.is_none() => Some(Self {
                headline: card.finding.headline.clone(),
                armed: card.armed,
            }),
            Overlay::Batch(_) => Some(Self {
                headline: String::new(),
                armed: false,
            }),
            _ => None,
        }
    }
}

fn answers(event: &Event, keymap: &Keymap) -> bool {
    match event {
        Event::Key(key) => {
            let is_digit = matches!(key.code, KeyCode::Char('0'..='9'));
            let chooses = keymap.action(Place::Card, *key) == Some(Action::Choose);
            key.kind != KeyEventKind::Release && (is_digit || chooses)
        }
        Event::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
        _ => false,
    }
}

#[cfg(test)]
#[path = "unread_tests.rs"]
mod tests;
