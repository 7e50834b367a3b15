use std::fs;
use std::sync::mpsc::{Receiver, channel};

use chrono::Utc;
use serde_json::json;

use super::*;
use crate::search::{ContentCandidates, Query};
use crate::store::rescan;

struct World {
    folder: tempfile::TempDir,
    rows: Vec<Arc<Row>>,
}

impl World {
    /// Conversations that say these texts.
    fn new(texts: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join("claude/projects/-p");
        fs::create_dir_all(&project).expect("made");
        let rows = texts.iter().enumerate().map(|(at, text)| {
            let id = format!("{at:08x}-0000-4000-8000-000000000000");
            let line = json!({"type": "user", "message": {"role": "user", "content": text}});
            fs::write(project.join(format!("{id}.jsonl")), format!("{line}\n")).expect("written");
            let session = rescan(&folder.path().join("claude"), &project, &id);
            Arc::new(Row::new(session.expect("opened").expect("there")))
        });
        let rows = rows.collect();
        Self { folder, rows }
    }

    fn open(&self) -> (SearchDriver, Receiver<ReadStep>) {
        let (sender, steps) = channel();
        let sources = ContentSources {
            roots: vec![self.folder.path().join("claude")],
            cache: Some(self.folder.path().join("cache")),
            threads: 1,
        };
        let send = move |step| drop(sender.send(step));
        let mut driver = SearchDriver::open(&sources, || {}, send).expect("started");
        driver.put((0..).map(RowId).zip(self.rows.iter().map(Some)));
        (driver, steps)
    }

    fn search(&self, query: &str) -> ContentSearch {
        let rows = 0..u32::try_from(self.rows.len()).expect("few");
        ContentSearch {
            generation: Generation(1),
            query: Query::parse(query, &Utc::now()),
            rows: ContentCandidates {
                shown: rows.map(RowId).collect(),
                ..ContentCandidates::default()
            },
        }
    }
}

/// Reads to the end. Returns how many files that were.
fn read(driver: &mut SearchDriver, steps: &Receiver<ReadStep>) -> usize {
    let mut count = 0;
    while driver.is_reading() {
        let step = steps.recv().expect("a step");
        count += usize::from(matches!(step, ReadStep::End(..)));
        driver.take(step);
    }
    count
}

#[test]
fn nothing_is_read_before_something_is_asked_of_conversations() {
    let world = World::new(&["one", "two"]);
    let (mut driver, steps) = world.open();
    assert!(!driver.ask(world.search("is:running")));
    assert_eq!(read(&mut driver, &steps), 0);
    driver.save().expect("saved");
    assert_eq!(driver.progress().searched, 0);
    assert!(driver.ask(world.search("two")));
    assert_eq!(read(&mut driver, &steps), 2);
    driver.search(|_, _| true);
    driver.rank(|| true);
    let reply = driver.reply().expect("asked");
    assert_eq!((reply.hits, reply.searched), (vec![RowId(1)], 2));
    driver.save().expect("saved");
    // Now all of it is known as soon as it is put.
    let (mut driver, steps) = world.open();
    assert_eq!(driver.progress().searched, 2);
    driver.ask(world.search("two"));
    assert_eq!(read(&mut driver, &steps), 0);
}

#[test]
fn more_conversations_than_are_read_at_a_time_are_all_read() {
    let texts = vec!["word"; MOST_READING + 6];
    let world = World::new(&texts);
    let (mut driver, steps) = world.open();
    driver.ask(world.search("word"));
    assert_eq!(read(&mut driver, &steps), texts.len());
    assert_eq!(driver.progress().searched, texts.len());
}
