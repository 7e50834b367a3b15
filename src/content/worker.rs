//! The thread that owns the text of all conversations and answers the newest query.
//!
//! Rows come as they come to the search of titles. Their files are read on other threads, newest
//! first; what they say is searched as soon as it is there. A reply has everything found so far.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::index::{Index, Progress};
use super::messages::{ContentAnswer, ContentReply, ContentRequest, ContentSearch, RowExcerpt};
use super::rank::Rank;
use super::reading::{ReadJob, ReadStep, Readers};
use super::suggest::suggestion;
use super::wanted::Wanted;
use crate::list::Row;
use crate::search::{ContentCandidates, Generation, RowId};
use crate::store::Hidden;

/// A reply is sent after so long, with what was found until then: a screenful at once, the rest
/// without a frame for each hit.
const FIRST_REPLY: Duration = Duration::from_millis(8);
const NEXT_REPLY: Duration = Duration::from_millis(60);
/// Rows that are compared: nobody looks at more.
pub const MOST_RANKED: usize = 2000;
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

/// What the worker reads and where it stores it.
#[derive(Debug, Clone, Default)]
pub struct ContentSources {
    pub roots: Vec<PathBuf>,
    /// The cache directory; without one nothing is kept.
    pub cache: Option<PathBuf>,
    pub threads: usize,
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
                let readers = match Readers::start(sources.threads, first, send) {
                    Ok(readers) => readers,
                    Err(error) => {
                        let trouble = format!("Conversations cannot be searched: {error}");
                        return answer(ContentAnswer::Trouble(trouble));
                    }
                };
                let mut desk = Desk {
                    sources,
                    index: None,
                    waiting: HashMap::new(),
                    scanned: Vec::new(),
                    readers,
                    newest: seen,
                    standing: None,
                    answer,
                };
                desk.run(&inbox);
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

/// A query with what is known about it.
#[derive(Debug)]
struct Standing {
    search: ContentSearch,
    wanted: Wanted,
    /// Of the rows that were looked at.
    verdicts: Verdicts,
    /// Rows that have it, in the order of the screen, and are still to be compared.
    unranked: VecDeque<RowId>,
}

type Verdicts = HashMap<RowId, Verdict>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Missing,
    /// With its rank, once it was compared with others.
    Found(Option<Rank>),
}

/// What the thread works with.
struct Desk<A> {
    sources: ContentSources,
    /// Opened by the first search: who never searches pays nothing.
    index: Option<Index>,
    /// Rows that came before it, and the roots of which all have come.
    waiting: HashMap<RowId, Arc<Row>>,
    scanned: Vec<PathBuf>,
    readers: Readers,
    newest: Arc<AtomicU64>,
    standing: Option<Standing>,
    answer: A,
}

impl<A: Fn(ContentAnswer)> Desk<A> {
    fn run(&mut self, inbox: &Receiver<Input>) {
        // When to look at conversations that were read since the last look.
        let mut look_at: Option<Instant> = None;
        loop {
            let wait = look_at.map_or(QUIET, |at| at.saturating_duration_since(Instant::now()));
            let wait = if self.is_ranking() {
                Duration::ZERO
            } else {
                wait
            };
            let input = match inbox.recv_timeout(wait) {
                Ok(input) => Some(input),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout)
                    if look_at.is_some() || self.is_reading() || self.is_ranking() =>
                {
                    None
                }
                Err(RecvTimeoutError::Timeout) => {
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
                        let index = self.index.as_mut();
                        let row = index.and_then(|index| {
                            let row = index.take(step)?;
                            self.readers.read(index.overtaken(row));
                            self.readers.read(index.heal());
                            Some(row)
                        });
                        self.readers.taken();
                        if let (Some(row), Some(standing)) = (row, &mut self.standing) {
                            standing.verdicts.remove(&row);
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
            let troubles = self.index.as_mut().map(Index::troubles);
            for trouble in troubles.into_iter().flatten() {
                (self.answer)(ContentAnswer::Trouble(trouble));
            }
        }
    }

    fn is_reading(&self) -> bool {
        self.index.as_ref().is_some_and(Index::is_reading)
    }

    fn is_ranking(&self) -> bool {
        let standing = self.standing.as_ref();
        standing.is_some_and(|standing| !standing.unranked.is_empty())
    }

    /// Takes a request. Returns whether there may be something else to find.
    fn take(&mut self, request: ContentRequest) -> bool {
        match request {
            ContentRequest::Rows(rows) => {
                let Some(index) = &mut self.index else {
                    for (row, what) in rows {
                        match what {
                            Some(what) => self.waiting.insert(row, what),
                            None => self.waiting.remove(&row),
                        };
                    }
                    return false;
                };
                let mut jobs = Vec::new();
                for (row, what) in rows {
                    match what {
                        Some(what) => jobs.extend(put(index, row, &what)),
                        None => jobs.extend(index.remove(row)),
                    }
                }
                self.readers.read(jobs);
                self.standing.is_some()
            }
            ContentRequest::Search(search) => {
                let before = self.standing.take();
                let wanted = Wanted::new(&search.query);
                if wanted.is_some() && self.index.is_none() {
                    self.open();
                }
                self.standing = wanted.map(|wanted| {
                    let verdicts = before.map_or_else(HashMap::new, |before| {
                        let mut verdicts = before.verdicts;
                        if before.search.query != search.query {
                            // What did not match does not match a narrower query either.
                            let narrows = search.query.narrows(&before.search.query);
                            verdicts.retain(|_, verdict| narrows && *verdict == Verdict::Missing);
                        }
                        verdicts
                    });
                    Standing {
                        search,
                        wanted,
                        verdicts,
                        unranked: VecDeque::new(),
                    }
                });
                self.standing.is_some()
            }
            ContentRequest::Scanned(roots) => {
                match &mut self.index {
                    Some(index) => index.forget_others(&roots),
                    None => self.scanned = roots,
                }
                false
            }
            ContentRequest::Excerpts(..) | ContentRequest::Suggest(_) => false,
        }
    }

    /// Opens what is stored, and reads what has changed since: newest first, hidden kinds last.
    fn open(&mut self) {
        let mut index = Index::open(&self.sources.roots, self.sources.cache.as_deref());
        let mut rows: Vec<(RowId, Arc<Row>)> = self.waiting.drain().collect();
        rows.sort_by_key(|(_, row)| {
            let session = &row.session;
            (session.hidden.is_some(), Reverse(session.last_activity()))
        });
        let jobs = rows
            .iter()
            .flat_map(|(row, what)| put(&mut index, *row, what));
        self.readers.read(jobs.collect());
        index.forget_others(&std::mem::take(&mut self.scanned));
        self.index = Some(index);
    }

    /// Looks at the rows that were not looked at yet.
    fn search(&mut self) {
        let (Some(standing), Some(index)) = (&mut self.standing, &mut self.index) else {
            return;
        };
        let Standing {
            search,
            wanted,
            verdicts,
            unranked,
        } = standing;
        let generation = search.generation;
        let is_stale = || self.newest.load(Ordering::Relaxed) > generation.0;
        let ContentCandidates {
            shown,
            hidden,
            elsewhere,
        } = &search.rows;
        let all = shown.iter().chain(elsewhere).chain(hidden);
        let open: Vec<RowId> = all
            .filter(|row| !verdicts.contains_key(row))
            .copied()
            .collect();
        let progress = index.progress();
        let mut next_reply = Instant::now() + FIRST_REPLY;
        let mut has_news = false;
        let answer = &self.answer;
        index.search(wanted, &open, |row, has| {
            let verdict = if has {
                Verdict::Found(None)
            } else {
                Verdict::Missing
            };
            verdicts.insert(row, verdict);
            has_news |= has;
            if has_news && Instant::now() >= next_reply {
                let reply = reply(search, verdicts, progress.clone(), false);
                answer(ContentAnswer::Found(reply));
                next_reply = Instant::now() + NEXT_REPLY;
                has_news = false;
            }
            !is_stale()
        });
        self.readers.read(index.heal());
        if is_stale() {
            return;
        }
        let found = search.rows.shown.iter().copied();
        let found = found.filter(|row| matches!(verdicts.get(row), Some(Verdict::Found(_))));
        *unranked = found
            .take(MOST_RANKED)
            .filter(|row| verdicts.get(row) == Some(&Verdict::Found(None)))
            .collect();
        // The first of them are compared before the next reply: rows that come should stay.
        if unranked.is_empty() {
            let is_complete = !index.is_reading();
            let reply = reply(search, verdicts, index.progress(), is_complete);
            (self.answer)(ContentAnswer::Found(reply));
        }
    }

    /// Compares some of the rows that were found, for a moment: requests must not wait for it.
    fn rank(&mut self) {
        let (Some(standing), Some(index)) = (&mut self.standing, &mut self.index) else {
            return;
        };
        let Standing {
            search,
            wanted,
            verdicts,
            unranked,
        } = standing;
        if unranked.is_empty() {
            return;
        }
        let rows: Vec<RowId> = unranked.iter().copied().collect();
        let until = Instant::now() + MOMENT;
        index.rank(wanted, &rows, |row, rank| {
            unranked.pop_front();
            verdicts.insert(row, Verdict::Found(Some(rank)));
            Instant::now() < until
        });
        self.readers.read(index.heal());
        if self.newest.load(Ordering::Relaxed) > search.generation.0 {
            unranked.clear();
            return;
        }
        let is_complete = !index.is_reading();
        let reply = reply(search, verdicts, index.progress(), is_complete);
        (self.answer)(ContentAnswer::Found(reply));
    }

    fn tell_excerpts(&mut self, generation: Generation, rows: &[RowId]) {
        let (Some(standing), Some(index)) = (&self.standing, &mut self.index) else {
            return;
        };
        let wanted = &standing.wanted;
        if standing.search.generation != generation {
            return;
        }
        let mut told = Vec::new();
        for &row in rows {
            let found = index.passages(wanted, row);
            // A file that has just vanished is told by the list. One that has changed is read again.
            let best = found.first();
            let excerpt = best.and_then(|(path, passage)| index.excerpt(row, path, passage));
            if let Some(excerpt) = excerpt {
                let more = found.len() - 1;
                told.push(RowExcerpt { row, excerpt, more });
            }
        }
        self.readers.read(index.heal());
        (self.answer)(ContentAnswer::Excerpts(generation, told));
    }

    fn suggest(&mut self, generation: Generation) {
        let (Some(standing), Some(index)) = (&self.standing, &mut self.index) else {
            return;
        };
        if standing.search.generation != generation {
            return;
        }
        let is_stale = || self.newest.load(Ordering::Relaxed) > generation.0;
        let suggestion = suggestion(index, &standing.search, &is_stale);
        self.readers.read(index.heal());
        if let Some(suggestion) = suggestion {
            (self.answer)(ContentAnswer::Suggested(generation, Box::new(suggestion)));
        }
    }

    fn save(&mut self) {
        let Some(index) = &mut self.index else {
            return;
        };
        let saved = index.save();
        self.readers.read(index.heal());
        if let Err(error) = saved {
            let trouble = format!("The text of conversations could not be stored: {error}");
            (self.answer)(ContentAnswer::Trouble(trouble));
        }
    }
}

/// Puts a row that may have text: what is no conversation has none.
fn put(index: &mut Index, row: RowId, what: &Row) -> Vec<ReadJob> {
    match what.session.hidden {
        Some(Hidden::Unreadable | Hidden::NotASession | Hidden::Empty | Hidden::MetadataOnly) => {
            index.remove(row)
        }
        _ => index.put(row, &what.session.file),
    }
}

fn reply(
    search: &ContentSearch,
    verdicts: &Verdicts,
    progress: Progress,
    is_complete: bool,
) -> ContentReply {
    let hit = |row: &RowId| match verdicts.get(row) {
        Some(Verdict::Found(rank)) => Some((rank.unwrap_or(Rank::WORST), *row)),
        Some(Verdict::Missing) | None => None,
    };
    let mut hits: Vec<(Rank, RowId)> = search.rows.shown.iter().filter_map(hit).collect();
    hits.sort_by_key(|(rank, _)| *rank);
    let count = |rows: &[RowId]| rows.iter().filter_map(hit).count();
    ContentReply {
        generation: search.generation,
        hits: hits.into_iter().map(|(_, row)| row).collect(),
        hidden: count(&search.rows.hidden),
        elsewhere: count(&search.rows.elsewhere),
        progress,
        is_complete,
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
