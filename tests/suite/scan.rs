//! The scan as a whole: roots, links, order, streaming, and that every file is accounted for.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use claude_resume::list::Rows;
use claude_resume::store::{Event, Hidden, ScanDepth, Session, readers, rescan, scan};
use serde_json::json;

use crate::support::{Store, conversation, id, lines, scan_roots, user};

const CWD: &str = "/home/ada/shop";

fn verdicts(sessions: &[Session]) -> BTreeMap<String, Option<Hidden>> {
    sessions
        .iter()
        .map(|session| (session.file.id.to_string(), session.hidden))
        .collect()
}

#[test]
fn every_file_is_a_row_or_hidden_for_one_reason() {
    let store = Store::new();
    let project = store.project("-p");
    let hello = conversation("Hello", CWD);
    let marked = |key: &str, value: serde_json::Value| {
        let mut first = user("Hello", CWD);
        first[key] = value;
        lines(&[first])
    };
    store.session("-p", &id(1), 0, &hello);
    store.session("-p", &id(2), 0, "");
    store.session("-p", &id(3), 0, "\n\n \n");
    store.session("-p", &id(4), 0, "not json at all\n{{{\n");
    store.session("-p", &id(5), 0, marked("isSidechain", json!(true)));
    store.session("-p", &id(6), 0, marked("teamName", json!("t")));
    store.session("-p", &id(7), 0, marked("entrypoint", json!("sdk-ts")));
    let summary = json!({"type": "summary", "summary": "Fixing it", "leafUuid": id(1)});
    store.session("-p", &id(12), 0, lines(&[summary]));
    let title = json!({"type": "ai-title", "aiTitle": "Fixing it", "sessionId": id(13)});
    store.session("-p", &id(13), 0, lines(&[title]));
    store.session("-p", "agent-a1b2c3", 0, conversation("Warmup", CWD));
    store.session("-p", "2024-11-23-morning-session", 0, &hello);
    store.session(
        "-p",
        &id(8),
        0,
        hello.clone() + &lines(&[json!({"type": "continued-in", "continuedInSessionId": id(1)})]),
    );
    store.session("-p", &id(9), 0, &hello);
    fs::create_dir(project.join(id(9))).expect("made");
    fs::write(
        project.join(id(9)).join("archived.json"),
        r#"{"archived":true,"at":"2026-03-02T00:00:00.000Z","by":"ada"}"#,
    )
    .expect("written");
    fs::create_dir(project.join(format!("{}.jsonl", id(10)))).expect("made");
    store.session("-p", &format!("{}.jsonl", id(11)), 0, &hello);
    fs::write(project.join(format!("{}.jsonl.bak", id(1))), &hello).expect("written");
    fs::write(project.join("sessions-index.json"), "{}").expect("written");

    let expected: BTreeMap<String, Option<Hidden>> = [
        (id(1), None),
        (id(2), Some(Hidden::Empty)),
        (id(3), Some(Hidden::Empty)),
        (id(4), Some(Hidden::NoPrompt)),
        (id(5), Some(Hidden::SubAgent)),
        (id(6), Some(Hidden::TeamWorker)),
        (id(7), Some(Hidden::Programmatic)),
        (id(8), Some(Hidden::Superseded)),
        (id(9), Some(Hidden::Archived)),
        (id(10), Some(Hidden::NotASession)),
        (format!("{}.jsonl", id(11)), Some(Hidden::NotASession)),
        (id(12), Some(Hidden::MetadataOnly)),
        (id(13), Some(Hidden::MetadataOnly)),
        ("agent-a1b2c3".to_owned(), Some(Hidden::SubAgent)),
        (
            "2024-11-23-morning-session".to_owned(),
            Some(Hidden::NotASession),
        ),
    ]
    .into();
    for depth in [ScanDepth::Candidates, ScanDepth::Everything] {
        let (sessions, trouble) = store.scan(depth);
        assert_eq!(verdicts(&sessions), expected, "{depth:?}");
        assert_eq!(trouble, claude_resume::store::Trouble::default());
    }
}

#[test]
fn files_that_stat_rules_out_are_opened_only_on_request() {
    let store = Store::new();
    store.session(
        "-p",
        "agent-a1b2c3",
        0,
        conversation("Search the code", CWD),
    );
    let prompt = |depth| store.scan(depth).0[0].meta.first_prompt.clone();
    assert_eq!(prompt(ScanDepth::Candidates), None);
    assert_eq!(
        prompt(ScanDepth::Everything).as_deref(),
        Some("Search the code")
    );
}

#[test]
fn a_name_makes_every_session_visible() {
    let store = Store::new();
    let project = store.project("-p");
    let mut side = user("Hello", CWD);
    side["isSidechain"] = json!(true);
    let mut sdk = user("Hello", CWD);
    sdk["entrypoint"] = json!("sdk-py");
    let name = json!({"type": "custom-title", "customTitle": "Mine"});
    store.session("-p", &id(1), 0, lines(&[side, name.clone()]));
    store.session("-p", &id(2), 0, lines(&[sdk, name.clone()]));
    store.session("-p", &id(3), 0, lines(std::slice::from_ref(&name)));
    store.session(
        "-p",
        &id(4),
        0,
        lines(&[
            name.clone(),
            json!({"type": "continued-in", "continuedInSessionId": id(1)}),
        ]),
    );
    store.session("-p", &id(5), 0, "");
    for n in [5, 6] {
        fs::create_dir(project.join(id(n))).expect("made");
        fs::write(
            project.join(id(n)).join("custom-title.json"),
            r#"{"customTitle":" Mine "}"#,
        )
        .expect("written");
    }
    store.session("-p", &id(6), 0, conversation("Hello", CWD));
    fs::write(
        project.join(id(6)).join("archived.json"),
        r#"{"archived":true}"#,
    )
    .expect("written");

    let (sessions, _) = store.scan(ScanDepth::Candidates);
    let shown: Vec<_> = sessions
        .iter()
        .map(|s| (s.hidden, s.meta.custom_title.as_deref()))
        .collect();
    assert_eq!(shown, vec![(None, Some("Mine")); 6]);
}

#[test]
fn sidecars_name_a_session_unless_its_own_lines_do() {
    let store = Store::new();
    let project = store.project("-p");
    let hello = conversation("Hello", CWD);
    let titled = |title: &str| {
        hello.clone() + &lines(&[json!({"type": "custom-title", "customTitle": title})])
    };
    store.session("-p", &id(1), 0, &hello);
    store.session("-p", &id(2), 0, titled("Own"));
    store.session("-p", &id(3), 0, titled(""));
    store.session(
        "-p",
        &id(4),
        0,
        hello.clone() + &lines(&[json!({"type": "ai-title", "aiTitle": "AI"})]),
    );
    store.session("-p", &id(5), 0, &hello);
    // A name that has drifted out of the last 64 KiB.
    let long = conversation(&"x".repeat(70_000), CWD);
    store.session("-p", &id(6), 0, titled("Own") + &long);
    for n in 1..=6 {
        fs::create_dir(project.join(id(n))).expect("made");
        let sidecar = if n == 5 {
            "{torn"
        } else {
            r#"{"customTitle":"Sidecar"}"#
        };
        fs::write(project.join(id(n)).join("custom-title.json"), sidecar).expect("written");
    }
    let (sessions, _) = store.scan(ScanDepth::Candidates);
    let titles: Vec<_> = sessions
        .iter()
        .map(|s| s.meta.raw_title().map(|(_, title)| title))
        .collect();
    assert_eq!(
        titles,
        [
            Some("Sidecar"),
            Some("Own"),
            Some("Hello"),
            Some("Sidecar"),
            Some("Hello"),
            Some("Sidecar"),
        ]
    );
    let shown =
        |n: u32| store.run(&["show", &id(n), "--json"]).json()[0]["session"]["title"].clone();
    assert_eq!([shown(2), shown(6)], ["Own", "Sidecar"]);
}

#[test]
fn a_session_put_away_comes_back_with_the_next_prompt() {
    let store = Store::new();
    let project = store.project("-p");
    store.session("-p", &id(1), 0, conversation("Hello", CWD));
    fs::create_dir(project.join(id(1))).expect("made");
    let archived = project.join(id(1)).join("archived.json");
    // The prompt was typed at 10:00:00.
    for (mark, expected) in [
        (
            r#"{"archived":true,"at":"2026-03-01T10:00:00.000Z"}"#,
            Some(Hidden::Archived),
        ),
        (r#"{"archived":true,"at":"2026-03-01T09:59:59.999Z"}"#, None),
        (
            r#"{"archived":false,"at":"2026-03-02T10:00:00.000Z"}"#,
            None,
        ),
        (r#"{"archived":true,"at":null}"#, Some(Hidden::Archived)),
        (r#"{"archived":true,"at":1772359199999}"#, None),
        ("\u{feff}{\"archived\":true}", Some(Hidden::Archived)),
        ("", None),
    ] {
        fs::write(&archived, mark).expect("written");
        assert_eq!(
            store.scan(ScanDepth::Candidates).0[0].hidden,
            expected,
            "{mark}"
        );
    }
}

#[test]
fn answers_do_not_bring_back_a_session_put_away() {
    let store = Store::new();
    let project = store.project("-p");
    // Typed at 10:00:00, answered at 10:00:05, and Claude Code wrote down the prompt.
    let entry = lines(&[json!({"type": "last-prompt", "lastPrompt": "Hello"})]);
    store.session("-p", &id(1), 0, conversation("Hello", CWD) + &entry);
    fs::create_dir(project.join(id(1))).expect("made");
    fs::write(
        project.join(id(1)).join("archived.json"),
        r#"{"archived":true,"at":"2026-03-01T10:00:02.000Z"}"#,
    )
    .expect("written");
    let (sessions, _) = store.scan(ScanDepth::Candidates);
    assert_eq!(sessions[0].hidden, Some(Hidden::Archived));
    assert_eq!(sessions[0].meta.last_prompt(), Some("Hello"));
}

#[test]
fn a_session_is_superseded_only_by_one_that_stands_for_it() {
    let store = Store::new();
    let continued = |successor: u32| {
        conversation("Hello", CWD)
            + &lines(&[json!({"type": "continued-in", "continuedInSessionId": id(successor)})])
    };
    // 1 -> 2 -> 3 which is there; 4 -> nowhere; 5 -> 5; 6 -> 7 -> 6; 8 -> 9 which is empty.
    for (session, successor) in [(1, 2), (2, 3), (4, 99), (5, 5), (6, 7), (7, 6), (8, 9)] {
        store.session("-p", &id(session), 0, continued(successor));
    }
    store.session("-p", &id(3), 0, conversation("Hello", CWD));
    store.session("-p", &id(9), 0, "");
    let mut rows = Rows::default();
    for session in store.scan(ScanDepth::Candidates).0 {
        rows.add(session);
    }
    rows.settle();
    let hidden: Vec<_> = rows.iter().map(|row| row.session.hidden).collect();
    let superseded = Some(Hidden::Superseded);
    assert_eq!(
        hidden,
        [
            superseded,
            superseded,
            None,
            None,
            None,
            None,
            None,
            None,
            Some(Hidden::Empty)
        ]
    );
}

#[test]
fn several_roots_are_one_list_and_every_session_knows_its_own() {
    let (ours, theirs) = (Store::new(), Store::new());
    ours.session("-p", &id(1), 0, conversation("Ours", CWD));
    theirs.session("-p", &id(2), 0, conversation("Theirs", CWD));
    let (sessions, _) = scan_roots(
        &[ours.root(), theirs.root(), PathBuf::from("/nowhere")],
        ScanDepth::Candidates,
    );
    let roots: Vec<_> = sessions
        .iter()
        .map(|s| s.file.project.root.to_path_buf())
        .collect();
    assert_eq!(roots, [ours.root(), theirs.root()]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_once() {
    use std::os::unix::fs::symlink;
    let store = Store::new();
    let project = store.project("-p");
    store.session("-p", &id(1), 0, conversation("Real", CWD));
    let outside = store.outside("outside");
    fs::write(
        outside.join(format!("{}.jsonl", id(2))),
        conversation("Linked folder", CWD),
    )
    .expect("written");
    let projects = store.root().join("projects");
    symlink(&outside, projects.join("-linked")).expect("linked");
    symlink(&outside, projects.join("-linked-again")).expect("linked");
    symlink(&project, projects.join("-alias")).expect("linked");
    symlink(&projects, projects.join("-loop")).expect("linked");
    symlink("/nowhere", projects.join("-dangling")).expect("linked");
    fs::write(project.join("target.txt"), conversation("Linked file", CWD)).expect("written");
    symlink("target.txt", project.join(format!("{}.jsonl", id(3)))).expect("linked");
    symlink("gone", project.join(format!("{}.jsonl", id(4)))).expect("linked");
    let circle = format!("{}.jsonl", id(5));
    symlink(&circle, project.join(&circle)).expect("linked");
    // A second way to the whole root.
    let alias = store.outside("aliases").join("claude");
    symlink(store.root(), &alias).expect("linked");

    let (sessions, trouble) = scan_roots(&[store.root(), alias], ScanDepth::Candidates);
    let expected = [
        (id(1), None),
        (id(2), None),
        (id(3), None),
        (id(4), Some(Hidden::Unreadable)),
        (id(5), Some(Hidden::Unreadable)),
    ];
    assert_eq!(sessions.len(), expected.len());
    assert_eq!(verdicts(&sessions), expected.into());
    let troubled: Vec<_> = trouble
        .folders
        .iter()
        .map(|(folder, _)| folder.clone())
        .collect();
    assert_eq!(troubled, [projects.join("-dangling")]);
    let real = &sessions[0].file.project.name;
    assert_eq!(real, "-p", "the folder itself, not a link to it");
}

#[test]
fn one_session_in_two_folders_is_one_row_with_a_copy() {
    let store = Store::new();
    let older = store.session("-a", &id(1), 0, conversation("Older", CWD));
    store.session("-b", &id(1), 5, conversation("Newer", CWD));
    // An empty file is none.
    store.session("-c", &id(1), 9, "");
    store.session("-a", "notes", 0, "x");
    store.session("-b", "notes", 0, "x");
    let mut rows = Rows::default();
    store
        .scan(ScanDepth::Candidates)
        .0
        .into_iter()
        .for_each(|session| {
            rows.add(session);
        });
    let row = rows
        .iter()
        .find(|row| *row.session.file.id == *id(1))
        .expect("listed");
    assert_eq!(row.session.meta.first_prompt.as_deref(), Some("Newer"));
    let copies: Vec<PathBuf> = row.copies.iter().map(|copy| copy.file.path()).collect();
    assert_eq!(copies, [older]);
    assert_eq!(
        rows.len(),
        3,
        "files that are no sessions are not copies of each other"
    );
}

#[test]
fn batches_come_newest_first_and_start_small() {
    let store = Store::new();
    for n in 0..300 {
        store.session(
            &format!("-p{}", n % 7),
            &id(n),
            u64::from(n),
            conversation("Hello", CWD),
        );
    }
    let batches = Mutex::new(Vec::new());
    let listed = Mutex::new(0);
    scan(
        &[store.root()],
        ScanDepth::Candidates,
        None,
        &AtomicBool::new(false),
        &|event| {
            match event {
                Event::Listed(total) => *listed.lock().expect("fine") = total,
                Event::Batch(batch) => batches.lock().expect("fine").push(batch),
                Event::Finished(_) => {}
            }
            ControlFlow::Continue(())
        },
    );
    let batches = batches.into_inner().expect("fine");
    assert_eq!(*listed.lock().expect("fine"), 300);
    assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), 300);
    // A thread may overtake another, but what each takes comes next in the order, and the first
    // take is small.
    for batch in &batches {
        let minutes: Vec<i64> = batch
            .iter()
            .map(|session| (session.file.modified / 1000 - 1_772_359_200) / 60)
            .collect();
        assert!(
            minutes.is_sorted_by(|one, next| *next == one - 1),
            "{minutes:?}"
        );
        if minutes.contains(&299) {
            assert!(minutes.len() <= 25, "{minutes:?}");
        }
    }
}

#[test]
fn the_newest_batch_comes_first_even_if_it_takes_longest() {
    let store = Store::new();
    // Each is read to its end before its prompt is given up.
    let line = format!(
        r#"{{"type":"system","content":"{}"}}"#,
        "filler ".repeat(100)
    ) + "\n";
    let large = line.repeat((256 << 10) / line.len());
    for n in 0..25 {
        store.session("-p", &id(n), 500, large.clone());
    }
    for n in 25..200 {
        store.session("-p", &id(n), 0, conversation("Hello", CWD));
    }
    let first = Mutex::new(None);
    scan(
        &[store.root()],
        ScanDepth::Candidates,
        None,
        &AtomicBool::new(false),
        &|event| {
            let mut first = first.lock().expect("fine");
            if let (Event::Batch(batch), None) = (event, &*first) {
                *first = Some(batch.iter().all(|session| session.file.size > 100_000));
            }
            ControlFlow::Continue(())
        },
    );
    assert_eq!(first.into_inner().expect("fine"), Some(true));
}

#[test]
fn a_sink_that_has_enough_stops_the_scan() {
    let store = Store::new();
    for n in 0..2_000 {
        store.session("-p", &id(n), 0, conversation("Hello", CWD));
    }
    let seen = Mutex::new((0, false));
    scan(
        &[store.root()],
        ScanDepth::Candidates,
        None,
        &AtomicBool::new(false),
        &|event| {
            let mut seen = seen.lock().expect("fine");
            match event {
                Event::Listed(_) => return ControlFlow::Continue(()),
                Event::Batch(_) => seen.0 += 1,
                Event::Finished(_) => seen.1 = true,
            }
            ControlFlow::Break(())
        },
    );
    let (batches, finished) = *seen.lock().expect("fine");
    assert!(batches <= readers(), "{batches}");
    assert!(!finished);
}

#[test]
fn the_flag_and_the_sink_stop_the_scan() {
    let store = Store::new();
    for n in 0..500 {
        store.session("-p", &id(n), 0, conversation("Hello", CWD));
    }
    // Set before it begins, the flag leaves nothing to do.
    let events = Mutex::new(Vec::new());
    let stop = AtomicBool::new(true);
    scan(
        &[store.root()],
        ScanDepth::Candidates,
        None,
        &stop,
        &|event| {
            events.lock().expect("fine").push(format!("{event:?}"));
            ControlFlow::Continue(())
        },
    );
    assert_eq!(*events.lock().expect("fine"), ["Listed(0)"]);
    // A sink that breaks ends it too.
    let count = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    scan(
        &[store.root()],
        ScanDepth::Candidates,
        None,
        &stop,
        &|event| {
            assert!(matches!(event, Event::Listed(500)));
            count.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Break(())
        },
    );
    assert_eq!(count.into_inner(), 1);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_counted_the_same_at_every_depth() {
    use std::os::unix::ffi::OsStrExt;
    let store = Store::new();
    let name = std::ffi::OsStr::from_bytes(b"\xff.jsonl");
    if fs::write(store.project("-p").join(name), "x").is_err() {
        crate::support::skip("this file system wants names that are text");
        return;
    }
    for depth in [ScanDepth::Candidates, ScanDepth::Everything] {
        let (sessions, trouble) = store.scan(depth);
        assert_eq!(sessions[0].hidden, Some(Hidden::NotASession));
        assert_eq!(trouble.vanished, 0);
    }
}

#[test]
fn a_changed_session_can_be_read_again() {
    let store = Store::new();
    let path = store.session("-p", &id(1), 0, conversation("Hello", CWD));
    let (sessions, _) = store.scan(ScanDepth::Candidates);
    let renamed = fs::read_to_string(&path).expect("read")
        + &lines(&[json!({"type": "custom-title", "customTitle": "Now"})]);
    fs::write(&path, renamed).expect("written");
    let project = &sessions[0].file.project;
    let read = || rescan(&project.root, &project.dir, &id(1)).expect("opened");
    let again = read().expect("still there");
    assert_eq!(again.meta.raw_title().map(|(_, title)| title), Some("Now"));
    fs::remove_file(&path).expect("removed");
    assert!(read().is_none());
}

#[test]
fn activity_is_what_was_said_and_not_when_the_file_was_touched() {
    let store = Store::new();
    let title = lines(&[
        json!({"type": "ai-title", "aiTitle": "AI"}),
        json!({"type": "mode", "mode": "normal"}),
    ]);
    store.session(
        "-p",
        &id(1),
        9_000,
        conversation("Touched later", CWD) + &title,
    );
    let mut ahead = user("From a clock that ran ahead", CWD);
    ahead["timestamp"] = json!("2031-01-01T00:00:00.000Z");
    store.session("-p", &id(2), 1, lines(&[ahead]));
    store.session(
        "-p",
        &id(3),
        2,
        lines(&[json!({"type": "ai-title", "aiTitle": "Nothing said"})]),
    );
    let (sessions, _) = store.scan(ScanDepth::Candidates);
    let minutes: Vec<i64> = sessions
        .iter()
        .map(|s| (s.last_activity() / 1000 - 1_772_359_200) / 60)
        .collect();
    assert_eq!(minutes, [0, 1, 2]);
}
