//! Titles of sessions that nobody named: what is shown of a prompt, and that all of it is found.

use claude_resume::store::Session;
use serde_json::{Value, json};

use crate::counter::{Counter, path};
use crate::support::{Store, conversation, id, lines, user};
use crate::world::{World, session};

const CWD: &str = "/home/ada/shop";
const OTHER: &str = "Rotate the keys";
const CONTINUED: &str =
    "This session is being continued from a previous conversation that ran out of context.";

/// A prompt, what is shown of it beside another one, what is shown of it alone, and a word of it
/// that is not shown.
struct Known {
    stored: &'static str,
    shown: &'static str,
    alone: &'static str,
    hidden: &'static str,
}

/// One that says enough by itself.
const fn clear(stored: &'static str, shown: &'static str, hidden: &'static str) -> Known {
    Known {
        stored,
        shown,
        alone: shown,
        hidden,
    }
}

/// One that says nothing.
const fn empty(stored: &'static str, alone: &'static str, hidden: &'static str) -> Known {
    Known {
        stored,
        shown: OTHER,
        alone,
        hidden,
    }
}

const KNOWN: [Known; 24] = [
    clear(
        "Implement the following plan:\n\n# Plan: Redesign Action Summary\n\n## Context\n\nThe row",
        "Redesign Action Summary",
        "following",
    ),
    clear(
        "Implement the following plan:\n\n# Management Report: Roles & Audit\n\n## Context",
        "Management Report: Roles & Audit",
        "context",
    ),
    clear(
        "Implement the following plan:\n\n# Delta Aggregation & Predictions Plan\n\n## Current state",
        "Delta Aggregation & Predictions Plan",
        "current",
    ),
    clear(
        "Implement the following plan: fix the flaky test",
        "fix the flaky test",
        "implement",
    ),
    empty(
        "Implement the following plan:",
        "Implement the following plan:",
        "following",
    ),
    clear(
        "# Plan: Personal Profile Website",
        "Personal Profile Website",
        "plan",
    ),
    clear("Plan the release", "Plan the release", "release"),
    empty(CONTINUED, "(continued session)", "previous"),
    empty("/clear", "/clear", "clear"),
    empty("/exit", "/exit", "exit"),
    clear("/review 412", "/review 412", "412"),
    empty("/model opusplan", "/model opusplan", "opusplan"),
    clear(
        "! cargo test --workspace",
        "$ cargo test --workspace",
        "\"! cargo\"",
    ),
    clear(
        "(base) ada@mac work % code --list-extensions\nzsh: command not found: code",
        "$ code --list-extensions",
        "base",
    ),
    empty("!", "!", "\"!\""),
    empty("?", "?", "\"?\""),
    clear("[Image #2] the button is cut", "the button is cut", "image"),
    empty("[Image #2]", "[Image #2]", "image"),
    clear(
        "https://github.com/acme/shop/pull/412 review this",
        "acme/shop#412 review this",
        "github.com",
    ),
    clear(
        "https://docs.example.org/a/b/c/guide.html what is new",
        "docs.example.org/…/guide.html what is new",
        "b/c/guide",
    ),
    clear(
        r"S:\01_Repos\Portal\Views\Reports\Summary.cshtml add a link",
        r"…\Summary.cshtml add a link",
        "portal",
    ),
    clear(
        r"in C:\Users\ada\OneDrive\12\ENVSelect for the ENVSelect.py I want",
        r"in …\ENVSelect for the ENVSelect.py I want",
        "onedrive",
    ),
    clear(
        "/Users/ada/code/shop/src/auth/refresh.rs why UTC?",
        "…/refresh.rs why UTC?",
        "users",
    ),
    clear(
        "Implement the following plan:\r\n\r\n# Plan: windows newline\r\n\r\n## Ctx",
        "windows newline",
        "ctx",
    ),
];

/// Prompts that are shown as they are but for their marks.
const PLAIN: [Known; 2] = [
    clear("src/auth.rs is slow", "src/auth.rs is slow", "auth"),
    clear(
        "**Mandate for Harmony** read it",
        "Mandate for Harmony read it",
        "\"**mandate\"",
    ),
];

/// All of them, each with its number.
fn known() -> impl Iterator<Item = (u32, &'static Known)> {
    (1..).zip(KNOWN.iter().chain(&PLAIN))
}

/// A session with a prompt as its last one, after another.
fn left_at(prompt: &str) -> String {
    let last = json!({"type": "last-prompt", "lastPrompt": prompt.replace('\n', " ")});
    conversation(OTHER, CWD) + &lines(&[last])
}

/// The titles of `list --json`, by number, with what is stored.
fn listed(store: &Store) -> Vec<(Value, Value)> {
    let ran = store.run(&["list", "--all", "--json"]);
    let mut rows = ran.json();
    rows.sort_by_key(|row| row["sessionId"].to_string());
    rows.iter()
        .map(|row| (row["title"].clone(), row["summary"].clone()))
        .collect()
}

#[test]
fn a_title_says_what_the_session_is_about_and_the_summary_stays_as_it_is_stored() {
    let (beside, alone) = (Store::new(), Store::new());
    for (n, known) in known() {
        beside.session("-shop", &id(n), 1, left_at(known.stored));
        alone.session("-shop", &id(n), 1, lines(&[user(known.stored, CWD)]));
    }
    let titles = |store, shown: fn(&Known) -> &str| {
        for ((n, known), (title, summary)) in known().zip(listed(store)) {
            assert_eq!(title, shown(known), "{n}");
            // Line ends are spaces in a listing.
            let stored = known.stored.replace('\n', " ");
            assert_eq!(summary, stored, "{n}");
        }
    };
    titles(&beside, |known| known.shown);
    titles(&alone, |known| known.alone);
}

#[test]
fn a_name_is_never_changed() {
    let store = Store::new();
    let name = "Plan: move to Odoo 18";
    for (n, entry) in (1..).zip([
        json!({"type": "custom-title", "customTitle": name}),
        json!({"type": "ai-title", "aiTitle": name}),
        json!({"type": "summary", "summary": name}),
    ]) {
        let content = conversation("/exit", CWD) + &lines(&[entry]);
        store.session("-shop", &id(n), 1, content);
    }
    let stored = (json!(name), json!(name));
    assert_eq!(listed(&store), vec![stored; 3]);
}

#[test]
fn every_listing_shows_the_title_and_sorts_by_it() {
    let store = Store::new();
    for (n, known) in known() {
        store.session("-shop", &id(n), 1, left_at(known.stored));
    }
    let ran = store.run(&["list", "--all", "--sort", "title"]);
    let titles: Vec<&str> = ran
        .out
        .lines()
        .filter_map(|line| line.rsplit('\t').next())
        .collect();
    let mut expected: Vec<&str> = known().map(|(_, known)| known.shown).collect();
    expected.sort_by_key(|title| title.to_lowercase());
    assert_eq!(titles, expected);
    let ran = store.run(&["--plain", "--all"]);
    for (_, known) in known() {
        let line = format!(". {}, ", known.shown);
        assert!(ran.out.contains(&line), "{line}: {}", ran.out);
    }
}

#[test]
fn what_is_not_shown_is_found() {
    let store = Store::new();
    for (n, known) in known() {
        store.session("-shop", &id(n), 1, left_at(known.stored));
    }
    for (n, known) in known() {
        // Without the text of conversations, which has all of it.
        let ran = store.run(&["--plain", "--all", known.hidden]);
        assert!(ran.out.contains(&id(n)), "{}: {}", known.hidden, ran.out);
    }
    // What is read can be typed, too.
    let ran = store.run(&["--plain", "--all", "acme/shop#412"]);
    assert!(ran.out.contains(&id(19)), "{}", ran.out);
}

#[test]
fn a_window_and_a_question_are_called_by_the_title() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    let prompt = "Implement the following plan:\n\n# Plan: Redesign it\n\n## Context";
    counter.file(1, &shop, conversation(prompt, path(&shop)));
    let arguments = ["--tmux", "window", "--dry-run", "--json", &id(1)];
    let mut command = counter.command(&shop, &arguments);
    let ran = counter.run_command(command.env("TMUX", "/tmp/none,1,0"));
    let plan: Value = serde_json::from_str(&ran.out).expect("an object");
    let words = plan["argv"].as_array().expect("words");
    let name = words.iter().skip_while(|word| **word != "-n").nth(1);
    assert_eq!(name, Some(&json!("Redesign it")), "{plan}");
    let ran = counter.run(&shop, &["show", &id(1)]);
    assert!(ran.out.starts_with("Redesign it\n"), "{}", ran.out);
}

#[test]
fn a_session_is_named_and_completed_by_its_stored_name_only() {
    let store = Store::new();
    let work = store.outside("work");
    store.session("-p", &id(1), 1, conversation("# Plan: Fix it", path(&work)));
    for shell in ["bash", "zsh", "fish"] {
        let ran = store.run(&["complete", "--shell", shell, "--", "fix"]);
        let completed: Vec<&str> = ran.out.trim_end().split('\t').collect();
        assert_eq!(completed[0], id(1), "{shell}");
        assert!(
            completed
                .get(1)
                .is_none_or(|said| said.starts_with("Fix it")),
            "{shell}: {}",
            ran.out
        );
    }
    // A prompt is no name, shortened or not.
    let ran = store.run(&["show", "--json", "Fix it"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("  Fix it\n"), "{}", ran.err);
}

/// A session that was named by nobody.
fn prompted(n: u32, first: &str, last: Option<&str>) -> Session {
    let mut session = session(n, "shop", i64::from(n) * 60_000, "", "");
    session.meta.ai_title = None;
    session.meta.first_prompt = Some(first.into());
    session.meta.later_prompt = None;
    session.meta.recorded_prompt = last.map(Into::into);
    session
}

fn plans() -> Vec<Session> {
    let plan =
        "Implement the following plan:  # Plan: Redesign Action Summary  ## Context  The row";
    vec![
        prompted(1, plan, None),
        prompted(2, plan, Some("/exit")),
        prompted(3, plan, Some("ok")),
        prompted(
            4,
            "[Image #1] the button is cut",
            Some("! cargo test --workspace"),
        ),
        prompted(5, "/clear", Some("/exit")),
        prompted(6, CONTINUED, None),
        prompted(
            7,
            "/Users/ada/code/shop/src/auth/refresh.rs why UTC?",
            Some("https://github.com/acme/shop/pull/412 review this"),
        ),
        prompted(
            8,
            "# Plan: Redesign it",
            Some("Implement the following plan:  # Redesign it"),
        ),
    ]
}

#[test]
fn rows_say_what_sessions_are_about() {
    let mut world = World::new(80, 30);
    world.arrive(true);
    world.scan(plans());
    insta::assert_snapshot!("rows", world.screen());
    // The order of the screen, not that of what is stored.
    world.press("alt-s alt-s alt-s");
    insta::assert_snapshot!("rows-by-title", world.screen());
}

#[test]
fn a_row_shows_the_stored_prompt_around_what_only_that_has() {
    let mut world = World::new(80, 30);
    world.arrive(true);
    world.scan(plans());
    world.enter("following");
    let screen = world.screen();
    assert!(screen.contains("Implement the following plan"), "{screen}");
    world.enter(" action");
    let screen = world.screen();
    assert!(!screen.contains("Implement the following plan"), "{screen}");
}

#[test]
fn a_row_shows_as_much_as_fits_beside_a_match_near_its_end() {
    let mut world = World::new(80, 24);
    world.arrive(true);
    let plan = "Implement the following plan:  # Plan: Redesign Action Summary  ## Context foo";
    let name = "look why the tokens of customers expire too early in /src/auth/refresh.rs";
    let mut named = session(2, "shop", 90_000, "", "");
    named.meta.ai_title = None;
    named.meta.custom_title = Some(name.into());
    world.scan(vec![prompted(1, plan, None), named]);
    let title_for = |world: &mut World, word: &str| {
        world.press("ctrl-u");
        world.enter(word);
        let screen = world.screen();
        let row = screen.lines().find(|line| line.starts_with(" ▌"));
        let row = row.unwrap_or_default().trim_start_matches(" ▌").trim();
        row.rsplit_once("  ")
            .map(|(title, _)| title.trim().to_owned())
    };
    let shown = title_for(&mut world, "context").expect("a row");
    assert!(
        shown.ends_with("plan: # Plan: Redesign Action Summary ## Context foo"),
        "{shown}"
    );
    let shown = title_for(&mut world, "refresh").expect("a row");
    assert!(
        shown.ends_with("expire too early in /src/auth/refresh.rs"),
        "{shown}"
    );
}
