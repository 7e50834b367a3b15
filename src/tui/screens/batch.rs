//! Several marked sessions before they open in tmux windows: what happens to each of them.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::launch::Chosen;
use super::{Flow, motion};
use crate::resume::{Batch, Going};
use crate::tui::context::{Context, Ending};
use crate::tui::host::Host;
use crate::tui::keymap::Action;
use crate::tui::message::Outcome;
use crate::tui::widgets::{
    Motion, card_area, card_headline, clear_card, columns, line_of, put, scrolled, wrapped,
};

/// Columns before a command.
const INDENT: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchCard {
    pub batch: Batch,
    /// The first visible line below the headline.
    pub top: usize,
}

/// A line below the headline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchLine {
    Title(String),
    Decided(String),
    Command(String),
    Heading(String),
    Why(String),
    Blank,
}

impl BatchCard {
    pub fn new(batch: Batch) -> Self {
        Self { batch, top: 0 }
    }

    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match (action, motion(action)) {
            (_, Some(motion)) => self.go(motion, host.context),
            (Action::Choose, _) if !self.batch.going.is_empty() => {
                if host.context.setting.ending == Ending::Explain {
                    let windows = self.batch.going.len();
                    host.tell(format!(
                        "this is the demo; it would open {windows} tmux windows"
                    ));
                    return Flow::Pop;
                }
                let going = std::mem::take(&mut self.batch.going).into_iter();
                // The card has shown what was decided.
                let chosen = going.map(|Going { title, plan, .. }| Chosen::new(title, plan));
                return Flow::Leave(Outcome::Windows(chosen.collect()));
            }
            (Action::Back, _) => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    pub fn go(&mut self, motion: Motion, context: &Context) {
        let (columns, page) = room(context);
        let last = self.lines(columns).len().saturating_sub(page);
        self.top = scrolled(self.top.min(last), motion, page, last);
    }

    /// Everything below the headline, wrapped to so many columns.
    pub fn lines(&self, columns: usize) -> Vec<BatchLine> {
        let room = columns.saturating_sub(INDENT);
        let mut lines = Vec::new();
        let add = |lines: &mut Vec<BatchLine>, text: &str, kind: fn(String) -> BatchLine| {
            lines.extend(wrapped(text, room).into_iter().map(kind));
        };
        for going in &self.batch.going {
            add(&mut lines, &going.title, BatchLine::Title);
            for (finding, answer) in &going.decided {
                let text = format!("{}. {}", finding.headline, finding.label_of(answer));
                add(&mut lines, &text, BatchLine::Decided);
            }
            for note in &going.plan.notes {
                add(&mut lines, &note.line(), BatchLine::Decided);
            }
            let command = going.plan.command_line();
            add(&mut lines, &command, BatchLine::Command);
        }
        if self.batch.staying.is_empty() {
            return lines;
        }
        if !lines.is_empty() {
            lines.push(BatchLine::Blank);
        }
        add(&mut lines, "Left out:", BatchLine::Heading);
        for staying in &self.batch.staying {
            add(&mut lines, &staying.title, BatchLine::Title);
            add(&mut lines, &staying.why, BatchLine::Why);
        }
        lines
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let area = card_area(context);
        let theme = context.theme();
        let (width, page) = room(context);
        let all = self.lines(width);
        let top = self.top.min(all.len().saturating_sub(page));
        let shown: Vec<&BatchLine> = all.iter().skip(top).take(page).collect();
        let buffer = frame.buffer_mut();
        clear_card(area, shown.len() + 1, theme, buffer);
        let headline = card_headline(&self.batch.headline(), "", theme, width);
        put(buffer, line_of(area, 0), &headline);
        for (row, line) in (1..area.height).zip(&shown) {
            let (indent, text, style) = match line {
                BatchLine::Title(text) => ("   ", text.as_str(), theme.strong()),
                BatchLine::Decided(text) => ("     ", text.as_str(), theme.attention()),
                BatchLine::Command(text) | BatchLine::Why(text) => {
                    ("     ", text.as_str(), theme.dim())
                }
                BatchLine::Heading(text) => ("  ", text.as_str(), theme.attention()),
                BatchLine::Blank => ("", "", theme.text()),
            };
            let line = vec![Span::raw(indent), Span::styled(text, style)];
            put(buffer, line_of(area, row), &Line::from(line));
        }
        if shown.len() < all.len() {
            let (first, last) = (top + 1, top + shown.len());
            let text = format!(
                "  lines {first} to {last} of {}, Up and Down scroll ",
                all.len()
            );
            let place = line_of(area, columns(shown.len() + 1));
            put(buffer, place, &Line::styled(text, theme.dim()));
        }
    }
}

/// Columns, and lines below the headline.
fn room(context: &Context) -> (usize, usize) {
    let area = card_area(context);
    let lines = usize::from(area.height.saturating_sub(2)).max(1);
    (usize::from(area.width.saturating_sub(2)), lines)
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
