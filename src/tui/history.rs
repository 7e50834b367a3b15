//! The history on screen: what was found, where the cursor is, which prompts are in sight.
//!
//! Lies before the list as long as it is open, with a query line of its own. The cursor is an
//! entry, never a number of a line: prompts that come while somebody looks do not move it. The
//! texts of prompts are not kept: those in sight are asked for.

mod landmark;
mod page;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, FixedOffset};

use crate::history::{Passed, Prompt};
use crate::search::{Answer, Counts, Fate, PromptHit, Query, RowId, Tier, View};
use crate::text::ago;

use super::app::{App, Asked};
use super::input::Input;
use super::keymap::Action;
use super::layout::Focus;
use super::reading::{Find, Stage};
use super::request::PageOf;

use landmark::Follow;
pub use landmark::{Landmark, Left};
pub use page::PastPage;

/// Prompts that are remembered as they were shown.
const REMEMBERED: usize = 4096;

/// Which prompts are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryScope {
    /// Those of the session of the prompt under the cursor, unless another one was given.
    Session,
    /// Those of the repository where the person stands.
    Project,
    All,
}

impl HistoryScope {
    pub const ALL: [Self; 3] = [Self::Session, Self::Project, Self::All];

    pub fn words(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Project => "project",
            Self::All => "all",
        }
    }
}

/// What Enter does with a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// Goes to its session.
    #[default]
    Go,
    /// Ends the picker, which prints it.
    Print,
}

/// Where the history was opened from, and where Esc leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    #[default]
    List,
    /// It was all that was asked for.
    Shell,
}

/// How far the history is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub read: usize,
    /// Lines that were passed over.
    pub passed: Passed,
    /// Histories that cannot be read, or not to their beginning.
    pub unreadable: usize,
    /// Prompts whose pastes no search finds.
    pub unsearched: usize,
    pub over: bool,
    /// Sessions that clean-up takes within a week, once they were counted.
    pub expiring: Option<usize>,
}

/// A prompt in sight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRow {
    pub prompt: Prompt,
    /// The session, where it is shown by its prompts.
    pub span: Option<PastSpan>,
}

impl PastRow {
    /// How long ago it was asked, in a sentence.
    pub fn since(&self, now: i64) -> String {
        match self.prompt.timestamp {
            0 => "before".to_owned(),
            then => ago(then, now),
        }
    }
}

/// From when to when a session went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastSpan {
    pub first: Prompt,
    pub last: Prompt,
}

/// What was read for the history.
#[derive(Debug)]
pub enum HistoryNews {
    Found {
        answer: Answer,
        /// The first prompts of it.
        rows: Vec<(RowId, Arc<PastRow>)>,
        progress: Progress,
    },
    Rows(Vec<(RowId, Arc<PastRow>)>),
    /// This page takes a moment: so many bytes are to be laid out.
    Laborious(PageOf, u64),
    Page(PageOf, PastPage),
    /// The names of all projects that something was asked in, newest first.
    Projects(Vec<String>),
    /// The file became another one: no entry is what it was.
    Anew,
}

/// The history while it is open.
#[derive(Debug, Default)]
pub struct History {
    pub asked: Asked,
    /// What the query was before anything was typed here.
    pub given: String,
    pub scope: Option<HistoryScope>,
    pub view: View,
    pub hits: Vec<PromptHit>,
    pub counts: Counts,
    /// How many prompts there are within the scope, each once.
    pub prompts: usize,
    pub deleted: usize,
    pub missing: usize,
    /// How far the answer goes: loose matches may still be to come.
    pub tier: Option<Tier>,
    /// The names of projects that something was asked in.
    pub projects: Vec<String>,
    pub progress: Progress,
    pub choice: Choice,
    pub origin: Origin,
    /// The pane that had the keys before.
    pub focus_before: Option<Focus>,
    /// What Esc leads back to within the history.
    pub below: Vec<Landmark>,
    /// The session that `HistoryScope::Session` means.
    pub session: Option<String>,
    /// The session that the worker looks for. Its prompts count for near, so while others are
    /// looked at, those of a session elsewhere must not be among this project's.
    pub near: Option<String>,
    rows: HashMap<RowId, Arc<PastRow>>,
    requested: HashSet<RowId>,
    position: usize,
    top: usize,
    follow: Follow,
    pub page_of: Option<PageOf>,
    pub page: Option<(PageOf, PastPage)>,
    /// The page that is being laid out and takes a moment, and how many bytes it is.
    pub laborious: Option<(PageOf, u64)>,
    /// What was asked for and not done before it was said what that means, and of which prompt.
    pub warned: Option<(Action, RowId)>,
    /// What is to be done with the prompt under the cursor, once it was read.
    pub then: Option<Action>,
    /// The first line of the page in sight.
    pub page_top: usize,
    /// Something that is looked for in the page.
    pub find: Option<Find>,
    /// The line of the match that is looked at; before there is one, where it is looked for from.
    pub found_at: usize,
}

/// What only sessions can be asked for, as it is typed.
const OF_SESSIONS: [&str; 5] = ["branch:", "tag:", "model:", "pr:", "is:"];

/// Can prompts be asked for this?
pub fn is_of_prompts(operator: &str) -> bool {
    !OF_SESSIONS.contains(&operator)
}

/// A part of the list in sight, and its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PastItem {
    /// From here on the letters match, but not the words.
    Fuzzy,
    Row(usize),
}

impl History {
    pub fn scope(&self) -> HistoryScope {
        self.scope.unwrap_or(HistoryScope::All)
    }

    /// The session whose prompts are looked at, if only those are.
    pub fn session_in_scope(&self) -> Option<String> {
        let session = self.session.clone();
        session.filter(|_| self.scope() == HistoryScope::Session)
    }

    /// Asks for something that was not typed here: what came along, or what stood here before.
    pub fn set_query(&mut self, text: &str, now: &DateTime<FixedOffset>) {
        self.asked.input = Input::new(text);
        let typed = self.asked.input.text();
        typed.clone_into(&mut self.asked.parsed);
        typed.clone_into(&mut self.given);
        self.asked.query = Query::parse(&self.asked.parsed, now);
        self.follow_best();
    }

    /// Lines that a row takes.
    pub fn row_height(&self) -> u16 {
        match self.view {
            View::Prompts => 1,
            View::Deleted => 2,
        }
    }

    /// Lines above the rows that say what they are.
    pub fn banner(&self, height: u16) -> u16 {
        match self.view {
            View::Deleted if height >= 9 => 4,
            View::Deleted if height >= 6 => 3,
            View::Deleted | View::Prompts => 0,
        }
    }

    /// Lines above the prompt that say where and when it was asked, and what became of that.
    pub fn page_header(&self, height: u16) -> u16 {
        match height {
            0..=3 => 0,
            4..=8 => 1,
            _ => 3 + u16::from(self.elsewhere_row().is_some()),
        }
    }

    /// Takes an answer. The cursor stays with its prompt, on its line, if somebody chose that.
    pub fn found(&mut self, answer: Answer, lines: u16) {
        let before = self.mark();
        self.hits = answer.hits;
        self.counts = answer.counts;
        self.prompts = answer.prompts;
        self.deleted = answer.deleted;
        self.missing = answer.missing;
        self.tier = Some(answer.tier);
        self.asked.answered = Some(answer.generation);
        self.place_cursor(before);
        self.scroll_into_sight(lines);
    }

    /// No entry is what it was.
    pub fn forget(&mut self) {
        self.rows.clear();
        self.requested.clear();
        self.hits.clear();
        self.page = None;
        self.page_of = None;
        self.find = None;
        self.follow_best();
    }

    pub fn put(&mut self, rows: Vec<(RowId, Arc<PastRow>)>) {
        for (row, _) in &rows {
            self.requested.remove(row);
        }
        self.rows.extend(rows);
    }

    pub fn row(&self, row: RowId) -> Option<&Arc<PastRow>> {
        self.rows.get(&row)
    }

    pub fn cursor(&self) -> Option<PromptHit> {
        self.hits.get(self.position).copied()
    }

    pub fn cursor_row(&self) -> Option<&Arc<PastRow>> {
        self.row(self.cursor()?.row)
    }

    /// The prompt under the cursor as it was asked where the conversation is that one can go to.
    pub fn reachable_row(&self) -> Option<&Arc<PastRow>> {
        self.row(self.cursor()?.reachable)
    }

    /// The same, if that is another time than the one that is shown.
    pub fn elsewhere_row(&self) -> Option<&Arc<PastRow>> {
        self.row(self.cursor()?.elsewhere()?)
    }

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn above(&self) -> usize {
        self.top
    }

    pub fn step(&mut self, by: isize, lines: u16) {
        self.go(self.position.saturating_add_signed(by), lines);
    }

    pub fn page_by(&mut self, by: isize, lines: u16) {
        let rows = (lines / self.row_height()).saturating_sub(1).max(1);
        self.step(by * isize::try_from(rows).unwrap_or(1), lines);
    }

    pub fn go(&mut self, position: usize, lines: u16) {
        self.stay();
        self.position = position.min(self.hits.len().saturating_sub(1));
        self.scroll_into_sight(lines);
    }

    /// Brings the cursor into sight. Nothing is left free below as long as there is something
    /// above.
    pub fn scroll_into_sight(&mut self, lines: u16) {
        let least = self.least_top(self.position, lines);
        let last = self.least_top(self.hits.len().saturating_sub(1), lines);
        self.top = self.top.clamp(least, self.position.max(least)).min(last);
    }

    /// The smallest top with which a position is in sight.
    fn least_top(&self, position: usize, lines: u16) -> usize {
        let room = usize::from((lines / self.row_height()).max(1));
        let top = (position + 1).saturating_sub(room);
        // The heading between the tiers takes the place of a row.
        let is_full = position + 1 - top == room && room > 1;
        let heading = self.fuzzy_at();
        let has_heading = heading.is_some_and(|at| (top..=position).contains(&at));
        top + usize::from(is_full && has_heading)
    }

    /// What is in sight, with its line.
    pub fn visible(&self, lines: u16) -> Vec<(u16, PastItem)> {
        let mut items = Vec::new();
        let mut line = 0;
        for position in self.top..self.hits.len() {
            if self.fuzzy_at() == Some(position) && line + 1 < lines {
                items.push((line, PastItem::Fuzzy));
                line += 1;
            }
            if line >= lines {
                break;
            }
            items.push((line, PastItem::Row(position)));
            line += self.row_height();
        }
        items
    }

    /// The row on a line.
    pub fn position_at(&self, line: u16, lines: u16) -> Option<usize> {
        let (_, item) = self
            .visible(lines)
            .into_iter()
            .rfind(|(at, _)| *at <= line)?;
        match item {
            PastItem::Row(position) => Some(position),
            PastItem::Fuzzy => None,
        }
    }

    /// The prompts around what is in sight whose texts are neither known nor asked for. They are
    /// taken for asked for from now on.
    pub fn missing(&mut self, lines: u16) -> Vec<RowId> {
        if self.rows.len() > REMEMBERED {
            let page = usize::from(lines);
            let near = self.top.saturating_sub(page)..self.top + 2 * page;
            let kept: HashSet<RowId> = near
                .filter_map(|at| self.hits.get(at))
                .flat_map(PromptHit::rows)
                .collect();
            self.rows.retain(|row, _| kept.contains(row));
        }
        let page = usize::from(lines);
        let from = self.top.saturating_sub(page);
        let mut missing = Vec::new();
        let near = self.hits.iter().skip(from).take(3 * page);
        for row in near.flat_map(PromptHit::rows) {
            let known = self.rows.contains_key(&row);
            if !known && self.requested.insert(row) {
                missing.push(row);
            }
        }
        missing
    }

    fn fuzzy_at(&self) -> Option<usize> {
        if self.view == View::Deleted {
            return None;
        }
        let at = self.hits.partition_point(|hit| hit.tier == Tier::Substring);
        (at < self.hits.len()).then_some(at)
    }

    /// May the number of hits still grow?
    pub fn is_counting(&self) -> bool {
        self.tier != Some(Tier::Fuzzy) || !self.progress.over
    }

    /// Is an answer to the newest search still to come?
    pub fn is_searching(&self) -> bool {
        self.asked.answered != Some(self.asked.generation)
    }

    /// How far somebody is who looks for something in the prompt.
    pub fn finding(&self) -> Option<Stage> {
        Some(self.find.as_ref()?.stage)
    }

    /// What became of the conversation of the prompt under the cursor.
    pub fn fate(&self) -> Option<Fate> {
        Some(self.cursor()?.fate)
    }
}

impl App {
    /// Lines of the prompt that there is room for.
    pub fn past_page_lines(&self) -> usize {
        let area = self.layout().preview;
        let above = self.history.as_ref().map_or(0, |it| {
            it.page_header(area.height) + u16::from(it.find.is_some())
        });
        usize::from(area.height.saturating_sub(above)).max(1)
    }

    /// Lines that the list of the history has for rows.
    pub fn history_lines(&self) -> u16 {
        let height = self.layout().list.height;
        let banner = self.history.as_ref().map_or(0, |it| it.banner(height));
        height - banner
    }

    /// The session that the narrowest scope means: the one that was given, or that of the prompt
    /// under the cursor. As long as it is looked at, it stays the same.
    pub fn session_meant(&self, history: &History) -> Option<String> {
        let given = self.setting.session.clone();
        let known = history.session.clone();
        given.or_else(|| match (history.scope(), history.cursor_row()) {
            (HistoryScope::Session, _) | (_, None) => known,
            (_, Some(row)) => row.prompt.session.clone(),
        })
    }

    /// The scopes that mean something now.
    pub fn history_scopes(&self, history: &History) -> Vec<HistoryScope> {
        let means_something = |scope: &HistoryScope| match scope {
            HistoryScope::Session => self.session_meant(history).is_some(),
            HistoryScope::Project => self.here_words().is_some(),
            HistoryScope::All => true,
        };
        HistoryScope::ALL
            .into_iter()
            .filter(means_something)
            .collect()
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
