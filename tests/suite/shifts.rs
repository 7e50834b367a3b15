//! A row that comes under the cursor by itself: no key acts on it before there was time to see it.
//! The moments are made up, as the loop would pass them on.

use std::time::{Duration, Instant};

use claude_resume::search::RowId;
use claude_resume::store::{Session, Trouble};
use claude_resume::tui::{Effect, Guard, Message, Notice, Request, Screen};
use crossterm::event::Event;

use crate::world::{World, key_event, session};

/// A picker with the guard of its loop.
struct Guarded {
    world: World,
    guard: Guard,
    begin: Instant,
}

impl Guarded {
    fn new(world: World) -> Self {
        let mut guarded = Self {
            world,
            guard: Guard::default(),
            begin: Instant::now(),
        };
        guarded.draw(0);
        guarded
    }

    /// Rows of the cache, the newest under the cursor.
    fn seeded() -> Self {
        let mut world = World::new(120, 30);
        world.arrive(true);
        world.tell(Message::Unchecked((0..3).map(RowId).collect()));
        world.put((1..=3).map(|n| one(n, &format!("Row {n}"))).collect());
        assert_eq!(world.title(), "Row 1");
        Self::new(world)
    }

    fn draw(&mut self, millis: u64) {
        let now = self.begin + Duration::from_millis(millis);
        self.guard.drawn(&self.world.app.sight(), now);
    }

    /// Presses a key, unless it comes too soon. Returns what is to be done.
    fn press(&mut self, key: &str, millis: u64) -> Vec<Effect> {
        let now = self.begin + Duration::from_millis(millis);
        let event = Event::Key(key_event(key));
        self.world.effects.clear();
        match self.guard.too_soon(&event, &self.world.app.sight(), now) {
            Some(too_soon) => self.world.app.held_back(too_soon),
            None => self.world.press(key),
        }
        std::mem::take(&mut self.world.effects)
    }

    fn said(&self) -> &str {
        match &self.world.app.status {
            Some(Notice::Trouble(text)) => text,
            _ => "nothing",
        }
    }
}

fn one(n: u32, title: &str) -> Session {
    session(n, "shop", i64::from(n) * 30_000, title, "x")
}

fn is_check(effects: &[Effect], row: u32) -> bool {
    matches!(effects, [Effect::Ask(Request::Check(request))] if request.row == RowId(row))
}

/// Does it act on this row at once?
fn is_probe(effects: &[Effect]) -> bool {
    matches!(effects, [Effect::Ask(Request::Probe(_))])
}

#[test]
fn a_row_that_a_correction_brings_is_not_resumed_unseen() {
    let mut world = crate::nothing_found::corrected(120, 30);
    world.press("esc");
    let mut guarded = Guarded::new(world);
    assert_eq!(guarded.world.sessions().list.cursor(), None);
    guarded.world.press("backspace");
    guarded.world.enter("d");
    crate::nothing_found::find_nothing(&mut guarded.world);
    guarded.draw(1_000);
    crate::nothing_found::suggest(&mut guarded.world, "passwrod", "password");
    assert!(guarded.world.sessions().list.cursor().is_some());
    guarded.draw(1_010);
    assert_eq!(guarded.press("enter", 1_020), []);
    assert!(is_probe(&guarded.press("enter", 2_000)));
}

/// The file of the row is another session's by now, which is older: another row takes the cursor.
#[test]
fn after_a_refusal_the_next_enter_does_not_take_the_next_row() {
    let mut picker = Guarded::seeded();
    assert!(is_check(&picker.press("enter", 1000), 0));
    let changed = session(1, "shop", 80_000, "Another name", "x");
    picker.world.put(vec![changed]);
    picker
        .world
        .tell(Message::Checked((0..3).map(RowId).collect()));
    assert!(
        picker.said().contains("\"Row 1\" has changed"),
        "{}",
        picker.said()
    );
    for (at, key) in ["enter", "alt-g", "alt-x", "alt-i", "alt-c", "alt-w"]
        .iter()
        .enumerate()
    {
        let at = 1100 + 10 * at as u64;
        assert_eq!(picker.press(key, at), [], "{key}, before the frame");
    }
    picker.draw(1200);
    assert_eq!(picker.press("enter", 1350), []);
    assert!(
        picker.said().contains("\"Row 1\" has changed"),
        "still said: {}",
        picker.said()
    );
    assert!(picker.world.sessions().marked.is_empty());
    assert!(is_probe(&picker.press("enter", 1660)));
}

#[test]
fn a_row_that_stays_and_says_something_else_needs_a_glance_too() {
    let mut picker = Guarded::seeded();
    picker.press("enter", 1000);
    picker.world.put(vec![one(1, "Another name")]);
    picker.world.tell(Message::Checked(vec![RowId(0)]));
    assert_eq!(picker.world.title(), "Another name");
    picker.draw(1010);
    assert_eq!(picker.press("enter", 1200), []);
    assert!(is_probe(&picker.press("enter", 1600)));
}

#[test]
fn the_neighbor_of_a_row_that_vanished_is_not_resumed_by_the_same_enter() {
    let mut picker = Guarded::new(World::full(120, 30));
    let chosen = picker.world.rows.get(0).expect("a row").session.clone();
    let before = picker.world.title();
    picker.press("down", 500);
    picker.press("up", 510);
    picker.world.remove(&chosen);
    picker.draw(1000);
    assert_ne!(picker.world.title(), before);
    assert_eq!(picker.press("enter", 1100), []);
    assert!(picker.said().contains("is gone"), "{}", picker.said());
    assert!(is_probe(&picker.press("enter", 1500)));
}

/// Nothing was said before: the key that is held back says why.
#[test]
fn a_better_row_of_the_scan_is_not_taken_by_an_enter_for_the_one_before() {
    let mut picker = Guarded::seeded();
    picker
        .world
        .put(vec![session(9, "shop", 1_000, "Newest", "x")]);
    picker.draw(1000);
    assert_eq!(picker.world.title(), "Newest");
    assert_eq!(picker.press("enter", 1020), []);
    assert_eq!(
        picker.said(),
        "nothing was done: another row is under the cursor now. Look again"
    );
    assert!(is_probe(&picker.press("enter", 1400)));
}

#[test]
fn who_moves_the_cursor_acts_at_once() {
    let mut picker = Guarded::seeded();
    picker
        .world
        .put(vec![session(9, "shop", 1_000, "Newest", "x")]);
    picker.draw(1000);
    picker.press("down", 1010);
    assert!(is_check(&picker.press("enter", 1020), 0));
}

#[test]
fn the_best_row_for_what_was_typed_is_taken_at_once() {
    let mut picker = Guarded::new(World::full(120, 30));
    let before = picker.world.title();
    for (at, key) in ["f", "l", "a", "k", "y"].iter().enumerate() {
        picker.press(key, 1000 + at as u64);
    }
    picker.draw(1010);
    assert_ne!(picker.world.title(), before);
    assert!(is_probe(&picker.press("enter", 1020)));
}

/// The scan is over and its rows are searched again: an Enter means the row that is there.
#[test]
fn an_enter_does_not_wait_for_a_search_that_no_key_asked_for() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.put(vec![one(1, "Row 1"), one(2, "Row 2")]);
    world.app.update(Message::Scanned(Trouble::default()));
    let searches = world.app.take_effects();
    let is_search = |effect: &Effect| matches!(effect, Effect::Ask(Request::Search(_)));
    assert!(searches.iter().any(is_search), "{searches:?}");
    assert!(is_probe(&world.only_press("enter")));
}

#[test]
fn a_second_click_is_not_for_a_row_that_came_there_since() {
    let mut world = World::full(120, 30);
    let chosen = world.rows.get(0).expect("a row").session.clone();
    let line = world
        .screen()
        .lines()
        .position(|line| line.starts_with(" ▌"));
    let line = u16::try_from(line.expect("a cursor")).expect("a line");
    world.click(10, line);
    world.remove(&chosen);
    world.effects.clear();
    world.click(10, line);
    assert_eq!(world.effects, []);
    assert!(matches!(world.app.screens.top(), Screen::Sessions(_)));
}
