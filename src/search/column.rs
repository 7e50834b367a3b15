//! A value for each slot that takes no room as long as all are alike: prompts of the history have
//! neither a size nor a beginning.

#[derive(Debug)]
pub struct Column<T> {
    usual: T,
    /// Up to the last slot that differs; those behind it are as usual.
    values: Vec<T>,
}

impl<T: Copy + PartialEq> Column<T> {
    pub fn new(usual: T) -> Self {
        let values = Vec::new();
        Self { usual, values }
    }

    pub fn get(&self, slot: usize) -> T {
        self.values.get(slot).copied().unwrap_or(self.usual)
    }

    pub fn set(&mut self, slot: usize, value: T) {
        if slot >= self.values.len() {
            if value == self.usual {
                return;
            }
            self.values.resize(slot + 1, self.usual);
        }
        self.values[slot] = value;
    }

    /// The memory behind it, in bytes, as far as it is in use.
    pub fn footprint(&self) -> usize {
        self.values.len() * size_of::<T>()
    }
}

#[cfg(test)]
#[path = "column_tests.rs"]
mod tests;
