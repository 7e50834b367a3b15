//! Puts texts on the clipboard: starts the programs, and has the loop write to the terminal.
//!
//! One copy at a time; of those that wait only the latest is done. A program has one second, then it is
//! killed and the next way is tried. Programs are found in absolute folders of `PATH` only, and start
//! without a shell. Each has its own process group: one that keeps the clipboard in the background
//! outlives the picker and a Ctrl+C in the terminal.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Outbox, Spawner};
use crate::resume::{Program, program};
use crate::store::spawn;
use crate::tui::clipboard::{
    Clip, ClipboardEnv, Copied, Encoding, How, Multiplexer, TerminalCopy, Tool, Way,
};
use crate::tui::message::Message;

/// What a program has before it is killed.
const TIME_LIMIT: Duration = Duration::from_secs(1);
/// How often a program is asked whether it has ended.
const POLL: Duration = Duration::from_millis(4);

/// The way to the clipboard.
#[derive(Debug)]
pub struct Clipboard {
    spawner: Spawner,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    env: ClipboardEnv,
    /// How long a program may take.
    limit: Duration,
    queue: Mutex<Queue>,
    /// When every program has to be done, because the picker is left.
    end: OnceLock<Instant>,
}

#[derive(Debug, Default)]
struct Queue {
    next: Option<Clip>,
    is_working: bool,
}

impl Clipboard {
    pub fn new(env: ClipboardEnv, spawner: Spawner) -> Self {
        Self::with_limit(env, spawner, TIME_LIMIT)
    }

    fn with_limit(env: ClipboardEnv, spawner: Spawner, limit: Duration) -> Self {
        let shared = Arc::new(Shared {
            env,
            limit,
            queue: Mutex::default(),
            end: OnceLock::new(),
        });
        Self { spawner, shared }
    }

    /// Copies a text, instead of one that still waits.
    pub fn send(&self, clip: Clip) {
        let mut queue = self.shared.queue();
        queue.next = Some(clip);
        if queue.is_working {
            return;
        }
        let shared = Arc::clone(&self.shared);
        let alarm = self.spawner.alarm("clipboard");
        // A thread of its own, because the workers are niced: programs would inherit that, and stay.
        let thread = thread::Builder::new().spawn(move || shared.work(&alarm.outbox));
        queue.is_working = thread.is_ok();
    }

    /// The picker is left: no program may take longer than another second.
    pub fn hurry(&self) {
        let Shared { end, limit, .. } = &*self.shared;
        end.get_or_init(|| Instant::now() + *limit);
    }

    /// Is a text on its way?
    pub fn is_working(&self) -> bool {
        self.shared.queue().is_working
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next text; ends the work if there is none.
    fn next(&self) -> Option<Clip> {
        let mut queue = self.queue();
        let next = queue.next.take();
        queue.is_working = next.is_some();
        next
    }

    fn work(&self, outbox: &Outbox) {
        while let Some(clip) = self.next() {
            let run = Run {
                clip: &clip,
                limit: self.limit,
                end: &self.end,
                terminal: &|multiplexer| {
                    let text = clip.text.clone();
                    outbox.tell(Message::ToTerminal { text, multiplexer });
                },
            };
            let how = run.all(&self.env);
            outbox.tell(Message::Copied(Copied { clip, how }));
        }
    }
}

/// One copy.
struct Run<'a> {
    clip: &'a Clip,
    limit: Duration,
    end: &'a OnceLock<Instant>,
    /// Has the loop write to the terminal.
    terminal: &'a dyn Fn(Multiplexer),
}

impl Run<'_> {
    /// Tries all ways in their order.
    fn all(&self, env: &ClipboardEnv) -> How {
        let ways = env.ways(|name| {
            let found = program(name, env.search_path.as_deref(), None);
            match found {
                Program::Found(path) if path.is_absolute() => Some(path),
                _ => None,
            }
        });
        let mut how = How::default();
        if let Some(way) = &ways.configured {
            if self.works(way, &mut how) {
                return how;
            }
            how.configured = how.failed.pop();
        }
        for group in &ways.groups {
            let _ = group.iter().any(|way| self.works(way, &mut how));
        }
        how
    }

    /// Tries a way, and notes what became of it.
    fn works(&self, way: &Way, how: &mut How) -> bool {
        let failure = match way {
            Way::Missing(name) => format!("{name}: not found"),
            Way::Tool(tool) => {
                let name = name(&tool.path);
                match self.feed(tool) {
                    Ok(()) => {
                        how.program = Some(name);
                        return true;
                    }
                    Err(failure) => format!("{name}: {failure}"),
                }
            }
            Way::Tmux(path) => match self.feed_tmux(path, how) {
                Ok(()) => {
                    how.is_in_tmux = true;
                    return true;
                }
                Err(failure) => format!("tmux: {failure}"),
            },
            Way::Terminal(multiplexer) => {
                let sent = match multiplexer {
                    Multiplexer::Tmux => TerminalCopy::SentAsConfigured,
                    Multiplexer::None | Multiplexer::Screen => TerminalCopy::Sent,
                };
                how.terminal = self.send(*multiplexer, sent);
                return how.terminal == sent;
            }
            Way::Blindly => {
                how.terminal = self.send(Multiplexer::Tmux, TerminalCopy::SentBlindly);
                return false;
            }
        };
        how.failed.push(failure);
        false
    }

    /// Sends the text to the terminal, unless it is too long for it.
    fn send(&self, multiplexer: Multiplexer, sent: TerminalCopy) -> TerminalCopy {
        if !self.clip.fits_terminal() {
            return TerminalCopy::TooLong;
        }
        (self.terminal)(multiplexer);
        sent
    }

    /// Hands the text to tmux, and to its terminal as well.
    fn feed_tmux(&self, tmux: &Path, how: &mut How) -> Result<(), Failure> {
        let feed = |words: &[&str]| {
            self.feed(&Tool {
                path: tmux.to_owned(),
                arguments: words.iter().map(|&word| word.to_owned()).collect(),
                encoding: Encoding::Utf8,
            })
        };
        if self.clip.fits_terminal() && feed(&["load-buffer", "-w", "-"]).is_ok() {
            how.terminal = TerminalCopy::Sent;
            return Ok(());
        }
        // tmux before 3.2 does not know `-w`, but passes on what is wrapped.
        feed(&["load-buffer", "-"])?;
        how.terminal = self.send(Multiplexer::Tmux, TerminalCopy::Sent);
        Ok(())
    }

    /// Runs a program with the text on its stdin.
    fn feed(&self, tool: &Tool) -> Result<(), Failure> {
        let began = Instant::now();
        let end = || {
            let own = began + self.limit;
            self.end.get().map_or(own, |end| own.min(*end))
        };
        if began >= end() {
            return Err(Failure::TooSlow);
        }
        let mut command = Command::new(&tool.path);
        if tool.encoding == Encoding::OfLocale {
            command.env("LC_ALL", "en_US.UTF-8");
        }
        // One that stays in the background would keep pipes open.
        command
            .args(&tool.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = spawn(&mut command).map_err(|_| Failure::NotStarted)?;
        // A program that does not read would keep this thread waiting.
        let (sender, written) = mpsc::channel();
        let (stdin, bytes) = (child.stdin.take(), encoded(&self.clip.text, tool.encoding));
        let _ = thread::Builder::new().spawn(move || {
            let whole = stdin.map(|mut stdin| stdin.write_all(&bytes).is_ok());
            sender.send(whole == Some(true))
        });
        let Some(status) = wait(&mut child, end) else {
            kill(&mut child);
            return Err(Failure::TooSlow);
        };
        if !status.success() {
            return Err(Failure::Ended(status));
        }
        // What it left in the background may still read.
        let left = end().saturating_duration_since(Instant::now());
        match written.recv_timeout(left) {
            Ok(true) => Ok(()),
            Ok(false) | Err(RecvTimeoutError::Disconnected) => Err(Failure::NotRead),
            Err(RecvTimeoutError::Timeout) => Err(Failure::TooSlow),
        }
    }
}

/// Why a program did not take a text.
enum Failure {
    NotStarted,
    Ended(ExitStatus),
    /// It did not read all of the text.
    NotRead,
    TooSlow,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotStarted => write!(out, "cannot be started"),
            Self::Ended(status) => match status.code() {
                Some(code) => write!(out, "ended with code {code}"),
                None => write!(out, "killed ({status})"),
            },
            Self::NotRead => write!(out, "did not read the text"),
            Self::TooSlow => write!(out, "took too long"),
        }
    }
}

/// How a program ended. `None` if it has not by then.
fn wait(child: &mut Child, end: impl Fn() -> Instant) -> Option<ExitStatus> {
    loop {
        // Asked first: the whole picker may have been stopped for longer.
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= end() {
            return None;
        }
        thread::sleep(POLL);
    }
}

/// Ends a program and what it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = rustix::process::Pid::from_child(child);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill().and_then(|()| child.wait());
}

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 | Encoding::OfLocale => text.as_bytes().to_vec(),
        Encoding::Utf16 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    }
}

/// A program as it is called in messages.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

#[cfg(unix)]
#[cfg(test)]
#[path = "clipboard_tests.rs"]
mod tests;
