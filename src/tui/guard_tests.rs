use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent};

use super::QuestionGuard;
use crate::tui::keymap::Keymap;

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::from(code))
}

#[test]
fn a_question_is_answered_only_after_a_glance_at_it() {
    let card = Some("which directory?");
    let enter = key(KeyCode::Enter);
    let begin = Instant::now();
    let later = |millis| begin + Duration::from_millis(millis);
    let keymap = Keymap::default();
    let mut guard = QuestionGuard::default();
    let soon = |guard: &mut QuestionGuard, event: &Event, millis| {
        guard.is_too_soon(event, card, &keymap, later(millis))
    };
    guard.drawn(card, begin);
    assert!(soon(&mut guard, &enter, 120));
    assert!(soon(&mut guard, &key(KeyCode::Char('2')), 130));
    assert!(!soon(&mut guard, &key(KeyCode::Esc), 140), "no answer");
    guard.drawn(card, later(200));
    assert!(soon(&mut guard, &enter, 301), "the key is held down");
    assert!(!soon(&mut guard, &enter, 602), "it is the same question");
    guard.drawn(None, later(700));
    guard.drawn(card, later(800));
    assert!(soon(&mut guard, &enter, 900), "it came once more");
    let mut undrawn = QuestionGuard::default();
    assert!(soon(&mut undrawn, &enter, 0), "it is not even drawn");
}

#[test]
fn without_a_question_nothing_is_held_back() {
    let mut guard = QuestionGuard::default();
    let enter = key(KeyCode::Enter);
    assert!(!guard.is_too_soon(&enter, None, &Keymap::default(), Instant::now()));
}
