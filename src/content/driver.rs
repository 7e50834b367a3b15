//! Rows, what they say, and one query: what the picker and the command line do alike.
//!
//! Knows no channel and no time. Whoever uses it hands over rows, queries and steps of reading, and
//! says how long to go on. After each of them, what is damaged or has changed is read again. Before the
//! first query, rows are only compared with what is stored.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::excerpt::Excerpt;
use super::index::{Index, Progress};
use super::library::{ByRow, FileKeys};
use super::messages::{ContentReply, ContentSearch};
use super::rank::Rank;
use super::reading::{ReadStep, Readers};
use super::suggest::{Suggestion, suggestion};
use super::wanted::Wanted;
use crate::list::Row;
use crate::search::{Generation, NameKind, NamePattern, RowId};

/// Rows that are compared: nobody looks at more.
const MOST_RANKED: usize = 2000;

/// Files that readers are asked for at a time: enough small ones for as long as a search takes. What is
/// known of all others would take much memory.
const MOST_READING: usize = 1024;

/// What is read, and where it is stored.
#[derive(Debug, Clone, Default)]
pub struct ContentSources {
    pub roots: Vec<PathBuf>,
    /// The cache directory; without one nothing is kept.
    pub cache: Option<PathBuf>,
    pub threads: usize,
}

#[derive(Debug)]
pub struct SearchDriver {
    index: Index,
    readers: Readers,
    /// Was anything asked? Nothing is read before that.
    is_asked: bool,
    current: Option<CurrentSearch>,
}

/// A query with what is known about it.
#[derive(Debug)]
pub struct CurrentSearch {
    search: ContentSearch,
    wanted: Arc<Wanted>,
    /// Of the rows that were looked at: how good each is that has it. `WORST` until it was compared.
    ranks: ByRow<Option<Rank>>,
    /// Rows that have it, in the order of the list, and are still to be compared.
    unranked: VecDeque<RowId>,
}

impl SearchDriver {
    /// Opens what is stored, and starts the readers: each calls `first`, and hands over with `send`
    /// what `take` has to be called with.
    pub fn open(
        sources: &ContentSources,
        first: impl Fn() + Clone + Send + 'static,
        send: impl Fn(ReadStep) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        Ok(Self {
            readers: Readers::start(sources.threads, first, send)?,
            index: Index::open(&sources.roots, sources.cache.as_deref()),
            is_asked: false,
            current: None,
        })
    }

    /// Rows came, changed or, where there is none, went. Their files are read in this order.
    pub fn put<'a>(&mut self, rows: impl IntoIterator<Item = (RowId, Option<&'a Arc<Row>>)>) {
        for (row, what) in rows {
            match what {
                Some(what) => self.index.put(row, what),
                None => self.index.remove(row),
            }
        }
        self.heal();
    }

    /// Remembers agents of the old layout for when their sessions come. Returns those whose session
    /// is none of these transcripts.
    pub fn put_agents<'a>(
        &mut self,
        rows: impl IntoIterator<Item = (RowId, &'a Arc<Row>)>,
        there: &FileKeys,
    ) -> Vec<RowId> {
        let rows = rows.into_iter();
        let alone = rows.filter(|(row, what)| {
            let session = self.index.note_agent(*row, what);
            session.is_none_or(|session| !there.contains(&session))
        });
        alone.map(|(row, _)| row).collect()
    }

    /// Lets the text go of sessions of these roots that are none of these transcripts.
    pub fn forget_gone(&mut self, roots: &[PathBuf], there: &FileKeys) {
        for root in roots {
            self.index.forget_gone(root, there);
        }
    }

    /// The same where all sessions of these roots were put.
    pub fn forget_others(&mut self, roots: &[PathBuf]) {
        self.index.forget_others(roots);
    }

    /// Takes a step of reading. Returns whether there may be something else to find.
    pub fn take(&mut self, step: ReadStep) -> bool {
        self.index.take(step);
        self.readers.taken();
        self.heal()
    }

    /// Asks something else, or the same of other rows. Returns whether that asks anything.
    pub fn ask(&mut self, search: ContentSearch) -> bool {
        let before = self.current.take();
        self.current = Wanted::new(&search.query).map(|wanted| {
            let mut ranks = ByRow::default();
            if let Some(before) = before {
                ranks = before.ranks;
                if before.search.query != search.query {
                    // What did not match does not match a narrower query either.
                    let narrows = search.query.narrows(&before.search.query);
                    ranks.retain(|_, rank| narrows && rank.is_none());
                }
            }
            CurrentSearch {
                search,
                wanted: Arc::new(wanted),
                ranks,
                unranked: VecDeque::new(),
            }
        });
        self.is_asked |= self.current.is_some();
        self.heal();
        self.current.is_some()
    }

    /// Looks at the rows that were not looked at yet. Hears after each of them whether it was found,
    /// with everything that is known until then, and goes on as long as `found` says so.
    pub fn search(&mut self, mut found: impl FnMut(&CurrentSearch, bool) -> bool) {
        let Some(current) = &mut self.current else {
            return;
        };
        let rows = &current.search.rows;
        let all = rows.shown.iter().chain(&rows.elsewhere).chain(&rows.hidden);
        let open = all.filter(|row| !current.ranks.contains_key(row));
        let open: Vec<RowId> = open.copied().collect();
        let wanted = Arc::clone(&current.wanted);
        self.index.search(&wanted, &open, |row, has| {
            current.ranks.insert(row, has.then_some(Rank::WORST));
            found(current, has)
        });
        let shown = current.search.rows.shown.iter().copied();
        let found = shown.filter_map(|row| Some((row, current.rank_of(row)?)));
        let found = found.take(MOST_RANKED);
        let unranked = found.filter(|(_, rank)| *rank == Rank::WORST);
        current.unranked = unranked.map(|(row, _)| row).collect();
        self.heal();
    }

    /// Is there something to compare?
    pub fn is_ranking(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|current| !current.unranked.is_empty())
    }

    /// Compares what was found, as long as `goes_on` says so.
    pub fn rank(&mut self, goes_on: impl Fn() -> bool) {
        let Some(current) = &mut self.current else {
            return;
        };
        let rows: Vec<RowId> = current.unranked.iter().copied().collect();
        self.index.rank(&current.wanted, &rows, |row, rank| {
            current.unranked.pop_front();
            current.ranks.insert(row, Some(rank));
            goes_on()
        });
        self.heal();
    }

    /// Everything found so far.
    pub fn reply(&self) -> Option<ContentReply> {
        let current = self.current.as_ref()?;
        let is_ranked = !self.is_ranking();
        Some(ContentReply {
            is_ranked,
            is_complete: is_ranked && !self.is_reading(),
            ..current.reply(self.progress())
        })
    }

    /// How good a conversation is that was found.
    pub fn rank_of(&self, row: RowId) -> Option<Rank> {
        self.current.as_ref()?.rank_of(row)
    }

    /// The best passages of a conversation, at most so many, and how many match.
    pub fn excerpts(&mut self, row: RowId, most: usize) -> (Vec<Excerpt>, usize) {
        let Some(current) = &self.current else {
            return Default::default();
        };
        let found = self.index.passages(&current.wanted, row);
        let best = found.iter().take(most);
        // What has just vanished cannot be shown. What has changed is read again.
        let shown = best.filter_map(|(path, passage)| self.index.excerpt(row, path, passage));
        let shown = shown.collect();
        self.heal();
        (shown, found.len())
    }

    /// A word that would find something in place of one that does not occur.
    pub fn suggest(&mut self, is_stale: impl Fn() -> bool) -> Option<Suggestion> {
        let current = self.current.as_ref()?;
        let suggestion = suggestion(&mut self.index, &current.search, &is_stale);
        self.heal();
        suggestion
    }

    /// Names near one that no tool or file in the rows of the search has. `None` if it has one.
    pub fn near_names(&self, kind: NameKind, name: &NamePattern) -> Option<Vec<String>> {
        let rows = &self.current.as_ref()?.search.rows.shown;
        self.index.near_names(kind, name, rows)
    }

    /// The number of the query that is asked.
    pub fn generation(&self) -> Option<Generation> {
        Some(self.current.as_ref()?.search.generation)
    }

    pub fn is_reading(&self) -> bool {
        self.is_asked && self.index.is_reading()
    }

    pub fn progress(&self) -> Progress {
        self.index.progress()
    }

    /// Stores what is new.
    pub fn save(&mut self) -> io::Result<()> {
        let saved = self.index.save();
        self.heal();
        saved
    }

    /// What went wrong with the cache since this was last asked.
    pub fn troubles(&mut self) -> Vec<String> {
        self.index.troubles()
    }

    /// Has everything read again that turned out to be damaged or to have changed. Returns whether
    /// there may be something else to find.
    fn heal(&mut self) -> bool {
        self.index.heal();
        if self.is_asked {
            self.readers.read(self.index.jobs(MOST_READING));
        }
        let changed = self.index.take_changed();
        let Some(current) = self.current.as_mut().filter(|_| !changed.is_empty()) else {
            return false;
        };
        for row in changed {
            current.ranks.remove(&row);
        }
        true
    }
}

impl CurrentSearch {
    fn rank_of(&self, row: RowId) -> Option<Rank> {
        *self.ranks.get(&row)?
    }

    /// Everything found so far, while it is searched.
    pub fn reply(&self, progress: Progress) -> ContentReply {
        let rows = &self.search.rows;
        let hit = |row: &RowId| Some((self.rank_of(*row)?, *row));
        let mut hits: Vec<(Rank, RowId)> = rows.shown.iter().filter_map(hit).collect();
        hits.sort_by_key(|(rank, _)| *rank);
        let count = |rows: &[RowId]| rows.iter().filter_map(hit).count();
        let is_searched = |row: &&RowId| self.ranks.contains_key(row);
        ContentReply {
            generation: self.search.generation,
            hits: hits.into_iter().map(|(_, row)| row).collect(),
            hidden: count(&rows.hidden),
            elsewhere: count(&rows.elsewhere),
            searched: rows.shown.iter().filter(is_searched).count(),
            progress,
            is_ranked: false,
            is_complete: false,
        }
    }
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
