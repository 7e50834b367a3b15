//! Enter: from the row under the cursor, or the marked rows, to the request for the facts.

use std::sync::Arc;

use super::super::confirm::Confirm;
use super::super::launch::{opens_windows, probe};
use super::super::{Flow, Returned, Screen};
use super::{Pending, Sessions};
use crate::list::Row;
use crate::resume::{Nested, Wish};
use crate::search::{RowId, Tier};
use crate::tui::{Action, Ending, Host, Printed};

impl Sessions {
    /// Resumes the marked rows, or the row under the cursor.
    pub(super) fn resume(&mut self, wish: Wish, host: &mut Host<'_>) -> Flow {
        // After fast typing the row of the new query is meant, not the one that is still there.
        let is_to_come = self.list.cursor().is_none() && !host.data.is_scanned();
        let is_open = self.query.is_searching() || self.is_unconfirmed() || is_to_come;
        if is_open && self.marked.is_empty() {
            self.pending = Some(Pending::Rows(wish));
            return Flow::Stay;
        }
        if let Some(problem) = self.problem(wish, host) {
            host.warn(problem);
            return Flow::Stay;
        }
        // The reader may show another branch than the one that resume takes.
        let shown = self.reader.row.filter(|_| self.reader.leaf.is_some());
        if shown.is_some_and(|row| self.marked.len() < 2 && self.chosen().contains(&row)) {
            return self.warn_of_branch(wish, host);
        }
        self.resume_confirmed(wish, host);
        Flow::Stay
    }

    /// Requests the facts about the chosen rows.
    pub(super) fn resume_confirmed(&mut self, wish: Wish, host: &mut Host<'_>) {
        let rows = self.chosen().into_iter();
        let rows = rows.filter_map(|id| self.row(id, host.data).map(Arc::clone));
        let rows: Vec<Arc<Row>> = rows.collect();
        self.pending = probe(&rows, wish, host).map(Pending::Probe);
    }

    /// The rows that Enter is for.
    fn chosen(&self) -> Vec<RowId> {
        if self.marked.is_empty() {
            return self.list.cursor().into_iter().collect();
        }
        self.marked.iter().copied().collect()
    }

    /// Why this choice is not possible.
    fn problem(&self, wish: Wish, host: &Host<'_>) -> Option<&'static str> {
        let setting = &host.context.setting;
        let is_several = self.marked.len() > 1;
        match setting.ending {
            _ if is_several
                && opens_windows(host.context)
                && setting.launch.nested == Nested::No =>
            {
                Some("marked sessions open in tmux windows: start tmux first, or unmark them (Esc)")
            }
            // An id stands for the session itself.
            Ending::Print(Printed::Id) if wish == Wish::Fork => {
                Some("--print prints an id, and a fork has none yet")
            }
            Ending::Print(Printed::Words) if is_several => {
                Some("the shell opens one session: unmark them (Esc) and choose one")
            }
            _ => None,
        }
    }

    fn warn_of_branch(&self, wish: Wish, host: &Host<'_>) -> Flow {
        let title = self.cursor_row(host.data).map_or("", |row| row.title());
        let lines = vec!["The preview shows a branch that was rewound.".to_owned()];
        let (action, label) = match wish {
            Wish::Fork => (Action::Fork, "Fork anyway, on the other branch"),
            Wish::Continue => (Action::Resume, "Resume anyway, on the other branch"),
        };
        let confirm = Confirm::new("Resume uses a different branch", title, lines)
            .or(label, "", Returned::Confirmed(action))
            .or(
                "Compare the branches",
                "",
                Returned::Confirmed(Action::Branches),
            );
        Flow::Push(Screen::Confirm(Box::new(confirm)))
    }

    /// The rows of the query are here: an Enter that waited for them is done now. If there are
    /// none yet, loose matches may follow.
    pub(super) fn rows_arrived(&mut self, tier: Tier, host: &mut Host<'_>) -> Flow {
        let is_over = host.data.is_scanned();
        let is_last = tier == Tier::Fuzzy && is_over && !self.awaits_inside();
        let may_get_better = self.list.follows_best() && !is_over;
        if (self.list.cursor().is_none() && !is_last) || may_get_better {
            return Flow::Stay;
        }
        match self.pending {
            Some(Pending::Rows(wish)) => {
                self.pending = None;
                self.resume(wish, host)
            }
            _ => Flow::Stay,
        }
    }
}
