//! The room of the preview: below the list it is small, and grows while it is read.

use claude_resume::preview::PageLine;
use claude_resume::tui::{Effect, Focus, Request};
use crossterm::event::{MouseButton, MouseEventKind};

use crate::world::World;

/// What is on the lowest line of the preview.
fn lowest(world: &World) -> String {
    let preview = &world.reader();
    let at = preview.top + world.page_rows() - 1;
    preview.line(at).map_or_else(String::new, PageLine::text)
}

#[test]
fn the_preview_below_the_list_grows_while_it_is_read() {
    let mut world = World::full(80, 24);
    let small = world.layout();
    let end = lowest(&world);
    world.press("tab");
    let large = world.layout();
    assert!(large.preview.height >= 14, "{large:?}");
    assert!(large.list.height >= 3, "{large:?}");
    assert_eq!(lowest(&world), end, "its end stays where it is");
    let screen = world.screen();
    let row = world.sessions().cursor_row(&world.app.data).expect("a row");
    let title = row.session.meta.raw_title().expect("a title").1;
    let begins: String = title.chars().take(20).collect();
    let list = screen.lines().skip(2).take(large.list.height.into());
    assert!(
        list.into_iter().any(|line| line.contains(&begins)),
        "the row that is read is in sight: {screen}"
    );
    world.press("esc");
    assert_eq!(world.layout(), small);
    assert_eq!(lowest(&world), end);
}

#[test]
fn the_line_that_was_read_stays_in_sight_when_the_preview_shrinks() {
    let mut world = World::full(80, 24);
    world.press("tab o g j j");
    let read = world.reader().cursor;
    world.press("tab");
    let preview = &world.reader();
    let page = world.page_rows();
    assert!((preview.top..preview.top + page).contains(&read));
    assert_eq!(world.focus(), Focus::List);
}

#[test]
fn the_divider_is_set_apart_for_reading() {
    let mut world = World::full(80, 24);
    let before = world.app.context.panes;
    world.press("tab alt-minus");
    assert_eq!(world.app.context.panes.stacked, before.stacked);
    assert_eq!(world.app.context.panes.reading, before.reading + 4);
    let divider = world.layout().divider;
    world.mouse(MouseEventKind::Down(MouseButton::Left), 10, divider.y);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), 10, divider.y + 5);
    assert_eq!(world.layout().divider.y, divider.y + 5);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 10, divider.y + 5);
    assert_eq!(world.app.context.panes.stacked, before.stacked);
    world.press("tab");
    assert_eq!(world.layout().list.height, 11);
}

#[test]
fn a_click_means_what_it_points_at_although_the_room_changes() {
    let mut world = World::full(80, 24);
    let preview = world.layout().preview;
    let top = world.reader().top;
    let header = world.reader().header(preview);
    world.click(30, preview.y + header + 2);
    assert_eq!(world.focus(), Focus::Preview);
    assert_eq!(world.reader().cursor, top + 2);
    // Two clicks on a row of the small list resume that row, although the list has grown between.
    let list = world.layout().list;
    let pane = world.sessions().pane(&world.app.context);
    let rows = 0..list.height;
    let other = rows
        .rev()
        .find(|line| world.sessions().list.position_at(*line, pane).is_some());
    let line = list.y + other.expect("a row");
    world.mouse(MouseEventKind::Down(MouseButton::Left), 10, line);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 10, line);
    let clicked = world.sessions().list.cursor();
    assert_eq!(world.focus(), Focus::List);
    world.mouse(MouseEventKind::Down(MouseButton::Left), 10, line);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 10, line);
    assert_eq!(world.sessions().list.cursor(), clicked);
    let resumes = |effect: &Effect| matches!(effect, Effect::Ask(Request::Probe(_)));
    assert!(world.effects.iter().any(resumes), "{:?}", world.effects);
}
