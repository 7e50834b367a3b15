//! Forks of one session, and the other files of one, as one row: the newest stands for all, and
//! opens to show the others.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::list::Row;
use crate::search::{RowId, SearchHit};

use super::copies::Copies;

/// The number of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Family(pub u32);

impl Family {
    /// The family of a session that has copies and no forks. Families of forks are counted from
    /// the other end.
    fn of_copies(row: RowId) -> Self {
        Self(u32::MAX - row.0)
    }
}

/// How a row of the result stands to its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// It stands for so many forks, which are folded away or follow with all copies.
    Head { forks: usize, open: bool },
    /// A fork that follows the one that stands for it.
    Fork,
    /// Another file of the session above it.
    Copy,
}

/// Which rows belong together, and which families are open.
#[derive(Debug, Default)]
pub struct Families {
    /// The family of each row that has forks, by the row's number.
    of: Vec<Option<Family>>,
    open: HashSet<Family>,
    kin: HashMap<RowId, Kin>,
}

impl Families {
    /// Takes the families that are known now. Rows that are alone in theirs have none.
    pub fn set(&mut self, members: &[(RowId, Family)]) {
        self.kin.clear();
        self.of.clear();
        for (row, family) in members {
            let at = row.0 as usize;
            if at >= self.of.len() {
                self.of.resize(at + 1, None);
            }
            self.of[at] = Some(*family);
        }
    }

    /// The family of a row.
    pub fn of(&self, id: RowId, row: &Row) -> Option<Family> {
        let copied = !row.copies.is_empty();
        self.forks_of(id)
            .or_else(|| copied.then(|| Family::of_copies(id)))
    }

    fn forks_of(&self, id: RowId) -> Option<Family> {
        *self.of.get(id.0 as usize)?
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

    /// Closes every family. Says whether one was open.
    pub fn close(&mut self) -> bool {
        !std::mem::take(&mut self.open).is_empty()
    }

    /// How a row stands to others.
    pub fn kin(&self, id: RowId, row: &Row) -> Option<Kin> {
        let known = self.kin.get(&id).copied();
        known.or_else(|| {
            let family = self.of(id, row).filter(|_| !row.copies.is_empty())?;
            let open = self.open.contains(&family);
            Some(Kin::Head { forks: 0, open })
        })
    }

    /// Are relatives between the rows, out of their order?
    pub fn has_open(&self) -> bool {
        let is_relative = |kin: &Kin| !matches!(kin, Kin::Head { .. });
        self.kin.values().any(is_relative)
    }

    /// Is every hit a line of its own?
    pub fn is_empty(&self) -> bool {
        self.of.is_empty() && self.open.is_empty()
    }

    /// Puts each family where the best of its members was found: the newest of those that match
    /// as well as that one, and behind it, if the family is open, the others and all copies.
    pub fn group<'a>(
        &mut self,
        hits: &[SearchHit],
        row: impl Fn(RowId) -> Option<&'a Arc<Row>>,
        copies: &mut Copies,
    ) -> Vec<SearchHit> {
        self.kin.clear();
        let mut members: HashMap<Family, Vec<SearchHit>> = HashMap::new();
        for hit in hits {
            if let Some(family) = self.forks_of(hit.row) {
                members.entry(family).or_default().push(*hit);
            }
        }
        let activity = |hit: &SearchHit| row(hit.row).map_or(0, |row| row.session.last_activity());
        let mut grouped = Vec::with_capacity(hits.len());
        for hit in hits {
            let family = self.forks_of(hit.row);
            let members = match family {
                // The first member that was found stands for the place of all.
                Some(family) => members.remove(&family),
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
            let family = row(hit.row).and_then(|row| self.of(hit.row, row));
            let open = family.is_some_and(|family| self.open.contains(&family));
            let forks = members.len() - 1;
            for (at, member) in members.iter().enumerate() {
                // The only one that was found is a row like any other.
                match at {
                    0 if forks > 0 => {
                        self.kin.insert(member.row, Kin::Head { forks, open });
                    }
                    0 => {}
                    _ if !open => break,
                    _ => {
                        self.kin.insert(member.row, Kin::Fork);
                    }
                }
                // It stands where its family does.
                let tier = hit.tier;
                grouped.push(SearchHit { tier, ..*member });
                if let (true, Some(owner)) = (open, row(member.row)) {
                    for row in copies.of(member.row, owner) {
                        self.kin.insert(row, Kin::Copy);
                        grouped.push(SearchHit { row, tier });
                    }
                }
            }
        }
        grouped
    }
}

#[cfg(test)]
#[path = "kin_tests.rs"]
mod tests;
