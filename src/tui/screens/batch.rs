//! Several marked sessions before they open in tmux windows: what happens to each of them.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::Flow;
use super::launch::Chosen;
use crate::resume::{Batch, Finding, Split};
use crate::tui::context::{Ending, Printed};
use crate::tui::widgets::{
    card_headline, card_room, draw_scrolled, indented, scroll_card, wrapped,
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
            Action::Move(motion) => {
                let (columns, _) = card_room(host.context);
                let count = self.body(columns, host.context).len();
                scroll_card(&mut self.top, motion, count, host.context);
            }
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
                let chosen = going.map(|going| Chosen {
                    transcript: Some(going.transcript),
                    ..Chosen::new(going.title, going.plan)
                });
                return Flow::Leave(Outcome::Windows(chosen.collect()));
            }
            Action::Back => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    /// Everything below the headline, wrapped to so many columns.
    fn body(&self, columns: usize, context: &Context) -> Vec<Line<'static>> {
        let theme = context.theme();
        let mut lines = Vec::new();
        let split = context.setting.split;
        let split = split.filter(|split| *split != Split::Window);
        if let Some(option) = split.and_then(Split::option) {
            let note = format!("--tmux {option} is for one session: several open in windows");
            lines.extend(indented(&note, columns, theme.attention()));
            lines.push(Line::default());
        }
        lines.extend(self.lines(columns, theme));
        lines
    }

    /// What happens to each session.
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
        let (theme, (columns, _)) = (context.theme(), card_room(context));
        let headline = match context.setting.ending {
            Ending::Print(Printed::Report) => format!("Dry run: {}", self.batch.headline()),
            Ending::Resume | Ending::Explain | Ending::Print(_) => self.batch.headline(),
        };
        let headline = card_headline(&headline, "", theme, columns);
        let lines = self.body(columns, context);
        draw_scrolled(headline, lines, self.top, context, frame.buffer_mut());
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
