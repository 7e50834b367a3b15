//! The thread that owns everything that can be found, and answers the newest query.
//!
//! A reply always carries the whole result so far: the first one for a query what contains every
//! word (`Tier::Substring`), the second one the fuzzy matches below them (`Tier::Fuzzy`). Rows
//! that come or go while a query stands lead to further replies of the same generation.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::document::{Document, Place, RowId};
use super::query::Query;
use crate::list::{Include, Sort};

/// Numbers searches. A larger one is newer, and makes all smaller ones stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Generation(pub u64);

/// How well a row matches, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// It contains every word.
    Substring,
    /// Its short texts contain the letters of every word, in order.
    Fuzzy,
}

/// What to look for, among which rows, in which order.
#[derive(Debug, Clone)]
pub struct Search {
    pub generation: Generation,
    pub query: Query,
    pub order: Sort,
    /// Rows farther away than this are only counted.
    pub reach: Place,
    /// Rows of hidden kinds that are not included are only counted.
    pub include: Include,
}

#[derive(Debug)]
pub enum Request {
    /// Adds rows, or replaces those that are known.
    Put(Vec<(RowId, Document)>),
    Remove(Vec<RowId>),
    Search(Search),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub row: RowId,
    pub tier: Tier,
}

/// How many rows there are beside the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Rows that an empty query would show: within reach, of no hidden kind.
    pub shown: usize,
    /// Matching rows within reach that are of a hidden kind.
    pub hidden: usize,
    /// Matching rows beyond reach that are of no hidden kind.
    pub elsewhere: usize,
    /// All rows that were looked at.
    pub searched: usize,
}

/// The result of a search as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub generation: Generation,
    /// The tier that is complete with this reply; nothing more is to come after `Fuzzy`.
    pub tier: Tier,
    /// Everything to show, in order.
    pub hits: Vec<Hit>,
    pub counts: Counts,
}

/// The way to the thread. Dropping it ends the thread.
#[derive(Debug)]
pub struct Worker {
    requests: Sender<Request>,
}

impl Worker {
    /// Starts the thread. Replies are handed to `reply` on that thread.
    pub fn start(reply: impl Fn(Reply) + Send + 'static) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || run(&inbox, &reply))?;
        Ok(Self { requests })
    }

    /// Never blocks. A search makes every earlier one stale at once.
    pub fn send(&self, request: Request) {
        // The thread ends only after this sender is gone.
        let _ = self.requests.send(request);
    }
}

fn run(inbox: &Receiver<Request>, reply: &impl Fn(Reply)) {
    let mut rows: BTreeMap<RowId, Document> = BTreeMap::new();
    let mut standing: Option<Search> = None;
    while let Ok(request) = inbox.recv() {
        for request in std::iter::once(request).chain(inbox.try_iter()) {
            match request {
                Request::Put(new) => rows.extend(new),
                Request::Remove(gone) => rows.retain(|row, _| !gone.contains(row)),
                Request::Search(search) => standing = Some(search),
            }
        }
        if let Some(search) = &standing {
            reply(answer(&rows, search, Tier::Substring));
            reply(answer(&rows, search, Tier::Fuzzy));
        }
    }
}

fn answer(rows: &BTreeMap<RowId, Document>, search: &Search, tier: Tier) -> Reply {
    let mut counts = Counts {
        searched: rows.len(),
        ..Counts::default()
    };
    let mut found = Vec::new();
    for (row, document) in rows {
        let text = [
            &document.title,
            &document.project,
            &document.branch,
            &document.tag,
            &document.first_prompt,
            &document.last_prompt,
        ]
        .map(|text| text.to_lowercase())
        .join("\n");
        let matches = search.query.words().iter().all(|word| text.contains(word));
        let shown = document
            .hidden
            .is_none_or(|kind| search.include.has_any(&[kind]));
        let near = document.place <= search.reach;
        counts.shown += usize::from(near && shown);
        counts.hidden += usize::from(matches && near && !shown);
        counts.elsewhere += usize::from(matches && !near && shown);
        if matches && near && shown {
            found.push((std::cmp::Reverse(document.activity), *row));
        }
    }
    found.sort();
    Reply {
        generation: search.generation,
        tier,
        hits: found
            .into_iter()
            .map(|(_, row)| Hit {
                row,
                tier: Tier::Substring,
            })
            .collect(),
        counts,
    }
}
