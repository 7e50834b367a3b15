//! Rows of the cache: they are shown, found and read, and nothing is done with them before their
//! files were looked at.

use std::path::Path;
use std::sync::Arc;

use claude_resume::search::RowId;
use claude_resume::store::{Project, Session, Trouble};
use claude_resume::tui::{Effect, Message, Notice, Pending, Request};

use crate::support::id;
use crate::world::{World, calm, session};

/// Two rows of the cache, the newer one under the cursor, before anything on disk was listed.
fn seeded() -> World {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.tell(Message::Unchecked(vec![RowId(0), RowId(1)]));
    world.put(vec![newer(), session(2, "shop", 90_000, "Older", "x")]);
    assert_eq!(world.title(), "Newer");
    world
}

fn newer() -> Session {
    session(1, "shop", 60_000, "Newer", "x")
}

/// The row that is to be looked at, if that is all that was asked for.
fn asked(world: &mut World) -> Option<RowId> {
    let effects = std::mem::take(&mut world.effects);
    match effects.as_slice() {
        [Effect::Ask(Request::Check(request))] => Some(request.row),
        _ => None,
    }
}

fn warning(world: &World) -> &str {
    match &world.app.status {
        Some(Notice::Trouble(text)) => text,
        _ => "no warning",
    }
}

#[test]
fn every_key_that_acts_waits_for_the_check_and_then_acts() {
    for key in ["enter", "alt-enter", "alt-i", "alt-c", "alt-w"] {
        let mut world = seeded();
        world.press(key);
        assert_eq!(asked(&mut world), Some(RowId(0)), "{key}");
        assert!(world.screen().contains("checking"), "{key}");
        world.tell(Message::Checked(vec![RowId(1)]));
        assert_eq!(world.effects, [], "{key}");
        world.tell(Message::Checked(vec![RowId(0)]));
        let done = world.effects.pop();
        let is_done = match &done {
            Some(Effect::Ask(Request::Probe(request))) => request.sessions[0].0 == "Newer",
            Some(Effect::Copy { text, .. }) => text.contains(&id(1)),
            _ => false,
        };
        assert!(is_done, "{key}: {done:?}");
    }
}

#[test]
fn a_mark_and_a_double_click_wait_for_the_check() {
    let mut world = seeded();
    world.press("alt-x");
    let is_mark = world.sessions().marked.is_empty() && asked(&mut world) == Some(RowId(0));
    assert!(is_mark, "{:?}", world.sessions().marked);
    world.tell(Message::Checked(vec![RowId(0)]));
    assert!(world.sessions().marked.contains(&RowId(0)));
    let mut world = seeded();
    let screen = world.screen();
    let row = screen.lines().position(|line| line.starts_with(" ▌"));
    let row = u16::try_from(row.expect("a cursor")).expect("a line");
    for _ in 0..2 {
        world.click(10, row);
    }
    assert_eq!(asked(&mut world), Some(RowId(0)));
}

#[test]
fn a_row_that_was_checked_needs_no_further_check() {
    let mut world = seeded();
    world.tell(Message::Checked(vec![RowId(0)]));
    world.press("enter");
    world.probe(vec![calm(1)]);
    let mut world = seeded();
    world.tell(Message::Checked(vec![RowId(0)]));
    world.press("down enter");
    assert_eq!(asked(&mut world), Some(RowId(1)));
}

#[test]
fn a_row_that_says_something_else_now_is_not_acted_on() {
    let mut world = seeded();
    world.press("enter");
    asked(&mut world);
    world.publish(vec![session(1, "shop", 50_000, "Another name", "x")]);
    world.tell(Message::Checked(vec![RowId(0)]));
    assert_eq!(world.effects, []);
    assert_eq!(
        warning(&world),
        "nothing was done: \"Newer\" has changed. Look again"
    );
    assert_eq!(world.sessions().pending, None);
}

#[test]
fn a_row_that_only_went_on_is_acted_on() {
    let mut world = seeded();
    world.press("enter");
    asked(&mut world);
    let mut later = newer();
    later.file.size += 1_000;
    later.meta.last_message = later.meta.last_message.map(|at| at + 1_000);
    world.publish(vec![later]);
    world.tell(Message::Checked(vec![RowId(0)]));
    world.probe(vec![calm(1)]);
}

#[test]
fn a_chosen_row_that_is_gone_says_so_and_any_other_goes_silently() {
    let mut world = seeded();
    world.press("enter");
    asked(&mut world);
    world.remove(&newer());
    assert!(warning(&world).contains("\"Newer\" is gone"));
    assert_eq!(world.sessions().pending, None);
    let mut world = seeded();
    world.remove(&newer());
    assert_eq!(
        (world.app.status.as_ref(), &*world.title()),
        (None, "Older")
    );
    let mut world = seeded();
    world.press("down up");
    world.remove(&newer());
    assert!(warning(&world).contains("\"Newer\" is gone"));
}

/// As when the whole config directory goes.
#[test]
fn an_enter_that_waits_says_so_if_nothing_is_left() {
    let mut world = seeded();
    world.press("enter");
    asked(&mut world);
    world.remove(&newer());
    world.remove(&session(2, "shop", 90_000, "Older", "x"));
    world.tell(Message::Scanned(Trouble::default()));
    assert!(warning(&world).contains("\"Newer\" is gone"));
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.press("enter");
    world.scan(Vec::new());
    let said = format!("{:?}", world.app.status);
    assert!(said.contains("there is no session here"), "{said}");
}

/// The cursor is on a copy, which is a row of its own.
#[test]
fn an_enter_on_a_copy_says_that_its_session_is_gone() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.tell(Message::Unchecked(vec![RowId(0)]));
    let mut copy = newer();
    copy.file.project = Arc::new(Project {
        root: Path::new("/mnt/backup/.claude").into(),
        dir: Path::new("/mnt/backup/.claude/projects/-home-ada-code-shop").into(),
        name: copy.file.project.name.clone(),
    });
    copy.file.modified -= 1_000;
    world.put(vec![newer(), copy.clone()]);
    world.press("alt-r down enter");
    assert_eq!(asked(&mut world), Some(RowId(0)));
    world.remove(&newer());
    world.remove(&copy);
    assert!(
        warning(&world).contains("\"Newer\" is gone"),
        "{}",
        warning(&world)
    );
}

#[test]
fn a_newer_row_that_comes_meanwhile_does_not_take_the_action() {
    let mut world = seeded();
    world.press("enter");
    assert_eq!(asked(&mut world), Some(RowId(0)));
    world.put(vec![session(3, "shop", 1_000, "Newest", "x")]);
    assert_eq!(world.title(), "Newer");
    world.tell(Message::Checked(vec![RowId(0)]));
    let Some(Effect::Ask(Request::Probe(request))) = world.effects.pop() else {
        panic!("nothing is resumed");
    };
    assert_eq!(request.sessions[0].0, "Newer");
}

#[test]
fn a_key_cancels_an_action_that_waits() {
    let mut world = seeded();
    world.press("enter");
    asked(&mut world);
    world.press("down");
    assert_eq!(world.sessions().pending, None::<Pending>);
    world.tell(Message::Checked(vec![RowId(0)]));
    assert_eq!(world.effects, []);
}

#[test]
fn unchecked_rows_get_no_warning_of_their_deletion() {
    const DAY: i64 = 86_400_000;
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.tell(Message::Unchecked(vec![RowId(0)]));
    world.put(vec![session(1, "shop", 28 * DAY, "Old", "x")]);
    let warns = |world: &World| world.screen().contains("until Claude Code deletes it");
    assert!(!warns(&world), "{}", world.screen());
    world.tell(Message::Checked(vec![RowId(0)]));
    assert!(warns(&world), "{}", world.screen());
}
