//! How fast conversations are searched, as ratios against reading them and against `memmem`.
//!
//! `cargo bench --bench content` makes two stores of 10,000 sessions and 2 GB, in the layout of new
//! and of old versions, measures everything in one run, and prints ratios beside the budgets of
//! docs/PERFORMANCE.md. `CLAUDE_RESUME_BENCH_STORES` keeps the stores in a folder for the next run.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "conversation.rs"]
mod conversation;
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
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use chrono::Utc;
use claude_resume::content::{Index, Readers, Wanted};
use claude_resume::search::{Query, RowId};
use claude_resume::store::{FileInfo, list};
use conversation::{Conversation, Era};
use measure::{contest, row};
use memchr::memmem;

const SESSIONS: usize = 10_000;
const BYTES: u64 = 200 * 1024;
const PER_PROJECT: usize = 200;
const ROUNDS: usize = 5;
/// A rare word, one in every tenth text, and one that is nowhere.
const QUERIES: [&str; 5] = ["pubsub", "quating", "nowheretobefound", "ba", "pubsub co"];

fn main() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = std::env::var_os("CLAUDE_RESUME_BENCH_STORES");
    let folder = folder.map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    for (name, era) in [("new", Era::Copies), ("old", Era::Progress)] {
        let root = folder.join(name);
        if !root.exists() {
            eprintln!("making {SESSIONS} sessions in the {name} layout…");
            make(&root, era);
        }
        measure(name, &root, temporary.path());
    }
}

fn make(root: &Path, era: Era) {
    for n in 0..SESSIONS {
        let project = root.join(format!("projects/-home-ada-project{:03}", n / PER_PROJECT));
        fs::create_dir_all(&project).expect("made");
        let path = project.join(format!("{n:08x}-0000-4000-8000-000000000000.jsonl"));
        Conversation::create(&path, era)
            .with_words(n)
            .until(BYTES)
            .finish();
        let mut file = OpenOptions::new().append(true).open(&path).expect("opened");
        if n % 500 == 0 {
            let line = r#"{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","message":{"role":"user","content":"the pubsub topic"}}"#;
            writeln!(file, "{line}").expect("written");
        }
        let time = UNIX_EPOCH + Duration::from_secs(1_767_225_600 + n as u64 * 60);
        file.set_modified(time).expect("set");
    }
}

fn measure(name: &str, root: &Path, temporary: &Path) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let files = list(&[root.to_owned()], threads, &AtomicBool::new(false)).files;
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    println!(
        "{name} layout: {} sessions, {} MB",
        files.len(),
        bytes / 1_000_000
    );
    let cache = temporary.join(format!("cache-{name}"));
    let build = || {
        let _ = fs::remove_dir_all(&cache);
        let mut index = Index::open(&[root.to_owned()], Some(&cache));
        fill(&mut index, &files, threads);
        index.save().expect("saved");
    };
    let [building, reading] = contest(2, [&build, &|| read_all(&files, threads)]);
    row(
        "a. building / reading every byte",
        building,
        reading,
        "at most 3",
    );

    let mut index = Index::open(&[root.to_owned()], Some(&cache));
    let start = Instant::now();
    assert_eq!(fill(&mut index, &files, threads), 0, "all is known");
    println!(
        "   checking {} files against the cache: {:.1?}",
        files.len(),
        start.elapsed()
    );
    let (text, dead) = index.sizes();
    let stored = fs::read_dir(&cache)
        .expect("listed")
        .flatten()
        .flat_map(|folder| fs::read_dir(folder.path()).expect("listed").flatten());
    let stored: u64 = stored
        .map(|file| file.metadata().expect("read").len())
        .sum();
    println!(
        "   text {} MB ({} dead), stored {} MB",
        text / 1_000_000,
        dead,
        stored / 1_000_000
    );

    let started = Instant::now();
    grow(&files[0]);
    let file = list(&[root.to_owned()], threads, &AtomicBool::new(false));
    let file = file
        .files
        .into_iter()
        .find(|file| file.id == files[0].id)
        .expect("there");
    let listing = started.elapsed();
    let start = Instant::now();
    let place = files
        .iter()
        .position(|other| other.id == file.id)
        .expect("there");
    let jobs = index.put(RowId(u32::try_from(place).expect("small")), &file);
    finish(&mut index, jobs, 1);
    index.save().expect("saved");
    let extending = start.elapsed();
    println!(
        "b. extending by ten lines / building: {:.4} ({extending:.1?}, {listing:.1?} of listing apart; budget: at most 0.02)",
        extending.as_secs_f64() / building.as_secs_f64()
    );

    let rows: Vec<RowId> = (0..files.len())
        .map(|at| RowId(u32::try_from(at).expect("small")))
        .collect();
    let all = index.all_text();
    let index = Mutex::new(index);
    for query in QUERIES {
        let wanted = Wanted::new(&Query::parse(query, &Utc::now())).expect("something");
        let hits = Mutex::new(0);
        let search = || {
            let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
            let mut count = 0;
            index.search(&wanted, &rows, |_, closeness| {
                count += usize::from(closeness.is_some());
                true
            });
            *hits.lock().unwrap_or_else(PoisonError::into_inner) = count;
        };
        let first = query.split(' ').next().unwrap_or_default();
        let pass = || {
            black_box(memmem::find_iter(&all, first.as_bytes()).count());
        };
        let [searching, passing] = contest(ROUNDS, [&search, &pass]);
        row(
            &format!(
                "c. '{query}': searching ({} hits) / one memmem pass",
                hits.lock().unwrap_or_else(PoisonError::into_inner)
            ),
            searching,
            passing,
            "at most 2",
        );
    }
    let rg = || {
        Command::new("rg")
            .args(["-il", "pubsub"])
            .arg(root)
            .output()
    };
    if rg().is_ok_and(|output| output.status.success()) {
        let start = Instant::now();
        let _ = rg();
        println!("e. rg -il pubsub: {:.1?}", start.elapsed());
    } else {
        println!("e. rg: skipped, it is not installed");
    }
}

/// Reads what is not known. Returns how many files that were.
fn fill(index: &mut Index, files: &[FileInfo], threads: usize) -> usize {
    let mut jobs = Vec::new();
    for (at, file) in (0..).zip(files) {
        jobs.extend(index.put(RowId(at), file));
    }
    finish(index, jobs, threads)
}

fn finish(index: &mut Index, jobs: Vec<claude_resume::content::ReadJob>, threads: usize) -> usize {
    let count = jobs.len();
    let (sender, steps) = channel();
    let readers = Readers::start(threads, || {}, move |step| drop(sender.send(step)));
    let readers = readers.expect("started");
    readers.read(jobs);
    while index.is_reading() {
        index.take(steps.recv().expect("a step"));
        readers.taken();
    }
    count
}

fn grow(file: &FileInfo) {
    let mut out = OpenOptions::new()
        .append(true)
        .open(file.path())
        .expect("opened");
    for n in 0..10 {
        writeln!(out, r#"{{"type":"user","uuid":"00000000-0000-4000-8000-0000000000{n:02}","message":{{"role":"user","content":"more"}}}}"#).expect("written");
    }
}

fn read_all(files: &[FileInfo], threads: usize) {
    let queue = Mutex::new(files.iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..threads {
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
