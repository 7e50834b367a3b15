//! Draws the card of a finding over the panes.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::header::window;
use super::words::{clean, columns};
use super::{line_of, put};
use crate::text::width;
use crate::tui::app::App;
use crate::tui::preflight::{Card, CardLine, CardView, Entry};

/// Draws the card. The panes below it stay visible.
pub fn draw(app: &App, card: &Card, frame: &mut Frame<'_>) {
    let area = app.layout().body();
    let (room, height) = app.card_room();
    let CardView {
        lines,
        above,
        below,
        ..
    } = card.view(room, height);
    let buffer = frame.buffer_mut();
    let mut caret = None;
    clear(app, area, lines.len(), buffer);
    for (row, line) in (0..area.height).zip(&lines) {
        let place = line_of(area, row);
        put(buffer, place, &laid_out(app, card, line, room));
        if let (CardLine::Entry, Some(entry)) = (line, &card.entry) {
            let (_, before) = typed(app, entry, room);
            let before = columns(before + width(&label(app)));
            caret = Some(Position::new(place.x.saturating_add(before), place.y));
        }
    }
    let more: Vec<&str> = [(above, "more above (Up)"), (below, "more below (Down)")]
        .into_iter()
        .filter_map(|(lines, text)| (lines > 0).then_some(text))
        .collect();
    // While a directory is typed nothing scrolls.
    if !more.is_empty() && card.entry.is_none() {
        let place = line_of(area, columns(lines.len()));
        let text = format!("  {} ", more.join(app.setting.theme.signs().dot));
        put(buffer, place, &Line::styled(text, app.setting.theme.dim()));
    }
    if let Some(caret) = caret {
        frame.set_cursor_position(caret);
    }
}

/// The label of a typed directory.
fn label(app: &App) -> String {
    let signs = app.setting.theme.signs();
    format!(" {} directory {} ", signs.bar, signs.prompt)
}

/// The part of a typed directory around the cursor, and the columns before that.
fn typed(app: &App, entry: &Entry, room: usize) -> (String, usize) {
    let room = room.saturating_sub(width(&label(app)));
    window(entry.input.text(), entry.input.cursor_column(), room)
}

fn laid_out(app: &App, card: &Card, line: &CardLine, room: usize) -> Line<'static> {
    let theme = app.setting.theme;
    let signs = theme.signs();
    // The bar marks every line of the choice: its first one may be scrolled away.
    let bar = match line.choice() {
        Some(at) if at == card.cursor => signs.bar,
        _ => " ",
    };
    let bar = Span::styled(format!(" {bar} "), theme.you());
    let plain = |text: &str, style: Style| {
        let text = clean(text, room.saturating_sub(5));
        Line::from(vec![
            bar.clone(),
            Span::raw("  "),
            Span::styled(text, style),
        ])
    };
    match line {
        CardLine::Headline(text) => {
            let title = clean(&card.title, room / 2);
            Line::from(vec![
                Span::styled(format!("  {}", clean(text, room)), theme.attention()),
                Span::styled(format!("{}{title}", signs.dot), theme.dim()),
            ])
        }
        CardLine::Command(_, text) | CardLine::Offer(text) => plain(text, theme.dim()),
        CardLine::Mistake(text) => plain(text, theme.broken()),
        CardLine::Label(at, text) if *at == card.cursor => plain(text, theme.strong()),
        CardLine::About(text) | CardLine::Label(_, text) => plain(text, theme.text()),
        CardLine::Choice(at, label) => {
            let style = if *at == card.cursor {
                theme.strong()
            } else {
                theme.text()
            };
            Line::from(vec![
                bar,
                Span::styled(format!("{} ", at + 1), theme.dim()),
                Span::styled(clean(label, room.saturating_sub(5)), style),
            ])
        }
        CardLine::Entry => {
            let shown = card.entry.as_ref().map(|entry| typed(app, entry, room));
            let (text, _) = shown.unwrap_or_default();
            Line::from(vec![
                Span::styled(label(app), theme.you()),
                Span::styled(text, theme.text()),
            ])
        }
        CardLine::Blank => Line::default(),
    }
}

/// Clears so many lines and draws a rule below them.
pub fn clear(app: &App, area: Rect, lines: usize, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let height = columns(lines).min(area.height);
    for row in 0..=height {
        let place = line_of(area, row);
        if place.is_empty() {
            continue;
        }
        let sign = if row == height {
            theme.signs().horizontal
        } else {
            " "
        };
        for x in place.left()..place.right() {
            if let Some(cell) = buffer.cell_mut((x, place.y)) {
                cell.reset();
                cell.set_symbol(sign);
                if row == height {
                    cell.set_style(theme.dim());
                }
            }
        }
    }
}
