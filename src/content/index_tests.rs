use std::fs;
use std::io::Write;
use std::sync::mpsc::channel;

use chrono::Utc;

use super::*;
use crate::content::reading::Readers;
use crate::content::suggest::suggestion;
use crate::content::{ContentSearch, Wanted};
use crate::search::{ContentCandidates, Generation, Query};
use crate::store::rescan;

/// A store with one project, and the cache beside it.
pub(super) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let world = Self { folder };
        fs::create_dir_all(world.project()).expect("made");
        world
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("claude")
    }

    pub(super) fn project(&self) -> PathBuf {
        self.root().join("projects").join("-p")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    pub(super) fn say(&self, id: &str, text: &str) {
        let path = self.project().join(format!("{id}.jsonl"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        let line = serde_json::json!({
            "type": "user",
            "uuid": uuid::Uuid::from_u64_pair(text.len() as u64, 1).to_string(),
            "message": {"role": "user", "content": text},
        });
        file.and_then(|mut file| writeln!(file, "{line}"))
            .expect("written");
    }

    pub(super) fn row(&self, id: &str) -> Arc<Row> {
        let session = rescan(&self.root(), &self.project(), id).expect("opened");
        Arc::new(Row::new(session.expect("there")))
    }

    pub(super) fn index(&self) -> Index {
        Index::open(&[self.root()], Some(&self.cache()))
    }

    /// Puts conversations and reads what has to be read. Returns how many files that were.
    fn read(&self, index: &mut Index, ids: &[&str]) -> usize {
        let mut jobs = Vec::new();
        for (row, id) in (0..).zip(ids) {
            jobs.extend(put(index, RowId(row), &self.row(id)));
        }
        finish(index, jobs)
    }
}

/// Returns what has to be read.
pub(super) fn put(index: &mut Index, row: RowId, what: &Arc<Row>) -> Vec<ReadJob> {
    index.put(row, what);
    index.jobs(usize::MAX)
}

fn heal(index: &mut Index) -> Vec<ReadJob> {
    index.heal();
    index.jobs(usize::MAX)
}

pub(super) fn finish(index: &mut Index, jobs: Vec<ReadJob>) -> usize {
    let count = jobs.len();
    let (sender, steps) = channel();
    let readers = Readers::start(2, || {}, move |step| drop(sender.send(step))).expect("started");
    readers.read(jobs);
    while index.is_reading() {
        let step = steps.recv().expect("a step");
        index.take(step);
        readers.taken();
    }
    count
}

pub(super) fn found(index: &mut Index, query: &str, rows: u32) -> Vec<u32> {
    let wanted = Wanted::new(&Query::parse(query, &Utc::now())).expect("something");
    let rows: Vec<RowId> = (0..rows).map(RowId).collect();
    let mut found = Vec::new();
    index.search(&wanted, &rows, |row, has| {
        found.extend(has.then_some(row.0));
        true
    });
    assert!(heal(index).is_empty(), "nothing is damaged");
    found
}

#[test]
fn conversations_are_found_by_what_was_said_and_by_what_their_agents_were_told() {
    let world = World::new();
    world.say("a", "the pubsub topic");
    world.say("b", "clocks");
    world.say("b/subagents/agent-1", "pubsub in an agent");
    let mut index = world.index();
    assert_eq!(world.read(&mut index, &["a", "b"]), 3);
    assert_eq!(found(&mut index, "pubsub", 2), [0, 1]);
    assert_eq!(found(&mut index, "clocks", 2), [1]);
    assert_eq!(found(&mut index, "pubsub clocks", 2), [1]);
    assert_eq!(found(&mut index, "has:agent", 2), [1]);
    let wanted = Wanted::new(&Query::phrase("pubsub")).expect("something");
    let passages = index.passages(&wanted, RowId(1));
    assert!(passages[0].0.ends_with("b/subagents/agent-1.jsonl"));
    let progress = index.progress();
    assert_eq!((progress.searched, progress.total), (2, 2));
}

/// While the first build runs, the agent of a conversation may be known before its transcript.
#[test]
fn a_passage_names_its_own_file_while_others_are_still_unknown() {
    let world = World::new();
    world.say("a", "clocks");
    world.say("a/subagents/agent-1", "pubsub in an agent");
    let mut index = world.index();
    let jobs = put(&mut index, RowId(0), &world.row("a"));
    let (unread, agent): (Vec<_>, Vec<_>) = jobs
        .into_iter()
        .partition(|job| job.path.ends_with("a.jsonl"));
    let (sender, steps) = channel();
    let readers = Readers::start(1, || {}, move |step| drop(sender.send(step))).expect("started");
    readers.read(agent);
    let mut is_read = false;
    while !is_read {
        let step = steps.recv().expect("a step");
        is_read = matches!(step, ReadStep::End(..));
        index.take(step);
        readers.taken();
    }
    assert_eq!(unread.len(), 1, "the transcript is still to be read");
    let wanted = Wanted::new(&Query::phrase("pubsub")).expect("something");
    let passages = index.passages(&wanted, RowId(0));
    let paths: Vec<_> = passages.iter().map(|(path, _)| path).collect();
    assert_eq!(paths.len(), 1);
    assert!(paths[0].ends_with("a/subagents/agent-1.jsonl"), "{paths:?}");
}

#[test]
fn agents_that_cannot_be_listed_are_told_of() {
    let world = World::new();
    world.say("a", "clocks");
    world.say("a/agents", "");
    let mut row = world.row("a");
    Arc::make_mut(&mut row).session.file.has_folder = true;
    // A file in the place of the folder.
    fs::write(world.project().join("a/subagents"), "").expect("written");
    let mut index = world.index();
    let jobs = put(&mut index, RowId(0), &row);
    finish(&mut index, jobs);
    let failed = index.progress().failed;
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].0.ends_with("a"));
    assert_eq!(found(&mut index, "clocks", 1), [0], "the rest is searched");
    index.remove(RowId(0));
    assert!(index.progress().failed.is_empty());
}

#[test]
fn what_was_stored_is_not_read_again_and_what_grew_is_extended() {
    let world = World::new();
    world.say("a", "one");
    world.say("b", "two");
    let mut index = world.index();
    world.read(&mut index, &["a", "b"]);
    index.save().expect("saved");
    let mut index = world.index();
    assert_eq!(world.read(&mut index, &["a", "b"]), 0);
    assert_eq!(found(&mut index, "two", 2), [1]);
    world.say("b", "three");
    assert_eq!(world.read(&mut index, &["a", "b"]), 1);
    assert_eq!(found(&mut index, "three", 2), [1]);
    assert_eq!(found(&mut index, "two three", 2), [1]);
    index.save().expect("saved");
    assert_eq!(
        found(&mut world.index(), "three", 2),
        [0_u32; 0],
        "rows come first"
    );
    let mut index = world.index();
    assert_eq!(world.read(&mut index, &["a", "b"]), 0);
    assert_eq!(found(&mut index, "two three", 2), [1]);
}

#[test]
fn a_conversation_that_went_is_not_found() {
    let world = World::new();
    world.say("a", "one");
    let mut index = world.index();
    world.read(&mut index, &["a"]);
    index.remove(RowId(0));
    assert_eq!(found(&mut index, "one", 1), [0_u32; 0]);
}

#[test]
fn damaged_text_is_read_again() {
    let world = World::new();
    world.say("a", "the pubsub topic");
    let mut index = world.index();
    world.read(&mut index, &["a"]);
    index.save().expect("saved");
    let folder = fs::read_dir(world.cache())
        .expect("listed")
        .next()
        .expect("one");
    for file in fs::read_dir(folder.expect("read").path()).expect("listed") {
        let path = file.expect("read").path();
        if path.to_string_lossy().contains("text-") {
            let mut bytes = fs::read(&path).expect("read");
            bytes[crate::cache::HEADER + 5] ^= 1;
            fs::write(&path, bytes).expect("written");
        }
    }
    let mut index = world.index();
    assert_eq!(
        world.read(&mut index, &["a"]),
        0,
        "nothing was looked at yet"
    );
    let wanted = Wanted::new(&Query::phrase("pubsub")).expect("something");
    index.search(&wanted, &[RowId(0)], |_, _| true);
    let jobs = heal(&mut index);
    assert_eq!(finish(&mut index, jobs), 1);
    assert_eq!(index.troubles().len(), 1, "said once");
    assert_eq!(found(&mut index, "pubsub", 1), [0]);
}

/// The segments in the cache.
fn segments(world: &World) -> Vec<PathBuf> {
    let folder = fs::read_dir(world.cache())
        .expect("listed")
        .next()
        .expect("one");
    let files = fs::read_dir(folder.expect("read").path()).expect("listed");
    let files = files.map(|file| file.expect("read").path());
    let mut found: Vec<PathBuf> = files
        .filter(|path| path.to_string_lossy().contains("text-"))
        .collect();
    found.sort();
    found
}

/// Whoever meets a damaged block first, a search, a passage or the next save: after that everything
/// is found, and it can be saved.
#[test]
fn damage_is_healed_by_whoever_meets_it() {
    let world = World::new();
    world.say(
        "a",
        &format!("the pubsub topic {}", "of clocks ".repeat(4000)),
    );
    world.say("b", "a heron");
    world.say("c", "an egret");
    let mut index = world.index();
    world.read(&mut index, &["a", "b", "c"]);
    index.save().expect("saved");
    let whole: Vec<(PathBuf, Vec<u8>)> = segments(&world)
        .into_iter()
        .map(|path| (path.clone(), fs::read(&path).expect("read")))
        .collect();
    let wanted = Wanted::new(&Query::phrase("pubsub")).expect("something");
    for meets in ["search", "passages", "save"] {
        for (path, bytes) in &whole {
            for at in (crate::cache::HEADER..bytes.len()).step_by(6007) {
                let what = format!("{meets}, byte {at}");
                let mut flipped = bytes.clone();
                flipped[at] ^= 4;
                fs::write(path, flipped).expect("written");
                let manifest = path.with_file_name("text");
                let before = fs::read(&manifest).expect("read");
                let mut index = world.index();
                world.read(&mut index, &["a", "b", "c"]);
                match meets {
                    "search" => index.search(&wanted, &[RowId(0)], |_, _| true),
                    "passages" => drop(index.passages(&wanted, RowId(0))),
                    _ => {
                        // More than half of the text belongs to nobody, so it is rewritten.
                        index.remove(RowId(0));
                        index.save().expect("saved");
                    }
                }
                let jobs = heal(&mut index);
                finish(&mut index, jobs);
                let again = world.read(&mut index, &["a", "b", "c"]);
                assert!(again <= 1, "{what}: only what was removed is read again");
                // A block that none of them has read may be met here.
                for (row, word) in (0..).zip(["pubsub", "heron", "egret"]) {
                    let wanted = Wanted::new(&Query::phrase(word)).expect("something");
                    index.search(&wanted, &[0, 1, 2].map(RowId), |_, _| true);
                    drop(index.passages(&wanted, RowId(row)));
                    let jobs = heal(&mut index);
                    finish(&mut index, jobs);
                }
                for (word, row) in [("pubsub", 0), ("heron", 1), ("egret", 2)] {
                    assert_eq!(found(&mut index, word, 3), [row], "{what}");
                }
                assert_eq!(index.passages(&wanted, RowId(0)).len(), 1, "{what}");
                index.save().expect("saved");
                let mut index = world.index();
                assert_eq!(world.read(&mut index, &["a", "b", "c"]), 0, "{what}");
                // As it was, for the next one.
                for new in segments(&world) {
                    fs::remove_file(new).expect("removed");
                }
                for (path, bytes) in &whole {
                    fs::write(path, bytes).expect("written");
                }
                fs::write(&manifest, before).expect("written");
            }
        }
    }
}

#[test]
fn text_that_cannot_be_read_now_is_told_and_tried_again() {
    let world = World::new();
    world.say("a", "the pubsub topic");
    world.say("b", "pubsub, too");
    let mut index = world.index();
    world.read(&mut index, &["a", "b"]);
    index.save().expect("saved");
    let mut index = world.index();
    world.read(&mut index, &["a", "b"]);
    // As a search notes it.
    index
        .unavailable
        .insert(RowId(0), "too many open files".to_owned());
    let failed = index.progress().failed;
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].0.ends_with("a.jsonl"), "{failed:?}");
    assert_eq!(found(&mut index, "pubsub", 2), [0, 1]);
    assert!(index.progress().failed.is_empty());
}

/// Is a text in any file of the cache?
fn is_kept(world: &World, text: &str) -> bool {
    segments(world).iter().any(|path| {
        let bytes = fs::read(path).expect("read");
        memchr::memmem::find(&bytes, text.as_bytes()).is_some()
    })
}

#[test]
fn the_text_of_what_is_deleted_or_replaced_goes_with_the_next_save() {
    let world = World::new();
    world.say("a", "the harpsichord");
    world.say("a/subagents/agent-1", "the marimba");
    world.say("b", "the glockenspiel Stays");
    let mut index = world.index();
    world.read(&mut index, &["a", "b"]);
    index.save().expect("saved");
    assert!(is_kept(&world, "harpsichord") && is_kept(&world, "marimba"));
    let (a, b) = (world.row("a"), world.row("b"));
    let a = &a.session.file;
    // A root that cannot be listed says nothing about what is there.
    let mut index = world.index();
    index.put(RowId(0), &b);
    index.forget_others(&[]);
    index.save().expect("nothing to save");
    assert!(is_kept(&world, "harpsichord"));
    fs::remove_file(a.path()).expect("removed");
    fs::remove_dir_all(a.folder()).expect("removed");
    let mut index = world.index();
    assert_eq!(put(&mut index, RowId(0), &b).len(), 0);
    index.forget_others(&[world.root()]);
    index.save().expect("saved");
    assert!(!is_kept(&world, "harpsichord") && !is_kept(&world, "marimba"));
    assert_eq!(found(&mut index, "glockenspiel", 1), [0]);
    assert_eq!(found(&mut index, "Stays", 1), [0], "capitals are kept");
    // Replaced in place, while it is in memory and when it is stored.
    fs::write(b.session.file.path(), "").expect("emptied");
    world.say("b", "the xylophone");
    let mut index = world.index();
    world.read(&mut index, &["b"]);
    fs::write(b.session.file.path(), "").expect("emptied");
    world.say("b", "a bassoon in its place");
    world.read(&mut index, &["b"]);
    index.save().expect("saved");
    assert!(!is_kept(&world, "glockenspiel") && !is_kept(&world, "xylophone"));
    assert!(is_kept(&world, "bassoon"));
    assert_eq!(found(&mut index, "bassoon", 1), [0]);
    let mut index = world.index();
    assert_eq!(world.read(&mut index, &["b"]), 0, "it is stored whole");
}

#[test]
fn what_cannot_be_read_is_named() {
    let world = World::new();
    world.say("a", "one");
    let row = world.row("a");
    let mut index = world.index();
    let jobs = put(&mut index, RowId(0), &row);
    fs::remove_file(row.session.file.path()).expect("removed");
    finish(&mut index, jobs);
    let progress = index.progress();
    assert_eq!(progress.failed.len(), 1);
    assert_eq!(progress.failed[0].0, row.session.file.path());
    let wanted = Wanted::new(&Query::phrase("one")).expect("something");
    let mut count = 0;
    index.search(&wanted, &[RowId(0)], |_, _| {
        count += 1;
        true
    });
    assert_eq!(count, 0, "it does not count as searched");
}

#[test]
fn without_a_cache_everything_is_searched_and_nothing_is_kept() {
    let world = World::new();
    world.say("a", "one");
    let mut index = Index::open(&[world.root()], None);
    world.read(&mut index, &["a"]);
    assert_eq!(found(&mut index, "one", 1), [0]);
    index.save().expect("nothing to save");
    assert!(!world.cache().exists());
    // A cache that cannot be made is said, and the search goes on.
    fs::write(world.cache(), "no folder").expect("written");
    let mut index = world.index();
    assert_eq!(index.troubles().len(), 1);
    world.read(&mut index, &["a"]);
    assert_eq!(found(&mut index, "one", 1), [0]);
}

#[test]
fn a_word_that_does_not_occur_is_corrected_if_that_finds_something() {
    let world = World::new();
    world.say("a", "rotate the refresh token; refresh it twice");
    world.say("b", "the clocks drift");
    world.say(
        "c",
        "refresh the clocks and refrash the page, see subagent_checkpoints",
    );
    let mut index = world.index();
    world.read(&mut index, &["a", "b", "c"]);
    let mut suggested = |query: &str, rows: u32| {
        let search = ContentSearch {
            generation: Generation(1),
            query: Query::parse(query, &Utc::now()),
            rows: ContentCandidates {
                shown: (0..rows).map(RowId).collect(),
                ..ContentCandidates::default()
            },
        };
        let suggestion = suggestion(&mut index, &search, &|| false);
        assert!(heal(&mut index).is_empty());
        let found = suggestion?;
        Some((found.words(), found.count))
    };
    let refresh = |count| Some(("refresh".to_owned(), count));
    assert_eq!(suggested("refrehs", 3), refresh(2));
    assert_eq!(suggested("Refrehs", 3), refresh(2));
    assert_eq!(suggested("refrehs clocks", 3), refresh(1));
    assert_eq!(suggested("role:user refrehs -drift", 3), refresh(2));
    // Two words, and parts of a word.
    let both = |words: &str| Some((words.to_owned(), 1));
    assert_eq!(suggested("refrehs cloks", 3), both("refresh clocks"));
    let joined = both("subagent_checkpoints");
    assert_eq!(suggested("subagent_chekpoints", 3), joined);
    assert_eq!(suggested("subagnt_chekpoints", 3), joined);
    // With all words spelled right, or with three that are not, nothing is.
    assert_eq!(suggested("token clocks", 3), None);
    assert_eq!(suggested("refrehs cloks drfit", 3), None);
    // The right word finds nothing there.
    assert_eq!(suggested("refrehs drift", 3), None);
    assert_eq!(suggested("role:claude refrehs", 3), None);
    assert_eq!(suggested("xyzzy", 3), None);
    assert_eq!(suggested("refrehs", 0), None);
}

#[test]
fn what_changes_while_it_is_read_is_read_again() {
    let world = World::new();
    world.say("a", "one");
    let mut index = world.index();
    let jobs = put(&mut index, RowId(0), &world.row("a"));
    let (sender, steps) = channel();
    let readers = Readers::start(1, || {}, move |step| drop(sender.send(step))).expect("started");
    readers.read(jobs);
    let read: Vec<ReadStep> = (0..3).map(|_| steps.recv().expect("a step")).collect();
    world.say("a", "two");
    let path = world.row("a").session.file.path();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options()
        .append(true)
        .open(path)
        .expect("opened")
        .set_modified(later)
        .expect("set");
    assert!(
        put(&mut index, RowId(0), &world.row("a")).is_empty(),
        "it is being read"
    );
    for step in read {
        index.take(step);
    }
    let jobs = heal(&mut index);
    assert_eq!(finish(&mut index, jobs), 1);
    assert!(heal(&mut index).is_empty());
    assert_eq!(found(&mut index, "two", 1), [0]);
}
