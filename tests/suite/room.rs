//! The room of the preview: below the list it is small, and grows while it is read.

use claude_resume::preview::Line;
use claude_resume::tui::{Effect, Focus, Request};
use crossterm::event::{MouseButton, MouseEventKind};

use crate::world::World;

/// What is on the lowest line of the preview.
fn lowest(world: &World) -> String {
    let preview = &world.app.preview;
    let at = preview.top + world.app.preview_page() - 1;
    preview.line(at).map_or_else(String::new, Line::text)
}

#[test]
fn the_preview_below_the_list_grows_while_it_is_read() {
    let mut world = World::full(80, 24);
    let small = world.app.layout();
    let end = lowest(&world);
    world.press("tab");
    let large = world.app.layout();
    assert!(large.preview.height >= 14, "{large:?}");
    assert!(large.list.height >= 3, "{large:?}");
    assert_eq!(lowest(&world), end, "its end stays where it is");
    let screen = world.screen();
    let row = world.app.listing.cursor_row().expect("a row");
    let title = row.session.meta.title().expect("a title").1;
    let begins: String = title.chars().take(20).collect();
    let list = screen.lines().skip(2).take(large.list.height.into());
    assert!(
        list.into_iter().any(|line| line.contains(&begins)),
        "the row that is read is in sight: {screen}"
    );
    world.press("esc");
    assert_eq!(world.app.layout(), small);
    assert_eq!(lowest(&world), end);
}

#[test]
fn the_line_that_was_read_stays_in_sight_when_the_preview_shrinks() {
    let mut world = World::full(80, 24);
    world.press("tab o g j j");
    let read = world.app.preview.cursor;
    world.press("tab");
    let preview = &world.app.preview;
    let page = world.app.preview_page();
    assert!((preview.top..preview.top + page).contains(&read));
    assert_eq!(world.app.focus, Focus::List);
}

#[test]
fn the_divider_is_set_apart_for_reading() {
    let mut world = World::full(80, 24);
    let before = world.app.panes;
    world.press("tab alt-minus");
    assert_eq!(world.app.panes.stacked, before.stacked);
    assert_eq!(world.app.panes.reading, before.reading + 4);
    let divider = world.app.layout().divider;
    world.mouse(MouseEventKind::Down(MouseButton::Left), 10, divider.y);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), 10, divider.y + 5);
    assert_eq!(world.app.layout().divider.y, divider.y + 5);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 10, divider.y + 5);
    assert_eq!(world.app.panes.stacked, before.stacked);
    world.press("tab");
    assert_eq!(world.app.layout().list.height, 11);
}

#[test]
fn a_click_means_what_it_points_at_although_the_room_changes() {
    let mut world = World::full(80, 24);
    let preview = world.app.layout().preview;
    let top = world.app.preview.top;
    let header = world.app.preview_header(preview);
    world.click(30, preview.y + header + 2);
    assert_eq!(world.app.focus, Focus::Preview);
    assert_eq!(world.app.preview.cursor, top + 2);
    // Two clicks on a row of the small list resume that row, although the list has grown between.
    let list = world.app.layout().list;
    let pane = world.app.pane();
    let rows = 0..list.height;
    let other = rows
        .rev()
        .find(|line| world.app.listing.position_at(*line, pane).is_some());
    let line = list.y + other.expect("a row");
    world.mouse(MouseEventKind::Down(MouseButton::Left), 10, line);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 10, line);
    let clicked = world.app.listing.cursor();
    assert_eq!(world.app.focus, Focus::List);
    world.mouse(MouseEventKind::Down(MouseButton::Left), 10, line);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 10, line);
    assert_eq!(world.app.listing.cursor(), clicked);
    let resumes = |effect: &Effect| matches!(effect, Effect::Ask(Request::Probe(_)));
    assert!(world.effects.iter().any(resumes), "{:?}", world.effects);
}
