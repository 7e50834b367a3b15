//! The screens. The picker shows a stack of them: keys go to the top one, Esc goes back to the one
//! below it, which is as it was left.
//!
//! Each file holds one screen: its state, what its keys do, and how it is drawn.

mod batch;
mod branches;
mod clip;
mod confirm;
mod help;
mod launch;
mod line_entry;
mod prompts;
mod question;
mod sessions;
mod stack;

use std::path::PathBuf;

use crossterm::event::{MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Position;

use super::layout::step;
use super::widgets::{Card, Footer, Motion};
use super::{
    Action, Binding, Context, Data, Density, Env, Focus, Host, KeyLayer, Message, Outcome, layers,
};
use crate::resume::{Answer, Wish};
use crate::search::RowId;

pub use batch::BatchCard;
pub use branches::Branches;
pub use clip::ClipCard;
pub use confirm::Confirm;
pub use help::Help;
pub use launch::{Beginning, Chosen, Probed};
pub use line_entry::{LineEntry, PathReply};
pub use prompts::{
    EnterMode, HistoryNews, HistoryScope, PastRow, PastSpan, PastText, Progress, Prompts,
};
pub use question::Question;
pub use sessions::{Pending, RevealTarget, SelectionGuard, Sessions};
pub use stack::Stack;

/// Percent that one key press moves the divider by.
const SPLIT_STEP: i16 = 4;
/// Lines that one notch of the wheel scrolls.
const WHEEL: isize = 3;

#[derive(Debug)]
pub enum Screen {
    Sessions(Box<Sessions>),
    Prompts(Box<Prompts>),
    Branches(Branches),
    Help(Help),
    Question(Box<Question>),
    Batch(Box<BatchCard>),
    Clip(Box<ClipCard>),
    Confirm(Box<Confirm>),
    LineEntry(Box<LineEntry>),
}

/// What happens to the stack after a screen has handled something.
#[derive(Debug)]
#[must_use]
pub enum Flow {
    Stay,
    Push(Screen),
    /// Back to the screen below; from the last one, out of the picker.
    Pop,
    /// Back to the screen below, which gets this.
    Return(Returned),
    Leave(Outcome),
}

/// What a screen hands back to the one below it.
#[derive(Debug, Clone)]
pub enum Returned {
    /// Show this branch, or the one that resume takes.
    Branch(Option<String>),
    Directory(PathBuf),
    Answer(Answer),
    /// Do this, although it was asked about.
    Confirmed(Action),
    /// Resume these rows.
    Rows(Wish, Vec<RowId>),
    /// Resume this row, although the reader shows another branch.
    Anyway(Wish, RowId),
    /// None of what was offered.
    Neither,
    /// Read the conversation instead of resuming it.
    Read,
}

impl Screen {
    /// Does it show a list beside a preview?
    pub fn has_panes(&self) -> bool {
        matches!(self, Self::Sessions(_) | Self::Prompts(_))
    }

    /// Does it cover the whole terminal?
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Branches(_) | Self::Help(_))
    }

    /// Does it leave the mouse to the terminal, which selects text?
    pub fn leaves_mouse(&self) -> bool {
        matches!(self, Self::Clip(_))
    }

    /// The groups of keys that count here, from the top down.
    pub fn layers(&self) -> &'static [KeyLayer] {
        match self {
            Self::Sessions(screen) => screen.layers(),
            Self::Prompts(screen) => screen.layers(),
            Self::Branches(_) => layers::BRANCHES,
            Self::Help(_) => layers::HELP,
            Self::Question(_) | Self::Batch(_) | Self::Clip(_) | Self::Confirm(_) => layers::CARD,
            Self::LineEntry(_) => layers::ENTRY,
        }
    }

    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match self {
            Self::Sessions(screen) => screen.on_action(action, host),
            Self::Prompts(screen) => screen.on_action(action, host),
            Self::Branches(screen) => screen.on_action(action, host),
            Self::Help(screen) => screen.on_action(action, host),
            Self::Question(_) | Self::Confirm(_) => self.on_card(action, host),
            Self::Batch(screen) => screen.on_action(action, host),
            Self::Clip(screen) => screen.on_action(action, host.context),
            Self::LineEntry(screen) => screen.on_action(action, host),
        }
    }

    /// Text was typed or pasted.
    pub fn on_text(&mut self, text: &str, host: &mut Host<'_>) -> Flow {
        match self {
            Self::Sessions(screen) => screen.on_text(text, host),
            Self::Prompts(screen) => screen.on_text(text, host),
            // A digit takes a choice at once.
            Self::Question(_) | Self::Confirm(_) => match text.parse::<usize>() {
                Ok(number @ 1..) => self.choose(number - 1, host),
                _ => Flow::Stay,
            },
            Self::LineEntry(screen) => screen.on_text(text),
            Self::Branches(_) | Self::Help(_) | Self::Batch(_) | Self::Clip(_) => Flow::Stay,
        }
    }

    pub fn on_mouse(&mut self, event: MouseEvent, host: &mut Host<'_>) -> Flow {
        let line = event.row;
        match (self, event.kind) {
            (Self::Sessions(screen), _) => screen.on_mouse(event, host),
            (Self::Prompts(screen), _) => screen.on_mouse(event, host),
            (other, MouseEventKind::ScrollUp) => other.wheel(-1, host),
            (other, MouseEventKind::ScrollDown) => other.wheel(1, host),
            (Self::Branches(screen), MouseEventKind::Down(_)) => screen.click(line, host.context),
            (other, MouseEventKind::Down(_)) => {
                let choice = other.card().map(|card| card.choice_at(line, host.context));
                match choice.flatten() {
                    Some(Some(at)) => other.choose(at, host),
                    Some(None) => Flow::Stay,
                    None => Flow::Pop,
                }
            }
            _ => Flow::Stay,
        }
    }

    /// A notch is one choice, or some lines of a text.
    fn wheel(&mut self, direction: isize, host: &mut Host<'_>) -> Flow {
        let lines = match self {
            Self::Help(_) | Self::Batch(_) | Self::Clip(_) => WHEEL,
            _ => 1,
        };
        self.on_action(Action::Move(Motion::Lines(direction * lines)), host)
    }

    /// The card with choices that it is.
    fn card(&self) -> Option<&Card> {
        match self {
            Self::Question(screen) => Some(&screen.card),
            Self::Confirm(screen) => Some(&screen.card),
            _ => None,
        }
    }

    fn card_mut(&mut self) -> Option<&mut Card> {
        match self {
            Self::Question(screen) => Some(&mut screen.card),
            Self::Confirm(screen) => Some(&mut screen.card),
            _ => None,
        }
    }

    fn on_card(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match (action, self.card_mut()) {
            (Action::Move(motion), Some(card)) => card.go(motion, host.context),
            (Action::Choose, Some(card)) => {
                let at = card.cursor;
                return self.choose(at, host);
            }
            (Action::Back, _) => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    fn choose(&mut self, at: usize, host: &mut Host<'_>) -> Flow {
        match self {
            Self::Question(screen) => screen.choose(at, host),
            Self::Confirm(screen) => screen.choose(at),
            _ => Flow::Stay,
        }
    }

    /// Does it wait for this reply? If no screen does, the reply is stale.
    pub fn awaits(&self, reply: &Message) -> bool {
        match self {
            Self::Sessions(screen) => screen.awaits(reply),
            Self::Prompts(screen) => screen.awaits(reply),
            Self::LineEntry(screen) => screen.awaits(reply),
            _ => false,
        }
    }

    pub fn on_reply(&mut self, reply: Message, host: &mut Host<'_>) -> Flow {
        match self {
            Self::Sessions(screen) => screen.on_reply(reply, host),
            Self::Prompts(screen) => screen.on_reply(reply, host),
            Self::LineEntry(screen) => screen.on_reply(reply),
            _ => Flow::Stay,
        }
    }

    /// The screen above it is gone and left this.
    pub fn on_return(&mut self, returned: Returned, host: &mut Host<'_>) -> Flow {
        match self {
            Self::Sessions(screen) => screen.on_return(returned, host),
            Self::Prompts(screen) => screen.on_return(&returned, host),
            Self::Question(screen) => screen.on_return(returned, host),
            _ => Flow::Stay,
        }
    }

    /// It has become the top screen with panes: what it shows is asked for again.
    pub fn on_show(&mut self, host: &mut Host<'_>) {
        match self {
            Self::Sessions(screen) => screen.on_show(host),
            Self::Prompts(screen) => screen.on_show(host),
            _ => {}
        }
    }

    /// Input cancels whatever was waiting for a reply.
    pub fn cancel(&mut self) {
        match self {
            Self::Sessions(screen) => screen.pending = None,
            Self::Prompts(screen) => screen.cancel(),
            _ => {}
        }
    }

    /// Looks up how the query could go on.
    pub fn complete(&mut self, data: &Data) {
        match self {
            Self::Sessions(screen) => screen.query.complete(data.values(), |_| true),
            Self::Prompts(screen) => screen.complete(data),
            _ => {}
        }
    }

    /// The panes or the terminal got another size.
    pub fn fit(&mut self, context: &Context) {
        if let Self::Sessions(screen) = self {
            screen.fit(context);
        }
    }

    /// What tells one question from another, for the guard against keys that were pressed before it
    /// could be read.
    pub fn question(&self) -> Option<&str> {
        match self {
            Self::Batch(_) => Some("several sessions"),
            Self::Clip(_) => Some("a text"),
            other => Some(&other.card()?.headline),
        }
    }

    /// The word for a key in the footer, where this screen has another one than usual.
    pub fn word(&self, binding: &Binding) -> Option<&'static str> {
        match (self, binding.action) {
            (Self::Clip(_), Action::Choose) => Some("close"),
            _ => None,
        }
    }

    /// Draws the screen. Returns the position of the caret, if there is one.
    pub fn draw(&self, env: Env<'_>, frame: &mut Frame<'_>) -> Option<Position> {
        match self {
            Self::Sessions(screen) => return screen.draw(env, frame.buffer_mut()),
            Self::Prompts(screen) => return screen.draw(env, frame.buffer_mut()),
            Self::LineEntry(screen) => return screen.draw(env.context, frame),
            Self::Branches(screen) => screen.draw(env.context, frame),
            Self::Help(screen) => screen.draw(env.context, frame),
            Self::Question(screen) => screen.card.draw(env.context, frame),
            Self::Batch(screen) => screen.draw(env.context, frame),
            Self::Clip(screen) => screen.draw(env.context, frame),
            Self::Confirm(screen) => screen.card.draw(env.context, frame),
        }
        None
    }

    /// What a screen with panes says in the footer, while these layers have the keys.
    pub fn footer<'a>(
        &'a self,
        layers: &'static [KeyLayer],
        env: Env<'a>,
        draw: impl FnOnce(Footer<'_>),
    ) {
        match self {
            Self::Sessions(screen) => screen.footer(layers, env, draw),
            Self::Prompts(screen) => screen.footer(layers, env, draw),
            _ => {}
        }
    }
}

/// A key that changes the panes. Returns whether it did.
fn change_panes(action: Action, focus: &mut Focus, context: &mut Context) -> bool {
    let layout = context.layout(*focus);
    let mut move_split = |by: i16| {
        if let Some(share) = context.panes.share_mut(layout.arrangement, *focus) {
            *share = step(*share, by);
        }
    };
    match action {
        Action::GrowPreview => move_split(-SPLIT_STEP),
        Action::ShrinkPreview => move_split(SPLIT_STEP),
        Action::TogglePreview => {
            context.panes.preview = context.panes.preview.other();
            *focus = Focus::List;
        }
        Action::Density => {
            context.panes.density = match layout.density(context.panes) {
                Density::One => Density::Two,
                Density::Two => Density::Three,
                Density::Three | Density::Auto => Density::One,
            };
        }
        _ => return false,
    }
    true
}
