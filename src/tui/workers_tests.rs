use std::collections::BTreeSet;
use std::fs;

use serde_json::json;
use tokio::sync::mpsc::channel;

use super::{Sources, Spawner, Workers};
use crate::list::{Distance, Include, Sort};
use crate::search::{Generation, Query, Search};
use crate::store::Retention;
use crate::tui::message::{Message, Notice};
use crate::tui::request::Request;

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
        let id = format!("{n:08x}-0000-4000-8000-000000000000");
        let line = json!({"type": "user", "uuid": id, "cwd": "/shop", "sessionId": id,
                          "timestamp": "2026-03-01T10:00:00.000Z",
                          "message": {"role": "user", "content": "hello"}});
        let path = project.join(format!("{id}.jsonl"));
        fs::write(path, format!("{line}\n")).expect("written");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    let (sender, mut inbox) = channel(1);
    let spawner = Spawner::new(runtime.handle().clone(), sender);
    let sources = Sources {
        roots: vec![root.path().to_owned()],
        configs: Vec::new(),
        here: Some("/shop".into()),
        state: None,
        retention: Retention::default(),
        home: None,
        only: None,
        cache: None,
    };
    let workers = Workers::start(sources, spawner).expect("started");
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
