//! Which lines of a conversation match the query of the list, or the find bar.

mod findings;
mod sieve;
mod strands;
mod unseen;

use std::ops::Range;

use crate::preview::{PageLine, Scroll};
use crate::search::Query;

pub use findings::{FindTarget, Findings, MatchPos, Matches, OfAgent, Searched, in_turn, left_out};
use sieve::LetterFilter;
use strands::places;
pub use unseen::Unseen;

/// Lines around the viewport that a match may begin or end in.
const AROUND: usize = 8;

/// The byte ranges to highlight in each of the lines from `top` on.
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
    let lines: Vec<&PageLine> = lines.collect();
    for (at, range) in places(&lines, columns, query, &LetterFilter::default())
        .into_iter()
        .flatten()
    {
        let row = (start + at).checked_sub(top);
        if let Some(marks) = row.and_then(|row| marks.get_mut(row)) {
            marks.push(range);
        }
    }
    for marks in &mut marks {
        marks.sort_by_key(|range| range.start);
        // One that spans lines may overlap one that does not.
        let mut end = 0;
        for range in marks.iter_mut() {
            range.start = range.start.max(end);
            end = end.max(range.end);
        }
        marks.retain(|range| !range.is_empty());
    }
    marks
}
