//! The window on a conversation: near an edge the turns beyond it are requested before the edge is
//! reached.

use super::{Hold, PendingMove, Reader, ReaderPane};
use crate::preview::{Around, Coverage};
use crate::reader::Page;

impl Reader {
    /// Moves the window if an edge is near.
    pub fn slide(&mut self, pane: ReaderPane) {
        let rows = self.rows(pane.area);
        let near = 2 * rows;
        let Some(page) = self.page() else {
            return;
        };
        // While a request is open, another one would only start it anew.
        let is_answered = self.answered == Some(self.generation);
        let is_leaving = matches!(self.pending, Some(PendingMove::Match(_)));
        if page.known != Coverage::Whole || !is_answered || is_leaving {
            return;
        }
        let is_above = page.before > 0 && self.top < near;
        let is_below = page.behind > 0 && self.top + rows + near > page.scroll.len();
        let turn = self.turn_in_sight(pane);
        let is_unheld = turn.is_some_and(|turn| !page.held().contains(&turn));
        if !is_above && !is_below && !is_unheld {
            return;
        }
        self.turns = self.turns.max(page.turns.len().saturating_mul(2));
        if let (Hold::Here, Some(turn)) = (self.hold, turn) {
            self.around = Around::Turn(turn);
        }
    }

    fn turn_in_sight(&self, pane: ReaderPane) -> Option<i64> {
        let line = self.line(self.line_in_sight(pane))?;
        Some(line.place.turn)
    }

    /// Goes to the beginning or to the end, at once if it is here.
    pub(super) fn go_to_edge(&mut self, hold: Hold, pane: ReaderPane) {
        let page = self.page();
        // While the rest is being read, the lines that are here are gone through already.
        let has_first = page.is_none_or(|page| page.before == 0 || page.known == Coverage::Newest);
        let has_last = page.is_none_or(|page| page.behind == 0);
        self.hold = hold;
        self.pending = None;
        if hold == Hold::Beginning {
            self.around = Around::Beginning;
            if has_first {
                self.go_to_line(0, 0, pane);
            }
        } else {
            self.around = Around::End;
            if has_last {
                self.go_to_end(pane);
            }
        }
    }

    /// Does a page lack what is to stay in sight, although the conversation has it? Then the page
    /// around that is requested, and this one is not shown.
    pub(super) fn is_elsewhere(&mut self, page: &Page, pane: ReaderPane) -> bool {
        let count = |turns: usize| i64::try_from(turns).unwrap_or(i64::MAX);
        let shown = &page.shown;
        let all = shown.start - count(page.before)..shown.end + count(page.behind);
        let Some(turn) = self.turn_in_sight(pane) else {
            return false;
        };
        let is_leaving = matches!(
            self.pending,
            Some(PendingMove::Match(_) | PendingMove::Prompt(_))
        ) || matches!(self.around, Around::Moment(_));
        if page.known != Coverage::Whole || is_leaving {
            return false;
        }
        self.around = match self.hold {
            Hold::Here if !shown.contains(&turn) && all.contains(&turn) => Around::Turn(turn),
            Hold::End if page.behind > 0 => Around::End,
            _ => return false,
        };
        true
    }
}
