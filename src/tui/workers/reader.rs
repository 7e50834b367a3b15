//! Reads conversations for the preview, on its own thread: the newest request, and no other.
//!
//! An answer comes in pages, each better than the one before: the end of a long conversation,
//! then the whole, then with the colours of code. Whoever asks again makes the rest void, also in
//! the middle of reading a file.

mod open;
mod shelf;
mod stoppable;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Local};
use tokio::sync::mpsc::UnboundedSender;

use super::super::message::{Message, Page, PreviewRequest, Previewed};
use super::super::seek::{landing, matches};
use crate::preview::{Agents, Facts, Fold, Known, Laid, Manner, Place, Syntaxes, card};
use crate::transcript::What;
use open::{Opened, Screenful, open_newest, open_whole, stamp};
use shelf::{Shelf, Title};
use stoppable::is_stopped;

/// Two requests within this time are a key held down: only where it rests is anything read.
const REPEATS: Duration = Duration::from_millis(70);
/// How long nothing may be asked for until that is a rest.
const REST: Duration = Duration::from_millis(35);
/// From this size on the end is read before the whole.
const LONG: u64 = 1024 * 1024;
/// Turns that are laid out at most: beyond this lie months.
const MOST_TURNS: usize = 20_000;

/// The newest request, as everybody sees it at once.
#[derive(Debug, Default)]
pub struct Newest {
    generation: AtomicU64,
    /// Of which file and branch it is: what is being read of the same one is still wanted,
    /// however it is to be laid out.
    subject: AtomicU64,
}

impl Newest {
    pub fn set(&self, request: &PreviewRequest) {
        self.subject.store(subject(request), Ordering::Relaxed);
        self.generation
            .store(request.generation.0, Ordering::Relaxed);
    }

    /// Nothing is wanted any more.
    pub fn end(&self) {
        self.subject.store(0, Ordering::Relaxed);
        self.generation.store(u64::MAX, Ordering::Relaxed);
    }
}

/// A number for what a request is about; never zero.
fn subject(request: &PreviewRequest) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&request.path, &request.leaf, request.options.earlier).hash(&mut hasher);
    hasher.finish().max(1)
}

/// Whether to go on, for whoever works long.
#[derive(Clone, Copy)]
pub struct GoOn<'a> {
    /// With reading this file.
    pub reading: &'a dyn Fn() -> bool,
    /// With laying out this very page.
    pub laying_out: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for GoOn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoOn").finish_non_exhaustive()
    }
}

pub fn run(
    requests: &Receiver<PreviewRequest>,
    newest: &Newest,
    configs: Vec<PathBuf>,
    screen: &UnboundedSender<Message>,
) {
    let mut reader = Reader::new(configs);
    let mut last = None;
    while let Ok(request) = requests.recv() {
        let Some(request) = rested(request, requests, &mut last) else {
            return;
        };
        let generation = request.generation;
        let about = subject(&request);
        let go_on = GoOn {
            reading: &|| newest.subject.load(Ordering::Relaxed) == about,
            laying_out: &|| newest.generation.load(Ordering::Relaxed) <= generation.0,
        };
        let mut is_heard = true;
        reader.answer(&request, go_on, &mut |result| {
            let previewed = Previewed { generation, result };
            is_heard = screen.send(Message::Previewed(previewed)).is_ok();
        });
        if !is_heard {
            return;
        }
    }
}

/// The newest request, once they do not come in a row any more. The first one of a row is
/// answered at once. `None` if nobody will ask again.
fn rested(
    first: PreviewRequest,
    requests: &Receiver<PreviewRequest>,
    last: &mut Option<(Instant, PathBuf)>,
) -> Option<PreviewRequest> {
    let mut request = requests.try_iter().last().unwrap_or(first);
    let before = last.replace((Instant::now(), request.path.clone()));
    let is_held = before.is_some_and(|(at, path)| path != request.path && at.elapsed() < REPEATS);
    if is_held {
        loop {
            match requests.recv_timeout(REST) {
                Ok(newer) => request = newer,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
    *last = Some((Instant::now(), request.path.clone()));
    Some(request)
}

/// What was read, and what reading needs.
#[derive(Debug)]
pub struct Reader {
    shelf: Shelf,
    /// The colours of code; loaded when the first code is shown.
    syntaxes: Option<Syntaxes>,
    /// Files that may know what a session has cost.
    configs: Vec<PathBuf>,
}

impl Reader {
    pub fn new(configs: Vec<PathBuf>) -> Self {
        Self {
            shelf: Shelf::default(),
            syntaxes: None,
            configs,
        }
    }

    /// Answers a request with one page or several, until there is nothing to add or `go_on` says
    /// that nobody wants it any more.
    pub fn answer(
        &mut self,
        request: &PreviewRequest,
        go_on: GoOn<'_>,
        send: &mut dyn FnMut(Result<Page, String>),
    ) {
        match self.pages(request, go_on, send) {
            Ok(()) => {}
            Err(error) if is_stopped(&error) => {}
            Err(error) => send(Err(told(&error))),
        }
    }

    fn pages(
        &mut self,
        request: &PreviewRequest,
        go_on: GoOn<'_>,
        send: &mut dyn FnMut(Result<Page, String>),
    ) -> io::Result<()> {
        let stamp = stamp(&request.path)?;
        let title = Title {
            path: request.path.clone(),
            stamp,
            leaf: request.leaf.clone(),
            earlier: request.options.earlier,
        };
        let mut opened = if let Some(opened) = self.shelf.take(&title) {
            opened
        } else {
            let shown = self.shelf.take_older(&title);
            self.read(request, &title, shown, go_on, send)?
        };
        let done = self.lay_out(&mut opened, request, Known::Whole, go_on, send);
        self.shelf.put(title, opened);
        done
    }

    /// Reads a file, and shows its end while that takes long.
    fn read(
        &mut self,
        request: &PreviewRequest,
        title: &Title,
        mut shown: Option<Opened>,
        go_on: GoOn<'_>,
        send: &mut dyn FnMut(Result<Page, String>),
    ) -> io::Result<Opened> {
        let is_long = title.stamp.0 > LONG && request.leaf.is_none() && title.earlier == 0;
        if is_long
            && shown.is_none()
            && let Some((mut newest, turns)) = open_newest(
                &request.path,
                title.stamp.0,
                screenful(request),
                go_on.reading,
            )?
        {
            let page = self.page(&mut newest, request, turns, Known::Newest, go_on);
            if let Some((page, _)) = page {
                send(Ok(page));
            }
            if !(go_on.reading)() {
                return Err(stoppable::stopped());
            }
            shown = Some(newest);
        }
        let mut opened = open_whole(title, &self.configs, go_on.reading)?;
        if let Some(shown) = shown {
            opened.book.follow(shown.book);
        }
        Ok(opened)
    }

    fn lay_out(
        &mut self,
        opened: &mut Opened,
        request: &PreviewRequest,
        known: Known,
        go_on: GoOn<'_>,
        send: &mut dyn FnMut(Result<Page, String>),
    ) -> io::Result<()> {
        read_agents(opened, request, go_on);
        // What is looked for may be anywhere.
        let turns = if request.is_seeking() {
            MOST_TURNS
        } else {
            request.turns.min(MOST_TURNS)
        };
        let Some((page, wants_paint)) = self.page(opened, request, turns, known, go_on) else {
            return Err(stoppable::stopped());
        };
        send(Ok(page));
        if !wants_paint || !(go_on.laying_out)() {
            return Ok(());
        }
        self.syntaxes.get_or_insert_with(Syntaxes::load);
        let Some((page, _)) = self.page(opened, request, turns, known, go_on) else {
            return Err(stoppable::stopped());
        };
        send(Ok(page));
        Ok(())
    }

    /// Lays out a page. Code has its colours where it had them, and where they are loaded and
    /// nothing else is to be shown first.
    fn page(
        &mut self,
        opened: &mut Opened,
        request: &PreviewRequest,
        turns: usize,
        known: Known,
        go_on: GoOn<'_>,
    ) -> Option<(Page, bool)> {
        let nobody = Agents::default();
        let manner = Manner {
            options: &request.options,
            columns: request.columns,
            clock: &wall_clock,
            syntaxes: self.syntaxes.as_ref(),
            agents: &nobody,
            cwd: opened.gist.cwd(),
        };
        let laid = opened.book.lay_out(turns, manner, go_on.laying_out)?;
        let Laid {
            scroll,
            unlaid,
            wants_paint,
        } = laid;
        let facts = Facts {
            known,
            instead: opened.instead.clone(),
            ..opened.facts.over(&request.facts)
        };
        // The card has the columns of the margin too.
        let card = card(&opened.gist, &facts, request.columns + 8);
        let turns = Arc::clone(opened.book.turns());
        let first = opened.book.first();
        let matches = matches(&scroll, &turns, first, request);
        let landing = landing(&scroll, &matches, request);
        let page = Page {
            card: Arc::new(card),
            scroll,
            columns: request.columns,
            matches,
            landing,
            unlaid,
            known,
            turns,
            first,
            agents: opened.book.agents.clone(),
            branches: Arc::clone(&opened.branches),
        };
        Some((page, wants_paint))
    }
}

fn screenful(request: &PreviewRequest) -> Screenful {
    Screenful {
        columns: request.columns,
        rows: request.rows,
    }
}

fn wall_clock(at: i64) -> Option<chrono::NaiveDateTime> {
    let time = DateTime::from_timestamp_millis(at)?;
    Some(time.with_timezone(&Local).naive_local())
}

/// Reads the agents whose folds are open and that nobody has read yet.
fn read_agents(opened: &mut Opened, request: &PreviewRequest, go_on: GoOn<'_>) {
    let options = &request.options;
    let turns = Arc::clone(opened.book.turns());
    for (number, turn) in (opened.book.first()..).zip(turns.iter()) {
        let mut run: Option<usize> = None;
        for (at, step) in turn.steps.iter().enumerate() {
            let What::Tool(call) = &step.what else {
                run = None;
                continue;
            };
            let start = *run.get_or_insert(at);
            let place = Place {
                turn: number,
                step: Some(start),
            };
            let is_agent = matches!(call.name.as_deref(), Some("Task" | "Agent"));
            if !is_agent || !options.is_open(Fold::Part(place)) {
                continue;
            }
            // There may be hundreds, each with a file of its own.
            if !(go_on.laying_out)() {
                return;
            }
            if opened.list_agents() {
                opened.book.forget_lines();
            }
            if options.is_open(Fold::Agent(place, at - start)) && opened.read_agent(&call.id) {
                opened.book.forget(number);
            }
        }
    }
}

/// What went wrong, for a person.
fn told(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            "its file is gone: it was deleted or moved since it was listed".to_owned()
        }
        io::ErrorKind::PermissionDenied => "its file may not be read".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
