//! What the picker says where nothing is found, and what is found inside conversations while a query
//! is typed.

use claude_resume::content::{ContentAnswer, ContentReply, Progress, Suggestion};
use claude_resume::search::{Needle, RowId};
use claude_resume::tui::{Effect, Message, Request};

use crate::world::World;

/// A complete reply to the query on screen. Rows are counted from zero.
fn reply(world: &World, rows: &[u32]) -> ContentReply {
    let hits = rows.iter().map(|&row| RowId(row));
    ContentReply {
        generation: world.sessions().query.generation,
        hits: hits.collect(),
        hidden: 0,
        elsewhere: 0,
        searched: 4,
        progress: Progress {
            searched: 1204,
            total: 1204,
            ..Progress::default()
        },
        is_ranked: true,
        is_complete: true,
    }
}

fn tell(world: &mut World, reply: ContentReply) {
    world.tell(Message::Inside(ContentAnswer::Found(reply)));
}

pub fn suggest(world: &mut World, word: &str, other: &str) {
    let needle = |text| Needle::new(text).expect("a word");
    let suggestion = Suggestion {
        changes: vec![(needle(word), needle(other))],
        count: 12,
    };
    let generation = world.sessions().query.generation;
    let answer = ContentAnswer::Suggested(generation, Box::new(suggestion));
    world.tell(Message::Inside(answer));
}

/// Looked for in vain, with a word to try instead.
pub fn in_vain(columns: u16, rows: u16) -> World {
    let mut world = World::full(columns, rows);
    world.enter("passwrod");
    let mut reply = ContentReply {
        elsewhere: 3,
        hidden: 1,
        ..reply(&world, &[])
    };
    tell(&mut world, reply.clone());
    suggest(&mut world, "passwrod", "password");
    // It is searched at once. Nobody wants that here.
    world.press("esc");
    reply.generation = world.sessions().query.generation;
    tell(&mut world, reply);
    suggest(&mut world, "passwrod", "password");
    world
}

/// Says that nothing is found for the query on screen.
pub fn find_nothing(world: &mut World) {
    let reply = reply(world, &[]);
    tell(world, reply);
}

/// The same with the other word.
pub fn corrected(columns: u16, rows: u16) -> World {
    let mut world = World::full(columns, rows);
    world.enter("passwrod");
    let reply = reply(&world, &[]);
    tell(&mut world, reply);
    suggest(&mut world, "passwrod", "password");
    world
}

fn has_all(world: &World, texts: &[&str]) {
    let screen = world.screen();
    for text in texts {
        assert!(screen.contains(text), "{text} is not in\n{screen}");
    }
}

fn lacks(world: &World, text: &str) {
    let screen = world.screen();
    assert!(!screen.contains(text), "{text} is in\n{screen}");
}

#[test]
fn nothing_found_says_what_was_searched_and_offers_what_would_find_something() {
    let mut world = World::full(120, 30);
    world.enter("xyzzy-plugh");
    has_all(&world, &["No match in titles and prompts here."]);
    let mut part = reply(&world, &[]);
    (part.progress.searched, part.is_complete) = (812, false);
    tell(&mut world, part);
    let reading = "Still reading: 812 of 1,204 conversations searched.";
    has_all(&world, &["No match in titles and prompts here.", reading]);
    let whole = ContentReply {
        elsewhere: 3,
        hidden: 1,
        ..reply(&world, &[])
    };
    tell(&mut world, whole);
    lacks(&world, "Still reading");
    let searched = "No match in titles, prompts and 4 conversations here.";
    let all = "Ctrl+T  search all projects: 3 matches";
    let history = "Ctrl+R  search the prompt history";
    has_all(&world, &[searched, all, "Alt+H  show 1 hidden", history]);
    has_all(&world, &["0 of 5 · 1 hidden"]);
    world.press("ctrl-t");
    let whole = reply(&world, &[]);
    tell(&mut world, whole);
    has_all(
        &world,
        &["No match in titles, prompts and 4 conversations."],
    );
    lacks(&world, "search all projects");
}

#[test]
fn what_titles_and_prompts_cannot_answer_is_not_said_to_be_looked_for_in_them() {
    let mut world = World::full(120, 30);
    world.enter("tool:Bash");
    has_all(&world, &["No match yet here."]);
    let whole = reply(&world, &[]);
    tell(&mut world, whole);
    has_all(&world, &["No match in 4 conversations here."]);
    lacks(&world, "prompt history");
    world.press("esc");
    world.enter("is:running");
    has_all(&world, &["No match in 5 sessions here."]);
}

#[test]
fn matches_elsewhere_are_counted_in_titles_and_conversations_together() {
    let mut world = World::full(120, 30);
    world.enter("bucket");
    has_all(&world, &["search all projects: 1 match"]);
    let whole = ContentReply {
        elsewhere: 2,
        ..reply(&world, &[])
    };
    tell(&mut world, whole);
    has_all(&world, &["search all projects: 3 matches"]);
    // Letters alone are no match where others have the words.
    world.press("esc");
    world.enter("bcket");
    has_all(&world, &["search all projects: 1 match"]);
    let whole = ContentReply {
        elsewhere: 2,
        ..reply(&world, &[])
    };
    tell(&mut world, whole);
    has_all(&world, &["search all projects: 2 matches"]);
}

#[test]
fn prompts_are_counted_once_the_history_was_read() {
    let mut world = World::with_history(120, 30);
    let look = |world: &mut World, text: &str| {
        world.press("esc");
        world.enter(text);
        let whole = reply(world, &[]);
        tell(world, whole);
    };
    world.enter("x");
    look(&mut world, "checker");
    has_all(&world, &["Ctrl+R  search the prompt history\u{20}"]);
    world.press("ctrl-r esc esc");
    look(&mut world, "checker");
    has_all(&world, &["Ctrl+R  search the prompt history: 1 prompt "]);
    look(&mut world, "xyzzy");
    lacks(&world, "prompt history");
}

#[test]
fn a_key_takes_the_suggested_word() {
    let mut world = World::full(120, 30);
    world.enter("branch:main -xyz passwrod");
    let is_request = |effect: &Effect| matches!(effect, Effect::Ask(Request::Suggest(_)));
    assert!(!world.effects.iter().any(is_request));
    let whole = reply(&world, &[]);
    tell(&mut world, whole);
    assert!(world.effects.iter().any(is_request));
    lacks(&world, "did you mean");
    world.press("alt-y");
    has_all(&world, &["no other word is suggested"]);
    suggest(&mut world, "passwrod", "password");
    has_all(&world, &["passwrod  not found: showing password "]);
    world.press("alt-y");
    let typed = world.sessions().query.input.text();
    assert_eq!(typed, "branch:main -xyz password");
    assert_eq!(world.title(), "Rotate refresh tokens on password change");
}

#[test]
fn above_loose_matches_the_suggestion_is_in_the_footer() {
    let mut world = World::full(120, 30);
    world.enter("refrehs");
    has_all(&world, &["fuzzy"]);
    let whole = reply(&world, &[]);
    tell(&mut world, whole);
    suggest(&mut world, "refrehs", "refresh");
    has_all(&world, &["Alt+Y  did you mean `refresh`? 12 conversations"]);
    world.press("alt-y");
    assert_eq!(world.sessions().query.input.text(), "refresh");
}

#[test]
fn where_nothing_is_found_what_was_meant_is_searched_until_esc() {
    let mut world = World::full(120, 30);
    world.enter("passwrod");
    let whole = reply(&world, &[]);
    tell(&mut world, whole);
    suggest(&mut world, "passwrod", "password");
    has_all(
        &world,
        &["passwrod  not found: showing password (Esc: as typed)"],
    );
    assert_eq!(world.title(), "Rotate refresh tokens on password change");
    world.press("esc");
    lacks(&world, "showing password");
    assert_eq!(world.sessions().query.input.text(), "passwrod");
    // Not again for the same text.
    let whole = reply(&world, &[]);
    tell(&mut world, whole);
    suggest(&mut world, "passwrod", "password");
    lacks(&world, "showing password");
    has_all(&world, &["Alt+Y  did you mean `password`?"]);
    world.press("alt-y");
    assert_eq!(world.sessions().query.input.text(), "password");
}

#[test]
fn where_something_is_found_nothing_is_suggested() {
    let mut world = World::full(120, 30);
    world.enter("xyzzy");
    let whole = reply(&world, &[2]);
    tell(&mut world, whole);
    let is_request = |effect: &Effect| matches!(effect, Effect::Ask(Request::Suggest(_)));
    assert!(!world.effects.iter().any(is_request));
    has_all(&world, &["inside conversations", "1 of 5"]);
}

#[test]
fn a_conversation_that_cannot_be_read_is_named_once() {
    let mut world = World::full(120, 30);
    world.enter("xyzzy");
    let failed = |n: u32| {
        let path = format!("/home/ada/.claude/projects/p/{n}.jsonl");
        (path.into(), "Permission denied".to_owned())
    };
    let named = "~/.claude/projects/p/1.jsonl cannot be searched: Permission denied (and 1 more)";
    let mut whole = reply(&world, &[2]);
    whole.progress.failed = vec![failed(1), failed(2)];
    tell(&mut world, whole.clone());
    has_all(&world, &[named]);
    world.press("down");
    lacks(&world, named);
    has_all(&world, &["2 conversations cannot be read"]);
    tell(&mut world, whole);
    lacks(&world, named);
    // Where nothing is found, it stays.
    world.enter("z");
    let mut whole = reply(&world, &[]);
    whole.progress.failed = vec![failed(1), failed(2)];
    tell(&mut world, whole);
    has_all(
        &world,
        &["~/.claude/projects/p/1.jsonl cannot", "(and 1 more)"],
    );
}

#[test]
fn hits_stay_while_a_word_is_typed_and_enter_waits_for_the_answer() {
    let mut world = World::full(120, 30);
    world.enter("xyz");
    let whole = reply(&world, &[2, 5]);
    tell(&mut world, whole);
    assert_eq!(world.title(), "Rotate refresh tokens on password change");
    world.enter("z");
    has_all(&world, &["inside conversations", "2 of 5"]);
    world.press("enter");
    has_all(&world, &["checking"]);
    let is_probe = |effect: &Effect| matches!(effect, Effect::Ask(Request::Probe(_)));
    assert!(!world.effects.iter().any(is_probe));
    let whole = reply(&world, &[5]);
    tell(&mut world, whole);
    assert_eq!(world.title(), "Tokenise the refactoring report");
    assert!(world.effects.iter().any(is_probe));
    // A letter taken back.
    world.press("backspace");
    has_all(&world, &["inside conversations", "1 of 5"]);
    // Another word, and another scope, have other hits.
    world.enter(" q");
    world.press("ctrl-t");
    lacks(&world, "inside conversations");
    let whole = reply(&world, &[5]);
    tell(&mut world, whole);
    world.press("ctrl-w ctrl-w");
    world.enter("plugh");
    lacks(&world, "inside conversations");
}

#[test]
fn a_hit_that_the_titles_have_by_now_is_there_once() {
    let mut world = World::full(120, 30);
    world.enter("flaky q");
    let whole = reply(&world, &[1]);
    tell(&mut world, whole);
    world.press("backspace");
    lacks(&world, "inside conversations");
    has_all(&world, &["1 of 5"]);
}

#[test]
fn the_row_under_the_cursor_stays_while_hits_stream_in() {
    let mut world = World::full(120, 40);
    world.enter("xyzzy");
    let mut part = reply(&world, &[2, 5]);
    part.is_complete = false;
    tell(&mut world, part.clone());
    world.press("down");
    let title = "Tokenise the refactoring report";
    let line = |world: &World| world.screen().lines().position(|line| line.contains(title));
    assert_eq!(world.title(), title);
    let before = line(&world);
    // Below it, then above it.
    for rows in [&[2, 5, 6][..], &[0, 2, 5, 6], &[0, 1, 2, 5, 6]] {
        let mut more = reply(&world, rows);
        more.is_complete = rows.len() > 4;
        tell(&mut world, more);
        assert_eq!(world.title(), title);
        assert_eq!(line(&world), before, "{}", world.screen());
    }
    // Without a move it is the same row, too.
    world.press("esc");
    world.enter("xyzzy");
    part.generation = world.sessions().query.generation;
    tell(&mut world, part);
    let more = reply(&world, &[0, 2, 5, 6]);
    tell(&mut world, more);
    assert_eq!(world.title(), "Rotate refresh tokens on password change");
}

#[test]
fn the_order_is_that_of_the_best_until_the_cursor_is_moved() {
    let rows = |world: &World| {
        let hits = world.sessions().list.items().iter();
        hits.map(|hit| hit.row.0).collect::<Vec<_>>()
    };
    let compared = |moves: &[&str]| {
        let mut world = World::full(120, 40);
        world.enter("xyzzy");
        let mut part = reply(&world, &[2, 5, 6]);
        (part.is_ranked, part.is_complete) = (false, false);
        tell(&mut world, part);
        for key in moves {
            world.press(key);
        }
        let whole = reply(&world, &[0, 6, 5, 2]);
        tell(&mut world, whole);
        let under = world.sessions().list.cursor().expect("a row").0;
        (rows(&world), under)
    };
    assert_eq!(compared(&[]), (vec![0, 6, 5, 2], 0));
    assert_eq!(compared(&["down"]), (vec![2, 5, 6, 0], 5));
}
