//! The worker of the prompt history: reads it once it is shown, searches it, and follows it while
//! it grows.
//!
//! Reads a little first, so that there is something to see, then the rest in steps between which
//! it answers. Only the newest search counts.

mod handle;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chrono::{DateTime, FixedOffset};

pub use handle::{HistoryHandle, run};

use super::Sources;
use super::prompt_page::lay_out;
use crate::history::{
    FoundPrompt, HistoryFollower, HistoryGrowth, MergedHistory, PastSession, Prompt, PromptPos,
    Reread, Skipped,
};
use crate::list::Scope;
use crate::preview::{PageLine, Scroll, TurnPos};
use crate::reader::{FindTarget, MatchPos, Matches, Page, PageSpec};
use crate::search::{Archive, ConversationFate, Distance, PromptHit, RowId, Search, Tier, View};
use crate::store::{Conversations, expiring, list, readers, worktrees};
use crate::tui::message::Previewed;
use crate::tui::request::HistoryRequest;
use crate::tui::screens::{HistoryNews, PastRow, PastSpan, PastText, Progress};

/// Prompts that are read before the first answer: more than a screen shows.
const FIRST: usize = 200;
/// Prompts that are read between two checks for requests: a few milliseconds.
const STEP: usize = 4000;
/// Prompts that are sent with an answer.
const AT_ONCE: usize = 100;
/// Prompts whose pastes are read between two checks for requests.
const PASTES: usize = 32;

/// What is known of the history.
#[derive(Debug, Default)]
pub struct Historian {
    sources: Sources,
    archive: Archive,
    reread: Reread,
    reading: Option<MergedHistory>,
    follows: Vec<HistoryFollower>,
    skipped: Arc<Skipped>,
    begun: bool,
    progress: Progress,
    /// How many entries there were when the last answer was given.
    answered_at: usize,
    /// The conversations that exist; `None` until they were listed.
    there: Option<Conversations>,
    project: Option<Scope>,
    session: Option<String>,
    standing: Option<(Search, View)>,
    /// Was the last answer interrupted by another request?
    unfinished: bool,
    /// The last page that was laid out.
    laid_out: Option<LaidOut>,
    /// How many requests were not taken yet.
    waiting: Arc<AtomicUsize>,
    now: DateTime<FixedOffset>,
}

/// A further letter in the find bar does not read and lay out megabytes again.
#[derive(Debug, Clone)]
struct LaidOut {
    of: (RowId, View, usize),
    lines: Arc<Vec<PageLine>>,
    text: Arc<PastText>,
}

impl Historian {
    pub fn new(sources: Sources, waiting: Arc<AtomicUsize>) -> Self {
        Self {
            reread: Reread::new(&sources.roots),
            sources,
            waiting,
            ..Self::default()
        }
    }

    /// Is there more of it to read?
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Is there work without a request?
    fn has_work(&self) -> bool {
        self.is_reading() || self.unfinished || self.archive.has_unread_pastes()
    }

    fn go_on(&mut self, tell: &impl Fn(HistoryNews)) {
        if self.is_reading() {
            self.read_on(tell);
        } else if self.archive.has_unread_pastes() {
            self.read_pastes(tell);
        } else {
            self.answer(tell);
        }
    }

    /// Pastes are searched, too. They are read after all prompts.
    fn read_pastes(&mut self, tell: &impl Fn(HistoryNews)) {
        let place = placing(self.project.as_ref(), self.session.as_deref());
        let reread = &mut self.reread;
        self.archive
            .take_pastes(PASTES, |spot, most| reread.with_pastes(spot, most), place);
        let asks = self.standing.as_ref();
        let asks = asks.is_some_and(|(search, _)| !search.query.is_empty());
        if asks && !self.archive.has_unread_pastes() {
            self.answer(tell);
        }
    }

    pub fn take(&mut self, request: HistoryRequest, tell: &impl Fn(HistoryNews)) {
        match request {
            HistoryRequest::Refresh(now) => {
                self.now = now;
                if self.begun {
                    tell(HistoryNews::Projects(self.archive.projects()));
                } else {
                    self.begin();
                }
                if !self.is_reading() {
                    self.look_for_conversations();
                    self.look(tell);
                }
                if !self.is_reading() {
                    self.answer(tell);
                }
            }
            HistoryRequest::Search {
                search,
                view,
                session,
            } => {
                if self.session != session {
                    self.session = session;
                    self.place();
                }
                self.standing = Some((*search, view));
                if self.archive.is_empty() && self.is_reading() {
                    self.read_on(tell);
                } else {
                    self.answer(tell);
                }
            }
            HistoryRequest::Count(search) if self.begun && !self.is_reading() => {
                let there = |_: &PastSession| ConversationFate::There;
                let answer = self.archive.answer_words(&search, View::Prompts, there);
                if let Some(answer) = answer {
                    tell(HistoryNews::Counted(search.generation, answer.hits.len()));
                }
            }
            HistoryRequest::Count(_) => {}
            HistoryRequest::Rows(wanted) => {
                let view = self.view();
                let rows = rows(&self.archive, &mut self.reread, wanted.into_iter(), view);
                tell(HistoryNews::Rows(rows));
            }
            HistoryRequest::Page {
                generation,
                row,
                spec,
            } => {
                let laid_out = self.laid_out(row, spec.columns);
                let page = laid_out.as_ref().map(|laid_out| page(laid_out, &spec));
                let result = page.ok_or_else(|| "the prompt is gone".to_owned());
                let page = Previewed { generation, result };
                tell(HistoryNews::Page(page, laid_out.map(|it| it.text)));
            }
            HistoryRequest::Changed if self.begun && !self.is_reading() => self.look(tell),
            HistoryRequest::Changed => {}
        }
    }

    fn view(&self) -> View {
        self.standing.as_ref().map_or(View::Prompts, |it| it.1)
    }

    fn begin(&mut self) {
        self.begun = true;
        self.skipped = Arc::new(self.skipped());
        let (prompts, follows) =
            MergedHistory::open(&self.sources.roots, Arc::clone(&self.skipped));
        self.reading = Some(prompts);
        self.follows = follows;
        self.reread = Reread::new(&self.sources.roots);
        self.archive.forget();
        self.progress = Progress {
            expiring: self.progress.expiring,
            ..Progress::default()
        };
        self.answered_at = 0;
    }

    /// The prompts that were removed, by any process.
    fn skipped(&self) -> Skipped {
        let state = self.sources.state.as_deref();
        let skipped = state.map(Skipped::load);
        skipped.and_then(Result::ok).unwrap_or_default()
    }

    /// Reads the next step, and answers if there is much more than before.
    pub fn read_on(&mut self, tell: &impl Fn(HistoryNews)) {
        let Some(prompts) = &mut self.reading else {
            return;
        };
        let step = if self.archive.is_empty() { FIRST } else { STEP };
        let found: Vec<FoundPrompt> = prompts.by_ref().take(step).collect();
        self.progress.passed = prompts.passed();
        self.progress.unreadable = prompts.troubles().len();
        let over = found.len() < step;
        let first = self.archive.is_empty();
        self.put(&found);
        if over {
            self.reading = None;
        }
        let grown = self.archive.len() >= 2 * self.answered_at;
        if first || over || grown || self.unfinished {
            self.answer(tell);
        }
        if first {
            // Something is on screen: now the slower parts.
            let here = self.sources.here.clone();
            self.project = here.map(|here| Scope::repository(worktrees(&here), here));
            self.look_for_conversations();
            self.place();
            self.answer(tell);
        }
        if over {
            tell(HistoryNews::Projects(self.archive.projects()));
            // Changes that were reported while reading were not read.
            self.look(tell);
        }
    }

    fn put(&mut self, found: &[FoundPrompt]) {
        self.laid_out = None;
        let place = placing(self.project.as_ref(), self.session.as_deref());
        self.archive.put(found, place);
    }

    fn place(&mut self) {
        let place = placing(self.project.as_ref(), self.session.as_deref());
        self.archive.place(place);
    }

    /// No conversation is opened for this.
    fn look_for_conversations(&mut self) {
        let now = self.now.timestamp_millis();
        let listing = list(&self.sources.roots, readers(), &AtomicBool::new(false));
        let expiring = expiring(&listing.files, self.sources.retention, now);
        self.progress.expiring = Some(expiring);
        self.there = Some(listing.conversations());
    }

    /// Reads what was added since. If prompts were removed, reads everything again.
    fn look(&mut self, tell: &impl Fn(HistoryNews)) {
        let before = self.archive.len();
        let mut follows = std::mem::take(&mut self.follows);
        let mut replaced = self.skipped() != *self.skipped;
        for follow in &mut follows {
            while !replaced {
                let known = follow.known();
                match follow.look(&self.skipped) {
                    Ok(HistoryGrowth::Added(found, passed)) => {
                        self.progress.passed = self.progress.passed.and(passed);
                        self.put(&found);
                        // What was read may hold none, and more may follow.
                        if follow.known() == known {
                            break;
                        }
                    }
                    Ok(HistoryGrowth::Replaced) => replaced = true,
                    // Unreadable now: tried again with the next change.
                    Err(_) => break,
                }
            }
        }
        self.follows = follows;
        if replaced {
            tell(HistoryNews::Anew);
            self.begin();
        } else if self.archive.len() != before {
            self.answer(tell);
        }
    }

    fn answer(&mut self, tell: &impl Fn(HistoryNews)) {
        let Some((search, view)) = self.standing.clone() else {
            return;
        };
        self.answered_at = self.archive.len();
        let waiting = Arc::clone(&self.waiting);
        // A fuzzy search of half a million prompts takes seconds: other requests interrupt it, and it
        // starts again when there are none.
        let is_stale = || waiting.load(Ordering::Relaxed) > 0;
        let progress = Progress {
            read: self.archive.len(),
            unsearched: self.archive.unsearched_pastes(),
            over: !self.is_reading(),
            ..self.progress
        };
        let there = self.there.as_ref();
        let (retention, now) = (self.sources.retention, self.now.timestamp_millis());
        let fate = |session: &PastSession| match there {
            Some(there) => {
                ConversationFate::new(there.look_up(&session.id), session.last.0, retention, now)
            }
            // Not listed yet.
            None => ConversationFate::There,
        };
        let reread = &mut self.reread;
        let mut complete = false;
        self.archive
            .answer(&search, view, fate, &is_stale, |archive, answer| {
                complete |= answer.tier == Tier::Fuzzy;
                let first = answer.hits.iter().take(AT_ONCE);
                let first = first.flat_map(PromptHit::rows);
                let rows = rows(archive, reread, first, view);
                tell(HistoryNews::Found {
                    answer,
                    rows,
                    progress,
                });
            });
        self.unfinished = !complete;
    }

    /// The prompt of a row, or all prompts of its session, laid out.
    fn laid_out(&mut self, row: RowId, columns: usize) -> Option<LaidOut> {
        let view = self.view();
        let of = (row, view, columns);
        let known = self.laid_out.as_ref().filter(|known| known.of == of);
        if known.is_some() {
            return known.cloned();
        }
        let spot = self.archive.spot(row)?;
        let spots = match (view, self.archive.session(row)) {
            (View::Deleted, Some(session)) => self.archive.prompts_of(&session.id),
            _ => vec![spot],
        };
        let reread = &mut self.reread;
        let prompts = spots.into_iter().map(|spot| read(reread, spot));
        let prompts: Vec<Prompt> = prompts.collect();
        let root = reread.root(spot).unwrap_or(Path::new(""));
        let dates = (view == View::Deleted).then_some(*self.now.offset());
        let (lines, text) = lay_out(&prompts, root, columns, dates);
        self.laid_out = Some(LaidOut {
            of,
            lines: Arc::new(lines),
            text: Arc::new(text),
        });
        self.laid_out.clone()
    }
}

/// A page, with its matches.
fn page(laid_out: &LaidOut, spec: &PageSpec) -> Page {
    let lines = &laid_out.lines;
    let mut found = match FindTarget::of(spec) {
        Some(target) => target.in_lines(lines),
        None => Matches::default(),
    };
    found.find = spec.find.clone();
    // Without a match it begins with its first line.
    found.landing.get_or_insert(MatchPos {
        place: TurnPos::opening(0),
        offset: 0,
    });
    let mut scroll = Scroll::default();
    scroll.push(Arc::clone(lines));
    Page {
        scroll,
        columns: spec.columns,
        found,
        shown: 0..i64::MAX,
        ..Page::default()
    }
}

/// The prompts of rows, with the first and last prompt of deleted sessions.
fn rows(
    archive: &Archive,
    reread: &mut Reread,
    wanted: impl Iterator<Item = RowId>,
    view: View,
) -> Vec<(RowId, Arc<PastRow>)> {
    let mut found = Vec::new();
    for row in wanted {
        let Some(spot) = archive.spot(row) else {
            continue;
        };
        let prompt = read(reread, spot);
        let session = archive.session(row).filter(|_| view == View::Deleted);
        let span = session.map(|session| PastSpan {
            first: read(reread, session.first.1),
            last: read(reread, session.last.1),
        });
        found.push((row, Arc::new(PastRow { prompt, span })));
    }
    found
}

/// The entry at a spot; empty if it cannot be read any more.
fn read(reread: &mut Reread, spot: PromptPos) -> Prompt {
    reread.read(spot).ok().flatten().unwrap_or_default()
}

/// The distance of a prompt from the session and the project in scope.
fn placing<'a>(
    project: Option<&'a Scope>,
    session: Option<&'a str>,
) -> impl Fn(&str, Option<&str>) -> Distance + 'a {
    move |directory, asked_in| {
        if session.is_some() && asked_in == session {
            Distance::Directory
        } else if project.is_some_and(|scope| scope.contains_path(Path::new(directory))) {
            Distance::Repository
        } else {
            Distance::Elsewhere
        }
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
