use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use chrono::{TimeZone, Utc};

use super::{Generation, IndexRequest, Reply, Search, Worker};
use crate::list::{Include, Sort};
use crate::search::{Distance, Document, Query, RowId, Tier};

/// Only a broken worker is ever waited for this long.
const PATIENCE: Duration = Duration::from_secs(30);

fn start() -> (Worker, Receiver<Reply>) {
    let (sender, replies) = mpsc::channel();
    let worker = Worker::start(move |reply| {
        let _ = sender.send(reply);
    });
    (worker.expect("a thread"), replies)
}

fn search(generation: u64, text: &str) -> IndexRequest {
    IndexRequest::Search(Search {
        generation: Generation(generation),
        query: Query::parse(text, &Utc.timestamp_millis_opt(0).unwrap()),
        order: Sort::Activity,
        reach: Distance::Elsewhere,
        include: Include::default(),
    })
}

fn put(rows: std::ops::Range<u32>) -> IndexRequest {
    IndexRequest::Put(
        rows.map(|row| {
            let document = Document {
                title: format!("session {row}"),
                activity: row.into(),
                ..Document::default()
            };
            (RowId(row), document)
        })
        .collect(),
    )
}

/// Waits for a reply that is complete and has so many hits.
fn complete(replies: &Receiver<Reply>, generation: u64, hits: usize) -> Reply {
    loop {
        let reply = replies.recv_timeout(PATIENCE).expect("a reply");
        let asked = reply.generation == Generation(generation);
        if asked && reply.tier == Tier::Fuzzy && reply.hits.len() == hits {
            return reply;
        }
    }
}

#[test]
fn rows_that_come_and_go_while_a_query_stands_are_in_the_next_reply() {
    let (worker, replies) = start();
    worker.send(search(1, "session"));
    complete(&replies, 1, 0);
    worker.send(put(0..3));
    assert_eq!(complete(&replies, 1, 3).hits[0].row, RowId(2));
    worker.send(put(3..10));
    complete(&replies, 1, 10);
    worker.send(IndexRequest::Remove(vec![RowId(9), RowId(100)]));
    assert_eq!(complete(&replies, 1, 9).hits[0].row, RowId(8));
}

#[test]
fn the_newest_search_wins_even_if_an_older_one_comes_late() {
    let (worker, replies) = start();
    worker.send(put(0..100));
    for generation in 0..50 {
        worker.send(search(generation, "session 1"));
    }
    worker.send(search(60, "\"session 42\""));
    worker.send(search(59, ""));
    complete(&replies, 60, 1);
    worker.send(put(100..101));
    let reply = complete(&replies, 60, 1);
    assert_eq!(reply.counts.searched, 101);
}

#[test]
fn without_a_search_there_is_no_reply_and_without_a_worker_no_thread() {
    let (worker, replies) = start();
    worker.send(put(0..10));
    drop(worker);
    // The thread's end closes the channel; until then it says nothing.
    assert_eq!(
        replies.recv_timeout(PATIENCE),
        Err(mpsc::RecvTimeoutError::Disconnected)
    );
}
