//! The file of the history becomes another one while somebody looks at it.

use std::fs;
use std::path::PathBuf;

use claude_resume::tui::{Effect, HistoryRequest, Request};
use serde_json::Value;

use crate::history_mode::{MINUTE, entries, entry};
use crate::support;
use crate::world::World;

fn prompts(numbers: impl Iterator<Item = i64>) -> Vec<Value> {
    let one = |n: i64| {
        let age = (1000 - n) * MINUTE;
        entry(&format!("prompt {n} of many"), age, "shop", Some(1))
    };
    numbers.map(one).collect()
}

/// A history of 700 prompts, with the cursor on the one with this number, in the middle.
fn looking_at(n: usize) -> World {
    let mut world = World::full(120, 30);
    world.write_history(&prompts(0..700));
    world.press("ctrl-r");
    let pane = world.prompts().pane(&world.app.context);
    world.prompts_mut().list.go_to(698 - n, pane);
    world.press("down");
    assert_eq!(cursor(&world).0, format!("prompt {n} of many"));
    world
}

/// The prompt under the cursor, and how many rows are in sight above it.
fn cursor(world: &World) -> (String, usize) {
    let history = world.prompts();
    let row = history.cursor_row().expect("read");
    let line = history.list.position() - history.list.above();
    (row.prompt.display.clone(), line)
}

fn path(world: &World) -> PathBuf {
    let (folder, _) = world.historian.as_ref().expect("a history");
    folder.path().join("history.jsonl")
}

fn look(world: &mut World) {
    world.carry_out(Effect::Ask(Request::Prompts(HistoryRequest::Changed)));
}

fn replace(world: &mut World, entries: &[Value]) {
    let path = path(world);
    let beside = path.with_extension("new");
    fs::write(&beside, support::lines(entries)).expect("written");
    fs::rename(&beside, path).expect("renamed");
    look(world);
}

#[test]
fn the_cursor_stays_with_its_prompt_when_a_file_takes_the_place_of_another() {
    for keys in ["down up", "tab"] {
        let mut world = looking_at(300);
        world.press(keys);
        let before = cursor(&world);
        // Many above it are gone, and one came.
        let others = (0..500).chain(620..701).filter(|n| n % 7 != 0);
        replace(&mut world, &prompts(others));
        assert_eq!(cursor(&world), before, "{keys}");
        let history = world.prompts();
        assert!(history.list.position() < 350, "{}", history.list.position());
    }
}

#[test]
fn a_cursor_that_nobody_moved_stays_too() {
    let mut world = World::full(120, 30);
    world.write_history(&prompts(0..50));
    world.press("ctrl-r");
    let (before, _) = cursor(&world);
    replace(&mut world, &prompts(0..60));
    assert_eq!(cursor(&world).0, before);
}

#[test]
fn the_cursor_comes_back_to_its_prompt_when_the_file_was_deleted_and_written_anew() {
    let mut world = looking_at(300);
    let before = cursor(&world);
    fs::remove_file(path(&world)).expect("deleted");
    look(&mut world);
    assert!(world.prompts().list.items().is_empty());
    // It is written from its beginning on, and somebody looks in between.
    fs::write(path(&world), support::lines(&prompts(0..200))).expect("written");
    look(&mut world);
    assert_ne!(cursor(&world).0, before.0);
    world.append_history(&prompts(200..700));
    assert_eq!(cursor(&world), before);
}

#[test]
fn who_moves_on_meanwhile_is_left_there() {
    let mut world = looking_at(300);
    replace(&mut world, &prompts(0..200));
    world.press("home down");
    let (there, _) = cursor(&world);
    world.append_history(&prompts(200..700));
    assert_eq!(cursor(&world).0, there);
}

#[test]
fn the_row_of_a_deleted_session_is_found_again() {
    let mut world = World::with_history(120, 30);
    world.press("ctrl-r alt-l down");
    let before = cursor(&world);
    let mut others = entries();
    others.push(entry("of a session that is gone", 0, "docs", Some(44)));
    replace(&mut world, &others);
    let history = world.prompts();
    assert_eq!(history.list.position(), 2);
    assert_eq!(cursor(&world).0, before.0);
    // And the way back leads there, too.
    world.press("enter");
    others.remove(0);
    replace(&mut world, &others);
    world.press("esc");
    assert_eq!(cursor(&world).0, before.0);
}
