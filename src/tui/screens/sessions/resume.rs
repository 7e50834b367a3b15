//! Enter: from the row under the cursor, or the marked rows, to the request for the facts.
//!
//! A mark that may have been forgotten is asked about: one that is not in the list, one whose session
//! is gone, or a single one that is not under the cursor. The rows of a question are kept with its answers, so that an answer
//! means what was shown, whatever the list does meanwhile.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::confirm::Confirm;
use super::super::launch::{opens_windows, probe};
use super::super::{Flow, Returned, Screen};
use super::{Pending, Sessions};
use crate::list::Row;
use crate::resume::{Nested, Split, Wish};
use crate::search::{RowId, Tier};
use crate::tui::widgets::{ListPart, number};
use crate::tui::{Action, Context, Data, Ending, Host, Printed};

/// Maximum number of marked titles that a question lists.
const MOST_TITLES: usize = 3;

impl Sessions {
    /// Resumes the marked rows, or the row under the cursor.
    pub(super) fn resume(&mut self, wish: Wish, host: &mut Host<'_>) -> Flow {
        // After fast typing the row of the new query is meant, not the one that is still there.
        let is_to_come = self.list.cursor().is_none() && !host.data.is_scanned();
        if self.is_answer_due() || is_to_come {
            self.pending = Some(Pending::Rows(wish));
            return Flow::Stay;
        }
        let action = match wish {
            Wish::Continue => Action::Resume,
            Wish::Fork => Action::Fork,
        };
        if self.asks_check(action, host) {
            return Flow::Stay;
        }
        if self.asks_which() {
            return self.ask_which(wish, host);
        }
        self.resume_rows(wish, &self.chosen(), host)
    }

    /// Resumes the rows of an answer. If some have gone since the question, it is asked again.
    pub(super) fn answered(&mut self, wish: Wish, rows: &[RowId], host: &mut Host<'_>) -> Flow {
        let left = rows.iter().filter(|id| self.row(**id, host.data).is_some());
        let is_less = (1..rows.len()).contains(&left.count());
        if is_less && self.asks_which() {
            return self.ask_which(wish, host);
        }
        self.resume_rows(wish, rows, host)
    }

    /// Resumes these rows, unless something about them has to be said first.
    pub(super) fn resume_rows(&mut self, wish: Wish, rows: &[RowId], host: &mut Host<'_>) -> Flow {
        if let Some(problem) = problem(wish, rows.len(), host.context) {
            host.warn(problem);
            return Flow::Stay;
        }
        match rows {
            // The reader may show another branch than the one that resume takes.
            [row] if self.reader.row == Some(*row) && self.reader.leaf.is_some() => {
                self.warn_of_branch(wish, *row, host)
            }
            rows => {
                self.request_facts(wish, rows, host);
                Flow::Stay
            }
        }
    }

    /// Requests the facts about these rows.
    pub(super) fn request_facts(&mut self, wish: Wish, ids: &[RowId], host: &mut Host<'_>) {
        let rows = ids.iter();
        let rows = rows.filter_map(|id| self.row(*id, host.data).map(Arc::clone));
        let rows: Vec<Arc<Row>> = rows.collect();
        if ids.is_empty() {
            host.tell("there is no session here");
        } else if rows.is_empty() {
            host.warn("nothing was resumed: the file was deleted or moved");
        }
        self.pending = probe(&rows, wish, host).map(Pending::Probe);
    }

    /// The rows that Enter is for.
    fn chosen(&self) -> Vec<RowId> {
        if self.marked.is_empty() {
            return self.list.cursor().into_iter().collect();
        }
        self.marked.iter().copied().collect()
    }

    /// Are there marks, or were there some whose sessions are gone?
    pub(super) fn has_marks(&self) -> bool {
        !self.marked.is_empty() || self.lost_marks > 0
    }

    /// How many marked rows the list does not show.
    pub(super) fn unlisted_marks(&self) -> usize {
        let all = self.marked.len();
        let listed = self.list.items().iter();
        let listed = listed.filter(|hit| self.marked.contains(&hit.row));
        all - listed.take(all).count()
    }

    pub(super) fn is_cursor_marked(&self) -> bool {
        let cursor = self.list.cursor();
        cursor.is_some_and(|row| self.marked.contains(&row))
    }

    /// Is a marked row on the screen?
    fn is_mark_in_sight(&self, context: &Context) -> bool {
        let visible = self.list.visible(self.pane(context)).into_iter();
        let mut rows = visible.filter_map(|placed| match placed.item {
            ListPart::Row(at) => self.list.items().get(at),
            ListPart::Heading(_) => None,
        });
        rows.any(|hit| self.marked.contains(&hit.row))
    }

    /// Does Enter have to ask whether the marked rows are meant?
    fn asks_which(&self) -> bool {
        let is_elsewhere = self.marked.len() == 1 && !self.is_cursor_marked();
        is_elsewhere || self.lost_marks > 0 || self.unlisted_marks() > 0
    }

    /// Asks whether the row under the cursor or the marked ones are meant.
    fn ask_which(&mut self, wish: Wish, host: &Host<'_>) -> Flow {
        let marked: Vec<RowId> = self.marked.iter().copied().collect();
        let lost = std::mem::take(&mut self.lost_marks);
        let headline = match (marked.len(), self.unlisted_marks()) {
            _ if lost > 0 => marks_gone(lost),
            (1, 0) => "The marked session is not under the cursor".to_owned(),
            (1, _) => "The marked session is not in this list".to_owned(),
            (all, unlisted) if all == unlisted => {
                format!("The {all} marked sessions are not in this list")
            }
            (all, 1) => format!("1 of {all} marked sessions is not in this list"),
            (all, unlisted) => format!("{unlisted} of {all} marked sessions are not in this list"),
        };
        let label = |rows: &[RowId]| {
            let mut word = enter_word(wish, rows.len(), host.context).into_owned();
            if let Some(first) = word.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            format!("{word}: {}", self.titles(rows, host.data))
        };
        let mut answers = Vec::new();
        if let Some(row) = self.list.cursor() {
            answers.push((vec![row], "under the cursor"));
        }
        if !marked.is_empty() {
            let note = problem(wish, marked.len(), host.context).unwrap_or("marked");
            answers.push((marked, note));
        }
        // Marking moves the cursor on, to a row that nobody has chosen.
        if self.is_mark_in_sight(host.context) {
            answers.reverse();
        }
        let question = Confirm::new(headline, "", Vec::new());
        let question = answers
            .into_iter()
            .fold(question, |question, (rows, note)| {
                question.or(label(&rows), note, Returned::Rows(wish, rows))
            });
        let question = question.or("Neither", "back to the list", Returned::Neither);
        Flow::Push(Screen::Confirm(Box::new(question)))
    }

    fn titles(&self, rows: &[RowId], data: &Data) -> String {
        let shown = rows.iter().take(MOST_TITLES);
        let shown = shown.filter_map(|row| Some(self.row(*row, data)?.title()));
        let shown = shown.collect::<Vec<_>>().join(", ");
        match rows.len().saturating_sub(MOST_TITLES) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }

    /// What Enter does, for the footer; `None` if it would only say why not.
    pub(super) fn word_of_enter(&self, context: &Context) -> Option<Cow<'static, str>> {
        if self.asks_which() {
            return Some("ask which".into());
        }
        let wish = Wish::Continue;
        let count = self.chosen().len();
        let is_possible = count > 0 && problem(wish, count, context).is_none();
        is_possible.then(|| enter_word(wish, count, context))
    }

    fn warn_of_branch(&self, wish: Wish, row: RowId, host: &Host<'_>) -> Flow {
        let title = self.row(row, host.data).map(|row| row.title());
        let lines = vec!["The preview shows a branch that was rewound.".to_owned()];
        let label = match wish {
            Wish::Fork => "Fork anyway, on the other branch",
            Wish::Continue => "Resume anyway, on the other branch",
        };
        let confirm = Confirm::new(
            "Resume uses a different branch",
            &title.unwrap_or_default(),
            lines,
        )
        .or(label, "", Returned::Anyway(wish, row))
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

/// What is said of marked sessions whose files are gone.
pub(super) fn marks_gone(count: usize) -> String {
    match count {
        1 => "1 marked session is gone".to_owned(),
        count => format!("{} marked sessions are gone", number(count)),
    }
}

/// Why so many rows cannot be chosen.
fn problem(wish: Wish, count: usize, context: &Context) -> Option<&'static str> {
    let setting = &context.setting;
    let is_several = count > 1;
    match setting.ending {
        _ if is_several && opens_windows(context) && setting.launch.nested == Nested::No => {
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

/// What Enter does with so many rows.
fn enter_word(wish: Wish, count: usize, context: &Context) -> Cow<'static, str> {
    let setting = &context.setting;
    let forks = wish == Wish::Fork || setting.launch.wish == Wish::Fork;
    match (setting.ending, count) {
        (Ending::Resume | Ending::Explain, 0 | 1) => {
            let verb = if forks { "fork" } else { "resume" };
            let place = setting.split.filter(|_| setting.ending == Ending::Resume);
            match place.and_then(Split::option) {
                Some(place) => format!("{verb} in a tmux {place}").into(),
                None => verb.into(),
            }
        }
        (Ending::Resume | Ending::Explain, count) if forks => {
            format!("fork {count} in tmux").into()
        }
        (Ending::Resume | Ending::Explain, count) => format!("open {count} in tmux").into(),
        (Ending::Print(Printed::Id), 0 | 1) => "print the id".into(),
        (Ending::Print(Printed::Id), count) => format!("print {count} ids").into(),
        (Ending::Print(Printed::Command | Printed::Sample), 0 | 1) => "print the command".into(),
        (Ending::Print(Printed::Command | Printed::Sample), count) => {
            format!("print {count} commands").into()
        }
        (Ending::Print(Printed::Report), _) => "show the plan".into(),
        (Ending::Print(Printed::Words), _) => "choose".into(),
    }
}
