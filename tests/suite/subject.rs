//! Keys act on what is read, whatever happens to the list meanwhile.

use claude_resume::tui::{Effect, Focus, Notice, Overlay, Place, Request};

use crate::reading::branches;
use crate::world::{World, session, sessions};

fn trouble(world: &World) -> &str {
    match &world.app.notice {
        Some(Notice::Trouble(text)) => text,
        Some(Notice::Done(_)) | None => "",
    }
}

#[test]
fn a_session_that_goes_while_it_is_read_leaves_the_keys_to_the_list() {
    for keys in ["tab", "tab g", "tab /"] {
        let mut world = World::full(120, 30);
        let read = world.title();
        world.press(keys);
        world.remove(&sessions()[0]);
        assert_ne!(world.title(), read);
        assert_eq!(
            (world.app.focus, world.app.place()),
            (Focus::List, Place::List)
        );
        assert!(trouble(&world).contains(&read), "{}", trouble(&world));
        assert!(world.screen().contains("is gone"), "{}", world.screen());
    }
    // Before the search has told which row comes next, Enter is for nothing.
    let mut world = World::full(120, 30);
    world.press("tab");
    let row = world.app.listing.cursor().expect("a row");
    world.tell(claude_resume::tui::Message::Rows(vec![(row, None)]));
    assert_eq!(world.app.focus, Focus::List);
    world.press("enter");
    assert_eq!(world.effects, []);
}

#[test]
fn the_list_of_branches_goes_with_its_session() {
    let mut world = World::full(120, 30);
    world.branches = branches();
    world.press("tab o b");
    assert_eq!(world.app.overlay, Some(Overlay::Branches { cursor: 0 }));
    world.remove(&sessions()[0]);
    assert_eq!(world.app.overlay, None);
}

#[test]
fn the_only_session_that_goes_leaves_nothing_to_act_on() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.scan(vec![sessions().remove(0)]);
    world.press("tab");
    world.remove(&sessions()[0]);
    assert_eq!(world.app.focus, Focus::List);
    assert!(trouble(&world).contains("is gone"));
    world.app.notice = None;
    let screen = world.screen();
    let footer = screen.lines().last().unwrap_or_default();
    for key in ["Enter", "Tab", "find", "copy"] {
        assert!(!footer.contains(key), "{key}: {footer}");
    }
    world.press("enter tab");
    assert_eq!(world.effects, []);
    assert_eq!(world.app.focus, Focus::List);
}

#[test]
fn what_is_read_while_sessions_are_found_stays() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.put(vec![session(1, "shop", 9_000_000, "The first one", "x")]);
    world.press("tab");
    world.put(vec![session(2, "shop", 1_000, "A newer one", "x")]);
    assert_eq!(world.title(), "The first one");
    assert_eq!(world.app.focus, Focus::Preview);
}

#[test]
fn resuming_takes_a_second_enter_where_another_branch_is_read() {
    let mut world = World::full(120, 30);
    world.branches = branches();
    world.press("tab o b j enter G enter");
    assert_eq!(world.effects, [], "{}", world.screen());
    assert!(
        trouble(&world).contains("a different branch"),
        "{}",
        trouble(&world)
    );
    // Any other key takes it back.
    world.press("k G enter");
    assert_eq!(world.effects, []);
    world.press("enter");
    assert!(matches!(
        world.effects[..],
        [Effect::Ask(Request::Probe(_))]
    ));
    // From the list, and a fork, which takes that branch as well.
    world.effects.clear();
    world.press("k tab enter");
    assert_eq!(world.effects, []);
    assert!(trouble(&world).contains("a different branch"));
    // The branch that resuming takes needs no question, and neither does another row.
    world.press("tab b g enter G enter");
    assert!(matches!(
        world.effects[..],
        [Effect::Ask(Request::Probe(_))]
    ));
    world.effects.clear();
    world.press("b j enter tab down enter");
    assert!(matches!(
        world.effects[..],
        [Effect::Ask(Request::Probe(_))]
    ));
}

#[test]
fn a_fold_that_is_clicked_stays_under_the_mouse_and_a_second_click_closes_it() {
    let mut world = World::full(120, 15);
    world.press("tab g");
    let line = |world: &World| {
        let scroll = &world.app.preview.page().expect("a page").scroll;
        let line = scroll
            .iter()
            .position(|line| line.text().contains("read a file"));
        line.expect("there")
    };
    let page = world.app.preview_page();
    // On the last row, where opening it with a key would scroll.
    let title = line(&world);
    world.app.preview.top = (title + 1).saturating_sub(page);
    let area = world.app.layout().preview;
    let header = world.app.preview_header(area);
    let below = title - world.app.preview.top;
    assert_eq!(below + 1, page, "{}", world.screen());
    let row = area.y + header + u16::try_from(below).expect("small");
    let closed = world.app.preview.length();
    world.click(area.x + 20, row);
    assert!(world.app.preview.length() > closed, "it is open");
    assert_eq!(line(&world) - world.app.preview.top, below);
    world.click(area.x + 20, row);
    assert_eq!(world.app.preview.length(), closed, "{}", world.screen());
    assert_eq!(line(&world) - world.app.preview.top, below);
}
