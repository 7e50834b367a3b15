use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent};

use super::Unread;
use crate::tui::keymap::Keymap;
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
    let keymap = Keymap::default();
    let mut unread = Unread::default();
    let soon = |unread: &mut Unread, event: &Event, millis| {
        unread.is_too_soon(event, card, &keymap, later(millis))
    };
    unread.drawn(card, begin);
    assert!(soon(&mut unread, &enter, 120));
    assert!(soon(&mut unread, &key(KeyCode::Char('2')), 130));
    assert!(!soon(&mut unread, &key(KeyCode::Esc), 140), "no answer");
    unread.drawn(card, later(200));
    assert!(soon(&mut unread, &enter, 301), "the key is held down");
    assert!(!soon(&mut unread, &enter, 602), "it is the same question");
    unread.drawn(None, later(700));
    unread.drawn(card, later(800));
    assert!(soon(&mut unread, &enter, 900), "it came once more");
    let mut undrawn = Unread::default();
    assert!(soon(&mut undrawn, &enter, 0), "it is not even drawn");
}

#[test]
fn where_nothing_is_asked_nothing_is_held_back() {
    let help = Overlay::Help { top: 0 };
    let keymap = Keymap::default();
    for overlay in [None, Some(&help)] {
        let mut unread = Unread::default();
        let enter = key(KeyCode::Enter);
        assert!(!unread.is_too_soon(&enter, overlay, &keymap, Instant::now()));
    }
}
