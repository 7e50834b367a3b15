use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{Receiver, channel};

use super::{FirstRows, Sources, Spawner, Workers};
use crate::list::{Distance, Include, Sort};
use crate::search::{Generation, Query, Search};
use crate::store::Retention;
use crate::tui::clipboard::ClipboardEnv;
use crate::tui::message::{Message, Notice};
use crate::tui::request::Request;

/// Starts the workers, which tell of one thing at a time.
fn start(runtime: &Runtime, root: &Path, cache: Option<PathBuf>) -> (Workers, Receiver<Message>) {
    let (sender, inbox) = channel(1);
    let spawner = Spawner::new(runtime.handle().clone(), sender);
    let sources = Sources {
        roots: vec![root.to_owned()],
        configs: Vec::new(),
        here: Some("/shop".into()),
        state: None,
        first_rows: FirstRows::default(),
        retention: Retention::default(),
        home: None,
        only: None,
        cache,
    };
    let workers = Workers::start(sources, ClipboardEnv::default(), spawner).expect("started");
    (workers, inbox)
}

/// Writes a session that was left a day after the epoch.
fn session(project: &Path, n: u32, prompt: &str) {
    let id = format!("{n:08x}-0000-4000-8000-000000000000");
    let line = json!({"type": "user", "uuid": id, "cwd": "/shop", "sessionId": id,
                      "timestamp": "2026-03-01T10:00:00.000Z",
                      "message": {"role": "user", "content": prompt}});
    let path = project.join(format!("{id}.jsonl"));
    fs::write(&path, format!("{line}\n")).expect("written");
    let file = fs::File::options().append(true).open(path).expect("opens");
    let day = UNIX_EPOCH + Duration::from_secs(86_400);
    file.set_modified(day).expect("set");
}

#[test]
fn a_worker_that_panics_says_so_and_one_that_ends_does_not() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    let (sender, mut inbox) = channel(8);
    let spawner = Spawner::new(runtime.handle().clone(), sender);
    spawner.spawn("reading", |_| {});
    spawner.spawn("search", |_| panic!("on purpose"));
    drop(spawner);
    let Some(Message::Tell(Notice::Trouble(text))) = inbox.blocking_recv() else {
        panic!("nothing was told");
    };
    assert!(text.contains("the search"), "{text}");
    assert!(inbox.blocking_recv().is_none());
}

#[test]
fn rows_come_before_their_hits_through_a_full_channel_and_dropping_ends_all_workers() {
    let root = tempfile::tempdir().expect("a folder");
    let project = root.path().join("projects/-shop");
    fs::create_dir_all(&project).expect("made");
    for n in 0..60 {
        session(&project, n, "hello");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    let (workers, mut inbox) = start(&runtime, root.path(), None);
    let search = Search {
        generation: Generation(1),
        query: Query::default(),
        order: Sort::Activity,
        reach: Distance::Elsewhere,
        include: Include::default(),
    };
    workers.send(Request::Search(Box::new(search)));
    let mut known = BTreeSet::new();
    let mut workers = Some(workers);
    let (mut is_scanned, mut most) = (false, 0);
    while let Some(message) = inbox.blocking_recv() {
        match message {
            Message::Rows(rows) => known.extend(rows.into_iter().map(|(id, _)| id)),
            Message::Scanned(_) => is_scanned = true,
            Message::Found(reply) => {
                assert!(reply.hits.iter().all(|hit| known.contains(&hit.row)));
                most = most.max(reply.hits.len());
            }
            _ => {}
        }
        workers = workers.filter(|_| !is_scanned || most < 60);
    }
    assert_eq!((known.len(), most), (60, 60));
}

#[test]
fn what_one_picker_has_read_the_next_one_knows() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("claude");
    let project = root.join("projects/-shop");
    fs::create_dir_all(&project).expect("made");
    let cache = folder.path().join("cache");
    let prompt = |cache: Option<PathBuf>| {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let (workers, mut inbox) = start(&runtime, &root, cache);
        let (mut workers, mut prompt) = (Some(workers), None);
        // To the end of the last worker.
        while let Some(message) = inbox.blocking_recv() {
            match message {
                Message::Rows(rows) => {
                    let row = rows.into_iter().find_map(|(_, row)| row).expect("a row");
                    prompt.clone_from(&row.session.meta.first_prompt);
                }
                Message::Scanned(_) => workers = None,
                _ => {}
            }
        }
        assert!(workers.is_none());
        prompt.expect("a prompt")
    };
    session(&project, 1, "apple");
    assert_eq!(&*prompt(Some(cache.clone())), "apple");
    // Of the same size and age, so that nothing tells.
    session(&project, 1, "peach");
    assert_eq!(&*prompt(Some(cache)), "apple");
    assert_eq!(&*prompt(None), "peach");
}
