//! One line to type on a card: a directory, with completion.

use std::path::PathBuf;

use ratatui::Frame;
use ratatui::layout::Position;
use ratatui::text::{Line, Span};

use super::{Flow, Returned};
use crate::text::width;
use crate::tui::widgets::{
    Card, Input, card_area, clean, columns, draw_card, indented, line_of, window,
};
use crate::tui::{Action, Context, Host, Message, PathRequest, Request};

/// Completions that are listed.
const MOST_OFFERS: usize = 8;

#[derive(Debug, Default)]
pub struct LineEntry {
    /// What is above the line.
    card: Card,
    pub input: Input,
    /// The completions of the typed text.
    pub offers: Vec<String>,
    pub mistake: Option<&'static str>,
}

/// What a typed text is, and could be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathReply {
    pub request: PathRequest,
    /// Its completions.
    pub offers: Vec<String>,
    /// The directory that it is.
    pub directory: Option<PathBuf>,
}

impl LineEntry {
    /// Asks for a directory in place of the choices of a card.
    pub fn directory(card: &Card) -> Self {
        Self {
            card: card.clone(),
            ..Self::default()
        }
    }

    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        let typed = self.input.text().to_owned();
        match action {
            Action::Back => return Flow::Pop,
            Action::Edit(how) => {
                self.input.edit(how);
                self.edited();
            }
            Action::Complete => host.ask(Request::Path(PathRequest::Complete(typed))),
            Action::Choose if typed.is_empty() => {
                self.mistake = Some("type a directory, or go back with Esc");
            }
            Action::Choose => host.ask(Request::Path(PathRequest::Enter(typed))),
            _ => {}
        }
        Flow::Stay
    }

    pub fn on_text(&mut self, text: &str) -> Flow {
        // The line break of a pasted path is not part of its name.
        self.input.insert(text.trim_end_matches(['\r', '\n']));
        self.edited();
        Flow::Stay
    }

    fn edited(&mut self) {
        self.offers.clear();
        self.mistake = None;
    }

    pub fn awaits(&self, reply: &Message) -> bool {
        match reply {
            Message::Path(reply) => reply.request.typed() == self.input.text(),
            _ => false,
        }
    }

    pub fn on_reply(&mut self, reply: Message) -> Flow {
        let Message::Path(reply) = reply else {
            return Flow::Stay;
        };
        match (reply.request, reply.directory) {
            (PathRequest::Enter(_), Some(path)) => {
                return Flow::Return(Returned::Directory(path));
            }
            (PathRequest::Enter(_), None) => {
                self.mistake = Some("not a directory you can enter");
            }
            (PathRequest::Complete(typed), directory) => {
                let common = common_prefix(&reply.offers);
                if let Some(common) = common.filter(|common| common.len() > typed.len()) {
                    self.input = Input::new(&common);
                }
                self.mistake = match directory {
                    _ if !reply.offers.is_empty() => None,
                    Some(_) => Some("no subdirectories. Enter chooses this one"),
                    None => Some("no such directory"),
                };
                self.offers = reply.offers;
            }
        }
        Flow::Stay
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) -> Option<Position> {
        let area = card_area(context);
        let theme = context.theme();
        let room = usize::from(area.width.saturating_sub(2));
        let mut lines: Vec<Line<'_>> = self.card.head(room, theme).collect();
        let mut below = Vec::new();
        if let Some(mistake) = self.mistake {
            below.extend(indented(mistake, room, theme.broken()));
        }
        // A single one is typed already.
        let offers = self.offers.iter().filter(|_| self.offers.len() > 1);
        for offer in offers.take(MOST_OFFERS) {
            let offer = clean(offer, room.saturating_sub(5), theme);
            below.extend(indented(&offer, room, theme.dim()));
        }
        if self.offers.len() > MOST_OFFERS {
            let more = format!("and {} more", self.offers.len() - MOST_OFFERS);
            below.extend(indented(&more, room, theme.dim()));
        }
        // The line stays visible, whatever has to scroll away above it.
        let height = usize::from(area.height.saturating_sub(1)).max(1);
        let most = height.saturating_sub(1 + below.len());
        if lines.len() > most {
            let headline = most.min(1);
            lines.drain(headline..lines.len() + headline - most);
        }
        let at = columns(lines.len());
        let signs = theme.signs();
        let label = format!(" {} directory {} ", signs.bar, signs.prompt);
        let (typed, caret) = window(
            self.input.text(),
            self.input.cursor_column(),
            room.saturating_sub(width(&label)),
        );
        let before = columns(width(&label) + caret);
        lines.push(Line::from(vec![
            Span::styled(label, theme.you()),
            Span::styled(typed, theme.text()),
        ]));
        lines.extend(below);
        lines.truncate(height);
        draw_card(&lines, "", context, frame.buffer_mut());
        let row = line_of(area, at);
        (!row.is_empty()).then(|| Position::new(row.x.saturating_add(before), row.y))
    }
}

/// The common prefix of all completions.
fn common_prefix(offers: &[String]) -> Option<String> {
    let mut common = offers.first()?.clone();
    while !offers.iter().all(|offer| offer.starts_with(&common)) {
        common.pop();
    }
    Some(common)
}
