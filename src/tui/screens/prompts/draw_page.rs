//! Draws the prompt under the cursor in full, and where and when it was asked.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{Prompts, fate_words};
use crate::search::{View, project_label};
use crate::tui::dates::moment;
use crate::tui::host::Env;
use crate::tui::layout::Focus;
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
        let prompt = &self.cursor_row()?.prompt;
        let theme = env.context.theme();
        let dot = theme.signs().dot;
        let room = usize::from(area.width.saturating_sub(2));
        let title = match self.focus {
            Focus::Preview => theme.strong().patch(theme.you()),
            Focus::List => theme.strong(),
        };
        let project = match prompt.project.as_str() {
            "" => "no known project".to_owned(),
            project => format!("{} {}", project_label(project), env.context.tilde(project)),
        };
        let zone = *env.context.now.offset();
        let time = moment(prompt.timestamp, zone, "%Y-%m-%d %H:%M");
        let mut fate = vec![fate_words(hit.fate).1.to_owned()];
        fate.extend(prompt.session.clone());
        if let (View::Prompts, count @ 2..) = (self.view, hit.count) {
            fate.push(format!("asked {} times", number(count as usize)));
        }
        let style = if hit.fate.is_gone() {
            theme.attention()
        } else {
            theme.dim()
        };
        // Where the same was asked before, in a conversation that can be opened.
        let also = self.elsewhere_row().map(|row| {
            let id = row.prompt.session.as_deref().unwrap_or_default();
            let also = self.elsewhere(env).unwrap_or_default();
            format!("also still there: {also}{dot}{id}")
        });
        let texts = [
            Some((format!("{project}{dot}{time}"), title)),
            Some((fate.join(dot), style)),
            also.map(|text| (text, theme.text())),
            Some((theme.signs().horizontal.repeat(room), theme.dim())),
        ];
        let header = self.header(area.height);
        for (line, (text, style)) in (0..header).zip(texts.into_iter().flatten()) {
            let spans = vec![
                Span::raw(" "),
                Span::styled(clean(&text, room, theme), style),
            ];
            put(buffer, line_of(area, line), &Line::from(spans));
        }
        let pane = self.reader_pane(env.context);
        self.reader.draw_text(env, pane, buffer)
    }
}
