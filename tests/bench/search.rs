//! How fast typing finds sessions, as ratios against one bare search through the same text.
//!
//! `cargo bench --bench search` makes 100,000 rows, asks each query from scratch and letter by
//! letter, and prints the time up to the first reply and up to the last one. All is done on one
//! thread that waits for nothing, so the best round is processor time. The floor is `memmem` counting the query's longest word in the text of all rows and doing nothing else.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::cell::Cell;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{TimeZone, Utc};
use claude_resume::list::{Include, Row, Sort};
use claude_resume::search::{
    Distance, Document, Field, Generation, Query, Reply, RowContext, RowId, Search, Searcher, Tier,
    highlight,
};
use claude_resume::store::{FileInfo, FileState, Project, Session, SessionMeta};
use memchr::memmem;

const ROWS: u32 = 100_000;
/// Rounds of each contender; the best one is the one that other work disturbed least.
const ROUNDS: usize = 21;
/// Set by this program when it starts itself to measure memory from a clean process.
const MEMORY: &str = "CLAUDE_RESUME_BENCH_SEARCH_MEMORY";

/// Queries with the word that the bare search looks for.
const QUERIES: &[(&str, &str)] = &[
    ("token", "token"),
    ("token refresh", "refresh"),
    ("refresh token expiry", "refresh"),
    ("e", "e"),
    ("Token", "token"),
    ("T", "t"),
    ("\"refresh token\"", "refresh token"),
    ("branch:main token", "token"),
    ("token -refresh", "token"),
    ("tkn refrsh", "refrsh"),
    ("zzyzx", "zzyzx"),
    ("项目", "项目"),
];

fn main() {
    if std::env::var_os(MEMORY).is_some() {
        report_memory();
        return;
    }
    let mut searcher = Searcher::default();
    let rows = rows();
    let start = Instant::now();
    let all: Vec<_> = (0..).map(RowId).zip(rows.iter().map(document)).collect();
    println!("documents of {ROWS} rows: {:.1?}", start.elapsed());
    let start = Instant::now();
    for batch in all.chunks(400) {
        searcher.put(batch);
    }
    let folding = start.elapsed();
    println!(
        "{ROWS} rows, {:.1} MB of text, put in {folding:.1?}",
        megabytes(searcher.text().len())
    );

    from_scratch(&mut searcher);
    letter_by_letter(&mut searcher);
    streaming(&all);
    let query = search("token refresh").query;
    let start = Instant::now();
    for (_, document) in all.iter().take(1000) {
        std::hint::black_box(highlight(
            &document.title,
            Field::Title,
            &query,
            Tier::Fuzzy,
        ));
        std::hint::black_box(highlight(
            &document.last_prompt,
            Field::LastPrompt,
            &query,
            Tier::Fuzzy,
        ));
    }
    println!(
        "\nmarking title and prompt of a row: {:.1?}",
        start.elapsed() / 1000
    );
    let this = std::env::current_exe().expect("a path");
    let output = Command::new(this)
        .env(MEMORY, "1")
        .output()
        .expect("starts");
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

fn from_scratch(searcher: &mut Searcher) {
    println!("\nfrom scratch: first reply / bare search (budget: at most 10 ms), last reply");
    for (text, longest) in QUERIES {
        let query = search(text);
        let mut first = Duration::MAX;
        let mut last = Duration::MAX;
        let mut bare = Duration::MAX;
        let mut hits = (0, 0);
        for _ in 0..ROUNDS {
            answer(searcher, &search("\"forget what was known\""));
            let answered = answer(searcher, &query);
            first = first.min(answered.first);
            last = last.min(answered.last);
            hits = answered.hits;
            let start = Instant::now();
            let found = memmem::find_iter(searcher.text(), longest).count();
            std::hint::black_box(found);
            bare = bare.min(start.elapsed());
        }
        println!(
            "{text:>24}: {:6.2}  ({first:.2?} / {bare:.2?}), all after {last:.1?}; {} hits, {} fuzzy",
            first.as_secs_f64() / bare.as_secs_f64(),
            hits.0,
            hits.1
        );
    }
}

fn letter_by_letter(searcher: &mut Searcher) {
    println!("\nletter by letter: first reply, last reply");
    let typed = "tkn refresh";
    for end in 1..=typed.len() {
        let mut first = Duration::MAX;
        let mut last = Duration::MAX;
        for _ in 0..5 {
            answer(searcher, &search("\"forget what was known\""));
            for before in 0..end {
                answer(searcher, &search(&typed[..before]));
            }
            let answered = answer(searcher, &search(&typed[..end]));
            first = first.min(answered.first);
            last = last.min(answered.last);
        }
        println!("{:>24}: {first:.2?}, {last:.1?}", &typed[..end]);
    }
}

fn streaming(all: &[(RowId, Document)]) {
    println!(
        "\nrows that come in batches of 400 while a query stands: each batch on average, at most"
    );
    for text in ["", "token refresh"] {
        let mut searcher = Searcher::default();
        let mut slowest = Duration::ZERO;
        let mut sum = Duration::ZERO;
        for batch in all.chunks(400) {
            let start = Instant::now();
            searcher.put(batch);
            answer(&mut searcher, &search(text));
            slowest = slowest.max(start.elapsed());
            sum += start.elapsed();
        }
        let batches = ROWS / 400;
        println!("{text:>24}: {:.2?}, {slowest:.2?}", sum / batches);
    }
}

struct Answered {
    first: Duration,
    last: Duration,
    /// In the first tier, and below it.
    hits: (usize, usize),
}

fn answer(searcher: &mut Searcher, search: &Search) -> Answered {
    let start = Instant::now();
    let first = Cell::new(None);
    let mut hits = (0, 0);
    searcher.answer(search, &|| false, |reply: Reply| {
        first.set(first.get().or(Some(start.elapsed())));
        let fuzzy = reply
            .hits
            .iter()
            .filter(|hit| hit.tier == Tier::Fuzzy)
            .count();
        hits = (reply.hits.len() - fuzzy, fuzzy);
    });
    let last = start.elapsed();
    Answered {
        first: first.get().unwrap_or(last),
        last,
        hits,
    }
}

fn search(text: &str) -> Search {
    Search {
        generation: Generation(1),
        query: Query::parse(text, &Utc.timestamp_millis_opt(0).single().expect("a time")),
        order: Sort::Activity,
        reach: Distance::Elsewhere,
        include: Include::default(),
    }
}

#[allow(clippy::cast_precision_loss)]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

fn report_memory() {
    let resident = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok())
    };
    let Some(before) = resident() else {
        println!("resident memory: not known here");
        return;
    };
    let megabytes = || (resident().unwrap_or(before) - before) / 1024;
    let rows = rows();
    let alone = megabytes();
    let mut searcher = Searcher::default();
    for (batch, rows) in rows.chunks(400).enumerate() {
        let first = u32::try_from(batch * 400).expect("few rows");
        let documents: Vec<_> = (first..)
            .map(RowId)
            .zip(rows.iter().map(document))
            .collect();
        searcher.put(&documents);
    }
    let together = megabytes();
    answer(&mut searcher, &search("token refresh"));
    println!(
        "resident: {alone} MB of rows, {together} MB with their search, {} MB after a query",
        megabytes()
    );
    std::hint::black_box(rows);
}

fn document(row: &Row) -> Document {
    Document::of(row, RowContext::default())
}

/// Sessions of one person: some hundred projects, prompts of a line or two.
fn rows() -> Vec<Row> {
    let mut random = Random(1);
    let projects: Vec<Arc<Project>> = (0..300)
        .map(|project| {
            let name = format!("-home-someone-code-project-{project}");
            Arc::new(Project {
                root: Path::new("/home/someone/.claude").into(),
                dir: Path::new("/home/someone/.claude/projects").join(&name),
                name,
            })
        })
        .collect();
    let session = |row| random.session(row, &projects);
    let row = |session| Row {
        session,
        copies: Vec::new(),
    };
    (0..ROWS).map(session).map(row).collect()
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap_or(0)
    }

    /// Some words are common and most are rare.
    fn word(&mut self) -> String {
        const COMMON: &[&str] = &[
            "the", "to", "fix", "add", "test", "token", "error", "in", "and", "for", "update",
            "refresh", "file", "when", "it", "is", "not", "API", "Token", "build", "parser",
            "config", "user", "expiry", "retry", "database", "schema", "项目", "résumé", "gateway",
        ];
        const SYLLABLES: &[&str] = &[
            "ra", "ten", "co", "mi", "sel", "or", "pa", "ver", "lin", "do", "gra", "ph", "ex",
            "tu", "ni", "qua", "bel", "for", "sta", "ge",
        ];
        let at = self.below(300);
        match COMMON.get(at) {
            Some(common) if at < 27 || self.below(10) == 0 => (*common).to_owned(),
            _ => (0..2 + self.below(3))
                .map(|_| SYLLABLES[self.below(SYLLABLES.len())])
                .collect(),
        }
    }

    fn words(&mut self, count: usize) -> String {
        (0..count)
            .map(|_| self.word())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn session(&mut self, row: u32, projects: &[Arc<Project>]) -> Session {
        let project = self.below(projects.len());
        let branch = match self.below(3) {
            0 => "main".to_owned(),
            _ => format!("feat/{}-{}", self.word(), self.below(200)),
        };
        let [title, first, last] = [4 + self.below(5), 8 + self.below(18), 3 + self.below(20)];
        let meta = SessionMeta {
            ai_title: Some(self.words(title).into()),
            first_prompt: Some(self.words(first).into()),
            recorded_prompt: Some(self.words(last).into()),
            tag: (self.below(10) == 0).then(|| self.word().into()),
            git_branch: Some(branch.into()),
            cwd: Some(format!("/home/someone/code/project-{project}").into()),
            ..SessionMeta::default()
        };
        let id = format!(
            "{:08x}-{:04x}-4000-8000-{row:012x}",
            self.below(1 << 32),
            row % 9999
        );
        Session {
            file: FileInfo {
                id: id.into(),
                project: Arc::clone(&projects[project]),
                size: 80_000,
                // The scan hands them out newest first.
                modified: i64::from(ROWS - row) * 60_000,
                state: FileState::File,
                has_folder: false,
                nanos: 0,
                inode: 0,
            },
            meta,
            hidden: None,
        }
    }
}
