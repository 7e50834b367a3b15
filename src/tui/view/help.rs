//! The help screen: the table of keys, in as many lines as fit.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::{line_of, put};
use crate::text::pad;
use crate::tui::app::App;
use crate::tui::help::{Line as HelpLine, key_columns, lines};

pub fn draw(app: &App, top: usize, frame: &mut Frame<'_>) {
    let area = frame.area();
    let theme = app.setting.theme;
    let buffer = frame.buffer_mut();
    let columns = usize::from(area.width);
    let lines = lines(&app.setting.keymap, columns);
    let page = usize::from(area.height.saturating_sub(2));
    let top = top.min(lines.len().saturating_sub(page));
    let rows = 0..area.height.saturating_sub(1);
    for (row, line) in rows.zip(lines.iter().skip(top)) {
        let line = match line {
            HelpLine::Title(title) => Line::from(Span::styled(format!(" {title}"), theme.strong())),
            HelpLine::Key { keys, help } => Line::from(vec![
                Span::styled(
                    format!("   {}", pad(keys, key_columns(columns))),
                    theme.you(),
                ),
                Span::raw(format!(" {help}")),
            ]),
            HelpLine::Text(text) => Line::from(format!("   {text}")),
            HelpLine::Blank => Line::default(),
        };
        put(buffer, line_of(area, row), &line);
    }
    let signs = theme.signs();
    let more = if top + page + 1 < lines.len() {
        format!(" {} more{}", signs.below, signs.dot)
    } else {
        " ".to_owned()
    };
    let footer = format!("{more}Esc back");
    put(
        buffer,
        line_of(area, area.height.saturating_sub(1)),
        &Line::from(Span::styled(footer, theme.dim())),
    );
}
