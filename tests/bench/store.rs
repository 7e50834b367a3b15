//! How fast sessions are found, as ratios against what the machine can do at all.
//!
//! `cargo bench` makes stores of 1,000, 10,000 and 100,000 sessions, measures everything in one
//! run, and prints ratios beside the budgets of docs/PERFORMANCE.md. Times alone say little: the
//! machines differ, and so does their mood.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;

use std::fs::File;
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use claude_resume::cache::Summaries;
use claude_resume::list::Rows;
use claude_resume::store::{Event, Known, ScanDepth, list, readers, scan};
use generate::{Size, generate};
use measure::{contest, memory_subject, peak_memory, print_peak_memory, row, sdk_time};

/// Rounds of each contender, taken in turns so that a slow moment hits both.
const ROUNDS: usize = 21;
const WINDOW: usize = 64 * 1024;

fn main() {
    if let Some(root) = memory_subject() {
        report_peak_memory(&root);
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = |name: &str, sessions, size| {
        let root = folder.path().join(name);
        eprintln!("making {sessions} sessions…");
        generate(&root, sessions, size);
        root
    };
    let small = store("1k", 1_000, Size::Realistic);
    let medium = store("10k", 10_000, Size::Realistic);
    let large = store("100k", 100_000, Size::Tiny);

    for (name, root) in [("1k", &small), ("10k", &medium)] {
        let [ours, floor] = contest(ROUNDS, [&|| full_scan(root), &|| read_only(root)]);
        row(
            &format!("a. full scan of {name} / read only"),
            ours,
            floor,
            "at most 1.10",
        );
    }
    // A store that is old enough to be believed: it was made with times of the past.
    let cache = folder.path().join("cache");
    for (name, root) in [("1k", &small), ("10k", &medium)] {
        warm_scan(&cache, root, usize::MAX);
        let [all, first, load, stat] = contest(
            ROUNDS,
            [
                &|| warm_scan(&cache, root, usize::MAX),
                &|| warm_scan(&cache, root, 50),
                &|| Summaries::new(&cache, std::slice::from_ref(root)).prepare(),
                &|| stat_only(root),
            ],
        );
        let row = |what: &str, ours, budget: &str| {
            row(
                &format!("e. {what} {name}, cached / stat only"),
                ours,
                stat,
                budget,
            );
        };
        row("all rows of", all, "at most 1.50");
        row("first 50 rows of", first, "no budget");
        row("loading the cache of", load, "at most 0.50");
    }
    let [first, stat] = contest(ROUNDS, [&|| first_rows(&large, 50), &|| stat_only(&large)]);
    row(
        "b. first 50 rows of 100k / stat only",
        first,
        stat,
        "at most 1.30",
    );
    let [all, stat] = contest(ROUNDS, [&|| full_scan(&large), &|| stat_only(&large)]);
    row("   all rows of 100k / stat only", all, stat, "no budget");
    match sdk_time(&medium, "sdk.listSessions({})") {
        Ok(sdk) => {
            let [ours] = contest(ROUNDS, [&|| full_scan(&medium)]);
            row("c. JS SDK listing 10k / ours", sdk, ours, "at least 20");
        }
        Err(reason) => println!("c. JS SDK: skipped, {reason}"),
    }
    let peak = peak_memory(&large);
    println!("d. peak memory at 100k rows: {peak} MB (budget: at most 120 MB)");
    warm_scan(&cache_of(&large), &large, usize::MAX);
    let peak = peak_memory(&large);
    println!("   cached: {peak} MB");
}

fn full_scan(root: &Path) {
    first_rows(root, usize::MAX);
}

/// Scans until so many rows have come, or all.
fn first_rows(root: &Path, wanted: usize) {
    scan_until(root, wanted, None);
}

/// The same with a cache, which is written if all rows have come and there is something new.
fn warm_scan(cache: &Path, root: &Path, wanted: usize) {
    let summaries = Summaries::new(cache, &[root.to_owned()]);
    scan_until(root, wanted, Some(&summaries));
    if wanted == usize::MAX {
        summaries.save(ScanDepth::Candidates).expect("saved");
    }
}

fn scan_until(root: &Path, wanted: usize, known: Option<&dyn Known>) {
    let seen = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    scan(
        &[root.to_owned()],
        ScanDepth::Candidates,
        known,
        &stop,
        &|event| {
            if let Event::Batch(sessions) = event {
                seen.fetch_add(sessions.len(), Ordering::Relaxed);
            }
            if seen.load(Ordering::Relaxed) < wanted {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    );
    assert!(seen.load(Ordering::Relaxed) >= wanted.min(1));
}

fn stat_only(root: &Path) {
    assert!(
        !list(&[root.to_owned()], threads(), &AtomicBool::new(false))
            .files
            .is_empty()
    );
}

/// The floor: the same stat, then open and read both windows of every file, and look at nothing.
fn read_only(root: &Path) {
    let listing = list(&[root.to_owned()], threads(), &AtomicBool::new(false));
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..readers() {
            scope.spawn(|| {
                let mut buffer = vec![0; WINDOW];
                while let Some(info) = listing.files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let file = File::open(info.path()).expect("opens");
                    let head = file.read_at(&mut buffer, 0).expect("reads");
                    let tail_start = info.size.saturating_sub(WINDOW as u64);
                    let tail = file.read_at(&mut buffer, tail_start).expect("reads");
                    std::hint::black_box((head, tail, &buffer));
                }
            });
        }
    });
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Where the cache of a store is for measuring memory, if it is to be used.
fn cache_of(root: &Path) -> PathBuf {
    root.with_extension("cache")
}

fn report_peak_memory(root: &Path) {
    let rows = Mutex::new(Rows::default());
    let (roots, stop) = ([root.to_owned()], AtomicBool::new(false));
    let cache = cache_of(root);
    let summaries = cache.is_dir().then(|| Summaries::new(&cache, &roots));
    let known = summaries.as_ref().map(|known| known as &dyn Known);
    scan(&roots, ScanDepth::Candidates, known, &stop, &|event| {
        if let Event::Batch(sessions) = event {
            for session in sessions {
                rows.lock().expect("fine").add(session);
            }
        }
        ControlFlow::Continue(())
    });
    print_peak_memory();
    std::hint::black_box(rows.into_inner().expect("fine").len());
}
