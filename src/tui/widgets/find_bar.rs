//! The find bar below a text: what is typed there, and how often it was found.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{Input, columns, put, put_right, window};
use crate::preview::TurnPos;
use crate::text::width;
use crate::tui::theme::Theme;

#[derive(Debug, Default)]
pub struct FindBar {
    pub input: Input,
    pub stage: Stage,
    /// The message from which to search on.
    pub from: Option<TurnPos>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    #[default]
    Typing,
    /// Keys go to the text again.
    Typed,
}

impl FindBar {
    /// The typed text, unless it is blank.
    pub fn text(&self) -> Option<&str> {
        let text = self.input.text();
        (!text.trim().is_empty()).then_some(text)
    }

    /// Draws what is typed, and the result at the right. Returns the position of the caret while
    /// something is typed.
    pub fn draw(
        &self,
        result: String,
        theme: Theme,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let room = usize::from(area.width).saturating_sub(width(&result) + 4);
        let (shown, caret) = window(self.input.text(), self.input.cursor_column(), room);
        let style = match self.stage {
            Stage::Typing => theme.strong(),
            Stage::Typed => theme.text(),
        };
        let typed = vec![Span::styled(" /", theme.you()), Span::styled(shown, style)];
        put(buffer, area, &Line::from(typed));
        put_right(buffer, area, vec![Span::styled(result, theme.dim())]);
        let caret = Position::new(area.x + 2 + columns(caret), area.y);
        (self.stage == Stage::Typing && caret.x < area.right()).then_some(caret)
    }
}
