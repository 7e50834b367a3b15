//! How fast a preview is there, and how little moving through it costs.
//!
//! `cargo bench --bench preview` makes transcripts of up to 162 MB, measures in one run, and prints
//! ratios and processor times beside the budgets of docs/PERFORMANCE.md. Linux only.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "conversation.rs"]
#[allow(dead_code)]
mod conversation;
#[path = "generate.rs"]
#[allow(dead_code)]
mod generate;
#[path = "measure.rs"]
#[allow(dead_code)]
mod measure;
#[path = "screen.rs"]
mod screen;

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::thread;
use std::time::Duration;

use claude_resume::preview::{Around, CardFacts, Options};
use claude_resume::reader::{Find, GoOn, Page, PageSpec, PreviewReader, PreviewRequest, Searched};
use claude_resume::search::Generation;
use conversation::{Conversation, Era};
use measure::{contest, row};
use portable_pty::CommandBuilder;
use screen::OnTerminal;

const ROUNDS: usize = 21;
const MB: u64 = 1024 * 1024;
const SESSIONS: usize = 1_200;
const ROWS: usize = 1_000;
/// Lines of a conversation on a screen of 40.
const ROWS_IN_SIGHT: usize = 28;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("projects/-home-ada-code-project");
    fs::create_dir_all(&project).expect("made");

    for (name, era) in [
        ("with copies of requests", Era::Copies),
        ("with progress lines", Era::Progress),
    ] {
        let path = folder.path().join("long.jsonl");
        eprintln!("making 162 MB {name}…");
        Conversation::create(&path, era).until(162 * MB).finish();
        let [ours, floor] = contest(ROUNDS, [&|| first_screen(&path), &|| last_mebibyte(&path)]);
        let what = format!("a. first screen of 162 MB {name} / reading its last MiB");
        row(&what, ours, floor, "at most 4");
        if era == Era::Progress {
            enormous(&path);
        }
        fs::remove_file(&path).expect("removed");
    }

    let path = project.join("5e551011-0000-4000-8000-000000000001.jsonl");
    eprintln!("making 24 MB…");
    Conversation::create(&path, Era::Copies)
        .until(21 * MB)
        .compact()
        .until(24 * MB)
        .finish();
    let before = own_time();
    for _ in 0..ROUNDS {
        whole(&path);
    }
    let each = own_time().saturating_sub(before) / u32::try_from(ROUNDS).expect("few");
    println!("b. load and render 24 MB, 3 of them shown: {each:.1?} of CPU (budget: below 60 ms)");

    let home = tempfile::tempdir().expect("a temporary folder");
    scrolling(folder.path(), home.path());
    fs::remove_file(&path).expect("removed");
    holding(folder.path(), home.path());
}

fn request(path: &Path) -> PreviewRequest {
    PreviewRequest {
        generation: Generation(1),
        path: path.to_owned(),
        rows: ROWS_IN_SIGHT,
        facts: CardFacts::default(),
        spec: PageSpec {
            columns: 90,
            options: Options::default(),
            around: Around::End,
            turns: 100,
            leaf: None,
            find: Find::default(),
            target: None,
        },
    }
}

/// Until there is something to see.
fn first_screen(path: &Path) {
    let is_seen = Cell::new(false);
    let mut page = None;
    let go_on = GoOn {
        reading: &|| !is_seen.get(),
        laying_out: &|| !is_seen.get(),
    };
    PreviewReader::new(Vec::new()).answer(&request(path), go_on, &mut |result| {
        is_seen.set(true);
        page.get_or_insert(result);
    });
    let page: Page = page.expect("answered").expect("a page");
    assert!(page.scroll.len() >= ROWS_IN_SIGHT, "{}", page.scroll.len());
}

fn last_mebibyte(path: &Path) {
    let mut file = File::open(path).expect("opens");
    file.seek(SeekFrom::End(-1024 * 1024)).expect("seeks");
    let mut bytes = Vec::with_capacity(1024 * 1024);
    file.read_to_end(&mut bytes).expect("reads");
    assert_eq!(std::hint::black_box(bytes).len(), 1024 * 1024);
}

/// Everything that is shown of a conversation, laid out.
fn whole(path: &Path) {
    let mut pages = Vec::new();
    let mut request = request(path);
    request.spec.turns = usize::MAX;
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &|| true,
    };
    PreviewReader::new(Vec::new()).answer(&request, go_on, &mut |result| pages.push(result));
    let last = pages.pop().expect("answered").expect("a page");
    assert!(last.before == 0 && last.scroll.len() > 100);
}

/// A conversation that no page holds: what it takes at rest, what finding in all of it costs, and
/// what it costs to go on beyond the edge of a window.
fn enormous(path: &Path) {
    let store = tempfile::tempdir().expect("a temporary folder");
    let project = store.path().join("projects/-home-ada-code-project");
    fs::create_dir_all(&project).expect("made");
    let copy = project.join("5e551011-0000-4000-8000-000000000002.jsonl");
    fs::copy(path, &copy).expect("copied");
    let home = tempfile::tempdir().expect("a temporary folder");
    let mut picker = picker(store.path(), home.path(), 200, 60);
    // Turns are counted once the whole was read.
    picker.wait(|screen| screen.contents().contains(" turns"));
    thread::sleep(Duration::from_millis(500));
    println!(
        "e. memory at rest on 162 MB: {} MB, at most {} MB (budget: 120 MB)",
        picker.memory_at_rest(),
        picker.peak_memory()
    );
    picker.leave();

    let go_on = GoOn {
        reading: &|| true,
        laying_out: &|| true,
    };
    let mut reader = PreviewReader::new(Vec::new());
    let mut answer = |request: &PreviewRequest| {
        let mut pages = Vec::new();
        let before = own_time();
        reader.answer(request, go_on, &mut |page| pages.push(page));
        let page = pages.pop().expect("answered").expect("a page");
        (page, own_time().saturating_sub(before))
    };
    let (mut page, _) = answer(&request(path));
    let mut wanted = request(path);
    wanted.spec.find = Find::Phrase("nowhere to be found".to_owned());
    let (found, time) = answer(&wanted);
    assert!(found.found.marks.is_empty() && found.found.searched == Searched::Everything);
    println!("f. finding in all of 162 MB: {time:.1?} of CPU of the reader (budget: below 3 s)");

    let mut windows = 0;
    let before = own_time();
    while page.before > 0 && windows < 20 {
        let mut wanted = request(path);
        wanted.spec.turns = usize::MAX;
        wanted.spec.around = Around::Turn(page.shown.start);
        (page, _) = answer(&wanted);
        windows += 1;
    }
    assert!(windows > 3, "{windows}");
    let each = own_time().saturating_sub(before) / windows;
    println!(
        "g. a page beyond the edge of a window: {each:.1?} of CPU of the reader (budget: below 150 ms)"
    );
}

/// Processor time of this process, threads that have ended included. The kernel tells it in
/// hundredths of a second, which is fine over many rounds.
fn own_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, behind_name) = stat.rsplit_once(')').expect("a name");
    let ticks: u64 = behind_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn picker(store: &Path, home: &Path, columns: u16, rows: u16) -> OnTerminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_claude-resume"));
    command.args(["--all"]);
    command.env("HOME", home);
    command.env("CLAUDE_CONFIG_DIR", store);
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command.cwd(home);
    let mut picker = OnTerminal::start(command, columns, rows);
    picker.first_frame();
    picker.wait(|screen| {
        let text = screen.contents();
        text.contains("session") && !text.contains("scanning") && !text.contains("looking")
    });
    picker
}

/// Page by page through a conversation of 3 MB, on a large screen.
fn scrolling(store: &Path, home: &Path) {
    let mut picker = picker(store, home, 200, 60);
    picker.wait(|screen| screen.contents().contains("ran "));
    picker.press(b"\t");
    thread::sleep(Duration::from_millis(500));
    let pages = 40;
    let before = picker.main_thread_time();
    for _ in 0..pages {
        picker.press(b"\x1b[5~");
        thread::sleep(Duration::from_millis(30));
    }
    thread::sleep(Duration::from_millis(300));
    let each = picker.main_thread_time().saturating_sub(before) / pages;
    println!(
        "c. scrolling a page at 200x60: {each:.2?} of CPU of the UI thread (budget: below 3 ms)"
    );
    picker.leave();
}

/// Down, held over a thousand rows.
fn holding(store: &Path, home: &Path) {
    eprintln!("making {SESSIONS} sessions…");
    generate::generate(store, SESSIONS, generate::Size::Realistic);
    let sizes: u64 = fs::read_dir(store.join("projects"))
        .expect("listed")
        .flatten()
        .flat_map(|project| fs::read_dir(project.path()).expect("listed").flatten())
        .map(|file| file.metadata().map_or(0, |found| found.len()))
        .sum();
    let mut picker = picker(store, home, 120, 40);
    thread::sleep(Duration::from_secs(1));
    let (before, read) = (picker.main_thread_time(), picker.bytes_read());
    let reader = picker.thread_time("preview");
    for _ in 0..ROWS {
        picker.press(b"\x1b[B");
        // A keyboard repeats thirty times a second; three times as fast is worse.
        thread::sleep(Duration::from_millis(11));
    }
    thread::sleep(Duration::from_millis(500));
    let keys = u32::try_from(ROWS).expect("few");
    let each = picker.main_thread_time().saturating_sub(before) / keys;
    println!(
        "d. holding Down over {ROWS} rows: {each:.2?} of CPU of the UI thread a key (budget: below 3 ms)"
    );
    let read = (picker.bytes_read() - read) * 1000 / sizes;
    let reader = picker.thread_time("preview").saturating_sub(reader);
    println!(
        "   one thread loads, and only where it rests: {}.{} % of the bytes were read, {reader:.1?} of CPU",
        read / 10,
        read % 10
    );
    picker.leave();
}
