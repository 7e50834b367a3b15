use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent};

use super::Unread;
use crate::tui::overlay::Overlay;

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::from(code))
}

#[test]
fn a_question_is_answered_only_after_a_glance_at_it() {
    let card = Overlay::Batch(Box::default());
    let card = Some(&card);
    let enter = key(KeyCode::Enter);
    let begin = Instant::now();
    let later = |millis| begin + Duration::from_millis(millis);
    let mut unread = Unread::default();
    assert!(!unread.is_too_soon(&enter, None, begin), "nothing is asked");
    assert!(
        unread.is_too_soon(&enter, card, begin),
        "it is not even drawn"
    );
    unread.drawn(card, begin);
    assert!(unread.is_too_soon(&enter, card, later(120)));
    assert!(unread.is_too_soon(&key(KeyCode::Char('2')), card, later(120)));
    assert!(
        !unread.is_too_soon(&key(KeyCode::Esc), card, later(1)),
        "no answer"
    );
    unread.drawn(card, later(200));
    assert!(
        !unread.is_too_soon(&enter, card, later(301)),
        "it is the same one"
    );
    unread.drawn(None, later(400));
    unread.drawn(card, later(500));
    assert!(unread.is_too_soon(&enter, card, later(600)), "once more");
}

#[test]
fn no_question_no_wait() {
    let help = Overlay::Help { top: 0 };
    let unread = Unread::default();
    assert!(!unread.is_too_soon(&key(KeyCode::Enter), Some(&help), Instant::now()));
}
