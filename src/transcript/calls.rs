//! Tool calls by their ids, while a conversation is put together: where each stands, and what tells
//! a call that was written twice from another one with the same id.

use std::collections::{HashMap, HashSet};

use super::tools::ToolCall;

#[derive(Debug, Default)]
pub struct Calls {
    /// The number of its turn, and its step.
    places: HashMap<String, (usize, usize)>,
    /// The message that each was made in.
    messages: HashMap<String, String>,
    /// Those of which only the result has come.
    unnamed: HashSet<String>,
}

impl Calls {
    pub fn place_of(&self, id: &str) -> Option<(usize, usize)> {
        self.places.get(id).copied()
    }

    pub fn put(&mut self, id: String, turn: usize, step: usize) {
        self.places.insert(id, (turn, step));
    }

    /// The result of a call has come before the call itself.
    pub fn came_first(&mut self, id: &str) {
        self.unnamed.insert(id.to_owned());
    }

    /// Is a call in this message the one that is known by the id, if any is?
    pub fn is_again(&mut self, id: &str, message: Option<&str>) -> bool {
        let known = self.messages.get(id).map(String::as_str);
        // The one that waited for its call has it now.
        self.unnamed.remove(id) || known == message
    }

    pub fn made_in(&mut self, id: &str, message: Option<&str>) {
        match message {
            Some(message) => self.messages.insert(id.to_owned(), message.to_owned()),
            None => self.messages.remove(id),
        };
    }
}

/// What is known of a tool call by its id.
pub enum Known<'a> {
    Held(&'a mut ToolCall),
    /// Its turn was let go.
    Gone,
    Not,
}
