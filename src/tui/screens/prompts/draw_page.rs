//! Draws the prompt under the cursor in full, and where and when it was asked.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{PastRow, Prompts};
use crate::search::{ConversationFate, PromptHit, View, project_label};
use crate::tui::context::Context;
use crate::tui::dates::moment;
use crate::tui::host::Env;
use crate::tui::layout::Focus;
use crate::tui::theme::Theme;
use crate::tui::widgets::{clean, line_of, number, put};

impl Prompts {
    /// Draws the prompt. Returns the position of the caret in the find bar.
    pub(super) fn draw_page(
        &self,
        area: Rect,
        env: Env<'_>,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let hit = self.cursor()?;
        let row = self.cursor_row()?;
        let theme = env.context.theme();
        let room = usize::from(area.width.saturating_sub(2));
        let header = self.header(area.height);
        let title = match self.focus {
            Focus::Preview => theme.strong().patch(theme.you()),
            Focus::List => theme.strong(),
        };
        let also = self.elsewhere_row().map(|row| also(row, env.context));
        let texts = [
            Some((place_and_time(row, env.context), title)),
            Some(self.fate(hit, row, theme)),
            also.map(|text| (text, theme.text())),
            Some((theme.signs().horizontal.repeat(room), theme.dim())),
        ];
        for (line, (text, style)) in (0..header).zip(texts.into_iter().flatten()) {
            let spans = vec![Span::raw(" "), Span::styled(clean(&text, room), style)];
            put(buffer, line_of(area, line), &Line::from(spans));
        }
        let pane = self.reader_pane(env.context);
        self.reader.draw_text(&self.query.query, env, pane, buffer)
    }

    fn fate(&self, hit: PromptHit, row: &PastRow, theme: Theme) -> (String, Style) {
        let dot = theme.signs().dot;
        let id = row.prompt.session.as_deref().unwrap_or_default();
        let times = match (self.view, hit.count) {
            (View::Prompts, count @ 2..) => format!("{dot}asked {} times", number(count as usize)),
            _ => String::new(),
        };
        let (fate, style) = match hit.fate {
            ConversationFate::There => ("conversation still there", theme.dim()),
            ConversationFate::Deleted => (
                "conversation deleted by cleanup, prompts only",
                theme.attention(),
            ),
            ConversationFate::Missing => {
                ("conversation not on disk, prompts only", theme.attention())
            }
            ConversationFate::Empty => ("the file of its conversation is empty", theme.attention()),
            ConversationFate::Unknown => {
                return (format!("of no known session{times}"), theme.dim());
            }
        };
        (format!("{fate}{dot}{id}{times}"), style)
    }
}

fn place_and_time(row: &PastRow, context: &Context) -> String {
    let dot = context.theme().signs().dot;
    let project = match row.prompt.project.as_str() {
        "" => "no known project".to_owned(),
        project => format!("{} {}", project_label(project), context.tilde(project)),
    };
    let time = moment(
        row.prompt.timestamp,
        *context.now.offset(),
        "%Y-%m-%d %H:%M",
    );
    format!("{project}{dot}{time}")
}

/// Where the same was asked before, in a conversation that can be opened.
fn also(row: &PastRow, context: &Context) -> String {
    let dot = context.theme().signs().dot;
    let id = row.prompt.session.as_deref().unwrap_or_default();
    let place = match project_label(&row.prompt.project) {
        "" => String::new(),
        project => format!(" in {project}"),
    };
    let when = row.since(context.millis());
    format!("also{place}, {when}: still there{dot}{id}")
}
