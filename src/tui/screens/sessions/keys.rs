//! What keys do in the picker of sessions.

use super::super::{Flow, Screen, change_panes};
use super::{Pending, Sessions};
use crate::list::Sort;
use crate::preview::{Coverage, Visibility};
use crate::resume::{Answer, Plan, Topic, Wish, printable};
use crate::search::View;
use crate::store::ScanDepth;
use crate::text::sanitize_whole;
use crate::tui::screens::{Branches, Prompts};
use crate::tui::widgets::{Direction, Motion, Take};
use crate::tui::{Action, Context, Effect, Focus, Host, Opener, Reach, Request, Switch};

impl Sessions {
    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        let pane = self.reader_pane(host.context);
        if let Action::Move(motion) = action {
            match self.focus {
                Focus::Preview => self.reader.go(motion, pane),
                Focus::List => self.list.go(motion, self.pane(host.context)),
            }
            return Flow::Stay;
        }
        if change_panes(action, &mut self.focus, host.context) {
            self.fit(host.context);
            return Flow::Stay;
        }
        if let Some(flow) = self.read(action, host) {
            return flow;
        }
        let acts = matches!(
            action,
            Action::Mark | Action::CopyId | Action::CopyCommand | Action::CopyPath
        );
        if acts && self.asks_check(action, host) {
            return Flow::Stay;
        }
        match action {
            Action::Resume => return self.resume(Wish::Continue, host),
            Action::Fork => return self.resume(Wish::Fork, host),
            Action::SwitchPane => {
                self.focus = match self.focus {
                    Focus::List if self.list.cursor().is_some() => Focus::Preview,
                    Focus::List | Focus::Preview => Focus::List,
                };
            }
            Action::Scope => {
                self.reach = if self.is_here() {
                    Reach::All
                } else {
                    Reach::Here
                };
                self.list.follow_best();
                self.search(host);
            }
            Action::Prompts => return self.open_prompts(View::Prompts, host),
            Action::Deleted => return self.open_prompts(View::Deleted, host),
            Action::Sort => self.next_order(host),
            Action::Hidden => {
                self.hidden_kinds = self.hidden_kinds.other();
                self.search(host);
                if self.hidden_kinds == Switch::On {
                    // Files that are hidden by their name alone were not opened yet.
                    host.ask(Request::Rescan(ScanDepth::Everything));
                }
            }
            Action::Forks => self.toggle_family(host),
            Action::Mark => self.mark(host),
            Action::CopyId | Action::CopyCommand | Action::CopyPath => {
                let cursor = self.list.cursor().filter(|_| self.marked.is_empty());
                let rows = self.marked.iter().copied().chain(cursor);
                let rows = rows.filter_map(|id| self.row(id, host.data));
                let texts = rows.map(|row| copied(row, action, host.context));
                copy(&texts.collect::<Vec<_>>(), self.marked.len(), action, host);
            }
            Action::Refresh => host.ask(Request::Rescan(match self.hidden_kinds {
                Switch::On => ScanDepth::Everything,
                Switch::Off => ScanDepth::Candidates,
            })),
            Action::Back => return self.back(host),
            Action::TakeSuggestion if self.take_suggestion() => self.query_changed(host),
            Action::TakeSuggestion => host.tell("no other word is suggested"),
            Action::Edit(how) if self.focus == Focus::List => {
                self.query.edit(how);
                self.query_changed(host);
            }
            Action::Edit(how) => self.reader.edit_find(|input| input.edit(how)),
            _ => {}
        }
        Flow::Stay
    }

    /// A key for the reader. `None` if it is for something else.
    fn read(&mut self, action: Action, host: &mut Host<'_>) -> Option<Flow> {
        let pane = self.reader_pane(host.context);
        let reader = &mut self.reader;
        match action {
            Action::NextPrompt => reader.next_prompt(Direction::Forward, pane, host),
            Action::PreviousPrompt => reader.next_prompt(Direction::Back, pane, host),
            Action::Folds => {
                let words = reader.next_level(pane);
                host.tell(words);
            }
            Action::Thinking | Action::Noise => {
                let (shown, what) = match action {
                    Action::Thinking => (&mut reader.options.thinking, "thinking"),
                    _ => (
                        &mut reader.options.noise,
                        "notes of hooks and of Claude Code",
                    ),
                };
                *shown = shown.other();
                host.tell(match shown {
                    Visibility::Shown => format!("with {what}"),
                    Visibility::Hidden => format!("without {what}"),
                });
                reader.hold_message(pane);
            }
            Action::Toggle => match reader.fold_here() {
                Some(fold) => reader.toggle(fold),
                None if reader.is_on_files() => host.tell("nothing to expand here"),
                None => return Some(self.resume(Wish::Continue, host)),
            },
            Action::Branches => return Some(self.branches(host)),
            Action::CopyMessage => reader.take_message(Take::Copy, host),
            Action::OpenMessage => reader.take_message(Take::Open(Opener::Pager), host),
            Action::EditMessage => reader.take_message(Take::Open(Opener::Editor), host),
            Action::ScrollPreview(motion) => reader.scroll(motion, pane),
            action => return reader.on_action(action, pane, host).then_some(Flow::Stay),
        }
        Some(Flow::Stay)
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
            self.revealed = None;
            self.list.follow_best();
            self.search(host);
        }
    }

    fn open_prompts(&self, view: View, host: &mut Host<'_>) -> Flow {
        let row = self.cursor_row(host.data);
        let session = row.map(|row| row.session.file.id.to_string());
        let query = match view {
            View::Prompts => self.query.input.text(),
            View::Deleted => "",
        };
        let prompts = Prompts::new(view, query, session, host.context);
        Flow::Push(Screen::Prompts(Box::new(prompts)))
    }

    /// Shows the branches, if there are several.
    pub(super) fn branches(&self, host: &mut Host<'_>) -> Flow {
        match (self.reader.page(), self.cursor_row(host.data)) {
            (Some(page), Some(row)) if page.branches.len() > 1 => {
                let leaf = self.reader.leaf.as_deref();
                let branches = Branches::new(&row.title(), page.branches.clone(), leaf);
                return Flow::Push(Screen::Branches(branches));
            }
            (Some(page), Some(_)) if page.known == Coverage::Whole => {
                host.tell("this conversation has one branch: nothing was rewound");
            }
            _ => host.tell("the conversation is still loading"),
        }
        Flow::Stay
    }

    fn next_order(&mut self, host: &mut Host<'_>) {
        let (order, words) = match self.order {
            Sort::Activity => (Sort::Created, "sorted by start"),
            Sort::Created => (Sort::Size, "sorted by size"),
            Sort::Size => (Sort::Title, "sorted by title"),
            Sort::Title => (Sort::Activity, "sorted by last activity"),
        };
        self.order = order;
        host.tell(words);
        self.list.follow_best();
        self.search(host);
    }

    fn toggle_family(&mut self, host: &mut Host<'_>) {
        let cursor = self.list.cursor();
        let row = cursor.filter(|row| self.kin(*row, host.data).is_some());
        match row.and_then(|row| self.families.of(row, host.data)) {
            Some(family) => {
                self.list.touch();
                self.families.toggle(family);
                self.regroup(host.env());
            }
            None => host.tell("this session has no forks and no copies"),
        }
    }

    /// Marks or unmarks the row under the cursor, and goes on to the next.
    fn mark(&mut self, host: &mut Host<'_>) {
        let Some(row) = self.list.cursor() else {
            return;
        };
        if !self.marked.remove(&row) {
            self.marked.insert(row);
        }
        self.lost_marks = 0;
        self.list.go(Motion::Lines(1), self.pane(host.context));
    }

    /// Esc: clear what is typed, close what is open, go back.
    fn back(&mut self, host: &mut Host<'_>) -> Flow {
        match self.focus {
            Focus::Preview if self.reader.find.is_some() => self.reader.find = None,
            Focus::Preview => self.focus = Focus::List,
            Focus::List if self.query.keep_typed(&host.context.now) => {
                self.list.follow_best();
                self.search(host);
            }
            Focus::List if !self.query.input.is_empty() => {
                self.query.input.clear();
                self.query_changed(host);
            }
            Focus::List if self.has_marks() => {
                self.marked.clear();
                self.lost_marks = 0;
                host.tell("nothing is marked");
            }
            Focus::List if self.families.close() => self.regroup(host.env()),
            Focus::List => return Flow::Pop,
        }
        Flow::Stay
    }

    /// Is a reply to Enter still missing?
    pub(super) fn is_waiting(&self) -> bool {
        matches!(
            self.pending,
            Some(Pending::Rows(_) | Pending::Check(..) | Pending::Probe(_))
        )
    }
}

/// What is copied of a row.
pub fn copied(row: &crate::list::Row, action: Action, context: &Context) -> String {
    match action {
        Action::CopyCommand => {
            let mut plan = Plan::new(&row.session, &context.setting.launch);
            // An answer of the command line counts here, too.
            if let Some(Answer::GoTo(path)) = context.setting.answers.get(Topic::Directory) {
                plan.directory = Some(path.clone());
            }
            plan.command_line()
        }
        Action::CopyPath => {
            let path = row.session.file.path().to_string_lossy().into_owned();
            // Without its control characters it would name another file.
            if sanitize_whole(&path) == path {
                path
            } else {
                printable(&[path])
            }
        }
        _ => row.session.file.id.to_string(),
    }
}

/// Puts texts on the clipboard, one per line: those of so many marked rows, or of the one under the
/// cursor.
pub fn copy(texts: &[String], marked: usize, action: Action, host: &mut Host<'_>) {
    let what = match (action, marked) {
        _ if texts.is_empty() => return,
        (Action::CopyCommand, 0) => "the command",
        (Action::CopyCommand, 1) => "the command of the marked session",
        (Action::CopyCommand, _) => "the commands of the marked sessions",
        (Action::CopyPath, 0) => "the path",
        (Action::CopyPath, 1) => "the path of the marked session",
        (Action::CopyPath, _) => "the paths of the marked sessions",
        (_, 0) => "the id",
        (_, 1) => "the id of the marked session",
        (_, _) => "the ids of the marked sessions",
    };
    let text = texts.join("\n");
    host.effect(Effect::Copy { what, text });
}
