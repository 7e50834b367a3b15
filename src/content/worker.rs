//! The thread that owns the text of all conversations and answers the newest query.
//!
//! Rows come as they come to the search of titles. Their files are read on other threads, newest
//! first; what they say is searched as soon as it is there. A reply has everything found so far.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::driver::{ContentSources, SearchDriver};
use super::messages::{ContentAnswer, ContentRequest, RowExcerpt};
use super::reading::ReadStep;
use super::wanted::Wanted;
use crate::list::Row;
use crate::search::{Generation, RowId};

/// A reply is sent after so long, with what was found until then: a screenful at once, the rest
/// without a frame for each hit.
const FIRST_REPLY: Duration = Duration::from_millis(4);
const NEXT_REPLY: Duration = Duration::from_millis(60);
/// So long rows are compared before other requests are looked at.
const MOMENT: Duration = Duration::from_millis(20);
/// New text is stored when nothing was read for so long.
const QUIET: Duration = Duration::from_millis(400);

/// The way to the thread. Dropping it ends the thread, after it has stored what is new.
#[derive(Debug)]
pub struct ContentWorker {
    requests: Sender<Input>,
    newest: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Input {
    Request(ContentRequest),
    Step(ReadStep),
    /// The worker was dropped.
    End,
}

impl ContentWorker {
    /// Starts the thread. `first` is called on it, and on those that read, before anything else.
    pub fn start(
        sources: ContentSources,
        first: impl Fn() + Clone + Send + 'static,
        answer: impl Fn(ContentAnswer) + Send + 'static,
    ) -> io::Result<Self> {
        let (requests, inbox) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let (seen, steps) = (Arc::clone(&newest), requests.clone());
        let send = move |step| drop(steps.send(Input::Step(step)));
        thread::Builder::new()
            .name("content".to_owned())
            .spawn(move || {
                first();
                let open = || SearchDriver::open(&sources, first.clone(), send.clone());
                let mut state = WorkerState {
                    open,
                    driver: None,
                    waiting: HashMap::new(),
                    scanned: Vec::new(),
                    may_open: false,
                    newest: seen,
                    answer,
                };
                state.run(&inbox);
            })?;
        Ok(Self { requests, newest })
    }

    /// Never blocks. A search makes every earlier one stale at once.
    pub fn send(&self, request: ContentRequest) {
        if let ContentRequest::Search(search) = &request {
            self.newest
                .fetch_max(search.generation.0, Ordering::Relaxed);
        }
        let _ = self.requests.send(Input::Request(request));
    }
}

impl Drop for ContentWorker {
    fn drop(&mut self) {
        self.newest.store(u64::MAX, Ordering::Relaxed);
        let _ = self.requests.send(Input::End);
    }
}

/// What the thread works with.
struct WorkerState<O, A> {
    open: O,
    /// Opened at rest, once rows are on the screen, or by a search before that.
    driver: Option<SearchDriver>,
    /// Rows that came before it, and the roots of which all have come.
    waiting: HashMap<RowId, Option<Arc<Row>>>,
    scanned: Vec<PathBuf>,
    /// Is it to be opened at rest?
    may_open: bool,
    newest: Arc<AtomicU64>,
    answer: A,
}

impl<O: Fn() -> io::Result<SearchDriver>, A: Fn(ContentAnswer)> WorkerState<O, A> {
    fn run(&mut self, inbox: &Receiver<Input>) {
        // When to look at conversations that were read since the last look.
        let mut look_at: Option<Instant> = None;
        loop {
            let driver = self.driver.as_ref();
            let is_ranking = driver.is_some_and(SearchDriver::is_ranking);
            let is_busy = is_ranking || driver.is_some_and(SearchDriver::is_reading);
            let wait = look_at.map_or(QUIET, |at| at.saturating_duration_since(Instant::now()));
            let wait = if is_ranking { Duration::ZERO } else { wait };
            let input = match inbox.recv_timeout(wait) {
                Ok(input) => Some(input),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if look_at.is_some() || is_busy => None,
                Err(RecvTimeoutError::Timeout) => {
                    if std::mem::take(&mut self.may_open) {
                        self.open();
                    }
                    self.save();
                    inbox.recv().ok()
                }
            };
            // Whatever has piled up is one change, and only the last search counts.
            let (mut excerpts, mut suggest) = (None, None);
            let mut has_changed = look_at.is_some_and(|at| at <= Instant::now());
            for input in input.into_iter().chain(inbox.try_iter()) {
                match input {
                    Input::Request(ContentRequest::Excerpts(generation, rows)) => {
                        excerpts = Some((generation, rows));
                    }
                    Input::Request(ContentRequest::Suggest(generation)) => {
                        suggest = Some(generation);
                    }
                    Input::Request(request) => has_changed |= self.take(request),
                    Input::Step(step) => {
                        if self.driver.as_mut().is_some_and(|driver| driver.take(step)) {
                            look_at.get_or_insert_with(|| Instant::now() + NEXT_REPLY);
                        }
                    }
                    Input::End => return self.save(),
                }
            }
            if has_changed {
                look_at = None;
                self.search();
            }
            if let Some((generation, rows)) = excerpts {
                self.tell_excerpts(generation, &rows);
            }
            self.rank();
            if let Some(generation) = suggest {
                self.suggest(generation);
            }
            let troubles = self.driver.as_mut().map(SearchDriver::troubles);
            for trouble in troubles.into_iter().flatten() {
                (self.answer)(ContentAnswer::Trouble(trouble));
            }
        }
    }

    /// Takes a request. Returns whether there may be something else to find.
    fn take(&mut self, request: ContentRequest) -> bool {
        match request {
            ContentRequest::Rows(rows) => {
                let Some(driver) = &mut self.driver else {
                    self.waiting.extend(rows);
                    return false;
                };
                driver.put(rows.iter().map(|(row, what)| (*row, what.as_ref())));
                driver.generation().is_some()
            }
            ContentRequest::Search(search) => {
                if Wanted::new(&search.query).is_some() {
                    self.open();
                }
                let driver = self.driver.as_mut();
                driver.is_some_and(|driver| driver.ask(search))
            }
            ContentRequest::Scanned(roots) => {
                match &mut self.driver {
                    Some(driver) => driver.forget_others(&roots),
                    None => self.scanned = roots,
                }
                false
            }
            ContentRequest::Open => {
                self.may_open = true;
                false
            }
            ContentRequest::Excerpts(..) | ContentRequest::Suggest(_) => false,
        }
    }

    /// Opens what is stored, if that was not done. What has changed since is read newest first, hidden
    /// kinds last.
    fn open(&mut self) {
        if self.driver.is_some() {
            return;
        }
        let mut driver = match (self.open)() {
            Ok(driver) => driver,
            Err(error) => {
                let trouble = format!("Conversations cannot be searched: {error}");
                return (self.answer)(ContentAnswer::Trouble(trouble));
            }
        };
        let mut rows: Vec<(RowId, Option<Arc<Row>>)> = self.waiting.drain().collect();
        rows.sort_by_key(|(_, row)| {
            let session = row.as_ref().map(|row| &row.session);
            session.map(|it| (it.hidden.is_some(), Reverse(it.last_activity())))
        });
        driver.put(rows.iter().map(|(row, what)| (*row, what.as_ref())));
        driver.forget_others(&std::mem::take(&mut self.scanned));
        self.driver = Some(driver);
    }

    /// Looks at the rows that were not looked at yet.
    fn search(&mut self) {
        let Some((driver, generation)) = asked(&mut self.driver) else {
            return;
        };
        let is_stale = || self.newest.load(Ordering::Relaxed) > generation.0;
        let tell = |reply| (self.answer)(ContentAnswer::Found(reply));
        let progress = driver.progress();
        let mut next_reply = Instant::now() + FIRST_REPLY;
        let mut has_news = false;
        driver.search(|current, has| {
            has_news |= has;
            if has_news && Instant::now() >= next_reply {
                tell(current.reply(progress.clone()));
                next_reply = Instant::now() + NEXT_REPLY;
                has_news = false;
            }
            !is_stale()
        });
        // The first of them are compared before the next reply: rows that come should stay.
        if !driver.is_ranking() && !is_stale() {
            driver.reply().into_iter().for_each(tell);
        }
    }

    /// Compares some of the rows that were found, for a moment: requests must not wait for it.
    fn rank(&mut self) {
        let asked = asked(&mut self.driver);
        if let Some((driver, generation)) = asked.filter(|(driver, _)| driver.is_ranking()) {
            let until = Instant::now() + MOMENT;
            driver.rank(|| Instant::now() < until);
            if self.newest.load(Ordering::Relaxed) <= generation.0 {
                let reply = driver.reply().map(ContentAnswer::Found);
                reply.into_iter().for_each(&self.answer);
            }
        }
    }

    fn tell_excerpts(&mut self, generation: Generation, rows: &[RowId]) {
        let asked = asked(&mut self.driver).filter(|asked| asked.1 == generation);
        let Some((driver, _)) = asked else {
            return;
        };
        let told = rows.iter().filter_map(|&row| {
            let (excerpts, total) = driver.excerpts(row, 1);
            let excerpt = excerpts.into_iter().next()?;
            let more = total - 1;
            Some(RowExcerpt { row, excerpt, more })
        });
        let told = told.collect();
        (self.answer)(ContentAnswer::Excerpts(generation, told));
    }

    fn suggest(&mut self, generation: Generation) {
        let asked = asked(&mut self.driver).filter(|asked| asked.1 == generation);
        let is_stale = || self.newest.load(Ordering::Relaxed) > generation.0;
        if let Some(suggestion) = asked.and_then(|(driver, _)| driver.suggest(is_stale)) {
            (self.answer)(ContentAnswer::Suggested(generation, Box::new(suggestion)));
        }
    }

    fn save(&mut self) {
        if let Some(Err(error)) = self.driver.as_mut().map(SearchDriver::save) {
            let trouble = format!("The text of conversations could not be stored: {error}");
            (self.answer)(ContentAnswer::Trouble(trouble));
        }
    }
}

/// The driver and the number of its query, if one is asked.
fn asked(driver: &mut Option<SearchDriver>) -> Option<(&mut SearchDriver, Generation)> {
    let driver = driver.as_mut()?;
    let generation = driver.generation()?;
    Some((driver, generation))
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
