//! Guards a question against keys that were pressed before it could be read.
//!
//! Two Enters in a hurry mean the row, not the first choice of the card, which may run git. The
//! guard has no clock: times come in as arguments.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEventKind, MouseEventKind};

use super::keymap::{Action, Keymap, layers};

/// Longer than between two keys in a hurry, shorter than it takes to read.
const GLANCE: Duration = Duration::from_millis(300);

#[derive(Debug, Default)]
pub struct QuestionGuard {
    question: Option<String>,
    /// When the question was drawn, or was answered too soon.
    since: Option<Instant>,
}

impl QuestionGuard {
    /// A frame was drawn with this question.
    pub fn drawn(&mut self, question: Option<&str>, now: Instant) {
        if self.question.as_deref() != question {
            self.since = question.map(|_| now);
            self.question = question.map(str::to_owned);
        }
    }

    /// Does this event answer a question that was not there long enough? A key that is held down
    /// goes on answering, so each such answer starts the time again.
    pub fn is_too_soon(
        &mut self,
        event: &Event,
        question: Option<&str>,
        keymap: &Keymap,
        now: Instant,
    ) -> bool {
        if question.is_none() || !answers(event, keymap) {
            return false;
        }
        let is_other = self.question.as_deref() != question;
        let is_new = is_other || self.since.is_some_and(|since| now < since + GLANCE);
        if is_new {
            self.question = question.map(str::to_owned);
            self.since = Some(now);
        }
        is_new
    }
}

fn answers(event: &Event, keymap: &Keymap) -> bool {
    match event {
        Event::Key(key) => {
            let is_digit = matches!(key.code, KeyCode::Char('0'..='9'));
            let chooses = keymap.action(layers::CARD, *key) == Some(Action::Choose);
            key.kind != KeyEventKind::Release && (is_digit || chooses)
        }
        Event::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
        _ => false,
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
