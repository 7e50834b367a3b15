//! How the picker feels, measured on the real binary in a terminal, as ratios to a minimal program.
//!
//! `cargo bench --bench picker` starts both on a pseudo-terminal in turns. The minimal program
//! opens the screen with the same crates, draws one frame and echoes keys; that is the floor. The
//! floor of the first rows is that frame plus the stat pass over the store. With
//! `CLAUDE_RESUME_BENCH_STORE=DIR` an existing store of 100,000 sessions is used for the keys
//! instead of a generated one. Processor time is what the kernel says of a thread. Linux only.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout)]

#[path = "generate.rs"]
#[allow(dead_code)]
mod generate;
#[path = "screen.rs"]
mod screen;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use claude_resume::store::list;
use crossterm::event::{Event, KeyCode, KeyModifiers, read};
use portable_pty::CommandBuilder;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use screen::OnTerminal;

/// Set by this program when it starts itself as the minimal one.
const MINIMAL: &str = "CLAUDE_RESUME_BENCH_MINIMAL";
const STORE: &str = "CLAUDE_RESUME_BENCH_STORE";
const SESSIONS: usize = 100_000;
const STARTS: usize = 15;
const COLUMNS: u16 = 120;
const ROWS: u16 = 40;
/// What is typed, letter by letter, and deleted again.
const WORDS: &[&str] = &[
    "queue worker",
    "rotate keys",
    "flaky sleep 3",
    "zzyzx",
    "burst",
];

fn main() {
    if std::env::var_os(MINIMAL).is_some() {
        minimal().expect("a terminal");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = std::env::var_os(STORE).map_or_else(
        || {
            generate::generate(folder.path(), SESSIONS, generate::Size::Tiny);
            folder.path().to_owned()
        },
        PathBuf::from,
    );
    let home = tempfile::tempdir().expect("a temporary folder");
    for sessions in [1_500, 10_000] {
        first_rows(sessions, home.path());
    }

    let mut first = [Vec::new(), Vec::new()];
    for _ in 0..STARTS {
        for (program, times) in [Program::Minimal, Program::Picker]
            .into_iter()
            .zip(&mut first)
        {
            let mut terminal = program.start(&store, home.path());
            times.push(terminal.first_frame());
            terminal.leave();
        }
    }
    let [floor, ours] = first.map(Times::of);
    compare("first frame, best", floor.best, ours.best, 1.5);
    compare("first frame, median", floor.median, ours.median, 1.5);

    for gap in [Duration::from_millis(120), Duration::from_millis(40)] {
        let mut minimal = Program::Minimal.start(&store, home.path());
        minimal.first_frame();
        let floor = Times::of(type_words(&mut minimal, gap));
        minimal.leave();
        let mut picker = Program::Picker.start(&store, home.path());
        picker.first_frame();
        picker.wait(|screen| {
            let text = screen.contents();
            text.contains("sessions") && !text.contains("scanning") && !text.contains("looking")
        });
        let before = picker.main_thread_time();
        let times = type_words(&mut picker, gap);
        let keys = times.len();
        let used = picker.main_thread_time().saturating_sub(before);
        let ours = Times::of(times);
        println!("-- {keys} keys, {gap:?} apart, {SESSIONS} sessions");
        compare("key to frame, median", floor.median, ours.median, 3.0);
        compare("key to frame, p95", floor.p95, ours.p95, 5.0);
        let each = used / u32::try_from(keys).unwrap_or(1);
        println!("UI thread for a key, its results and previews: {each:.2?} (budget 3 ms)");
        // Its last results and its preview are not rest.
        thread::sleep(Duration::from_secs(1));
        let before = picker.process_time();
        thread::sleep(Duration::from_secs(5));
        let idle = picker.process_time().saturating_sub(before);
        println!("processor time in 5 s of rest: {idle:.2?}");
        println!("peak memory: {} MB (budget 150 MB)", picker.peak_memory());
        picker.leave();
    }
}

/// The first rows of realistic transcripts, as the picker starts without options.
fn first_rows(sessions: usize, home: &Path) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path();
    generate::generate(store, sessions, generate::Size::Realistic);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let [mut minimal, mut stat, mut rows] = [const { Vec::new() }; 3];
    for _ in 0..STARTS {
        let mut terminal = Program::Minimal.start(store, home);
        minimal.push(terminal.first_frame());
        terminal.leave();
        let start = Instant::now();
        let listing = list(&[store.to_owned()], threads, &AtomicBool::new(false));
        stat.push(start.elapsed());
        assert_eq!(listing.files.len(), sessions);
        let mut terminal = Program::Picker.start(store, home);
        rows.push(terminal.first_rows(&generate::TITLES));
        terminal.leave();
    }
    let [minimal, stat, rows] = [minimal, stat, rows].map(Times::of);
    println!("-- {sessions} sessions");
    let (frame, pass) = (minimal.best, stat.best);
    println!("floor, best: first frame {frame:.2?} + stat pass {pass:.2?}");
    compare("first rows, best", frame + pass, rows.best, 2.5);
    let floor = minimal.median + stat.median;
    compare("first rows, median", floor, rows.median, 2.5);
}

fn compare(what: &str, floor: Duration, ours: Duration, budget: f64) {
    let ratio = ours.as_secs_f64() / floor.as_secs_f64();
    println!("{what}: {ours:.2?} / {floor:.2?} = {ratio:.2} (budget {budget})");
}

struct Times {
    best: Duration,
    median: Duration,
    p95: Duration,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        Self {
            best: at(0),
            median: at(50),
            p95: at(95),
        }
    }
}

#[derive(Clone, Copy)]
enum Program {
    Minimal,
    Picker,
}

impl Program {
    fn start(self, store: &Path, home: &Path) -> OnTerminal {
        let mut command = match self {
            Self::Minimal => {
                let mut command = CommandBuilder::new(std::env::current_exe().expect("a path"));
                command.env(MINIMAL, "1");
                command
            }
            Self::Picker => CommandBuilder::new(env!("CARGO_BIN_EXE_claude-resume")),
        };
        command.env("HOME", home);
        command.env("CLAUDE_CONFIG_DIR", store);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.cwd(home);
        OnTerminal::start(command, COLUMNS, ROWS)
    }
}

/// Types and deletes the words. Returns how long each key took to be seen.
fn type_words(picker: &mut OnTerminal, gap: Duration) -> Vec<Duration> {
    let mut times = Vec::new();
    for word in WORDS {
        let mut typed = String::new();
        let deletions = std::iter::repeat_n('\x7f', word.len());
        for key in word.chars().chain(deletions) {
            if key == '\x7f' {
                typed.pop();
            } else {
                typed.push(key);
            }
            thread::sleep(gap);
            while let Ok((_, bytes)) = picker.output.try_recv() {
                picker.screen.process(&bytes);
            }
            let pressed = Instant::now();
            let mut bytes = [0; 4];
            let bytes = key.encode_utf8(&mut bytes).as_bytes();
            picker.input.write_all(bytes).expect("typed");
            picker.input.flush().expect("typed");
            let caret = u16::try_from(3 + typed.len()).expect("short");
            let shown = picker.wait(|screen| screen.cursor_position() == (0, caret));
            times.push(shown.saturating_duration_since(pressed));
        }
    }
    times
}

/// The least that a full-screen program with a query line does.
fn minimal() -> io::Result<()> {
    let mut out = io::stdout();
    crossterm::terminal::enable_raw_mode()?;
    crossterm::execute!(out, crossterm::terminal::EnterAlternateScreen)?;
    let writer = io::BufWriter::with_capacity(1 << 16, out);
    let mut terminal = Terminal::new(CrosstermBackend::new(writer))?;
    let mut query = String::new();
    loop {
        terminal.draw(|frame| {
            let area = frame.area();
            let buffer = frame.buffer_mut();
            buffer.set_string(0, 0, format!(" ❯ {query}"), ratatui::style::Style::new());
            for y in 1..area.height {
                let text = "a row of text like those in a list of sessions ".repeat(2);
                buffer.set_stringn(
                    0,
                    y,
                    text,
                    usize::from(area.width),
                    ratatui::style::Style::new(),
                );
            }
            let caret = u16::try_from(3 + query.len()).unwrap_or(0);
            frame.set_cursor_position((caret, 0));
        })?;
        let Event::Key(key) = read()? else { continue };
        match key.code {
            KeyCode::Char('c') if key.modifiers == KeyModifiers::CONTROL => break,
            KeyCode::Char(c) => query.push(c),
            KeyCode::Backspace => {
                query.pop();
            }
            _ => {}
        }
    }
    crossterm::execute!(io::stdout(), crossterm::terminal::LeaveAlternateScreen)?;
    crossterm::terminal::disable_raw_mode()
}
