//! The order of prompts, and joining of equal ones.
//!
//! Recall (the up arrow) takes the last hundred prompts of the project: first those of this session,
//! then the others, so that two sessions in one directory do not mix. Search takes everything,
//! newest first, each prompt once.

use std::collections::HashMap;

use super::entry::fingerprint;
use super::prompts::FoundPrompt;

/// How many prompts of a project are recalled.
pub const MOST_RECALLED: usize = 100;

/// The prompts of a project in the order of the up arrow, as seen from a session.
pub fn recall(
    newest_first: impl Iterator<Item = FoundPrompt>,
    is_project: impl Fn(&str) -> bool,
    session: Option<&str>,
) -> Vec<FoundPrompt> {
    let of_project = newest_first.filter(|found| is_project(&found.prompt.project));
    let mut recalled: Vec<FoundPrompt> = of_project.take(MOST_RECALLED).collect();
    let is_own =
        |found: &FoundPrompt| session.is_some() && found.prompt.session.as_deref() == session;
    recalled.sort_by_key(|found| !is_own(found));
    recalled
}

/// A prompt with its latest entry and how many times it was entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collapsed {
    pub found: FoundPrompt,
    pub count: usize,
}

/// Joins equal prompts, each at the position of the first.
pub fn collapse(prompts: impl Iterator<Item = FoundPrompt>) -> Vec<Collapsed> {
    let mut collapsed: Vec<Collapsed> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    for found in prompts {
        let at = *known
            .entry(fingerprint(&found.prompt))
            .or_insert(collapsed.len());
        match collapsed.get_mut(at) {
            Some(same) => same.count += 1,
            None => collapsed.push(Collapsed { found, count: 1 }),
        }
    }
    collapsed
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
