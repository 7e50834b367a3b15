//! `claude-resume history add` and `undo`: recording prompts, and taking the last one back.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use super::super::surroundings::Surroundings;
use super::super::{Outcome, complain};
use super::{session_around, whole_path};
use crate::edit::{NewContent, NewPaste, NewPrompt, Recorder, Undone};
use crate::files;
use crate::history::is_hash;
use crate::json::lenient;
use crate::text::{sanitize, size};

/// How long to try before prompts are left to whoever records next: a little longer than it takes
/// until the lock of a process that died is anybody's.
const PATIENCE: Duration = Duration::from_secs(13);
/// Somebody who waits longer than this wants to know why.
const PATIENCE_UNSAID: Duration = Duration::from_secs(1);
/// Between two attempts, each of which waits a third of a second itself.
const PAUSE: Duration = Duration::from_millis(50);

/// Where prompts are recorded.
pub struct Books {
    pub root: PathBuf,
    /// The folder for what this program remembers.
    pub state: PathBuf,
}

/// Record a prompt, as Claude Code records them
///
/// Without a text it is read from stdin. The lock that Claude Code's own writers wait for is held
/// while a line is added; a lock that stays busy for long makes the prompt wait for the next one.
#[derive(Debug, Args)]
pub struct Add {
    /// The prompt
    #[arg(value_name = "TEXT")]
    text: Vec<String>,

    /// The project it was entered in; the current directory if not given
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// The session it was entered in; `session_id=…` in `SESSION_CONTEXT` if not given
    #[arg(long, value_name = "ID")]
    session: Option<String>,

    /// A text file that was pasted into it (may be repeated). The prompt refers to the first one
    /// as [Pasted text #1]; where it does not, the reference is added to its end
    #[arg(long = "paste", value_name = "FILE")]
    pastes: Vec<PathBuf>,

    /// Record many: one JSON object a line from stdin, with `display` and, where they differ,
    /// `project`, `sessionId`, `timestamp` (milliseconds since 1970) and `pastedContents`. A line that is
    /// none is named and left out, the others are recorded, and the exit code is 2
    #[arg(long, conflicts_with_all = ["text", "pastes"])]
    json: bool,
}

impl Add {
    pub fn run(self, surroundings: &Surroundings, books: &Books) -> anyhow::Result<Outcome> {
        if !books.root.is_dir() {
            bail!("{}: no such directory", books.root.display());
        }
        if self.session.as_ref().is_some_and(|id| id.trim().is_empty()) {
            bail!("--session: the id is empty");
        }
        let current = surroundings.current_dir.as_ref();
        let project = match &self.project {
            Some(given) => whole_path(given)?,
            None => current.cloned().unwrap_or_default(),
        };
        let like = NewPrompt {
            project: project.to_string_lossy().into_owned(),
            session: self.session.clone().or_else(session_around),
            ..NewPrompt::default()
        };
        let mut recorder = Recorder::new(&books.root, &books.state);
        if self.json {
            // Whatever goes wrong, what was taken until then is written first.
            let taken = record_lines(&mut recorder, &like, || surroundings.milliseconds());
            finish(&mut recorder)?;
            return taken;
        }
        let prompt = self.prompt(NewPrompt {
            timestamp: surroundings.milliseconds(),
            ..like
        })?;
        recorder.add(&prompt).context("cannot record")?;
        finish(&mut recorder)?;
        Ok(Outcome::Done)
    }

    fn prompt(self, like: NewPrompt) -> anyhow::Result<NewPrompt> {
        let mut display = self.text.join(" ");
        if display.is_empty() {
            if io::stdin().is_terminal() {
                bail!("there is no prompt to record: give it as an argument or on stdin");
            }
            display = read_all(io::stdin()).context("stdin: cannot be read")?;
            display.truncate(display.trim_end_matches('\n').len());
        }
        if display.trim().is_empty() && self.pastes.is_empty() {
            bail!("there is no prompt to record: it is empty");
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
                let lines = text.matches('\n').count();
                let reference = match lines {
                    0 => format!("[Pasted text #{id}]"),
                    lines => format!("[Pasted text #{id} +{lines} lines]"),
                };
                display.push_str(&reference);
            }
            let content = NewContent::Text(text);
            pastes.push(NewPaste { id, content });
        }
        Ok(NewPrompt {
            display,
            pastes,
            ..like
        })
    }
}

/// Reads what a person hands over. That may be a pipe, so it is waited for, but not without end.
fn read_all(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    source.take(files::LARGE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > files::LARGE {
        let reason = format!("more than {}: no prompt is that long", size(files::LARGE));
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(text)
}

/// So many lines that were left out are named; of more there is no end.
const NAMED: usize = 10;

/// Records lines as they come. Those that have arrived together are written together. A line that
/// cannot be recorded is named and loses no other.
fn record_lines(
    recorder: &mut Recorder,
    like: &NewPrompt,
    now: impl Fn() -> i64,
) -> anyhow::Result<Outcome> {
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
                complain(&format!("line {number} is not recorded: {reason}"));
            }
        }
        if !input.buffer().contains(&b'\n')
            && let Err(error) = recorder.flush()
            && !error.is_busy()
        {
            // It is tried once more at the end, and said there.
            break;
        }
    }
    match left_out {
        0 => return Ok(Outcome::Done),
        1..=NAMED => {}
        more => complain(&format!("{} more lines are not recorded", more - NAMED)),
    }
    Ok(Outcome::Failed)
}

/// The prompt of a line, or why there is none.
fn parsed(line: &[u8], like: &NewPrompt, now: impl Fn() -> i64) -> Result<NewPrompt, &'static str> {
    if std::str::from_utf8(line).is_err() {
        return Err("it is not UTF-8");
    }
    let value: Value = serde_json::from_slice(line).unwrap_or_else(|_| lenient(line));
    let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
    let display = text("display").ok_or("it is no JSON object with a display")?;
    if display.trim().is_empty() {
        return Err("the prompt is empty");
    }
    let is_text = |key: &str| {
        let given = value.get(key).filter(|given| !given.is_null());
        given.is_none_or(|given| given.as_str().is_some_and(|text| !text.is_empty()))
    };
    if !is_text("project") || !is_text("sessionId") {
        return Err("its project or sessionId is no text, or empty");
    }
    let mut pastes = Vec::new();
    let given = match value.get("pastedContents") {
        None | Some(Value::Null) => None,
        Some(given) => Some(
            given
                .as_object()
                .ok_or("its pastedContents are no object")?,
        ),
    };
    for (id, paste) in given.into_iter().flatten() {
        let text = |key: &str| paste.get(key)?.as_str().map(str::to_owned);
        if text("type").as_deref() == Some("image") {
            continue;
        }
        // A line of another history may have its long pastes in the same store.
        let hash = || text("contentHash").filter(|hash| is_hash(hash));
        let content = text("content").map(NewContent::Text);
        let content = content.or_else(|| hash().map(NewContent::Stored));
        let (Ok(id), Some(content)) = (id.parse(), content) else {
            return Err("one of its pastes has no number, or neither content nor contentHash");
        };
        pastes.push(NewPaste { id, content });
    }
    let timestamp = match value.get("timestamp") {
        None | Some(Value::Null) => now(),
        Some(given) => given
            .as_i64()
            .ok_or("its timestamp is no number of milliseconds since 1970")?,
    };
    Ok(NewPrompt {
        display,
        pastes,
        timestamp,
        project: match text("project").as_deref().map(std::path::absolute) {
            Some(Ok(project)) => project.to_string_lossy().into_owned(),
            Some(Err(_)) | None => like.project.clone(),
        },
        session: text("sessionId").or_else(|| like.session.clone()),
    })
}

/// Writes what is left, or leaves it to whoever records next.
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
                complain(&format!("{error}: waiting for it, {most} seconds at most"));
            }
            thread::sleep(PAUSE);
            continue;
        }
        let count = recorder.waiting();
        recorder
            .leave_behind()
            .with_context(|| format!("{error}, and the prompts cannot wait"))?;
        let said = format!("{error}; {count} to be written by the next `history add`");
        if !error.is_busy() {
            bail!(said);
        }
        complain(&said);
        return Ok(());
    }
}

pub fn undo(books: &Books) -> anyhow::Result<Outcome> {
    let undone = Recorder::new(&books.root, &books.state)
        .undo()
        .context("cannot take it back")?;
    let mut out = io::stdout().lock();
    match undone {
        Undone::Withdrawn(text) => writeln!(out, "not written: {}", sanitize(&text))?,
        Undone::Skipped(text) => writeln!(out, "taken back: {}", sanitize(&text))?,
        Undone::Nothing => {
            complain("there is nothing to take back");
            return Ok(Outcome::NothingFound);
        }
    }
    Ok(Outcome::Done)
}
