//! The text cache when things go wrong: whatever happens to it, the next answer is the right one
//! or says what is missing, and nothing in the Claude directory changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use claude_resume::content::{Index, ReadJob, Readers, Wanted};
use claude_resume::list::Row;
use claude_resume::search::{Query, RowId};
use claude_resume::store::{Session, SessionMeta, list};

use crate::support::{Store, conversation, id};

/// Set for a process that plays a part in a test here.
const PART: &str = "CLAUDE_RESUME_TEST_TEXT_WRITER";
const WORDS: [&str; 3] = ["alpha", "beta", "gamma"];

/// A store with a conversation for each word. Each is twice as long as a block of the filter.
struct World {
    store: Store,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            store: Store::new(),
            folder: tempfile::tempdir().expect("a folder"),
        };
        for (n, word) in (1..).zip(WORDS) {
            let text = format!("{word} {}", "some text that is long ".repeat(800));
            world.add(n, &conversation(&text, "/home/ada"));
        }
        world
    }

    fn path(&self, n: u32) -> PathBuf {
        let project = self.store.root().join("projects/-home-ada");
        fs::create_dir_all(&project).expect("made");
        project.join(format!("{}.jsonl", id(n)))
    }

    fn add(&self, n: u32, lines: &str) {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.path(n));
        file.and_then(|mut file| file.write_all(lines.as_bytes()))
            .expect("written");
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// The files of the cache with what is in them.
    fn stored(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files(&self.cache())
    }

    fn searcher(&self) -> Searcher {
        Searcher::open(&self.store.root(), &self.cache())
    }

    /// A new start finds every word where it is, and after it the cache is as good as new.
    fn check(&self, what: &str) {
        let mut searcher = self.searcher();
        for (n, word) in (1..).zip(WORDS) {
            let expected = BTreeSet::from([id(n)]);
            assert_eq!(searcher.find(word), expected, "{word} after {what}");
        }
        searcher.index.save().expect("saved");
        let mut searcher = self.searcher();
        assert_eq!(searcher.catch_up(), 0, "all is known after {what}");
        assert_eq!(searcher.find("text that is long").len(), 3, "after {what}");
    }
}

/// All files in a folder and below.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else if let Ok(bytes) = fs::read(entry.path()) {
            found.insert(entry.path(), bytes);
        }
    }
    found
}

struct Searcher {
    index: Index,
    root: PathBuf,
    ids: Vec<String>,
}

impl Searcher {
    fn open(root: &Path, cache: &Path) -> Self {
        let index = Index::open(&[root.to_owned()], Some(cache));
        let root = root.to_owned();
        let mut searcher = Self {
            index,
            root,
            ids: Vec::new(),
        };
        searcher.catch_up();
        searcher
    }

    /// Reads what is new. Says how many files that were.
    fn catch_up(&mut self) -> usize {
        let jobs = self.jobs();
        self.read(jobs)
    }

    fn jobs(&mut self) -> Vec<ReadJob> {
        let mut files = list(std::slice::from_ref(&self.root), 1, &AtomicBool::new(false)).files;
        files.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        let gone = (0..).zip(&self.ids).skip(files.len());
        let gone: Vec<u32> = gone.map(|(row, _)| row).collect();
        for row in gone {
            self.index.remove(RowId(row));
        }
        self.ids = files.iter().map(|file| file.id.to_string()).collect();
        for (row, file) in (0..).zip(files) {
            let (meta, hidden) = (SessionMeta::default(), None);
            let session = Session { file, meta, hidden };
            self.index.put(RowId(row), &Arc::new(Row::new(session)));
        }
        self.index.jobs(usize::MAX)
    }

    fn read(&mut self, jobs: Vec<ReadJob>) -> usize {
        let count = jobs.len();
        let (sender, steps) = channel();
        let readers = Readers::start(1, || {}, move |step| drop(sender.send(step)));
        let readers = readers.expect("started");
        readers.read(jobs);
        while self.index.is_reading() {
            self.index.take(steps.recv().expect("a step"));
            readers.taken();
        }
        count
    }

    /// The conversations that have a word, once what was damaged is read again.
    fn find(&mut self, word: &str) -> BTreeSet<String> {
        let wanted = Wanted::new(&Query::phrase(word)).expect("something");
        let rows: Vec<RowId> = (0..).take(self.ids.len()).map(RowId).collect();
        loop {
            let mut found = BTreeSet::new();
            let ids = &self.ids;
            self.index.search(&wanted, &rows, |row, has| {
                found.extend(has.then(|| ids[row.0 as usize].clone()));
                true
            });
            self.index.heal();
            let damaged = self.index.jobs(usize::MAX);
            if damaged.is_empty() {
                return found;
            }
            self.read(damaged);
        }
    }
}

/// Starts this test program again to write a cache. `limit` is the size at which files are full, in
/// blocks of half a kilobyte.
fn writer(part: &str, limit: &str, world: &World) -> Command {
    let mut command = Command::new("sh");
    // The signal at the limit ends a process, unless it is ignored: then writing fails as it does
    // on a full disk.
    let script =
        r#"[ "$1" != full ] || trap '' XFSZ; ulimit -c 0; ulimit -f "$2"; shift 2; exec "$@""#;
    command
        .args(["-c", script, "sh", part, limit])
        .arg(std::env::current_exe().expect("a path"))
        .args(["--exact", "content_faults::a_writer_in_another_process"])
        .env(PART, part)
        .env("CLAUDE_RESUME_TEST_ROOT", world.store.root())
        .env("CLAUDE_RESUME_TEST_CACHE", world.cache())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// No test by itself: what the other processes of the tests below do.
#[test]
fn a_writer_in_another_process() {
    let path = |name| std::env::var_os(name).map(PathBuf::from);
    let (Ok(part), Some(root), Some(cache)) = (
        std::env::var(PART),
        path("CLAUDE_RESUME_TEST_ROOT"),
        path("CLAUDE_RESUME_TEST_CACHE"),
    ) else {
        return;
    };
    loop {
        let mut searcher = Searcher::open(&root, &cache);
        let saved = searcher.index.save();
        match part.as_str() {
            "full" => {
                let troubles = searcher.index.troubles();
                assert!(saved.is_err() || !troubles.is_empty(), "it is said");
                return assert_eq!(searcher.find("alpha"), BTreeSet::from([id(1)]));
            }
            "once" => return saved.expect("saved"),
            _ => saved.expect("saved"),
        }
        // The next round writes everything again.
        for row in 0..3 {
            searcher.index.remove(RowId(row));
        }
        searcher.index.save().expect("saved");
    }
}

#[test]
fn a_writer_that_is_killed_leaves_a_cache_that_can_be_used() {
    let world = World::new();
    let before = files(&world.store.root());
    for round in 0..12 {
        let mut child: Child = writer("often", "unlimited", &world)
            .spawn()
            .expect("starts");
        // Until it writes, and then a little longer each time.
        while world.stored().is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(700 * round));
        child.kill().expect("killed");
        child.wait().expect("ended");
        world.check(&format!("kill {round}"));
    }
    assert_eq!(files(&world.store.root()), before);
}

#[test]
fn a_file_that_cannot_be_written_to_its_end_is_not_there() {
    let world = World::new();
    // From nothing at all to more than any file needs.
    for limit in ["0", "1", "2", "8", "64", "100", "200", "4096"] {
        for part in ["once", "full"] {
            let _ = fs::remove_dir_all(world.cache());
            let ended = writer(part, limit, &world).status().expect("ran");
            // Either it is killed, or writing fails and the answer is right all the same.
            let is_enough = limit == "4096";
            assert_eq!(ended.success(), (part == "full") != is_enough, "{limit}");
            let stored = world.stored().into_keys();
            let names = stored.filter_map(|path| Some(path.file_name()?.to_owned()));
            let has = |name: &std::ffi::OsString| name.to_string_lossy().starts_with("text-");
            assert_eq!(names.filter(has).count() > 0, is_enough, "{limit}");
            world.check(&format!("{limit} blocks, {part}"));
        }
    }
}

/// Places of a file worth breaking: both ends, the words, and some between. Of a small one, all.
fn places(bytes: &[u8]) -> BTreeSet<usize> {
    let step = if bytes.len() < 1000 {
        1
    } else {
        bytes.len() / 50
    };
    let mut places: BTreeSet<usize> = (0..bytes.len()).step_by(step).collect();
    for word in WORDS {
        for at in memchr::memmem::find_iter(bytes, word) {
            places.extend(at..at + word.len());
        }
    }
    places.extend(0..bytes.len().min(40));
    places.extend(bytes.len().saturating_sub(40)..bytes.len());
    places
}

#[test]
fn a_cache_that_is_cut_or_flipped_anywhere_is_never_an_answer() {
    let world = World::new();
    world.check("the start");
    let whole = world.stored();
    for (path, bytes) in &whole {
        for at in places(bytes) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            for broken in [&bytes[..at], &flipped] {
                // The last one may have been made anew under other names.
                for path in world.stored().keys() {
                    fs::remove_file(path).expect("removed");
                }
                for (path, bytes) in &whole {
                    fs::write(path, bytes).expect("written");
                }
                fs::write(path, broken).expect("written");
                world.check(&format!("damage at {at} of {}", path.display()));
            }
        }
    }
}

#[test]
fn two_writers_do_not_harm_each_other() {
    let world = World::new();
    let (mut one, mut other) = (world.searcher(), world.searcher());
    for round in 0..6 {
        world.add(1, &conversation(&format!("round{round}"), "/home/ada"));
        for searcher in [&mut one, &mut other] {
            searcher.catch_up();
            searcher.index.save().expect("saved");
            assert_eq!(searcher.find(&format!("round{round}")).len(), 1);
        }
        world.check(&format!("round {round}"));
    }
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let mut searcher = world.searcher();
                    assert_eq!(searcher.find("round5").len(), 1);
                    searcher.index.remove(RowId(1));
                    searcher.index.save().expect("saved");
                }
            });
        }
    });
    world.check("two at once");
}

#[test]
fn a_cache_that_cannot_be_written_is_said_and_does_without() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    world.check("the start");
    let folder = world.stored().into_keys().next().expect("a file");
    let folder = folder.parent().expect("a folder").to_owned();
    let allow = |mode| {
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("set");
    };
    allow(0o500);
    if fs::write(folder.join("probe"), "").is_ok() {
        eprintln!("skipped: nothing is forbidden to this user");
        return;
    }
    let mut searcher = world.searcher();
    assert_eq!(searcher.catch_up(), 0, "what is stored is still read");
    world.add(2, &conversation("delta", "/home/ada"));
    searcher.catch_up();
    let error = searcher.index.save().expect_err("nothing can be stored");
    assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
    assert_eq!(searcher.find("delta"), BTreeSet::from([id(2)]));
    allow(0o700);
    world.check("that");
}

/// What happens to the first conversation of a store, with its name.
type Change = (&'static str, fn(&World));

#[test]
fn a_store_that_changes_while_it_is_read_is_right_the_next_time() {
    let world = World::new();
    let changes: [Change; 4] = [
        ("append", |world| {
            world.add(1, &conversation("delta", "/home/ada"));
        }),
        ("truncate", |world| {
            fs::write(world.path(1), "").expect("written");
        }),
        ("replace", |world| {
            let path = world.path(1);
            fs::write(path.with_extension("new"), conversation("delta", "/home")).expect("written");
            fs::rename(path.with_extension("new"), path).expect("renamed");
        }),
        ("delete", |world| {
            fs::remove_file(world.path(1)).expect("removed");
        }),
    ];
    for (name, change) in changes {
        // Before a file is opened, and while its steps are taken.
        for moment in 0..4 {
            fs::write(world.path(1), conversation("alpha", "/home/ada")).expect("written");
            let _ = fs::remove_dir_all(world.cache());
            let mut searcher = world.searcher();
            searcher.index.save().expect("saved");
            world.add(1, &conversation("epsilon", "/home/ada"));
            let jobs = searcher.jobs();
            assert_eq!(jobs.len(), 1);
            let (sender, steps) = channel();
            let readers = Readers::start(1, || {}, move |step| drop(sender.send(step)));
            let readers = readers.expect("started");
            let mut taken = 0;
            if moment == 0 {
                change(&world);
            }
            readers.read(jobs);
            while searcher.index.is_reading() {
                searcher.index.take(steps.recv().expect("a step"));
                readers.taken();
                taken += 1;
                if taken == moment {
                    change(&world);
                }
            }
            let progress = searcher.index.progress();
            if name == "delete" && moment == 0 {
                assert_eq!(progress.failed[0].0, world.path(1), "it is named");
            }
            searcher.index.save().expect("saved");
            for searcher in [&mut searcher, &mut world.searcher()] {
                searcher.catch_up();
                let expect = |word: &str, is: bool| {
                    let expected: BTreeSet<String> = is.then(|| id(1)).into_iter().collect();
                    (word.to_owned(), expected)
                };
                let appended = name == "append";
                for (word, expected) in [
                    expect("alpha", appended),
                    expect("epsilon", appended),
                    expect("delta", appended || name == "replace"),
                ] {
                    assert_eq!(searcher.find(&word), expected, "{name} at {moment}: {word}");
                }
                let others = searcher.find("some text that is long");
                assert_eq!(others, BTreeSet::from([id(2), id(3)]), "{name}");
            }
        }
    }
}
