//! The list on screen: what was found, where the cursor is, which rows are in sight.
//!
//! The cursor is a row, never a number of a line: rows that come and go above it do not move it,
//! and as far as there is room it also stays on its line of the screen. Only visible rows are
//! ever walked.

mod select;

use std::sync::Arc;

use crate::list::Row;
use crate::search::{MatchCounts, Reply, RowId, SearchHit, Tier};
use crate::store::Millis;

use super::copies::Copies;
use super::dates::{Calendar, Day};
use super::kin::{Families, Family, Kin};

/// What stands above a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    Day(Day),
    /// From here on the letters match, but not the words.
    Fuzzy,
}

/// A part of the list in sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    Heading(Heading),
    /// The position of a row among the hits.
    Row(usize),
}

/// An item and the line where it begins, counted from the top of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub item: Item,
    pub line: u16,
}

/// Whose business the cursor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Follow {
    /// Nobody moved it yet: it is on the best row.
    #[default]
    Best,
    /// It stays on its row.
    Row,
}

/// The measures of the pane that the list is drawn in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    pub lines: u16,
    pub row_height: u16,
}

#[derive(Debug, Default)]
pub struct Listing {
    rows: Vec<Option<Arc<Row>>>,
    /// What was found, if some of it is no line of the list.
    found: Vec<SearchHit>,
    hits: Vec<SearchHit>,
    families: Families,
    copies: Copies,
    pub counts: MatchCounts,
    headings: Vec<(usize, Heading)>,
    cursor: Option<RowId>,
    position: usize,
    /// The position of the first row in sight.
    top: usize,
    /// Lines left free above it, so that the cursor's row can stay on its line.
    pad: u16,
    follow: Follow,
    /// Did the person move the cursor since the list began anew?
    touched: bool,
}

impl Listing {
    /// Takes rows that came, changed or went.
    pub fn put(&mut self, rows: Vec<(RowId, Option<Arc<Row>>)>) {
        for (id, row) in rows {
            let at = id.0 as usize;
            if at >= self.rows.len() {
                self.rows.resize(at + 1, None);
            }
            self.rows[at] = row;
        }
    }

    /// Takes a result. `by_day` puts dates above rows that are sorted by activity.
    pub fn found(&mut self, reply: Reply, by_day: Option<&Calendar>, pane: Pane) {
        self.counts = reply.counts;
        self.found = reply.hits;
        if self.found.is_empty() {
            self.hits.clear();
        }
        self.regroup(by_day, pane);
    }

    /// Takes the families that are known now.
    pub fn relate(&mut self, members: &[(RowId, Family)], by_day: Option<&Calendar>, pane: Pane) {
        self.families.set(members);
        self.regroup(by_day, pane);
    }

    /// Opens or closes the family of the row under the cursor. Says whether it has one.
    pub fn toggle_family(&mut self, by_day: Option<&Calendar>, pane: Pane) -> bool {
        let Some(cursor) = self.cursor else {
            return false;
        };
        let (Some(family), Some(kin)) = (self.family(cursor), self.kin(cursor)) else {
            return false;
        };
        if !matches!(kin, Kin::Head { .. }) {
            // The cursor goes to the row that stays.
            let head = self.head_of_cursor();
            self.place(head.unwrap_or(self.position));
        }
        self.touch();
        self.families.toggle(family);
        self.regroup(by_day, pane);
        true
    }

    /// Closes every family. Says whether one was open.
    pub fn close_families(&mut self, by_day: Option<&Calendar>, pane: Pane) -> bool {
        let closed = self.families.close();
        if closed {
            self.regroup(by_day, pane);
        }
        closed
    }

    /// How a row stands to others.
    pub fn kin(&self, row: RowId) -> Option<Kin> {
        self.families.kin(row, self.row(row)?)
    }

    fn regroup(&mut self, by_day: Option<&Calendar>, pane: Pane) {
        let line = self.line_of_cursor(pane);
        // Without families every hit is a line: there may be very many, and none is copied.
        if self.found.is_empty() {
            self.found = std::mem::take(&mut self.hits);
        }
        if self.families.is_empty() {
            self.hits = std::mem::take(&mut self.found);
        } else {
            let rows = &self.rows;
            let row = |id: RowId| rows.get(id.0 as usize)?.as_ref();
            self.hits = self.families.group(&self.found, row, &mut self.copies);
        }
        self.headings = match by_day {
            Some(calendar) => self.days(calendar),
            None => self.tiers(),
        };
        let found = match self.follow {
            Follow::Best => None,
            Follow::Row => self
                .hits
                .iter()
                .position(|hit| Some(hit.row) == self.cursor),
        };
        match found {
            // At the top of a list that nobody touched, what is new is shown. The cursor stays on
            // its row all the same.
            Some(position) if self.top == 0 && !self.touched => {
                self.position = position;
                self.scroll_into_sight(pane);
            }
            Some(position) => {
                self.position = position;
                self.hold_line(line, pane);
            }
            None if self.follow == Follow::Row && self.head_of_cursor().is_some() => {
                // It is folded away now: the row that stands for it has the cursor.
                let head = self.head_of_cursor().unwrap_or_default();
                self.place(head);
                self.hold_line(line, pane);
            }
            None => {
                // The row is gone from the result: its place is taken by what is there now.
                let position = match self.follow {
                    Follow::Best => 0,
                    Follow::Row => self.position,
                };
                self.place(position);
                if self.follow == Follow::Best {
                    self.top = 0;
                }
                self.scroll_into_sight(pane);
            }
        }
    }

    /// The query changed: the best row of the next result is the one to be on.
    pub fn follow_best(&mut self) {
        self.follow = Follow::Best;
        self.touched = false;
    }

    /// Is the cursor on whatever row is the best?
    pub fn follows_best(&self) -> bool {
        self.follow == Follow::Best
    }

    /// From now on the cursor stays where it is.
    pub fn stay(&mut self) {
        self.follow = Follow::Row;
    }

    /// Did nobody move the cursor yet?
    pub fn is_untouched(&self) -> bool {
        !self.touched
    }

    /// How many rows were found, those in closed families included.
    pub fn found_rows(&self) -> usize {
        match self.found.len() {
            0 => self.hits.len(),
            found => found,
        }
    }

    pub fn hits(&self) -> &[SearchHit] {
        &self.hits
    }

    pub fn row(&self, id: RowId) -> Option<&Arc<Row>> {
        let row = self.rows.get(id.0 as usize);
        row.map_or_else(|| self.copies.row(id), Option::as_ref)
    }

    /// The row that stands for a copy, or the row itself.
    pub fn owner(&self, id: RowId) -> RowId {
        self.copies.owner(id).unwrap_or(id)
    }

    fn family(&self, id: RowId) -> Option<Family> {
        let owner = self.owner(id);
        self.families.of(owner, self.row(owner)?)
    }

    /// The hit at a position and its row.
    pub fn at(&self, position: usize) -> Option<(SearchHit, &Arc<Row>)> {
        let hit = *self.hits.get(position)?;
        Some((hit, self.row(hit.row)?))
    }

    pub fn cursor(&self) -> Option<RowId> {
        self.cursor
    }

    pub fn cursor_row(&self) -> Option<&Arc<Row>> {
        self.row(self.cursor?)
    }

    /// How many rows are above what is in sight.
    pub fn above(&self) -> usize {
        self.top
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Moves the cursor by so many rows.
    pub fn step(&mut self, by: isize, pane: Pane) {
        self.go(self.position.saturating_add_signed(by), pane);
    }

    /// Moves the cursor by a screenful.
    pub fn page(&mut self, by: isize, pane: Pane) {
        let rows = (pane.lines / pane.row_height.max(1))
            .saturating_sub(1)
            .max(1);
        self.step(by * isize::try_from(rows).unwrap_or(1), pane);
    }

    /// Moves the cursor to a position, or to the last one.
    pub fn go(&mut self, position: usize, pane: Pane) {
        self.touch();
        self.place(position);
        self.scroll_into_sight(pane);
    }

    /// Moves what is in sight and leaves the cursor on its row while that is in sight.
    pub fn scroll(&mut self, by: isize, pane: Pane) {
        let last = self.last_top(pane);
        self.pad = 0;
        self.top = self.top.saturating_add_signed(by).min(last);
        let rows = self.visible(pane).into_iter().filter_map(|placed| {
            let bottom = placed.line + pane.row_height.min(pane.lines);
            match placed.item {
                Item::Row(position) if bottom <= pane.lines + 1 => Some(position),
                _ => None,
            }
        });
        let rows: Vec<usize> = rows.collect();
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            self.touch();
            self.place(self.position.clamp(*first, *last));
        }
    }

    /// Brings the cursor's row into sight, for example after the pane changed.
    pub fn scroll_into_sight(&mut self, pane: Pane) {
        self.pad = 0;
        self.top = self.top.min(self.position);
        let least = self.least_top(self.position, pane);
        self.top = self.top.max(least).min(self.last_top(pane).max(least));
        if self.position < self.top {
            self.top = self.position;
        }
    }

    /// What is in sight, from the top.
    pub fn visible(&self, pane: Pane) -> Vec<Placed> {
        let mut items = Vec::new();
        let mut line = self.pad;
        for position in self.top..self.hits.len() {
            if line >= pane.lines {
                break;
            }
            if let Some(heading) = self.heading(position) {
                // A heading without a row below it says nothing.
                if line + heading_height(pane) >= pane.lines && !items.is_empty() {
                    break;
                }
                items.push(Placed {
                    item: Item::Heading(heading),
                    line,
                });
                line += heading_height(pane);
            }
            if line < pane.lines {
                items.push(Placed {
                    item: Item::Row(position),
                    line,
                });
            }
            line = line.saturating_add(pane.row_height);
        }
        items
    }

    /// The row on a line of the pane.
    pub fn position_at(&self, line: u16, pane: Pane) -> Option<usize> {
        let placed = self.visible(pane).into_iter().rfind(|p| p.line <= line)?;
        match placed.item {
            Item::Row(position) if line < placed.line + pane.row_height => Some(position),
            _ => None,
        }
    }

    /// The row that stands for the family of the cursor's row.
    fn head_of_cursor(&self) -> Option<usize> {
        let family = self.family(self.cursor?)?;
        let is_head = |hit: &SearchHit| self.family(hit.row) == Some(family);
        self.hits.iter().position(is_head)
    }

    fn touch(&mut self) {
        self.stay();
        self.touched = true;
    }

    fn place(&mut self, position: usize) {
        self.position = position.min(self.hits.len().saturating_sub(1));
        self.cursor = self.hits.get(self.position).map(|hit| hit.row);
    }

    fn heading(&self, position: usize) -> Option<Heading> {
        self.headings
            .iter()
            .find(|(at, _)| *at == position)
            .map(|(_, heading)| *heading)
    }

    /// Lines that a position takes, its heading included.
    fn height(&self, position: usize, pane: Pane) -> u16 {
        let heading = match self.heading(position) {
            Some(_) => heading_height(pane),
            None => 0,
        };
        heading + pane.row_height
    }

    /// The line of the cursor's row in the pane.
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

    /// Scrolls so that the cursor's row is on the line where it was, as far as rows allow.
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

    /// The smallest top with which a position is wholly in sight.
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

    /// The top with which the last row is at the bottom.
    fn last_top(&self, pane: Pane) -> usize {
        match self.hits.len() {
            0 => 0,
            length => self.least_top(length - 1, pane),
        }
    }

    fn activity(&self, hit: SearchHit) -> Millis {
        self.row(hit.row)
            .map_or(0, |row| row.session.last_activity())
    }

    fn days(&self, calendar: &Calendar) -> Vec<(usize, Heading)> {
        let mut headings: Vec<(usize, Heading)> = Vec::new();
        let mut at = 0;
        while let Some(hit) = self.hits.get(at) {
            let day = calendar.day(self.activity(*hit));
            headings.push((at, Heading::Day(day)));
            let rest = &self.hits[at..];
            let is_same = |hit: &SearchHit| {
                let day_of = calendar.day(self.activity(*hit));
                day_of <= day || matches!(self.kin(hit.row), Some(Kin::Fork | Kin::Copy))
            };
            // Relatives stand out of their order, so that nothing can be skipped.
            at += if self.families.has_open() {
                rest.iter().take_while(|hit| is_same(hit)).count()
            } else {
                rest.partition_point(is_same)
            };
        }
        headings
    }

    fn tiers(&self) -> Vec<(usize, Heading)> {
        let at = self.hits.partition_point(|hit| hit.tier == Tier::Substring);
        match at {
            at if at < self.hits.len() => vec![(at, Heading::Fuzzy)],
            _ => Vec::new(),
        }
    }
}

/// Headings get a line of their own, and where rows have air they have it too.
fn heading_height(pane: Pane) -> u16 {
    match pane.row_height {
        0..=2 => 1,
        _ => 2,
    }
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
