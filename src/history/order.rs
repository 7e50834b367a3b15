//! Which prompt comes first, and which are one.
//!
//! Recalling (the up arrow) begins with what this session asked and goes on with the others of
//! its project, within the last hundred prompts of the project, so that two sessions in one
//! directory do not mix. Searching looks at everything, newest first, each prompt once.

use std::collections::HashMap;

use super::entry::fingerprint;
use super::prompts::FoundPrompt;

/// So many prompts of a project are recalled.
pub const MOST_RECALLED: usize = 100;

/// The prompts of a project for somebody in this session, in the order of the up arrow.
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

/// A prompt that was entered so many times; what is known is of the last time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collapsed {
    pub found: FoundPrompt,
    pub count: usize,
}

/// Makes one of prompts that are the same, each at the place of its first one.
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
