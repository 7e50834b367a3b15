//! Several marked sessions before they open in tmux windows: what happens to each of them.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::Flow;
use super::launch::Chosen;
use crate::resume::{Batch, Finding, Going};
use crate::tui::context::Ending;
use crate::tui::widgets::{
    Motion, card_area, card_headline, draw_card, indented, scrolled, wrapped,
};
use crate::tui::{Action, Context, Host, Outcome, Theme};

/// Columns before a command.
const INDENT: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchCard {
    pub batch: Batch,
    /// The first visible line below the headline.
    pub top: usize,
}

impl BatchCard {
    pub fn new(batch: Batch) -> Self {
        Self { batch, top: 0 }
    }

    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match action {
            Action::Move(motion) => self.go(motion, host.context),
            Action::Choose if !self.batch.going.is_empty() => {
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
            Action::Back => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    fn go(&mut self, motion: Motion, context: &Context) {
        let (columns, page) = room(context);
        let last = self
            .lines(columns, context.theme())
            .len()
            .saturating_sub(page);
        self.top = scrolled(self.top.min(last), motion, page, last);
    }

    /// Everything below the headline, wrapped to so many columns.
    fn lines(&self, columns: usize, theme: Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let title = |text: &str| {
            let parts = wrapped(text, columns.saturating_sub(INDENT)).into_iter();
            parts.map(|part| Line::from(vec!["   ".into(), Span::styled(part, theme.strong())]))
        };
        for going in &self.batch.going {
            lines.extend(title(&going.title));
            let decided = going.decided.iter().map(|(finding, answer)| {
                format!("{}. {}", finding.headline, finding.label_of(answer))
            });
            for note in decided.chain(going.plan.notes.iter().map(Finding::line)) {
                lines.extend(indented(&note, columns, theme.attention()));
            }
            let command = going.plan.command_line();
            lines.extend(indented(&command, columns, theme.dim()));
        }
        if self.batch.staying.is_empty() {
            return lines;
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled("  Left out:", theme.attention()));
        for staying in &self.batch.staying {
            lines.extend(title(&staying.title));
            lines.extend(indented(&staying.why, columns, theme.dim()));
        }
        lines
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let theme = context.theme();
        let (width, page) = room(context);
        let all = self.lines(width, theme);
        let count = all.len();
        let top = self.top.min(count.saturating_sub(page));
        let mut shown = vec![card_headline(&self.batch.headline(), "", theme, width)];
        shown.extend(all.into_iter().skip(top).take(page));
        let last = top + shown.len() - 1;
        let hint = if last - top < count {
            format!("lines {} to {last} of {count}, Up and Down scroll", top + 1)
        } else {
            String::new()
        };
        draw_card(&shown, &hint, context, frame.buffer_mut());
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
