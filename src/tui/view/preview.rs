//! The preview: what the session is, then the conversation that resuming brings back.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::words::{clean, marked};
use super::{line_of, put};
use crate::list::Row;
use crate::preview::{self, Speaker};
use crate::search::{Field, Tier, highlight};
use crate::store::Status;
use crate::tui::app::{App, Content};
use crate::tui::layout::{Focus, GUTTER};

/// Files from this size on take long enough to be waited for.
const LARGE: u64 = 16 * 1024 * 1024;

pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some(row) = app.listing.cursor_row() else {
        return;
    };
    if area.is_empty() {
        return;
    }
    let height = app.preview_header(area);
    let header = Rect { height, ..area };
    if height == 1 {
        draw_title(app, row, header, buffer);
    } else if height > 1 {
        draw_card(app, row, header, buffer);
    }
    let body = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    draw_body(app, body, buffer);
}

/// What is known at once, until the conversation was read.
fn draw_title(app: &App, row: &Row, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let lite = &row.session.lite;
    let title = clean(lite.title().map_or("(no title)", |(_, title)| title), room);
    let style = match app.focus {
        Focus::Preview => theme.strong().patch(theme.you()),
        Focus::List => theme.strong(),
    };
    let title = Line::from(vec![Span::raw(" "), Span::styled(title, style)]);
    put(buffer, line_of(area, 0), &title);
    let mut place: Vec<String> = Vec::new();
    place.extend(lite.cwd.as_deref().map(|cwd| app.tilde(cwd)));
    place.extend(lite.git_branch.as_deref().map(str::to_owned));
    let place = clean(&place.join(theme.signs().dot), room);
    let place = Line::from(vec![Span::raw(" "), Span::styled(place, theme.dim())]);
    put(buffer, line_of(area, 1), &place);
}

/// The card, whether the session runs, and a rule.
fn draw_card(app: &App, row: &Row, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let above = area.height - 1;
    draw_title(
        app,
        row,
        Rect {
            height: above,
            ..area
        },
        buffer,
    );
    if let Some(page) = app.preview.page() {
        // The title stays as it is: it tells where the keys go.
        for (line, spans) in (1..above).zip(page.card.iter().skip(1)) {
            let mut drawn = vec![Span::raw(" ")];
            drawn.extend(
                spans
                    .iter()
                    .map(|span| Span::styled(span.text.clone(), theme.tone(span.tone))),
            );
            let area = line_of(area, line);
            put(
                buffer,
                area,
                &Line::raw(" ".repeat(usize::from(area.width))),
            );
            put(buffer, area, &Line::from(drawn));
        }
    }
    let signs = theme.signs();
    let rule = signs
        .horizontal
        .repeat(usize::from(area.width.saturating_sub(1)));
    let mut line = vec![Span::raw(" "), Span::styled(rule, theme.dim())];
    let status = app.live.get(&*row.session.stamp.id).map(|live| live.status);
    let (sign, words, style) = match status {
        Some(Status::Busy) => (signs.busy, "busy", theme.live()),
        Some(Status::Shell) => (signs.busy, "runs a shell command", theme.live()),
        Some(Status::Waiting) => (signs.waiting, "waiting for you", theme.attention()),
        Some(Status::Idle) => (signs.idle, "open and idle", theme.live()),
        Some(Status::Unknown) => (signs.idle, "open", theme.live()),
        None => ("", "", theme.dim()),
    };
    if !words.is_empty() {
        line.insert(1, Span::styled(format!("{sign} {words} "), style));
    } else if let Some(days) = super::row::expires_in(app, row) {
        let text = format!("{}{days}d until Claude Code deletes it ", signs.expires);
        line.insert(1, Span::styled(text, theme.attention()));
    }
    put(buffer, line_of(area, above), &Line::from(line));
}

fn draw_body(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let (text, style) = match &app.preview.content {
        Content::Loading => match app.listing.cursor_row() {
            // A word that is gone before it is read would only flicker.
            Some(row) if row.session.stamp.size > LARGE => {
                let size = crate::text::size(row.session.stamp.size);
                (format!("reading {size}…"), theme.dim())
            }
            Some(_) | None => return,
        },
        Content::Page(page) if !page.lines.is_empty() => {
            let lines = page.lines.iter().skip(app.preview.top);
            for (row, line) in (0..area.height).zip(lines) {
                put(buffer, line_of(area, row), &drawn(app, line));
            }
            return;
        }
        Content::Page(_) => ("nothing was said".to_owned(), theme.dim()),
        Content::Failed(reason) => (clean(reason, room), theme.broken()),
    };
    let line = Line::from(vec![Span::raw(" "), Span::styled(text, style)]);
    put(buffer, line_of(area, 0), &line);
}

/// A line with its margin, matches marked.
fn drawn(app: &App, line: &preview::Line) -> Line<'static> {
    let theme = app.setting.theme;
    let width = usize::from(GUTTER) - 3;
    let margin = match line.speaker {
        Speaker::You => theme.you(),
        Speaker::Claude | Speaker::Note => theme.dim(),
    };
    let mut spans = vec![
        Span::styled(format!("{:>width$}", line.margin), margin),
        Span::styled(format!(" {} ", theme.signs().gutter), theme.dim()),
    ];
    let query = &app.asked.query;
    let matches = if query.is_empty() {
        Vec::new()
    } else {
        highlight(&line.text(), Field::LastPrompt, query, Tier::Substring)
    };
    let mut start = 0;
    for span in &line.spans {
        let end = start + span.text.len();
        let inside: Vec<Range<usize>> = matches
            .iter()
            .filter(|range| range.start < end && range.end > start)
            .map(|range| range.start.max(start) - start..range.end.min(end) - start)
            .collect();
        spans.extend(marked(&span.text, &inside, theme.tone(span.tone), theme));
        start = end;
    }
    Line::from(spans)
}
