//! What keys do in the prompt history.

use super::super::{Flow, Screen, change_panes};
use super::{HistoryScope, PendingPrompt, Prompts};
use crate::search::View;
use crate::text::size;
use crate::tui::host::Host;
use crate::tui::keymap::Action;
use crate::tui::layout::Focus;
use crate::tui::request::{HistoryRequest, Request};
use crate::tui::widgets::{Direction, Input, Motion, Stage, scrolled};

impl Prompts {
    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        if is_about_a_prompt(action) {
            // Typed in one breath with the query: its result is meant.
            if self.query.is_searching() {
                self.pending = Some(PendingPrompt::Act(action));
                return Flow::Stay;
            }
            if self.cursor().is_none() {
                host.tell(match self.view {
                    View::Prompts => "there is no prompt here",
                    View::Deleted => "there is no session here",
                });
                return Flow::Stay;
            }
        }
        if let Action::Move(motion) = action {
            self.go(motion, self.focus, host);
            return Flow::Stay;
        }
        if change_panes(action, &mut self.focus, host.context) {
            return Flow::Stay;
        }
        match action {
            Action::SwitchPane => {
                self.focus = match self.focus {
                    Focus::List if self.cursor().is_some() => Focus::Preview,
                    Focus::List | Focus::Preview => Focus::List,
                };
            }
            Action::PromptScope => self.next_scope(host),
            Action::Deleted if self.view == View::Deleted => return Flow::Pop,
            Action::Deleted => {
                let mut deleted = Self::new(View::Deleted, "", self.session.clone(), host.context);
                deleted.scope = self.scope;
                deleted.choice = self.choice;
                return Flow::Push(Screen::Prompts(Box::new(deleted)));
            }
            Action::GoToSession => return self.choose(host),
            Action::ResumePrompt => return self.resume(false, host),
            Action::CopyPrompt => self.copy_prompt(host),
            Action::NewSession => return self.new_session(false, host),
            Action::CopyId => self.copy_id(host),
            Action::CopyCommand | Action::CopyPath => self.copy_of_session(action, host),
            Action::Find => self.reader.start_find(),
            Action::NextMatch => self.next_match(Direction::Forward, host),
            Action::PreviousMatch => self.next_match(Direction::Back, host),
            Action::FindDone => self.end_find(host),
            Action::OpenMessage | Action::EditMessage => self.open(action, host),
            Action::Refresh => host.ask(Request::Prompts(HistoryRequest::Refresh)),
            Action::Back => return self.back(host),
            Action::Edit(how) => {
                match &mut self.reader.find {
                    Some(find) if self.focus == Focus::Preview => find.input.edit(how),
                    _ => self.query.edit(how),
                }
                self.query_changed(host);
            }
            _ => {}
        }
        Flow::Stay
    }

    pub fn on_text(&mut self, text: &str, host: &mut Host<'_>) -> Flow {
        match &mut self.reader.find {
            _ if self.focus == Focus::List => {
                self.query.input.insert(text);
                self.query_changed(host);
            }
            Some(find) if find.stage == Stage::Typing => find.input.insert(text),
            _ => {}
        }
        Flow::Stay
    }

    fn query_changed(&mut self, host: &mut Host<'_>) {
        if self.query.parse(&host.context.now) {
            self.list.follow_best();
            self.search(host);
        }
    }

    pub(super) fn go(&mut self, motion: Motion, focus: Focus, host: &Host<'_>) {
        match focus {
            Focus::List => self.list.go(motion, self.pane(host.context)),
            Focus::Preview => {
                let rows = self.page_rows(host.context);
                let last = self.reader.length().saturating_sub(rows);
                self.reader.top = scrolled(self.reader.top, motion, rows, last);
            }
        }
    }

    fn next_scope(&mut self, host: &mut Host<'_>) {
        let session = self.session_meant(host.context);
        let scopes = Self::scopes(session.as_deref(), host.data);
        let at = scopes.iter().position(|scope| *scope == self.scope());
        let next = at.and_then(|at| scopes.get(at + 1)).or(scopes.first());
        if next == Some(&HistoryScope::Session) {
            self.session = session;
        }
        self.scope = next.copied();
        self.list.hold();
        self.list.lose(0, self.pane(host.context));
        self.search(host);
    }

    fn next_match(&mut self, direction: Direction, host: &mut Host<'_>) {
        let rows = self.page_rows(host.context);
        if self.reader.find.is_none() {
            let key = host.context.key(Action::Find);
            host.tell(format!("{key} searches this prompt"));
        } else if !self.reader.next_match(direction, rows) {
            self.tell_of_none(host);
        }
    }

    /// Enter in the find bar: keys go to the prompt again.
    fn end_find(&mut self, host: &mut Host<'_>) {
        let Some(find) = &mut self.reader.find else {
            return;
        };
        if find.text().is_none() {
            self.reader.find = None;
            return;
        }
        find.stage = Stage::Typed;
        if self.reader.is_searched() && self.reader.match_count().1 == 0 {
            self.tell_of_none(host);
        }
    }

    /// Of a very long prompt only the beginning is laid out and searched.
    fn tell_of_none(&self, host: &mut Host<'_>) {
        let more = self.page().map_or(0, |page| page.more);
        let key = host.context.key(Action::OpenMessage);
        host.tell(match more {
            _ if !self.reader.is_searched() => "still searching".to_owned(),
            0 => "no match in this prompt".to_owned(),
            more => format!(
                "no match in what is shown; another {} is not searched ({key} opens all of it)",
                size(more as u64)
            ),
        });
    }

    /// Esc: close the find bar, leave the reader, clear what was typed here, go back. A query that
    /// the screen was opened with is not cleared first.
    fn back(&mut self, host: &mut Host<'_>) -> Flow {
        if self.focus == Focus::Preview {
            if self.reader.find.take().is_none() {
                self.focus = Focus::List;
            }
            return Flow::Stay;
        }
        let text = self.query.input.text();
        if text.is_empty() || text == self.query.given {
            return Flow::Pop;
        }
        let is_longer = text.starts_with(&self.query.given);
        let rest = if is_longer { &*self.query.given } else { "" };
        self.query.input = Input::new(rest);
        self.query_changed(host);
        Flow::Stay
    }
}

fn is_about_a_prompt(action: Action) -> bool {
    matches!(
        action,
        Action::GoToSession
            | Action::ResumePrompt
            | Action::CopyPrompt
            | Action::NewSession
            | Action::CopyId
            | Action::CopyCommand
            | Action::CopyPath
    )
}
