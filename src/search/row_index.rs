//! Which slot a row has. Rows are numbered without gaps by whoever puts them, so a table is a
//! fifth of what a hash map of half a million would be.

use super::document::RowId;

const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub struct RowIndex {
    slots: Vec<u32>,
    /// How many rows have one.
    taken: usize,
}

impl RowIndex {
    pub fn get(&self, row: RowId) -> Option<u32> {
        let slot = *self.slots.get(row.0 as usize)?;
        (slot != NONE).then_some(slot)
    }

    /// Gives a row a slot. Returns the one it had.
    pub fn insert(&mut self, row: RowId, slot: u32) -> Option<u32> {
        let at = row.0 as usize;
        if at >= self.slots.len() {
            self.slots.resize(at + 1, NONE);
        }
        let old = std::mem::replace(&mut self.slots[at], slot);
        self.taken += usize::from(old == NONE);
        (old != NONE).then_some(old)
    }

    pub fn remove(&mut self, row: RowId) -> Option<u32> {
        let known = self.slots.get_mut(row.0 as usize)?;
        let old = std::mem::replace(known, NONE);
        self.taken -= usize::from(old != NONE);
        (old != NONE).then_some(old)
    }

    pub fn len(&self) -> usize {
        self.taken
    }

    /// The memory behind it, in bytes, as far as it is in use.
    pub fn footprint(&self) -> usize {
        self.slots.len() * size_of::<u32>()
    }
}

#[cfg(test)]
#[path = "row_index_tests.rs"]
mod tests;
