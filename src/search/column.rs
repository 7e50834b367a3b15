//! A value per slot. Values that equal the default take no memory after the last slot that differs:
//! prompts of the history have neither a size nor a creation time.

#[derive(Debug, Default)]
pub struct Column<T> {
    values: Vec<T>,
}

impl<T: Copy + Default + PartialEq> Column<T> {
    pub fn get(&self, slot: usize) -> T {
        self.values.get(slot).copied().unwrap_or_default()
    }

    pub fn set(&mut self, slot: usize, value: T) {
        if slot >= self.values.len() {
            if value == T::default() {
                return;
            }
            self.values.resize(slot + 1, T::default());
        }
        self.values[slot] = value;
    }
}

#[cfg(test)]
#[path = "column_tests.rs"]
mod tests;
