//! Reads conversations and lays out pages of them, with the matches of what is searched for.
//!
//! An answer comes in pages, each better than the previous one: the end of a long conversation, then
//! the whole, then with the colors of code, then with all matches. The caller may cancel the rest,
//! also in the middle of reading a file. Knows files, but no terminal and no thread.

mod files;
mod find;
mod findings;
mod land;
mod matches;
mod open;
mod page;
mod prompt;
mod target;
mod way;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, Local, NaiveDateTime};

use crate::preview::{
    Agents, Around, Budget, CardFacts, Coverage, Laid, Manner, Painter, Syntaxes, TurnWindow, card,
};
use files::{OpenFiles, cancelled, is_cancelled, stamp};
use find::TurnSearch;
pub use findings::{Find, FindTarget, Findings, Mark, MatchPos, Matches, Searched, Unseen};
pub use matches::{Match, TextMatcher};
pub use open::OpenConversation;
use open::{CacheKey, open_newest, open_whole};
pub use page::{Page, PageSpec, PreviewRequest};
pub use prompt::PromptTarget;
pub use target::{Landing, PassageTarget, Target};

/// From this size on the end is read before the whole.
const LONG: u64 = 1024 * 1024;
/// How often the matches that were found so far are sent.
const NEWS: Duration = Duration::from_millis(100);
/// A file is not read again for this many times as long as reading it took: a running session writes
/// every second, and reading a large file takes about that long.
const REST: u32 = 4;
/// Bytes of conversations that are kept: some dozens of usual ones, or a single enormous one.
const MOST_BYTES: usize = 24 * 1024 * 1024;

/// Whether to go on with long work.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "closures have no Debug")]
pub struct GoOn<'a> {
    /// With reading this file.
    pub reading: &'a dyn Fn() -> bool,
    /// With laying out this very page.
    pub laying_out: &'a dyn Fn() -> bool,
}

/// A request while it is answered.
struct Job<'a> {
    request: &'a PreviewRequest,
    /// What is asked for, with what is chosen to show its target.
    spec: PageSpec,
    landing: Option<Arc<Landing>>,
    target: Option<FindTarget>,
    window: TurnWindow,
    go_on: GoOn<'a>,
    clock: fn(i64) -> Option<NaiveDateTime>,
}

type Send<'a> = &'a mut dyn FnMut(Result<Page, String>);

/// The conversations that were read, and what reading needs.
#[derive(Debug)]
pub struct PreviewReader {
    /// The least recently used first. Going back to one costs nothing.
    cache: Vec<(CacheKey, OpenConversation)>,
    /// The colors of code; loaded when the first code is shown.
    syntaxes: Option<Syntaxes>,
    /// Files that may know the cost of a session.
    configs: Vec<PathBuf>,
    budget: Budget,
    clock: fn(i64) -> Option<NaiveDateTime>,
    /// The file that was read last, and until when it is not read again.
    rest: Option<(PathBuf, Instant)>,
}

impl PreviewReader {
    pub fn new(configs: Vec<PathBuf>) -> Self {
        Self::within(Budget::default(), configs)
    }

    /// A reader that holds this much of a conversation.
    pub fn within(budget: Budget, configs: Vec<PathBuf>) -> Self {
        Self {
            cache: Vec::new(),
            syntaxes: None,
            configs,
            budget,
            clock: wall_clock,
            rest: None,
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
        let go_on = GoOn {
            reading: &|| true,
            laying_out: &|| true,
        };
        let job = self.job(request, go_on);
        let (page, _) = job.page(opened, job.window, Coverage::Whole, None)?;
        Ok(page)
    }

    /// Answers a request with one page or several, until there is nothing to add or it is cancelled.
    /// If the file has changed and may not be read again yet, returns when to ask for it.
    pub fn answer(
        &mut self,
        request: &PreviewRequest,
        go_on: GoOn<'_>,
        send: Send<'_>,
    ) -> Option<Instant> {
        let mut job = self.job(request, go_on);
        let answered = self.pages(&mut job, send);
        answered.unwrap_or_else(|error| {
            if !is_cancelled(&error) {
                send(Err(told(&error)));
            }
            None
        })
    }

    fn job<'a>(&self, request: &'a PreviewRequest, go_on: GoOn<'a>) -> Job<'a> {
        let spec = &request.spec;
        let target = FindTarget::of(spec);
        Job {
            request,
            spec: spec.clone(),
            landing: None,
            window: TurnWindow {
                around: spec.around,
                // A match may be anywhere.
                turns: target.as_ref().map_or(spec.turns, |_| usize::MAX),
                budget: self.budget,
            },
            target,
            go_on,
            clock: self.clock,
        }
    }

    fn pages(&mut self, job: &mut Job<'_>, send: Send<'_>) -> io::Result<Option<Instant>> {
        let request = job.request;
        let key = CacheKey {
            path: request.path.clone(),
            stamp: stamp(&request.path)?,
            leaf: request.spec.leaf.clone(),
            earlier: request.spec.options.earlier,
        };
        let target = match &request.spec.target {
            Some(Target::Passage(passage)) => Some(passage.clone()),
            Some(Target::Prompt(prompt)) => prompt.find(&request.path, job.go_on.reading)?,
            None => None,
        };
        let (key, mut opened, again) = match &target {
            Some(target) => self.open_target(job, key, target, send)?,
            None => self.open(job, key, send)?,
        };
        let landed = match &target {
            Some(target) => job.land(&mut opened, &key, target),
            None => Ok(()),
        };
        let done = landed.and_then(|()| self.lay_out(&mut opened, job, send));
        // A conversation whose file has become unreadable is not kept.
        if done.as_ref().err().is_none_or(is_cancelled) {
            self.cache.push((key, opened));
            while self.weight() > MOST_BYTES && self.cache.len() > 1 {
                self.cache.remove(0);
            }
        }
        done.map(|()| again)
    }

    /// The conversation of a key, and when to ask for it again if it has changed and may not be read
    /// yet.
    fn open(
        &mut self,
        job: &Job<'_>,
        key: CacheKey,
        send: Send<'_>,
    ) -> io::Result<(CacheKey, OpenConversation, Option<Instant>)> {
        let rest = self.rest_of(&key.path);
        match self.take_newest(&key) {
            Some((known, opened)) if known == key => Ok((key, opened, None)),
            // It is shown as it was until it may be read again.
            Some((known, opened)) if known.earlier == key.earlier && rest.is_some() => {
                Ok((known, opened, rest))
            }
            shown => {
                let began = Instant::now();
                let opened = self.read(job, &key, shown.map(|(_, opened)| opened), send)?;
                let until = Instant::now() + began.elapsed() * REST;
                self.rest = Some((key.path.clone(), until));
                Ok((key, opened, None))
            }
        }
    }

    /// Until when a file is not read again.
    fn rest_of(&self, path: &Path) -> Option<Instant> {
        let (rested, until) = self.rest.as_ref()?;
        Some(*until).filter(|until| rested == path && Instant::now() < *until)
    }

    /// A conversation, or else the same one as it was before the file changed, or before more of it
    /// was read.
    fn take_newest(&mut self, key: &CacheKey) -> Option<(CacheKey, OpenConversation)> {
        let is_older = |known: &CacheKey| (&known.path, &known.leaf) == (&key.path, &key.leaf);
        let at = self.cache.iter().position(|(known, _)| known == key);
        let older = || self.cache.iter().rposition(|(known, _)| is_older(known));
        Some(self.cache.remove(at.or_else(older)?))
    }

    fn weight(&self) -> usize {
        self.cache.iter().map(|(_, it)| it.weight()).sum()
    }

    /// Reads a file, and sends its end first if that takes long.
    fn read(
        &self,
        job: &Job<'_>,
        key: &CacheKey,
        mut shown: Option<OpenConversation>,
        send: Send<'_>,
    ) -> io::Result<OpenConversation> {
        let go_on = job.go_on.reading;
        // A target may be anywhere, so the end alone says nothing of it.
        let is_resumed = key.leaf.is_none() && key.earlier == 0;
        let is_long = key.stamp.0 > LONG && is_resumed && job.spec.target.is_none();
        if is_long && shown.is_none() {
            let window = TurnWindow {
                around: Around::End,
                turns: usize::MAX,
                budget: self.budget,
            };
            let mut newest = None;
            shown = open_newest(&key.path, key.stamp.0, go_on, &mut |opened| {
                newest = job.page(opened, window, Coverage::Newest, None).ok();
                // Another page is wanted by now if this one was cancelled.
                let page = newest.as_ref();
                page.is_none_or(|(page, _)| page.scroll.len() >= job.request.rows)
            })?;
            if let (Some((page, _)), true) = (newest, shown.is_some()) {
                send(Ok(page));
            }
            if !go_on() {
                return Err(cancelled());
            }
            if let Some(shown) = &mut shown {
                // The day above a turn may only be known from the whole, which moves its matches.
                shown.findings = Findings::default();
            }
        }
        let mut opened = open_whole(key, &self.configs, self.budget.texts, go_on)?;
        if let Some(shown) = shown {
            opened.follow(shown);
        }
        Ok(opened)
    }

    fn lay_out(
        &mut self,
        opened: &mut OpenConversation,
        job: &Job<'_>,
        send: Send<'_>,
    ) -> io::Result<()> {
        let (mut shown, wants_paint) = job.page(opened, job.window, Coverage::Whole, None)?;
        send(Ok(shown.clone()));
        if wants_paint && (job.go_on.laying_out)() {
            let syntaxes = self.syntaxes.get_or_insert_with(Syntaxes::load);
            (shown, _) = job.page(opened, job.window, Coverage::Whole, Some(syntaxes))?;
            send(Ok(shown.clone()));
        }
        job.find_elsewhere(opened, shown, send)
    }
}

impl Job<'_> {
    /// The layout without colors and agents.
    fn manner<'a>(&'a self, cwd: Option<&'a str>) -> Manner<'a> {
        static NO_AGENTS: LazyLock<Agents> = LazyLock::new(Agents::default);
        Manner {
            options: &self.spec.options,
            columns: self.spec.columns,
            clock: &self.clock,
            painter: None,
            agents: &NO_AGENTS,
            cwd,
        }
    }

    fn found(&self, opened: &OpenConversation) -> Matches {
        Matches {
            find: self.spec.find.clone(),
            ..opened.findings.found(opened.book.numbers())
        }
    }

    /// Lays out a page. Returns whether some of its code has no colors yet.
    fn page(
        &self,
        opened: &mut OpenConversation,
        window: TurnWindow,
        known: Coverage,
        syntaxes: Option<&Syntaxes>,
    ) -> io::Result<(Page, bool)> {
        let (request, go_on) = (self.request, self.go_on.laying_out);
        let cwd = opened.gist.cwd().map(str::to_owned);
        let manner = Manner {
            painter: syntaxes.map(|syntaxes| Painter { syntaxes, go_on }),
            ..self.manner(cwd.as_deref())
        };
        let book = &mut opened.book;
        let mut files = OpenFiles {
            first: book.numbers().start,
            files: &mut opened.files,
            options: manner.options,
            go_on,
            error: None,
        };
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
        opened.findings.look_for(self.target.as_ref());
        if let Some(target) = &self.target {
            let search = TurnSearch {
                target,
                manner,
                go_on,
            };
            search.in_window(opened, held.clone());
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
            found: self.found(opened),
            landing: self.landing.clone(),
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

    /// Searches the turns that the page does not hold.
    fn find_elsewhere(
        &self,
        opened: &mut OpenConversation,
        mut page: Page,
        send: Send<'_>,
    ) -> io::Result<()> {
        let Some(target) = &self.target else {
            return Ok(());
        };
        if page.found.searched != Searched::Partly {
            return Ok(());
        }
        let cwd = opened.gist.cwd().map(str::to_owned);
        let search = TurnSearch {
            target,
            manner: self.manner(cwd.as_deref()),
            go_on: self.go_on.laying_out,
        };
        let mut told = Instant::now();
        search.elsewhere(opened, page.held(), &mut |opened| {
            if told.elapsed() >= NEWS {
                told = Instant::now();
                page.found = self.found(opened);
                send(Ok(page.clone()));
            }
        })?;
        page.found = self.found(opened);
        send(Ok(page));
        Ok(())
    }
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
