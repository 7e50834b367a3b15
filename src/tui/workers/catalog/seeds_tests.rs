use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use tokio::sync::mpsc::channel;

use crate::list::Row;
use crate::search::RowId;
use crate::store::Session;
use crate::tui::Family;
use crate::tui::clipboard::ClipboardEnv;
use crate::tui::message::Message;
use crate::tui::request::{CheckRequest, Request};
use crate::tui::workers::{FirstRows, Sources, Spawner, Workers};

/// What a screen knows after all messages, and what it was told on the way.
#[derive(Default)]
struct Seen {
    rows: BTreeMap<RowId, Arc<Row>>,
    unchecked: BTreeSet<RowId>,
    related: Vec<(RowId, Family)>,
    seeds: usize,
    /// The prompts of the rows that there were when a file was first listed.
    first: Vec<String>,
}

impl Seen {
    fn take(&mut self, message: Message) {
        match message {
            Message::Rows(rows) => {
                for (id, row) in rows {
                    if let Some(row) = row {
                        self.rows.insert(id, row);
                    } else {
                        self.rows.remove(&id);
                        self.unchecked.remove(&id);
                    }
                }
            }
            Message::Unchecked(rows) => {
                self.seeds += rows.len();
                self.unchecked.extend(rows);
            }
            Message::Checked(rows) => {
                for row in rows {
                    assert!(self.rows.contains_key(&row));
                    self.unchecked.remove(&row);
                }
            }
            Message::Listed(_) => {
                let prompts = self.rows.values();
                let prompts = prompts.filter_map(|row| row.session.meta.first_prompt.as_deref());
                self.first = prompts.map(str::to_owned).collect();
            }
            Message::Related(members) => self.related = members,
            _ => {}
        }
    }

    fn families(&self) -> BTreeSet<BTreeSet<String>> {
        let mut families: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for (row, family) in &self.related {
            let id = self.rows[row].session.file.id.to_string();
            families.entry(family.0).or_default().insert(id);
        }
        families.into_values().collect()
    }

    /// Everything that a list shows of the rows.
    fn listed(&self) -> BTreeSet<Vec<String>> {
        let line = |session: &Session| {
            let Session { file, meta, hidden } = session;
            let version = (file.version(), file.modified, file.has_folder, file.state);
            format!("{:?} {version:?} {meta:?} {hidden:?}", file.path())
        };
        let rows = self.rows.values();
        rows.map(|row| row.files().map(line).collect()).collect()
    }
}

fn sources(roots: &[PathBuf], cache: Option<&Path>) -> Sources {
    Sources {
        roots: roots.to_vec(),
        here: Some("/shop".into()),
        cache: cache.map(Path::to_owned),
        first_rows: FirstRows::Cache,
        ..Sources::default()
    }
}

/// Runs the workers to the end of their scan. `meanwhile` is asked before each message is taken.
fn run(sources: Sources, mut meanwhile: impl FnMut(&Seen, &Workers, &Message)) -> Seen {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    let (sender, mut inbox) = channel(1);
    let spawner = Spawner::new(runtime.handle().clone(), sender);
    let workers = Workers::start(sources, ClipboardEnv::default(), spawner).expect("started");
    let (mut workers, mut seen) = (Some(workers), Seen::default());
    while let Some(message) = inbox.blocking_recv() {
        if let Some(workers) = &workers {
            meanwhile(&seen, workers, &message);
        }
        let is_over = matches!(message, Message::Scanned(_));
        seen.take(message);
        workers = workers.filter(|_| !is_over);
    }
    assert!(workers.is_none());
    seen
}

fn scan(roots: &[PathBuf], cache: Option<&Path>) -> Seen {
    run(sources(roots, cache), |_, _, _| {})
}

/// A file that was left so many seconds after the epoch: long enough ago to be believed.
fn write(path: &Path, text: &str, seconds: u64) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
    let file = File::options().append(true).open(path).expect("opens");
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    file.set_modified(time).expect("set");
}

fn id(n: u64) -> String {
    format!("{n:08x}-0000-4000-8000-000000000000")
}

fn prompt(n: u64, cwd: &str, words: &str) -> String {
    let id = id(n);
    let line = json!({"type": "user", "uuid": id, "cwd": cwd, "sessionId": id,
                      "timestamp": "2026-03-01T10:00:00.000Z",
                      "message": {"role": "user", "content": words}});
    format!("{line}\n")
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// Does something to one of the files.
fn change(roots: &[PathBuf], numbers: &mut Numbers, moment: u64) {
    let mut any =
        |of: &[PathBuf]| of[usize::try_from(numbers.below(of.len() as u64)).unwrap()].clone();
    let root = any(roots);
    let project = any(&["-shop", "-shop-web", "-else"].map(PathBuf::from));
    let folder = root.join("projects").join(project);
    let n = numbers.below(14);
    let path = folder.join(format!("{}.jsonl", id(n)));
    let seconds = 1_000_000 + moment;
    let cwd = ["/shop", "/shop/web", "/else"][usize::try_from(numbers.below(3)).unwrap()];
    let _ = fs::remove_dir_all(&path);
    match numbers.below(12) {
        0..=3 => write(&path, &prompt(n, cwd, &format!("words {moment}")), seconds),
        4 => drop(fs::remove_file(&path)),
        5 => write(&path, "", seconds),
        6 => {
            let title = json!({"type": "custom-title", "customTitle": format!("name {moment}"),
                               "sessionId": id(n)});
            let text = format!("{}{title}\n", prompt(n, cwd, "named"));
            write(&path, &text, seconds);
        }
        7 => {
            let fork = json!({"forkedFrom": {"sessionId": id(n + 1), "messageUuid": id(n + 1)}});
            let mut line: serde_json::Value =
                serde_json::from_str(&prompt(n, cwd, "forked")).expect("JSON");
            line["forkedFrom"] = fork["forkedFrom"].clone();
            write(&path, &format!("{line}\n"), seconds);
        }
        8 => {
            // A folder in place of the file.
            let _ = fs::remove_file(&path);
            fs::create_dir_all(&path).expect("made");
        }
        9 => drop(fs::remove_dir_all(&folder)),
        10 => drop(fs::rename(
            &path,
            folder.join(format!("{}.jsonl", id(n + 20))),
        )),
        _ => {
            let script = prompt(n, cwd, "run").replace(
                "\"type\":\"user\"",
                "\"type\":\"user\",\"entrypoint\":\"sdk-cli\"",
            );
            write(&path, &script, seconds);
        }
    }
}

#[test]
fn whatever_changed_since_the_rows_are_those_of_a_start_without_a_cache() {
    let base = tempfile::tempdir().expect("a folder");
    let cache = base.path().join("cache");
    let roots = [base.path().join("one"), base.path().join("two")];
    let mut numbers = Numbers(7);
    let mut seeds = 0;
    for moment in 0..80 {
        for _ in 0..=numbers.below(6) {
            change(&roots, &mut numbers, moment);
        }
        let with = scan(&roots, Some(&cache));
        let without = scan(&roots, None);
        let (rows, wanted) = (with.listed(), without.listed());
        let other: Vec<_> = rows.symmetric_difference(&wanted).collect();
        assert!(other.is_empty(), "round {moment}: {other:#?}");
        assert_eq!(with.families(), without.families(), "round {moment}");
        assert!(with.unchecked.is_empty(), "round {moment}");
        assert_eq!(without.seeds, 0);
        seeds += with.seeds;
    }
    assert!(seeds > 200, "{seeds}");
}

/// A store of three sessions that a start with a cache has read.
fn store() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let base = tempfile::tempdir().expect("a folder");
    let (root, cache) = (base.path().join("claude"), base.path().join("cache"));
    for n in 1..=3 {
        let path = root.join(format!("projects/-shop/{}.jsonl", id(n)));
        write(&path, &prompt(n, "/shop", &format!("words {n}")), 1_000 + n);
    }
    scan(std::slice::from_ref(&root), Some(&cache));
    (base, root, cache)
}

#[test]
fn the_rows_of_the_cache_come_before_anything_is_listed() {
    let (_base, root, cache) = store();
    let roots = std::slice::from_ref(&root);
    let mut first = scan(roots, Some(&cache)).first;
    first.sort();
    assert_eq!(first, ["words 1", "words 2", "words 3"]);
    assert!(scan(roots, None).first.is_empty());
    let plain = Sources {
        first_rows: FirstRows::Scan,
        ..sources(roots, Some(&cache))
    };
    assert_eq!(run(plain, |_, _, _| {}).seeds, 0);
}

#[test]
fn a_row_that_is_as_it_was_is_confirmed_and_not_published_again() {
    let (_base, root, cache) = store();
    let mut published = 0;
    let seen = run(sources(&[root], Some(&cache)), |_, _, message| {
        if let Message::Rows(rows) = message {
            published += rows.len();
        }
    });
    assert_eq!((seen.seeds, seen.rows.len(), published), (3, 3, 3));
}

/// Asks for a check of the session as soon as its row is there, and returns what was told until the
/// scan had listed anything, and at the end.
fn check(root: &Path, cache: &Path, n: u64) -> Seen {
    let mut has_asked = false;
    run(
        sources(&[root.to_owned()], Some(cache)),
        |seen, workers, _| {
            let mut rows = seen.rows.iter();
            let row = rows.find(|(_, row)| *row.session.file.id == id(n));
            if let Some((row, what)) = row.filter(|_| !has_asked) {
                has_asked = true;
                workers.send(Request::Check(CheckRequest {
                    row: *row,
                    what: Arc::clone(what),
                }));
            }
        },
    )
}

#[test]
fn a_row_that_is_checked_while_the_scan_runs_is_one_row_with_one_file() {
    let (_base, root, cache) = store();
    let path = |n| root.join(format!("projects/-shop/{}.jsonl", id(n)));
    write(&path(2), &prompt(2, "/shop", "other words"), 5_000);
    fs::remove_file(path(3)).expect("removed");
    for n in 1..=3 {
        let seen = check(&root, &cache, n);
        let without = scan(std::slice::from_ref(&root), None);
        assert_eq!(seen.listed(), without.listed(), "check of {n}");
        assert!(seen.unchecked.is_empty());
    }
}
