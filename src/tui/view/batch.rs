//! Draws the card of several marked sessions over the panes.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::preflight::clear;
use super::words::clean;
use super::{line_of, put};
use crate::tui::app::App;
use crate::tui::preflight::{BatchCard, BatchLine};

/// Draws what happens to each of them, from the first visible line.
pub fn draw(app: &App, card: &BatchCard, frame: &mut Frame<'_>) {
    let area = app.layout().body();
    let theme = app.setting.theme;
    let (columns, page) = app.batch_room();
    let all = card.lines(columns);
    let top = card.top.min(all.len().saturating_sub(page));
    let shown: Vec<&BatchLine> = all.iter().skip(top).take(page).collect();
    let buffer = frame.buffer_mut();
    clear(app, area, shown.len() + 1, buffer);
    let headline = format!("  {}", clean(&card.batch.headline(), columns));
    put(
        buffer,
        line_of(area, 0),
        &Line::styled(headline, theme.attention()),
    );
    for (row, line) in (1..area.height).zip(&shown) {
        let line = match line {
            BatchLine::Title(text) => Line::from(vec![
                Span::raw("   "),
                Span::styled(text.clone(), theme.strong()),
            ]),
            BatchLine::Decided(text) => indented(text, theme.attention()),
            BatchLine::Command(text) | BatchLine::Why(text) => indented(text, theme.dim()),
            BatchLine::Heading(text) => Line::styled(format!("  {text}"), theme.attention()),
            BatchLine::Blank => Line::default(),
        };
        put(buffer, line_of(area, row), &line);
    }
    if shown.len() < all.len() {
        let place = line_of(area, super::words::columns(shown.len() + 1));
        let last = top + shown.len();
        let text = format!(
            "  lines {} to {last} of {}, Up and Down scroll ",
            top + 1,
            all.len()
        );
        put(buffer, place, &Line::styled(text, theme.dim()));
    }
}

fn indented(text: &str, style: ratatui::style::Style) -> Line<'static> {
    Line::from(vec![
        Span::raw("     "),
        Span::styled(text.to_owned(), style),
    ])
}
