//! Texts of messages that are in a conversation already: some versions wrote them again with every
//! line. They are known by numbers, since holding them once more would double a long conversation.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};

#[derive(Debug, Default)]
pub struct Texts {
    /// The turn that each is in, by a number made of its message and itself.
    turns: HashMap<u64, usize>,
    hashing: RandomState,
}

impl Texts {
    /// Puts a text in. Gives the turn that it was in already, if it was.
    pub fn put(&mut self, message: &str, text: &str, turn: usize) -> Option<usize> {
        match self.turns.entry(self.hashing.hash_one((message, text))) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(free) => {
                free.insert(turn);
                None
            }
        }
    }
}
