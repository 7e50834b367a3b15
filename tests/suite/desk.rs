//! A desk to test the real binary at: a store, a `claude` that writes down how it was called, and
//! a terminal with a model of its screen.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::counter::{Fingerprint, fingerprint};
use crate::support::{Store, conversation, id};

/// How long a screen may take to show what is waited for. Not a measure: a slow machine gets
/// its time, a picker that hangs fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal with a program on it.
pub struct Pty {
    pub master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub input: Box<dyn Write + Send>,
    pub output: Receiver<Vec<u8>>,
    pub screen: vt100::Parser,
    /// Everything that was written to the terminal.
    pub bytes: Vec<u8>,
}

/// A store with a few sessions and a recording `claude`.
pub struct Desk {
    pub store: Store,
    pub shop: PathBuf,
    pub record: PathBuf,
}

impl Desk {
    pub fn new() -> Self {
        let store = Store::new();
        let shop = store.outside("shop");
        let cwd = shop.to_str().expect("UTF-8").to_owned();
        for (n, prompt) in [
            (1, "Rotate the keys"),
            (2, "Fix the login page"),
            (3, "Port the report"),
        ] {
            store.session("-shop", &id(n), u64::from(n), conversation(prompt, &cwd));
        }
        let gone = conversation("In a lost place", "/no/such/place");
        store.session("-gone", &id(4), 0, gone);
        let bin = store.outside("bin");
        let record = bin.join("record");
        let script = format!(
            "#!/bin/sh\n{{ pwd; echo \"$CLAUDE_CONFIG_DIR\"; for word; do echo \"$word\"; done; stty -a; }} > '{}'\n",
            record.display()
        );
        let claude = bin.join("claude");
        fs::write(&claude, script).expect("written");
        fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).expect("set");
        Self {
            store,
            shop,
            record,
        }
    }

    pub fn command(&self, program: &str) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.env_clear();
        command.cwd(&self.shop);
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.store.outside("bin");
        command.env("PATH", format!("{}:{path}", bin.display()));
        command.env("HOME", self.store.outside("home"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("TZ", "UTC");
        command.env("CLAUDE_CONFIG_DIR", self.store.root());
        command
    }

    pub fn open(&self, arguments: &[&str]) -> Pty {
        let mut command = self.command(env!("CARGO_BIN_EXE_claude-resume"));
        command.args(arguments);
        Pty::start(command, 100, 30)
    }

    pub fn recorded(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.record).expect("claude was called");
        text.lines().map(str::to_owned).collect()
    }
}

/// Everything under the config directory is as it was when this ends.
pub struct Untouched<'a> {
    desk: &'a Desk,
    before: Fingerprint,
}

impl<'a> Untouched<'a> {
    pub fn watch(desk: &'a Desk) -> Self {
        let before = fingerprint(&desk.store.root());
        Self { desk, before }
    }
}

impl Drop for Untouched<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.before, fingerprint(&self.desk.store.root()));
        }
    }
}

impl Pty {
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        let mut reader = pty.master.try_clone_reader().expect("readable");
        let input = pty.master.take_writer().expect("writable");
        let child = pty.slave.spawn_command(command).expect("starts");
        drop(pty.slave);
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            // Linux reports the end of a terminal as an error.
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            master: pty.master,
            child,
            input,
            output,
            screen: vt100::Parser::new(size_of(rows), size_of(columns), 0),
            bytes: Vec::new(),
        }
    }

    pub fn type_text(&mut self, text: &str) {
        // Whoever answers has read the question, and what is typed in a hurry answers none.
        if self.text().contains("Enter choose") {
            thread::sleep(Duration::from_millis(350));
        }
        self.type_at_once(text);
    }

    /// Answers a card. Behind another terminal it may come in parts, its last line last.
    pub fn answer(&mut self, text: &str) {
        self.wait_for("Enter choose");
        self.type_text(text);
    }

    pub fn type_at_once(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("typed");
        self.input.flush().expect("typed");
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        self.master.resize(size).expect("resized");
        self.screen
            .screen_mut()
            .set_size(size_of(rows), size_of(columns));
    }

    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads until the screen is as wanted.
    pub fn wait(&mut self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while self.is_half_drawn() || !wanted(self.screen.screen()) {
            match self.output.recv_timeout(Duration::from_millis(100)) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => assert!(
                    error == RecvTimeoutError::Timeout && start.elapsed() < PATIENCE,
                    "{what} ({error}):\n{}",
                    self.text()
                ),
            }
        }
    }

    /// Is the rest of a frame still to come?
    fn is_half_drawn(&self) -> bool {
        let last = |mark: &[u8]| self.bytes.windows(mark.len()).rposition(|at| at == mark);
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }

    pub fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Waits until nothing more is drawn for a moment.
    pub fn settle(&mut self, rest: Duration) {
        while let Ok(bytes) = self.output.recv_timeout(rest) {
            self.take(&bytes);
        }
    }

    pub fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.bytes.extend_from_slice(bytes);
    }

    /// Reads to the end and says how the program ended.
    pub fn end(&mut self) -> u32 {
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("waited") {
                break status.exit_code();
            }
            assert!(
                start.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.text()
            );
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.take(&bytes);
            }
        };
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(300)) {
            self.take(&bytes);
        }
        code
    }

    /// The terminal is as a program found it: main screen, cursor shown, no mode left on.
    pub fn assert_restored(&self) {
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the main screen is back");
        assert!(!screen.hide_cursor(), "the cursor is back");
        assert!(!screen.bracketed_paste(), "paste is plain again");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(modes_left_on(&self.bytes), Vec::<String>::new());
    }
}

/// Every private mode, whichever it is, that is not as terminals have it at first, and the
/// keyboard protocol if it was taken and not given back.
pub fn modes_left_on(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut last = BTreeMap::new();
    let mut keyboards = 0_i32;
    for sequence in text.split("\x1b[").skip(1) {
        let end = sequence.find(|c: char| c.is_ascii_alphabetic());
        let (parameters, kind) = sequence.split_at(end.unwrap_or(0));
        match (parameters.as_bytes().first(), kind.chars().next()) {
            (Some(b'?'), Some(kind @ ('h' | 'l'))) => {
                for mode in parameters[1..].split(';') {
                    last.insert(mode.to_owned(), kind);
                }
            }
            (Some(b'>'), Some('u')) => keyboards += 1,
            (Some(b'<'), Some('u')) => keyboards -= 1,
            _ => {}
        }
    }
    // The cursor and wrapping are on by default.
    let is_default = |mode: &str, kind| (kind == 'h') == matches!(mode, "25" | "7");
    let mut left: Vec<String> = last
        .into_iter()
        .filter(|(mode, kind)| !is_default(mode, *kind))
        .map(|(mode, kind)| format!("{mode}{kind}"))
        .collect();
    if keyboards != 0 {
        left.push(format!("{keyboards} keyboards"));
    }
    left
}

pub fn size_of(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("at least one")
}

/// Is the line editing of the terminal as at the beginning?
pub fn is_cooked(stty: &[String]) -> bool {
    let text = stty.join(" ");
    text.contains(" icanon") && text.contains(" echo ") && text.contains(" isig")
}
