//! The order of the lines of one answer, as Claude Code merges them when it resumes: calls come
//! last. Which lines belong to the conversation is not decided here.

use std::collections::HashMap;

use super::index::Index;
use super::link::{Addition, EntryId};
use crate::record::EntryType;

/// The lines of an answer that are in the conversation, by their places in it.
#[derive(Default)]
struct AnswerLines {
    last: Option<Addition>,
    /// What comes before the lines that add the same as the last one.
    before_last: Option<Addition>,
    first_call: Option<usize>,
    /// What comes after the first call and is no call.
    late: Vec<usize>,
    /// Thinking, calls and thinking again follow each other: Claude went on thinking after the calls,
    /// and Claude Code leaves the answer in its order.
    is_in_order: bool,
}

impl AnswerLines {
    fn add(&mut self, adds: Addition, place: usize) {
        use Addition::{Call, Text, Thinking};
        let runs = (self.before_last, self.last, adds);
        self.is_in_order |= runs == (Some(Thinking), Some(Call), Thinking);
        if self.last != Some(adds) {
            self.before_last = self.last.replace(adds);
        }
        match (adds, self.first_call) {
            (Call, None) => self.first_call = Some(place),
            (Text | Thinking, Some(_)) => self.late.push(place),
            (Call, Some(_)) | (Text | Thinking, None) => {}
        }
    }
}

/// Moves texts and thinking of an answer before its first call.
pub fn calls_last(index: &Index, entries: Vec<usize>) -> Vec<usize> {
    let links = index.links();
    let mut answers: HashMap<EntryId, AnswerLines> = HashMap::new();
    // The new place of each line that moves: before another line.
    let mut moved: HashMap<usize, usize> = HashMap::new();
    let mut settle = |answers: &mut HashMap<EntryId, AnswerLines>| {
        for (_, answer) in answers.drain().filter(|(_, answer)| !answer.is_in_order) {
            if let Some(call) = answer.first_call {
                moved.extend(answer.late.iter().map(|late| (*late, call)));
            }
        }
    };
    for (place, &at) in entries.iter().enumerate() {
        let link = &links[at];
        // Some programs give the same id to every answer.
        if link.entry == EntryType::User && !link.is_tool_result && !link.is_meta {
            settle(&mut answers);
        }
        if let Some(message) = link.message {
            answers.entry(message).or_default().add(link.adds, place);
        }
    }
    settle(&mut answers);
    if moved.is_empty() {
        return entries;
    }
    let mut places: Vec<usize> = (0..entries.len()).collect();
    // A line that moves sorts before the call; those that stay keep their places.
    places.sort_by_key(|place| match moved.get(place) {
        Some(call) => (*call, 0, *place),
        None => (*place, 1, 0),
    });
    places.into_iter().map(|place| entries[place]).collect()
}

#[cfg(test)]
#[path = "merging_tests.rs"]
mod tests;
