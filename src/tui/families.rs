//! Forks of one session, and the other files of one, as one row: the newest stands for all, and
//! expands to show the others.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::data::Data;
use crate::list::Row;
use crate::search::{RowId, SearchHit};

/// The number of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Family(pub u32);

/// The part of a row in its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// It stands for so many forks, which are hidden or follow it together with all copies.
    Head { forks: usize, open: bool },
    /// A fork after the row that stands for it.
    Fork,
    /// Another file of the session above it.
    Copy,
}

/// Which families of a list are open, and the rows that opening made.
#[derive(Debug, Default)]
pub struct Families {
    open: HashSet<Family>,
    kin: HashMap<RowId, Kin>,
    /// Copies get a row when their session is opened: a second root can hold a copy of everything.
    /// The search does not know them. Their numbers count down from the end, where no row is.
    copies: HashMap<RowId, (RowId, Arc<Row>)>,
    /// A file keeps its number, so that the cursor stays on it.
    numbers: HashMap<PathBuf, RowId>,
}

impl Families {
    /// A row of the search or a copy.
    pub fn row<'a>(&'a self, id: RowId, data: &'a Data) -> Option<&'a Arc<Row>> {
        let copy = || self.copies.get(&id).map(|(_, row)| row);
        data.row(id).or_else(copy)
    }

    /// The row that a copy belongs to, or the row itself.
    pub fn owner(&self, id: RowId) -> RowId {
        self.copies.get(&id).map_or(id, |(owner, _)| *owner)
    }

    /// The family of a row. A session with copies and no forks is one of its own; those count
    /// from the other end.
    pub fn of(&self, id: RowId, data: &Data) -> Option<Family> {
        let owner = self.owner(id);
        let has_copies = || data.row(owner).is_some_and(|row| !row.copies.is_empty());
        let of_copies = || has_copies().then_some(Family(u32::MAX - owner.0));
        data.forks_of(owner).or_else(of_copies)
    }

    /// Opens a closed family and closes an open one.
    pub fn toggle(&mut self, family: Family) {
        if !self.open.remove(&family) {
            self.open.insert(family);
        }
    }

    pub fn open(&mut self, family: Family) {
        self.open.insert(family);
    }

    /// Closes every family. Returns whether one was open.
    pub fn close(&mut self) -> bool {
        !std::mem::take(&mut self.open).is_empty()
    }

    pub fn kin(&self, id: RowId, data: &Data) -> Option<Kin> {
        let known = self.kin.get(&id).copied();
        known.or_else(|| {
            data.row(id).filter(|row| !row.copies.is_empty())?;
            let open = self.open.contains(&self.of(id, data)?);
            Some(Kin::Head { forks: 0, open })
        })
    }

    /// Do rows follow their head out of their order?
    pub fn has_open(&self) -> bool {
        let is_relative = |kin: &Kin| !matches!(kin, Kin::Head { .. });
        self.kin.values().any(is_relative)
    }

    /// Puts each family where the best of its members was found: the newest of those that match as
    /// well as that one, then, if the family is open, the others and all copies.
    pub fn group(&mut self, hits: &[SearchHit], data: &Data) -> Vec<SearchHit> {
        self.kin.clear();
        if !data.has_forks() && self.open.is_empty() {
            return hits.to_vec();
        }
        let mut forks: HashMap<Family, Vec<SearchHit>> = HashMap::new();
        for hit in hits {
            if let Some(family) = data.forks_of(hit.row) {
                forks.entry(family).or_default().push(*hit);
            }
        }
        let activity = |hit: &SearchHit| {
            let row = data.row(hit.row);
            row.map_or(0, |row| row.session.last_activity())
        };
        let mut grouped = Vec::with_capacity(hits.len());
        for hit in hits {
            let members = match data.forks_of(hit.row) {
                // The first member that was found has the place of all.
                Some(family) => forks.remove(&family),
                None => Some(vec![*hit]),
            };
            let Some(mut members) = members else {
                continue;
            };
            let newest = members
                .iter()
                .enumerate()
                .filter(|(_, member)| member.tier == hit.tier)
                .max_by_key(|(at, member)| (activity(member), Reverse(*at)))
                .map_or(0, |(at, _)| at);
            members[..=newest].rotate_right(1);
            let family = self.of(hit.row, data);
            let open = family.is_some_and(|family| self.open.contains(&family));
            let forks = members.len() - 1;
            let shown = if open { members.len() } else { 1 };
            for (at, member) in members.iter().take(shown).enumerate() {
                let kin = match at {
                    0 => Kin::Head { forks, open },
                    _ => Kin::Fork,
                };
                // The only member that was found is a row like any other.
                if forks > 0 {
                    self.kin.insert(member.row, kin);
                }
                let tier = hit.tier;
                grouped.push(SearchHit { tier, ..*member });
                if open {
                    let copies = self.copies_of(member.row, data);
                    grouped.extend(copies.into_iter().map(|row| SearchHit { row, tier }));
                }
            }
        }
        grouped
    }

    /// The copies of a row as rows.
    fn copies_of(&mut self, owner: RowId, data: &Data) -> Vec<RowId> {
        let mut ids = Vec::new();
        for session in data.row(owner).iter().flat_map(|row| &row.copies) {
            let next = RowId(u32::MAX - u32::try_from(self.numbers.len()).unwrap_or(0));
            let id = *self.numbers.entry(session.file.path()).or_insert(next);
            let row = Row {
                session: session.clone(),
                copies: Vec::new(),
            };
            self.copies.insert(id, (owner, Arc::new(row)));
            self.kin.insert(id, Kin::Copy);
            ids.push(id);
        }
        ids
    }
}

#[cfg(test)]
#[path = "families_tests.rs"]
mod tests;
