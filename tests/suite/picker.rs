//! What every key does, in every place, without a terminal.

use claude_resume::list::Sort;
use claude_resume::search::RowId;
use claude_resume::store::ScanDepth;
use claude_resume::tui::{
    Content, Density, Effect, Ending, Family, Focus, HelpGroup, KeyLayer, Keymap, Message, Names,
    Notice, Outcome, Reach, Request, Screen, Switch, TABLE, layers,
};
use crossterm::event::{MouseButton, MouseEventKind};

use crate::support::id;
use crate::world::{World, calm, now, session, sessions, setting, without_worktree};

fn world() -> World {
    World::full(120, 30)
}

/// Where a key can be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Typing,
    List,
    Preview,
    Finding,
    Branches,
    Help,
    History,
    HistoryTyping,
    HistoryPreview,
    HistoryFinding,
    HistoryFound,
    Card,
    Entry,
}

impl Place {
    const ALL: [Self; 13] = [
        Self::Typing,
        Self::List,
        Self::Preview,
        Self::Finding,
        Self::Branches,
        Self::Help,
        Self::History,
        Self::HistoryTyping,
        Self::HistoryPreview,
        Self::HistoryFinding,
        Self::HistoryFound,
        Self::Card,
        Self::Entry,
    ];

    fn layers(self) -> &'static [KeyLayer] {
        match self {
            Self::Typing => layers::SESSION_LIST,
            Self::List => layers::EMPTY_SESSION_LIST,
            Self::Preview => layers::CONVERSATION,
            Self::Finding | Self::HistoryFinding => layers::FIND,
            Self::Branches => layers::BRANCHES,
            Self::Help => layers::HELP,
            Self::History => layers::EMPTY_PROMPT_LIST,
            Self::HistoryTyping => layers::PROMPT_LIST,
            Self::HistoryPreview | Self::HistoryFound => layers::PROMPT,
            Self::Card => layers::CARD,
            Self::Entry => layers::ENTRY,
        }
    }
}

/// A picker in this place, in the middle of everything that keys move through.
fn in_the_middle_of(place: Place) -> World {
    let mut world = World::with_history(120, 30);
    world.press("ctrl-t");
    world.tell(Message::Names(Names {
        projects: vec!["shop".to_owned()],
        ..Names::default()
    }));
    match place {
        Place::Typing => {
            world.enter("e e");
            world.press("left left");
        }
        Place::List => {}
        Place::Preview => {
            world.tell(Message::Resize {
                columns: 120,
                rows: 14,
            });
            world.press("tab g j j");
        }
        Place::Finding => {
            world.tell(Message::Resize {
                columns: 120,
                rows: 14,
            });
            world.press("tab g j j /");
            world.enter("e e e");
            world.press("g left left");
        }
        Place::Branches => {
            world.branches = crate::reading::branches();
            world.press("tab o b j");
        }
        Place::Help => {
            world.tell(Message::Resize {
                columns: 120,
                rows: 14,
            });
            world.press("f1 j j");
        }
        Place::History => world.press("ctrl-r down down"),
        Place::HistoryTyping => {
            world.press("ctrl-r");
            world.enter("e e");
            world.press("left left down down");
        }
        Place::HistoryPreview => {
            world.press("ctrl-r");
            world.enter("mean");
            world.tell(Message::Resize {
                columns: 120,
                rows: 12,
            });
            world.press("tab j");
        }
        Place::HistoryFinding | Place::HistoryFound => {
            world.press("ctrl-r");
            world.enter("mean");
            world.tell(Message::Resize {
                columns: 120,
                rows: 12,
            });
            world.press("tab j /");
            if place == Place::HistoryFound {
                world.enter("frame");
                world.press("enter n");
            } else {
                world.enter("a b frame");
                world.press("left left down");
            }
        }
        Place::Card => {
            world.press("enter");
            world.probe(vec![without_worktree(1)]);
            world.press("down down");
        }
        Place::Entry => {
            world.press("enter");
            world.probe(vec![without_worktree(1)]);
            world.press("4");
            world.enter("/a b c");
            world.press("left left");
        }
    }
    if let Place::Typing | Place::List = place {
        world.tell(Message::Resize {
            columns: 120,
            rows: 16,
        });
        world.press("down");
        // The preview is in its middle, too.
        world.press("alt-pgup alt-pgup alt-pgup shift-down shift-down");
    }
    assert_eq!(world.app.layers(), place.layers());
    world
}

/// Everything that a key could have changed.
fn state(world: &World) -> String {
    let (query, find) = match world.history() {
        Some(history) => (&history.query, history.reader.find.as_ref()),
        None => (&world.sessions().query, world.reader().find.as_ref()),
    };
    let caret = query.input.cursor_column();
    let find = find.map(|find| (find.stage, find.input.cursor_column()));
    let (screen, effects) = (world.screen(), &world.effects);
    let level = world.reader().options.clone();
    let top = match world.app.screens.top() {
        Screen::Sessions(_) | Screen::Prompts(_) => String::new(),
        other => format!("{other:?}"),
    };
    let (focus, mouse) = (world.focus(), world.app.mouse());
    format!("{screen}\n{caret} {find:?} {effects:?} {level:?} {top} {focus:?} {mouse:?}")
}

#[test]
fn every_key_of_the_table_does_something_in_each_of_its_places() {
    for place in Place::ALL {
        // A place looks the same each time that it is reached.
        let before = state(&in_the_middle_of(place));
        assert_eq!(before, state(&in_the_middle_of(place)));
        for binding in TABLE {
            let is_empty = matches!(place, Place::List | Place::History);
            // There is nothing to edit in an empty line.
            let edits_nothing = binding.group == HelpGroup::Edit && is_empty;
            if edits_nothing || !place.layers().contains(&binding.layer) {
                continue;
            }
            let did: Vec<String> = binding
                .keys
                .split(' ')
                .map(|key| {
                    let mut world = in_the_middle_of(place);
                    world.press(key);
                    let after = state(&world);
                    assert_ne!(before, after, "{key} in {place:?} ({})", binding.name);
                    after
                })
                .collect();
            // All keys of a line do the same.
            assert!(did.windows(2).all(|pair| pair[0] == pair[1]), "{binding:?}");
        }
    }
}

#[test]
fn typing_narrows_the_list_and_starts_at_the_best_row() {
    let mut world = world();
    world.press("down");
    world.enter("tokens");
    assert_eq!(world.title(), "Rotate refresh tokens on password change");
    assert_eq!(world.sessions().query.input.text(), "tokens");
    world.press("ctrl-u");
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
}

#[test]
fn a_query_from_the_command_line_is_typed_already() {
    let mut world = World::with(setting(), "flaky", 80, 24);
    world.arrive(true);
    world.scan(sessions());
    assert_eq!(world.sessions().list.items().len(), 1);
    assert_eq!(world.title(), "Why is test_refresh flaky on CI?");
}

#[test]
fn pasting_is_typing_but_not_over_the_help() {
    let mut world = world();
    world.tell(Message::Paste("flaky\nCI".to_owned()));
    assert_eq!(world.sessions().query.input.text(), "flaky CI");
    assert_eq!(world.sessions().list.items().len(), 1);
    world.press("f1");
    world.tell(Message::Paste("more".to_owned()));
    assert_eq!(world.sessions().query.input.text(), "flaky CI");
}

#[test]
fn operators_and_their_names_are_completed_at_the_end_of_the_query() {
    let mut world = world();
    world.tell(Message::Names(Names {
        projects: vec!["shop".to_owned(), "gateway".to_owned()],
        branches: vec!["main".to_owned(), "fix/jwt".to_owned()],
        tags: vec!["auth".to_owned()],
        models: vec!["claude-opus-4-8".to_owned()],
    }));
    world.enter("b");
    assert_eq!(
        world.sessions().query.completion,
        None,
        "one letter says too little"
    );
    world.enter("r");
    let offer = world.sessions().query.completion.as_ref();
    assert_eq!(offer.map(|offer| offer.rest.as_str()), Some("anch:"));
    let footer = world.screen().lines().last().map(str::to_owned);
    assert!(footer.is_some_and(|line| line.contains("complete (part of the branch)")));
    assert!(
        world.screen().starts_with(" ❯ branch:"),
        "{}",
        world.screen()
    );
    world.press("right");
    assert_eq!(world.sessions().query.input.text(), "branch:");
    world.enter("fi");
    world.press("ctrl-f");
    assert_eq!(
        world.sessions().query.input.text().trim_end(),
        "branch:fix/jwt"
    );
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
    world.press("ctrl-u");
    world.enter("is:xyz");
    assert_eq!(world.sessions().query.completion, None);
    world.press("left right right");
    assert_eq!(world.sessions().query.input.text(), "is:xyz");
}

#[test]
fn what_is_wrong_with_a_query_is_told_while_it_is_typed() {
    let mut world = world();
    world.enter("since:soon");
    assert!(world.screen().contains("soon"), "{}", world.screen());
    let above_the_keys = world.screen().lines().rev().nth(1).map(str::to_owned);
    assert!(
        above_the_keys.is_some_and(|line| line.contains("soon")),
        "{}",
        world.screen()
    );
}

#[test]
fn arrows_pages_and_ends() {
    let mut world = world();
    let titles: Vec<String> = ["down", "ctrl-n", "ctrl-j", "up", "ctrl-p", "end", "home"]
        .iter()
        .map(|key| {
            world.press(key);
            world.title().chars().take(6).collect()
        })
        .collect();
    assert_eq!(
        titles,
        [
            "Why is", "Rotate", "Tokeni", "Rotate", "Why is", "Emoji ", "Fix JW"
        ]
    );
    world.press("pgdn");
    assert_ne!(world.title(), "Fix JWT refresh token expiry");
    world.press("pgup");
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
    world.press("ctrl-k up");
    assert_eq!(
        world.title(),
        "Fix JWT refresh token expiry",
        "the list does not wrap"
    );
}

#[test]
fn enter_resumes_what_is_under_the_cursor() {
    let mut world = world();
    world.press("down enter");
    let Some(Effect::Ask(Request::Probe(request))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    assert_eq!(*request.sessions[0].1.session.file.id, id(2));
    let mut empty = World::new(80, 24);
    empty.press("enter tab alt-i");
    assert_eq!(empty.effects, []);
    assert_eq!(empty.focus(), Focus::List);
}

#[test]
fn the_demo_explains_and_goes_on() {
    let mut setting = setting();
    setting.ending = Ending::Explain;
    let mut world = World::with(setting, "", 80, 24);
    world.arrive(true);
    world.scan(sessions());
    world.press("enter");
    world.probe(vec![calm(1)]);
    assert_eq!(world.effects, []);
    let said = format!("{:?}", world.app.status);
    assert!(said.contains("claude --resume"), "{said}");
    world.press("down");
    assert_eq!(world.app.status, None, "the next key takes it away");
    // Marked rows are shown on the card, as in tmux.
    world.press("home alt-x alt-x enter");
    world.probe(vec![calm(1), calm(2)]);
    let text = world.screen();
    assert!(text.contains("Resume 2 marked sessions"), "{text}");
    world.press("enter");
    assert!(world.effects.is_empty() && !world.screen().contains("Resume 2"));
    let said = format!("{:?}", world.app.status);
    assert!(said.contains("it would open 2 tmux windows"), "{said}");
}

#[test]
fn esc_clears_then_closes_then_quits() {
    let mut world = world();
    world.tell(Message::Related(vec![
        (RowId(1), Family(1)),
        (RowId(2), Family(1)),
    ]));
    world.press("down alt-r");
    assert_eq!(world.sessions().list.items().len(), 5, "the family is open");
    world.press("alt-x");
    world.enter("e");
    world.press("esc");
    assert_eq!(
        world.app.layers(),
        layers::EMPTY_SESSION_LIST,
        "what is typed is cleared"
    );
    assert_eq!(world.sessions().marked.len(), 1);
    world.press("esc");
    assert_eq!(world.sessions().marked.len(), 0, "the marks are taken away");
    world.press("esc");
    assert_eq!(
        world.sessions().list.items().len(),
        4,
        "the family is closed"
    );
    assert_eq!(world.effects, []);
    world.press("esc");
    assert_eq!(world.effects, [Effect::Leave(Outcome::Nothing)]);
}

#[test]
fn esc_closes_what_lies_over_the_list_and_leaves_the_query_alone() {
    let mut world = world();
    world.enter("token");
    world.press("tab f1");
    assert_eq!(world.app.layers(), layers::HELP);
    world.press("esc");
    assert_eq!(world.app.layers(), layers::CONVERSATION);
    world.press("esc");
    assert_eq!(world.app.layers(), layers::SESSION_LIST);
    assert_eq!(world.sessions().query.input.text(), "token");
}

#[test]
fn copies_of_a_session_open_and_are_resumed_from_where_they_are() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    let mut copy = session(1, "old-shop", 400_000, "Fix it", "then");
    copy.meta.cwd = Some("/home/ada/code/shop".into());
    world.scan(vec![
        session(1, "shop", 0, "Fix it", "now"),
        copy,
        session(2, "shop", 900_000, "Another", "x"),
    ]);
    assert_eq!(world.sessions().list.items().len(), 2);
    assert!(world.screen().contains("1 copy"), "{}", world.screen());
    world.press("alt-r");
    assert_eq!(world.sessions().list.items().len(), 3);
    assert_eq!(world.sessions().found.len(), 2, "still two sessions");
    assert!(
        world
            .screen()
            .contains("copy in ~/.claude/projects/-home-ada-code-old-shop"),
        "{}",
        world.screen()
    );
    world.press("down alt-w");
    let Some(Effect::Copy { text, .. }) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    assert!(text.contains("-home-ada-code-old-shop"), "{text}");
    world.press("alt-r");
    assert_eq!(world.sessions().list.items().len(), 2);
    assert_eq!(
        world.sessions().list.position(),
        0,
        "the row that stays has it"
    );
    world.press("down alt-r");
    let said = format!("{:?}", world.app.status);
    assert!(said.contains("no copies"), "{said}");
}

#[test]
fn ctrl_c_quits_from_everywhere() {
    for keys in ["ctrl-c", "x ctrl-c", "tab ctrl-c", "f1 ctrl-c"] {
        let mut world = world();
        world.press(keys);
        assert_eq!(
            world.effects,
            [Effect::Leave(Outcome::Interrupted)],
            "{keys}"
        );
    }
    let mut world = world();
    world.press("ctrl-z");
    world.tell(Message::Leave(Outcome::Terminated));
    assert_eq!(
        world.effects,
        [Effect::Suspend, Effect::Leave(Outcome::Terminated)]
    );
}

#[test]
fn the_scope_switches_and_is_remembered() {
    let mut world = world();
    assert_eq!(world.sessions().list.items().len(), 5);
    world.press("ctrl-t");
    assert_eq!(world.sessions().list.items().len(), 7);
    assert_eq!(world.app.memory().reach, Reach::All);
    world.press("f2");
    assert_eq!(world.sessions().list.items().len(), 5);
    assert_eq!(world.app.memory().reach, Reach::Auto);
}

#[test]
fn a_repository_without_sessions_shows_everything() {
    let mut world = World::new(80, 24);
    world.arrive(false);
    world.scan(sessions());
    assert_eq!(world.sessions().list.items().len(), 7);
    // A folder name that only looks like this repository's is found out by the scan.
    let mut misled = World::new(80, 24);
    misled.arrive(true);
    misled.scan(vec![session(1, "other", 0, "Elsewhere", "x")]);
    assert_eq!(misled.sessions().list.items().len(), 1);
    // Who asked for this repository gets it, empty as it is.
    let mut asked = World::new(80, 24);
    asked.arrive(false);
    asked.scan(vec![session(1, "other", 0, "Elsewhere", "x")]);
    asked.press("ctrl-t");
    assert_eq!(asked.sessions().list.items().len(), 0);
    assert!(
        asked.screen().contains("No sessions here"),
        "{}",
        asked.screen()
    );
}

#[test]
fn the_order_goes_round() {
    let mut world = world();
    let mut firsts = Vec::new();
    for order in [Sort::Created, Sort::Size, Sort::Title, Sort::Activity] {
        world.press("alt-s");
        assert_eq!(world.sessions().order, order);
        firsts.push(world.title().chars().take(5).collect::<String>());
    }
    assert_eq!(firsts, ["Fix J", "Emoji", "Emoji", "Fix J"]);
}

#[test]
fn hidden_kinds_are_counted_and_shown() {
    let mut world = world();
    assert_eq!(world.sessions().counts.hidden, 1);
    world.press("alt-h");
    assert_eq!(world.sessions().list.items().len(), 6);
    assert_eq!(
        world.effects,
        [Effect::Ask(Request::Rescan(ScanDepth::Everything))]
    );
    world.press("f4 f5");
    assert_eq!(world.sessions().list.items().len(), 5);
    assert_eq!(
        world.effects[1..],
        [
            Effect::Redraw,
            Effect::Ask(Request::Rescan(ScanDepth::Candidates))
        ]
    );
}

#[test]
fn panes_are_set_by_keys() {
    let mut world = world();
    let wide = world.layout().preview.width;
    world.press("shift-left");
    assert!(world.layout().preview.width > wide);
    world.press("shift-right alt-minus");
    assert!(world.layout().preview.width < wide);
    world.press("alt-p");
    assert!(world.layout().preview.is_empty());
    assert_eq!(world.app.memory().panes.preview, Switch::Off);
    world.press("shift-left");
    world.press("f6");
    assert!(!world.layout().preview.is_empty());
    let density = |world: &World| world.layout().density(world.app.context.panes);
    assert_eq!(density(&world), Density::Three);
    world.press("alt-v");
    assert_eq!(density(&world), Density::One);
    world.press("alt-v");
    assert_eq!(density(&world), Density::Two);
    assert_eq!(world.app.mouse(), Switch::On);
    world.press("alt-m");
    assert_eq!(world.app.mouse(), Switch::Off);
    assert_eq!(world.effects, []);
}

#[test]
fn what_is_copied() {
    let mut world = world();
    world.press("alt-i alt-c alt-w");
    let texts: Vec<String> = world
        .effects
        .iter()
        .map(|effect| match effect {
            Effect::Copy { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    let path = format!(
        "/home/ada/.claude/projects/-home-ada-code-shop/{}.jsonl",
        id(1)
    );
    assert_eq!(
        texts,
        [
            id(1),
            format!("cd /home/ada/code/shop && claude --resume {}", id(1)),
            path
        ]
    );
}

/// A terminal runs what is pasted after the end of a paste that the text itself spells.
#[test]
fn a_path_that_would_be_run_when_pasted_is_copied_quoted() {
    let mut world = World::new(80, 18);
    world.scan(vec![session(
        1,
        "a\n\x1b[201~rm\u{202e}",
        0,
        "Fix it",
        "now",
    )]);
    world.press("alt-c alt-w");
    let place = r"\012\033[201~rm\342\200\256";
    let texts: Vec<&str> = world
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Copy { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let wanted = [
        format!(
            "cd \"$(printf '/home/ada/code/a{place}')\" && claude --resume {}",
            id(1)
        ),
        format!(
            "\"$(printf '/home/ada/.claude/projects/-home-ada-code-a{place}/{}.jsonl')\"",
            id(1)
        ),
    ];
    assert_eq!(texts, wanted);
}

#[test]
fn the_preview_scrolls_and_the_list_stays() {
    let mut world = World::full(80, 18);
    world.press("tab");
    assert_eq!(world.focus(), Focus::Preview);
    let end = world.reader().top;
    assert!(end > 0, "it opens where the conversation was left off");
    world.press("g");
    assert_eq!(world.reader().top, 0);
    world.press("j down");
    assert_eq!(world.reader().top, 2);
    world.press("k G");
    assert_eq!(world.reader().top, end);
    world.press("j space");
    assert_eq!(world.reader().top, end, "not past its end");
    world.press("ctrl-u");
    assert!(world.reader().top < end);
    world.press("n");
    assert!(matches!(&world.app.status, Some(Notice::Done(text)) if text.contains("no match")));
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
    world.press("q");
    assert_eq!(world.focus(), Focus::List);
    world.press("down tab");
    assert!(matches!(world.reader().content, Content::Page(_)));
}

#[test]
fn help_scrolls_and_closes() {
    let mut world = World::full(80, 24);
    world.press("?");
    assert!(matches!(world.app.screens.top(), Screen::Help(it) if it.top == 0));
    world.press("j pgdn");
    assert!(matches!(world.app.screens.top(), Screen::Help(it) if it.top > 10));
    world.press("G");
    assert!(world.screen().contains("is:running"), "{}", world.screen());
    world.press("?");
    assert!(!world.has_overlay());
    world.enter("a?");
    assert_eq!(world.sessions().query.input.text(), "a?");
}

#[test]
fn the_mouse_selects_scrolls_drags_and_resumes() {
    let mut world = world();
    world.click(10, 8);
    assert_eq!(world.title(), "Why is test_refresh flaky on CI?");
    assert_eq!(world.effects, []);
    let later = now() + chrono::TimeDelta::seconds(2);
    world.tell(Message::Clock(later));
    world.click(10, 8);
    assert_eq!(world.effects, [], "too slow for a double click");
    world.mouse(MouseEventKind::Down(MouseButton::Left), 11, 8);
    assert_eq!(world.effects, [], "the button is not up again");
    world.mouse(MouseEventKind::Up(MouseButton::Left), 11, 8);
    assert!(matches!(
        world.effects[..],
        [Effect::Ask(Request::Probe(_))]
    ));
    let divider = world.layout().divider;
    world.mouse(MouseEventKind::Down(MouseButton::Left), divider.x, 10);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), 40, 10);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 40, 10);
    assert_eq!(world.layout().divider.x, 40);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), 80, 10);
    assert_eq!(world.layout().divider.x, 40, "it was let go");
    world.click(80, 10);
    assert_eq!(world.focus(), Focus::Preview);
    world.mouse(MouseEventKind::ScrollDown, 5, 10);
    world.mouse(MouseEventKind::ScrollUp, 100, 10);
    world.mouse(MouseEventKind::Moved, 100, 10);
    world.click(3, 0);
    assert_eq!(world.focus(), Focus::List);
    world.press("f1");
    world.mouse(MouseEventKind::ScrollDown, 5, 10);
    assert!(matches!(world.app.screens.top(), Screen::Help(it) if it.top == 3));
    world.click(3, 3);
    assert!(!world.has_overlay());
}

#[test]
fn rows_that_stream_in_do_not_move_a_cursor_that_somebody_moved() {
    let mut world = World::new(80, 24);
    world.arrive(true);
    world.tell(Message::Listed(100));
    let old = |n| session(n, "shop", 1_000_000 + i64::from(n), "Old", "x");
    world.put((1..20).map(old).collect());
    let first = world.sessions().list.cursor();
    world.put(vec![session(40, "shop", 900_000, "Newer", "x")]);
    assert_eq!(world.title(), "Newer", "untouched, it follows the newest");
    assert_ne!(world.sessions().list.cursor(), first);
    world.press("down down");
    let chosen = world.sessions().list.cursor();
    let line = |world: &World| {
        world
            .screen()
            .lines()
            .position(|line| line.starts_with(" ▌"))
    };
    let before = line(&world);
    world.put(
        (50..60)
            .map(|n| session(n, "shop", i64::from(n), "Newest", "x"))
            .collect(),
    );
    assert_eq!(world.sessions().list.cursor(), chosen);
    assert_eq!(line(&world), before);
    assert!(world.screen().contains("↑ 10"), "{}", world.screen());
}

#[test]
fn until_all_is_read_the_cursor_is_on_the_best_match() {
    let mut world = World::with(setting(), "token", 80, 24);
    world.arrive(true);
    world.tell(Message::Listed(3));
    world.put(vec![session(1, "shop", 9_000, "Token, old", "x")]);
    assert_eq!(world.title(), "Token, old");
    world.put(vec![session(2, "shop", 5_000, "Token, newer", "x")]);
    assert_eq!(world.title(), "Token, newer");
    // The screen may learn of the end before it learns what was found among the last rows.
    world.publish(vec![session(3, "shop", 2_000, "Token, again", "token")]);
    world.tell(Message::Scanned(claude_resume::store::Trouble::default()));
    assert_eq!(world.title(), "Token, again");
    world.put(vec![session(4, "shop", 1, "Token, later", "token")]);
    assert_eq!(world.title(), "Token, again", "somebody looks at it");
}

#[test]
fn enter_before_anything_is_there_waits_for_the_best_of_all() {
    let mut world = World::with(setting(), "token", 80, 24);
    world.arrive(true);
    world.tell(Message::Listed(2));
    world.put(vec![session(1, "shop", 9_000, "Something else", "x")]);
    world.press("enter");
    world.put(vec![session(2, "shop", 5_000, "Token, newer", "x")]);
    assert_eq!(world.effects, [], "a better one may come");
    world.tell(Message::Scanned(claude_resume::store::Trouble::default()));
    let asked = world.effects.pop();
    let Some(Effect::Ask(Request::Probe(request))) = asked else {
        panic!("{asked:?}");
    };
    assert_eq!(request.sessions[0].0, "Token, newer");
}

#[test]
fn a_session_that_appears_later_does_not_take_the_cursor() {
    let mut world = world();
    world.put(vec![session(77, "shop", 0, "Brand new", "x")]);
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
    assert!(world.screen().contains("Brand new"), "but it is shown");
    world.press("up");
    assert_eq!(world.title(), "Brand new");
    let gone = session(77, "shop", 0, "Brand new", "x");
    world.remove(&gone);
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
    assert!(
        world.screen().contains("\"Brand new\" is gone"),
        "{}",
        world.screen()
    );
}

#[test]
fn a_changed_session_is_previewed_again_without_a_flicker() {
    let mut world = world();
    let generation = world.reader().generation;
    world.put(vec![session(1, "shop", 0, "Changed", "x")]);
    assert!(world.reader().generation > generation);
    assert!(matches!(world.reader().content, Content::Page(_)));
    assert_eq!(world.title(), "Changed");
}

#[test]
fn stale_answers_are_dropped() {
    let mut world = world();
    let shown = world.sessions().list.items().len();
    let mut reply = claude_resume::search::Reply {
        generation: claude_resume::search::Generation(0),
        tier: claude_resume::search::Tier::Fuzzy,
        hits: Vec::new(),
        counts: claude_resume::search::MatchCounts::default(),
    };
    world.tell(Message::Found(reply.clone()));
    assert_eq!(world.sessions().list.items().len(), shown);
    reply.generation = world.sessions().query.generation;
    world.tell(Message::Found(reply));
    assert_eq!(world.sessions().list.items().len(), 0);
}

/// The lines of the preview, margins and all.
fn preview(world: &World) -> Vec<String> {
    let page = world.reader().page().expect("a conversation");
    page.scroll
        .iter()
        .map(claude_resume::preview::PageLine::text)
        .collect()
}

#[test]
fn folds_open_and_close_level_by_level() {
    let mut world = World::full(120, 30);
    world.press("tab");
    let summary = preview(&world);
    assert!(summary.iter().any(|line| line.starts_with("▸")));
    world.press("o");
    let full = preview(&world);
    assert!(full.len() > summary.len());
    assert!(full.iter().any(|line| line.starts_with("▾")));
    world.press("o");
    assert!(preview(&world).len() < summary.len());
    world.press("o");
    assert_eq!(preview(&world), summary);
}

#[test]
fn a_click_opens_one_fold_and_another_click_closes_it() {
    let mut world = World::full(120, 40);
    let summary = preview(&world);
    let fold = summary.iter().position(|line| line.starts_with("▸"));
    let layout = world.layout().preview;
    let header = world.reader().header(layout);
    let line = u16::try_from(fold.expect("a fold") - world.reader().top).expect("in sight");
    let at = (layout.x + 10, layout.y + header + line);
    world.click(at.0, at.1);
    assert!(preview(&world).len() > summary.len());
    world.click(at.0, at.1);
    assert_eq!(preview(&world), summary);
}

#[test]
fn prompts_are_gone_to_one_by_one_and_the_cursor_stays_when_folds_open() {
    let mut world = World::full(120, 16);
    world.press("tab G { {");
    let here = |world: &World| {
        let page = world.reader().page().expect("a conversation");
        page.scroll
            .get(world.reader().cursor)
            .expect("a line")
            .clone()
    };
    let prompt = here(&world);
    assert_eq!(prompt.margin, "You");
    for _ in 0..3 {
        world.press("o");
        let now = here(&world);
        assert_eq!((now.place, now.margin.as_str()), (prompt.place, "You"));
    }
    world.press("}");
    assert!(here(&world).place > prompt.place);
}

#[test]
fn what_is_copied_is_copied_of_all_that_are_marked() {
    let mut world = World::full(120, 30);
    world.press("alt-x alt-x");
    assert!(world.screen().contains("✓ Fix JWT"), "{}", world.screen());
    world.press("alt-i");
    let copied = world.effects.iter().rev().find_map(|effect| match effect {
        Effect::Copy { what, text } => Some((*what, text.lines().count())),
        _ => None,
    });
    assert_eq!(copied, Some(("the ids of the marked sessions", 2)));
    world.press("up up alt-x alt-x alt-i");
    let last = world.effects.last();
    assert!(
        matches!(last, Some(Effect::Copy { what: "the id", .. })),
        "{last:?}"
    );
}

#[test]
fn a_row_that_is_folded_away_hands_the_cursor_to_the_one_that_stands_for_it() {
    let mut world = World::full(120, 30);
    world.press("down");
    let hits = world.sessions().list.items();
    let (first, folded) = (hits[0].row, hits[1].row);
    let family = Family(0);
    world.tell(Message::Related(vec![(first, family), (folded, family)]));
    assert_eq!(world.sessions().list.cursor(), Some(first));
}

#[test]
fn moving_the_caret_is_no_new_query() {
    let mut world = World::full(120, 30);
    world.enter("since:9000d");
    world.press("down");
    let cursor = world.sessions().list.cursor();
    world.tell(Message::Clock(now() + chrono::Duration::seconds(5)));
    world.press("left");
    assert_eq!(world.sessions().list.cursor(), cursor);
}

#[test]
fn ctrl_c_leaves_whatever_is_configured() {
    let mut setting = setting();
    let none = std::collections::BTreeMap::from([("interrupt".to_owned(), Vec::new())]);
    setting.keymap = Keymap::with(&none).expect("valid");
    let mut world = World::with(setting, "", 120, 30);
    world.press("ctrl-c");
    assert_eq!(
        world.effects.last(),
        Some(&Effect::Leave(Outcome::Interrupted))
    );
}
