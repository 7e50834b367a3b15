//! Reads conversations for the preview, on its own thread: the newest request, and no other.
//!
//! An answer comes in pages, each better than the one before: the end of a long conversation,
//! then the whole, then with the colours of code, then with what was found in all of it. Whoever asks again makes the rest void, also in
//! the middle of reading a file.

mod finding;
mod library;
mod open;
mod pace;
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

use super::super::message::{Message, Page, Previewed};
use super::super::request::PreviewRequest;
use super::super::seek::Sought;
use crate::preview::{
    Agents, Around, Budget, Facts, Known, Laid, Manner, Painter, Syntaxes, Window, card,
};
use finding::{Look, elsewhere, in_window};
use library::Reading;
use open::{Opened, Screenful, open_newest, open_whole, stamp};
use pace::Pace;
use shelf::{Shelf, Title};
use stoppable::is_stopped;

/// Two requests within this time are a key held down: only where it rests is anything read.
const REPEATS: Duration = Duration::from_millis(70);
/// How long nothing may be asked for until that is a rest.
const REST: Duration = Duration::from_millis(35);
/// From this size on the end is read before the whole.
const LONG: u64 = 1024 * 1024;
/// How long somebody who looks for something waits to be told what was found meanwhile.
const NEWS: Duration = Duration::from_millis(100);

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
    while let Some(request) = reader.next(requests) {
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

/// Which colors the code of a page has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colors {
    /// Those that were made before: no page waits for them.
    Known,
    /// All: those that are missing are made.
    All,
}

/// What was read, and what reading needs.
#[derive(Debug)]
pub struct Reader {
    shelf: Shelf,
    /// The colours of code; loaded when the first code is shown.
    syntaxes: Option<Syntaxes>,
    /// Files that may know what a session has cost.
    configs: Vec<PathBuf>,
    budget: Budget,
    pace: Pace,
}

impl Reader {
    pub fn new(configs: Vec<PathBuf>) -> Self {
        Self::within(Budget::default(), configs)
    }

    /// A reader that holds so much of a conversation.
    pub fn within(budget: Budget, configs: Vec<PathBuf>) -> Self {
        Self {
            shelf: Shelf::default(),
            syntaxes: None,
            configs,
            budget,
            pace: Pace::default(),
        }
    }

    /// The next request: one that comes, or the last one again if its file is to be read anew by
    /// now. `None` if nobody will ask again.
    fn next(&mut self, requests: &Receiver<PreviewRequest>) -> Option<PreviewRequest> {
        let Some(wait) = self.pace.due_in() else {
            return requests.recv().ok();
        };
        match requests.recv_timeout(wait) {
            Ok(request) => Some(request),
            Err(RecvTimeoutError::Timeout) => self.pace.take_due(),
            Err(RecvTimeoutError::Disconnected) => None,
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
        self.pace.forget();
        let (title, mut opened) = match self.shelf.take_newest(&title) {
            Some((known, opened)) if known == title => (title, opened),
            // It is shown as it was until it is worth reading again.
            Some((known, opened))
                if known.earlier == title.earlier && self.pace.rests(&title.path) =>
            {
                self.pace.put_off(request);
                (known, opened)
            }
            shown => {
                let began = Instant::now();
                let shown = shown.map(|(_, opened)| opened);
                let opened = self.read(request, &title, shown, go_on, send)?;
                self.pace.was_read(&title.path, began);
                (title, opened)
            }
        };
        let done = self.lay_out(&mut opened, request, Known::Whole, go_on, send);
        // What cannot be read any more is not what was read.
        if done.as_ref().err().is_none_or(is_stopped) {
            self.shelf.put(title, opened);
        }
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
            let window = Window {
                around: Around::End,
                turns,
                budget: self.budget,
            };
            let known = Known::Newest;
            let page = self.page(&mut newest, request, window, known, Colors::Known, go_on);
            if let Ok((page, _)) = page {
                send(Ok(page));
            }
            if !(go_on.reading)() {
                return Err(stoppable::stopped());
            }
            shown = Some(newest);
        }
        let held = self.budget.texts;
        let mut opened = open_whole(title, &self.configs, held, go_on.reading)?;
        if let Some(shown) = shown {
            opened.follow(shown);
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
        let window = Window {
            around: request.around,
            // What is looked for may be anywhere.
            turns: if request.is_seeking() {
                usize::MAX
            } else {
                request.turns
            },
            budget: self.budget,
        };
        let (mut page, wants_paint) =
            self.page(opened, request, window, known, Colors::Known, go_on)?;
        send(Ok(page.clone()));
        if wants_paint && (go_on.laying_out)() {
            self.syntaxes.get_or_insert_with(Syntaxes::load);
            (page, _) = self.page(opened, request, window, known, Colors::All, go_on)?;
            send(Ok(page.clone()));
        }
        Self::find_elsewhere(opened, request, page, go_on, send)
    }

    /// Looks through what the page does not show.
    fn find_elsewhere(
        opened: &mut Opened,
        request: &PreviewRequest,
        mut page: Page,
        go_on: GoOn<'_>,
        send: &mut dyn FnMut(Result<Page, String>),
    ) -> io::Result<()> {
        let Some(sought) = Sought::of(request) else {
            return Ok(());
        };
        if page.found.searched.is_over() {
            return Ok(());
        }
        let cwd = opened.gist.cwd().map(str::to_owned);
        let nobody = Agents::default();
        let manner = Self::manner(request, &nobody, cwd.as_deref());
        let all = opened.book.numbers();
        let held = page.held();
        let mut told = Instant::now();
        let mut tell = |opened: &Opened| {
            if told.elapsed() >= NEWS {
                told = Instant::now();
                page.found = opened.findings.found(all.clone());
                send(Ok(page.clone()));
            }
        };
        let look = Look {
            sought: &sought,
            request,
            manner,
            go_on: go_on.laying_out,
        };
        elsewhere(opened, look, held, &mut tell)?;
        page.found = opened.findings.found(all);
        send(Ok(page));
        Ok(())
    }

    /// How it is laid out without colors.
    fn manner<'a>(
        request: &'a PreviewRequest,
        agents: &'a Agents,
        cwd: Option<&'a str>,
    ) -> Manner<'a> {
        Manner {
            options: &request.options,
            columns: request.columns,
            clock: &wall_clock,
            painter: None,
            agents,
            cwd,
        }
    }

    /// Lays out a page.
    fn page(
        &self,
        opened: &mut Opened,
        request: &PreviewRequest,
        window: Window,
        known: Known,
        colors: Colors,
        go_on: GoOn<'_>,
    ) -> io::Result<(Page, bool)> {
        let nobody = Agents::default();
        let cwd = opened.gist.cwd().map(str::to_owned);
        let syntaxes = self.syntaxes.as_ref().filter(|_| colors == Colors::All);
        let manner = Manner {
            painter: syntaxes.map(|syntaxes| Painter {
                syntaxes,
                go_on: go_on.laying_out,
            }),
            ..Self::manner(request, &nobody, cwd.as_deref())
        };
        let mut reading = Reading {
            first: opened.book.numbers().start,
            files: &mut opened.files,
            options: &request.options,
            go_on: go_on.laying_out,
            error: None,
        };
        let book = &mut opened.book;
        let Some(laid) = book.lay_out(window, manner, &mut reading, go_on.laying_out) else {
            return Err(reading.error.unwrap_or_else(stoppable::stopped));
        };
        let Laid {
            scroll,
            shown,
            held,
            before,
            behind,
            wants_paint,
        } = laid;
        let turns = opened.book.turns(held.clone());
        opened.files.keep_agents(&turns, &mut opened.book.agents);
        let sought = Sought::of(request);
        opened.findings.look_for(sought.as_ref());
        if let Some(sought) = &sought {
            let look = Look {
                sought,
                request,
                manner,
                go_on: go_on.laying_out,
            };
            in_window(opened, look, held.clone());
        }
        let facts = Facts {
            known,
            instead: opened.instead.clone(),
            ..opened.facts.over(&request.facts)
        };
        // The card has the columns of the margin too.
        let card = card(&opened.gist, &facts, request.columns + 8);
        let page = Page {
            card: Arc::new(card),
            scroll,
            columns: request.columns,
            found: opened.findings.found(opened.book.numbers()),
            before,
            behind,
            known,
            turns,
            first: held.start,
            shown,
            head: opened.book.head,
            agents: opened.book.agents.clone(),
            branches: Arc::clone(&opened.branches),
        };
        Ok((page, wants_paint))
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
