//! Which prompt one is on in the history, whatever is asked meanwhile and wherever one was.

use claude_resume::reader::Find;
use claude_resume::search::ConversationFate;
use claude_resume::tui::{Content, Effect, HistoryScope, Outcome, Request};

use crate::history_mode::{MINUTE, entries, entry, notice, shown};
use crate::support::id;
use crate::world::World;

fn world() -> World {
    World::with_history(120, 30)
}

/// The prompt under the cursor.
fn cursor(world: &World) -> String {
    let history = world.prompts();
    history.cursor_row().expect("read").prompt.display.clone()
}

/// Rows above it in sight.
fn line(world: &World) -> usize {
    let history = world.prompts();
    history.list.position() - history.list.above()
}

#[test]
fn a_prompt_that_comes_takes_nothing_from_whoever_did_something() {
    for keys in ["tab", "tab tab", "down up", "home", "t left"] {
        let mut world = World::with_history(120, 9);
        world.press("ctrl-r");
        world.press(keys);
        let (before, above) = (cursor(&world), line(&world));
        let new = entry("brand new, and latest", 0, "shop", Some(1));
        world.append_history(&[new]);
        assert_eq!(shown(&world)[0], "brand new, a", "{keys}");
        assert_eq!(cursor(&world), before, "{keys}");
        assert_eq!(line(&world), above, "{keys}: on its line");
    }
}

#[test]
fn rows_that_came_above_are_told_on_the_rule() {
    for (columns, rows) in [(120, 30), (80, 24)] {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r");
        assert!(!world.screen().contains('↑'));
        let new = (0..40).map(|n| entry(&format!("new {n}"), 0, "shop", Some(1)));
        world.append_history(&new.collect::<Vec<_>>());
        let above = world.prompts().list.above();
        assert!(above > 0);
        let sign = format!("↑ {above} ");
        assert!(world.screen().contains(&sign), "{}", world.screen());
        world.press("home");
        assert!(!world.screen().contains('↑'));
    }
}

#[test]
fn a_prompt_that_is_asked_again_is_still_the_one_under_the_cursor() {
    let mut world = world();
    world.press("ctrl-r down down down");
    assert_eq!(cursor(&world), "continue");
    world.append_history(&[
        entry("something else", MINUTE, "shop", Some(1)),
        entry("continue", 0, "shop", Some(1)),
    ]);
    assert_eq!(shown(&world)[0], "continue");
    assert_eq!(cursor(&world), "continue");
}

#[test]
fn what_comes_once_all_is_read_does_not_take_the_cursor() {
    let mut world = world();
    world.press("ctrl-r");
    let before = cursor(&world);
    world.append_history(&[entry("brand new", 0, "shop", Some(1))]);
    assert_eq!(shown(&world)[0], "brand new");
    assert_eq!(cursor(&world), before);
}

#[test]
fn a_repeated_prompt_leads_to_the_newest_conversation_that_is_there() {
    let mut all = entries();
    // Session 44 is gone; 2 is the newest of the others.
    all.push(entry("continue", MINUTE, "docs", Some(44)));
    let mut world = world();
    world.write_history(&all);
    world.press("ctrl-r");
    let history = world.prompts();
    assert_eq!(history.list.items()[0].count, 4);
    assert_eq!(history.list.items()[0].fate, ConversationFate::Missing);
    let screen = world.screen();
    // Each line is about one of them: the newest, then the one to go to.
    for expected in [
        " docs ~/code/docs · ".to_owned(),
        format!("conversation not on disk, prompts only · {}", &id(44)[..4]),
        format!(" also still there: shop, 1h ago · {}", &id(2)[..20]),
        "×4 also 1h ago".to_owned(),
    ] {
        assert!(screen.contains(&expected), "{expected}: {screen}");
    }
    world.press("enter");
    assert!(world.history().is_none(), "{}", notice(&world));
    assert_eq!(world.title(), "Why is test_refresh flaky on CI?");
    let said = notice(&world);
    let expected = "the prompt's conversation is gone. This one has the same prompt (shop, 1h ago)";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn what_is_copied_and_meant_is_what_the_row_shows() {
    let mut all = entries();
    all.push(entry("continue", MINUTE, "docs", Some(44)));
    let mut world = world();
    world.write_history(&all);
    world.press("ctrl-r");
    world.press("alt-i");
    let text = world.effects.iter().find_map(|effect| match effect {
        Effect::Copy { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(text, Some(id(44)));
    world.press("ctrl-r");
    let history = world.prompts();
    assert_eq!(history.scope, HistoryScope::Session);
    assert_eq!(history.session, Some(id(44)));
}

#[test]
fn a_conversation_of_another_time_is_resumed_only_once_that_was_said() {
    let mut all = entries();
    all.push(entry("continue", MINUTE, "docs", Some(44)));
    let mut world = world();
    world.write_history(&all);
    world.press("ctrl-r");
    let probes = |world: &World| {
        let is_probe = |effect: &&Effect| matches!(effect, Effect::Ask(Request::Probe(_)));
        world.effects.iter().filter(is_probe).count()
    };
    world.press("alt-r");
    assert_eq!(probes(&world), 0);
    let screen = world.screen();
    let question = "The conversation of this prompt is gone";
    assert!(screen.contains(question), "{screen}");
    let other = "Another conversation has the same prompt (shop, 1h ago).";
    assert!(screen.contains(other), "{screen}");
    world.press("enter");
    assert_eq!(probes(&world), 1);
}

#[test]
fn another_scope_has_the_cursor_on_the_same_prompt() {
    let mut world = world();
    world.press("ctrl-r down down");
    let scope = |world: &World| world.prompts().scope;
    assert_eq!(
        cursor(&world),
        "Users get logged out although the refresh token is valid. Find out why."
    );
    for expected in [
        HistoryScope::Session,
        HistoryScope::Project,
        HistoryScope::All,
    ] {
        world.press("ctrl-r");
        assert_eq!(scope(&world), expected);
        assert!(cursor(&world).starts_with("Users get"), "{expected:?}");
    }
}

#[test]
fn the_session_that_is_meant_is_that_of_the_prompt_under_the_cursor() {
    let mut world = world();
    // The cursor of the list is on session 1.
    world.press("ctrl-r down down down down ctrl-r");
    assert_eq!(shown(&world), ["continue", "why is test_"]);
    assert!(cursor(&world).starts_with("why is"));
    // A prompt of no known session has no such scope.
    world.press("ctrl-r ctrl-r end");
    assert_eq!(cursor(&world), "before sessions had ids");
    world.press("ctrl-r");
    let history = world.prompts();
    assert_eq!(history.scope, HistoryScope::Project);
}

#[test]
fn esc_leads_back_to_the_row_of_the_deleted_session() {
    let mut world = world();
    world.press("ctrl-r alt-l down");
    let before = cursor(&world);
    assert_eq!(line(&world), 1);
    world.press("enter");
    assert_ne!(world.prompts().query.input.text(), "");
    world.press("esc");
    assert_eq!(cursor(&world), before);
    assert_eq!(line(&world), 1);
    world.press("esc");
    assert_eq!(line(&world), 0, "nobody had moved it there");
}

#[test]
fn the_history_is_as_it_was_after_a_look_at_a_session() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("project:shop");
    world.press("down ctrl-r");
    let before = world.screen();
    world.press("enter");
    assert!(world.history().is_none());
    world.press("ctrl-r");
    assert_eq!(world.screen(), before);
    // Esc is the end of it, and what is typed in the list is worth more.
    world.press("esc ctrl-r");
    assert_eq!(world.prompts().query.input.text(), "");
    world.enter("great");
    world.press("enter");
    world.enter("flaky");
    world.press("ctrl-r");
    assert_eq!(world.prompts().query.input.text(), "flaky");
}

#[test]
fn a_prompt_that_lost_a_paste_is_sent_as_it_was_typed_and_only_after_that_was_said() {
    let mut world = world();
    let project = tempfile::tempdir().expect("made");
    let mut lost = entry("look at [Pasted text #1 +9 lines]", 0, "shop", Some(1));
    lost["project"] = project.path().to_str().expect("UTF-8").into();
    lost["pastedContents"] =
        serde_json::json!({"1": {"id": 1, "type": "text", "contentHash": "0123456789abcdef"}});
    world.write_history(&[lost]);
    world.press("ctrl-r alt-n");
    assert!(world.effects.is_empty(), "{:?}", world.effects);
    let screen = world.screen();
    assert!(screen.contains("1 paste is lost"), "{screen}");
    assert!(screen.contains("Send it as it was typed"), "{screen}");
    world.press("enter");
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    let line = chosen[0].plan.command_line();
    assert!(
        line.contains("'look at [Pasted text #1 +9 lines]'"),
        "{line}"
    );
}

#[test]
fn while_a_prompt_is_looked_through_nobody_says_that_there_is_no_match() {
    let mut world = world();
    world.press("ctrl-r tab /");
    world.enter("zzz");
    assert!(world.screen().contains("no match"), "{}", world.screen());
    // The page that is shown was looked through for something else.
    let Content::Page(page) = &mut world.prompts_mut().reader.content else {
        panic!("not read");
    };
    page.found.find = Find::Phrase("zz".to_owned());
    let screen = world.screen();
    assert!(screen.contains("searching"), "{screen}");
    assert!(!screen.contains("no match"), "{screen}");
}

#[test]
fn what_is_too_long_to_be_shown_is_said_below_it() {
    let mut world = world();
    let long = "a line of a very long prompt\n".repeat(20_100);
    world.write_history(&[entry(&long, 0, "shop", Some(1))]);
    world.press("ctrl-r tab end");
    let screen = world.screen();
    assert!(screen.contains("more: open it to see all"), "{screen}");
    world.press("e");
    let Some(Effect::Outside { text, .. }) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    assert!(text == long.trim_end(), "whole");
}

#[test]
fn what_a_printed_prompt_lacks_is_told_with_it_and_keys_that_run_something_are_not_offered() {
    use claude_resume::history::Lacking;
    let mut world = world();
    world.print_prompt("what does this");
    let screen = world.screen();
    let footer = screen.lines().last().expect("a footer");
    assert!(footer.contains("choose"), "{footer}");
    assert!(
        !footer.contains("Alt+N") && !footer.contains("Alt+R"),
        "{footer}"
    );
    world.press("enter");
    match world.effects.pop() {
        Some(Effect::Leave(Outcome::Prompt { lacking, .. })) => {
            let expected = Lacking {
                pastes: 1,
                images: 0,
            };
            assert_eq!(lacking, expected);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn while_reading_n_and_r_run_nothing() {
    let mut world = world();
    world.press("ctrl-r down tab");
    let before = world.effects.len();
    world.press("n r N");
    assert_eq!(world.effects.len(), before);
    assert!(world.history().is_some());
}
