//! Which lines of a conversation match: what was typed in the list, or what is looked for here.

mod strands;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::preview::{Fold, Line, Place, Scroll, hidden_texts};
use crate::search::{Field, Query, Tier, highlight};
use crate::transcript::Turn;

use super::message::PreviewRequest;
pub use strands::places;

/// Lines around those in sight that a match may begin or end in.
const AROUND: usize = 8;

/// What is to be marked in the lines from `top` on, a list of byte ranges for each of them.
pub fn marks(
    scroll: &Scroll,
    top: usize,
    rows: usize,
    columns: usize,
    query: &Query,
) -> Vec<Vec<Range<usize>>> {
    let mut marks = vec![Vec::new(); rows];
    if query.is_empty() {
        return marks;
    }
    let start = top.saturating_sub(AROUND);
    let lines = scroll.from(start).take(top - start + rows + AROUND);
    let lines: Vec<&Line> = lines.collect();
    for (at, range) in places(&lines, columns, query).into_iter().flatten() {
        let row = (start + at).checked_sub(top);
        if let Some(marks) = row.and_then(|row| marks.get_mut(row)) {
            marks.push(range);
        }
    }
    for marks in &mut marks {
        marks.sort_by_key(|range| range.start);
        // One that goes over the end of a line may lie over one that does not.
        let mut end = 0;
        for range in marks.iter_mut() {
            range.start = range.start.max(end);
            end = end.max(range.end);
        }
        marks.retain(|range| !range.is_empty());
    }
    marks
}

/// The line to show first: in the first message with all of the words, or else with any of them.
/// A match inside of a word is no reason to go there: the title may be what was meant.
pub fn landing(scroll: &Scroll, matches: &[usize], request: &PreviewRequest) -> Option<usize> {
    if request.find.is_some() {
        return matches.first().copied();
    }
    let words = request.query.words();
    let mut messages: BTreeMap<Place, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for at in matches {
        let Some(line) = scroll.get(*at) else {
            continue;
        };
        let text = line.text();
        let begins = |word: &Query| {
            let found = highlight(&text, Field::LastPrompt, word, Tier::Substring);
            let before = |range: &Range<usize>| text.get(..range.start)?.chars().next_back();
            let is_first = |range| !before(range).is_some_and(char::is_alphanumeric);
            found.iter().any(is_first)
        };
        let here = words.iter().enumerate().filter(|(_, word)| begins(word));
        let here: Vec<usize> = here.map(|(n, _)| n).collect();
        if !here.is_empty() {
            let (_, there) = messages
                .entry(line.place)
                .or_insert_with(|| (*at, BTreeSet::new()));
            there.extend(here);
        }
    }
    let all = messages.values().find(|(_, it)| it.len() == words.len());
    let found = all.or_else(|| messages.values().next());
    found.map(|(line, _)| *line)
}

/// The lines that match, in their order. A closed fold matches if what it hides does, where
/// somebody looks for something in this conversation.
pub fn matches(
    scroll: &Scroll,
    turns: &[Turn],
    first: i64,
    request: &PreviewRequest,
) -> Vec<usize> {
    let sought = request.find.as_deref().map(Query::phrase);
    let query = sought.as_ref().unwrap_or(&request.query);
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
        sought.is_some() && !request.options.is_open(fold) && texts.iter().any(|text| is_in(text))
    };
    let lines: Vec<&Line> = scroll.iter().collect();
    let found = places(&lines, request.columns, query).into_iter();
    // A match belongs to the line that it begins in.
    let found = found.filter_map(|found| found.first().map(|(line, _)| *line));
    let mut matches: BTreeSet<usize> = found.collect();
    let mut last_fold = None;
    for (at, line) in lines.iter().enumerate() {
        // A title that is broken into two lines is one fold.
        let is_first = line.fold != last_fold;
        last_fold = line.fold;
        if is_first && hides(line) {
            matches.insert(at);
        }
    }
    matches.into_iter().collect()
}
