use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use chrono::Utc;

use super::*;
use crate::content::{ContentReply, ContentSearch};
use crate::list::Rows;
use crate::search::{ContentCandidates, Query};
use crate::store::rescan;

/// The worker on a store with one project.
struct World {
    folder: tempfile::TempDir,
    rows: Rows,
    worker: ContentWorker,
    answers: Receiver<ContentAnswer>,
    generation: u64,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (sender, answers) = channel();
        let sources = ContentSources {
            roots: vec![folder.path().join("claude")],
            cache: Some(folder.path().join("cache")),
            threads: 2,
        };
        let answer = move |answer| drop(sender.send(answer));
        let worker = ContentWorker::start(sources, || {}, answer).expect("started");
        Self {
            rows: Rows::of_roots(&[folder.path().join("claude")]),
            folder,
            worker,
            answers,
            generation: 0,
        }
    }

    /// Adds a prompt to a conversation, and tells the worker of its row.
    fn say(&mut self, id: &str, text: &str) -> RowId {
        let root = self.folder.path().join("claude");
        let project = root.join("projects/-p");
        fs::create_dir_all(&project).expect("made");
        let id = &format!("{id:0>8}-0000-4000-8000-000000000000");
        let path = project.join(format!("{id}.jsonl"));
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        let line = serde_json::json!({
            "type": "user",
            "uuid": uuid::Uuid::from_u64_pair(text.len() as u64, 1).to_string(),
            "message": {"role": "user", "content": text},
        });
        file.and_then(|mut file| writeln!(file, "{line}"))
            .expect("written");
        let session = rescan(&root, &project, id).expect("opened").expect("there");
        let at = self.rows.replace(session);
        let row = RowId(u32::try_from(at).expect("few"));
        let what = self.rows.get(at).cloned();
        self.worker.send(ContentRequest::Rows(vec![(row, what)]));
        row
    }

    fn ask(&mut self, query: &str, rows: &[RowId]) {
        self.generation += 1;
        self.worker.send(ContentRequest::Search(ContentSearch {
            generation: Generation(self.generation),
            query: Query::parse(query, &Utc::now()),
            rows: ContentCandidates {
                shown: rows.to_vec(),
                ..ContentCandidates::default()
            },
        }));
    }

    /// The complete answer to the last question.
    fn complete(&self) -> ContentReply {
        loop {
            if let ContentAnswer::Found(reply) = self.answers.recv().expect("an answer")
                && reply.is_complete
                && reply.generation.0 == self.generation
            {
                return reply;
            }
        }
    }

    fn found(&mut self, query: &str, rows: &[RowId]) -> Vec<RowId> {
        self.ask(query, rows);
        self.complete().hits
    }

    fn excerpts(&self, rows: &[RowId]) -> Vec<RowExcerpt> {
        let generation = Generation(self.generation);
        self.worker
            .send(ContentRequest::Excerpts(generation, rows.to_vec()));
        loop {
            let answer = self.answers.recv().expect("an answer");
            if let ContentAnswer::Excerpts(_, excerpts) = answer {
                return excerpts;
            }
        }
    }
}

#[test]
fn conversations_are_found_in_the_order_of_the_screen_the_closest_first() {
    let mut world = World::new();
    let a = world.say("a", "a token to refresh");
    let b = world.say("b", "refresh the token");
    let c = world.say("c", "the token: refresh");
    assert_eq!(world.found("refresh", &[c, b, a]), [c, b, a]);
    assert_eq!(
        world.found("refresh token", &[c, b, a]),
        [c, b, a],
        "all in one passage"
    );
    assert_eq!(world.found("\"the token\"", &[a, b, c]), [b, c]);
    assert_eq!(world.found("the token", &[a, b, c]), [b, c]);
    assert_eq!(
        world.found("token refresh", &[a, b, c]),
        [c, a, b],
        "the nearest first, then the order in which they were typed"
    );
    assert_eq!(
        world.found("refresh the", &[c, a, b]),
        [b, c],
        "as typed before the rest"
    );
    assert_eq!(world.found("missing", &[a, b, c]), []);
}

#[test]
fn a_query_that_grows_and_shrinks_is_answered_like_a_new_one() {
    let mut world = World::new();
    let a = world.say("a", "pubsub");
    let b = world.say("b", "public");
    assert_eq!(world.found("pub", &[a, b]), [a, b]);
    assert_eq!(world.found("pubs", &[a, b]), [a]);
    assert_eq!(world.found("pub", &[a, b]), [a, b]);
}

#[test]
fn what_is_said_later_is_found_without_a_new_question() {
    let mut world = World::new();
    let a = world.say("a", "one");
    assert_eq!(world.found("later", &[a]), []);
    world.say("a", "said later");
    loop {
        let reply = world.complete();
        if !reply.hits.is_empty() {
            assert_eq!(reply.hits[0], a);
            return;
        }
    }
}

#[test]
fn a_hit_shows_its_best_passage() {
    let mut world = World::new();
    let a = world.say("a", "something about \u{1b}[31m tokens");
    world.say("a", "then refresh\n\nthe **tokens**, please");
    assert_eq!(world.found("refresh tokens", &[a]), [a]);
    let excerpts = world.excerpts(&[a]);
    let [found] = excerpts.as_slice() else {
        panic!("one row");
    };
    assert_eq!(found.excerpt.text, "then refresh the **tokens**, please");
    assert_eq!(found.more, 1);
    let marked = found.excerpt.matches.iter();
    let marked: Vec<&str> = marked
        .map(|range| &found.excerpt.text[range.clone()])
        .collect();
    assert_eq!(marked, ["refresh", "tokens"]);
    // Colors are no text.
    assert_eq!(world.found("31m", &[a]), []);
    assert_eq!(world.found("\"about tokens\"", &[a]), [a]);
    assert_eq!(
        world.excerpts(&[a])[0].excerpt.text,
        "something about tokens"
    );
}

#[test]
fn nothing_is_read_before_the_first_question_and_what_is_read_is_stored() {
    let mut world = World::new();
    let a = world.say("a", "one");
    let cache = world.folder.path().join("cache");
    assert!(!Path::new(&cache).exists());
    world.ask("is:running", &[]);
    assert_eq!(world.found("one", &[a]), [a]);
    let World { folder, worker, .. } = world;
    drop(worker);
    let stored = || {
        let folders = fs::read_dir(&cache).into_iter().flatten().flatten();
        let mut files =
            folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten());
        files.any(|file| file.is_ok_and(|file| file.file_name() == "text"))
    };
    // The thread stores it before it ends.
    while !stored() {
        thread::yield_now();
    }
    drop(folder);
}
