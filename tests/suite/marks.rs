//! Marks and Enter: a mark that may have been forgotten never decides alone which session is resumed.

use claude_resume::resume::{Nested, Split, Wish};
use claude_resume::search::RowId;
use claude_resume::tui::{Effect, Ending, Printed, Request, Screen};

use crate::world::{World, session, sessions, setting};

const JWT: &str = "Fix JWT refresh token expiry";
const FLAKY: &str = "Why is test_refresh flaky on CI?";
const ROTATE: &str = "Rotate refresh tokens on password change";

/// The titles of the sessions that are to be resumed.
fn resumed(world: &mut World) -> Vec<String> {
    match world.effects.pop() {
        Some(Effect::Ask(Request::Probe(request))) => {
            let sessions = request.sessions.into_iter();
            sessions.map(|(title, _)| title).collect()
        }
        _ => Vec::new(),
    }
}

/// A picker in which the session with this title is marked.
fn with_mark(title: &str) -> World {
    let mut world = World::full(120, 30);
    while world.title() != title {
        world.press("down");
    }
    world.press("alt-x");
    world
}

/// A picker inside tmux.
fn inside_tmux() -> World {
    let mut inside = setting();
    inside.launch.nested = Nested::Tmux;
    let mut world = World::with(inside, "", 120, 30);
    world.arrive(true);
    world.scan(sessions());
    world
}

fn footer(world: &World) -> String {
    world.screen().lines().last().unwrap_or_default().to_owned()
}

/// Whether Enter has asked which session is meant.
fn has_asked(world: &World) -> bool {
    matches!(world.app.screens.top(), Screen::Confirm(_)) && world.effects.is_empty()
}

#[test]
fn a_mark_that_the_query_hides_is_asked_about() {
    let mut world = with_mark(JWT);
    world.enter("flaky");
    assert_eq!(world.title(), FLAKY);
    world.press("enter");
    assert!(has_asked(&world), "{:?}", world.effects);
    insta::assert_snapshot!("marks-hidden-by-the-query", world.screen());
    world.press("1");
    assert_eq!(resumed(&mut world), [FLAKY]);
    assert_eq!(world.sessions().marked.len(), 1, "the mark stays");
}

#[test]
fn the_question_about_a_mark_has_three_answers() {
    for (key, expected) in [
        ("1", vec![FLAKY]),
        ("2", vec![JWT]),
        ("3", vec![]),
        ("esc", vec![]),
    ] {
        let mut world = with_mark(JWT);
        world.enter("flaky");
        world.press("enter");
        world.press(key);
        assert_eq!(resumed(&mut world), expected, "{key}");
        assert!(!world.has_overlay(), "{key}");
    }
}

#[test]
fn a_single_mark_that_is_not_under_the_cursor_is_asked_about() {
    let mut world = with_mark(FLAKY);
    assert_ne!(world.title(), FLAKY, "marking goes on to the next row");
    world.press("enter");
    assert!(has_asked(&world), "{:?}", world.effects);
    world.press("esc up enter");
    assert_eq!(resumed(&mut world), [FLAKY], "under the cursor it is meant");
}

/// Marking has moved the cursor on: two more Enters must not resume that row.
#[test]
fn the_first_answer_is_the_mark_if_it_is_on_the_screen() {
    let mut world = with_mark(FLAKY);
    world.press("enter enter");
    assert_eq!(resumed(&mut world), [FLAKY]);
    let mut world = inside_tmux();
    world.press("alt-x alt-x");
    world.enter("flaky");
    world.press("enter enter");
    assert_eq!(
        resumed(&mut world),
        [JWT, FLAKY],
        "one of two is on the screen"
    );
}

#[test]
fn the_first_answer_is_the_row_under_the_cursor_if_the_mark_is_out_of_sight() {
    let mut world = with_mark(JWT);
    let many =
        (10..60).map(|n| session(n, "shop", i64::from(n) * 60_000, &format!("Many {n}"), "x"));
    world.put(many.collect());
    world.press("end");
    let last = world.title();
    world.press("enter enter");
    assert_eq!(resumed(&mut world), [last]);
}

#[test]
fn a_fork_and_the_reader_ask_as_well() {
    for keys in ["alt-g", "tab enter"] {
        let mut world = with_mark(JWT);
        world.enter("flaky");
        world.press(keys);
        assert!(has_asked(&world), "{keys}: {:?}", world.effects);
    }
    let mut world = with_mark(JWT);
    world.enter("flaky");
    world.press("alt-g 1");
    let wish = match world.effects.last() {
        Some(Effect::Ask(Request::Probe(request))) => Some(request.launch.wish),
        _ => None,
    };
    assert_eq!(wish, Some(Wish::Fork));
}

#[test]
fn where_nothing_is_listed_only_the_marked_one_is_offered() {
    let mut world = with_mark(JWT);
    world.enter("zzzzzz");
    world.press("enter");
    assert!(has_asked(&world), "{:?}", world.effects);
    world.press("1");
    assert_eq!(resumed(&mut world), [JWT]);
}

#[test]
fn what_is_printed_is_asked_about_too() {
    let mut print = setting();
    print.ending = Ending::Print(Printed::Id);
    let mut world = World::with(print, "", 120, 30);
    world.arrive(true);
    world.scan(sessions());
    world.press("alt-x alt-x");
    assert!(
        footer(&world).contains("Enter print 2 ids"),
        "{}",
        footer(&world)
    );
    world.enter("rotate");
    world.press("enter");
    assert!(has_asked(&world), "{:?}", world.effects);
    let screen = world.screen();
    assert!(
        screen.contains("2 marked sessions are not in this list"),
        "{screen}"
    );
    assert!(
        screen.contains(&format!("Print the id: {ROTATE}")),
        "{screen}"
    );
    assert!(
        screen.contains(&format!("Print 2 ids: {JWT}, {FLAKY}")),
        "{screen}"
    );
}

#[test]
fn several_marks_in_the_list_need_no_question() {
    let mut world = inside_tmux();
    world.press("alt-x alt-x enter");
    assert_eq!(resumed(&mut world), [JWT, FLAKY]);
    world.enter("flaky");
    world.press("enter");
    let screen = world.screen();
    assert!(
        screen.contains("1 of 2 marked sessions is not in this list"),
        "{screen}"
    );
}

#[test]
fn many_marked_sessions_are_counted_on_the_card() {
    let mut world = inside_tmux();
    world.put(
        (10..30)
            .map(|n| session(n, "shop", i64::from(n), &format!("Many {n}"), "x"))
            .collect(),
    );
    world.press("home");
    for _ in 0..20 {
        world.press("alt-x");
    }
    world.enter("rotate");
    world.press("enter");
    let screen = world.screen();
    assert!(screen.contains("and 17 more"), "{screen}");
}

/// What is on the card is what is done, whatever came meanwhile.
#[test]
fn an_answer_means_the_session_that_was_shown() {
    let mut world = with_mark(JWT);
    world.enter("flaky");
    world.press("enter");
    let gone = world.rows.get(1).expect("a row").session.clone();
    world.remove(&gone);
    world.press("1");
    assert_eq!(resumed(&mut world), Vec::<String>::new());
    let said = format!("{:?}", world.app.status);
    assert!(said.contains("deleted or moved"), "{said}");
}

#[test]
fn a_mark_goes_with_its_session() {
    let mut world = with_mark(JWT);
    let gone = world.rows.get(0).expect("a row").session.clone();
    world.remove(&gone);
    assert!(world.sessions().marked.is_empty());
    let said = format!("{:?}", world.app.status);
    assert!(said.contains("1 marked session is gone"), "{said}");
    assert!(
        footer(&world).starts_with(" Enter ask which"),
        "{}",
        footer(&world)
    );
    assert!(!footer(&world).contains("unmark"), "{}", footer(&world));
    let under_cursor = world.title();
    world.press("enter");
    assert!(has_asked(&world), "the neighbor was never chosen");
    let screen = world.screen();
    assert!(screen.contains("1 marked session is gone"), "{screen}");
    world.press("1");
    assert_eq!(resumed(&mut world), [under_cursor]);
}

/// Removes the session of the first row that the picker ever got.
fn remove_first(world: &mut World) {
    let gone = world.rows.get(0).expect("a row").session.clone();
    world.remove(&gone);
}

#[test]
fn a_mark_that_is_gone_is_asked_about_once() {
    for keys in ["esc", "alt-x up alt-x", "enter esc", "enter 2"] {
        let mut world = with_mark(JWT);
        remove_first(&mut world);
        world.press(keys);
        assert!(!world.has_overlay(), "{keys}");
        let title = world.title();
        world.press("enter");
        assert_eq!(resumed(&mut world), [title], "{keys}");
    }
}

#[test]
fn what_is_printed_is_not_the_neighbor_of_a_mark_that_is_gone() {
    let mut world = with_mark(JWT);
    world.app.context.setting.ending = Ending::Print(Printed::Id);
    remove_first(&mut world);
    world.press("enter");
    assert!(has_asked(&world), "{:?}", world.effects);
}

#[test]
fn of_several_marks_those_that_are_left_are_offered() {
    let mut world = inside_tmux();
    world.press("alt-x alt-x alt-x");
    remove_first(&mut world);
    let line = footer(&world);
    assert!(line.starts_with(" Enter ask which"), "{line}");
    world.press("enter");
    assert!(has_asked(&world), "{:?}", world.effects);
    let screen = world.screen();
    assert!(screen.contains("1 marked session is gone"), "{screen}");
    assert!(screen.contains("Open 2 in tmux:"), "{screen}");
    world.press("1");
    assert_eq!(resumed(&mut world).len(), 2);
}

/// A session may go while the card asks about it.
#[test]
fn an_answer_that_has_shrunk_is_asked_for_again() {
    let mut world = inside_tmux();
    world.press("alt-x alt-x alt-x");
    world.enter("rotate");
    world.press("enter");
    assert!(world.screen().contains("Open 3 in tmux:"));
    remove_first(&mut world);
    world.press("1");
    assert!(has_asked(&world), "{:?}", world.effects);
    let screen = world.screen();
    assert!(screen.contains("1 marked session is gone"), "{screen}");
    assert!(screen.contains("Open 2 in tmux:"), "{screen}");
}

/// The answer to a query that was typed a moment ago is waited for, with marks as without.
#[test]
fn enter_in_one_breath_with_a_query_asks_about_its_rows() {
    let mut world = with_mark(JWT);
    world.only_press("r enter");
    assert!(!has_asked(&world), "there is nothing to ask about yet");
    assert_eq!(world.effects, []);
}

#[test]
fn the_footer_says_what_enter_does() {
    let mut world = inside_tmux();
    assert!(
        footer(&world).starts_with(" Enter resume"),
        "{}",
        footer(&world)
    );
    world.press("alt-x alt-x");
    let line = footer(&world);
    assert!(line.starts_with(" Enter open 2 in tmux"), "{line}");
    assert!(line.contains("Alt+X mark · Esc unmark all"), "{line}");
    world.press("up");
    assert!(
        footer(&world).contains("Alt+X unmark"),
        "{}",
        footer(&world)
    );
    world.enter("rotate");
    let line = footer(&world);
    assert!(line.starts_with(" Enter ask which"), "{line}");
    assert!(line.ends_with("2 marks not listed"), "{line}");
    assert!(
        !line.contains("unmark"),
        "Esc clears the query first: {line}"
    );
    world.press("esc esc");
    assert!(!footer(&world).contains("Esc"), "{}", footer(&world));
}

#[test]
fn the_footer_knows_forks_and_what_is_printed() {
    for (split, expected) in [
        (Split::Window, " Enter resume in a tmux window ·"),
        (Split::Split, " Enter resume in a tmux split ·"),
        (Split::Popup, " Enter resume in a tmux popup ·"),
    ] {
        let mut world = inside_tmux();
        world.app.context.setting.split = Some(split);
        let line = footer(&world);
        assert!(line.starts_with(expected), "{line}");
        world.press("alt-x");
        world.enter("rotate");
        world.press("enter");
        let place = expected
            .replace(" Enter resume", "Resume")
            .replace(" ·", ": ");
        assert!(world.screen().contains(&place), "{}", world.screen());
    }
    for (ending, wish, marks, expected) in [
        (Ending::Resume, Wish::Fork, 0, "Enter fork"),
        (Ending::Explain, Wish::Continue, 0, "Enter resume"),
        (Ending::Resume, Wish::Fork, 2, "Enter fork 2 in tmux"),
        (
            Ending::Print(Printed::Id),
            Wish::Continue,
            0,
            "Enter print the id",
        ),
        (
            Ending::Print(Printed::Command),
            Wish::Continue,
            0,
            "Enter print the command",
        ),
        (
            Ending::Print(Printed::Command),
            Wish::Continue,
            2,
            "Enter print 2 commands",
        ),
        (
            Ending::Print(Printed::Words),
            Wish::Continue,
            0,
            "Enter choose",
        ),
        (
            Ending::Print(Printed::Report),
            Wish::Continue,
            0,
            "Enter show the plan",
        ),
    ] {
        let mut world = inside_tmux();
        world.app.context.setting.ending = ending;
        world.app.context.setting.launch.wish = wish;
        for _ in 0..marks {
            world.press("alt-x");
        }
        let line = footer(&world);
        assert!(
            line.starts_with(&format!(" {expected} ·")),
            "{expected}: {line}"
        );
    }
}

#[test]
fn a_key_that_only_complains_is_not_in_the_footer() {
    let mut world = World::full(120, 30);
    world.press("alt-x alt-x");
    assert!(!footer(&world).contains("Enter"), "{}", footer(&world));
    world.press("enter");
    assert!(
        world.screen().contains("start tmux first"),
        "{}",
        world.screen()
    );
}

#[test]
fn no_notice_covers_the_keys() {
    for (columns, rows) in [(120, 35), (80, 24), (40, 12), (40, 5)] {
        let mut world = World::full(columns, rows);
        let keys = footer(&world);
        world.press("alt-s");
        assert_eq!(footer(&world), keys, "{columns}x{rows}");
        let screen = world.screen();
        let above = screen.lines().nth(usize::from(rows) - 2);
        assert_eq!(above, Some(" sorted by start"), "{screen}");
    }
}

#[test]
fn copies_say_whose_id_it_is() {
    let mut world = with_mark(JWT);
    world.enter("flaky");
    world.press("alt-i");
    let Some(Effect::Copy { what, text }) = world.effects.pop() else {
        panic!("nothing is copied");
    };
    assert_eq!(what, "the id of the marked session");
    let marked = *world.sessions().marked.first().expect("a mark");
    let row = world.app.data.row(marked).expect("a row");
    assert_eq!((text.as_str(), marked), (&*row.session.file.id, RowId(0)));
}

/// The footer says what Enter is for; the card keeps the question and the answer.
#[test]
fn the_smallest_card_has_its_question_and_what_enter_does() {
    for (columns, rows, headline) in [
        (40, 10, "The marked session is not in this list"),
        (30, 10, "The marked session is not in this list"),
        (30, 8, "The marked session is not"),
        (20, 5, "The marked"),
    ] {
        let mut world = World::full(columns, rows);
        world.press("alt-x");
        world.enter("flaky");
        world.press("enter");
        let screen = world.screen();
        let lines = screen.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        assert!(lines.contains(headline), "{screen}");
        assert!(lines.contains("▌ 1 Resume: Why"), "{screen}");
        assert!(!lines.contains("2 Resume") || rows > 8, "{screen}");
    }
    let mut world = World::full(20, 5);
    world.press("alt-x");
    world.enter("flaky");
    world.press("enter");
    let mut is_read = false;
    for _ in 0..8 {
        world.press("up");
        is_read |= world.screen().contains("is not in this");
    }
    assert!(is_read, "scrolling shows all of it");
}
