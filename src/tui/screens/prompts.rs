//! The prompt history: a query, the prompts or deleted sessions that it finds, and a reader.
//!
//! The texts of prompts are not kept: those near the viewport are requested.

mod actions;
mod draw;
mod draw_page;
mod keys;
mod mouse;
mod news;

use std::collections::HashMap;
use std::sync::Arc;

use self::actions::Assent;
use super::{Flow, Returned, launch};
use crate::list::{Include, Sort};
use crate::search::{
    Completion, Distance, Generation, Operator, PromptAnswer, PromptHit, RowId, Search, Tier, View,
};
use crate::tui::context::Context;
use crate::tui::data::Data;
use crate::tui::host::Host;
use crate::tui::keymap::{Action, KeyLayer, layers};
use crate::tui::layout::Focus;
use crate::tui::message::Message;
use crate::tui::request::{HistoryRequest, Request};
use crate::tui::widgets::{Heading, Keyed, List, MouseState, Pane, QueryLine, Reader, ReaderPane};

use news::fate_words;
pub use news::{EnterMode, HistoryNews, HistoryScope, PastRow, PastSpan, PastText, Progress};

/// Prompts that are kept with their texts.
const KEPT: usize = 4096;

impl Keyed for PromptHit {
    type Key = u32;

    /// Equal prompts are one group: the same prompt may be another entry when it is asked again.
    fn key(&self) -> u32 {
        self.group
    }
}

#[derive(Debug, Default)]
pub struct Prompts {
    pub query: QueryLine,
    pub list: List<PromptHit>,
    pub view: View,
    pub scope: HistoryScope,
    /// The last answer. Its hits are in the list.
    answer: Option<PromptAnswer>,
    progress: Progress,
    pub choice: EnterMode,
    pub focus: Focus,
    /// The session that `HistoryScope::Session` means.
    pub session: Option<String>,
    /// The prompts that are known, or at least requested.
    rows: HashMap<RowId, Option<Arc<PastRow>>>,
    pub reader: Reader,
    /// The whole text of the prompt in the reader.
    pub text: Option<(RowId, Arc<PastText>)>,
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
            view,
            session: context.setting.session.clone().or(session),
            ..Self::default()
        }
    }

    pub fn layers(&self) -> &'static [KeyLayer] {
        match self.focus {
            Focus::Preview if self.reader.is_typing() => layers::FIND,
            Focus::Preview => layers::PROMPT,
            Focus::List if self.query.input.is_empty() => layers::EMPTY_PROMPT_LIST,
            Focus::List => layers::PROMPT_LIST,
        }
    }

    /// The scopes that mean something now.
    fn scopes(session: Option<&str>, data: &Data) -> Vec<HistoryScope> {
        let mut scopes = HistoryScope::ALL.to_vec();
        scopes.retain(|scope| match scope {
            HistoryScope::Session => session.is_some(),
            HistoryScope::Project => data.here_words().is_some(),
            HistoryScope::All => true,
        });
        scopes
    }

    /// The session of the narrowest scope: the given one, or that of the prompt under the cursor.
    /// It does not change while that scope is shown.
    fn session_meant(&self, context: &Context) -> Option<String> {
        let given = context.setting.session.clone();
        given.or_else(|| match (self.scope, self.cursor_row()) {
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

    /// The reader, below the lines that say where and when the prompt was asked.
    fn reader_pane(&self, context: &Context) -> ReaderPane {
        let mut area = context.layout(self.focus).preview;
        let header = self.header(area.height);
        area.y += header;
        area.height -= header;
        ReaderPane {
            area,
            focused: self.focus == Focus::Preview,
        }
    }

    fn header(&self, height: u16) -> u16 {
        match height {
            0..=3 => 0,
            4..=8 => 1,
            _ => 3 + u16::from(self.elsewhere_row().is_some()),
        }
    }

    pub fn row(&self, row: RowId) -> Option<&Arc<PastRow>> {
        self.rows.get(&row)?.as_ref()
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

    /// The whole text of the prompt under the cursor, once it is here.
    fn text(&self) -> Option<&Arc<PastText>> {
        let (row, text) = self.text.as_ref()?;
        (*row == self.cursor()?.row).then_some(text)
    }

    /// Have all prompts been read, and searched for loose matches, too?
    fn is_complete(&self) -> bool {
        let answer = self.answer.as_ref();
        self.progress.over && answer.is_some_and(|answer| answer.tier == Tier::Fuzzy)
    }

    /// The screen has come to the top. The requests of the one that was there have replaced its own.
    pub fn on_show(&mut self, host: &mut Host<'_>) {
        self.rows.retain(|_, row| row.is_some());
        self.reader.asked = None;
        host.ask(Request::Prompts(HistoryRequest::Refresh(host.context.now)));
        self.search(host);
    }

    /// Searches for what the screen shows.
    pub fn search(&mut self, host: &mut Host<'_>) {
        self.query.generation = host.next_generation();
        let (reach, session) = match self.scope {
            // Only then is that session near: its prompts need not be among this project's.
            HistoryScope::Session => (Distance::Directory, self.session.clone()),
            HistoryScope::Project => (Distance::Repository, None),
            HistoryScope::All => (Distance::Elsewhere, None),
        };
        let search = Search {
            generation: self.query.generation,
            query: self.query.query.clone(),
            order: Sort::Activity,
            reach,
            include: Include::default(),
        };
        host.ask(Request::Prompts(HistoryRequest::Search {
            search: Box::new(search),
            view: self.view,
            session,
        }));
    }

    /// Every entry is read again.
    pub fn forget(&mut self, context: &Context) {
        self.rows.clear();
        self.list.clear(self.pane(context));
        self.reader = Reader::default();
        self.text = None;
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
        let probe = |generation| self.pending == Some(PendingPrompt::Probe(generation));
        match reply {
            Message::Probed(probed) => probe(probed.generation),
            Message::Beginning(found) => probe(found.generation),
            Message::History(HistoryNews::Found { answer, .. }) => {
                answer.generation == self.query.generation
            }
            Message::History(HistoryNews::Page(page, _)) => {
                page.generation == self.reader.generation
            }
            Message::History(HistoryNews::Rows(_)) => true,
            _ => false,
        }
    }

    pub fn on_reply(&mut self, reply: Message, host: &mut Host<'_>) -> Flow {
        match reply {
            Message::Probed(probed) => {
                self.pending = None;
                launch::probed(probed, host)
            }
            Message::Beginning(found) => {
                self.pending = None;
                launch::program_found(*found, host)
            }
            Message::History(HistoryNews::Found {
                answer,
                rows,
                progress,
            }) => {
                self.progress = progress;
                self.put(rows);
                self.found(answer, host);
                // Where the words find nothing, loose matches may follow.
                if self.cursor().is_none() && !self.is_complete() {
                    return Flow::Stay;
                }
                self.act_pending(host)
            }
            Message::History(HistoryNews::Page(page, text)) => {
                self.text = self.reader.row.zip(text);
                let pane = self.reader_pane(host.context);
                self.reader.show(page, pane, host);
                self.act_pending(host)
            }
            Message::History(HistoryNews::Rows(rows)) => {
                self.put(rows);
                Flow::Stay
            }
            _ => Flow::Stay,
        }
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
    fn found(&mut self, mut answer: PromptAnswer, host: &mut Host<'_>) {
        let hits = std::mem::take(&mut answer.hits);
        let is_due = self.query.is_searching();
        let is_first = is_due || self.list.items().is_empty();
        if is_first && !hits.is_empty() {
            host.answered();
        }
        self.query.answered = Some(answer.generation);
        self.answer = Some(answer);
        let fuzzy = hits.partition_point(|hit| hit.tier == Tier::Substring);
        let has_fuzzy = self.view == View::Prompts && fuzzy < hits.len();
        let headings = has_fuzzy.then_some((fuzzy, Heading::Fuzzy));
        let headings = headings.into_iter().collect();
        let is_complete = self.is_complete();
        let pane = self.pane(host.context);
        let before = self.list.cursor().filter(|_| !is_due);
        self.list.replace(hits, headings, is_complete, pane);
        if before.is_some() && self.list.cursor().is_some() && self.list.cursor() != before {
            self.pointer.forget();
            host.shifted();
        }
        // Prompts that come later must not move the cursor.
        if self.focus == Focus::Preview || is_complete {
            self.list.hold();
        }
    }

    fn put(&mut self, rows: Vec<(RowId, Arc<PastRow>)>) {
        let rows = rows.into_iter().map(|(id, row)| (id, Some(row)));
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
        let pane = self.reader_pane(host.context);
        self.reader.fit(pane);
        // Actions need the whole text, also without a preview.
        let columns = usize::from(pane.area.width.saturating_sub(2)).max(1);
        let query = &self.query.query;
        if let Some(spec) = self
            .reader
            .next_page(hit.row, columns, (query, None), false, host)
        {
            host.ask(Request::Prompts(HistoryRequest::Page {
                generation: self.reader.generation,
                row: hit.row,
                spec: Box::new(spec),
            }));
        }
    }

    /// The prompts near the viewport that are neither known nor requested. They count as requested
    /// from now on.
    fn missing_rows(&mut self, pane: Pane) -> Vec<RowId> {
        let page = usize::from(pane.lines);
        let from = self.list.above().saturating_sub(page);
        let near = self.list.items().iter().skip(from).take(3 * page);
        let mut near: Vec<RowId> = near.flat_map(PromptHit::rows).collect();
        if self.rows.len() > KEPT {
            self.rows.retain(|row, _| near.contains(row));
        }
        near.retain(|row| !self.rows.contains_key(row));
        self.rows.extend(near.iter().map(|row| (*row, None)));
        near
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
        let flow = match returned {
            Returned::Confirmed(action) => self.act(*action, Assent::Given, host),
            Returned::Read => self.go_to_session(Focus::Preview, host),
            Returned::Branch(_)
            | Returned::Directory(_)
            | Returned::Answer(_)
            | Returned::Rows(..)
            | Returned::Anyway(..)
            | Returned::Neither => None,
        };
        flow.unwrap_or(Flow::Stay)
    }
}
