//! The picker of sessions: a query, the list of what it finds, and a reader beside it.

mod check;
mod draw;
mod inside;
mod keys;
mod mouse;
mod page;
mod resume;
mod reveal;
mod row;
mod selection;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Flow, HistoryNews, Returned, launch};
use crate::list::{Include, Row, Sort};
use crate::resume::Wish;
use crate::search::{Distance, Generation, MatchCounts, Reply, RowId, Search, SearchHit, Tier};
use crate::tui::layout::row_height;
use crate::tui::widgets::{
    Heading, Keyed, List, MouseState, Pane, QueryLine, Reader, ReaderPane, clean,
};
use crate::tui::{
    Action, Calendar, Context, Data, Env, Families, Focus, Host, KeyLayer, Kin, Memory, Message,
    Reach, Request, Switch, layers,
};

use inside::Inside;
pub use keys::{copied, copy};
use resume::marks_gone;
pub use reveal::RevealTarget;
pub use selection::SelectionGuard;

impl Keyed for SearchHit {
    type Key = RowId;

    fn key(&self) -> RowId {
        self.row
    }
}

#[derive(Debug, Default)]
pub struct Sessions {
    pub query: QueryLine,
    pub list: List<SearchHit>,
    /// What was found, those in collapsed families included.
    pub found: Vec<SearchHit>,
    /// What was found of it in titles and prompts.
    titles: Vec<SearchHit>,
    inside: Inside,
    families: Families,
    pub counts: MatchCounts,
    pub reader: Reader,
    pub focus: Focus,
    pub reach: Reach,
    /// Does the current repository have sessions, as far as `Reach::Auto` is concerned?
    is_inhabited: bool,
    pub order: Sort,
    pub hidden_kinds: Switch,
    pub marked: BTreeSet<RowId>,
    /// How many marked rows have gone since somebody chose what the marks are.
    lost_marks: usize,
    pub pending: Option<Pending>,
    /// The newest search, if no key has asked for it.
    unasked: Option<Generation>,
    /// The prompt of the history that the reader begins at.
    revealed: Option<RevealTarget>,
    pointer: MouseState,
}

/// What waits for a reply. Input cancels it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// Put the cursor on this session when it is read.
    Select(String),
    /// Resume the best row when the answer to the query is here.
    Rows(Wish),
    /// Do this when the file of the row under the cursor was looked at.
    Check(RowId, Action),
    /// Resume when the facts are here.
    Probe(Generation),
    /// Say where the prompt is when the conversation is here.
    Reveal,
}

impl Sessions {
    pub fn new(query: QueryLine, memory: Memory) -> Self {
        Self {
            query,
            reach: memory.reach,
            order: memory.order,
            ..Self::default()
        }
    }

    /// All sessions, with the cursor on this one and the reader at a prompt.
    pub fn at(target: RevealTarget, focus: Focus, host: &Host<'_>) -> Self {
        let mut screen = Self {
            reach: Reach::All,
            focus,
            ..Self::default()
        };
        let is_hidden = |row: &Arc<Row>| row.session.hidden.is_some();
        if host.data.row(target.row).is_some_and(is_hidden) {
            screen.hidden_kinds = Switch::On;
        }
        screen.select(target.row, host.env());
        screen.go_to_prompt(target);
        screen
    }

    pub fn layers(&self) -> &'static [KeyLayer] {
        match self.focus {
            Focus::Preview if self.reader.is_typing() => layers::FIND,
            Focus::Preview => layers::CONVERSATION,
            Focus::List if self.query.input.is_empty() => layers::EMPTY_SESSION_LIST,
            Focus::List => layers::SESSION_LIST,
        }
    }

    /// What the next run remembers. To have gone back to this repository is no wish to see an empty
    /// list in the next one.
    pub fn memory(&self, context: &Context) -> Memory {
        Memory {
            reach: match self.reach {
                Reach::Here | Reach::Auto => Reach::Auto,
                Reach::All => Reach::All,
            },
            order: self.order,
            panes: context.panes,
        }
    }

    pub fn pane(&self, context: &Context) -> Pane {
        let layout = context.layout(self.focus);
        Pane {
            lines: layout.list.height,
            row_height: row_height(layout.density(context.panes)),
        }
    }

    pub fn reader_pane(&self, context: &Context) -> ReaderPane {
        ReaderPane {
            area: context.layout(self.focus).preview,
            focused: self.focus == Focus::Preview,
        }
    }

    /// Are only sessions of this repository shown?
    pub fn is_here(&self) -> bool {
        match self.reach {
            Reach::Here => true,
            Reach::All => false,
            Reach::Auto => self.is_inhabited,
        }
    }

    /// Do rows have to say which project they belong to?
    fn shows_projects(&self, data: &Data) -> bool {
        !self.is_here() || data.here.as_ref().is_some_and(|here| here.several_trees)
    }

    pub fn row<'a>(&'a self, id: RowId, data: &'a Data) -> Option<&'a Arc<Row>> {
        self.families.row(id, data)
    }

    pub fn cursor_row<'a>(&'a self, data: &'a Data) -> Option<&'a Arc<Row>> {
        self.row(self.list.cursor()?, data)
    }

    pub fn kin(&self, row: RowId, data: &Data) -> Option<Kin> {
        self.families.kin(row, data)
    }

    /// The screen has come to the top. The requests of the one that was there have replaced its own.
    pub fn on_show(&mut self, host: &mut Host<'_>) {
        self.reader.asked = None;
        self.search(host);
    }

    /// Searches for what the screen shows.
    pub fn search(&mut self, host: &mut Host<'_>) {
        self.query.generation = host.next_generation();
        host.ask(Request::Search(Box::new(self.as_search())));
    }

    /// The same, because something has changed: a key does not wait for this answer.
    pub fn search_again(&mut self, host: &mut Host<'_>) {
        let is_due = self.is_answer_due();
        self.search(host);
        self.unasked = (!is_due).then_some(self.query.generation);
    }

    /// Is what a key asked for still missing? The row under the cursor is not what it will be.
    pub fn is_answer_due(&self) -> bool {
        let is_unasked = self.unasked == Some(self.query.generation);
        (self.query.is_searching() && !is_unasked) || self.is_unconfirmed()
    }

    fn as_search(&self) -> Search {
        Search {
            generation: self.query.generation,
            query: self.query.query.clone(),
            order: self.order,
            reach: if self.is_here() {
                Distance::Repository
            } else {
                Distance::Elsewhere
            },
            include: match self.hidden_kinds {
                Switch::On => Include::everything(),
                Switch::Off => Include::default(),
            },
        }
    }

    /// Puts the cursor on a row, and expands its family if that hides the row.
    pub fn select(&mut self, row: RowId, env: Env<'_>) {
        self.list.select(row);
        self.regroup(env);
        self.list.point(row);
    }

    /// Makes the rows of the list from what was found.
    pub fn regroup(&mut self, env: Env<'_>) {
        let pane = self.pane(env.context);
        let was_listed = self
            .list
            .cursor()
            .is_some_and(|row| self.list.contains(row));
        let mut hits = self.families.group(&self.found, env.data);
        // A row that is collapsed now leaves the cursor to the head of its family. A row that was
        // selected before it was listed expands its family.
        if let Some(cursor) = self.list.cursor()
            && !self.list.follows_best()
            && let Some(family) = self.families.of(cursor, env.data)
            && !hits.iter().any(|hit| hit.row == cursor)
            && let Some(head) = hits
                .iter()
                .find(|hit| self.families.of(hit.row, env.data) == Some(family))
        {
            if was_listed {
                self.list.point(head.row);
            } else {
                self.families.open(family);
                hits = self.families.group(&self.found, env.data);
            }
        }
        let headings = self.headings(&hits, env);
        self.list.replace(hits, headings, true, pane);
    }

    /// Dates, while nothing is typed and rows are sorted by time; else where loose matches begin.
    fn headings(&self, hits: &[SearchHit], env: Env<'_>) -> Vec<(usize, Heading)> {
        if !self.query.query.is_empty() || self.order != Sort::Activity {
            let first = |tier| hits.partition_point(|hit| hit.tier < tier);
            let (inside, loose) = (first(Tier::Inside), first(Tier::Fuzzy));
            let headings = [
                (inside < loose).then_some((inside, Heading::Inside)),
                (loose < hits.len()).then_some((loose, Heading::Fuzzy)),
            ];
            return headings.into_iter().flatten().collect();
        }
        let calendar = Calendar::at(&env.context.now);
        let day = |hit: &SearchHit| {
            let row = self.row(hit.row, env.data);
            calendar.day(row.map_or(0, |row| row.session.last_activity()))
        };
        let mut headings = Vec::new();
        let mut at = 0;
        while let Some(hit) = hits.get(at) {
            let first = day(hit);
            headings.push((at, Heading::Day(first)));
            let is_same = |hit: &SearchHit| {
                let kin = self.kin(hit.row, env.data);
                day(hit) <= first || matches!(kin, Some(Kin::Fork | Kin::Copy))
            };
            let rest = &hits[at..];
            // Relatives are out of their order, so nothing can be skipped.
            at += if self.families.has_open() {
                rest.iter().take_while(|hit| is_same(hit)).count()
            } else {
                rest.partition_point(is_same)
            };
        }
        headings
    }

    /// Rows are about to come, change or go.
    pub fn rows_change(&mut self, rows: &[(RowId, Option<Arc<Row>>)], host: &mut Host<'_>) {
        // A changed conversation is read again; the old one stays on screen until then.
        let owner = self.reader.row.map(|row| self.families.owner(row));
        if rows.iter().any(|(row, _)| Some(*row) == owner) {
            self.reader.asked = None;
        }
        let gone = rows.iter().filter(|(_, what)| what.is_none());
        let lost = gone.filter(|(row, _)| self.marked.remove(row)).count();
        self.lost_marks += lost;
        let mut said = Vec::new();
        let cursor = self.list.cursor();
        let awaited = self.take_stale_check(rows, host);
        let is_gone = |id: &RowId| rows.iter().any(|(row, what)| row == id && what.is_none());
        // A row of the cache that nobody has chosen goes as if it had not been there.
        let is_chosen = |row: &RowId| !self.list.is_untouched() || !host.data.is_unchecked(*row);
        let mut chosen = awaited.into_iter().chain(cursor.filter(is_chosen));
        if let Some(row) = chosen.find(is_gone)
            && let Some(row) = self.row(row, host.data)
        {
            let title = clean(&row.title(), 60, host.context.theme());
            said.push(format!(
                "\"{title}\" is gone: its file was deleted or moved"
            ));
        }
        if lost > 0 {
            said.push(marks_gone(self.lost_marks));
        }
        if !said.is_empty() {
            host.warn(said.join("; "));
        }
    }

    /// Rows have come: the cursor goes to the session that the picker was opened for.
    pub fn rows_changed(&mut self, host: &mut Host<'_>) {
        if let Some(Pending::Select(id)) = &self.pending
            && let Some(row) = host.data.find(id)
        {
            self.pending = None;
            if self.list.is_untouched() {
                self.select(row, host.env());
            }
        }
    }

    pub fn scan_over(&mut self, host: &mut Host<'_>) {
        // The last answer may lack the last rows: the best row is that of an answer after them.
        if self.list.follows_best() {
            self.search_again(host);
        }
        self.leave_empty_scope(host);
    }

    /// The current directory became known. A list that is being used stays as it is. Returns whether
    /// the screen shows other rows now.
    pub fn here_changed(&mut self, is_first: bool, data: &Data) -> bool {
        let before = self.is_here();
        let is_typed = self.query.input.text() != self.query.given;
        let is_read = self.focus == Focus::Preview;
        let is_used = !self.list.is_untouched() || is_typed || is_read;
        if is_first || !is_used {
            self.is_inhabited = data.here.as_ref().is_some_and(|here| here.inhabited);
        }
        let is_other = self.is_here() != before;
        if is_other && !is_used {
            self.list.follow_best();
        }
        is_other
    }

    /// Shows all projects if this repository was chosen by default and has nothing.
    fn leave_empty_scope(&mut self, host: &mut Host<'_>) {
        let is_known = host.data.is_scanned() && !self.query.is_searching();
        let is_empty = self.counts.shown == 0 && self.counts.elsewhere > 0;
        if self.reach == Reach::Auto && self.is_here() && is_known && is_empty {
            self.is_inhabited = false;
            self.search(host);
        }
    }

    pub fn awaits(&self, reply: &Message) -> bool {
        let probe = match self.pending {
            Some(Pending::Probe(generation)) => Some(generation),
            _ => None,
        };
        match reply {
            Message::Found(found) => found.generation == self.query.generation,
            Message::Inside(answer) => self.awaits_answer(answer),
            Message::History(HistoryNews::Counted(generation, _)) => {
                *generation == self.query.generation
            }
            Message::Previewed(page) => page.generation == self.reader.generation,
            Message::Probed(probed) => Some(probed.generation) == probe,
            Message::Checked(rows) => self.awaits_check(rows),
            _ => false,
        }
    }

    pub fn on_reply(&mut self, reply: Message, host: &mut Host<'_>) -> Flow {
        match reply {
            Message::Found(found) => return self.found(found, host),
            Message::Inside(answer) => return self.inside(answer, host),
            Message::History(HistoryNews::Counted(_, count)) => self.prompts_counted(count),
            Message::Previewed(page) => {
                let pane = self.reader_pane(host.context);
                self.reader.show(page, pane, host);
                self.reveal(host);
            }
            Message::Probed(probed) => {
                self.pending = None;
                return launch::probed(probed, host);
            }
            Message::Checked(_) => return self.checked(host),
            _ => {}
        }
        Flow::Stay
    }

    fn found(&mut self, reply: Reply, host: &mut Host<'_>) -> Flow {
        let is_first = self.query.is_searching() || self.found.is_empty();
        self.query.answered = Some(reply.generation);
        self.counts = reply.counts;
        self.titles = reply.hits;
        self.merge();
        // No rows are no answer: looser matches or further files may follow.
        if is_first && !self.found.is_empty() {
            host.answered();
        }
        self.regroup(host.env());
        self.settle_cursor(host);
        self.leave_empty_scope(host);
        self.rows_arrived(reply.tier, host)
    }

    /// During the scan a better row may come, and until conversations were looked at. After that the
    /// best one is chosen once for each query: rows that come later must not move the cursor.
    fn settle_cursor(&mut self, host: &Host<'_>) {
        let is_best = match self.found.first().map(|hit| hit.tier) {
            Some(Tier::Substring) => true,
            Some(Tier::Inside) => self.inside_reply().is_some_and(|reply| reply.is_ranked),
            Some(Tier::Fuzzy) | None => !self.awaits_inside(),
        };
        if host.data.is_scanned() && is_best && self.list.cursor().is_some() {
            self.list.settle();
        }
    }

    pub fn on_return(&mut self, returned: Returned, host: &mut Host<'_>) -> Flow {
        match returned {
            Returned::Branch(leaf) => {
                if self.reader.leaf != leaf {
                    self.reader.forget();
                    self.reader.leaf = leaf;
                }
                self.focus = Focus::Preview;
            }
            Returned::Read => {
                host.tell("nothing was resumed: this is the conversation");
                host.context.panes.preview = Switch::On;
                self.focus = Focus::Preview;
            }
            Returned::Confirmed(Action::Branches) => return self.branches(host),
            Returned::Rows(wish, rows) => return self.answered(wish, &rows, host),
            Returned::Anyway(wish, row) => self.request_facts(wish, &[row], host),
            Returned::Confirmed(_)
            | Returned::Directory(_)
            | Returned::Answer(_)
            | Returned::Neither => {}
        }
        Flow::Stay
    }

    /// The terminal or the panes got another size.
    pub fn fit(&mut self, context: &Context) {
        self.list.scroll_into_sight(self.pane(context));
        self.reader.fit(self.reader_pane(context));
    }
}
