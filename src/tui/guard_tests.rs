use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::{Guard, Sight, TooSoon};
use crate::tui::keymap::{Keymap, layers};

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::from(code))
}

fn card(question: &str, keymap: &'static Keymap) -> Sight<'static> {
    Sight {
        question: Some(Box::leak(question.into())),
        shifts: None,
        layers: layers::CARD,
        keymap,
    }
}

fn list(shifts: u64, keymap: &Keymap) -> Sight<'_> {
    Sight {
        question: None,
        shifts: Some(shifts),
        layers: layers::SESSION_LIST,
        keymap,
    }
}

fn keymap() -> &'static Keymap {
    Box::leak(Box::default())
}

#[test]
fn a_question_is_answered_only_after_a_glance_at_it() {
    let keymap = keymap();
    let card = card("which directory?", keymap);
    let enter = key(KeyCode::Enter);
    let begin = Instant::now();
    let later = |millis| begin + Duration::from_millis(millis);
    let mut guard = Guard::default();
    let soon = |guard: &mut Guard, event: &Event, millis| {
        guard.too_soon(event, &card, later(millis)) == Some(TooSoon::Question)
    };
    guard.drawn(&card, begin);
    assert!(soon(&mut guard, &enter, 120));
    assert!(soon(&mut guard, &key(KeyCode::Char('2')), 130));
    assert!(!soon(&mut guard, &key(KeyCode::Esc), 140), "no answer");
    guard.drawn(&card, later(200));
    assert!(soon(&mut guard, &enter, 301), "the key is held down");
    assert!(!soon(&mut guard, &enter, 602), "it is the same question");
    guard.drawn(&list(0, keymap), later(700));
    guard.drawn(&card, later(800));
    assert!(soon(&mut guard, &enter, 900), "it came once more");
    let mut undrawn = Guard::default();
    assert!(soon(&mut undrawn, &enter, 0), "it is not even drawn");
    undrawn.drawn(&card, later(50));
    assert!(soon(&mut undrawn, &enter, 340), "since it was drawn");
}

#[test]
fn without_a_question_and_without_another_row_nothing_is_held_back() {
    let (mut guard, keymap) = (Guard::default(), keymap());
    let enter = key(KeyCode::Enter);
    let now = Instant::now();
    assert_eq!(guard.too_soon(&enter, &list(0, keymap), now), None);
    guard.drawn(&list(0, keymap), now);
    assert_eq!(guard.too_soon(&enter, &list(0, keymap), now), None);
}

#[test]
fn a_row_that_came_under_the_cursor_by_itself_is_acted_on_only_after_a_glance_at_it() {
    let keymap = keymap();
    let begin = Instant::now();
    let later = |millis| begin + Duration::from_millis(millis);
    let alt = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT));
    let mut guard = Guard::default();
    let other = list(1, keymap);
    let enter = key(KeyCode::Enter);
    guard.drawn(&list(0, keymap), begin);
    assert_eq!(
        guard.too_soon(&enter, &other, later(1000)),
        Some(TooSoon::Row),
        "it is not even drawn"
    );
    guard.drawn(&other, later(1000));
    for (at, event) in [enter.clone(), alt('g'), alt('i'), alt('x')]
        .iter()
        .enumerate()
    {
        let now = later(1100 + 10 * at as u64);
        assert_eq!(
            guard.too_soon(event, &other, now),
            Some(TooSoon::Row),
            "{event:?}"
        );
    }
    assert_eq!(
        guard.too_soon(&key(KeyCode::Esc), &other, later(1140)),
        None
    );
    assert_eq!(
        guard.too_soon(&enter, &other, later(1429)),
        Some(TooSoon::Row),
        "held down"
    );
    guard.drawn(&other, later(1500));
    assert_eq!(guard.too_soon(&enter, &other, later(1730)), None);
}

#[test]
fn who_moves_the_cursor_has_seen_the_row() {
    let keymap = keymap();
    let now = Instant::now();
    let (mut guard, other) = (Guard::default(), list(1, keymap));
    let (enter, down) = (key(KeyCode::Enter), key(KeyCode::Down));
    assert_eq!(guard.too_soon(&down, &other, now), None);
    assert_eq!(
        guard.too_soon(&enter, &other, now),
        Some(TooSoon::Row),
        "not yet drawn"
    );
    guard.drawn(&other, now);
    assert_eq!(guard.too_soon(&enter, &other, now), Some(TooSoon::Row));
    assert_eq!(guard.too_soon(&down, &other, now), None);
    assert_eq!(guard.too_soon(&enter, &other, now), None);
}

#[test]
fn a_card_in_between_does_not_make_an_old_row_new() {
    let keymap = keymap();
    let now = Instant::now();
    let (mut guard, row) = (Guard::default(), list(1, keymap));
    guard.drawn(&row, now);
    guard.drawn(&card("which?", keymap), now + Duration::from_millis(400));
    guard.drawn(&row, now + Duration::from_millis(800));
    let soon = now + Duration::from_millis(810);
    assert_eq!(guard.too_soon(&key(KeyCode::Enter), &row, soon), None);
}
