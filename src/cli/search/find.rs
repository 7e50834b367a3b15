//! Which sessions a query finds: by title and prompts, then by the text of their conversations.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::cli::{complain, counted};
use crate::content::{
    ContentReply, ContentSearch, ContentSources, Excerpt, FileKeys, Rank, ReadStep, SearchDriver,
    Suggestion, transcripts,
};
use crate::list::{Distance, Include, Row, Rows, Scope, Sort};
use crate::search::{
    ContentCandidates, Document, Generation, NameKind, Query, RowContext, RowId, Search, Searcher,
    Test,
};
use crate::store::{Trouble, is_running, running};

/// Reading that takes longer is told on a terminal.
const SILENT: Duration = Duration::from_millis(500);
/// Damaged text in the cache is read again; a disk that damages it every time is not waited for.
const ATTEMPTS: usize = 3;
/// Rows whose titles are made searchable at a time.
const BATCH: usize = 512;
/// Files that could not be searched and are named.
const MOST_NAMED: usize = 5;

/// A session that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundRow {
    id: RowId,
    /// Does its title match, or do its prompts or facts?
    pub is_titled: bool,
}

/// The order of what is found in conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitOrder {
    /// The best first, equals in the order of the list.
    Best,
    List,
}

/// The sessions of a list, and their text as far as it was asked for.
pub struct Finder<'a> {
    rows: &'a Rows,
    search: Search,
    searcher: Searcher,
    driver: SearchDriver,
    /// The transcripts of all rows.
    there: FileKeys,
    /// The folders whose agents are known to the driver.
    folders: HashSet<PathBuf>,
    steps: Receiver<ReadStep>,
    /// Sessions within reach, and conversations that were looked into.
    searched: (usize, usize),
}

impl<'a> Finder<'a> {
    pub fn new(
        sources: &ContentSources,
        rows: &'a Rows,
        query: Query,
        scope: &Scope,
        include: Include,
        trouble: &Trouble,
    ) -> anyhow::Result<Self> {
        let reach = match scope {
            Scope::Everything => Distance::Elsewhere,
            Scope::Directory(_) => Distance::Directory,
            Scope::Repository(..) => Distance::Repository,
        };
        let live = running(&sources.roots, is_running);
        let document = |(at, row): &(usize, &Arc<Row>)| {
            let context = RowContext {
                place: scope.distance_of_row(row),
                live: live.of(&row.session),
            };
            (row_id(*at), Document::of(row, context))
        };
        let documents = |rows: &[(usize, &Arc<Row>)]| -> Vec<(RowId, Document)> {
            rows.iter().map(document).collect()
        };
        let all: Vec<(usize, &Arc<Row>)> = rows.places().collect();
        let (all, documents) = (&*all, &documents);
        let (made, batches) = channel();
        let mut searcher = Searcher::default();
        let there = transcripts(rows.iter());
        let (send, steps) = channel();
        let driver = thread::scope(|threads| {
            // What is found in titles is made while the text cache is opened, and taken meanwhile.
            let make = move || {
                let batches = all.chunks(BATCH);
                let _ = batches
                    .map(documents)
                    .try_for_each(|batch| made.send(batch));
            };
            let _ = thread::Builder::new().spawn_scoped(threads, make);
            let send = move |step| drop(send.send(step));
            let mut driver = SearchDriver::open(sources, || {}, send)?;
            driver.forget_gone(&trouble.whole(&sources.roots), &there);
            let mut count = 0;
            for batch in batches {
                count += batch.len();
                searcher.put(&batch);
            }
            // Without a thread to be had, all of it is made here.
            searcher.put(&documents(&all[count..]));
            io::Result::Ok(driver)
        });
        let driver = driver.context("cannot start a thread")?;
        Ok(Self {
            rows,
            search: Search {
                generation: Generation::default(),
                query,
                order: Sort::Activity,
                reach,
                include,
            },
            searcher,
            driver,
            there,
            folders: HashSet::new(),
            steps,
            searched: (0, 0),
        })
    }

    pub fn query(&self) -> &Query {
        &self.search.query
    }

    pub fn row(&self, found: FoundRow) -> Option<&'a Row> {
        self.rows.get(found.id.0 as usize).map(|row| &**row)
    }

    /// Everything within reach: what matches by its title or prompts first, then the conversations.
    pub fn find(&mut self, order: HitOrder) -> Vec<FoundRow> {
        let titled = self.searcher.answer_words(&self.search);
        let titled = titled.map(|reply| (reply.hits, reply.counts));
        let (titled, counts) = titled.unwrap_or_default();
        let shown = self.candidates().shown;
        let inside = self.look_into(shown, Vec::new(), Vec::new(), order);
        self.searched = (counts.shown, inside.searched);
        let titled = titled.into_iter().map(|hit| (hit.row, true));
        let inside = inside.hits.into_iter().map(|row| (row, false));
        let all = titled.chain(inside);
        all.map(|(id, is_titled)| FoundRow { id, is_titled })
            .collect()
    }

    /// Looks into the conversations of those that were found by their title.
    pub fn look_into_titled(&mut self, found: &[FoundRow]) {
        let titled = found.iter().filter(|found| found.is_titled);
        let titled = titled.map(|found| found.id).collect();
        self.look_into(titled, Vec::new(), Vec::new(), HitOrder::Best);
    }

    /// How many sessions beyond reach, and how many of hidden kinds, have it.
    pub fn count_others(&mut self) -> (usize, usize) {
        let titled = self.searcher.answer_words(&self.search);
        let titled = titled.map(|reply| reply.counts).unwrap_or_default();
        let rows = self.candidates();
        let inside = self.look_into(Vec::new(), rows.elsewhere, rows.hidden, HitOrder::List);
        let elsewhere = titled.elsewhere + inside.elsewhere;
        (elsewhere, titled.hidden + inside.hidden)
    }

    /// Sessions within reach, and how many conversations were looked into.
    pub fn searched(&self) -> (usize, usize) {
        self.searched
    }

    /// A word that would find something in place of one that does not occur.
    pub fn suggestion(&mut self) -> Option<Suggestion> {
        self.ask_shown();
        self.driver.suggest(|| false)
    }

    /// Names of tools and files that are asked for and that nothing has, with those near them.
    pub fn unknown_names(&mut self) -> Vec<(NameKind, String, Vec<String>)> {
        self.ask_shown();
        let mut unknown = Vec::new();
        for term in self.search.query.terms() {
            let (kind, name) = match &term.test {
                Test::Tool(name) => (NameKind::Tool, name),
                Test::File(name) => (NameKind::Path, name),
                _ => continue,
            };
            if let Some(near) = self.driver.near_names(kind, name) {
                unknown.push((kind, name.typed().to_owned(), near));
            }
        }
        unknown
    }

    /// Asks about all that is within reach, which was read before.
    fn ask_shown(&mut self) {
        let shown = self.candidates().shown;
        self.driver.ask(ContentSearch {
            generation: self.search.generation,
            query: self.search.query.clone(),
            rows: ContentCandidates {
                shown,
                ..ContentCandidates::default()
            },
        });
    }

    fn candidates(&mut self) -> ContentCandidates {
        let candidates = self.searcher.content_candidates(&self.search, &|| false);
        candidates.unwrap_or_default()
    }

    /// How good the conversation of a session is, if it was found in it.
    pub fn rank(&self, found: FoundRow) -> Option<Rank> {
        self.driver.rank_of(found.id)
    }

    /// The best passages of a session, at most so many, and how many there are.
    pub fn passages(&mut self, found: FoundRow, most: usize) -> (Vec<Excerpt>, usize) {
        let mut passages = Default::default();
        if self.rank(found).is_none() {
            return passages;
        }
        for _ in 0..ATTEMPTS {
            passages = self.driver.excerpts(found.id, most);
            // What is damaged, or has changed since it was read, is read again.
            if !self.driver.is_reading() {
                break;
            }
            self.read();
        }
        passages
    }

    /// Reads what is not known of these rows, searches them, and compares them if their order counts.
    fn look_into(
        &mut self,
        shown: Vec<RowId>,
        elsewhere: Vec<RowId>,
        hidden: Vec<RowId>,
        order: HitOrder,
    ) -> ContentReply {
        let all: Vec<RowId> = [&*shown, &elsewhere, &hidden].concat();
        let is_asked = self.driver.ask(ContentSearch {
            generation: self.search.generation,
            query: self.search.query.clone(),
            rows: ContentCandidates {
                shown,
                hidden,
                elsewhere,
            },
        });
        if is_asked {
            self.put(&all);
        }
        for _ in 0..ATTEMPTS {
            self.read();
            self.driver.search(|_, _| true);
            if order == HitOrder::Best {
                self.driver.rank(|| true);
            }
            if !self.driver.is_reading() {
                break;
            }
        }
        self.driver.reply().unwrap_or_default()
    }

    /// Hands over these rows, with the agents of the old layout that are beside them. What an agent of
    /// a session did is searched with that one.
    fn put(&mut self, rows: &[RowId]) {
        let row = |id: &RowId| Some((*id, self.rows.get(id.0 as usize)?));
        let folders = rows.iter().filter_map(row);
        let folders = folders.map(|(_, row)| &row.session.file.project.dir);
        let new: HashSet<&PathBuf> = folders.filter(|dir| !self.folders.contains(*dir)).collect();
        let agents = self.rows.places().filter(|(_, row)| {
            let file = &row.session.file;
            file.id.starts_with("agent-") && new.contains(&file.project.dir)
        });
        let agents = agents.map(|(at, row)| (row_id(at), row));
        self.driver.put_agents(agents, &self.there);
        let alone = self
            .driver
            .put_agents(rows.iter().filter_map(row), &self.there);
        let alone = alone.iter().filter_map(row);
        self.driver.put(alone.map(|(id, row)| (id, Some(row))));
        self.folders.extend(new.into_iter().cloned());
    }

    /// Reads to the end, and says how far it is if that takes a while.
    fn read(&mut self) {
        let began = Instant::now();
        let mut told = began;
        let is_watched = io::stderr().is_terminal();
        while self.driver.is_reading() {
            let Ok(step) = self.steps.recv() else {
                break;
            };
            self.driver.take(step);
            if is_watched && told.elapsed() > SILENT {
                told = Instant::now();
                let progress = self.driver.progress();
                let (searched, total) = (progress.searched, progress.total);
                let _ = write!(
                    io::stderr(),
                    "\r\x1b[Kreading {searched} of {total} conversations"
                );
            }
        }
        if told > began {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// What of the conversations was not searched.
    pub fn omissions(&self) -> Vec<String> {
        self.driver.progress().omissions()
    }

    /// Keeps what was read, and tells what could not be.
    pub fn finish(mut self) {
        if let Err(error) = self.driver.save() {
            complain(&format!(
                "the text of conversations could not be kept: {error}"
            ));
        }
        for trouble in self.driver.troubles() {
            complain(&trouble);
        }
        let failed = self.driver.progress().failed;
        for (path, reason) in failed.iter().take(MOST_NAMED) {
            complain(&format!("{}: not searched: {reason}", path.display()));
        }
        if failed.len() > 1 {
            complain(&format!(
                "{} could not be searched",
                counted(failed.len(), "file")
            ));
        }
    }
}

fn row_id(at: usize) -> RowId {
    RowId(u32::try_from(at).unwrap_or(u32::MAX))
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
