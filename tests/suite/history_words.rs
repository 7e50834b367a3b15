//! What the history says: where there is nothing, while something is to come, and of what it lacks.

use claude_resume::search::Tier;
use claude_resume::tui::{Effect, HistoryNews, HistoryRequest, Message, Request, Screen, layers};

use crate::history_mode::{MINUTE, entries, entry, notice, shown};
use crate::world::{World, now, without_worktree};

fn world() -> World {
    World::with_history(120, 30)
}

/// A history of so many different prompts, the newest first on the screen.
fn many(count: u32) -> World {
    let mut world = World::full(120, 30);
    let prompts = (0..count).map(|n| {
        let age = i64::from(count - n) * MINUTE;
        entry(&format!("prompt {n} of many"), age, "shop", Some(1))
    });
    world.write_history(&prompts.collect::<Vec<_>>());
    world
}

/// Changes what the next answer says of itself.
fn ask_again(world: &mut World, change: impl Fn(&mut HistoryNews)) {
    let (_, historian) = world.historian.as_mut().expect("a history");
    let news = std::cell::RefCell::new(Vec::new());
    historian.take(HistoryRequest::Refresh(now()), &|one| {
        news.borrow_mut().push(one);
    });
    for mut one in news.into_inner() {
        change(&mut one);
        world.tell(Message::History(one));
    }
}

#[test]
fn a_key_without_a_prompt_is_answered_with_a_word() {
    for key in [
        "enter", "alt-y", "alt-n", "alt-r", "alt-i", "alt-c", "alt-w",
    ] {
        let mut world = world();
        world.press("ctrl-r");
        world.enter("zzzzqq");
        assert!(shown(&world).is_empty());
        world.press(key);
        assert_eq!(notice(&world), "there is no prompt here", "{key}");
    }
    let mut world = World::full(120, 30);
    world.write_history(&[]);
    world.press("alt-l enter");
    assert_eq!(notice(&world), "there is no session here");
}

#[test]
fn a_question_mark_is_for_the_keys_until_something_is_typed() {
    let mut world = world();
    world.press("ctrl-r ?");
    assert_eq!(world.app.layers(), layers::HELP);
    world.press("esc");
    assert_eq!(world.app.layers(), layers::EMPTY_PROMPT_LIST);
    world.enter("why");
    world.press("?");
    assert_eq!(world.app.layers(), layers::PROMPT_LIST);
    let history = world.prompts();
    assert_eq!(history.query.input.text(), "why?");
}

#[test]
fn esc_clears_what_was_typed_here_and_then_goes_back() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("flaky");
    world.press("esc");
    assert_eq!(world.app.layers(), layers::EMPTY_PROMPT_LIST);
    assert_eq!(shown(&world).len(), 8);
    world.press("esc");
    assert!(world.history().is_none());
    // What was typed in the list is cleared there.
    world.enter("flaky");
    world.press("ctrl-r esc");
    assert!(world.history().is_none());
    assert_eq!(world.sessions().query.input.text(), "flaky");
    // What was typed behind it was typed here.
    world.press("ctrl-r");
    world.enter(" on CI");
    world.press("esc");
    let history = world.prompts();
    assert_eq!(history.query.input.text(), "flaky");
    world.press("esc");
    assert!(world.history().is_none());
}

#[test]
fn esc_on_the_card_leads_back_to_the_prompt() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("test_refresh");
    let before = world.screen();
    world.press("alt-r");
    world.probe(vec![without_worktree(2)]);
    assert!(matches!(world.app.screens.top(), Screen::Question(_)));
    world.press("esc");
    assert_eq!(world.screen(), before);
    assert_eq!(world.app.layers(), layers::PROMPT_LIST);
    // Whoever would rather read it does so where it is read.
    world.press("alt-r");
    world.probe(vec![without_worktree(2)]);
    let Screen::Question(card) = world.app.screens.top() else {
        panic!("no card");
    };
    let choices = &card.finding.choices;
    let read = choices
        .iter()
        .position(|it| it.label == "Read it without resuming");
    let down = "down ".repeat(read.expect("it can be read") - card.card.cursor);
    world.press(down.trim_end());
    world.press("enter");
    assert!(world.history().is_none());
    assert_eq!(world.app.layers(), layers::CONVERSATION);
    assert_eq!(world.title(), "Why is test_refresh flaky on CI?");
}

#[test]
fn pastes_that_were_not_searched_are_said() {
    for (count, words) in [
        (1, "pastes of 1 prompt not searched"),
        (1234, "pastes of 1,234 prompts not searched"),
    ] {
        let mut world = world();
        world.press("ctrl-r");
        let lack = |news: &mut HistoryNews| {
            if let HistoryNews::Found { progress, .. } = news {
                progress.unsearched = count;
            }
        };
        ask_again(&mut world, lack);
        assert!(!world.screen().contains(words), "nothing was searched for");
        world.enter("flaky");
        ask_again(&mut world, lack);
        assert!(world.screen().contains(words), "{}", world.screen());
        world.enter(" zzzzqq");
        ask_again(&mut world, lack);
        assert!(world.screen().contains(words), "{}", world.screen());
    }
}

#[test]
fn a_prompt_without_a_time_has_no_date() {
    let mut undated = entry("when was this?", 0, "shop", Some(77));
    undated.as_object_mut().expect("one").remove("timestamp");
    let mut world = World::full(120, 30);
    world.write_history(&[undated]);
    world.press("ctrl-r");
    let screen = world.screen();
    assert!(screen.contains("no date not on disk"), "{screen}");
    assert!(screen.contains("~/code/shop · no date"), "{screen}");
    world.press("alt-l");
    let screen = world.screen();
    assert!(screen.contains("│ no date"), "{screen}");
    assert!(!screen.contains("1970"), "{screen}");
}

#[test]
fn a_count_that_may_grow_is_marked() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("flaky");
    assert!(
        world.screen().contains("2 of 8 prompts"),
        "{}",
        world.screen()
    );
    ask_again(&mut world, |news| {
        if let HistoryNews::Found { answer, .. } = news {
            answer.tier = Tier::Substring;
        }
    });
    assert!(
        world.screen().contains("2+ of 8 prompts"),
        "{}",
        world.screen()
    );
}

#[test]
fn the_cursor_stays_near_when_everything_is_read_again() {
    let mut world = many(40);
    world.press("ctrl-r");
    world.press("down ".repeat(12).trim_end());
    let cursor = |world: &World| {
        let history = world.prompts();
        let line = history.list.position() - history.list.above();
        let row = history.cursor_row().expect("read");
        (row.prompt.display.clone(), line)
    };
    let before = cursor(&world);
    assert_eq!(before.0, "prompt 27 of many");
    // One above it was taken back.
    let (folder, _) = world.historian.as_ref().expect("a history");
    let path = folder.path().join("history.jsonl");
    let text = std::fs::read_to_string(&path).expect("read");
    let kept: Vec<&str> = text
        .lines()
        .filter(|it| !it.contains("prompt 35 "))
        .collect();
    let beside = folder.path().join("other");
    std::fs::write(&beside, kept.join("\n") + "\n").expect("written");
    std::fs::rename(&beside, &path).expect("renamed");
    world.carry_out(Effect::Ask(Request::Prompts(HistoryRequest::Changed)));
    assert_eq!(shown(&world).len(), 39);
    assert_eq!(cursor(&world).0, before.0);
    // Somebody who looks at the newest one still does.
    let mut world = many(40);
    world.press("ctrl-r");
    world.tell(Message::History(HistoryNews::Anew));
    assert_eq!(cursor(&world).0, "prompt 39 of many");
}

#[test]
fn projects_that_only_the_history_knows_are_completed() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("project:gat");
    assert!(
        world.screen().contains("project:gateway"),
        "{}",
        world.screen()
    );
    world.press("right");
    let history = world.prompts();
    assert_eq!(history.query.input.text(), "project:gateway ");
    assert_eq!(shown(&world), ["what does th"]);
}

#[test]
fn bad_lines_leave_room_for_the_keys() {
    let mut world = World::full(80, 24);
    world.write_history(&entries());
    let (folder, _) = world.historian.as_ref().expect("a history");
    let path = folder.path().join("history.jsonl");
    let mut text = std::fs::read(&path).expect("read");
    text.extend_from_slice(b"{broken\n{\"display\":\" \"}\n{also broken\n");
    std::fs::write(&path, text).expect("written");
    world.press("ctrl-r");
    let screen = world.screen();
    let footer = screen.trim_end().lines().last().expect("a footer");
    assert!(footer.ends_with("2 bad lines"), "{footer}");
    assert!(footer.contains("Alt+N new session"), "{footer}");
}
