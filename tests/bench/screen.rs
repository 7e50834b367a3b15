//! A program on a pseudo-terminal, with its screen and what the kernel says of its threads.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct OnTerminal {
    pub child: Box<dyn Child + Send + Sync>,
    pub input: Box<dyn Write + Send>,
    pub output: Receiver<(Instant, Vec<u8>)>,
    pub started: Instant,
    pub screen: vt100::Parser,
}

#[allow(dead_code, reason = "not every benchmark asks everything")]
impl OnTerminal {
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        let mut reader = pty.master.try_clone_reader().expect("readable");
        let input = pty.master.take_writer().expect("writable");
        let (sender, output) = channel();
        let started = Instant::now();
        let child = pty.slave.spawn_command(command).expect("starts");
        thread::spawn(move || {
            // Kept open here: it ends with the program.
            let _slave = pty.slave;
            let _master = pty.master;
            let mut buffer = vec![0; 65_536];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                let chunk = (Instant::now(), buffer[..length].to_vec());
                if sender.send(chunk).is_err() {
                    return;
                }
            }
        });
        let cells = |count| NonZero::new(count).expect("some");
        Self {
            child,
            input,
            output,
            started,
            screen: vt100::Parser::new(cells(rows), cells(columns), 0),
        }
    }

    /// Sends keys, and takes in what has been drawn.
    pub fn press(&mut self, keys: &[u8]) {
        self.input.write_all(keys).expect("typed");
        self.input.flush().expect("typed");
        while let Ok((_, bytes)) = self.output.try_recv() {
            self.screen.process(&bytes);
        }
    }

    /// Processor time of a thread that is called so.
    pub fn thread_time(&self, name: &str) -> Duration {
        let pid = self.child.process_id().expect("a process");
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("Linux");
        tasks
            .flatten()
            .filter(|task| {
                let comm = fs::read_to_string(task.path().join("comm"));
                comm.is_ok_and(|comm| comm.trim() == name)
            })
            .map(|task| time_of(&task.path().join("schedstat")))
            .sum()
    }

    /// Bytes that it has read so far, from files and otherwise.
    pub fn bytes_read(&self) -> u64 {
        let pid = self.child.process_id().expect("a process");
        let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
        let line = io.lines().find_map(|line| line.strip_prefix("rchar: "));
        line.and_then(|count| count.parse().ok()).unwrap_or(0)
    }

    /// Reads until the screen is as wanted. Returns when the last piece of it arrived.
    pub fn wait(&mut self, wanted: impl Fn(&vt100::Screen) -> bool) -> Instant {
        let mut last = Instant::now();
        let start = last;
        while !wanted(self.screen.screen()) {
            let (at, bytes) = self.output.recv_timeout(PATIENCE).expect("output");
            self.screen.process(&bytes);
            last = at;
            assert!(
                start.elapsed() < PATIENCE,
                "{}",
                self.screen.screen().contents()
            );
        }
        last
    }

    pub fn first_frame(&mut self) -> Duration {
        let started = self.started;
        self.wait(|screen| screen.contents().contains('❯')) - started
    }

    /// Until a row of the list is on the screen. Every generated session is called after one of
    /// the titles.
    pub fn first_rows(&mut self, titles: &[&str]) -> Duration {
        let started = self.started;
        self.wait(|screen| {
            let text = screen.contents();
            titles.iter().any(|title| text.contains(title))
        }) - started
    }

    /// Processor time of the thread that draws.
    pub fn main_thread_time(&self) -> Duration {
        let pid = self.child.process_id().expect("a process");
        time_of(Path::new(&format!("/proc/{pid}/task/{pid}/schedstat")))
    }

    pub fn process_time(&self) -> Duration {
        let pid = self.child.process_id().expect("a process");
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("Linux");
        tasks
            .flatten()
            .map(|task| time_of(&task.path().join("schedstat")))
            .sum()
    }

    /// In megabytes, at its highest.
    pub fn peak_memory(&self) -> u64 {
        self.memory("VmHWM:")
    }

    /// In megabytes, at the moment.
    pub fn memory_at_rest(&self) -> u64 {
        self.memory("VmRSS:")
    }

    fn memory(&self, name: &str) -> u64 {
        let pid = self.child.process_id().expect("a process");
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|value| value.split_whitespace().next()?.parse::<u64>().ok())
            .map_or(0, |kilobytes| kilobytes / 1024)
    }

    pub fn leave(mut self) {
        self.input.write_all(b"\x03").expect("typed");
        self.input.flush().expect("typed");
        self.child.wait().expect("ends");
    }
}

fn time_of(schedstat: &Path) -> Duration {
    let text = fs::read_to_string(schedstat).unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|it| it.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
