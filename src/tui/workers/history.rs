//! The worker of the prompt history: reads it once it is shown, searches it, and follows it while
//! it grows.
//!
//! Reads a little first, so that there is something to see, then the rest in steps between which
//! it answers. Only the newest search counts.

mod handle;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use handle::{Cancellation, HistoryHandle, run};

use super::Sources;
use super::prompt_page::{lay_out, lay_out_session, weight};
use super::prompt_rows::{read, rows};
use crate::history::{
    FoundPrompt, HistoryFollower, HistoryGrowth, MergedHistory, Passed, PastSession, Prompt,
    Reread, Skipped,
};
use crate::list::Scope;
use crate::search::{
    Archive, ConversationFate, Distance, Generation, PromptHit, Search, Tier, View,
};
use crate::store::{Conversations, expiring, list, readers, worktrees};
use crate::tui::request::{HistoryRequest, PageOf};
use crate::tui::screens::{HistoryNews, PastPage, Progress};

/// Prompts that are read before the first answer: more than a screen shows.
const FIRST: usize = 200;
/// Prompts that are read between two checks for requests: a few milliseconds.
const STEP: usize = 4000;
/// Prompts that are sent with an answer.
const AT_ONCE: usize = 100;
/// Bytes from which on reading a page is announced.
const PAGE_IS_LARGE: u64 = 512 * 1024;
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
    passed: Passed,
    unreadable: usize,
    /// How many entries there were when the last answer was given.
    answered_at: usize,
    /// The conversations that exist; `None` until they were listed.
    there: Option<Conversations>,
    expiring: Option<usize>,
    project: Option<Scope>,
    session: Option<String>,
    standing: Option<(Search, View)>,
    /// Was the last answer interrupted by another request?
    unfinished: bool,
    /// The page with an open find bar, as it was laid out.
    looked_through: Option<(PageOf, PastPage)>,
    cancellation: Arc<Cancellation>,
    now: i64,
}

impl Historian {
    pub fn new(sources: Sources, cancellation: Arc<Cancellation>) -> Self {
        Self {
            reread: Reread::new(&sources.roots),
            sources,
            cancellation,
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
            HistoryRequest::Open { session, now } => {
                self.now = now;
                let moved = std::mem::replace(&mut self.session, session) != self.session;
                if self.begun {
                    tell(HistoryNews::Projects(self.archive.projects()));
                    if moved {
                        self.place();
                    }
                } else {
                    self.begin();
                }
                // Conversations come and go while the history is not shown.
                if !self.is_reading() {
                    self.look_for_conversations();
                    self.look(tell);
                }
            }
            HistoryRequest::Session(session) => {
                self.session = session;
                self.place();
            }
            HistoryRequest::Search(search, view) => {
                self.standing = Some((*search, view));
                if self.begun && self.archive.is_empty() && self.is_reading() {
                    self.read_on(tell);
                } else {
                    self.answer(tell);
                }
            }
            HistoryRequest::Rows(wanted) => {
                let view = self
                    .standing
                    .as_ref()
                    .map_or(View::Prompts, |(_, view)| *view);
                let rows = rows(&self.archive, &mut self.reread, wanted.into_iter(), view);
                tell(HistoryNews::Rows(rows));
            }
            HistoryRequest::Page(of) => {
                tell(HistoryNews::Page(of.clone(), self.page(&of, tell)));
            }
            HistoryRequest::Changed if self.begun && !self.is_reading() => self.look(tell),
            HistoryRequest::Refresh if self.begun && !self.is_reading() => {
                self.look_for_conversations();
                self.look(tell);
                if !self.is_reading() {
                    self.answer(tell);
                }
            }
            HistoryRequest::Changed | HistoryRequest::Refresh => {}
        }
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
        self.passed = Passed::default();
        self.unreadable = 0;
        self.answered_at = 0;
        self.looked_through = None;
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
        self.passed = prompts.passed();
        self.unreadable = prompts.troubles().len();
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
            self.project = self
                .sources
                .here
                .as_deref()
                .map(|here| Scope::repository(worktrees(here), here.to_owned()));
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
        let place = placing(self.project.as_ref(), self.session.as_deref());
        self.archive.put(found, place);
    }

    fn place(&mut self) {
        let place = placing(self.project.as_ref(), self.session.as_deref());
        self.archive.place(place);
    }

    /// No conversation is opened for this.
    fn look_for_conversations(&mut self) {
        let listing = list(&self.sources.roots, readers(), &AtomicBool::new(false));
        self.expiring = Some(expiring(&listing.files, self.sources.retention, self.now));
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
                        self.passed = self.passed.and(passed);
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
        let cancellation = Arc::clone(&self.cancellation);
        let Generation(generation) = search.generation;
        let is_old = || cancellation.latest.load(Ordering::Relaxed) > generation;
        // A fuzzy search of half a million prompts takes seconds: other requests interrupt it, and it
        // starts again when there are none.
        let is_stale = || is_old() || cancellation.waiting.load(Ordering::Relaxed) > 0;
        let progress = Progress {
            read: self.archive.len(),
            passed: self.passed,
            unreadable: self.unreadable,
            unsearched: self.archive.unsearched_pastes(),
            over: !self.is_reading(),
            expiring: self.expiring,
        };
        let there = self.there.as_ref();
        let (retention, now) = (self.sources.retention, self.now);
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
        self.unfinished = !complete && !is_old();
    }

    /// A page, with its matches.
    fn page(&mut self, of: &PageOf, tell: &impl Fn(HistoryNews)) -> PastPage {
        if of.find.is_none() && of.words.is_empty() {
            self.looked_through = None;
            return self.laid_out(of, tell);
        }
        // A further letter in the find bar does not read and lay out megabytes again.
        let plain = of.plain();
        let known = self.looked_through.take_if(|(known, _)| *known == plain);
        let page = known.map_or_else(|| self.laid_out(of, tell), |(_, page)| page);
        let mut found = page.clone();
        self.looked_through = Some((plain, page));
        found.land(&of.words, of.columns);
        if let Some(find) = &of.find {
            found.find(find, of.columns);
        }
        found
    }

    fn laid_out(&mut self, of: &PageOf, tell: &impl Fn(HistoryNews)) -> PastPage {
        let Some(spot) = self.archive.spot(of.row) else {
            return PastPage::default();
        };
        let root = self
            .reread
            .root(spot)
            .map(Path::to_owned)
            .unwrap_or_default();
        // A page that takes a moment is announced.
        let prepare = |prompts: &[Prompt]| {
            let bytes = prompts.iter().map(|prompt| weight(prompt, &root)).sum();
            if bytes >= PAGE_IS_LARGE {
                tell(HistoryNews::PageIsLarge(of.clone(), bytes));
            }
        };
        if of.view == View::Prompts {
            let prompt = read(&mut self.reread, spot);
            prepare(std::slice::from_ref(&prompt));
            return lay_out(&prompt, &root, of.columns);
        }
        let id = self
            .archive
            .session(of.row)
            .map(|session| session.id.to_string());
        let spots = id.map_or_else(Vec::new, |id| self.archive.prompts_of(&id));
        let prompts: Vec<Prompt> = spots
            .into_iter()
            .map(|spot| read(&mut self.reread, spot))
            .collect();
        prepare(&prompts);
        lay_out_session(&prompts, &root, of)
    }
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
