//! How fast conversations are searched, as ratios against reading them and against `memmem`.
//!
//! `cargo bench --bench content` makes stores of 10,000 sessions, with 2 GB or more in the layout
//! of new and of old versions and with 1 GB of nothing but text, measures each in one run, and
//! prints ratios beside the budgets of docs/PERFORMANCE.md. Names of stores after `--` measure
//! those alone. `CLAUDE_RESUME_BENCH_STORES` keeps the stores in a folder for the next run.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[allow(dead_code, reason = "shared by benchmarks that need different parts")]
#[path = "conversation.rs"]
mod conversation;
#[allow(dead_code, reason = "shared by benchmarks that need different parts")]
#[path = "generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;

use std::fs::{self, File, OpenOptions};
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use chrono::Utc;
use claude_resume::content::{
    ContentAnswer, ContentRequest, ContentSearch, ContentSources, ContentWorker, Index, Readers,
    Wanted,
};
use claude_resume::list::Row;
use claude_resume::search::{ContentCandidates, Generation, Query, RowId};
use claude_resume::store::{FileInfo, Session, SessionMeta, list};
use conversation::{Conversation, Era};
use generate::prose;
use measure::{best_of, contest, memory_subject, peak_memory, print_peak_memory, row};
use memchr::memmem;

const SESSIONS: usize = 10_000;
const BYTES: u64 = 200 * 1024;
const PER_PROJECT: usize = 200;
const ROUNDS: usize = 5;
/// Hits on the first screen.
const SCREEN: usize = 50;
/// A rare word, two that are nowhere, one that is everywhere, two words, and the worst case: nowhere,
/// and too short for the filter.
const QUERIES: [&str; 6] = [
    "pubsub",
    "quating",
    "nowheretobefound",
    "ba",
    "pubsub co",
    "zq",
];

fn main() {
    if let Some(root) = memory_subject() {
        let files = files_of(&root);
        let mut index = Index::open(std::slice::from_ref(&root), Some(&cache_of(&root)));
        fill(&mut index, &files);
        index.save().expect("saved");
        for query in QUERIES {
            search(&mut index, query, files.len(), usize::MAX);
        }
        return print_peak_memory();
    }
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = std::env::var_os("CLAUDE_RESUME_BENCH_STORES");
    let folder = folder.map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let asked: Vec<&String> = asked.iter().filter(|it| !it.starts_with("--")).collect();
    for (name, era) in [
        ("new", Some(Era::Copies)),
        ("old", Some(Era::Progress)),
        ("text", None),
    ] {
        if !asked.is_empty() && !asked.iter().any(|asked| *asked == name) {
            continue;
        }
        let root = folder.join(name);
        if !root.exists() {
            eprintln!("making {SESSIONS} sessions: {name}…");
            make(&root, era);
        }
        measure(name, &root);
        fs::remove_dir_all(cache_of(&root)).expect("removed");
    }
}

/// Where the cache of a store is while it is measured.
fn cache_of(root: &Path) -> PathBuf {
    root.with_extension("cache")
}

/// Makes a store in a layout, or one with 1 GB of nothing but text.
fn make(root: &Path, era: Option<Era>) {
    for n in 0..SESSIONS {
        let project = root.join(format!("projects/-home-ada-project{:03}", n / PER_PROJECT));
        fs::create_dir_all(&project).expect("made");
        let path = project.join(format!("{n:08x}-0000-4000-8000-000000000000.jsonl"));
        match era {
            Some(era) => Conversation::create(&path, era)
                .with_words(n)
                .until(BYTES)
                .finish(),
            None => drop(File::create(&path).expect("made")),
        }
        let mut file = OpenOptions::new().append(true).open(&path).expect("opened");
        if era.is_none() {
            for part in 0..10 {
                say(&mut file, &prose(n * 1_000_003 + part, 11_000));
            }
        }
        if n % 500 == 0 {
            say(&mut file, "the pubsub topic");
        }
        let time = UNIX_EPOCH + Duration::from_secs(1_767_225_600 + n as u64 * 60);
        file.set_modified(time).expect("set");
    }
}

fn say(file: &mut File, text: &str) {
    let line = format!(
        r#"{{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","message":{{"role":"user","content":"{text}"}}}}"#
    );
    writeln!(file, "{line}").expect("written");
}

fn measure(name: &str, root: &Path) {
    let files = files_of(root);
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    let megabytes = bytes / 1_000_000;
    println!("{name}: {} sessions, {megabytes} MB", files.len());
    let cache = cache_of(root);
    let open = || Index::open(&[root.to_owned()], Some(&cache));
    let build = || {
        let _ = fs::remove_dir_all(&cache);
        let mut index = open();
        fill(&mut index, &files);
        index.save().expect("saved");
    };
    let [building, reading] = contest(2, [&build, &|| read_all(&files)]);
    row(
        "a. building / reading every byte",
        building,
        reading,
        "at most 3",
    );
    extend(&mut open(), root, &files, building);
    let files = files_of(root);

    let checking = best_of(ROUNDS, || {
        let mut index = open();
        assert_eq!(fill(&mut index, &files), 0, "all is known");
    });
    println!("   opening the cache and checking all files against it: {checking:.1?}");
    first_word(root, &files);
    let mut index = open();
    fill(&mut index, &files);
    let (text, dead) = index.sizes();
    println!("   text {} MB, {dead} bytes of it dead", text / 1_000_000);

    let all = index.all_text();
    let index = Mutex::new(index);
    for query in QUERIES {
        let index = || index.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = || {
            black_box(search(&mut index(), query, files.len(), usize::MAX));
        };
        let first = query.split(' ').next().unwrap_or_default();
        let pass = || {
            black_box(memmem::find_iter(&all, first.as_bytes()).count());
        };
        let [searching, passing] = contest(ROUNDS, [&whole, &pass]);
        let hits = search(&mut index(), query, files.len(), usize::MAX);
        let name = format!("c. '{query}', {hits} hits: searching / one memmem pass");
        row(&name, searching, passing, "at most 2");
        let screen = best_of(ROUNDS, || search(&mut index(), query, files.len(), SCREEN));
        println!("d. '{query}': the first screen: {screen:.1?} (budget: at most 60 ms)");
    }
    drop((all, index));
    rg(root, &cache, &files);

    let searched = peak_memory(root);
    fs::remove_dir_all(&cache).expect("removed");
    let built = peak_memory(root);
    println!("f. peak memory: {searched} MB to search, {built} MB to build (budget: at most 60)");
}

/// One session grows by ten lines.
fn extend(index: &mut Index, root: &Path, files: &[FileInfo], building: Duration) {
    fill(index, files);
    let mut grown = OpenOptions::new()
        .append(true)
        .open(files[0].path())
        .expect("opened");
    (0..10).for_each(|_| say(&mut grown, "more"));
    let mut now = files_of(root).into_iter();
    let file = now.find(|file| file.id == files[0].id).expect("there");
    let start = Instant::now();
    index.put(RowId(0), &row_of(&file));
    finish(index);
    index.save().expect("saved");
    let extending = start.elapsed();
    let ratio = extending.as_secs_f64() / building.as_secs_f64();
    println!("b. extending / building: {ratio:.4} ({extending:.1?}; budget: at most 0.02)");
}

/// From a query to the first reply, in a picker that has stood for a moment.
fn first_word(root: &Path, files: &[FileInfo]) {
    let rows: Vec<RowId> = (0..u32::try_from(files.len()).expect("few"))
        .map(RowId)
        .collect();
    for query in ["pubsub", "nowheretobefound", "ba"] {
        let time = || {
            let sources = ContentSources {
                roots: vec![root.to_owned()],
                cache: Some(cache_of(root)),
                threads: threads(),
            };
            let (sender, answers) = channel();
            let answer = move |answer| drop(sender.send(answer));
            let worker = ContentWorker::start(sources, || {}, answer).expect("started");
            let all = rows.iter().zip(files);
            let all = all.map(|(row, file)| (*row, Some(row_of(file))));
            worker.send(ContentRequest::Rows(all.collect()));
            worker.send(ContentRequest::Open);
            thread::sleep(Duration::from_secs(1));
            let search = ContentSearch {
                generation: Generation(1),
                query: Query::parse(query, &Utc::now()),
                rows: ContentCandidates {
                    shown: rows.clone(),
                    ..ContentCandidates::default()
                },
            };
            let start = Instant::now();
            worker.send(ContentRequest::Search(search));
            let found = answers.recv().expect("an answer");
            assert!(matches!(found, ContentAnswer::Found(_)));
            start.elapsed()
        };
        let best = (0..ROUNDS).map(|_| time()).min().unwrap_or_default();
        println!("g. '{query}': the first word: {best:.1?} (budget: at most 6 ms)");
    }
}

/// From an open cache to the ids, against ripgrep over the same transcripts.
fn rg(root: &Path, cache: &Path, files: &[FileInfo]) {
    let rg = || {
        let mut rg = Command::new("rg");
        rg.args(["-il", "pubsub"]).arg(root).output()
    };
    if rg().is_err() {
        return println!("e. rg: skipped, it is not installed");
    }
    let ours = || {
        let mut index = Index::open(&[root.to_owned()], Some(cache));
        fill(&mut index, files);
        black_box(search(&mut index, "pubsub", files.len(), usize::MAX));
    };
    let [rg, ours] = contest(3, [&|| drop(rg()), &ours]);
    row(
        "e. rg / opening the cache and searching",
        rg,
        ours,
        "at least 10",
    );
}

/// How many of all conversations have it, until there are enough.
fn search(index: &mut Index, query: &str, rows: usize, enough: usize) -> usize {
    let wanted = Wanted::new(&Query::parse(query, &Utc::now())).expect("something");
    let rows: Vec<RowId> = (0..u32::try_from(rows).expect("few")).map(RowId).collect();
    let mut count = 0;
    index.search(&wanted, &rows, |_, has| {
        count += usize::from(has);
        count < enough
    });
    index.heal();
    assert!(!index.is_reading(), "nothing is damaged");
    count
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn files_of(root: &Path) -> Vec<FileInfo> {
    list(&[root.to_owned()], threads(), &AtomicBool::new(false)).files
}

/// Reads what is not known. Returns how many files that were.
fn fill(index: &mut Index, files: &[FileInfo]) -> usize {
    for (at, file) in (0..).zip(files) {
        index.put(RowId(at), &row_of(file));
    }
    finish(index)
}

fn row_of(file: &FileInfo) -> Arc<Row> {
    let (file, meta, hidden) = (file.clone(), SessionMeta::default(), None);
    Arc::new(Row::new(Session { file, meta, hidden }))
}

fn finish(index: &mut Index) -> usize {
    let jobs = index.jobs(usize::MAX);
    let count = jobs.len();
    let (sender, steps) = channel();
    let readers = Readers::start(threads(), || {}, move |step| drop(sender.send(step)));
    let readers = readers.expect("started");
    readers.read(jobs);
    while index.is_reading() {
        index.take(steps.recv().expect("a step"));
        readers.taken();
    }
    count
}

fn read_all(files: &[FileInfo]) {
    let queue = Mutex::new(files.iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                let mut buffer = vec![0; 1024 * 1024];
                while let Some(file) = next() {
                    let mut file = File::open(file.path()).expect("opened");
                    while file.read(&mut buffer).expect("read") > 0 {
                        black_box(&buffer);
                    }
                }
            });
        }
    });
}
