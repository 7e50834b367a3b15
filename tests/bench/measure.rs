//! What the benchmarks share: contests, ratios, memory, and the SDK to compare with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Set by a benchmark when it starts itself to measure memory from a clean process.
const MEMORY_OF: &str = "CLAUDE_RESUME_BENCH_MEMORY_OF";

/// Prints the ratio of two times beside its budget.
pub fn row(name: &str, ours: Duration, other: Duration, budget: &str) {
    let ratio = ours.as_secs_f64() / other.as_secs_f64();
    println!("{name}: {ratio:.2}  ({ours:.1?} / {other:.1?}; budget: {budget})");
}

/// The best time of each contender: the one that other work on the machine disturbed least.
/// They take turns, so that a slow moment hits all of them.
pub fn contest<const N: usize>(rounds: usize, contenders: [&dyn Fn(); N]) -> [Duration; N] {
    // One round to warm the page cache.
    for run in contenders {
        run();
    }
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (run, best) in contenders.iter().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = (*best).min(start.elapsed());
        }
    }
    best
}

/// The best time until something is there, not counting that it is thrown away.
#[allow(dead_code, reason = "not every benchmark makes something")]
pub fn best_of<T>(rounds: usize, make: impl Fn() -> T) -> Duration {
    let timed = |_| {
        let start = Instant::now();
        let made = make();
        let time = start.elapsed();
        drop(made);
        time
    };
    (0..=rounds).map(timed).min().unwrap_or_default()
}

/// How long the published SDK takes, by its own clock and once warm, for an expression that
/// `sdk` stands in and that gives an array.
#[allow(dead_code, reason = "not every benchmark has the SDK to compare with")]
pub fn sdk_time(config: &Path, expression: &str) -> Result<Duration, String> {
    let folder = std::env::var("CLAUDE_RESUME_SDK_DIR")
        .map_err(|_| "CLAUDE_RESUME_SDK_DIR names no folder with the SDK installed".to_owned())?;
    let module = Path::new(&folder).join("node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs");
    let script = format!(
        "const sdk = await import(process.argv[1]); \
        await {expression}; \
        const start = performance.now(); \
        const found = await {expression}; \
        if (found.length === 0) throw new Error('nothing found'); \
        console.log(performance.now() - start);"
    );
    let output = Command::new("node")
        .args(["--input-type=module", "-e", &script])
        .arg(&module)
        .env("CLAUDE_CONFIG_DIR", config)
        .env("HOME", config)
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

/// What this process was started to measure the memory of, if it was.
pub fn memory_subject() -> Option<PathBuf> {
    std::env::var_os(MEMORY_OF).map(PathBuf::from)
}

/// Starts this program again to do one thing in a process that has done nothing else, and gives
/// its peak memory in MB as it prints it.
pub fn peak_memory(subject: &Path) -> String {
    let this = std::env::current_exe().expect("a path");
    let output = Command::new(this)
        .env(MEMORY_OF, subject)
        .output()
        .expect("starts");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Prints the peak memory of this process.
pub fn print_peak_memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes: Option<f64> = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|value| value.split_whitespace().next()?.parse().ok());
    match kilobytes {
        Some(kilobytes) => println!("{:.1}", kilobytes / 1024.0),
        None => println!("unknown"),
    }
}
