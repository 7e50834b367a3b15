//! Which sessions a query finds: by title and prompts, then by the text of their conversations.

use std::collections::{HashMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::cli::surroundings::Surroundings;
use crate::cli::{complain, counted};
use crate::content::{
    Excerpt, FileKey, FileKeys, Index, MOST_RANKED, Rank, ReadJob, ReadStep, Readers, Wanted,
};
use crate::list::{Distance, Include, Row, Rows, Scope, Sort};
use crate::search::{
    ContentCandidates, Document, Generation, Query, RowContext, RowId, Search, Searcher,
};
use crate::store::{FileInfo, Trouble, is_running, readers, running};

/// Reading that takes longer is told on a terminal.
const SILENT: Duration = Duration::from_millis(500);
/// Damaged text in the cache is read again; a disk that damages it every time is not waited for.
const ATTEMPTS: usize = 3;
/// Files that could not be searched and are named.
const MOST_NAMED: usize = 5;

/// A session that was found.
#[derive(Debug, Clone, Copy)]
pub struct FoundRow {
    id: RowId,
    /// Does its title match, or do its prompts or facts?
    pub is_titled: bool,
    /// How good its conversation is, if that matches.
    pub rank: Option<Rank>,
}

/// The sessions of a list, and their text as far as it was asked for.
pub struct Finder<'a> {
    rows: &'a Rows,
    search: Search,
    wanted: Option<Wanted>,
    searcher: Searcher,
    index: Index,
    /// All transcripts.
    there: FileKeys,
    /// The folders whose agents are known to the index.
    folders: HashSet<PathBuf>,
    readers: Readers,
    steps: Receiver<ReadStep>,
}

impl<'a> Finder<'a> {
    pub fn new(
        surroundings: &Surroundings,
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
        let live = running(&surroundings.roots, is_running);
        let documents: Vec<(RowId, Document)> = rows
            .places()
            .map(|(at, row)| {
                let context = RowContext {
                    place: scope.distance_of_row(row),
                    live: live.of(&row.session),
                };
                (row_id(at), Document::of(row, context))
            })
            .collect();
        let mut searcher = Searcher::default();
        searcher.put(&documents);
        let (send, steps) = channel();
        let send = move |step| drop(send.send(step));
        let readers = Readers::start(readers(), || {}, send).context("cannot start a thread")?;
        let mut index = Index::open(&surroundings.roots, surroundings.cache.as_deref());
        let files = rows.iter().flat_map(Row::files);
        let there = files.map(|session| FileKey::of(&session.file.path()));
        let there: FileKeys = there.collect();
        // One without its folder may be on a disk that is not mounted.
        let is_whole = |root: &&PathBuf| trouble.spares(root) && root.join("projects").is_dir();
        for root in surroundings.roots.iter().filter(is_whole) {
            index.forget_gone(root, &there);
        }
        Ok(Self {
            rows,
            wanted: Wanted::new(&query),
            search: Search {
                generation: Generation::default(),
                query,
                order: Sort::Activity,
                reach,
                include,
            },
            searcher,
            index,
            there,
            folders: HashSet::new(),
            readers,
            steps,
        })
    }

    pub fn query(&self) -> &Query {
        &self.search.query
    }

    pub fn row(&self, found: FoundRow) -> Option<&'a Row> {
        self.rows.get(found.id.0 as usize).map(|row| &**row)
    }

    /// Everything within reach: what matches by its title or prompts first, then the conversations,
    /// the best first, equals in the order of the list.
    pub fn find(&mut self) -> Vec<FoundRow> {
        let reply = self.searcher.answer_words(&self.search);
        let titled = reply.map_or_else(Vec::new, |reply| reply.hits);
        let titled: Vec<RowId> = titled.iter().map(|hit| hit.row).collect();
        let inside = self.candidates().shown;
        let all: Vec<RowId> = titled.iter().chain(&inside).copied().collect();
        let found = self.look_into(&all);
        let ranks = self.rank(&all, &found);
        let of = |is_titled| {
            let ranks = &ranks;
            move |id: &RowId| FoundRow {
                id: *id,
                is_titled,
                rank: ranks.get(id).copied(),
            }
        };
        let mut found: Vec<FoundRow> = inside.iter().map(of(false)).collect();
        found.retain(|found| found.rank.is_some());
        found.sort_by_key(|found| found.rank);
        let mut all: Vec<FoundRow> = titled.iter().map(of(true)).collect();
        all.append(&mut found);
        all
    }

    /// How many sessions beyond reach, and how many of hidden kinds, have it.
    pub fn count_others(&mut self) -> (usize, usize) {
        let reply = self.searcher.answer_words(&self.search);
        let counts = reply.map(|reply| reply.counts).unwrap_or_default();
        let candidates = self.candidates();
        let elsewhere = self.look_into(&candidates.elsewhere).len();
        let hidden = self.look_into(&candidates.hidden).len();
        (counts.elsewhere + elsewhere, counts.hidden + hidden)
    }

    fn candidates(&mut self) -> ContentCandidates {
        let candidates = self.searcher.content_candidates(&self.search, &|| false);
        candidates.unwrap_or_default()
    }

    /// The best passages of a session, at most so many, and how many there are.
    pub fn passages(&mut self, found: FoundRow, most: usize) -> (Vec<Excerpt>, usize) {
        let Some(wanted) = self.wanted.as_ref().filter(|_| found.rank.is_some()) else {
            return Default::default();
        };
        let mut shown = Vec::new();
        let mut total = 0;
        for _ in 0..ATTEMPTS {
            let passages = self.index.passages(wanted, found.id);
            total = passages.len();
            let passages = passages.iter().take(most);
            // What has just vanished cannot be shown.
            shown = passages
                .filter_map(|(path, passage)| self.index.excerpt(found.id, path, passage))
                .collect();
            // What is damaged, or has changed since it was read, is read again.
            let again = self.index.heal();
            if again.is_empty() {
                break;
            }
            read(&mut self.index, &self.readers, &self.steps, again);
        }
        (shown, total)
    }

    /// Reads what is not known of these rows, and searches them.
    fn look_into(&mut self, rows: &[RowId]) -> HashSet<RowId> {
        let mut found = HashSet::new();
        let Some(wanted) = &self.wanted else {
            return found;
        };
        let files = rows.iter().filter_map(|&id| {
            let row = self.rows.get(id.0 as usize)?;
            Some((id, &row.session.file))
        });
        let files: Vec<(RowId, &FileInfo)> = files.collect();
        // Old versions wrote what agents did beside the sessions.
        let folders = files.iter().map(|(_, file)| &file.project.dir);
        let new: HashSet<&PathBuf> = folders.filter(|dir| !self.folders.contains(*dir)).collect();
        for (at, row) in self.rows.places() {
            let file = &row.session.file;
            if file.id.starts_with("agent-") && new.contains(&file.project.dir) {
                self.index.note_agent(row_id(at), file);
            }
        }
        self.folders.extend(new.into_iter().cloned());
        let mut jobs = Vec::new();
        for (id, file) in files {
            // What an agent of a session did is searched with that one.
            let session = self.index.note_agent(id, file);
            if session.is_none_or(|session| !self.there.contains(&session)) {
                jobs.extend(self.index.put(id, file));
            }
        }
        for _ in 0..ATTEMPTS {
            read(&mut self.index, &self.readers, &self.steps, jobs);
            self.index.search(wanted, rows, |row, has| {
                if has {
                    found.insert(row);
                }
                true
            });
            jobs = self.index.heal();
            if jobs.is_empty() {
                break;
            }
        }
        found
    }

    /// How good the rows are that were found. Beyond those that are compared, all are equal.
    fn rank(&mut self, rows: &[RowId], found: &HashSet<RowId>) -> HashMap<RowId, Rank> {
        let mut ranks: HashMap<RowId, Rank> = found.iter().map(|row| (*row, Rank::WORST)).collect();
        if let Some(wanted) = &self.wanted {
            let found = rows.iter().filter(|row| found.contains(row)).copied();
            let compared: Vec<RowId> = found.take(MOST_RANKED).collect();
            self.index.rank(wanted, &compared, |row, rank| {
                ranks.insert(row, rank);
                true
            });
        }
        ranks
    }

    /// What of the conversations was not searched.
    pub fn omissions(&self) -> Vec<String> {
        self.index.progress().omissions()
    }

    /// Keeps what was read, and tells what could not be.
    pub fn finish(mut self) {
        if let Err(error) = self.index.save() {
            complain(&format!(
                "the text of conversations could not be kept: {error}"
            ));
        }
        for trouble in self.index.troubles() {
            complain(&trouble);
        }
        let failed = self.index.progress().failed;
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

/// Reads files to the end, and says how far it is if that takes a while.
fn read(index: &mut Index, readers: &Readers, steps: &Receiver<ReadStep>, jobs: Vec<ReadJob>) {
    let began = Instant::now();
    let mut told = began;
    let is_watched = io::stderr().is_terminal();
    readers.read(jobs);
    while index.is_reading() {
        let Ok(step) = steps.recv() else {
            break;
        };
        index.take(step);
        readers.taken();
        if is_watched && told.elapsed() > SILENT {
            told = Instant::now();
            let progress = index.progress();
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
