//! The lines of a conversation, turn by turn: long ones are put together without being copied.

use std::sync::Arc;

use super::line::{PageLine, TurnPos};

/// Lines in blocks that are shared with the book that laid them out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scroll {
    blocks: Vec<ScrollBlock>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ScrollBlock {
    /// The number of its first line.
    start: usize,
    lines: Arc<Vec<PageLine>>,
}

impl Scroll {
    /// Appends lines. Places only grow from line to line.
    pub fn push(&mut self, lines: Arc<Vec<PageLine>>) {
        if !lines.is_empty() {
            let start = self.end();
            self.blocks.push(ScrollBlock { start, lines });
        }
    }

    /// How many lines there are to see: blank ones at the end are none.
    pub fn len(&self) -> usize {
        let Some(last) = self.blocks.last() else {
            return 0;
        };
        let blank = last.lines.iter().rev().take_while(|line| line.is_blank());
        self.end() - blank.count()
    }

    fn end(&self) -> usize {
        self.blocks
            .last()
            .map_or(0, |block| block.start + block.lines.len())
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn get(&self, line: usize) -> Option<&PageLine> {
        let block = self.blocks.partition_point(|block| block.start <= line);
        let block = self.blocks.get(block.checked_sub(1)?)?;
        block.lines.get(line - block.start)
    }

    /// The lines from one on.
    pub fn from(&self, line: usize) -> impl Iterator<Item = &PageLine> {
        let first = self
            .blocks
            .partition_point(|block| block.start + block.lines.len() <= line);
        let blocks = self.blocks.get(first..).unwrap_or_default();
        let skipped = blocks
            .first()
            .map_or(0, |block| line.saturating_sub(block.start));
        blocks
            .iter()
            .flat_map(|block| block.lines.iter())
            .skip(skipped)
    }

    pub fn iter(&self) -> impl Iterator<Item = &PageLine> {
        self.from(0)
    }

    /// The first line at a place or after it.
    pub fn at_or_behind(&self, place: TurnPos) -> usize {
        let ends_before =
            |block: &ScrollBlock| block.lines.last().is_some_and(|it| it.place < place);
        let block = self.blocks.partition_point(ends_before);
        let Some(block) = self.blocks.get(block) else {
            return self.len();
        };
        block.start + block.lines.partition_point(|line| line.place < place)
    }

    /// The lines of a place. Where it is not shown, those of the last one before it: what a
    /// folded message belongs to.
    pub fn lines_of(&self, place: TurnPos) -> std::ops::Range<usize> {
        let start = self.at_or_behind(place);
        let shown = match self.get(start) {
            Some(line) if line.place == place => place,
            _ => match start.checked_sub(1).and_then(|line| self.get(line)) {
                Some(line) => line.place,
                None => return 0..usize::from(!self.is_empty()),
            },
        };
        let start = self.at_or_behind(shown);
        let behind = TurnPos {
            step: Some(shown.step.map_or(0, |step| step + 1)),
            ..shown
        };
        start..self.at_or_behind(behind)
    }

    /// How much memory the lines take, roughly.
    pub fn weight(lines: &[PageLine]) -> usize {
        let spans = |line: &PageLine| {
            let texts: usize = line.spans.iter().map(|span| span.text.len() + 32).sum();
            texts + line.margin.len() + size_of::<PageLine>()
        };
        lines.iter().map(spans).sum()
    }
}

#[cfg(test)]
#[path = "scroll_tests.rs"]
mod tests;
