//! From a hit inside a conversation to its place in the reader.

use std::fs;
use std::sync::mpsc::channel;

use claude_resume::content::{
    ContentAnswer, ContentRequest, ContentSources, ContentWorker, RowExcerpt,
};
use claude_resume::preview::{Budget, Level, Visibility};
use claude_resume::search::Generation;
use claude_resume::store::ScanDepth;
use claude_resume::tui::{Effect, Message, Request};
use serde_json::{Value, json};

use crate::support::{Store, entry, id, lines};
use crate::world::World;

fn asked(n: usize, text: &str) -> Value {
    entry(n, "user", &json!(text))
}

fn said(n: usize, text: &str) -> Value {
    entry(n, "assistant", &json!([{"type": "text", "text": text}]))
}

fn behind(mut line: Value, n: u32) -> Value {
    line["parentUuid"] = json!(id(n));
    line
}

/// A call and what it gave back.
fn called(n: usize, name: &str, input: &Value, printed: &str) -> [Value; 2] {
    let id = format!("toolu_{n}");
    let call = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    let result = json!([{"type": "tool_result", "tool_use_id": id, "content": printed}]);
    [entry(n, "assistant", &call), entry(n + 1, "user", &result)]
}

/// What a compaction leaves: a boundary, and a summary behind it.
fn compaction(n: usize) -> [Value; 2] {
    let mut boundary = entry(n, "system", &json!(null));
    boundary["logicalParentUuid"] = boundary["parentUuid"].take();
    boundary["subtype"] = json!("compact_boundary");
    boundary["content"] = json!("Conversation compacted");
    boundary["compactMetadata"] = json!({"trigger": "auto", "preTokens": 9});
    let mut summary = asked(n + 1, "This session is being continued");
    summary["isCompactSummary"] = json!(true);
    [boundary, summary]
}

/// Prompts and answers from a number on, as many as fill some screens.
fn talk(from: usize, count: usize) -> Vec<Value> {
    let both = |n: usize| {
        let answer = format!("Done with part {n}.\n\nNext comes another part.\n\nThen one more.");
        [
            asked(n, &format!("Go on with part {n}")),
            said(n + 1, &answer),
        ]
    };
    (0..count).flat_map(|n| both(from + 2 * n)).collect()
}

/// A picker with one session, which is read and searched for real.
struct Desk {
    world: World,
    store: Store,
}

fn desk(entries: &[Value], of_agent: &[Value]) -> Desk {
    let store = Store::new();
    let path = store.session("-home-ada-code-shop", &id(900), 0, lines(entries));
    if !of_agent.is_empty() {
        let agents = path.with_extension("").join("subagents");
        fs::create_dir_all(&agents).expect("made");
        let mut entries = of_agent.to_vec();
        for entry in &mut entries {
            entry["isSidechain"] = json!(true);
        }
        fs::write(agents.join("agent-x.jsonl"), lines(&entries)).expect("written");
        let meta = json!({"agentType": "Explore", "toolUseId": "toolu_100"}).to_string();
        fs::write(agents.join("agent-x.meta.json"), meta).expect("written");
    }
    let mut world = World::new(100, 30);
    let (sender, answers) = channel();
    let sources = ContentSources {
        roots: vec![store.root()],
        cache: None,
        threads: 1,
    };
    let worker = ContentWorker::start(sources, || (), move |answer| drop(sender.send(answer)));
    world.content = Some((worker.expect("a thread"), answers));
    world.open_rows();
    world.arrive(true);
    world.scan(store.scan(ScanDepth::Candidates).0);
    Desk { world, store }
}

impl Desk {
    /// Types a query, and lets what was found inside conversations come.
    fn search(&mut self, query: &str) {
        self.world.enter(query);
        let wanted = self.world.sessions().query.generation;
        loop {
            let search = self.world.searches.recv().expect("the worker lives");
            let is_wanted = search.generation == wanted;
            let (content, _) = self.world.content.as_ref().expect("content");
            content.send(ContentRequest::Search(search));
            if is_wanted {
                break;
            }
        }
        self.take_answers(|answer| {
            matches!(answer, ContentAnswer::Found(it) if it.generation == wanted && it.is_complete)
        });
    }

    fn take_answers(&mut self, is_last: impl Fn(&ContentAnswer) -> bool) {
        loop {
            let (_, answers) = self.world.content.as_ref().expect("content");
            let answer = answers.recv().expect("the worker lives");
            let is_last = is_last(&answer);
            self.world.tell(Message::Inside(answer));
            if is_last {
                return;
            }
        }
    }

    /// Lets the passages come that were asked for.
    fn show_excerpts(&mut self) {
        let mut asked: Vec<(Generation, Vec<_>)> = Vec::new();
        self.world.effects.retain(|effect| match effect {
            Effect::Ask(Request::Excerpts(generation, rows)) => {
                asked.push((*generation, rows.clone()));
                false
            }
            _ => true,
        });
        let (generation, rows) = asked.pop().expect("a passage was asked for");
        let (content, _) = self.world.content.as_ref().expect("content");
        content.send(ContentRequest::Excerpts(generation, rows));
        self.take_answers(|answer| {
            let is_known = |rows: &[RowExcerpt]| !rows.is_empty();
            matches!(answer, ContentAnswer::Excerpts(_, rows) if is_known(rows))
        });
    }

    /// The text of the line under the cursor of the reader.
    fn here(&self) -> String {
        let reader = self.world.reader();
        let line = reader.line(reader.cursor).expect("a line");
        line.text().trim().to_owned()
    }

    fn found(entries: &[Value], of_agent: &[Value], query: &str) -> Self {
        let mut desk = desk(entries, of_agent);
        desk.search(query);
        let requests = desk.world.requests;
        desk.show_excerpts();
        assert_eq!(desk.world.requests, requests + 1, "one request is enough");
        desk.check_pages();
        desk
    }

    /// Every page, also the first, begins at the passage.
    fn check_pages(&mut self) {
        let here = self.here();
        let path = self.world.asked.as_ref().expect("asked").path.clone();
        let mut other = World::new(100, 30);
        other.asked.clone_from(&self.world.asked);
        for page in other.pages_of(&path, Budget::default()) {
            let landing = page.landing.as_ref().expect("a landing");
            let line = page.line_of(landing.line).expect("its line");
            let line = page.scroll.get(line).expect("a line");
            assert_eq!(line.text().trim(), here);
        }
    }
}

#[test]
fn the_reader_opens_at_the_message_that_was_found() {
    let mut entries = talk(0, 20);
    // It has all of the words, but not as they were typed.
    entries.push(said(40, "The clocks of a pubsub."));
    entries.extend(talk(41, 20));
    entries.push(asked(81, "What about the queue?"));
    entries.push(said(82, "The pubsub clocks differ."));
    entries.extend(talk(83, 20));
    let desk = Desk::found(&entries, &[], "pubsub clocks");
    assert_eq!(desk.here(), "The pubsub clocks differ.");
    let screen = desk.world.screen();
    assert!(screen.contains("What about the queue?"), "{screen}");
    assert!(!screen.contains("Claude no longer sees"), "{screen}");
    assert!(!screen.contains("rewound"), "{screen}");
}

#[test]
fn what_a_call_printed_is_unfolded() {
    let mut entries = talk(0, 20);
    entries.extend(called(
        40,
        "Bash",
        &json!({"command": "make"}),
        "fine\nthe pubsub broke",
    ));
    entries.extend(talk(42, 20));
    let desk = Desk::found(&entries, &[], "pubsub");
    assert!(desk.here().ends_with("the pubsub broke"), "{}", desk.here());
}

#[test]
fn what_the_layout_of_a_call_leaves_out_opens_as_recorded() {
    let mut entries = talk(0, 20);
    let input = json!({"command": "make", "description": "Build the pubsub"});
    entries.extend(called(40, "Bash", &input, "fine"));
    entries.extend(called(42, "Bash", &json!({"command": "ls"}), "clock.rs"));
    entries.extend(talk(44, 20));
    let mut desk = Desk::found(&entries, &[], "pubsub");
    assert_eq!(desk.here(), "Build the pubsub");
    assert!(desk.world.screen().contains("▾ as recorded"));
    // Enter closes it.
    desk.world.press("tab enter");
    assert!(!desk.world.screen().contains("as recorded"));
    assert!(desk.world.screen().contains("make"));
    // A match that is shown needs no such thing.
    let desk = Desk::found(&entries, &[], "clock");
    assert!(!desk.world.screen().contains("as recorded"));
}

#[test]
fn more_is_shown_where_only_prompts_are_until_another_hit() {
    let mut entries = talk(0, 20);
    entries.push(said(40, "A pubsub would do."));
    entries.extend(talk(41, 20));
    let mut desk = desk(&entries, &[]);
    desk.world.reader_mut().options.level = Level::Prompts;
    desk.search("pubsub");
    desk.show_excerpts();
    assert_eq!(desk.here(), "A pubsub would do.");
    desk.world.press("ctrl-u");
    assert_eq!(desk.world.reader().options.level, Level::Prompts);
}

#[test]
fn a_passage_that_no_conversation_has_is_said_to_be_near() {
    let entries = talk(0, 20);
    let mut desk = desk(&entries, &[]);
    let path = desk.world.asked.as_ref().expect("asked").path.clone();
    let agents = path.with_extension("").join("subagents");
    fs::create_dir_all(&agents).expect("made");
    let mut lost = said(30, "I am a lost pubsub.");
    lost["isSidechain"] = json!(true);
    lost["uuid"] = json!(id(700));
    fs::write(agents.join("agent-y.jsonl"), lines(&[lost])).expect("written");
    desk.world.scan(desk.store.scan(ScanDepth::Candidates).0);
    desk.search("pubsub");
    desk.show_excerpts();
    let screen = desk.world.screen();
    assert!(
        screen.contains("what was found cannot be shown"),
        "{screen}"
    );
    desk.world.press("ctrl-u");
    assert!(!desk.world.screen().contains("cannot be shown"));
}

const TICK: std::time::Duration = std::time::Duration::from_millis(20);

#[test]
fn what_was_redacted_in_place_is_gone_from_the_preview() {
    let mut entries = talk(0, 20);
    entries.push(said(40, "The key is xylophone, so"));
    entries.extend(talk(41, 20));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{}.jsonl", id(1)));
    let text = lines(&entries);
    // At once, and where most of the conversation is not held.
    let little = Budget {
        texts: 2_000,
        ..Budget::default()
    };
    for budget in [Budget::default(), little] {
        for more in [String::new(), lines(&talk(81, 2))] {
            fs::write(&path, &text).expect("written");
            let mut world = World::full(100, 30);
            world.open(&path, budget);
            world.press("tab g / x y l o p h o n e enter");
            assert!(world.screen().contains("key is xylophone"));
            let time = path
                .metadata()
                .and_then(|it| it.modified())
                .expect("a time");
            // The clock of a file system may be coarse.
            std::thread::sleep(TICK);
            fs::write(&path, text.replace("xylophone", "_________") + &more).expect("written");
            let file = fs::File::options().append(true).open(&path).expect("open");
            file.set_modified(time).expect("set");
            // A file that was just read rests for a moment.
            for _ in 0..200 {
                let request = world.asked.clone().expect("asked");
                world.carry_out(Effect::Ask(Request::Preview(Box::new(request))));
                if !world.screen().contains("key is xylophone") {
                    break;
                }
                std::thread::sleep(TICK);
            }
            let screen = world.screen();
            assert!(!screen.contains("key is xylophone"), "{screen}");
        }
    }
}

#[test]
fn a_message_of_another_session_is_landed_on() {
    let mut entries = talk(0, 20);
    let mut sent = asked(40, "A pubsub, please.");
    sent["isMeta"] = json!(true);
    sent["origin"] = json!({"kind": "peer", "name": "other \u{1b}[31mshop"});
    entries.push(sent);
    entries.extend(talk(41, 20));
    let desk = Desk::found(&entries, &[], "pubsub");
    assert_eq!(desk.here(), "A pubsub, please.");
    let screen = desk.world.screen();
    assert!(screen.contains("(sent by the session \"other"), "{screen}");
}

#[test]
fn a_thought_is_shown_until_another_hit() {
    let mut entries = talk(0, 20);
    let thought = json!([{"type": "thinking", "thinking": "A pubsub, perhaps.", "signature": ""}]);
    entries.push(entry(40, "assistant", &thought));
    entries.extend(talk(41, 20));
    let mut desk = Desk::found(&entries, &[], "pubsub");
    assert!(
        desk.here().ends_with("A pubsub, perhaps."),
        "{}",
        desk.here()
    );
    desk.world.press("ctrl-u");
    assert_eq!(desk.world.reader().options.thinking, Visibility::Hidden);
}

#[test]
fn a_file_is_shown_where_it_was_changed() {
    let mut entries = talk(0, 20);
    let read = json!({"file_path": "/home/ada/code/shop/src/clock.rs"});
    entries.extend(called(40, "Read", &read, "1 fn now()"));
    entries.extend(talk(42, 20));
    for n in 0..3 {
        let text: Vec<String> = (0..20).map(|line| format!("line {line}")).collect();
        let other = json!({"command": format!("cat other{n}.rs")});
        entries.extend(called(82 + 2 * n, "Bash", &other, &text.join("\n")));
    }
    let edit = json!({"file_path": "/home/ada/code/shop/src/clock.rs",
                      "old_string": "now()", "new_string": "utc()"});
    entries.extend(called(88, "Edit", &edit, "ok"));
    entries.extend(talk(90, 20));
    let desk = Desk::found(&entries, &[], "file:clock.rs");
    assert!(desk.here().contains("src/clock.rs"), "{}", desk.here());
    let screen = desk.world.screen();
    assert!(screen.contains("utc()"), "{screen}");
}

#[test]
fn what_an_agent_said_is_unfolded_in_the_call_that_started_it() {
    let mut entries = talk(0, 20);
    let task = json!({"prompt": "Look", "description": "Look around"});
    entries.extend(called(100, "Task", &task, "looked"));
    entries[40]["parentUuid"] = json!(id(39));
    entries.extend(talk(102, 20));
    let of_agent = [asked(200, "Look"), said(201, "There is a pubsub in it.")];
    let desk = Desk::found(&entries, &of_agent, "pubsub");
    assert!(
        desk.here().ends_with("There is a pubsub in it."),
        "{}",
        desk.here()
    );
}

#[test]
fn an_agent_is_found_on_a_rewound_branch_and_before_a_compaction() {
    let task = json!({"prompt": "Look", "description": "Look around"});
    let of_agent = [asked(200, "Look"), said(201, "There is a pubsub in it.")];
    // Something else was asked instead.
    let mut rewound = talk(0, 2);
    rewound.extend([asked(4, "Which one?"), said(5, "Let me see.")]);
    rewound.extend(called(100, "Task", &task, "looked"));
    rewound[6]["parentUuid"] = json!(id(5));
    rewound.push(behind(asked(6, "Something else"), 3));
    rewound.extend(talk(7, 2));
    let desk = Desk::found(&rewound, &of_agent, "pubsub");
    assert_eq!(desk.world.reader().leaf, Some(id(101)));
    assert!(desk.here().ends_with("There is a pubsub in it."));

    let mut compacted = talk(0, 2);
    compacted.extend(called(100, "Task", &task, "looked"));
    compacted[4]["parentUuid"] = json!(id(3));
    let mut compaction = compaction(102);
    compaction[0]["logicalParentUuid"] = json!(id(101));
    compacted.extend(compaction);
    compacted.extend(talk(104, 2));
    let desk = Desk::found(&compacted, &of_agent, "pubsub");
    assert_eq!(desk.world.reader().options.earlier, 1);
    assert!(desk.here().ends_with("There is a pubsub in it."));
}

#[test]
fn what_was_said_before_a_compaction_is_shown_as_that() {
    let mut entries = talk(0, 20);
    entries.push(said(40, "A pubsub would do."));
    entries.extend(compaction(41));
    entries.extend(talk(43, 20));
    entries.extend(compaction(83));
    entries.extend(talk(85, 20));
    let mut desk = Desk::found(&entries, &[], "pubsub");
    assert_eq!(desk.here(), "A pubsub would do.");
    let said = "before the compaction: Claude no longer sees this";
    assert!(
        desk.world.screen().contains(said),
        "{}",
        desk.world.screen()
    );
    desk.world.press("tab G");
    assert!(
        !desk.world.screen().contains(said),
        "{}",
        desk.world.screen()
    );
}

#[test]
fn what_was_rewound_is_shown_as_that_and_enter_asks() {
    let mut entries = talk(0, 2);
    entries.extend([asked(4, "Which one?"), said(5, "A pubsub would do.")]);
    entries.push(behind(asked(6, "Something else"), 3));
    entries.extend(talk(7, 2));
    entries[7]["parentUuid"] = json!(id(6));
    let mut desk = Desk::found(&entries, &[], "pubsub");
    assert_eq!(desk.here(), "A pubsub would do.");
    assert_eq!(desk.world.reader().leaf, Some(id(5)));
    let screen = desk.world.screen();
    assert!(
        screen.contains("on a rewound branch: resume loads another one"),
        "{screen}"
    );
    desk.world.press("enter");
    assert!(desk.world.has_overlay());
}

#[test]
fn matches_are_gone_through_in_folds_and_before_compactions() {
    let mut entries = talk(0, 10);
    entries.push(said(20, "The first pubsub."));
    entries.extend(compaction(21));
    entries.extend(talk(23, 10));
    entries.extend(called(
        43,
        "Bash",
        &json!({"command": "make"}),
        "a printed pubsub",
    ));
    entries.push(said(45, "The last pubsub."));
    entries.extend(talk(46, 10));
    let mut desk = Desk::found(&entries, &[], "pubsub");
    assert_eq!(desk.here(), "The last pubsub.");
    desk.world.press("tab N");
    assert!(desk.here().ends_with("a printed pubsub"), "{}", desk.here());
    desk.world.press("N");
    assert_eq!(desk.here(), "The first pubsub.");
    desk.world.press("n");
    assert!(desk.here().ends_with("a printed pubsub"), "{}", desk.here());
    desk.world.press("n");
    assert_eq!(desk.here(), "The last pubsub.");
    desk.world.press("n");
    assert_eq!(desk.here(), "The first pubsub.");
}

#[test]
fn a_passage_that_comes_late_moves_no_reader_that_is_read() {
    let mut entries = talk(0, 20);
    entries.extend(called(
        40,
        "Bash",
        &json!({"command": "make"}),
        "the pubsub broke",
    ));
    entries.extend(talk(42, 20));
    let mut desk = desk(&entries, &[]);
    desk.search("pubsub");
    desk.world.press("tab pgup");
    let (top, here) = (desk.world.reader().top, desk.here());
    desk.show_excerpts();
    assert_eq!((desk.world.reader().top, desk.here()), (top, here));
    // Going to the next match is up to who reads.
    desk.world.press("n");
    assert!(desk.here().ends_with("the pubsub broke"), "{}", desk.here());
}

#[test]
fn another_query_leads_to_another_message() {
    let mut entries = talk(0, 20);
    entries.push(said(40, "A pubsub would do."));
    entries.extend(compaction(41));
    entries.extend(talk(43, 20));
    entries.push(said(83, "The clocks differ."));
    let mut desk = Desk::found(&entries, &[], "pubsub");
    assert_eq!(desk.here(), "A pubsub would do.");
    desk.world.press("ctrl-u");
    assert_eq!(desk.world.reader().options.earlier, 0);
    desk.search("clocks");
    desk.show_excerpts();
    assert_eq!(desk.here(), "The clocks differ.");
}
