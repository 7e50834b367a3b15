//! Keys act on what is read, whatever happens to the list meanwhile.

use claude_resume::tui::{Effect, Focus, Notice, Request, Screen, layers};

use crate::reading::branches;
use crate::world::{World, session, sessions};

fn trouble(world: &World) -> &str {
    match &world.app.status {
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
            (world.focus(), world.app.layers()),
            (Focus::List, layers::EMPTY_SESSION_LIST)
        );
        assert!(trouble(&world).contains(&read), "{}", trouble(&world));
        assert!(world.screen().contains("is gone"), "{}", world.screen());
    }
    // Before the search has told which row comes next, Enter is for nothing.
    let mut world = World::full(120, 30);
    world.press("tab");
    let row = world.sessions().list.cursor().expect("a row");
    world.tell(claude_resume::tui::Message::Rows(vec![(row, None)]));
    assert_eq!(world.focus(), Focus::List);
    world.press("enter");
    assert_eq!(world.effects, []);
}

#[test]
fn the_list_of_branches_goes_with_its_session() {
    let mut world = World::full(120, 30);
    world.branches = branches();
    world.press("tab o b");
    assert!(matches!(world.app.screens.top(), Screen::Branches(it) if it.cursor == 0));
    world.remove(&sessions()[0]);
    assert!(!world.has_overlay());
}

#[test]
fn the_only_session_that_goes_leaves_nothing_to_act_on() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.scan(vec![sessions().remove(0)]);
    world.press("tab");
    world.remove(&sessions()[0]);
    assert_eq!(world.focus(), Focus::List);
    assert!(trouble(&world).contains("is gone"));
    world.app.status = None;
    let screen = world.screen();
    let footer = screen.lines().last().unwrap_or_default();
    for key in ["Enter", "Tab", "find", "copy"] {
        assert!(!footer.contains(key), "{key}: {footer}");
    }
    world.press("enter tab");
    assert_eq!(world.effects, []);
    assert_eq!(world.focus(), Focus::List);
}

#[test]
fn what_is_read_while_sessions_are_found_stays() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.put(vec![session(1, "shop", 9_000_000, "The first one", "x")]);
    world.press("tab");
    world.put(vec![session(2, "shop", 1_000, "A newer one", "x")]);
    assert_eq!(world.title(), "The first one");
    assert_eq!(world.focus(), Focus::Preview);
}

#[test]
fn resuming_takes_a_second_enter_where_another_branch_is_read() {
    let mut world = World::full(120, 30);
    world.branches = branches();
    world.press("tab o b j enter G enter");
    assert_eq!(world.effects, [], "{}", world.screen());
    let is_asked = |world: &World| world.screen().contains("Resume uses a different branch");
    assert!(is_asked(&world), "{}", world.screen());
    // Esc takes it back, and the second choice leads to the branches.
    world.press("esc");
    assert!(!is_asked(&world), "{}", world.screen());
    world.press("enter 2");
    assert_eq!(world.app.layers(), layers::BRANCHES);
    world.press("esc enter enter");
    assert!(matches!(
        world.effects[..],
        [Effect::Ask(Request::Probe(_))]
    ));
    // From the list, and a fork, which takes that branch as well.
    world.effects.clear();
    world.press("k tab enter");
    assert_eq!(world.effects, []);
    assert!(is_asked(&world), "{}", world.screen());
    world.press("esc");
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
        let scroll = &world.reader().page().expect("a page").scroll;
        let line = scroll
            .iter()
            .position(|line| line.text().contains("read a file"));
        line.expect("there")
    };
    let page = world.page_rows();
    // On the last row, where opening it with a key would scroll.
    let title = line(&world);
    world.reader_mut().top = (title + 1).saturating_sub(page);
    let area = world.layout().preview;
    let header = world.reader().header(area);
    let below = title - world.reader().top;
    assert_eq!(below + 1, page, "{}", world.screen());
    let row = area.y + header + u16::try_from(below).expect("small");
    let closed = world.reader().length();
    world.click(area.x + 20, row);
    assert!(world.reader().length() > closed, "it is open");
    assert_eq!(line(&world) - world.reader().top, below);
    world.click(area.x + 20, row);
    assert_eq!(world.reader().length(), closed, "{}", world.screen());
    assert_eq!(line(&world) - world.reader().top, below);
}
