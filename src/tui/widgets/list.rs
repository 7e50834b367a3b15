//! A list with a cursor: what is in sight, and where the cursor goes when the items change.
//!
//! The cursor is the key of an item, never a position: items that come and go above it do not move
//! it, and as far as there is room it also stays on its line of the screen. Only visible items are
//! ever walked.

use crate::tui::dates::Day;

/// Something that a list can hold. Two lists may show the same item at different positions.
pub trait Keyed {
    type Key: Copy + Eq + std::fmt::Debug;

    fn key(&self) -> Self::Key;
}

/// A line above an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    Day(Day),
    /// From here on the words are in the conversation.
    Inside,
    /// From here on the letters match, but not the words.
    Fuzzy,
}

/// A visible part of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPart {
    Heading(Heading),
    /// The position of an item.
    Row(usize),
}

/// A visible part and its first line, counted from the top of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub item: ListPart,
    pub line: u16,
}

/// What the cursor follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Follow {
    /// The first item.
    Best,
    /// Its own item.
    Row,
    /// The same, and it was moved by hand since the list began anew.
    Touched,
}

/// An item that the cursor returns to as soon as the list has it again.
#[derive(Debug, Clone, Copy)]
struct LostCursor<K> {
    key: K,
    line: u16,
    /// Where the cursor waits while the list is still being read.
    position: usize,
}

/// The size of the pane and of its rows, in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    pub lines: u16,
    pub row_height: u16,
}

#[derive(Debug)]
pub struct List<T: Keyed> {
    items: Vec<T>,
    headings: Vec<(usize, Heading)>,
    cursor: Option<T::Key>,
    position: usize,
    /// The position of the first visible item.
    top: usize,
    /// Empty lines above it, so that the cursor can stay on its line.
    pad: u16,
    follow: Follow,
    lost: Option<LostCursor<T::Key>>,
}

impl<T: Keyed> Default for List<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            headings: Vec::new(),
            cursor: None,
            position: 0,
            top: 0,
            pad: 0,
            follow: Follow::Best,
            lost: None,
        }
    }
}

impl<T: Keyed> List<T> {
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Shows other items. `is_all` is false while more of them are being read.
    pub fn replace(
        &mut self,
        items: Vec<T>,
        headings: Vec<(usize, Heading)>,
        is_all: bool,
        pane: Pane,
    ) {
        let line = self.line_of_cursor(pane);
        self.items = items;
        self.headings = headings;
        if let Some(lost) = self.lost {
            let found = self.find(lost.key);
            if found.is_some() {
                self.stay();
            }
            if found.is_some() || !is_all {
                self.place(found.unwrap_or(lost.position));
                return self.hold_line(lost.line, pane);
            }
        }
        match self.cursor.and_then(|key| self.find(key)) {
            _ if self.follow == Follow::Best => {
                self.place(0);
                self.top = 0;
                self.scroll_into_sight(pane);
            }
            // At the top of an untouched list, new rows are shown above the cursor.
            Some(position) if self.top == 0 && self.is_untouched() => {
                self.position = position;
                self.scroll_into_sight(pane);
            }
            Some(position) => {
                self.position = position;
                self.hold_line(line, pane);
            }
            // The item is gone: the cursor goes to the one in its place.
            None => {
                self.place(self.lost.map_or(self.position, |lost| lost.position));
                self.scroll_into_sight(pane);
            }
        }
    }

    /// Empties the list. The cursor returns to its item when that comes again.
    pub fn clear(&mut self, pane: Pane) {
        self.lose(self.position, pane);
        self.items.clear();
        self.headings.clear();
    }

    /// The next items may lack the one under the cursor. If so, the cursor waits at a position.
    pub fn lose(&mut self, position: usize, pane: Pane) {
        if !self.follows_best() && self.lost.is_none() {
            let line = self.line_of_cursor(pane);
            self.lost = self.cursor.map(|key| LostCursor {
                key,
                line,
                position,
            });
        }
    }

    /// Another query: the cursor goes to the first item of the next result.
    pub fn follow_best(&mut self) {
        self.follow = Follow::Best;
        self.lost = None;
    }

    pub fn follows_best(&self) -> bool {
        self.follow == Follow::Best
    }

    /// From now on the cursor stays on its item.
    pub fn stay(&mut self) {
        self.settle();
        self.lost = None;
    }

    /// The same, unless the cursor waits for an item to come again.
    pub fn settle(&mut self) {
        self.follow = self.follow.max(Follow::Row);
    }

    /// The cursor stays on its item and its line, or still waits for an item to come again.
    pub fn hold(&mut self) {
        self.follow = Follow::Touched;
    }

    pub fn is_untouched(&self) -> bool {
        self.follow < Follow::Touched
    }

    pub fn touch(&mut self) {
        self.hold();
        self.lost = None;
    }

    /// The item under the cursor.
    pub fn current(&self) -> Option<&T> {
        self.items.get(self.position)
    }

    /// The key under the cursor. Its item may come with the next result only.
    pub fn cursor(&self) -> Option<T::Key> {
        self.cursor
    }

    /// Puts the cursor on an item, which may come with the next result only.
    pub fn select(&mut self, key: T::Key) {
        self.touch();
        self.point(key);
    }

    /// Puts the cursor on an item without taking that for a choice.
    pub fn point(&mut self, key: T::Key) {
        self.cursor = Some(key);
        self.position = self.find(key).unwrap_or(self.position);
    }

    pub fn contains(&self, key: T::Key) -> bool {
        self.find(key).is_some()
    }

    /// How many items are above the first visible one.
    pub fn above(&self) -> usize {
        self.top
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: super::Motion, pane: Pane) {
        let by = |by: isize| self.position.saturating_add_signed(by);
        let page = (pane.lines / pane.row_height.max(1)).max(2) - 1;
        let position = match motion {
            super::Motion::Lines(rows) => by(rows),
            super::Motion::Pages(pages) => by(pages * isize::from(page.cast_signed())),
            super::Motion::First => 0,
            super::Motion::Last => usize::MAX,
        };
        self.go_to(position, pane);
    }

    /// Moves the cursor to a position, or to the last one.
    pub fn go_to(&mut self, position: usize, pane: Pane) {
        self.touch();
        self.place(position);
        self.scroll_into_sight(pane);
    }

    /// Scrolls. The cursor stays on its item while that is visible.
    pub fn scroll(&mut self, by: isize, pane: Pane) {
        let last = self.last_top(pane);
        self.pad = 0;
        self.top = self.top.saturating_add_signed(by).min(last);
        let rows = self.visible(pane).into_iter().filter_map(|placed| {
            let bottom = placed.line + pane.row_height.min(pane.lines);
            match placed.item {
                ListPart::Row(position) if bottom <= pane.lines + 1 => Some(position),
                _ => None,
            }
        });
        let rows: Vec<usize> = rows.collect();
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            self.touch();
            self.place(self.position.clamp(*first, *last));
        }
    }

    /// Brings the cursor into sight, for example after the pane changed.
    pub fn scroll_into_sight(&mut self, pane: Pane) {
        self.pad = 0;
        let least = self.least_top(self.position, pane);
        let last = self.last_top(pane).max(least);
        self.top = self.top.min(self.position).max(least).min(last);
        self.top = self.top.min(self.position);
    }

    /// What is visible, from the top.
    pub fn visible(&self, pane: Pane) -> Vec<Placed> {
        let mut items = Vec::new();
        let mut line = self.pad;
        for position in self.top..self.items.len() {
            if line >= pane.lines {
                break;
            }
            if let Some(heading) = self.heading(position) {
                // A heading without a row below it says nothing.
                if line + heading_height(pane) >= pane.lines && !items.is_empty() {
                    break;
                }
                let item = ListPart::Heading(heading);
                items.push(Placed { item, line });
                line += heading_height(pane);
            }
            if line < pane.lines {
                let item = ListPart::Row(position);
                items.push(Placed { item, line });
            }
            line = line.saturating_add(pane.row_height);
        }
        items
    }

    /// The position of the item on a line of the pane.
    pub fn position_at(&self, line: u16, pane: Pane) -> Option<usize> {
        let placed = self.visible(pane).into_iter().rfind(|p| p.line <= line)?;
        match placed.item {
            ListPart::Row(position) if line < placed.line + pane.row_height => Some(position),
            _ => None,
        }
    }

    fn find(&self, key: T::Key) -> Option<usize> {
        let is_it = |item: &T| item.key() == key;
        // Most often it is where it was.
        let here = self.items.get(self.position).is_some_and(is_it);
        let here = here.then_some(self.position);
        here.or_else(|| self.items.iter().position(is_it))
    }

    fn place(&mut self, position: usize) {
        self.position = position.min(self.items.len().saturating_sub(1));
        self.cursor = self.items.get(self.position).map(Keyed::key);
    }

    fn heading(&self, position: usize) -> Option<Heading> {
        let mut headings = self.headings.iter();
        let (_, heading) = headings.find(|(at, _)| *at == position)?;
        Some(*heading)
    }

    /// Lines that an item takes, its heading included.
    fn height(&self, position: usize, pane: Pane) -> u16 {
        let heading = self.heading(position).map_or(0, |_| heading_height(pane));
        heading + pane.row_height
    }

    fn line_of_cursor(&self, pane: Pane) -> u16 {
        if self.position < self.top {
            return 0;
        }
        (self.top..self.position)
            .take(usize::from(pane.lines))
            .fold(self.pad, |line, at| {
                line.saturating_add(self.height(at, pane))
            })
    }

    /// Scrolls so that the cursor is on the line where it was, as far as there are items.
    fn hold_line(&mut self, line: u16, pane: Pane) {
        let mut above = 0;
        self.top = self.position;
        while self.top > 0 {
            let height = self.height(self.top - 1, pane);
            if above + height > line {
                break;
            }
            above += height;
            self.top -= 1;
        }
        let free = if self.top > 0 { line - above } else { 0 };
        let end = (above + free).saturating_add(self.height(self.position, pane));
        if end <= pane.lines {
            self.pad = free;
        } else {
            self.scroll_into_sight(pane);
        }
    }

    /// The smallest top with which an item is wholly visible.
    fn least_top(&self, position: usize, pane: Pane) -> usize {
        let mut top = position;
        // The gap below a row may fall off the screen.
        let gap = u16::from(pane.row_height > 2);
        let mut used = self.height(position, pane).saturating_sub(gap);
        while top > 0 {
            used = used.saturating_add(self.height(top - 1, pane));
            if used > pane.lines {
                break;
            }
            top -= 1;
        }
        top
    }

    /// The top with which the last item is at the bottom.
    fn last_top(&self, pane: Pane) -> usize {
        match self.items.len() {
            0 => 0,
            length => self.least_top(length - 1, pane),
        }
    }
}

/// A heading has a line of its own, and a gap where rows have one.
fn heading_height(pane: Pane) -> u16 {
    match pane.row_height {
        0..=2 => 1,
        _ => 2,
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
