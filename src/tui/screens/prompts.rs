//! The prompt history: a query, the prompts or deleted sessions that it finds, and a reader.
//!
//! The texts of prompts are not kept: those near the viewport are requested.

mod actions;
mod draw;
mod draw_page;
mod keys;
mod mouse;
mod news;
mod reader;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Flow, Returned, launch};
use crate::list::{Include, Sort};
use crate::search::{
    Completion, Distance, Generation, MatchCounts, Operator, PromptAnswer, PromptHit, RowId,
    Search, Tier, View,
};
use crate::tui::context::Context;
use crate::tui::data::Data;
use crate::tui::host::Host;
use crate::tui::keymap::{Action, KeyLayer, layers};
use crate::tui::layout::Focus;
use crate::tui::message::Message;
use crate::tui::request::{HistoryRequest, PageOf, Request};
use crate::tui::widgets::{Heading, Keyed, List, MouseState, Pane, QueryLine, Stage};

pub use news::{EnterMode, HistoryNews, HistoryScope, PastRow, PastSpan, Progress};
pub use reader::{PastPage, PromptReader};

/// Prompts that are kept with their texts.
const KEPT: usize = 4096;

impl Keyed for PromptHit {
    type Key = u32;

    /// Equal prompts are one group: the same prompt may be another entry when it is asked again.
    fn key(&self) -> u32 {
        self.group
    }
}

#[derive(Debug)]
pub struct Prompts {
    pub query: QueryLine,
    pub list: List<PromptHit>,
    pub view: View,
    pub scope: Option<HistoryScope>,
    pub counts: MatchCounts,
    /// How many different prompts there are in the scope.
    different: usize,
    deleted: usize,
    missing: usize,
    /// How far the answer goes: loose matches may follow.
    tier: Option<Tier>,
    progress: Progress,
    pub choice: EnterMode,
    pub focus: Focus,
    /// The session that `HistoryScope::Session` means.
    pub session: Option<String>,
    /// The session that the worker counts as near: only the one in the scope. The prompts of
    /// another one must not be among this project's.
    near: Option<String>,
    rows: HashMap<RowId, Arc<PastRow>>,
    requested: HashSet<RowId>,
    pub reader: PromptReader,
    pub pending: Option<PendingPrompt>,
    pointer: MouseState,
}

/// What waits for a reply. Input cancels it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingPrompt {
    /// Do this with the prompt when it is here.
    Act(Action),
    /// Resume or start a session when the facts are here.
    Probe(Generation),
}

impl Prompts {
    /// The history for a query. `session` is under the cursor of the screen below.
    pub fn new(view: View, query: &str, session: Option<String>, context: &Context) -> Self {
        Self {
            query: QueryLine::new(query, &context.now),
            list: List::default(),
            view,
            scope: None,
            counts: MatchCounts::default(),
            different: 0,
            deleted: 0,
            missing: 0,
            tier: None,
            progress: Progress::default(),
            choice: EnterMode::Go,
            focus: Focus::List,
            session: context.setting.session.clone().or(session),
            near: None,
            rows: HashMap::new(),
            requested: HashSet::new(),
            reader: PromptReader::default(),
            pending: None,
            pointer: MouseState::default(),
        }
    }

    pub fn layers(&self) -> &'static [KeyLayer] {
        let find = self.reader.find.as_ref();
        match self.focus {
            Focus::Preview if find.is_some_and(|find| find.stage == Stage::Typing) => layers::FIND,
            Focus::Preview => layers::PROMPT,
            Focus::List if self.query.input.is_empty() => layers::EMPTY_PROMPT_LIST,
            Focus::List => layers::PROMPT_LIST,
        }
    }

    pub fn scope(&self) -> HistoryScope {
        self.scope.unwrap_or(HistoryScope::All)
    }

    /// The scopes that mean something now.
    fn scopes(session: Option<&str>, data: &Data) -> Vec<HistoryScope> {
        let means_something = |scope: &HistoryScope| match scope {
            HistoryScope::Session => session.is_some(),
            HistoryScope::Project => data.here_words().is_some(),
            HistoryScope::All => true,
        };
        let scopes = HistoryScope::ALL.into_iter();
        scopes.filter(means_something).collect()
    }

    /// The session of the narrowest scope: the given one, or that of the prompt under the cursor.
    /// It does not change while that scope is shown.
    fn session_meant(&self, context: &Context) -> Option<String> {
        let given = context.setting.session.clone();
        given.or_else(|| match (self.scope(), self.cursor_row()) {
            (HistoryScope::Session, _) | (_, None) => self.session.clone(),
            (_, Some(row)) => row.prompt.session.clone(),
        })
    }

    /// Lines above the rows that say what they are.
    fn banner(&self, height: u16) -> u16 {
        match self.view {
            View::Deleted if height >= 9 => 4,
            View::Deleted if height >= 6 => 3,
            View::Deleted | View::Prompts => 0,
        }
    }

    pub fn pane(&self, context: &Context) -> Pane {
        let height = context.layout(self.focus).list.height;
        Pane {
            lines: height - self.banner(height),
            row_height: match self.view {
                View::Prompts => 1,
                View::Deleted => 2,
            },
        }
    }

    /// Lines of the prompt that fit.
    pub fn page_rows(&self, context: &Context) -> usize {
        let area = context.layout(self.focus).preview;
        let above = self.page_header(area.height) + u16::from(self.reader.find.is_some());
        usize::from(area.height.saturating_sub(above)).max(1)
    }

    /// Lines above the prompt that say where and when it was asked.
    fn page_header(&self, height: u16) -> u16 {
        match height {
            0..=3 => 0,
            4..=8 => 1,
            _ => 3 + u16::from(self.elsewhere_row().is_some()),
        }
    }

    pub fn row(&self, row: RowId) -> Option<&Arc<PastRow>> {
        self.rows.get(&row)
    }

    pub fn cursor(&self) -> Option<PromptHit> {
        self.list.current().copied()
    }

    pub fn cursor_row(&self) -> Option<&Arc<PastRow>> {
        self.row(self.cursor()?.row)
    }

    /// The prompt under the cursor as it was asked in the conversation that can be opened, if that
    /// was at another time than the shown one.
    fn elsewhere_row(&self) -> Option<&Arc<PastRow>> {
        self.row(self.cursor()?.elsewhere()?)
    }

    /// The page, if it is that of the row under the cursor.
    pub fn page(&self) -> Option<&PastPage> {
        let (of, page) = self.reader.page.as_ref()?;
        (of.row == self.cursor()?.row && of.view == self.view).then_some(page)
    }

    /// May the number of hits still grow?
    fn is_counting(&self) -> bool {
        self.tier != Some(Tier::Fuzzy) || !self.progress.over
    }

    /// The screen has come to the top.
    pub fn on_show(&mut self, host: &mut Host<'_>) {
        let session = self.session_in_scope();
        self.near.clone_from(&session);
        self.requested.clear();
        let now = host.context.millis();
        host.ask(Request::Prompts(HistoryRequest::Open { session, now }));
        self.search(host);
    }

    pub fn session_in_scope(&self) -> Option<String> {
        let session = self.session.clone();
        session.filter(|_| self.scope() == HistoryScope::Session)
    }

    /// Searches for what the screen shows.
    pub fn search(&mut self, host: &mut Host<'_>) {
        self.query.generation = host.next_generation();
        let near = self.session_in_scope();
        if self.near != near {
            self.near.clone_from(&near);
            host.ask(Request::Prompts(HistoryRequest::Session(near)));
        }
        let search = Search {
            generation: self.query.generation,
            query: self.query.query.clone(),
            order: Sort::Activity,
            reach: match self.scope() {
                HistoryScope::Session => Distance::Directory,
                HistoryScope::Project => Distance::Repository,
                HistoryScope::All => Distance::Elsewhere,
            },
            include: Include::default(),
        };
        let request = HistoryRequest::Search(Box::new(search), self.view);
        host.ask(Request::Prompts(request));
    }

    /// Every entry is read again.
    pub fn forget(&mut self, context: &Context) {
        self.rows.clear();
        self.requested.clear();
        self.list.clear(self.pane(context));
        self.reader = PromptReader::default();
    }

    /// Input cancels what was pending, and from now on the cursor stays with its prompt, unless an
    /// answer is still missing.
    pub fn cancel(&mut self) {
        self.pending = None;
        if !self.query.is_searching() {
            self.list.touch();
        }
    }

    pub fn awaits(&self, reply: &Message) -> bool {
        let probe = match self.pending {
            Some(PendingPrompt::Probe(generation)) => Some(generation),
            _ => None,
        };
        match reply {
            Message::Probed(probed) => Some(probed.generation) == probe,
            Message::Beginning(found) => Some(found.generation) == probe,
            Message::History(HistoryNews::Found { answer, .. }) => {
                answer.generation == self.query.generation
            }
            Message::History(HistoryNews::Rows(_)) => true,
            Message::History(HistoryNews::PageIsLarge(of, _) | HistoryNews::Page(of, _)) => {
                self.reader.asked.as_ref() == Some(of)
            }
            _ => false,
        }
    }

    pub fn on_reply(&mut self, reply: Message, host: &mut Host<'_>) -> Flow {
        match reply {
            Message::Probed(probed) => {
                self.pending = None;
                return launch::probed(probed, host);
            }
            Message::Beginning(found) => {
                self.pending = None;
                return launch::program_found(*found, host);
            }
            Message::History(news) => return self.on_news(news, host),
            _ => {}
        }
        Flow::Stay
    }

    fn on_news(&mut self, news: HistoryNews, host: &mut Host<'_>) -> Flow {
        match news {
            HistoryNews::Found {
                answer,
                rows,
                progress,
            } => {
                self.progress = progress;
                self.put(rows);
                let is_all = progress.over && answer.tier == Tier::Fuzzy;
                self.found(answer, is_all, host);
                // Where the words find nothing, loose matches may follow.
                if self.cursor().is_some() || is_all {
                    return self.act_pending(host);
                }
            }
            HistoryNews::Rows(rows) => self.put(rows),
            HistoryNews::PageIsLarge(of, bytes) => self.reader.large = Some((of, bytes)),
            HistoryNews::Page(of, page) => {
                let rows = self.page_rows(host.context);
                if self.reader.show(of, page, rows) {
                    host.answered();
                }
                return self.act_pending(host);
            }
            HistoryNews::Projects(_) | HistoryNews::Anew => {}
        }
        Flow::Stay
    }

    fn act_pending(&mut self, host: &mut Host<'_>) -> Flow {
        match self.pending {
            Some(PendingPrompt::Act(action)) => {
                self.pending = None;
                self.on_action(action, host)
            }
            _ => Flow::Stay,
        }
    }

    /// Shows an answer.
    fn found(&mut self, answer: PromptAnswer, is_all: bool, host: &mut Host<'_>) {
        let is_first = self.query.is_searching() || self.list.items().is_empty();
        if is_first && !answer.hits.is_empty() {
            host.answered();
        }
        self.query.answered = Some(answer.generation);
        self.counts = answer.counts;
        self.different = answer.prompts;
        self.deleted = answer.deleted;
        self.missing = answer.missing;
        self.tier = Some(answer.tier);
        let fuzzy = answer
            .hits
            .partition_point(|hit| hit.tier == Tier::Substring);
        let has_fuzzy = self.view == View::Prompts && fuzzy < answer.hits.len();
        let headings = has_fuzzy.then_some((fuzzy, Heading::Fuzzy));
        let pane = self.pane(host.context);
        let headings = headings.into_iter().collect();
        self.list.replace(answer.hits, headings, is_all, pane);
        // Prompts that come later must not move the cursor.
        if self.focus == Focus::Preview || is_all {
            self.list.hold();
        }
    }

    fn put(&mut self, rows: Vec<(RowId, Arc<PastRow>)>) {
        for (row, _) in &rows {
            self.requested.remove(row);
        }
        self.rows.extend(rows);
    }

    /// Requests what is visible and not known yet.
    pub fn want(&mut self, host: &mut Host<'_>) {
        let pane = self.pane(host.context);
        self.list.scroll_into_sight(pane);
        let missing = self.missing_rows(pane);
        if !missing.is_empty() {
            host.ask(Request::Prompts(HistoryRequest::Rows(missing)));
        }
        let Some(hit) = self.cursor() else {
            return;
        };
        let asked = self.reader.asked.as_ref();
        if asked.is_some_and(|of| (of.row, of.view) != (hit.row, self.view)) {
            self.reader.find = None;
        }
        let area = host.context.layout(self.focus).preview;
        let find = self.reader.find.as_ref().and_then(|find| find.text());
        let of = PageOf {
            row: hit.row,
            view: self.view,
            // Actions need the whole text, also without a preview.
            columns: usize::from(area.width.saturating_sub(2)).max(reader::NO_PANE),
            offset: host.context.now.offset().local_minus_utc(),
            find: find.map(str::to_owned),
            words: self.query.query.words(),
        };
        if self.reader.asked.as_ref() != Some(&of) {
            self.reader.asked = Some(of.clone());
            host.ask(Request::Prompts(HistoryRequest::Page(of)));
        }
    }

    /// The prompts near the viewport that are neither known nor requested. They count as requested
    /// from now on.
    fn missing_rows(&mut self, pane: Pane) -> Vec<RowId> {
        let page = usize::from(pane.lines);
        let from = self.list.above().saturating_sub(page);
        let near = self.list.items().iter().skip(from).take(3 * page);
        let near: Vec<RowId> = near.flat_map(PromptHit::rows).collect();
        if self.rows.len() > KEPT {
            let kept: HashSet<&RowId> = near.iter().collect();
            self.rows.retain(|row, _| kept.contains(row));
        }
        let (rows, requested) = (&self.rows, &mut self.requested);
        let is_missing = |row: &RowId| !rows.contains_key(row) && requested.insert(*row);
        near.into_iter().filter(is_missing).collect()
    }

    /// Looks up how the query could go on. Most projects are only known from the history.
    pub fn complete(&mut self, data: &Data) {
        let mut values = data.values();
        if !data.prompt_projects.is_empty() {
            values.projects = &data.prompt_projects;
        }
        let is_of_prompts =
            |offer: &Completion| !Operator::of_sessions().any(|typed| typed == offer.insert);
        self.query.complete(values, is_of_prompts);
    }

    pub fn on_return(&mut self, returned: &Returned, host: &mut Host<'_>) -> Flow {
        match returned {
            Returned::Confirmed(Action::NewSession) => self.new_session(true, host),
            Returned::Confirmed(_) => self.resume(true, host),
            Returned::Read => self.go_to_session(Focus::Preview, host),
            Returned::Branch(_) | Returned::Directory(_) | Returned::Answer(_) => Flow::Stay,
        }
    }
}
