//! What the picker says of a copy, and the card with a text that is on no clipboard.

use claude_resume::tui::{
    Clip, Copied, Effect, How, Message, Multiplexer, Notice, Screen, Switch, TerminalCopy,
};
use crossterm::event::{MouseButton, MouseEventKind};

use crate::support::id;
use crate::world::World;

/// Takes the copy that was asked for and says what became of it.
fn answer(world: &mut World, how: How) -> Copied {
    let copy = match world.effects.pop() {
        Some(Effect::Copy { what, text }) => Some((what, text)),
        _ => None,
    };
    let (what, text) = copy.expect("something is copied");
    let clip = Clip::new(what, &text);
    let copied = Copied { clip, how };
    world.tell(Message::Copied(copied.clone()));
    copied
}

fn sent() -> How {
    How {
        terminal: TerminalCopy::Sent,
        ..How::default()
    }
}

/// A tmux that is not there.
pub fn lost() -> How {
    How {
        terminal: TerminalCopy::SentBlindly,
        failed: vec!["xclip: not found".to_owned(), "tmux: not found".to_owned()],
        ..How::default()
    }
}

/// A text of so many lines that reached nothing.
pub fn not_copied(world: &mut World, lines: usize) {
    let line = |n: usize| {
        format!("{n} \tfn  main() {{}}  // line {n} of a message that is not wrapped between words")
    };
    let mut text: Vec<String> = (1..=lines).map(line).collect();
    text.push("the end".to_owned());
    let clip = Clip::new("the message", &text.join("\n"));
    world.tell(Message::Copied(Copied { clip, how: lost() }));
}

fn has_card(world: &World) -> bool {
    matches!(world.app.screens.top(), Screen::Clip(_))
}

#[test]
fn a_proven_copy_is_a_notice_and_the_same_key_copies_again() {
    let mut world = World::full(120, 30);
    for _ in 0..2 {
        world.press("alt-i");
        let how = How {
            program: Some("wl-copy".to_owned()),
            ..sent()
        };
        let copied = answer(&mut world, how);
        let said = format!("copied the id (wl-copy): {}", copied.clip.text);
        assert_eq!(world.app.status, Some(Notice::Done(said)));
        assert!(!has_card(&world));
    }
    assert_eq!(world.effects, []);
}

#[test]
fn the_same_key_shows_what_was_only_sent() {
    let mut world = World::full(120, 30);
    let in_tmux = How {
        is_in_tmux: true,
        ..sent()
    };
    for (how, place) in [
        (sent(), "Sent to the terminal"),
        (in_tmux, "In tmux's buffer"),
    ] {
        world.press("alt-i");
        let copied = answer(&mut world, how);
        world.press("alt-i");
        assert!(world.screen().contains(place), "{}", world.screen());
        assert!(has_card(&world));
        assert_eq!(world.effects, [], "it is not sent again");
        assert!(world.screen().contains(&format!("\n{}", copied.clip.text)));
        world.press("esc");
        assert!(!has_card(&world));
        // What was shown is copied the next time.
        world.press("alt-i");
        assert!(matches!(world.effects[..], [Effect::Copy { .. }]));
        world.effects.clear();
    }
}

#[test]
fn another_key_or_another_text_is_not_the_same_key() {
    for between in ["alt-c", "down alt-i", "f1 esc alt-i"] {
        let mut world = World::full(120, 30);
        world.press("alt-i");
        answer(&mut world, sent());
        world.press(between);
        assert!(!has_card(&world), "{between}");
        assert!(matches!(world.effects[..], [Effect::Copy { .. }]));
    }
    let mut world = World::full(120, 30);
    world.press("alt-i");
    answer(&mut world, sent());
    world.mouse(MouseEventKind::Down(MouseButton::Left), 3, 5);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 3, 5);
    world.press("alt-i");
    assert!(!has_card(&world));
}

#[test]
fn a_text_that_is_on_no_clipboard_is_shown_until_it_is_closed() {
    for key in ["enter", "esc", "q"] {
        let mut world = World::full(80, 24);
        world.press("alt-i");
        answer(&mut world, lost());
        let screen = world.screen();
        for part in [
            "Not copied",
            "the id",
            "xclip: not found",
            "rarely passes it on",
            "Enter close",
        ] {
            assert!(screen.contains(part), "{part}: {screen}");
        }
        assert!(screen.contains(&format!("\n\n{}\n\n", id(1))), "{screen}");
        assert_eq!(world.app.mouse(), Switch::Off, "the terminal selects");
        world.press("alt-m");
        assert_eq!(world.app.mouse(), Switch::Off);
        assert!(world.screen().contains("the mouse is off as long as"));
        world.press("x 1 tab f1");
        assert!(has_card(&world));
        world.press(key);
        assert!(!has_card(&world), "{key}");
        assert_eq!(world.app.mouse(), Switch::On);
        assert_eq!(world.effects, []);
    }
}

#[test]
fn a_mouse_that_is_off_stays_off_after_the_card() {
    let mut world = World::full(80, 24);
    world.press("alt-m");
    not_copied(&mut world, 3);
    world.press("esc");
    assert_eq!(world.app.mouse(), Switch::Off);
}

#[test]
fn a_long_text_scrolls_to_its_last_line_in_any_size() {
    for (columns, rows) in [(120, 35), (80, 24), (44, 20), (20, 6), (8, 3)] {
        let mut world = World::full(columns, rows);
        not_copied(&mut world, 200);
        assert!(!world.screen().contains("of 200"), "{}", world.screen());
        world.press("G");
        if rows > 3 {
            assert!(world.screen().contains("\nthe end\n"), "{}", world.screen());
        }
        world.press("g pgdn pgup down up space");
        world.press("q");
        assert!(!has_card(&world));
    }
}

#[test]
fn only_one_card_is_shown() {
    let mut world = World::full(80, 24);
    let screens = |world: &World| world.app.screens.iter().count();
    let before = screens(&world);
    not_copied(&mut world, 3);
    not_copied(&mut world, 5);
    assert_eq!(screens(&world), before + 1);
    assert!(world.screen().contains("line 5 of"));
}

#[test]
fn what_is_for_the_terminal_is_handed_on() {
    let mut world = World::full(80, 24);
    let (text, multiplexer) = ("8c1f".to_owned(), Multiplexer::Screen);
    world.tell(Message::ToTerminal { text, multiplexer });
    let [Effect::ToTerminal { text, multiplexer }] = &world.effects[..] else {
        panic!("{:?}", world.effects);
    };
    assert_eq!((text.as_str(), *multiplexer), ("8c1f", Multiplexer::Screen));
    assert_eq!(world.app.status, None);
}
