//! Real transcripts, damaged: whatever a disk, a sync or a crash makes of them is listed and shown
//! without a panic, in little time and little memory.

use std::fs;
use std::ops::Range;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Ran, Store, corpus, id};

const MUTATIONS: usize = 20_000;
/// Mutation `n` is the same in every run, whichever thread makes it.
const SEED: u64 = 0x6d75_7461_7465;
/// Runs the program with 5 s of processor time and 500 MB of address space: what needs more is
/// ended by the system, and has no exit code.
const LIMITS: &str = "ulimit -t 5 && ulimit -v 512000 && exec \"$0\" \"$@\"";

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or zero.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("fits").max(1);
        usize::try_from(self.roll() % end).expect("fits")
    }
}

#[derive(Debug, Clone, Copy)]
enum Damage {
    BitFlips,
    CutEnd,
    CutMiddle,
    SwappedLines,
    DoubledLine,
    DoubledKey,
}

const DAMAGES: [Damage; 6] = [
    Damage::BitFlips,
    Damage::CutEnd,
    Damage::CutMiddle,
    Damage::SwappedLines,
    Damage::DoubledLine,
    Damage::DoubledKey,
];

/// What a doubled key says the second time.
const VALUES: [&str; 6] = ["null", "\"\"", "[]", "{\"a\":1}", "-1e999", "\"\\ud800\""];

fn mutate(bytes: &mut Vec<u8>, damage: Damage, dice: &mut Dice) {
    match damage {
        Damage::BitFlips => {
            for _ in 0..=dice.below(8) {
                let at = dice.below(bytes.len());
                let bit = dice.below(8);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
        }
        Damage::CutEnd => bytes.truncate(dice.below(bytes.len())),
        Damage::CutMiddle => {
            let from = dice.below(bytes.len());
            let to = from + dice.below((bytes.len() - from).min(4096));
            bytes.drain(from..to);
        }
        Damage::SwappedLines => {
            let (one, other) = (line(bytes, dice), line(bytes, dice));
            if one.end <= other.start {
                let moved = bytes[other.clone()].to_vec();
                let replaced: Vec<u8> = bytes.splice(other, bytes[one.clone()].to_vec()).collect();
                assert_eq!(moved, replaced);
                bytes.splice(one, moved);
            }
        }
        Damage::DoubledLine => {
            let doubled = bytes[line(bytes, dice)].to_vec();
            let at = line(bytes, dice).start;
            bytes.splice(at..at, doubled);
        }
        Damage::DoubledKey => {
            let line = line(bytes, dice);
            let text = &bytes[line.clone()];
            let keys: Vec<usize> = memchr::memmem::find_iter(text, b"\":").collect();
            let Some(end) = keys.get(dice.below(keys.len())) else {
                return;
            };
            let start = text[..*end].iter().rposition(|b| *b == b'"').unwrap_or(0);
            let value = VALUES[dice.below(VALUES.len())].as_bytes();
            let pair = [&text[start..end + 2], value, b","].concat();
            // Before the first or after the last, as either may count.
            let at = match dice.below(2) {
                0 => line.start + 1,
                _ => line.start + start,
            };
            bytes.splice(at.min(bytes.len())..at.min(bytes.len()), pair);
        }
    }
}

/// A line of them, with its newline.
fn line(bytes: &[u8], dice: &mut Dice) -> Range<usize> {
    let at = dice.below(bytes.len());
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline + 1);
    start..end
}

/// Runs a command of the program within its limits, and looks at all that it left.
fn run(store: &Store, arguments: &[&str], what: &str) -> (i32, Duration) {
    let plain = store.command(&store.root());
    let mut limited = Command::new("sh");
    limited.args(["-c", LIMITS]).arg(plain.get_program());
    limited
        .args(arguments)
        .current_dir(store.root())
        .env_clear();
    for (name, value) in plain.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    // An arena for each thread would be address space that is not used.
    limited.env("MALLOC_ARENA_MAX", "1");
    let began = Instant::now();
    let ran = Ran::from(&limited.output().expect("runs"));
    let taken = began.elapsed();
    let code = ran.code.unwrap_or(-1);
    assert!(
        (0..=2).contains(&code),
        "{what}: exit code {code}: {}",
        ran.err
    );
    assert!(!ran.err.contains("panicked"), "{what}: {}", ran.err);
    for line in ran.out.lines() {
        let parsed = serde_json::from_str::<Value>(line);
        assert!(parsed.is_ok(), "{what}: {parsed:?}");
    }
    (code, taken)
}

/// `CLAUDE_RESUME_CORPUS=DIR cargo test --release mutations -- --nocapture` damages transcripts
/// below a folder.
#[test]
fn damaged_transcripts_are_listed_and_shown() {
    let Some(paths) = corpus() else {
        return;
    };
    let files: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| fs::read(path).expect("read"))
        .collect();
    eprintln!(
        "{MUTATIONS} mutations of {} files, seed {SEED:#x}",
        files.len()
    );
    let next = AtomicUsize::new(0);
    let work = || {
        let store = Store::new();
        let (mut slowest, mut codes) = (Duration::ZERO, [[0_usize; 3]; 2]);
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= MUTATIONS {
                return (slowest, codes);
            }
            let mut dice = Dice(SEED.wrapping_add(n as u64));
            let file = dice.below(files.len());
            let mut bytes = files[file].clone();
            let mut damages = Vec::new();
            for _ in 0..=dice.below(3) {
                let damage = DAMAGES[dice.below(DAMAGES.len())];
                mutate(&mut bytes, damage, &mut dice);
                damages.push(damage);
            }
            let what = format!("mutation {n} of {}: {damages:?}", paths[file].display());
            // By any other name the file of an agent has nothing to show.
            let name = paths[file].file_name().unwrap_or_default();
            let name = if name.as_encoded_bytes().starts_with(b"agent-") {
                "agent-a1".to_owned()
            } else {
                id(1)
            };
            let file = store.session("-w", &name, 0, &bytes);
            let path = file.to_str().expect("UTF-8");
            let list: &[&str] = &["list", "--all", "--include", "all", "--json"];
            for (command, arguments) in [list, &["show", path, "--json"]].into_iter().enumerate() {
                let (code, taken) = run(&store, arguments, &what);
                slowest = slowest.max(taken);
                codes[command][usize::try_from(code).expect("checked")] += 1;
            }
            fs::remove_file(file).expect("removed");
        }
    };
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(2, usize::from);
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let (slowest, [listed, shown]) = thread.join().expect("no failure");
            eprintln!("exit codes 0, 1, 2: list {listed:?}, show {shown:?}; slowest {slowest:?}");
        }
    });
}
