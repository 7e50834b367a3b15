//! How fast a conversation is loaded, as ratios against what the machine can do at all.
//!
//! `cargo bench --bench transcript` makes transcripts of up to 2 GB, measures everything in one
//! run, and prints ratios beside the budgets of docs/PERFORMANCE.md.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "conversation.rs"]
mod conversation;
// Only the pieces of text are of use here, not the stores.
#[allow(dead_code)]
#[path = "generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use claude_resume::transcript::{
    Chain, Entry, LeafRule, LoadExtent, load, read_entries, resume_info,
};
use conversation::{Conversation, Era};
use measure::{best_of, contest, memory_subject, peak_memory, print_peak_memory, row, sdk_time};

/// Rounds of each contender, taken in turns so that a slow moment hits both.
const ROUNDS: usize = 11;
const MB: u64 = 1024 * 1024;
const SESSION: &str = "5e551011-0000-4000-8000-000000000001";

fn main() {
    if let Some(path) = memory_subject() {
        std::hint::black_box(load(&path, LoadExtent::Resumed).expect("loads"));
        print_peak_memory();
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("transcript.jsonl");

    for (name, era) in [
        ("with copies of requests", Era::Copies),
        ("with progress lines", Era::Progress),
    ] {
        eprintln!("making 500 MB {name}…");
        Conversation::create(&path, era).until(500 * MB).finish();
        let [ours, floor] = contest(ROUNDS, [&|| first_pass(&path), &|| count_lines(&path)]);
        row(
            &format!("a. first pass over 500 MB {name} / counting newlines"),
            ours,
            floor,
            "at most 3",
        );
    }

    eprintln!("making 24 MB…");
    Conversation::create(&path, Era::Copies)
        .until(21 * MB)
        .compact()
        .until(24 * MB)
        .finish();
    let peak = peak_memory(&path);
    println!("b. peak memory for 24 MB, 3 of them shown: {peak} MB (budget: at most 12 MB)");

    eprintln!("making 2 GB…");
    Conversation::create(&path, Era::Copies)
        .until(1024 * MB)
        .paste(150 * 1024 * 1024)
        .until(2048 * MB)
        .finish();
    let peak = peak_memory(&path);
    println!("c. peak memory for 2 GB with a line of 150 MB: {peak} MB (budget: below 250 MB)");
    let look = || {
        std::hint::black_box(resume_info(&path).expect("reads"));
    };
    let [ours, floor] = contest(3, [&look, &|| count_lines(&path)]);
    row(
        "e. before resuming 2 GB, left in no worktree / counting newlines",
        ours,
        floor,
        "at most 1.5",
    );
    fs::remove_file(&path).expect("removed");

    let project = folder.path().join("projects/-home-ada-code-project");
    fs::create_dir_all(&project).expect("made");
    let path = project.join(format!("{SESSION}.jsonl"));
    eprintln!("making 100 MB…");
    Conversation::create(&path, Era::Copies)
        .until(100 * MB)
        .finish();
    let expression = format!("sdk.getSessionMessages('{SESSION}')");
    match sdk_time(folder.path(), &expression) {
        Ok(sdk) => {
            let ours = best_of(ROUNDS, || whole_conversation(&path));
            row(
                "d. JS SDK reading the messages of 100 MB / ours",
                sdk,
                ours,
                "at least 8",
            );
        }
        Err(reason) => println!("d. JS SDK: skipped, {reason}"),
    }
}

fn first_pass(path: &Path) {
    let index = load(path, LoadExtent::Resumed).expect("loads");
    assert_eq!((index.health.bad, index.health.glued), (0, 0));
    assert!(!index.links().is_empty());
}

/// The floor: reads the file in chunks and does the least that finds its lines.
fn count_lines(path: &Path) {
    let mut file = File::open(path).expect("opens");
    let mut chunk = vec![0; 1024 * 1024];
    let mut lines = 0;
    loop {
        match file.read(&mut chunk).expect("reads") {
            0 => break,
            length => lines += memchr::memchr_iter(b'\n', &chunk[..length]).count(),
        }
    }
    assert!(lines > 0);
}

/// What the SDK gives: the links, the chain, and the content of its messages.
/// Everything that the SDK gives. What it gives is thrown away later there, too: nobody counts it.
fn whole_conversation(path: &Path) -> Vec<Entry> {
    let index = load(path, LoadExtent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Newest);
    let file = File::open(path).expect("opens");
    let messages = read_entries(&file, chain.messages(&index)).expect("reads");
    assert!(!messages.is_empty());
    messages
}
