//! The history in the picker, without a terminal: every key, the way there and the way back.

use std::fs;

use claude_resume::history::Lacking;
use claude_resume::preview::Budget;
use claude_resume::reader::Page;
use claude_resume::search::{ConversationFate, View};
use claude_resume::tui::{
    Effect, Ending, Focus, Here, HereKind, HistoryNews, HistoryRequest, HistoryScope, Message,
    Names, Notice, Opener, Outcome, Previewed, Reach, Request, layers,
};
use serde_json::{Value, json};

use crate::support::{self, id};
use crate::world::{World, now, sessions, setting};

pub const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

pub fn entry(display: &str, age: i64, project: &str, session: Option<u32>) -> Value {
    let mut entry = json!({
        "display": display, "pastedContents": {},
        "timestamp": now().timestamp_millis() - age,
        "project": format!("/home/ada/code/{project}"),
    });
    if let Some(session) = session {
        entry["sessionId"] = json!(id(session));
    }
    entry
}

/// What somebody pasted.
fn trace() -> String {
    let frames: Vec<String> = (0..11)
        .map(|n| format!("    {n}: shop::frame_{n}"))
        .collect();
    format!(
        "panicked at src/main.rs\n  stack backtrace:\n{}",
        frames.join("\n")
    )
}

/// What a developer may have asked, oldest first. Sessions 1 to 3 are there, the others are gone.
pub fn entries() -> Vec<Value> {
    let mut pasted = entry(
        "what does this mean? [Pasted text #1 +12 lines] and this [Pasted text #2 +80 lines]",
        80 * DAY,
        "gateway",
        Some(42),
    );
    pasted["pastedContents"] = json!({
        "1": {"id": 1, "type": "text", "content": trace()},
        "2": {"id": 2, "type": "text", "contentHash": "0123456789abcdef"},
    });
    vec![
        entry("before sessions had ids", 300 * DAY, "docs", None),
        entry(
            "flaky link checker, ignore 429",
            150 * DAY,
            "docs",
            Some(41),
        ),
        entry("continue", 150 * DAY - MINUTE, "docs", Some(41)),
        pasted,
        entry("continue", 26 * DAY, "shop", Some(3)),
        entry(
            "why is test_refresh flaky on CI?\nrun it 200 times and tell me the seeds that fail",
            95 * MINUTE,
            "shop",
            Some(2),
        ),
        entry("continue", 90 * MINUTE, "shop", Some(2)),
        entry(
            "Users get logged out although the refresh token is valid. Find out why.",
            60 * MINUTE,
            "shop",
            Some(1),
        ),
        entry("great, now open a PR", 53 * MINUTE, "shop", Some(1)),
        entry(
            "日本語のエラーメッセージを直す",
            10 * MINUTE,
            "docs",
            Some(43),
        ),
    ]
}

fn world() -> World {
    World::with_history(120, 30)
}

/// The prompts of the list, from the top.
pub fn shown(world: &World) -> Vec<String> {
    let history = world.prompts();
    history
        .list
        .items()
        .iter()
        .map(|hit| {
            let text = &history.row(hit.row).expect("read").prompt.display;
            text.chars().take(12).collect()
        })
        .collect()
}

pub fn notice(world: &World) -> String {
    match world.app.status.as_ref().expect("something is said") {
        Notice::Done(text) | Notice::Trouble(text) => text.clone(),
    }
}

#[test]
fn ctrl_r_opens_everything_newest_first_with_duplicates_counted() {
    let mut world = world();
    world.press("ctrl-r");
    assert_eq!(world.app.layers(), layers::EMPTY_PROMPT_LIST);
    assert_eq!(
        shown(&world),
        [
            "日本語のエラーメッセージ",
            "great, now o",
            "Users get lo",
            "continue",
            "why is test_",
            "what does th",
            "flaky link c",
            "before sessi"
        ]
    );
    let history = world.prompts();
    assert_eq!(history.list.items()[3].count, 3);
    assert_eq!(history.list.items()[6].fate, ConversationFate::Deleted);
    assert_eq!(history.list.items()[7].fate, ConversationFate::Unknown);
    assert!(world.screen().contains("×3"), "{}", world.screen());
}

#[test]
fn the_query_is_kept_on_the_way_in_and_the_list_is_as_it_was_on_the_way_out() {
    let mut world = world();
    world.enter("flaky");
    let before = world.screen();
    world.press("ctrl-r");
    assert_eq!(shown(&world), ["why is test_", "flaky link c"]);
    world.press("ctrl-u");
    world.enter("continue");
    assert_eq!(shown(&world), ["continue"]);
    world.press("esc esc");
    assert_eq!(world.screen(), before);
    assert_eq!(world.sessions().query.input.text(), "flaky");
}

#[test]
fn the_same_operators_as_in_the_list() {
    let mut world = world();
    world.press("ctrl-r");
    for (query, expected) in [
        ("project:docs flaky", &["flaky link c"][..]),
        (
            "before:2025-10-15",
            &["flaky link c", "continue", "before sessi"],
        ),
        ("continue since:2h", &["continue"]),
        ("backtrace", &["what does th"]),
    ] {
        world.press("ctrl-u");
        world.enter(query);
        let mut found = shown(&world);
        let mut expected = expected.to_vec();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
    world.press("ctrl-u");
    world.enter("since:soon");
    assert!(world.screen().contains("soon"), "{}", world.screen());
}

#[test]
fn ctrl_r_again_goes_through_session_project_and_all() {
    let mut world = world();
    world.press("ctrl-r down");
    let scope = |world: &World| world.prompts().scope;
    assert_eq!(scope(&world), HistoryScope::All);
    world.press("ctrl-r");
    assert_eq!(scope(&world), HistoryScope::Session);
    assert_eq!(shown(&world), ["great, now o", "Users get lo"]);
    world.press("ctrl-r");
    assert_eq!(scope(&world), HistoryScope::Project);
    assert_eq!(
        shown(&world),
        ["great, now o", "Users get lo", "continue", "why is test_"]
    );
    let history = world.prompts();
    assert_eq!(history.list.items()[2].count, 2, "counted within the scope");
    world.press("ctrl-r");
    assert_eq!(scope(&world), HistoryScope::All);
}

#[test]
fn a_session_that_was_given_is_the_one_that_is_meant() {
    let mut setting = setting();
    setting.session = Some(id(41));
    let mut world = World::with(setting, "", 120, 30);
    world.arrive(true);
    world.scan(sessions());
    world.write_history(&entries());
    world.press("ctrl-r ctrl-r");
    assert_eq!(shown(&world), ["continue", "flaky link c"]);
}

#[test]
fn a_prompt_is_shown_whole_with_what_was_pasted() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("mean");
    let screen = world.screen();
    assert!(screen.contains("stack backtrace:"), "{screen}");
    assert!(screen.contains("10: shop::frame_10 and this"), "{screen}");
    assert!(screen.contains("expired)"), "{screen}");
    assert!(screen.contains("gateway ~/code/gateway"), "{screen}");
    assert!(screen.contains("2025-12-11 11:00"), "{screen}");
    assert!(screen.contains("deleted by cleanup"), "{screen}");
    world.press("ctrl-u");
    world.enter("flaky");
    assert!(world.screen().contains("run it 200 times and tell me"));
}

#[test]
fn enter_goes_to_the_session_with_the_preview_at_that_prompt() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{}.jsonl", id(1)));
    let asked = "Users get logged out although the refresh token is valid. Find out why.";
    let conversation = support::lines(&[
        support::entry(0, "user", &json!(asked)),
        support::entry(1, "assistant", &json!([{"type": "text", "text": "Done."}])),
        support::entry(2, "user", &json!("great, now open a PR")),
        support::entry(3, "assistant", &json!([{"type": "text", "text": "There."}])),
    ]);
    fs::write(&path, conversation).expect("written");
    let mut world = world();
    world.open(&path, Budget::default());
    world.press("ctrl-r");
    world.enter("great, now");
    world.press("enter");
    assert!(world.history().is_none());
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
    let cursor = |world: &World| {
        let preview = &world.reader();
        preview.line(preview.cursor).expect("a line").text()
    };
    assert!(cursor(&world).contains("great, now open a PR"));
    world.press("ctrl-r ctrl-u");
    world.enter("Users get");
    world.press("enter");
    assert!(cursor(&world).contains("Users get logged out"));
    assert_eq!(world.reader().top, 0);
}

#[test]
fn the_session_of_a_prompt_is_shown_among_all_and_esc_leads_back() {
    let mut world = world();
    world.enter("xyzzy");
    world.press("ctrl-r ctrl-u");
    world.enter("test_refresh");
    world.press("enter");
    assert_eq!(world.title(), "Why is test_refresh flaky on CI?");
    assert_eq!(world.sessions().query.input.text(), "");
    assert_eq!(world.sessions().reach, Reach::All);
    assert_eq!(world.app.memory().reach, Reach::Auto, "nobody chose that");
    let said = notice(&world);
    assert_eq!(said, "this prompt was not found in the conversation");
    // The history and the list below it are as they were.
    world.press("esc");
    assert_eq!(world.prompts().query.input.text(), "test_refresh");
    world.press("esc esc");
    assert!(world.history().is_none());
    assert_eq!(world.sessions().query.input.text(), "xyzzy");
}

#[test]
fn a_conversation_that_is_gone_is_said_and_the_prompt_is_offered() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("checker");
    world.press("enter");
    assert!(world.history().is_some(), "one stays");
    let said = notice(&world);
    assert!(said.contains("deleted by cleanup"), "{said}");
    assert!(said.contains("Alt+Y copies the prompt"), "{said}");
    world.press("ctrl-u");
    world.enter("before sessions");
    world.press("alt-r");
    assert!(notice(&world).contains("does not say which session"));
    assert!(world.effects.is_empty());
}

#[test]
fn the_prompt_is_copied_with_what_was_pasted() {
    for keys in ["alt-y", "tab y"] {
        let mut world = world();
        world.press("ctrl-r");
        world.enter("mean");
        world.press(keys);
        let [Effect::Copy { what, text }] = world.effects.as_slice() else {
            panic!("{:?}", world.effects);
        };
        assert_eq!(*what, "the prompt (without images and lost pastes)");
        assert_eq!(
            text,
            &format!(
                "what does this mean? {} and this [Pasted text #2 +80 lines]",
                trace()
            )
        );
    }
}

#[test]
fn what_is_wanted_of_a_prompt_that_is_being_read_is_done_when_it_was() {
    for (keys, copied) in [("alt-y", 1), ("alt-y up", 0)] {
        let mut world = world();
        world.press("ctrl-r");
        let generation = world.prompts().reader.generation;
        let (_, text) = world.prompts_mut().text.take().expect("read");
        let effects = world.only_press(keys);
        let copies = |effect: &Effect| matches!(effect, Effect::Copy { .. });
        assert!(!effects.iter().any(copies), "not yet");
        let result = Ok(Page::default());
        let page = Previewed { generation, result };
        world.tell(Message::History(HistoryNews::Page(page, Some(text))));
        assert_eq!(world.effects.len(), copied, "{keys}");
    }
}

#[test]
fn all_prompts_of_a_deleted_session_are_copied() {
    let mut world = world();
    world.press("alt-l end alt-y");
    let copied = Effect::Copy {
        what: "its prompts",
        text: "flaky link checker, ignore 429\n\ncontinue".to_owned(),
    };
    assert_eq!(world.effects, [copied]);
}

#[test]
fn operators_that_only_sessions_have_are_explained() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("is:running");
    assert!(world.screen().contains("project: since: before: id:"));
    assert!(world.screen().contains("is: does not apply to prompts."));
    world.enter(" tool:bash has:error");
    let refused = "is: tool: has: do not apply to prompts.";
    assert!(world.screen().contains(refused), "{}", world.screen());
}

#[test]
fn a_new_session_begins_in_the_project_of_the_prompt() {
    let project = tempfile::tempdir().expect("a folder");
    for keys in ["alt-n", "tab alt-n"] {
        let mut world = world();
        let mut asked = entry("-v is no option?", 0, "docs", None);
        asked["project"] = json!(project.path());
        world.write_history(&[asked]);
        world.press("ctrl-r");
        world.press(keys);
        let [Effect::Leave(Outcome::Chosen(chosen))] = world.effects.as_slice() else {
            panic!("{:?}", world.effects);
        };
        let [chosen] = chosen.as_slice() else {
            panic!("{chosen:?}");
        };
        assert_eq!(chosen.plan.command, ["claude", "--", "-v is no option?"]);
        assert_eq!(chosen.plan.directory.as_deref(), Some(project.path()));
    }
    // A session has many prompts: one has to be chosen.
    let mut world = World::with_history(120, 30);
    world.press("alt-l alt-n");
    assert!(notice(&world).contains("choose the one"));
    assert!(world.effects.is_empty());
    // Where the project is gone, nothing is started.
    let mut world = World::with_history(120, 30);
    world.press("ctrl-r");
    world.enter("checker");
    world.press("alt-n");
    let said = notice(&world);
    assert!(said.contains("~/code/docs is gone: Alt+Y copies"), "{said}");
    assert!(world.effects.is_empty());
}

/// A history of one prompt in a project that is there, and the key that begins a session with it.
fn begun(prompt: &str, launch: impl Fn(&mut claude_resume::resume::Launch)) -> World {
    let mut setting = setting();
    launch(&mut setting.launch);
    let mut world = World::with(setting, "", 120, 30);
    world.arrive(true);
    world.scan(sessions());
    let mut asked = entry(prompt, 0, "docs", None);
    asked["project"] = json!(std::env::temp_dir());
    world.write_history(&[asked]);
    world.press("ctrl-r alt-n");
    world
}

#[test]
fn a_new_session_goes_into_the_config_directory_of_the_prompt() {
    let world = begun("go on", |_| ());
    let [Effect::Leave(Outcome::Chosen(chosen))] = world.effects.as_slice() else {
        panic!("{:?}", world.effects);
    };
    // The history is in no place where Claude Code would look by itself.
    let line = chosen[0].plan.command_line();
    assert!(line.contains("CLAUDE_CONFIG_DIR="), "{line}");
}

#[test]
fn a_prompt_that_no_program_can_be_passed_is_told() {
    let world = begun("a\u{0}b", |_| ());
    assert!(world.effects.is_empty());
    let said = notice(&world);
    assert!(
        said.contains("NUL") && said.contains("Alt+Y copies the prompt"),
        "{said}"
    );
}

#[test]
fn without_a_program_the_prompt_stays_where_it_can_be_copied() {
    let mut world = begun("go on", |_| ());
    world.effects.clear();
    world.program = claude_resume::resume::Program::Missing;
    world.press("alt-n");
    assert!(world.effects.is_empty());
    assert_eq!(world.app.layers(), layers::EMPTY_PROMPT_LIST);
    let said = notice(&world);
    assert!(
        said.contains("Claude Code is neither on the PATH nor in ~/.claude/local"),
        "{said}"
    );
    assert!(said.ends_with("Alt+Y copies the prompt"), "{said}");
}

#[test]
fn inside_another_claude_code_a_new_session_asks_whether_to_save() {
    let child = |launch: &mut claude_resume::resume::Launch| {
        launch.child_session = claude_resume::resume::ChildSession::Inherited;
    };
    let mut world = begun("go on", child);
    assert!(world.effects.is_empty());
    let screen = world.screen();
    assert!(
        screen.contains("would not save this conversation"),
        "{screen}"
    );
    world.press("esc");
    assert!(world.history().is_some(), "back in the history");
    world.press("alt-n enter");
    let [Effect::Leave(Outcome::Chosen(chosen))] = world.effects.as_slice() else {
        panic!("{:?}", world.effects);
    };
    let line = chosen[0].plan.command_line();
    assert!(
        line.contains("CLAUDE_CODE_FORCE_SESSION_PERSISTENCE=1"),
        "{line}"
    );
}

#[test]
fn the_session_of_a_prompt_is_resumed_whatever_is_marked() {
    for keys in ["alt-r", "tab alt-r"] {
        let mut world = world();
        world.press("alt-x alt-x home ctrl-r");
        world.enter("test_refresh");
        world.press(keys);
        let [Effect::Ask(Request::Probe(request))] = world.effects.as_slice() else {
            panic!("{:?}", world.effects);
        };
        let ids: Vec<String> = request
            .sessions
            .iter()
            .map(|(_, seen)| seen.session.file.id.to_string())
            .collect();
        assert_eq!(ids, [id(2)]);
    }
}

#[test]
fn the_demo_only_says_what_it_would_do() {
    let mut setting = setting();
    setting.ending = Ending::Explain;
    let mut world = World::with(setting, "", 120, 30);
    world.arrive(true);
    world.scan(sessions());
    world.write_history(&entries());
    world.press("ctrl-r");
    world.enter("checker");
    world.press("alt-n");
    assert!(notice(&world).contains("would run: cd /home/ada/code/docs && claude"));
    assert!(world.effects.is_empty());
}

#[test]
fn deleted_sessions_are_listed_with_what_is_left_of_them() {
    let mut world = world();
    world.press("alt-l");
    let history = world.prompts();
    assert_eq!(history.view, View::Deleted);
    let found: Vec<_> = history
        .list
        .items()
        .iter()
        .map(|hit| {
            let row = history.row(hit.row).expect("read");
            let span = row.span.as_ref().expect("a session");
            let first = span.first.display.chars().take(10).collect::<String>();
            (row.prompt.session.clone(), hit.count, first)
        })
        .collect();
    let one = |n: u32, count, text: &str| (Some(id(n)), count, text.to_owned());
    assert_eq!(
        found,
        [
            one(43, 1, "日本語のエラーメッセ"),
            one(42, 1, "what does "),
            one(41, 2, "flaky link"),
        ]
    );
    let screen = world.screen();
    assert!(screen.contains("2 deleted, 1 missing"), "{screen}");
    // The one of today cannot have been taken.
    assert!(screen.contains("1 prompt not on disk"), "{screen}");
    assert!(
        screen.contains("conversation not on disk, prompts only"),
        "{screen}"
    );
    assert!(
        screen.contains("cleanupPeriodDays 30 (default)"),
        "{screen}"
    );
    // Of the files, one is 26 days old and one 39.
    assert!(
        screen.contains("2 sessions expire within 7 days"),
        "{screen}"
    );
    world.press("end");
    let screen = world.screen();
    assert!(screen.contains("last: continue"), "{screen}");
    assert!(screen.contains("2 prompts"), "{screen}");
    // The preview has all that was asked in it.
    assert!(
        screen.contains("flaky link checker, ignore 429"),
        "{screen}"
    );
}

#[test]
fn enter_shows_the_prompts_of_a_deleted_session_and_esc_goes_back_step_by_step() {
    let mut world = world();
    let before = world.screen();
    world.press("alt-l");
    world.enter("checker");
    world.press("enter");
    assert_eq!(shown(&world), ["continue", "flaky link c"]);
    world.press("esc");
    let history = world.prompts();
    assert_eq!(
        (history.view, history.list.items().len()),
        (View::Deleted, 1)
    );
    assert_eq!(history.query.input.text(), "checker");
    world.press("esc esc");
    assert_eq!(world.screen(), before);
    // From the prompts and back to them.
    world.press("ctrl-r");
    world.enter("flaky");
    world.press("alt-l alt-l");
    assert_eq!(shown(&world), ["why is test_", "flaky link c"]);
}

#[test]
fn esc_leaves_the_preview_first_and_then_the_history() {
    let mut world = world();
    world.press("ctrl-r tab");
    assert_eq!(world.app.layers(), layers::PROMPT);
    world.press("esc");
    assert_eq!(world.app.layers(), layers::EMPTY_PROMPT_LIST);
    world.press("esc");
    assert_eq!(world.app.layers(), layers::EMPTY_SESSION_LIST);
    // Who was reading goes on reading.
    world.press("tab k k");
    let before = world.screen();
    world.press("ctrl-r esc");
    assert_eq!(world.app.layers(), layers::CONVERSATION);
    assert_eq!(world.screen(), before);
    assert!(world.effects.is_empty());
}

#[test]
fn something_is_found_in_a_long_prompt() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("mean");
    world.tell(Message::Resize {
        columns: 120,
        rows: 12,
    });
    world.press("tab /");
    assert_eq!(world.app.layers(), layers::FIND);
    world.enter("frame_");
    assert!(world.screen().contains("/frame_"), "{}", world.screen());
    assert!(world.screen().contains("1 of 11"), "{}", world.screen());
    world.press("enter");
    assert_eq!(world.app.layers(), layers::PROMPT);
    // A letter that would otherwise start a session goes to the next match.
    world.press("n n N N N");
    assert!(world.screen().contains("11 of 11"), "{}", world.screen());
    assert!(
        world.screen().contains("shop::frame_10"),
        "{}",
        world.screen()
    );
    assert!(world.effects.is_empty());
    world.press("/");
    world.enter("nowhere");
    assert!(world.screen().contains("no match"), "{}", world.screen());
    world.press("enter");
    assert_eq!(notice(&world), "no match here");
    world.press("esc");
    assert_eq!(world.app.layers(), layers::PROMPT);
    world.press("esc");
    assert_eq!(world.app.layers(), layers::PROMPT_LIST);
    // What was looked for in one prompt is not looked for in the next.
    world.press("tab /");
    world.enter("what");
    world.press("enter tab ctrl-u down tab");
    assert_eq!(world.app.layers(), layers::PROMPT);
}

#[test]
fn the_preview_goes_to_what_was_searched_for() {
    let mut world = World::full(120, 20);
    let mut pasted = entry("why this? [Pasted text #1 +90 lines]", 0, "shop", Some(1));
    let lines: Vec<String> = (0..90).map(|n| format!("frame {n} of shop")).collect();
    pasted["pastedContents"] = json!({"1": {"id": 1, "type": "text", "content": lines.join("\n")}});
    world.write_history(&[pasted]);
    world.press("ctrl-r");
    let shows = |world: &World, text: &str| world.screen().contains(text);
    assert!(shows(&world, "frame 0 of"), "{}", world.screen());
    world.enter("\"frame 70\"");
    assert!(shows(&world, "frame 70 of"), "{}", world.screen());
    assert!(!shows(&world, "frame 0 of"));
    // Every word counts, and what is in sight stays where it is.
    world.press("ctrl-u");
    assert!(shows(&world, "frame 0 of"), "{}", world.screen());
    world.enter("why");
    assert!(shows(&world, "frame 0 of"));
    world.enter(" \"frame 55\"");
    assert!(shows(&world, "frame 55 of"), "{}", world.screen());
    // Whoever scrolled away from there is left alone.
    world.press("tab g");
    assert!(shows(&world, "frame 0 of"));
    world.append_history(&[entry("why \"frame 55\"", 0, "shop", Some(1))]);
    assert!(shows(&world, "frame 0 of"), "{}", world.screen());
}

#[test]
fn what_is_looked_for_may_go_on_in_the_next_line() {
    let mut world = world();
    world.press("ctrl-r");
    world.enter("logged");
    let screen = world.screen();
    assert!(!screen.contains("valid. Find"), "{screen}");
    world.press("tab /");
    world.enter("valid. find");
    assert!(world.screen().contains("1 of 1"), "{}", world.screen());
}

#[test]
fn the_prompt_is_opened_in_another_program_as_it_was_asked() {
    for (key, opener) in [("e", Opener::Pager), ("E", Opener::Editor)] {
        let mut world = world();
        world.press("ctrl-r");
        world.enter("checker");
        world.press("tab");
        world.press(key);
        let text = "flaky link checker, ignore 429".to_owned();
        assert_eq!(world.effects, [Effect::Outside { opener, text }]);
    }
}

#[test]
fn a_pager_gets_no_control_characters_of_a_prompt() {
    let mut world = World::with_history(100, 18);
    world.write_history(&[entry("one\u{1b}[2J\ttwo\nthree\u{7}", 0, "shop", None)]);
    world.press("ctrl-r tab e");
    let text = "one\ttwo\nthree".to_owned();
    let opener = Opener::Pager;
    assert_eq!(world.effects, [Effect::Outside { opener, text }]);
}

#[test]
fn what_the_list_copies_of_a_session_is_copied_here_too() {
    let copied = |query: &str, key: &str| {
        let mut world = world();
        world.press("ctrl-r");
        world.enter(query);
        world.press(key);
        match world.effects.pop() {
            Some(Effect::Copy { text, .. }) => Ok(text),
            _ => Err(notice(&world)),
        }
    };
    assert_eq!(copied("great", "alt-i"), Ok(id(1)));
    let command = copied("great", "alt-c").expect("copied");
    assert!(
        command.contains(&format!("--resume {}", id(1))),
        "{command}"
    );
    let path = copied("great", "alt-w").expect("copied");
    assert!(path.ends_with(&format!("{}.jsonl", id(1))), "{path}");
    assert_eq!(copied("checker", "alt-i"), Ok(id(41)), "the id is known");
    let gone = copied("checker", "alt-c").expect_err("there is none");
    assert!(gone.contains("deleted by cleanup"), "{gone}");
    let unknown = copied("before sessions", "alt-i").expect_err("there is none");
    assert!(unknown.contains("does not say which session"), "{unknown}");
}

#[test]
fn a_key_of_the_list_is_not_silent() {
    for key in ["alt-s", "alt-h", "alt-v", "alt-x", "alt-g"] {
        let mut world = world();
        world.press("ctrl-r");
        world.press(key);
        assert_eq!(
            notice(&world),
            "this key works only in the session list",
            "{key}"
        );
        assert!(world.effects.is_empty(), "{key}");
    }
}

#[test]
fn operators_that_prompts_have_are_completed() {
    let mut world = world();
    world.tell(Message::Names(Names {
        projects: vec!["shop".to_owned(), "gateway".to_owned()],
        branches: vec!["main".to_owned()],
        ..Names::default()
    }));
    world.press("ctrl-r");
    world.enter("proj");
    assert!(world.screen().contains("project:"), "{}", world.screen());
    assert!(
        world.screen().contains("Right complete"),
        "{}",
        world.screen()
    );
    world.press("right");
    world.enter("ga");
    world.press("right");
    let typed = |world: &World| {
        let history = world.prompts();
        history.query.input.text().to_owned()
    };
    assert_eq!(typed(&world), "project:gateway ");
    assert_eq!(shown(&world), ["what does th"]);
    world.press("ctrl-u");
    // Prompts have no branches.
    world.enter("br");
    world.press("right");
    assert_eq!(typed(&world), "br");
    assert!(!world.screen().contains("complete"), "{}", world.screen());
}

#[test]
fn the_cursor_stays_on_its_prompt_while_the_history_grows() {
    let mut world = world();
    world.press("ctrl-r down");
    let text = |world: &World| {
        let history = world.prompts();
        history.cursor_row().expect("read").prompt.display.clone()
    };
    assert_eq!(text(&world), "great, now open a PR");
    world.append_history(&[entry("brand new", 0, "shop", Some(1))]);
    assert_eq!(shown(&world)[0], "brand new");
    assert_eq!(text(&world), "great, now open a PR");
}

#[test]
fn what_is_pasted_into_the_query_line_is_typed() {
    let mut world = world();
    world.press("ctrl-r");
    world.tell(Message::Paste("flaky\nlink".to_owned()));
    assert_eq!(shown(&world), ["flaky link c"]);
    world.press("f1");
    world.tell(Message::Paste("more".to_owned()));
    world.press("esc");
    assert_eq!(shown(&world), ["flaky link c"]);
}

#[test]
fn the_mouse_chooses_scrolls_and_goes() {
    let mut world = world();
    world.press("ctrl-r");
    world.click(10, 3);
    let position = |world: &World| world.prompts().list.position();
    assert_eq!(position(&world), 1);
    world.mouse(crossterm::event::MouseEventKind::ScrollDown, 10, 5);
    assert_eq!(position(&world), 1, "it scrolls, and there is nothing more");
    world.click(90, 10);
    assert_eq!(world.focus(), Focus::Preview);
    world.click(10, 3);
    world.click(10, 3);
    assert!(world.history().is_none(), "a double click is Enter");
    assert_eq!(world.title(), "Fix JWT refresh token expiry");
}

#[test]
fn the_file_is_read_when_somebody_opens_the_history_and_not_before() {
    let mut world = World::full(120, 30);
    world.press("down up tab esc");
    let asks = |effect: &Effect| matches!(effect, Effect::Ask(Request::Prompts(_)));
    assert!(!world.effects.iter().any(asks));
    let effects = world.only_press("ctrl-r");
    let [
        Effect::Ask(Request::Prompts(HistoryRequest::Refresh(_))),
        Effect::Ask(Request::Prompts(HistoryRequest::Search { session, .. })),
    ] = effects.as_slice()
    else {
        panic!("{effects:?}");
    };
    assert_eq!(*session, None, "nobody asks for those of one session");
}

#[test]
fn a_picker_that_began_with_the_history_is_left_by_esc_and_prints_what_is_chosen() {
    let mut world = World::with_history(120, 30);
    world.print_prompt("great");
    assert_eq!(shown(&world), ["great, now o"]);
    world.press("enter");
    let chosen = Effect::Leave(Outcome::Prompt {
        text: "great, now open a PR".to_owned(),
        lacking: Lacking::default(),
    });
    assert_eq!(world.effects.pop(), Some(chosen));
    world.press("esc");
    assert_eq!(world.effects.pop(), Some(Effect::Leave(Outcome::Nothing)));
}

#[test]
fn a_prompt_of_a_deleted_session_is_printed_too_and_runs_nothing() {
    let mut world = World::with_history(120, 30);
    world.print_prompt("");
    world.press("alt-l end enter alt-n");
    assert_eq!(world.effects, [], "nothing runs");
    world.press("enter");
    let printed = world.effects.pop();
    assert!(
        matches!(printed, Some(Effect::Leave(Outcome::Prompt { .. }))),
        "{printed:?}"
    );
}

#[test]
fn the_wheel_scrolls_the_list_of_prompts_and_leaves_the_cursor() {
    let mut world = World::with_history(120, 30);
    let many: Vec<_> = (0..100)
        .map(|n| entry(&format!("prompt {n}"), n * MINUTE, "shop", None))
        .collect();
    world.write_history(&many);
    world.press("ctrl-r down down down down down");
    let before = world.prompts().list.cursor();
    world.mouse(crossterm::event::MouseEventKind::ScrollDown, 10, 6);
    assert_eq!(world.prompts().list.cursor(), before);
    assert_eq!(world.prompts().list.above(), 3);
}

#[test]
fn a_list_below_others_asks_again_when_it_is_shown_and_not_before() {
    let mut world = World::with_history(120, 30);
    world.press("ctrl-r");
    world.enter("great");
    world.press("enter");
    // The list below leaves its scope. The worker keeps the search of the one on top.
    world.app.update(Message::Here(Here {
        kind: HereKind::Repository,
        inhabited: false,
        several_trees: false,
        scope: std::sync::Arc::default(),
    }));
    let searches = |effects: &[Effect]| {
        let is_search = |effect: &&Effect| matches!(effect, Effect::Ask(Request::Search(_)));
        effects.iter().filter(is_search).count()
    };
    assert_eq!(searches(&world.app.take_effects()), 0);
    // Its preview may have been canceled by that of the session on top.
    world.press("esc esc");
    let effects = world.only_press("esc");
    assert!(world.history().is_none());
    assert_eq!(searches(&effects), 1);
    let previews = |effect: &Effect| matches!(effect, Effect::Ask(Request::Preview(_)));
    assert!(effects.iter().any(previews), "{effects:?}");
}
