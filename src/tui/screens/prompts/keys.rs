//! What keys do in the prompt history.

use super::super::{Flow, Screen, change_panes};
use super::actions::Assent;
use super::{HistoryScope, PendingPrompt, Prompts};
use crate::search::View;
use crate::tui::host::Host;
use crate::tui::keymap::Action;
use crate::tui::layout::Focus;
use crate::tui::request::{HistoryRequest, Request};
use crate::tui::widgets::Input;

impl Prompts {
    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        let pane = self.reader_pane(host.context);
        if let Action::Move(motion) = action {
            match self.focus {
                Focus::Preview => self.reader.go(motion, pane),
                Focus::List => self.list.go(motion, self.pane(host.context)),
            }
            return Flow::Stay;
        }
        if change_panes(action, &mut self.focus, host.context)
            || self.reader.on_action(action, pane, host)
        {
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
            Action::Refresh => {
                host.ask(Request::Prompts(HistoryRequest::Refresh(host.context.now)));
            }
            Action::Back => return self.back(host),
            Action::Edit(how) if self.focus == Focus::List => {
                self.query.edit(how);
                self.query_changed(host);
            }
            Action::Edit(how) => self.reader.edit_find(|input| input.edit(how)),
            // Typed in one breath with the query: its result is meant.
            _ if self.query.is_searching() => self.pending = Some(PendingPrompt::Act(action)),
            _ if self.cursor().is_none() => host.tell(match self.view {
                View::Prompts => "there is no prompt here",
                View::Deleted => "there is no session here",
            }),
            _ => return self.act(action, Assent::Asked, host).unwrap_or(Flow::Stay),
        }
        Flow::Stay
    }

    pub fn on_text(&mut self, text: &str, host: &mut Host<'_>) -> Flow {
        match self.focus {
            Focus::List => {
                self.query.input.insert(text);
                self.query_changed(host);
            }
            Focus::Preview => self.reader.edit_find(|input| input.insert(text)),
        }
        Flow::Stay
    }

    fn query_changed(&mut self, host: &mut Host<'_>) {
        if self.query.parse(&host.context.now) {
            self.list.follow_best();
            self.search(host);
        }
    }

    fn next_scope(&mut self, host: &mut Host<'_>) {
        let session = self.session_meant(host.context);
        let scopes = Self::scopes(session.as_deref(), host.data);
        let at = scopes.iter().position(|scope| *scope == self.scope);
        let next = at.and_then(|at| scopes.get(at + 1)).or(scopes.first());
        self.scope = next.copied().unwrap_or(HistoryScope::All);
        if self.scope == HistoryScope::Session {
            self.session = session;
        }
        self.list.hold();
        self.list.lose(0, self.pane(host.context));
        self.search(host);
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
