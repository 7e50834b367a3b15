//! Forks of one session as one row: the newest stands for all, and opens to show the others.

use std::collections::{HashMap, HashSet};

use crate::search::{Hit, RowId};

/// The number of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Family(pub u32);

/// How a row of the result stands to its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// It stands for so many others, which are folded away or follow.
    Head { others: usize, open: bool },
    /// It follows the one that stands for it.
    Relative,
}

/// Which rows belong together, and which families are open.
#[derive(Debug, Default)]
pub struct Families {
    /// The family of each row that has one, by the row's number.
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

    pub fn of(&self, row: RowId) -> Option<Family> {
        *self.of.get(row.0 as usize)?
    }

    /// Opens a closed family and closes an open one.
    pub fn toggle(&mut self, family: Family) {
        if !self.open.remove(&family) {
            self.open.insert(family);
        }
    }

    /// Closes every family. Says whether one was open.
    pub fn close(&mut self) -> bool {
        !std::mem::take(&mut self.open).is_empty()
    }

    pub fn kin(&self, row: RowId) -> Option<Kin> {
        self.kin.get(&row).copied()
    }

    /// Are relatives between the rows, out of their order?
    pub fn has_open(&self) -> bool {
        let is_relative = |kin: &Kin| *kin == Kin::Relative;
        self.kin.values().any(is_relative)
    }

    /// Has no row a relative?
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Puts the members of each family behind the first of them, or leaves them out.
    pub fn group(&mut self, hits: &[Hit]) -> Vec<Hit> {
        self.kin.clear();
        let mut members: HashMap<Family, Vec<Hit>> = HashMap::new();
        for hit in hits {
            if let Some(family) = self.of(hit.row) {
                members.entry(family).or_default().push(*hit);
            }
        }
        let mut grouped = Vec::with_capacity(hits.len());
        for hit in hits {
            let family = self.of(hit.row);
            let Some(family) = family.filter(|family| members[family].len() > 1) else {
                grouped.push(*hit);
                continue;
            };
            let [head, others @ ..] = members[&family].as_slice() else {
                continue;
            };
            if head.row != hit.row {
                continue;
            }
            let open = self.open.contains(&family);
            let count = others.len();
            self.kin.insert(
                hit.row,
                Kin::Head {
                    others: count,
                    open,
                },
            );
            grouped.push(*hit);
            if open {
                for other in others {
                    self.kin.insert(other.row, Kin::Relative);
                    // It stands where its family does.
                    grouped.push(Hit {
                        tier: hit.tier,
                        ..*other
                    });
                }
            }
        }
        grouped
    }
}

#[cfg(test)]
#[path = "kin_tests.rs"]
mod tests;
