//! Finding in a conversation, also in what is folded away or left out of it.

use std::fs;

use claude_resume::preview::{PageLine, TurnPos, hidden_texts};
use serde_json::{Value, json};

use crate::support::{entry, lines};
use crate::world::{EVERYTHING, World};

fn said(n: usize, text: &str) -> Value {
    entry(n, "assistant", &json!([{"type": "text", "text": text}]))
}

/// A command and what it printed.
fn ran(n: usize, printed: &str) -> [Value; 2] {
    let id = format!("toolu_{n}");
    let call = json!([{"type": "tool_use", "id": id, "name": "Bash",
                       "input": {"command": format!("make {n}")}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": id, "content": printed}]);
    [entry(n, "assistant", &call), entry(n + 1, "user", &result)]
}

/// A session, and what the agent did that its call `toolu_9` started, if anything.
struct Desk {
    world: World,
    folder: tempfile::TempDir,
}

fn desk(entries: &[Value], of_agent: &[Value]) -> Desk {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "5e551011-0000-4000-8000-000000000002.jsonl";
    let path = folder.path().join(name);
    fs::write(&path, lines(entries)).expect("written");
    if !of_agent.is_empty() {
        let agents = path.with_extension("").join("subagents");
        fs::create_dir_all(&agents).expect("made");
        let mut entries = of_agent.to_vec();
        for entry in &mut entries {
            entry["isSidechain"] = json!(true);
        }
        fs::write(agents.join("agent-x.jsonl"), lines(&entries)).expect("written");
        let meta = json!({"agentType": "Explore", "toolUseId": "toolu_9"}).to_string();
        fs::write(agents.join("agent-x.meta.json"), meta).expect("written");
    }
    let mut world = World::full(100, 30);
    world.open(&path, EVERYTHING);
    world.press("tab g");
    Desk { world, folder }
}

impl Desk {
    /// Types what is to be found.
    fn find(&mut self, text: &str) {
        self.world.press("/");
        self.world.enter(text);
    }

    /// The text of the line under the cursor.
    fn here(&self) -> String {
        let preview = &self.world.reader();
        let line = preview.line(preview.cursor);
        line.map(PageLine::text).unwrap_or_default()
    }

    fn count(&self) -> (usize, usize) {
        self.world.reader().match_count()
    }
}

/// A run with an agent in it, and in that agent another run, with a match in each.
fn nested(prompt: &str) -> Desk {
    let task = json!([{"type": "tool_use", "id": "toolu_9", "name": "Task",
                       "input": {"description": "look", "prompt": "look around"}}]);
    let answer = json!([{"type": "tool_result", "tool_use_id": "toolu_9", "content": "done"}]);
    let mut inner = vec![entry(0, "user", &json!("look around"))];
    inner.extend(ran(1, "first\na deep needle\nand another needle"));
    inner.push(said(3, "nothing special"));
    desk(
        &[
            entry(0, "user", &json!(prompt)),
            entry(1, "assistant", &task),
            entry(2, "user", &answer),
            said(3, "that is all"),
        ],
        &inner,
    )
}

#[test]
fn enter_opens_every_fold_around_the_match() {
    let mut desk = nested("go");
    desk.find("needle");
    assert!(desk.here().starts_with('▸'), "{}", desk.here());
    desk.world.press("enter");
    assert!(desk.here().contains("a deep needle"), "{}", desk.here());
    desk.world.press("n");
    assert!(
        desk.here().contains("and another needle"),
        "{}",
        desk.here()
    );
}

#[test]
fn the_first_match_is_opened_before_the_second() {
    let mut entries = vec![entry(0, "user", &json!("go"))];
    entries.extend(ran(1, "the first needle"));
    entries.push(said(3, "and again"));
    entries.extend(ran(4, "the second needle"));
    let mut desk = desk(&entries, &[]);
    desk.find("needle");
    desk.world.press("enter");
    assert!(desk.here().contains("the first needle"), "{}", desk.here());
    desk.world.press("n");
    assert!(desk.here().contains("the second needle"), "{}", desk.here());
}

#[test]
fn the_way_back_leads_to_the_last_match_in_a_fold() {
    let mut entries = vec![entry(0, "user", &json!("go"))];
    entries.extend(ran(1, "one needle\ntwo needle"));
    entries.push(said(3, "no more of the needle"));
    entries.extend(ran(4, "three needle\nfour needle"));
    entries.push(said(6, "done"));
    let mut desk = desk(&entries, &[]);
    desk.find("needle");
    desk.world.press("enter n n");
    assert!(desk.here().contains("no more"), "{}", desk.here());
    // Around the end, too.
    let mut passed = Vec::new();
    for _ in 0..6 {
        desk.world.press("N");
        passed.push(desk.here().trim().to_owned());
    }
    let wanted = ["two needle", "one needle", "four needle", "three needle"];
    let wanted = wanted
        .into_iter()
        .chain(["no more of the needle", "two needle"]);
    assert_eq!(passed, wanted.collect::<Vec<_>>());
}

#[test]
fn the_way_back_leads_into_folds_in_folds() {
    let mut desk = nested("look for a needle");
    desk.find("needle");
    desk.world.press("enter N");
    assert!(
        desk.here().contains("and another needle"),
        "{}",
        desk.here()
    );
}

#[test]
fn what_was_found_for_other_words_is_not_told_of_these() {
    let entries = [entry(0, "user", &json!("a needle"))];
    let mut desk = desk(&entries, &[]);
    desk.find("needlf");
    let screen = desk.world.screen();
    assert!(screen.contains("no match"), "{screen}");
    let path = desk
        .folder
        .path()
        .join("5e551011-0000-4000-8000-000000000002.jsonl");
    desk.world.hold_back(&path, EVERYTHING);
    desk.world.press("backspace");
    let screen = desk.world.screen();
    assert!(screen.contains("searching…"), "{screen}");
    desk.world.let_come();
    let screen = desk.world.screen();
    assert!(screen.contains("1 of 1"), "{screen}");
}

/// So many lines, with a needle in the last.
fn long(lines: usize) -> String {
    let mut text: Vec<String> = (1..lines).map(|n| format!("line {n} of many\n")).collect();
    text.push("the last needle".to_owned());
    text.join("\n")
}

#[test]
fn what_is_left_out_of_an_output_is_found_and_shown() {
    let mut entries = vec![entry(0, "user", &json!("go"))];
    entries.extend(ran(1, &long(300)));
    let mut desk = desk(&entries, &[]);
    desk.find("needle");
    assert_eq!(desk.count(), (1, 1));
    desk.world.press("enter");
    assert!(desk.here().contains("the last needle"), "{}", desk.here());
    assert_eq!(desk.count(), (1, 1));
}

#[test]
fn enter_shows_what_is_left_out() {
    let mut entries = vec![entry(0, "user", &json!("go"))];
    entries.extend(ran(1, &long(300)));
    let mut desk = desk(&entries, &[]);
    desk.world.press("o G");
    let is_rest = |desk: &Desk| desk.here().contains("more lines");
    for _ in 0..5 {
        if !is_rest(&desk) {
            desk.world.press("k");
        }
    }
    assert!(is_rest(&desk), "{}", desk.here());
    desk.world.press("enter");
    assert!(desk.here().contains("line 101 of many"), "{}", desk.here());
    let scroll = &desk.world.reader().page().expect("a page").scroll;
    let has = |words: &str| scroll.iter().any(|line| line.text().contains(words));
    assert!(has("the last needle") && !has("more lines"));
}

#[test]
fn the_end_of_a_long_prompt_and_of_a_long_answer_is_found() {
    for lines in [6_000, 15_000] {
        let texts = [
            [entry(0, "user", &json!(long(lines))), said(1, "well")],
            [entry(0, "user", &json!("go")), said(1, &long(lines))],
        ];
        for entries in texts {
            let mut desk = desk(&entries, &[]);
            desk.find("the last needle");
            desk.world.press("enter");
            assert!(desk.here().contains("the last needle"), "{}", desk.here());
            assert_eq!(desk.count(), (1, 1));
        }
    }
}

#[test]
fn the_find_bar_names_what_hides_a_match() {
    let thought = json!([{"type": "thinking", "thinking": "a secret needle", "signature": "s"}]);
    let mut note = entry(3, "user", &json!("x"));
    note["type"] = json!("system");
    note["content"] = json!("a hook says reminder");
    note["subtype"] = json!("informational");
    let entries = [
        entry(0, "user", &json!("go")),
        entry(1, "assistant", &thought),
        said(2, "an answer"),
        note,
    ];
    let mut desk = desk(&entries, &[]);
    desk.find("needle");
    let screen = desk.world.screen();
    assert!(screen.contains("no match · in thinking (t)"), "{screen}");
    desk.world.press("ctrl-u");
    desk.world.enter("reminder");
    let screen = desk.world.screen();
    assert!(screen.contains("no match · in notes (s)"), "{screen}");
    desk.world.press("esc o o");
    desk.find("answer");
    let screen = desk.world.screen();
    assert!(screen.contains("no match · in answers (o)"), "{screen}");
    desk.world.press("enter o");
    let screen = desk.world.screen();
    assert!(screen.contains("of 1"), "{screen}");
}

#[test]
fn what_is_in_closed_folds_is_counted_as_if_they_were_open() {
    let mut desk = nested("go");
    desk.find("needle");
    assert_eq!(desk.count(), (1, 2));
    desk.world.press("enter");
    assert_eq!(desk.count(), (1, 2));
    desk.world.press("n");
    assert_eq!(desk.count(), (2, 2));
}

#[test]
fn what_cannot_hold_it_is_not_laid_out_for_a_look() {
    let mut entries = vec![entry(0, "user", &json!("go"))];
    entries.extend(ran(1, "much was printed"));
    let desk = desk(&entries, &[]);
    let page = desk.world.reader().page().expect("a page");
    let place = TurnPos {
        turn: 0,
        step: Some(0),
    };
    let texts = |wants| hidden_texts(&page.turns[0], place, None, &|_: &str| wants).join("\n");
    assert!(texts(true).contains("much was printed"));
    assert!(!texts(false).contains("much was printed"));
    assert!(texts(false).contains("make 1"), "{}", texts(false));
}
