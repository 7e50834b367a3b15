//! The state of the picker, and the one way in which messages change it.
//!
//! No files, no clock, no threads: everything the picker knows came with a message. What it wants
//! done stays in its outbox until it is taken.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset};
use crossterm::event::{KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::clipboard::{Clip, Copied};
use super::guard::{Sight, TooSoon};
use super::screens::{
    ClipCard, Flow, Help, HistoryNews, Pending, Prompts, Screen, SelectionGuard, Sessions, Stack,
};
use super::widgets::{Footer, QueryLine, draw_footer};
use super::{
    Action, Chord, Context, Data, Effect, Env, Focus, FrameCause, Host, KeyLayer, Memory, Message,
    Notice, Outcome, Scan, Setting, Switch, layers,
};
use crate::search::{Generation, View};

#[derive(Debug)]
pub struct App {
    pub context: Context,
    pub data: Data,
    pub screens: Stack,
    pub status: Option<Notice>,
    /// What was copied last without proof. The same key shows it.
    unproven: Option<Copied>,
    outbox: Vec<Effect>,
    generation: Generation,
    has_answer: bool,
    /// How often another row came under the cursor by itself.
    shifts: u64,
    /// What was remembered when the picker started.
    memory: Memory,
}

impl App {
    pub fn new(setting: Setting, memory: Memory, query: &str, now: DateTime<FixedOffset>) -> Self {
        let sessions = Sessions::new(QueryLine::new(query, &now), memory);
        Self {
            context: Context {
                setting,
                now,
                area: Rect::new(0, 0, 80, 24),
                panes: memory.panes,
                mouse: Switch::On,
            },
            data: Data::default(),
            screens: Stack::new(Screen::Sessions(Box::new(sessions))),
            status: None,
            unproven: None,
            outbox: Vec::new(),
            generation: Generation::default(),
            has_answer: false,
            shifts: 0,
            memory,
        }
    }

    /// Starts with the prompt history instead of the sessions.
    pub fn start_with(&mut self, prompts: Prompts) {
        self.screens = Stack::new(Screen::Prompts(Box::new(prompts)));
    }

    /// Puts the cursor on a session as soon as it is read.
    pub fn select(&mut self, session: String, is_hidden: bool) {
        if let Screen::Sessions(sessions) = self.screens.base_mut() {
            sessions.pending = Some(Pending::Select(session));
            if is_hidden {
                sessions.hidden_kinds = Switch::On;
            }
        }
    }

    /// Asks for what the first screen shows.
    pub fn begin(&mut self) {
        let (screens, mut host) = self.split();
        screens.base_mut().on_show(&mut host);
        self.settle(None, FrameCause::Background);
    }

    /// What is to be done. It stays here until it is taken, so no caller can drop it.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.outbox)
    }

    /// Has something arrived since the last call that a key, or the start, was waiting for?
    pub fn take_cause(&mut self) -> FrameCause {
        if std::mem::take(&mut self.has_answer) {
            FrameCause::Answer
        } else {
            FrameCause::Background
        }
    }

    /// What the next run remembers.
    pub fn memory(&self) -> Memory {
        match self.screens.first() {
            Screen::Sessions(sessions) => sessions.memory(&self.context),
            _ => Memory {
                panes: self.context.panes,
                ..self.memory
            },
        }
    }

    pub fn layers(&self) -> &'static [KeyLayer] {
        self.screens.top().layers()
    }

    /// What keys may come too soon for.
    pub fn sight(&self) -> Sight<'_> {
        let top = self.screens.top();
        Sight {
            question: top.question(),
            shifts: top.has_panes().then_some(self.shifts),
            layers: top.layers(),
            keymap: &self.context.setting.keymap,
        }
    }

    /// A key was held back. What is said already may be the reason.
    pub fn held_back(&mut self, too_soon: TooSoon) {
        if too_soon == TooSoon::Row {
            let text = "nothing was done: another row is under the cursor now. Look again";
            let notice = || Notice::Trouble(text.to_owned());
            self.status.get_or_insert_with(notice);
        }
    }

    fn split(&mut self) -> (&mut Stack, Host<'_>) {
        let host = Host {
            context: &mut self.context,
            data: &self.data,
            status: &mut self.status,
            effects: &mut self.outbox,
            generation: &mut self.generation,
            has_answer: &mut self.has_answer,
            shifts: &mut self.shifts,
        };
        (&mut self.screens, host)
    }

    /// Applies a message.
    pub fn update(&mut self, message: Message) {
        let cause = match message {
            Message::Key(_) | Message::Mouse(_) | Message::Paste(_) => FrameCause::Input,
            _ => FrameCause::Background,
        };
        let completes = cause == FrameCause::Input || matches!(message, Message::Names(_));
        let before = self.screens.base_index();
        let guard = match self.screens.base() {
            Screen::Sessions(sessions) => Some(sessions.guard(&self.context)),
            _ => None,
        };
        match message {
            Message::Key(key) => self.press(key),
            Message::Mouse(event) => self.point(event),
            // Pasted text answers no question.
            Message::Paste(_) if self.screens.top().question().is_some() => {}
            Message::Paste(text) => {
                let (screens, mut host) = self.split();
                let flow = screens.top_mut().on_text(&text, &mut host);
                self.follow(flow);
            }
            Message::Resize { columns, rows } => {
                self.context.area.width = columns;
                self.context.area.height = rows;
                self.screens.base_mut().fit(&self.context);
            }
            Message::Clock(now) => self.context.now = now,
            Message::Tell(notice) => self.status = Some(notice),
            Message::ToTerminal { text, multiplexer } => {
                self.outbox.push(Effect::ToTerminal { text, multiplexer });
            }
            Message::Copied(copied) => self.copied(copied),
            Message::Leave(outcome) => self.leave(outcome),
            news => self.learn(news),
        }
        let guard = guard.filter(|_| self.screens.base_index() == before);
        self.settle(guard, cause);
        if completes {
            self.screens.base_mut().complete(&self.data);
        }
    }

    /// Hands a reply to the screen that waits for it. The only place where stale replies end.
    fn deliver(&mut self, reply: Message) {
        let (screens, mut host) = self.split();
        let screen = screens
            .iter_mut()
            .rev()
            .find(|screen| screen.awaits(&reply));
        if let Some(screen) = screen {
            let flow = screen.on_reply(reply, &mut host);
            self.follow(flow);
        }
    }

    /// Takes what the workers report.
    fn learn(&mut self, news: Message) {
        match news {
            Message::Listed(total) => self.data.scan = Scan::Reading { read: 0, total },
            Message::Rows(rows) => {
                self.each(|sessions, host| sessions.rows_change(&rows, host));
                self.data.put_rows(rows);
                self.each(Sessions::rows_changed);
            }
            Message::Unchecked(rows) => self.data.put_unchecked(rows),
            Message::Checked(rows) => {
                self.data.put_checked(&rows);
                self.deliver(Message::Checked(rows));
            }
            Message::Related(members) => {
                self.data.put_forks(&members);
                self.each(|sessions, host| sessions.regroup(host.env()));
            }
            Message::Scanned(trouble) => {
                self.data.scan = Scan::Over(trouble);
                let (screens, mut host) = self.split();
                if let Screen::Sessions(sessions) = screens.base_mut() {
                    sessions.scan_over(&mut host);
                }
            }
            Message::Here(here) => {
                let is_first = self.data.here.replace(here).is_none();
                let mut is_other = false;
                self.each(|sessions, host| {
                    is_other = sessions.here_changed(is_first, host.data);
                });
                let (screens, mut host) = self.split();
                if let (Screen::Sessions(sessions), true) = (screens.base_mut(), is_other) {
                    sessions.search_again(&mut host);
                }
            }
            Message::Running(running) => self.data.running = running,
            Message::Names(names) => self.data.names = names,
            Message::History(HistoryNews::Projects(names)) => self.data.prompt_projects = names,
            Message::History(HistoryNews::Anew) => self.forget_prompts(),
            reply => self.deliver(reply),
        }
    }

    /// Every picker of sessions, from the bottom up. Only the base may search: the worker keeps one
    /// search, and a screen searches again when it comes to the top.
    fn each(&mut self, mut change: impl FnMut(&mut Sessions, &mut Host<'_>)) {
        let (screens, mut host) = self.split();
        for screen in screens.iter_mut() {
            if let Screen::Sessions(sessions) = screen {
                change(sessions, &mut host);
            }
        }
    }

    /// The file of the history was replaced.
    fn forget_prompts(&mut self) {
        let (screens, mut host) = self.split();
        for screen in screens.iter_mut() {
            if let Screen::Prompts(prompts) = screen {
                prompts.forget(host.context);
            }
        }
        if let Screen::Prompts(prompts) = screens.base_mut() {
            prompts.search(&mut host);
        }
    }

    fn press(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        self.status = None;
        let unproven = self.unproven.take();
        self.screens.top_mut().cancel();
        // This key always leaves, whatever the configuration says.
        if Chord::parse("ctrl-c") == Some(Chord::of(key)) {
            return self.leave(Outcome::Interrupted);
        }
        let keymap = &self.context.setting.keymap;
        if let Some(action) = keymap.action(self.layers(), key) {
            self.act(action);
            return self.show_again(unproven);
        }
        let is_of_sessions = keymap.action(layers::SESSION_LIST, key).is_some();
        let (screens, mut host) = self.split();
        if let Some(c) = Chord::typed(key) {
            let flow = screens
                .top_mut()
                .on_text(c.encode_utf8(&mut [0; 4]), &mut host);
            self.follow(flow);
        } else if let (Screen::Prompts(_), true) = (screens.top(), is_of_sessions) {
            host.tell("this key works only in the session list");
        }
    }

    /// Does what a key asks for: here what is the same everywhere, the rest on the top screen.
    fn act(&mut self, action: Action) {
        let (screens, mut host) = self.split();
        let flow = match action {
            Action::Interrupt => Flow::Leave(Outcome::Interrupted),
            Action::Suspend => {
                host.effect(Effect::Suspend);
                Flow::Stay
            }
            Action::Refresh => {
                host.effect(Effect::Redraw);
                screens.base_mut().on_action(action, &mut host)
            }
            Action::Mouse if screens.top().leaves_mouse() => {
                host.tell("the mouse is off as long as this text is shown");
                Flow::Stay
            }
            Action::Mouse => {
                host.context.mouse = host.context.mouse.other();
                host.tell(match host.context.mouse {
                    Switch::On => "mouse on",
                    Switch::Off => "mouse off: the terminal selects text again",
                });
                Flow::Stay
            }
            Action::Help if screens.top().has_panes() => Flow::Push(Screen::Help(Help::default())),
            Action::Help if !screens.top().is_full() => {
                host.tell(match screens.top() {
                    Screen::LineEntry(_) => {
                        "Tab completes, Enter takes the directory, Esc goes back"
                    }
                    Screen::Clip(_) => "Enter or Esc closes this text",
                    _ => "Enter or a digit takes a choice, Esc goes back",
                });
                Flow::Stay
            }
            action => screens.top_mut().on_action(action, &mut host),
        };
        self.follow(flow);
    }

    fn point(&mut self, event: MouseEvent) {
        if let MouseEventKind::Down(_) = event.kind {
            self.status = None;
            self.unproven = None;
            self.screens.top_mut().cancel();
        }
        let (screens, mut host) = self.split();
        let flow = screens.top_mut().on_mouse(event, &mut host);
        self.follow(flow);
    }

    /// Says what became of a copy. A text that reached nothing is shown.
    fn copied(&mut self, copied: Copied) {
        if copied.is_lost() {
            return self.show_clip(copied);
        }
        self.status = Some(copied.notice());
        if !copied.is_proven() {
            self.unproven = Some(copied);
        }
    }

    /// Shows a text that is copied once more because it did not arrive.
    fn show_again(&mut self, unproven: Option<Copied>) {
        let is_again = |effect: &Effect, copied: &Copied| match effect {
            Effect::Copy { what, text } => Clip::new(what, text) == copied.clip,
            _ => false,
        };
        let last = self.outbox.last();
        if let Some(copied) = unproven.filter(|it| last.is_some_and(|last| is_again(last, it))) {
            self.outbox.pop();
            self.show_clip(copied);
        }
    }

    fn show_clip(&mut self, copied: Copied) {
        self.status = None;
        if self.screens.top().leaves_mouse() {
            self.screens.pop();
        }
        let card = ClipCard::new(copied);
        self.screens.push(Screen::Clip(Box::new(card)));
    }

    /// Does the picker take the mouse now?
    pub fn mouse(&self) -> Switch {
        if self.screens.top().leaves_mouse() {
            Switch::Off
        } else {
            self.context.mouse
        }
    }

    /// Changes the stack as a screen asked for it.
    fn follow(&mut self, flow: Flow) {
        match flow {
            Flow::Stay => {}
            // Back to the history that led here, rather than another one on top of it.
            Flow::Push(Screen::Prompts(next))
                if next.view == View::Prompts
                    && next.query.given.is_empty()
                    && matches!(self.screens.below(), Some(Screen::Prompts(_))) =>
            {
                self.close();
            }
            Flow::Push(screen) => {
                let has_panes = screen.has_panes();
                self.screens.push(screen);
                if has_panes {
                    self.show();
                }
            }
            Flow::Pop => self.close(),
            Flow::Return(returned) => {
                self.screens.pop();
                let (screens, mut host) = self.split();
                let flow = screens.top_mut().on_return(returned, &mut host);
                self.follow(flow);
            }
            Flow::Leave(outcome) => self.leave(outcome),
        }
    }

    /// Back to the screen below, or out.
    fn close(&mut self) {
        match self.screens.pop() {
            Some(gone) if gone.has_panes() => self.show(),
            Some(_) => {}
            None => self.leave(Outcome::Nothing),
        }
    }

    /// A screen with panes has come to the top.
    fn show(&mut self) {
        let (screens, mut host) = self.split();
        let screen = screens.base_mut();
        screen.fit(host.context);
        screen.on_show(&mut host);
    }

    fn leave(&mut self, outcome: Outcome) {
        self.outbox.push(Effect::Leave(outcome));
    }

    /// Requests what the panes lack after a message.
    fn settle(&mut self, guard: Option<SelectionGuard>, cause: FrameCause) {
        let (screens, mut host) = self.split();
        let mut is_lost = false;
        match screens.base_mut() {
            Screen::Sessions(sessions) => {
                let is_input = cause == FrameCause::Input;
                is_lost = guard.is_some_and(|guard| sessions.settle(guard, is_input, &mut host));
                sessions.want_excerpts(&mut host);
                sessions.want_page(&mut host);
            }
            Screen::Prompts(prompts) => prompts.want(&mut host),
            _ => {}
        }
        // The branches of a session go with it.
        if is_lost && matches!(self.screens.top(), Screen::Branches(_)) {
            self.screens.pop();
        }
    }

    /// Draws the whole screen. Only visible things are looked at.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let env = Env {
            context: &self.context,
            data: &self.data,
        };
        let top = self.screens.top();
        let mut caret = None;
        if !top.is_full() {
            let base = self.screens.base();
            caret = base.draw(env, frame);
            let area = self.context.layout(Focus::List).footer;
            let status = self.status.as_ref();
            base.footer(top.layers(), env, |footer| {
                let own = |binding| top.word(binding).map(Cow::Borrowed);
                let word = |binding| own(binding).or_else(|| (footer.word)(binding));
                let footer = Footer {
                    word: &word,
                    ..footer
                };
                draw_footer(footer, status, &self.context, area, frame.buffer_mut());
            });
        }
        if !top.has_panes() {
            caret = top.draw(env, frame);
        }
        // The hardware cursor is where text is typed: input methods look for it.
        if let Some(caret) = caret {
            frame.set_cursor_position(caret);
        }
    }
}
