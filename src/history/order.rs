//! The order of the up arrow.
//!
//! It takes the last hundred prompts of the project: first those of this session, then the others,
//! so that two sessions in one directory do not mix.

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

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
