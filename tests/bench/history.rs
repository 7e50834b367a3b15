//! How fast the prompt history is there and how fast it is searched, against reading and grepping
//! the same file.
//!
//! `cargo bench --bench history` makes a history of 500,000 lines (about 150 MB). "First 50" is
//! the time until that many prompts are there; searches are done on one thread that waits for
//! nothing, so the best round is processor time. `tac | grep` is what people do without us.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout)]

#[path = "measure.rs"]
mod measure;

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use chrono::{TimeZone, Utc};
use claude_resume::history::{FoundPrompt, MergedHistory, history_path};
use claude_resume::list::{Include, Sort};
use claude_resume::search::{
    Archive, ConversationFate, Distance, Generation, Query, Search, Tier, View,
};
use measure::{best_of, contest, memory_subject, peak_memory, print_peak_memory, row};

const LINES: u64 = 500_000;
const ROUNDS: usize = 11;
const NEWEST: i64 = 1_772_359_200_000;
/// The words of all prompts. Each prompt has its own number too, so most are different. None has a
/// capital: whoever looks for one finds no end to look at.
const WORDS: &[&str] = &[
    "why", "is", "the", "refresh", "token", "test", "flaky", "on", "ci", "run", "it", "again",
    "and", "tell", "me", "which", "seeds", "fail", "then", "write", "a", "patch", "for", "gateway",
    "router", "docs", "link", "checker", "please", "continue", "with", "next", "step",
];

fn main() {
    if let Some(root) = memory_subject() {
        std::hint::black_box(load(&root));
        print_peak_memory();
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let size = generate(&history_path(root));
    println!("{LINES} lines, {:.0} MB", megabytes(size));
    first(root);
    let archive = load(root);
    println!("load: {:.0?}", best_of(1, || load(root)));
    let peak: f64 = peak_memory(root).parse().unwrap_or_default();
    println!(
        "memory: {:.2} of the file ({peak:.0} MB / {:.0} MB; budget: at most 1.5)",
        peak / megabytes(size),
        megabytes(size)
    );
    let archive = capitals(archive);
    search(archive, root);
}

/// A word with a capital is looked for in another way, in both tiers and in each row.
fn capitals(archive: Archive) -> Archive {
    let archive = std::cell::RefCell::new(archive);
    for [small, capital] in [
        ["flaky", "Flaky"],
        ["-flaky", "-Flaky"],
        ["project:project-07", "project:Project-07"],
    ] {
        let ask = |words: &str| {
            // From scratch each time.
            for query in ["qqq", words] {
                let now = Utc.timestamp_millis_opt(NEWEST).single().expect("a time");
                let search = Search {
                    generation: Generation(1),
                    query: Query::parse(query, &now),
                    order: Sort::Activity,
                    reach: Distance::Elsewhere,
                    include: Include::default(),
                };
                let mut archive = archive.borrow_mut();
                archive.answer(
                    &search,
                    View::Prompts,
                    |_| ConversationFate::There,
                    &|| false,
                    |_, _| {},
                );
            }
        };
        let [with, without] = contest(3, [&|| ask(capital), &|| ask(small)]);
        row(
            &format!("search {capital} / {small}, with loose matches"),
            with,
            without,
            "at most 3",
        );
    }
    archive.into_inner()
}

fn megabytes(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1024).unwrap_or(u32::MAX)) / 1024.0
}

/// Writes the history. Returns its size.
fn generate(path: &Path) -> u64 {
    let mut out = BufWriter::new(File::create(path).expect("made"));
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("fits") % below
    };
    for n in 0..LINES {
        let mut text = String::new();
        // Every tenth prompt is one that was asked before.
        if n % 10 == 0 {
            text.push_str("continue");
        } else {
            for _ in 0..12 + next(36) {
                text.push_str(WORDS[next(WORDS.len())]);
                text.push(' ');
            }
            text += &n.to_string();
        }
        let age = i64::try_from((LINES - n) * 60_000).expect("fits");
        writeln!(
            out,
            "{{\"display\":\"{text}\",\"pastedContents\":{{}},\"timestamp\":{},\"project\":\"/home/ada/code/project-{:02}\",\"sessionId\":\"{:08x}-0000-4000-8000-000000000000\"}}",
            NEWEST - age,
            n / 5000 % 40,
            n / 20,
        )
        .expect("written");
    }
    out.flush().expect("written");
    path.metadata().expect("there").len()
}

fn open(root: &Path) -> MergedHistory {
    MergedHistory::open(&[root.to_owned()], Arc::default()).0
}

fn first(root: &Path) {
    let ours = || {
        let found: Vec<FoundPrompt> = open(root).take(50).collect();
        assert_eq!(found.len(), 50);
    };
    let floor = || {
        let mut file = File::open(history_path(root)).expect("opens");
        file.seek(SeekFrom::End(-256 * 1024)).expect("seeks");
        let mut tail = Vec::new();
        file.read_to_end(&mut tail).expect("read");
        std::hint::black_box(tail);
    };
    let [ours, floor] = contest(101, [&ours, &floor]);
    row(
        "first 50 / reading the last 256 KiB",
        ours,
        floor,
        "at most 3",
    );
}

fn load(root: &Path) -> Archive {
    let mut archive = Archive::default();
    let mut prompts = open(root);
    loop {
        let batch: Vec<FoundPrompt> = prompts.by_ref().take(4000).collect();
        if batch.is_empty() {
            return archive;
        }
        archive.put(&batch, |_, _| Distance::Elsewhere);
    }
}

fn search(archive: Archive, root: &Path) {
    let archive = std::cell::RefCell::new(archive);
    let now = Utc.timestamp_millis_opt(NEWEST).single().expect("a time");
    let mut generation = 0;
    for words in [
        "flaky",
        "499991",
        "\"refresh token\"",
        "zzyzx",
        "checker seeds",
    ] {
        let mut best = Duration::MAX;
        let mut found = 0;
        for _ in 0..ROUNDS {
            // From scratch each time: another query was asked in between.
            for query in ["qqq", words] {
                generation += 1;
                let search = Search {
                    generation: Generation(generation),
                    query: Query::parse(query, &now),
                    order: Sort::Activity,
                    reach: Distance::Elsewhere,
                    include: Include::default(),
                };
                let start = std::time::Instant::now();
                let mut first: Option<Duration> = None;
                archive.borrow_mut().answer(
                    &search,
                    View::Prompts,
                    |_| ConversationFate::There,
                    &|| false,
                    |_, answer| {
                        if first.is_none() {
                            first = Some(start.elapsed());
                            found = answer
                                .hits
                                .iter()
                                .filter(|hit| hit.tier == Tier::Substring)
                                .count();
                        }
                    },
                );
                if query == words {
                    best = best.min(first.expect("an answer"));
                }
            }
        }
        let word = words.trim_matches('"').split(' ').next().expect("a word");
        let other = best_of(2, || grep(root, word));
        row(
            &format!("search {words} ({found} prompts) / tac | grep"),
            best,
            other,
            "60 ms",
        );
    }
}

/// `tac history.jsonl | grep -i word`, read to its end.
fn grep(root: &Path, word: &str) -> usize {
    let path: PathBuf = history_path(root);
    let mut tac = Command::new("tac")
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("tac starts");
    let lines = tac.stdout.take().expect("piped");
    let output = Command::new("grep")
        .args(["-i", "--", word])
        .stdin(lines)
        .output()
        .expect("grep starts");
    tac.wait().expect("ends");
    output.stdout.len()
}
