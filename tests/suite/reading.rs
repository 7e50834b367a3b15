//! Reading in the preview: moving, folds, finding, branches, and taking messages out of it.

use std::sync::Arc;

use claude_resume::preview::{
    Agent, AgentWork, Agents, LedgerHead, Manner, Options, PageLine, Scroll, render_head,
};
use claude_resume::transcript::{Branch, StepKind, ToolCall, Turn, TurnOpening, TurnStep, Typed};
use claude_resume::tui::{
    Effect, Focus, Message, Notice, Opener, Previewed, Request, Screen, layers,
};
use crossterm::event::MouseEventKind;
use serde_json::json;

use crate::world::World;

/// Three ends of one conversation.
pub fn branches() -> Vec<Branch> {
    let branch = |n: u32, shared, turns, prompt: &str| Branch {
        leaf: format!("0000000{n}-0000-4000-8000-000000000000"),
        is_shown: n == 1,
        is_resumed: n == 1,
        is_cut_off: false,
        left_at: (n > 1).then(|| "x".to_owned()),
        shared_turns: shared,
        turns,
        at: Some(crate::world::now().timestamp_millis() - i64::from(n) * 86_400_000),
        last_prompt: Some(prompt.to_owned()),
    };
    vec![
        branch(1, 0, 12, "also revoke the old ones"),
        branch(2, 7, 4, "try it with a cron job"),
        branch(3, 3, 1, "store them in redis instead"),
    ]
}

fn world() -> World {
    World::full(120, 30)
}

/// The text of the line under the cursor.
fn here(world: &World) -> String {
    let preview = &world.reader();
    preview
        .line(preview.cursor)
        .map_or_else(String::new, PageLine::text)
}

/// Puts the cursor on the first line that contains a text.
fn go_to(world: &mut World, text: &str) {
    world.press("g");
    let page = world.reader().page().expect("a page");
    let at = page
        .scroll
        .iter()
        .position(|line| line.text().contains(text));
    for _ in 0..at.expect("there") {
        world.press("j");
    }
    assert!(here(world).contains(text));
}

#[test]
fn the_cursor_reaches_every_line_and_stays_in_sight() {
    for (columns, rows) in [(120, 12), (120, 30), (40, 15), (80, 24)] {
        let mut world = World::full(columns, rows);
        world.press("tab o g");
        let length = world.reader().length();
        for at in 0..length {
            let preview = &world.reader();
            assert_eq!(preview.cursor, at);
            let page = world.page_rows();
            assert!((preview.top..preview.top + page).contains(&at), "{at}");
            world.press("j");
        }
        assert_eq!(world.reader().cursor, length - 1);
        for at in (0..length).rev() {
            assert_eq!(world.reader().cursor, at);
            world.press("k");
        }
        world.press("pgdn G pgup ctrl-d");
        assert!(world.reader().cursor < length);
    }
}

#[test]
fn enter_opens_and_closes_a_fold_and_elsewhere_resumes() {
    let mut world = world();
    world.press("tab");
    go_to(&mut world, "▸ read a file");
    let closed = world.reader().length();
    let row = world.reader().cursor - world.reader().top;
    assert!(
        world.screen().contains("Enter expand"),
        "{}",
        world.screen()
    );
    world.press("enter");
    assert!(
        here(&world).starts_with("▾ read a file"),
        "{}",
        here(&world)
    );
    assert_eq!(world.reader().cursor - world.reader().top, row);
    assert!(world.reader().length() > closed);
    assert!(
        world.screen().contains("Enter collapse"),
        "{}",
        world.screen()
    );
    // Inside of it Enter closes it, too.
    world.press("j j enter");
    assert!(
        here(&world).starts_with("▸ read a file"),
        "{}",
        here(&world)
    );
    assert_eq!(world.reader().length(), closed);
    assert_eq!(world.effects, []);
    world.press("G enter");
    assert!(matches!(
        world.effects[..],
        [Effect::Ask(Request::Probe(_))]
    ));
}

#[test]
fn the_message_under_the_cursor_is_copied_and_opened_outside() {
    let mut world = world();
    world.press("tab");
    go_to(&mut world, "Users get logged out");
    world.press("y");
    let whole = "Users get logged out although the refresh token is valid. Find out why.";
    assert_eq!(
        world.effects.pop(),
        Some(Effect::Copy {
            what: "the message",
            text: whole.to_owned()
        })
    );
    world.press("e E");
    let opened: Vec<_> = world.effects.drain(..).collect();
    let with = |opener| Effect::Outside {
        opener,
        text: whole.to_owned(),
    };
    assert_eq!(opened, [with(Opener::Pager), with(Opener::Editor)]);
    go_to(&mut world, "▸ read a file");
    world.press("y");
    let Some(Effect::Copy { text, .. }) = world.effects.pop() else {
        panic!("copied");
    };
    assert!(
        text.contains("$ "),
        "a run is copied with its commands: {text}"
    );
}

#[test]
fn something_is_found_counted_and_gone_to() {
    let mut world = world();
    world.press("tab g /");
    assert_eq!(world.app.layers(), layers::FIND);
    world.enter("expiry");
    assert_eq!(
        world.sessions().query.input.text(),
        "",
        "not typed into the list"
    );
    let screen = world.screen();
    assert!(screen.contains("/expiry"), "{screen}");
    assert!(screen.contains("1 of 2"), "{screen}");
    assert!(here(&world).contains("expiry"));
    world.press("enter");
    assert_eq!(world.app.layers(), layers::CONVERSATION);
    let first = world.reader().cursor;
    world.press("n");
    assert!(world.reader().cursor > first);
    assert!(world.screen().contains("2 of 2"), "{}", world.screen());
    world.press("n");
    assert_eq!(world.reader().cursor, first, "and around");
    world.press("N");
    assert!(world.reader().cursor > first);
    world.press("esc");
    assert_eq!(world.focus(), Focus::Preview);
    assert!(world.reader().find.is_none());
    world.press("/");
    world.enter("no such thing");
    assert!(world.screen().contains("no match"), "{}", world.screen());
    world.press("backspace ctrl-w left delete ctrl-u");
    assert_eq!(world.reader().find_text(), None);
    world.press("enter esc");
    assert_eq!(world.focus(), Focus::List);
}

#[test]
fn a_match_stays_under_the_cursor_however_small_the_screen_gets() {
    for (columns, rows) in [(120, 30), (20, 6), (60, 20), (120, 9), (44, 24)] {
        let mut world = World::full(120, 40);
        world.press("tab /");
        world.enter("expiry");
        assert!(here(&world).contains("expiry"), "{}", here(&world));
        let preview = &world.reader();
        let place = preview.line(preview.cursor).map(|line| line.place);
        world.tell(Message::Resize { columns, rows });
        let preview = &world.reader();
        let page = world.page_rows();
        assert!((preview.top..preview.top + page).contains(&preview.cursor));
        let now = preview.line(preview.cursor).map(|line| line.place);
        assert_eq!(now, place, "{columns}x{rows}: {}", world.screen());
        let mut small = World::full(columns, rows);
        small.press("tab g /");
        small.enter("expiry");
        assert!(here(&small).contains("expiry"), "{}", small.screen());
    }
}

#[test]
fn what_a_closed_fold_hides_is_found_and_opened() {
    let mut world = world();
    world.press("tab g /");
    world.enter("cargo test");
    assert!(here(&world).starts_with("▸"), "{}", here(&world));
    world.press("enter n");
    assert!(here(&world).contains("cargo test"), "{}", here(&world));
}

#[test]
fn the_query_of_the_list_is_marked_and_its_first_match_in_sight() {
    let mut world = World::full(120, 16);
    world.enter("expiry");
    let preview = &world.reader();
    let shown = preview.page().expect("a page");
    let first = shown.found.marks.first().expect("a match");
    let first = shown.line_of(first.at).expect("a line");
    let page = world.page_rows();
    assert!((preview.top..preview.top + page).contains(&first));
    let mut end = World::full(120, 16);
    assert!(end.reader().top > 0, "without one the end is");
    // Whoever has scrolled stays.
    end.press("alt-k alt-k");
    let top = end.reader().top;
    end.enter("expiry");
    assert_eq!(end.reader().top, top);
}

#[test]
fn keys_of_the_list_scroll_the_preview_and_leave_the_cursor() {
    let mut world = World::full(120, 16);
    let title = world.title();
    let end = world.reader().top;
    world.press("shift-up alt-k");
    assert_eq!(world.reader().top, end - 2);
    world.press("shift-down");
    assert_eq!(world.reader().top, end - 1);
    world.press("alt-pgup alt-pgup alt-pgup alt-pgup");
    assert_eq!(world.reader().top, 0);
    world.press("alt-pgdn");
    assert!(world.reader().top > 0);
    assert_eq!((world.title(), world.focus()), (title, Focus::List));
}

#[test]
fn the_wheel_scrolls_what_it_is_over() {
    let mut world = World::full(120, 16);
    let (end, row) = (world.reader().top, world.sessions().list.cursor());
    let preview = world.layout().preview;
    world.mouse(MouseEventKind::ScrollUp, preview.x + 5, preview.y + 8);
    assert_eq!(world.reader().top, end - 3);
    assert_eq!(
        (world.sessions().list.cursor(), world.focus()),
        (row, Focus::List)
    );
    world.mouse(MouseEventKind::ScrollDown, 5, 8);
    let is_kept = world.reader().top == end - 3;
    let is_another = world.sessions().list.cursor() != row;
    assert!(is_kept || is_another, "the list was scrolled");
}

#[test]
fn branches_are_listed_and_the_chosen_one_is_previewed() {
    let mut world = world();
    world.press("tab b");
    assert!(matches!(&world.app.status, Some(Notice::Done(text)) if text.contains("one branch")));
    world.branches = branches();
    world.press("o b");
    assert!(matches!(world.app.screens.top(), Screen::Branches(it) if it.cursor == 0));
    let screen = world.screen();
    for words in [
        "● resume takes this",
        "left after turn 7",
        "12 turns",
        "\"store them in redis",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    world.press("j enter");
    assert!(!world.has_overlay());
    let asked = world.asked.take().expect("a preview");
    assert_eq!(asked.spec.leaf, Some(branches()[1].leaf.clone()));
    world.press("b");
    assert!(world.screen().contains("(shown)"), "{}", world.screen());
    assert!(matches!(world.app.screens.top(), Screen::Branches(it) if it.cursor == 1));
    world.press("g enter");
    assert_eq!(
        world.asked.take().expect("a preview").spec.leaf,
        None,
        "back to the first"
    );
    world.press("b q");
    assert_eq!(
        (world.has_overlay(), world.focus()),
        (false, Focus::Preview)
    );
    world.press("b");
    world.click(10, 4);
    let clicked = world.asked.take().expect("a preview").spec.leaf;
    assert_eq!(clicked, Some(branches()[2].leaf.clone()));
    world.press("b");
    world.click(10, 20);
    assert!(!world.has_overlay(), "beside them");
    // Another row has its own branches.
    world.press("b j enter tab down");
    assert_eq!(world.asked.take().expect("a preview").spec.leaf, None);
}

#[test]
fn the_end_is_followed_and_any_other_place_is_kept() {
    let mut world = World::full(120, 16);
    let grown = |world: &mut World, more: usize| {
        let request = world.asked.clone().expect("asked");
        let mut page = world.page(&request);
        let extra = page.scroll.get(0).expect("a line").clone();
        let place = claude_resume::preview::TurnPos::opening(99);
        let line = PageLine { place, ..extra };
        page.scroll.push(std::sync::Arc::new(vec![line; more]));
        let generation = world.reader().generation;
        world.tell(Message::Previewed(Previewed {
            generation,
            result: Ok(page),
        }));
    };
    grown(&mut world, 50);
    let end = world.reader().length() - world.page_rows();
    assert_eq!(world.reader().top, end);
    world.press("tab g j j");
    let kept = here(&world);
    grown(&mut world, 80);
    assert_eq!(here(&world), kept);
    world.press("G");
    grown(&mut world, 120);
    assert_eq!(world.reader().cursor, world.reader().length() - 1);
}

#[cfg(unix)]
#[test]
fn a_session_that_goes_on_is_followed_at_its_end() {
    let desk = crate::desk::Desk::new();
    let mut pty = desk.open(&["login"]);
    pty.wait_for("1 of 3");
    pty.wait_for("You │");
    let path = walk(&desk.store.root())
        .into_iter()
        .find(|path| path.ends_with(format!("{}.jsonl", crate::support::id(2))))
        .expect("a transcript");
    let text = std::fs::read_to_string(&path).expect("read");
    let last: serde_json::Value = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .rfind(|line: &serde_json::Value| line["uuid"].is_string())
        .expect("an entry");
    let more = serde_json::json!({"parentUuid": last["uuid"], "isSidechain": false, "type": "user",
        "uuid": "77777777-0000-4000-8000-000000000000", "timestamp": "2026-03-01T12:00:00.000Z",
        "message": {"role": "user", "content": "and something quite new"}});
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("opens");
    std::io::Write::write_all(&mut file, format!("{more}\n").as_bytes()).expect("written");
    drop(file);
    pty.wait_for("│ and something quite new");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}

#[cfg(unix)]
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("listed").flatten();
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => walk(&path),
            path => vec![path],
        })
        .collect()
}

#[test]
fn the_same_words_are_looked_at_after_the_screen_changed_its_width() {
    use claude_resume::transcript::{StepKind, Turn, TurnOpening, TurnStep};
    let words: Vec<String> = (0..4000).map(|n| format!("word{n}")).collect();
    let long = Turn {
        opening: TurnOpening::Unasked,
        uuid: "u".to_owned(),
        at: None,
        steps: vec![TurnStep {
            uuid: "s".to_owned(),
            at: None,
            mark: None,
            what: StepKind::Text(words.join(" ")),
        }],
        noise: Vec::new(),
        mark: None,
    };
    let mut world = World::full(120, 30);
    world.show(vec![long]);
    world.press("tab g pgdn pgdn pgdn pgdn");
    let number = |world: &World| {
        let line = here(world);
        let word = line.split_whitespace().next().expect("a word").to_owned();
        word[4..].parse::<i64>().expect("a number")
    };
    let (before, row) = (number(&world), world.reader().cursor - world.reader().top);
    for columns in [60, 200, 45, 120] {
        world.tell(Message::Resize { columns, rows: 30 });
        assert!(
            (number(&world) - before).abs() < 80,
            "{columns}: {}",
            number(&world)
        );
    }
    assert!((number(&world) - before).abs() < 20);
    assert_eq!(world.reader().cursor - world.reader().top, row);
}

fn turn(prompt: &str, steps: Vec<StepKind>) -> Turn {
    let step = |what| TurnStep {
        uuid: String::new(),
        at: None,
        what,
        mark: None,
    };
    Turn {
        opening: TurnOpening::Prompt {
            text: prompt.to_owned(),
            images: Vec::new(),
            typed: Typed::AtThePrompt,
        },
        uuid: prompt.to_owned(),
        at: None,
        steps: steps.into_iter().map(step).collect(),
        noise: Vec::new(),
        mark: None,
    }
}

fn said(text: &str) -> StepKind {
    StepKind::Text(text.to_owned())
}

/// Many turns, and then a run of three calls, the second of which started an agent that answered.
fn with_an_agent() -> World {
    let call = |id: &str, name: &str, input: serde_json::Value| {
        StepKind::Tool(Box::new(ToolCall {
            id: id.to_owned(),
            name: Some(name.to_owned()),
            input,
            result: None,
        }))
    };
    let task = json!({"description": "look", "prompt": "PROMPT-OF-THE-AGENT"});
    let steps = vec![
        call("t1", "Bash", json!({"command": "make first"})),
        call("t2", "Task", task),
        call("t3", "Bash", json!({"command": "make third"})),
        said("all done"),
    ];
    let inner = vec![turn("look around", vec![said("I looked everywhere")])];
    let mut world = world();
    let agent = Agent {
        kind: None,
        work: AgentWork::Read(Arc::new(inner)),
    };
    world.agents.put("t2".to_owned(), agent);
    let mut turns: Vec<Turn> = (0..20).map(|_| turn("?", vec![said("!")])).collect();
    turns.push(turn("go", steps));
    world.show(turns);
    world
}

#[test]
fn a_pager_gets_no_control_characters_of_a_message() {
    let mut world = World::full(120, 30);
    world.show(vec![turn("one\u{1b}[2J\ttwo\u{7}", vec![said("!")])]);
    world.press("tab g");
    go_to(&mut world, "one");
    world.press("e");
    let (opener, text) = (Opener::Pager, "one\ttwo".to_owned());
    assert_eq!(world.effects.pop(), Some(Effect::Outside { opener, text }));
}

#[test]
fn every_line_of_an_opened_run_closes_it_or_the_agent_in_it() {
    let mut world = with_an_agent();
    world.press("tab");
    go_to(&mut world, "▸ ");
    world.press("enter");
    go_to(&mut world, "make third");
    world.press("enter");
    assert!(here(&world).starts_with("▸"), "{}", here(&world));
    world.press("enter");
    go_to(&mut world, "▸ what the agent did");
    world.press("enter");
    // Behind an opened agent it is the run again.
    go_to(&mut world, "make third");
    world.press("enter");
    assert!(here(&world).starts_with("▸"), "{}", here(&world));
    world.press("enter");
    go_to(&mut world, "I looked everywhere");
    world.press("enter");
    let title = here(&world);
    assert!(title.contains("▸ what the agent did"), "{title}");
    assert_eq!(world.effects, []);
}

#[test]
fn inside_an_agent_its_own_message_is_taken() {
    let mut world = with_an_agent();
    world.press("tab o");
    let copied = |world: &World| match world.effects.last() {
        Some(Effect::Copy { text, .. }) => text.clone(),
        other => panic!("{other:?}"),
    };
    for text in ["I looked everywhere", "look around"] {
        go_to(&mut world, text);
        world.press("y");
        assert_eq!(copied(&world), text);
    }
}

#[test]
fn what_is_opened_on_the_last_row_comes_into_sight() {
    let mut world = with_an_agent();
    world.press("tab");
    go_to(&mut world, "▸ ");
    let page = world.page_rows();
    let at = world.reader().cursor;
    assert!(at + 1 >= page, "there is enough above it");
    world.reader_mut().top = at + 1 - page;
    world.press("enter");
    let preview = &world.reader();
    assert!(preview.cursor + 1 < preview.top + page);
    assert!(here(&world).starts_with("▾"), "{}", here(&world));
}

#[test]
fn what_opening_does_not_show_is_not_found() {
    let mut world = with_an_agent();
    world.press("tab g /");
    world.enter("PROMPT-OF-THE-AGENT");
    assert_eq!(world.reader().marks(), []);
    world.press("esc /");
    world.enter("make third");
    assert!(here(&world).starts_with("▸"), "{}", here(&world));
}

#[test]
fn enter_on_a_line_about_the_files_neither_opens_nor_resumes() {
    for head in [LedgerHead::Gone, LedgerHead::Gap] {
        let mut world = world();
        let manner = Manner {
            options: &Options::default(),
            columns: 50,
            clock: &|_| None,
            painter: None,
            agents: &Agents::default(),
            cwd: None,
        };
        let request = world.asked.clone().expect("a preview");
        let mut page = world.page(&request);
        let mut lines = render_head(head, page.first, manner);
        lines.extend(page.scroll.iter().cloned());
        page.scroll = Scroll::default();
        page.scroll.push(Arc::new(lines));
        world.press("tab");
        world.tell(Message::Previewed(Previewed {
            generation: world.reader().generation,
            result: Ok(page),
        }));
        world.reader_mut().top = 0;
        world.reader_mut().cursor = 0;
        assert!(here(&world).starts_with("── "), "{}", here(&world));
        // A parent may be in the file and of no kind that is known.
        assert_eq!(
            here(&world).contains("out of reach"),
            head == LedgerHead::Gap
        );
        assert!(
            !world.screen().contains("Enter resume"),
            "{}",
            world.screen()
        );
        world.press("enter");
        assert_eq!(world.effects, []);
        let told = "nothing to expand here".to_owned();
        assert_eq!(world.app.status, Some(Notice::Done(told)));
        // The message below it resumes.
        world.press("j j enter");
        assert!(matches!(
            world.effects[..],
            [Effect::Ask(Request::Probe(_))]
        ));
    }
}
