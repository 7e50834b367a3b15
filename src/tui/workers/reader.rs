//! Reads conversations for the preview, on its own thread: the latest request, and no other.
//!
//! An answer comes in pages, each better than the previous one: the end of a long conversation, then
//! the whole, then with the colors of code, then with all matches. A newer request cancels the rest,
//! also in the middle of reading a file.

mod cache;
mod cancel;
mod finding;
mod library;
mod open;
mod throttle;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, Local, NaiveDateTime};

use super::Outbox;
use crate::preview::{
    Agents, Around, Budget, CardFacts, Coverage, Laid, Manner, Painter, Syntaxes, TurnWindow,
    WallClock, card,
};
use crate::tui::message::{Message, Page, Previewed};
use crate::tui::request::PreviewRequest;
use crate::tui::seek::FindTarget;
use cache::{Cache, CacheKey};
use cancel::{cancelled, is_cancelled};
use finding::{TurnSearch, elsewhere, in_window};
use library::OpenFiles;
pub use open::OpenConversation;
use open::{open_newest, open_whole, stamp};
use throttle::Throttle;

/// Two requests within this time are a key held down: only the row where it stops is read.
const REPEATS: Duration = Duration::from_millis(70);
/// How long without a request until the key counts as released.
const REST: Duration = Duration::from_millis(35);
/// From this size on the end is read before the whole.
const LONG: u64 = 1024 * 1024;
/// How often the matches that were found so far are sent.
const NEWS: Duration = Duration::from_millis(100);

/// Shared id of the latest request.
#[derive(Debug, Default)]
pub struct LatestPreview {
    generation: AtomicU64,
    /// Its file and branch: reading the same one goes on, however it is laid out then.
    subject: AtomicU64,
}

impl LatestPreview {
    pub fn set(&self, request: &PreviewRequest) {
        self.subject.store(subject(request), Ordering::Relaxed);
        self.generation
            .store(request.generation.0, Ordering::Relaxed);
    }

    /// Cancels everything.
    pub fn cancel(&self) {
        self.subject.store(0, Ordering::Relaxed);
        self.generation.store(u64::MAX, Ordering::Relaxed);
    }
}

/// Identifies the file and branch of a request; never zero.
fn subject(request: &PreviewRequest) -> u64 {
    let mut hasher = DefaultHasher::new();
    (
        &request.path,
        &request.spec.leaf,
        request.spec.options.earlier,
    )
        .hash(&mut hasher);
    hasher.finish().max(1)
}

/// Whether to go on with long work.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "closures have no Debug")]
pub struct GoOn<'a> {
    /// With reading this file.
    pub reading: &'a dyn Fn() -> bool,
    /// With laying out this very page.
    pub laying_out: &'a dyn Fn() -> bool,
}

pub fn run(
    requests: &Receiver<PreviewRequest>,
    latest: &LatestPreview,
    configs: Vec<PathBuf>,
    outbox: &Outbox,
) {
    let mut reader = PreviewReader::new(configs);
    while let Some(request) = reader.next(requests) {
        let generation = request.generation;
        let about = subject(&request);
        let go_on = GoOn {
            reading: &|| latest.subject.load(Ordering::Relaxed) == about,
            laying_out: &|| latest.generation.load(Ordering::Relaxed) <= generation.0,
        };
        reader.answer(&request, go_on, &mut |result| {
            outbox.tell(Message::Previewed(Previewed { generation, result }));
        });
    }
}

/// A request while it is answered.
struct Job<'a> {
    request: &'a PreviewRequest,
    sought: Option<FindTarget>,
    go_on: GoOn<'a>,
    clock: fn(i64) -> Option<NaiveDateTime>,
    send: &'a mut dyn FnMut(Result<Page, String>),
}

impl Job<'_> {
    fn send(&mut self, page: &Page) {
        (self.send)(Ok(page.clone()));
    }
}

/// The conversations that were read, and what reading needs.
#[derive(Debug)]
pub struct PreviewReader {
    cache: Cache,
    /// The colors of code; loaded when the first code is shown.
    syntaxes: Option<Syntaxes>,
    /// Files that may know the cost of a session.
    configs: Vec<PathBuf>,
    budget: Budget,
    clock: fn(i64) -> Option<NaiveDateTime>,
    throttle: Throttle,
    /// The previous request: when it was taken, and its file.
    last: Option<(Instant, PathBuf)>,
}

impl PreviewReader {
    pub fn new(configs: Vec<PathBuf>) -> Self {
        Self::within(Budget::default(), configs)
    }

    /// A reader that holds this much of a conversation.
    pub fn within(budget: Budget, configs: Vec<PathBuf>) -> Self {
        Self {
            cache: Cache::default(),
            syntaxes: None,
            configs,
            budget,
            clock: wall_clock,
            throttle: Throttle::default(),
            last: None,
        }
    }

    /// A reader that shows times in UTC, wherever it runs.
    #[must_use]
    pub fn in_utc(self) -> Self {
        let clock = |at| Some(DateTime::from_timestamp_millis(at)?.naive_utc());
        Self { clock, ..self }
    }

    /// The page of a conversation that is already in memory, without colors.
    pub fn page_of(
        &self,
        opened: &mut OpenConversation,
        request: &PreviewRequest,
    ) -> io::Result<Page> {
        let job = Job {
            request,
            sought: FindTarget::of(&request.spec),
            go_on: GoOn {
                reading: &|| true,
                laying_out: &|| true,
            },
            clock: self.clock,
            send: &mut |_| {},
        };
        let (mut page, _) = page(opened, &job, self.window(request), Coverage::Whole, None)?;
        page.found = opened.findings.found(opened.book.numbers());
        Ok(page)
    }

    /// The part of a conversation that a request is for. A match may be anywhere.
    fn window(&self, request: &PreviewRequest) -> TurnWindow {
        TurnWindow {
            around: request.spec.around,
            turns: if request.spec.is_seeking() {
                usize::MAX
            } else {
                request.spec.turns
            },
            budget: self.budget,
        }
    }

    /// The next request: the latest that came, or the pending one once its file may be read again.
    /// While requests come in a row, only the first and the last are answered. `None` if no further
    /// request can come.
    fn next(&mut self, requests: &Receiver<PreviewRequest>) -> Option<PreviewRequest> {
        let wait = self.throttle.due_in().unwrap_or(Duration::MAX);
        let mut request = match requests.recv_timeout(wait) {
            Ok(first) => requests.try_iter().last().unwrap_or(first),
            Err(RecvTimeoutError::Timeout) => self.throttle.pending.take()?,
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        let is_held =
            |(at, path): &(Instant, PathBuf)| *path != request.path && at.elapsed() < REPEATS;
        if self.last.as_ref().is_some_and(is_held) {
            loop {
                match requests.recv_timeout(REST) {
                    Ok(newer) => request = newer,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        }
        self.last = Some((Instant::now(), request.path.clone()));
        Some(request)
    }

    /// Answers a request with one page or several, until there is nothing to add or it is cancelled.
    pub fn answer(
        &mut self,
        request: &PreviewRequest,
        go_on: GoOn<'_>,
        send: &mut dyn FnMut(Result<Page, String>),
    ) {
        let mut job = Job {
            request,
            sought: FindTarget::of(&request.spec),
            go_on,
            clock: self.clock,
            send,
        };
        if let Err(error) = self.pages(&mut job)
            && !is_cancelled(&error)
        {
            send(Err(told(&error)));
        }
    }

    fn pages(&mut self, job: &mut Job<'_>) -> io::Result<()> {
        let request = job.request;
        let key = CacheKey {
            path: request.path.clone(),
            stamp: stamp(&request.path)?,
            leaf: request.spec.leaf.clone(),
            earlier: request.spec.options.earlier,
        };
        self.throttle.pending = None;
        let (key, mut opened) = match self.cache.take_newest(&key) {
            Some((known, opened)) if known == key => (key, opened),
            // It is shown as it was until it may be read again.
            Some((known, opened))
                if known.earlier == key.earlier && self.throttle.rests(&key.path) =>
            {
                self.throttle.pending = Some(request.clone());
                (known, opened)
            }
            shown => {
                let began = Instant::now();
                let opened = self.read(job, &key, shown.map(|(_, opened)| opened))?;
                self.throttle.was_read(&key.path, began);
                (key, opened)
            }
        };
        let done = self.lay_out(&mut opened, job);
        // A conversation whose file has become unreadable is not kept.
        if done.as_ref().err().is_none_or(is_cancelled) {
            self.cache.put(key, opened);
        }
        done
    }

    /// Reads a file, and sends its end first if that takes long.
    fn read(
        &mut self,
        job: &mut Job<'_>,
        key: &CacheKey,
        mut shown: Option<OpenConversation>,
    ) -> io::Result<OpenConversation> {
        let go_on = job.go_on.reading;
        let is_long = key.stamp.0 > LONG && key.leaf.is_none() && key.earlier == 0;
        if is_long
            && shown.is_none()
            && let Some((mut newest, turns)) = open_newest(job.request, key.stamp.0, go_on)?
        {
            let window = TurnWindow {
                around: Around::End,
                turns,
                budget: self.budget,
            };
            if let Ok((page, _)) = page(&mut newest, job, window, Coverage::Newest, None) {
                job.send(&page);
            }
            if !go_on() {
                return Err(cancelled());
            }
            shown = Some(newest);
        }
        let mut opened = open_whole(key, &self.configs, self.budget.texts, go_on)?;
        if let Some(shown) = shown {
            opened.follow(shown);
        }
        Ok(opened)
    }

    fn lay_out(&mut self, opened: &mut OpenConversation, job: &mut Job<'_>) -> io::Result<()> {
        let window = self.window(job.request);
        let (mut shown, wants_paint) = page(opened, job, window, Coverage::Whole, None)?;
        job.send(&shown);
        if wants_paint && (job.go_on.laying_out)() {
            let syntaxes = self.syntaxes.get_or_insert_with(Syntaxes::load);
            (shown, _) = page(opened, job, window, Coverage::Whole, Some(syntaxes))?;
            job.send(&shown);
        }
        find_elsewhere(opened, job, shown)
    }
}

/// Searches the turns that the page does not show.
fn find_elsewhere(
    opened: &mut OpenConversation,
    job: &mut Job<'_>,
    mut page: Page,
) -> io::Result<()> {
    let Some(sought) = &job.sought else {
        return Ok(());
    };
    if page.found.searched.is_over() {
        return Ok(());
    }
    let cwd = opened.gist.cwd().map(str::to_owned);
    let search = TurnSearch {
        sought,
        manner: plain_manner(job.request, &job.clock, cwd.as_deref()),
        go_on: job.go_on.laying_out,
    };
    let all = opened.book.numbers();
    let held = page.held();
    let mut told = Instant::now();
    elsewhere(opened, search, held, &mut |opened| {
        if told.elapsed() >= NEWS {
            told = Instant::now();
            page.found = opened.findings.found(all.clone());
            (job.send)(Ok(page.clone()));
        }
    })?;
    page.found = opened.findings.found(all);
    job.send(&page);
    Ok(())
}

/// The layout without colors and agents.
fn plain_manner<'a>(
    request: &'a PreviewRequest,
    clock: WallClock<'a>,
    cwd: Option<&'a str>,
) -> Manner<'a> {
    static NO_AGENTS: LazyLock<Agents> = LazyLock::new(Agents::default);
    Manner {
        options: &request.spec.options,
        columns: request.spec.columns,
        clock,
        painter: None,
        agents: &NO_AGENTS,
        cwd,
    }
}

/// Lays out a page. Returns whether some of its code has no colors yet.
fn page(
    opened: &mut OpenConversation,
    job: &Job<'_>,
    window: TurnWindow,
    known: Coverage,
    syntaxes: Option<&Syntaxes>,
) -> io::Result<(Page, bool)> {
    let (request, go_on) = (job.request, job.go_on.laying_out);
    let cwd = opened.gist.cwd().map(str::to_owned);
    let manner = Manner {
        painter: syntaxes.map(|syntaxes| Painter { syntaxes, go_on }),
        ..plain_manner(request, &job.clock, cwd.as_deref())
    };
    let book = &mut opened.book;
    let first = book.numbers().start;
    let mut files = OpenFiles::new(&mut opened.files, first, &request.spec.options, go_on);
    let Some(laid) = book.lay_out(window, manner, &mut files, go_on) else {
        return Err(files.error.unwrap_or_else(cancelled));
    };
    let Laid {
        scroll,
        shown,
        held,
        before,
        behind,
        wants_paint,
    } = laid;
    let turns = book.turns(held.clone());
    opened.files.keep_agents(&turns, &mut book.agents);
    opened.findings.look_for(job.sought.as_ref());
    if let Some(sought) = &job.sought {
        let search = TurnSearch {
            sought,
            manner,
            go_on,
        };
        in_window(opened, search, held.clone());
    }
    let of_file = &opened.facts;
    let facts = CardFacts {
        known,
        branches: of_file.branches,
        compactions: of_file.compactions,
        breaks: of_file.breaks,
        reach: of_file.reach,
        health: of_file.health.clone(),
        instead: of_file.instead.clone(),
        ..request.facts.clone()
    };
    // The card has the columns of the margin, too.
    let card = card(&opened.gist, &facts, request.spec.columns + 8);
    let page = Page {
        card: Arc::new(card),
        scroll,
        columns: request.spec.columns,
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

fn wall_clock(at: i64) -> Option<NaiveDateTime> {
    let time = DateTime::from_timestamp_millis(at)?;
    Some(time.with_timezone(&Local).naive_local())
}

/// The error for the screen.
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
