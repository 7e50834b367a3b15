//! How fast sessions are found, as ratios against what the machine can do at all.
//!
//! `cargo bench` makes stores of 1,000, 10,000 and 100,000 sessions, measures everything in one
//! run, and prints ratios beside the budgets of docs/PERFORMANCE.md. Times alone say little: the
//! machines differ, and so does their mood.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "generate.rs"]
mod generate;

use std::fs::File;
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use claude_resume::list::Rows;
use claude_resume::store::{Depth, Event, list, readers, scan};
use generate::{Size, generate};

/// Rounds of each contender, taken in turns so that a slow moment hits both.
const ROUNDS: usize = 21;
const WINDOW: usize = 64 * 1024;
/// Set by this program when it starts itself to measure memory from a clean process.
const MEMORY_ROOT: &str = "CLAUDE_RESUME_BENCH_MEMORY_ROOT";

fn main() {
    if let Some(root) = std::env::var_os(MEMORY_ROOT) {
        report_peak_memory(&PathBuf::from(root));
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
        let [ours, floor] = contest([&|| full_scan(root), &|| read_only(root)]);
        row(
            &format!("a. full scan of {name} / read only"),
            ours,
            floor,
            "at most 1.10",
        );
    }
    let [first, stat] = contest([&|| first_rows(&large, 50), &|| stat_only(&large)]);
    row(
        "b. first 50 rows of 100k / stat only",
        first,
        stat,
        "at most 1.30",
    );
    let [all, stat] = contest([&|| full_scan(&large), &|| stat_only(&large)]);
    row("   all rows of 100k / stat only", all, stat, "no budget");
    match sdk_time(&medium) {
        Ok(sdk) => {
            let [ours] = contest([&|| full_scan(&medium)]);
            row("c. JS SDK listing 10k / ours", sdk, ours, "at least 20");
        }
        Err(reason) => println!("c. JS SDK: skipped, {reason}"),
    }
    let peak = peak_memory(&large);
    println!("d. peak memory at 100k rows: {peak} MB (budget: at most 120 MB)");
}

fn row(name: &str, ours: Duration, other: Duration, budget: &str) {
    let ratio = ours.as_secs_f64() / other.as_secs_f64();
    println!("{name}: {ratio:.2}  ({ours:.1?} / {other:.1?}; budget: {budget})");
}

/// The best time of each contender: the one that other work on the machine disturbed least.
fn contest<const N: usize>(contenders: [&dyn Fn(); N]) -> [Duration; N] {
    // One round to warm the page cache.
    for run in contenders {
        run();
    }
    let mut best = [Duration::MAX; N];
    for _ in 0..ROUNDS {
        for (run, best) in contenders.iter().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = (*best).min(start.elapsed());
        }
    }
    best
}

fn full_scan(root: &Path) {
    first_rows(root, usize::MAX);
}

/// Scans until so many rows have come, or all.
fn first_rows(root: &Path, wanted: usize) {
    let seen = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    scan(&[root.to_owned()], Depth::Candidates, &stop, &|event| {
        if let Event::Batch(sessions) = event {
            seen.fetch_add(sessions.len(), Ordering::Relaxed);
        }
        if seen.load(Ordering::Relaxed) < wanted {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert!(seen.load(Ordering::Relaxed) >= wanted.min(1));
}

fn stat_only(root: &Path) {
    assert!(
        !list(&[root.to_owned()], threads(), &AtomicBool::new(false))
            .stamps
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
                while let Some(stamp) = listing.stamps.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let file = File::open(stamp.path()).expect("opens");
                    let head = file.read_at(&mut buffer, 0).expect("reads");
                    let tail_start = stamp.size.saturating_sub(WINDOW as u64);
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

/// How long the published SDK takes to list the same store, by its own clock.
fn sdk_time(root: &Path) -> Result<Duration, String> {
    let folder = std::env::var("CLAUDE_RESUME_SDK_DIR")
        .map_err(|_| "CLAUDE_RESUME_SDK_DIR names no folder with the SDK installed".to_owned())?;
    let module = Path::new(&folder).join("node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs");
    let script = "const { listSessions } = await import(process.argv[1]); \
        await listSessions({}); \
        const start = performance.now(); \
        const sessions = await listSessions({}); \
        if (sessions.length === 0) throw new Error('nothing listed'); \
        console.log(performance.now() - start);";
    let output = Command::new("node")
        .args(["--input-type=module", "-e", script])
        .arg(&module)
        .env("CLAUDE_CONFIG_DIR", root)
        .env("HOME", root)
        .output()
        .map_err(|error| format!("node does not start: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    match printed.trim().parse::<f64>() {
        Ok(millis) => Ok(Duration::from_secs_f64(millis / 1000.0)),
        Err(_) => Err(format!(
            "the SDK did not answer: {}",
            String::from_utf8_lossy(&output.stderr)
                .lines()
                .next()
                .unwrap_or_default()
        )),
    }
}

/// Starts this program again to hold all rows in a process that has done nothing else.
fn peak_memory(root: &Path) -> String {
    let this = std::env::current_exe().expect("a path");
    let output = Command::new(this)
        .env(MEMORY_ROOT, root)
        .output()
        .expect("starts");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn report_peak_memory(root: &Path) {
    let mut rows = Rows::default();
    let events = claude_resume::store::stream(vec![root.to_owned()], Depth::Candidates);
    for event in events.expect("a thread") {
        if let Event::Batch(sessions) = event {
            for session in sessions {
                rows.add(session);
            }
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes: Option<u64> = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|value| value.split_whitespace().next()?.parse().ok());
    match kilobytes {
        Some(kilobytes) => println!("{}", kilobytes / 1024),
        None => println!("unknown"),
    }
    std::hint::black_box(rows.len());
}
