//! Which lines of a conversation match: what was typed in the list, or what is looked for here.

use crate::preview::{Fold, Line, Scroll, hidden_texts};
use crate::search::{Field, Query, Tier, highlight};
use crate::transcript::Turn;

use super::message::PreviewRequest;

/// The lines that match, in their order. A closed fold matches if what it hides does, where
/// somebody looks for something in this conversation.
pub fn matches(
    scroll: &Scroll,
    turns: &[Turn],
    first: i64,
    request: &PreviewRequest,
) -> Vec<usize> {
    let found = request.find.as_deref().map(Query::phrase);
    let query = found.as_ref().unwrap_or(&request.query);
    if query.is_empty() {
        return Vec::new();
    }
    let is_in = |text: &str| !highlight(text, Field::LastPrompt, query, Tier::Substring).is_empty();
    let hides = |line: &Line| {
        let Some(fold @ Fold::Part(place)) = line.fold else {
            return false;
        };
        let turn = usize::try_from(place.turn - first).ok();
        let turn = turn.and_then(|at| turns.get(at));
        let texts = turn
            .map(|turn| hidden_texts(turn, place))
            .unwrap_or_default();
        found.is_some() && !request.options.is_open(fold) && texts.iter().any(|text| is_in(text))
    };
    let mut matches = Vec::new();
    let mut last_fold = None;
    for (at, line) in scroll.iter().enumerate() {
        // A title that is broken into two lines is one fold.
        let is_first = line.fold != last_fold;
        last_fold = line.fold;
        if is_in(&line.text()) || (is_first && hides(line)) {
            matches.push(at);
        }
    }
    matches
}
