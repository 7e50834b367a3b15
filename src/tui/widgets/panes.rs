//! Drawing that all screens with panes share: lines of text, rules, headings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Heading, Keyed, List, ListPart, Pane, columns, number, width_of};
use crate::text::{width, wrap};
use crate::tui::{Arrangement, Layout, Theme};

/// Writes a line at the top of an area, cut to its width.
pub fn put(buffer: &mut Buffer, area: Rect, line: &Line<'_>) {
    if !area.is_empty() {
        buffer.set_line(area.x, area.y, line, area.width);
    }
}

/// The same at the right end of the area, before its last column.
pub fn put_right(buffer: &mut Buffer, area: Rect, spans: Vec<Span<'_>>) {
    let room = area.width.saturating_sub(1);
    let width = columns(width_of(&spans)).min(room);
    let x = area.x + room - width;
    put(buffer, Rect { x, width, ..area }, &Line::from(spans));
}

/// One line of an area, counted from its top; empty if the area has no such line.
pub fn line_of(area: Rect, line: u16) -> Rect {
    if line >= area.height {
        return Rect::default();
    }
    Rect {
        y: area.y + line,
        height: 1,
        ..area
    }
}

/// Writes paragraphs in place of rows. The first one is set apart if there is room.
fn say(paragraphs: &[String], theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut row = area.height.min(4) / 3;
    for (at, text) in paragraphs.iter().enumerate() {
        let style = if at == 0 { theme.text() } else { theme.dim() };
        for part in wrap(text, usize::from(area.width.saturating_sub(4))) {
            let line = Line::from(vec![Span::raw("   "), Span::styled(part, style)]);
            put(buffer, line_of(area, row), &line);
            row += 1;
        }
        row += u16::from(at == 0 && area.height > 6);
    }
}

fn draw_heading(heading: Heading, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let text = match heading {
        Heading::Day(day) => format!(" {}", day.title()),
        Heading::Inside => section("inside conversations", theme, area),
        Heading::Fuzzy => section("fuzzy", theme, area),
    };
    put(buffer, area, &Line::styled(text, theme.dim()));
}

fn section(title: &str, theme: Theme, area: Rect) -> String {
    let rule = theme.signs().horizontal;
    let text = format!(" {rule}{rule} {title} ");
    let rest = usize::from(area.width).saturating_sub(width(&text) + 1);
    text + &rule.repeat(rest)
}

/// Draws the visible part of a list, or in its place why there are no rows. `draw` draws the row of
/// a position at the top of an area.
pub fn draw_list<T: Keyed>(
    list: &List<T>,
    pane: Pane,
    reasons: impl FnOnce() -> Vec<String>,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
    draw: impl Fn(usize, Rect, &mut Buffer),
) {
    let visible = list.visible(pane);
    if visible.is_empty() {
        say(&reasons(), theme, area, buffer);
    }
    for placed in visible {
        let area = Rect {
            y: area.y + placed.line,
            height: area.height - placed.line,
            ..area
        };
        match placed.item {
            ListPart::Heading(heading) => draw_heading(heading, theme, area, buffer),
            ListPart::Row(position) => draw(position, area, buffer),
        }
    }
}

/// Scopes with a dot between them, the current one in brackets, and the key for the next.
pub fn draw_scopes<'a>(
    scopes: impl Iterator<Item = (&'a str, bool)>,
    key: &str,
    theme: Theme,
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for (words, is_current) in scopes {
        if !spans.is_empty() {
            spans.push(Span::styled(theme.signs().dot, theme.dim()));
        }
        spans.push(if is_current {
            Span::styled(format!("[{words}]"), theme.strong())
        } else {
            Span::styled(words.to_owned(), theme.dim())
        });
    }
    if !key.is_empty() {
        spans.push(Span::styled(format!(" ({key})"), theme.dim()));
    }
    spans
}

/// The thin lines between the panes. The one over the list counts the rows scrolled out above.
pub fn draw_rules(layout: &Layout, above: usize, theme: Theme, buffer: &mut Buffer) {
    let signs = theme.signs();
    let mut paint = |area: Rect, sign: &str, style: Style| {
        for position in area.positions() {
            if let Some(cell) = buffer.cell_mut(position) {
                cell.set_symbol(sign).set_style(style);
            }
        }
    };
    let divider = layout.divider;
    paint(layout.top_rule, signs.horizontal, theme.dim());
    paint(layout.bottom_rule, signs.horizontal, theme.dim());
    match layout.arrangement {
        Arrangement::Side => {
            paint(divider, signs.vertical, theme.dim());
            if !divider.is_empty() && !layout.top_rule.is_empty() {
                let joint = |rule: Rect| Rect::new(divider.x, rule.y, 1, 1);
                paint(joint(layout.top_rule), signs.joint_down, theme.dim());
                paint(joint(layout.bottom_rule), signs.joint_up, theme.dim());
            }
        }
        Arrangement::Stacked => paint(divider, signs.horizontal, theme.dim()),
        Arrangement::Alone => {}
    }
    if above > 0 && !layout.top_rule.is_empty() && !layout.list.is_empty() {
        let text = format!(" {} {} ", signs.above, number(above));
        let area = Rect {
            width: layout.list.width,
            ..layout.top_rule
        };
        put_right(buffer, area, vec![Span::styled(text, theme.dim())]);
    }
}
