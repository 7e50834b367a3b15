//! Which parts of a text on screen matched. Called for visible rows only.

use std::ops::Range;

use super::document::Field;
use super::query::Query;
use super::worker::Tier;

/// The parts of `text`, the sanitized text of one field, that the query matched: byte ranges on
/// character boundaries, in order, apart from each other.
pub fn highlight(text: &str, field: Field, query: &Query, tier: Tier) -> Vec<Range<usize>> {
    let _ = (field, tier);
    let mut ranges: Vec<Range<usize>> = query
        .words()
        .iter()
        .filter_map(|word| text.find(word.as_str()).map(|at| at..at + word.len()))
        .collect();
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| next.start < last.end);
    ranges
}
