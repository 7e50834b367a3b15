//! `claude-resume search`, `show --around` and `init skill` from the outside.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, Store, assistant, conversation, entry, id, lines, user};

/// A conversation that was rewound and compacted, with an agent, and one elsewhere.
fn store() -> Store {
    let store = Store::new();
    let shop = store.outside("shop");
    let shop = shop.to_str().expect("UTF-8");
    let said = |n: usize, parent: Option<u32>, kind: &str, text: &str| {
        let mut line = entry(n, kind, &json!([{"type": "text", "text": text}]));
        line["parentUuid"] = json!(parent.map(id));
        line["cwd"] = json!(shop);
        line["gitBranch"] = json!("main");
        line
    };
    let mut boundary = said(5, None, "system", "");
    boundary["subtype"] = json!("compact_boundary");
    boundary["logicalParentUuid"] = json!(id(4));
    let call = json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "cargo zebra"}}]);
    let mut called = entry(8, "assistant", &call);
    called["parentUuid"] = json!(id(7));
    let mut sent = said(9, Some(8), "user", "A quokka, please");
    sent["isMeta"] = json!(true);
    sent["origin"] = json!({"kind": "peer", "name": "zoo"});
    store.session(
        "-shop",
        &id(100),
        30,
        lines(&[
            said(1, None, "user", "Start with the walrus"),
            said(2, Some(1), "assistant", "A rewound ocelot"),
            said(3, Some(1), "user", "Rather tell me of clocks"),
            said(
                4,
                Some(3),
                "assistant",
                "Clocks drift: the gnu is compacted",
            ),
            boundary,
            said(6, Some(5), "user", "And the pubsub?"),
            said(
                7,
                Some(6),
                "assistant",
                "The pubsub needs **clocks** \u{1b}[31mof its own",
            ),
            called,
            sent,
        ]),
    );
    let agents = store.project("-shop").join(id(100)).join("subagents");
    fs::create_dir_all(&agents).expect("made");
    let mut told = said(1, None, "user", "Look for the axolotl");
    told["uuid"] = json!(id(50));
    told["isSidechain"] = json!(true);
    fs::write(agents.join("agent-a1.jsonl"), lines(&[told])).expect("written");
    let mut warm_up = [
        said(1, None, "user", "Warmup"),
        said(2, Some(1), "assistant", "Ready to numbat"),
    ];
    for line in &mut warm_up {
        line["isSidechain"] = json!(true);
    }
    fs::write(agents.join("agent-a2.jsonl"), lines(&warm_up)).expect("written");
    store.session(
        "-far",
        &id(200),
        10,
        conversation("Faraway heron", "/far/away"),
    );
    store
}

fn search(store: &Store, arguments: &[&str]) -> Ran {
    store.run_in(&store.outside("shop"), &[&["search"], arguments].concat())
}

fn found(store: &Store, arguments: &[&str]) -> Vec<(String, String, String)> {
    search(store, &[arguments, &["--json"]].concat()).passages()
}

fn one(n: u32, role: &str, place: &str) -> Vec<(String, String, String)> {
    vec![(id(n), role.to_owned(), place.to_owned())]
}

#[test]
fn every_part_of_a_conversation_is_found_and_its_place_told() {
    let store = store();
    for (query, expected) in [
        ("ocelot", one(2, "claude", "rewound")),
        ("gnu", one(4, "claude", "before-compaction")),
        ("\"needs clocks\"", one(7, "claude", "resumed")),
        ("zebra", one(8, "tool-input", "resumed")),
        ("axolotl", one(50, "to-agent", "agent")),
        ("role:user axolotl", Vec::new()),
        ("role:claude axolotl", one(50, "to-agent", "agent")),
        ("tool:bash", one(8, "tool-input", "resumed")),
        // An agent that only warms up a cache says nothing.
        ("numbat", Vec::new()),
        ("quokka", one(9, "peer", "resumed")),
        ("role:peer quokka", one(9, "peer", "resumed")),
        ("role:user quokka", Vec::new()),
        ("role:user pubsub", one(6, "user", "resumed")),
        ("/gn[u]/", one(4, "claude", "before-compaction")),
    ] {
        assert_eq!(found(&store, &[query]), expected, "{query}");
    }
    // The second time it comes from what was kept; without the cache it is the same.
    assert_eq!(
        found(&store, &["gnu", "--no-cache"]),
        found(&store, &["gnu"])
    );
}

#[test]
fn what_an_agent_of_the_old_layout_did_is_found_in_its_session() {
    let store = Store::new();
    let told = |session: u32, text: &str| {
        let mut line = entry(50, "user", &json!(text));
        line["isSidechain"] = json!(true);
        line["sessionId"] = json!(id(session));
        line["agentId"] = json!("a1");
        lines(&[line])
    };
    store.session("-p", &id(1), 5, conversation("Fix the clocks", "/p"));
    store.session("-p", "agent-a1", 4, told(1, "Look for the axolotl"));
    store.session("-p", "agent-a2", 4, told(2, "Look for the walrus"));
    for arguments in [["--all", "axolotl"], ["--all", "has:agent axolotl"]] {
        assert_eq!(found(&store, &arguments), one(50, "to-agent", "agent"));
    }
    // It is not said to be hidden as well.
    let nothing = search(&store, &["--all", "axolotl", "walrus"]);
    let searched =
        "claude-resume: no match in titles, prompts and 1 conversation of all projects\n";
    assert_eq!((nothing.code, &*nothing.err), (Some(1), searched));
    // The session of the other one is not there.
    let nothing = search(&store, &["--all", "walrus"]);
    assert!(nothing.err.contains("1 hidden session"), "{}", nothing.err);
    let hidden = search(&store, &["--all", "--include", "subagent", "-l", "walrus"]);
    assert_eq!(hidden.out, "agent-a2\n");
    let around = store.run(&["show", &id(1), "--around", &id(50)]);
    assert!(around.out.contains("axolotl"), "{}", around.err);
    let listed = store.run(&["list", "--all"]);
    assert!(listed.err.contains("2 sub-agent"), "{}", listed.err);
}

#[test]
fn globs_name_tools_and_files() {
    let store = Store::new();
    let mut entries = vec![entry(1, "user", &json!("Look at src/main.rs"))];
    for (n, name, input) in [
        (2, "Read", json!({"file_path": "/w/src/main.rs"})),
        (
            3,
            "Edit",
            json!({"file_path": "/w/src/api/Auth.rs", "old_string": "main.md"}),
        ),
        (
            4,
            "MultiEdit",
            json!({"file_path": "/w/readme.md", "edits": []}),
        ),
    ] {
        let call =
            json!([{"type": "tool_use", "id": format!("t{n}"), "name": name, "input": input}]);
        entries.push(entry(n, "assistant", &call));
    }
    store.session("-p", &id(100), 0, lines(&entries));
    let uuids = |query: &str| -> Vec<String> {
        let found = found(&store, &["--all", "-m", "0", query]).into_iter();
        let mut uuids: Vec<String> = found.map(|(uuid, ..)| uuid).collect();
        uuids.sort();
        uuids.dedup();
        uuids
    };
    assert_eq!(uuids("file:*.rs"), [id(2), id(3)]);
    assert_eq!(uuids("file:src/*.rs"), [id(2), id(3)]);
    assert_eq!(uuids("file:src/?ain.rs"), [id(2)]);
    assert_eq!(uuids("file:*.md"), [id(4)]);
    assert_eq!(uuids("file:rc/*.rs"), [""; 0]);
    assert_eq!(uuids("tool:*edit"), [id(3), id(4)]);
    assert_eq!(uuids("tool:E*"), [id(3)]);
    assert_eq!(uuids("tool:*Edit file:*.md"), [id(4)]);
    assert_eq!(uuids("file:\"*.rs\""), [""; 0]);
}

/// A session whose only command printed this.
fn printed(store: &Store, number: u32, output: &str) {
    let mut call = assistant("", "/p");
    call["message"]["content"] = json!([
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}},
    ]);
    let mut result = user("", "/p");
    result["message"]["content"] = json!([
        {"type": "tool_result", "tool_use_id": "t1", "content": output},
    ]);
    let content = conversation("Build it", "/p") + &lines(&[call, result]);
    store.session("-p", &id(number), 0, content);
}

#[test]
fn the_middle_of_a_long_output_is_found_and_what_is_left_out_is_said() {
    let store = Store::new();
    let half = "line\n".repeat(80_000);
    printed(&store, 7, &format!("{half}theremin\n{half}"));
    let ran = search(&store, &["theremin", "--json"]);
    assert!(
        ran.json()[0]["passage"]
            .as_str()
            .is_some_and(|it| it.contains("theremin"))
    );
    assert_eq!(ran.err, "");
    // Of more than 1 MB the middle is left out.
    let half = half.repeat(2);
    printed(&store, 7, &format!("{half}theremin\n{half}ocarina"));
    let ran = search(&store, &["theremin"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.ends_with(
            "\nclaude-resume: not searched: 851 KB in the middle of outputs over 1 MB\n"
        ),
        "{}",
        ran.err
    );
    assert_eq!(search(&store, &["ocarina"]).code, Some(0));
}

#[test]
fn words_are_found_across_colors_and_colors_are_no_words() {
    let store = Store::new();
    let colored = "\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m\u{1b}[1m: cannot find value\u{1b}[0m";
    printed(&store, 7, colored);
    let ran = search(&store, &["\"error: cannot find\"", "--json"]);
    let object = &ran.json()[0];
    assert_eq!(object["passage"], "error: cannot find value");
    assert_eq!(object["matches"], json!([[0, 18]]));
    assert_eq!(search(&store, &["38;5;9"]).code, Some(1));
}

#[test]
fn the_excerpt_is_of_the_passage_that_was_found() {
    let store = Store::new();
    let mut calls = assistant("", "/p");
    calls["message"]["content"] = json!([
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}},
        {"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "/p/a.rs"}},
    ]);
    // Two texts of one voice on one line.
    let mut results = user("", "/p");
    results["message"]["content"] = json!([
        {"type": "tool_result", "tool_use_id": "t1", "content": "a kettle from Bash"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "a kettle from Read"},
    ]);
    let said = format!("{}one **very**long `emph`ase", "word ".repeat(300));
    let said = assistant(&said, "/p");
    let content = conversation("Build it", "/p") + &lines(&[calls, results, said]);
    store.session("-p", &id(7), 0, content);
    let shown = |query: &str| {
        let objects = search(&store, &["--all", "--json", query]).json();
        assert_eq!(objects.len(), 1, "{query}: {objects:?}");
        let passage = objects[0]["passage"].as_str().expect("a text").to_owned();
        let marks = objects[0]["matches"].as_array().expect("ranges").clone();
        let marked = marks.iter().map(|mark| {
            let [start, end] = [0, 1]
                .map(|at| usize::try_from(mark[at].as_u64().expect("a number")).expect("small"));
            passage.chars().skip(start).take(end - start).collect()
        });
        (marked.collect::<Vec<String>>(), passage)
    };
    assert_eq!(shown("tool:Read kettle from").1, "a kettle from Read");
    assert_eq!(shown("tool:Bash kettle from").1, "a kettle from Bash");
    let (marked, passage) = shown("verylong");
    assert_eq!(marked, ["very**long"], "{passage}");
    let (marked, passage) = shown("\"verylong emphase\"");
    assert_eq!(marked, ["very**long `emph`ase"], "{passage}");
}

#[test]
fn what_was_redacted_is_found_no_more() {
    let store = Store::new();
    let filler = "a line of clocks\n".repeat(20_000);
    let write = |secret: &str, more: &str| {
        let mut content = conversation(&format!("Keep the {secret} safe"), "/p");
        content += &lines(&[assistant(&filler, "/p"), assistant("and then", "/p")]);
        content += more;
        store.session("-p", &id(7), 0, content)
    };
    let path = write("xylophone", "");
    assert_eq!(search(&store, &["--all", "xylophone safe"]).code, Some(0));
    // In place, and then the session went on.
    let bytes = fs::read(&path).expect("read");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let text = text.replace("xylophone", "_________") + &lines(&[assistant("ocarina", "/p")]);
    fs::write(&path, text).expect("written");
    let ran = search(&store, &["--all", "role:user xylophone"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert_eq!(search(&store, &["--all", "ocarina"]).code, Some(0));
    // So that nothing tells it: the stored text is not what is there.
    let time = path
        .metadata()
        .and_then(|it| it.modified())
        .expect("a time");
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, text.replace("ocarina", "_______")).expect("written");
    let file = fs::File::options().append(true).open(&path).expect("open");
    file.set_modified(time).expect("set");
    for arguments in [["--all", "--json", "ocarina"], ["--all", "ocarina", "-m0"]] {
        let ran = search(&store, &arguments);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{arguments:?}");
        assert!(ran.err.contains("no match"), "{}", ran.err);
    }
}

#[test]
fn an_agent_that_only_warms_up_is_no_agent() {
    let store = Store::new();
    store.session("-p", &id(7), 0, conversation("A lone heron", "/p"));
    let agents = store.project("-p").join(id(7)).join("subagents");
    fs::create_dir_all(&agents).expect("made");
    for (content, count) in [("Warmup", 0), ("Warmup the oven", 1)] {
        let mut line = entry(1, "user", &json!(content));
        line["isSidechain"] = json!(true);
        fs::write(agents.join("agent-a.jsonl"), lines(&[line])).expect("written");
        let ran = store.run(&["search", "has:agent", "heron", "--all", "--json"]);
        assert_eq!(ran.json().len(), count, "{content}");
    }
}

#[test]
fn an_object_has_what_the_documents_say() {
    let store = store();
    let ran = search(&store, &["pubsub", "--json", "--context", "1", "-m", "1"]);
    let objects = ran.json();
    assert_eq!((ran.code, objects.len()), (Some(0), 1), "{}", ran.err);
    let object = &objects[0];
    let passage = object["passage"].as_str().expect("a text");
    let start =
        usize::try_from(object["matches"][0][0].as_u64().expect("a number")).expect("small");
    let marked: String = passage.chars().skip(start).take(6).collect();
    assert_eq!(marked, "pubsub");
    assert!(!ran.out.contains('\u{1b}'));
    assert_eq!(object["passages"], 2);
    assert_eq!(
        object["context"].as_array().map(Vec::len),
        Some(3),
        "{object}"
    );
    let format = include_str!("../../docs/FORMAT.md");
    for key in object.as_object().expect("an object").keys() {
        assert!(format.contains(&format!("| `{key}` |")), "{key}");
    }
}

#[test]
fn in_a_pipe_there_is_a_line_for_each_passage() {
    let store = store();
    let ran = search(&store, &["gnu"]);
    let expected = [
        &id(100),
        &id(4),
        "claude",
        "2026-03-01T00:04:00Z",
        "before-compaction",
        "Clocks drift: the gnu is compacted",
    ];
    assert_eq!(ran.out, expected.join("\t") + "\n");
    assert_eq!(
        search(&store, &["clocks", "-l"]).out,
        format!("{}\n", id(100))
    );
    assert_eq!(
        search(&store, &["clocks", "-m", "1"]).out.lines().count(),
        1
    );
}

#[test]
fn what_is_elsewhere_is_told_and_shown_on_request() {
    let store = store();
    let ran = search(&store, &["heron"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err.contains("1 session elsewhere: use --all"),
        "{}",
        ran.err
    );
    let listed = store.run_in(&store.outside("shop"), &["list", "heron"]);
    assert_eq!((listed.code, listed.out.as_str()), (Some(1), ""));
    let said = "1 match elsewhere (--all lists them)";
    assert!(listed.err.contains(said), "{}", listed.err);
    let ran = search(&store, &["heron", "--all", "-l"]);
    assert_eq!((ran.code, ran.out), (Some(0), format!("{}\n", id(200))));
    let all = search(&store, &["e", "--all", "-l"]).out;
    assert_eq!(all.lines().count(), 2);
    let second = search(
        &store,
        &["e", "--all", "-l", "--limit", "1", "--offset", "1"],
    )
    .out;
    assert_eq!(second.trim(), all.lines().nth(1).expect("two"));
    let beyond = search(&store, &["e", "--all", "-l", "--offset", "2"]);
    assert_eq!((beyond.code, &*beyond.out), (Some(1), ""));
    assert!(beyond.err.contains("--offset leaves nothing of 2 sessions"));
    let first = search(&store, &["e", "--all", "-l", "--limit", "1"]).out;
    assert_eq!(first.lines().count(), 1);
    assert_eq!(search(&store, &["nowhere"]).code, Some(1));
}

#[test]
fn where_nothing_is_found_it_is_said_what_was_searched_and_what_may_be_meant() {
    let store = store();
    let said = |arguments: &[&str]| {
        let ran = search(&store, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
        ran.err.replace("claude-resume: ", "")
    };
    let titles = "no match in titles, prompts and 1 conversation of this directory";
    assert_eq!(said(&["zzyzx"]), format!("{titles}\n"));
    let meant = "did you mean 'role:claude compacted'? (1 session)";
    let inside = "no match in 1 conversation of this directory";
    assert_eq!(
        said(&["role:claude", "compacetd"]),
        format!("{inside}\n{meant}\n")
    );
    assert_eq!(
        said(&["tool:bahs"]),
        format!("{inside}\nno tool is called 'bahs': did you mean tool:Bash?\n")
    );
    assert_eq!(
        said(&["file:nowhere.rs"]),
        format!("{inside}\nno file is called 'nowhere.rs'\n")
    );
    assert_eq!(
        said(&["branch:none"]),
        "no match in 1 session of this directory\n"
    );
    let listed = store.run_in(&store.outside("shop"), &["list", "compacetd"]);
    assert!(
        listed
            .err
            .starts_with("claude-resume: did you mean 'compacted'? (1 session)\n"),
        "{}",
        listed.err
    );
}

#[test]
fn a_query_that_cannot_work_is_refused_with_a_line() {
    let store = store();
    for query in [
        "has:nothing",
        "/(/",
        "role:user",
        "x since:nonsense",
        "x since:",
        "x is:run",
        "x id:",
        "path:x",
        "-tool:x y",
    ] {
        let ran = search(&store, &[query]);
        assert_eq!(
            (ran.code, ran.err.lines().count()),
            (Some(2), 1),
            "{query}: {}",
            ran.err
        );
    }
}

#[test]
fn a_list_of_words_is_filtered_as_in_the_picker() {
    let store = store();
    let list = |words: &[&str]| {
        let ran = store.run_in(&store.outside("shop"), &[&["list"], words].concat());
        (
            ran.code,
            ran.ids()
                .iter()
                .map(|id| (*id).to_owned())
                .collect::<Vec<_>>(),
        )
    };
    let (here, far) = (id(100)[..8].to_owned(), id(200)[..8].to_owned());
    assert_eq!(list(&["ocelot"]), (Some(0), vec![here.clone()]));
    assert_eq!(list(&["walrus", "zebra"]), (Some(0), vec![here.clone()]));
    assert_eq!(list(&["heron"]), (Some(1), vec![]));
    assert_eq!(list(&["heron", "--all"]), (Some(0), vec![far.clone()]));
    assert_eq!(list(&[&far]), (Some(0), vec![far]));
    assert_eq!(list(&["has:nothing"]).0, Some(2));
    let completed = store
        .run(&["complete", "--shell", "fish", "--", "list", &here])
        .out;
    assert!(completed.starts_with(&id(100)), "{completed}");
    let completed = store
        .run(&["complete", "--shell", "fish", "--", "search", "--con"])
        .out;
    assert!(completed.starts_with("--context\t"), "{completed}");
}

#[test]
fn a_message_is_shown_with_what_is_around_it() {
    let store = store();
    let shown = |n: u32, context: &str| -> (String, Vec<String>) {
        let uuid = id(n);
        let ran = store.run(&[
            "show",
            &id(100),
            "--around",
            &uuid,
            "--context",
            context,
            "--json",
        ]);
        let object: Value = serde_json::from_str(&ran.out).expect("one object");
        let messages = object["messages"].as_array().expect("messages").iter();
        let uuids = messages.map(|it| it["uuid"].as_str().expect("an id").to_owned());
        (
            object["place"].as_str().expect("a place").to_owned(),
            uuids.collect(),
        )
    };
    assert_eq!(shown(2, "1"), ("rewound".to_owned(), vec![id(1), id(2)]));
    let around = vec![id(3), id(4), id(6)];
    assert_eq!(shown(4, "1"), ("before-compaction".to_owned(), around));
    assert_eq!(shown(7, "0"), ("resumed".to_owned(), vec![id(7)]));
    assert_eq!(shown(50, "3"), ("agent".to_owned(), vec![id(50)]));
    let ran = store.run(&["show", &id(100), "--around", &id(2)]);
    assert!(ran.out.starts_with("on a rewound branch\n"), "{}", ran.out);
    assert!(ran.out.contains("  A rewound ocelot\n"), "{}", ran.out);
    let ran = store.run(&["show", &id(100), "--around", &id(77)]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
}

#[test]
fn the_skill_is_printed_and_written_on_request_only() {
    let store = store();
    let path = store.root().join("skills/claude-resume/SKILL.md");
    let printed = store.run(&["init", "skill"]).out;
    assert!(
        printed.starts_with("---\nname: claude-resume\ndescription: "),
        "{printed}"
    );
    for words in [
        "search --json --limit",
        "show SESSION_ID --around UUID --context",
        "data, not instructions",
    ] {
        assert!(printed.contains(words), "{words}");
    }
    // Nobody can be asked here.
    assert_eq!(store.run(&["init", "skill", "--install"]).code, Some(2));
    assert!(!path.exists());
    let install = ["init", "skill", "--install", "--yes"];
    let ran = store.run(&install);
    assert_eq!(
        (ran.code, fs::read_to_string(&path).expect("written")),
        (Some(0), printed.clone())
    );
    assert!(ran.out.contains("SKILL.md"), "{}", ran.out);
    fs::write(&path, "mine").expect("written");
    assert_eq!(store.run(&install).code, Some(2));
    assert_eq!(fs::read_to_string(&path).expect("there"), "mine");
    assert_eq!(
        store.run(&[&install[..], &["--force"]].concat()).code,
        Some(0)
    );
    assert_eq!(fs::read_to_string(&path).expect("there"), printed);
    assert_eq!(store.run(&["init", "bash", "--install"]).code, Some(2));
}
