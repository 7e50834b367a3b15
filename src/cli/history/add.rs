//! `claude-resume history add` and `undo`: record prompts, and undo the last one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use super::super::surroundings::{Surroundings, real_path};
use super::super::{Exit, complain, counted};
use super::{calling_session, checked_id};
use crate::edit::{Recorder, Undone};
use crate::files;
use crate::history::{Paste, PasteKind, Prompt, is_hash};
use crate::json::lenient;
use crate::text::{sanitize, size};

/// How long to wait for the lock before prompts are left for the next `history add`: a little
/// longer than the lock of a dead process stays valid.
const PATIENCE: Duration = Duration::from_secs(13);
/// A longer wait is reported.
const PATIENCE_UNSAID: Duration = Duration::from_secs(1);
/// Between two attempts, each of which waits a third of a second itself.
const PAUSE: Duration = Duration::from_millis(50);

/// Record a prompt in the history, as Claude Code does
///
/// Reads the prompt from stdin if there is no TEXT. Waits for Claude Code's own lock on the
/// history. If the lock is not released, the prompt is saved, and the next `history add` writes
/// it.
#[derive(Debug, Args)]
pub struct Add {
    /// The prompt
    #[arg(value_name = "TEXT")]
    text: Vec<String>,

    /// The project of the prompt (default: the current directory)
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// The session of the prompt (default: `session_id=…` in `SESSION_CONTEXT`)
    #[arg(long, value_name = "ID", value_parser = checked_id)]
    session: Option<String>,

    /// A text file that was pasted into the prompt (repeatable)
    ///
    /// The prompt refers to the first file as [Pasted text #1], to the second as [Pasted text #2].
    /// A missing reference is added at the end.
    #[arg(long = "paste", value_name = "FILE")]
    pastes: Vec<PathBuf>,

    /// Record many prompts: reads one JSON object per line from stdin
    ///
    /// An object has `display` and optionally `project`, `sessionId`, `timestamp` (milliseconds
    /// since 1970) and `pastedContents`. Invalid lines are reported and skipped, and the exit code
    /// is then 2.
    #[arg(long, conflicts_with_all = ["text", "pastes"])]
    json: bool,
}

impl Add {
    pub fn run(self, surroundings: &Surroundings, mut recorder: Recorder) -> anyhow::Result<Exit> {
        let current = surroundings.current_dir.as_ref();
        let project = match &self.project {
            Some(given) => real_path(given)?,
            None => current.cloned().unwrap_or_default(),
        };
        let like = Prompt {
            project: project.to_string_lossy().into_owned(),
            session: self.session.clone().or_else(calling_session),
            ..Prompt::default()
        };
        if self.json {
            // Prompts before an error are written first.
            let taken = record_lines(&mut recorder, &like, || surroundings.milliseconds());
            finish(&mut recorder)?;
            return taken;
        }
        let prompt = self.prompt(Prompt {
            timestamp: surroundings.milliseconds(),
            ..like
        })?;
        recorder.add(&prompt).context("cannot record")?;
        finish(&mut recorder)?;
        Ok(Exit::DONE)
    }

    fn prompt(self, like: Prompt) -> anyhow::Result<Prompt> {
        let mut display = self.text.join(" ");
        if display.is_empty() {
            if io::stdin().is_terminal() {
                bail!("no prompt to record: pass it as an argument or on stdin");
            }
            display = read_all(io::stdin()).context("stdin: cannot be read")?;
            display.truncate(display.trim_end_matches('\n').len());
        }
        if display.trim().is_empty() && self.pastes.is_empty() {
            bail!("no prompt to record: it is empty");
        }
        let mut pastes = Vec::new();
        for (id, path) in (1..).zip(&self.pastes) {
            let text = File::open(path)
                .and_then(read_all)
                .with_context(|| format!("{}: cannot be read", path.display()))?;
            if !display.contains(&format!("[Pasted text #{id}")) {
                if !display.is_empty() {
                    display.push(' ');
                }
                let reference = match text.matches('\n').count() {
                    0 => format!("[Pasted text #{id}]"),
                    lines => format!("[Pasted text #{id} +{lines} lines]"),
                };
                display.push_str(&reference);
            }
            let kind = PasteKind::Inline(text);
            pastes.push(Paste { id, kind });
        }
        Ok(Prompt {
            display,
            pastes,
            ..like
        })
    }
}

/// Reads a file or a pipe to its end, up to a limit.
fn read_all(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    source.take(files::LARGE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > files::LARGE {
        let reason = format!(
            "larger than {}, which is too long for a prompt",
            size(files::LARGE)
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(text)
}

/// The most invalid lines that are reported one by one.
const NAMED: usize = 10;

/// Records lines as they arrive. Lines that arrive together are written together. An invalid line
/// is reported and affects no other.
fn record_lines(
    recorder: &mut Recorder,
    like: &Prompt,
    now: impl Fn() -> i64,
) -> anyhow::Result<Exit> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut line = Vec::new();
    let mut left_out = 0;
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let recorded = parsed(&line, like, &now)
            .map_err(str::to_owned)
            .and_then(|prompt| recorder.add(&prompt).map_err(|error| error.to_string()));
        if let Err(reason) = recorded {
            left_out += 1;
            if left_out <= NAMED {
                complain(&format!("line {number} was not recorded: {reason}"));
            }
        }
        if !input.buffer().contains(&b'\n')
            && let Err(error) = recorder.flush()
            && !error.is_busy()
        {
            // The end tries once more and reports it.
            break;
        }
    }
    match left_out {
        0 => return Ok(Exit::DONE),
        1..=NAMED => {}
        more => complain(&format!("{} more lines were not recorded", more - NAMED)),
    }
    Ok(Exit::FAILED)
}

/// The prompt of a line, or why it is invalid.
fn parsed(line: &[u8], like: &Prompt, now: impl Fn() -> i64) -> Result<Prompt, &'static str> {
    std::str::from_utf8(line).map_err(|_| "not UTF-8")?;
    let value: Value = serde_json::from_slice(line).unwrap_or_else(|_| lenient(line));
    let given = |key: &str| value.get(key).filter(|given| !given.is_null());
    let display = given("display").and_then(Value::as_str);
    let display = display.ok_or("not a JSON object with a `display` string")?;
    if display.trim().is_empty() {
        return Err("the prompt is empty");
    }
    let text = |key: &str| match given(key).map(Value::as_str) {
        None => Ok(None),
        Some(Some(text)) if !text.is_empty() => Ok(Some(text.to_owned())),
        Some(_) => Err("project or sessionId is empty or not a string"),
    };
    let project = text("project")?.and_then(|project| std::path::absolute(project).ok());
    let pasted = match given("pastedContents").map(Value::as_object) {
        Some(None) => return Err("pastedContents is not an object"),
        pasted => pasted.flatten(),
    };
    let mut pastes = Vec::new();
    for (id, paste) in pasted.into_iter().flatten() {
        let text = |key: &str| paste.get(key)?.as_str().map(str::to_owned);
        if text("type").as_deref() == Some("image") {
            continue;
        }
        // Long pastes of another history may be in the same store.
        let hash = || text("contentHash").filter(|hash| is_hash(hash));
        let kind = text("content").map(PasteKind::Inline);
        let kind = kind.or_else(|| hash().map(PasteKind::Stored));
        let (Ok(id), Some(kind)) = (id.parse(), kind) else {
            return Err("a paste has no number, or neither content nor contentHash");
        };
        pastes.push(Paste { id, kind });
    }
    let timestamp = given("timestamp").map_or_else(|| Some(now()), Value::as_i64);
    Ok(Prompt {
        display: display.to_owned(),
        pastes,
        timestamp: timestamp.ok_or("timestamp is not a number of milliseconds since 1970")?,
        project: match project {
            Some(project) => project.to_string_lossy().into_owned(),
            None => like.project.clone(),
        },
        session: text("sessionId")?.or_else(|| like.session.clone()),
    })
}

/// Writes the rest, or leaves it for the next `history add`.
fn finish(recorder: &mut Recorder) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut is_said = false;
    loop {
        let Err(error) = recorder.flush() else {
            return Ok(());
        };
        if error.is_busy() && start.elapsed() <= PATIENCE {
            if start.elapsed() >= PATIENCE_UNSAID && !std::mem::replace(&mut is_said, true) {
                let most = PATIENCE.as_secs();
                complain(&format!("{error}: waiting up to {most} seconds"));
            }
            thread::sleep(PAUSE);
            continue;
        }
        let count = recorder.waiting();
        recorder
            .leave_behind()
            .with_context(|| format!("{error}, and the prompts cannot be saved for later"))?;
        let waiting = counted(count, "waiting prompt");
        let said = format!("{error}; the next `history add` writes the {waiting}");
        if !error.is_busy() {
            bail!(said);
        }
        complain(&said);
        return Ok(());
    }
}

pub fn undo(mut recorder: Recorder) -> anyhow::Result<Exit> {
    let undone = recorder.undo().context("cannot undo")?;
    let mut out = io::stdout().lock();
    match undone {
        Undone::Withdrawn(text) => writeln!(out, "discarded: {}", sanitize(&text))?,
        Undone::Skipped(text) => writeln!(out, "hidden: {}", sanitize(&text))?,
        Undone::Nothing => {
            complain("nothing to undo");
            return Ok(Exit::NOTHING_FOUND);
        }
    }
    Ok(Exit::DONE)
}
