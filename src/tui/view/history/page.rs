//! The prompt under the cursor in full, and where and when it was asked.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::preview::draw_find;
use super::super::words::{clean, marked, number};
use super::super::{line_of, put};
use super::date;
use crate::preview;
use crate::search::{ConversationFate, Field, PromptHit, Tier, View, highlight, project_label};
use crate::text::size;
use crate::tui::app::App;
use crate::tui::history::{History, PastPage, PastRow};
use crate::tui::keymap::Action;
use crate::tui::layout::Focus;

/// Draws the prompt. Says where the caret is, if something is typed in it.
pub fn draw(app: &App, history: &History, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let (Some(hit), Some(row)) = (history.cursor(), history.cursor_row()) else {
        return None;
    };
    let theme = app.setting.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let header = history.page_header(area.height);
    let title = match app.focus {
        Focus::Preview => theme.strong().patch(theme.you()),
        Focus::List => theme.strong(),
    };
    let also = history.elsewhere_row().map(|it| also(app, it));
    let texts = [
        Some((place_and_time(app, row), title)),
        Some(fate(app, history, hit, row)),
        also.map(|text| (text, theme.text())),
        Some((theme.signs().horizontal.repeat(room), theme.dim())),
    ];
    let texts = texts.into_iter().flatten();
    for (line, (text, style)) in (0..header).zip(texts) {
        let line_area = line_of(area, line);
        let spans = vec![Span::raw(" "), Span::styled(clean(&text, room), style)];
        put(buffer, line_area, &Line::from(spans));
    }
    let find = u16::from(history.find.is_some()).min(area.height - header);
    let body = Rect {
        y: area.y + header,
        height: area.height - header - find,
        ..area
    };
    if let Some(bytes) = history.labour() {
        let text = format!("reading {}", size(bytes));
        let spans = vec![Span::raw(" "), Span::styled(text, theme.dim())];
        put(buffer, line_of(body, 0), &Line::from(spans));
    }
    let page = history.current_page();
    if let Some(page) = page {
        draw_page(app, history, page, body, buffer);
    }
    let below = Rect {
        y: body.bottom(),
        height: find,
        ..area
    };
    let find = history.find.as_ref()?;
    let said = match (find.sought(), history.match_count()) {
        (None, _) => String::new(),
        (Some(_), _) if !history.is_sought() => "looking…".to_owned(),
        (Some(_), (_, 0)) => "no match".to_owned(),
        (Some(_), (at, count)) if page.is_some_and(|it| it.has_more_matches) => {
            format!("{at} of {count}+")
        }
        (Some(_), (at, count)) => format!("{at} of {count}"),
    };
    draw_find(app, find, said, below, buffer)
}

fn draw_page(app: &App, history: &History, page: &PastPage, body: Rect, buffer: &mut Buffer) {
    let lines = page.lines.iter().enumerate().skip(history.page_top);
    for (line, (at, spans)) in (0..body.height).zip(lines) {
        let mut drawn = vec![Span::raw(" ")];
        if page.more > 0 && at + 1 == page.lines.len() {
            let style = app.setting.theme.attention();
            drawn.push(Span::styled(more(app, page.more), style));
        } else {
            drawn.extend(drawn_line(app, history, page, at, spans));
        }
        put(buffer, line_of(body, line), &Line::from(drawn));
    }
}

/// What is not laid out, and how to see it.
fn more(app: &App, bytes: usize) -> String {
    let size = size(bytes as u64);
    match app.setting.keymap.name(Action::OpenMessage) {
        Some(key) => format!("{size} more: {key} opens all of it"),
        None => format!("{size} more"),
    }
}

fn place_and_time(app: &App, row: &PastRow) -> String {
    let dot = app.setting.theme.signs().dot;
    let project = match row.prompt.project.as_str() {
        "" => "no known project".to_owned(),
        project => format!("{} {}", project_label(project), app.tilde(project)),
    };
    let time = date(app, row.prompt.timestamp, "%Y-%m-%d %H:%M");
    format!("{project}{dot}{time}")
}

fn fate(app: &App, history: &History, hit: PromptHit, row: &PastRow) -> (String, Style) {
    let theme = app.setting.theme;
    let dot = theme.signs().dot;
    let id = row.prompt.session.as_deref().unwrap_or_default();
    let times = match (history.view, hit.count) {
        (View::Prompts, count @ 2..) => format!("{dot}asked {} times", number(count as usize)),
        _ => String::new(),
    };
    match hit.fate {
        ConversationFate::There => (
            format!("conversation still there{dot}{id}{times}"),
            theme.dim(),
        ),
        ConversationFate::Deleted => (
            format!("conversation deleted by clean-up, prompts only{dot}{id}{times}"),
            theme.attention(),
        ),
        ConversationFate::Missing => (
            format!("no conversation on disk, prompts only{dot}{id}{times}"),
            theme.attention(),
        ),
        ConversationFate::Empty => (
            format!("the file of its conversation is empty{dot}{id}{times}"),
            theme.attention(),
        ),
        ConversationFate::Unknown => (format!("of no known session{times}"), theme.dim()),
    }
}

/// Where the same was asked before, in a conversation that one can go to.
fn also(app: &App, row: &PastRow) -> String {
    let dot = app.setting.theme.signs().dot;
    let id = row.prompt.session.as_deref().unwrap_or_default();
    let place = match project_label(&row.prompt.project) {
        "" => String::new(),
        project => format!(" in {project}"),
    };
    let when = row.since(app.now.timestamp_millis());
    format!("also{place}, {when}: still there{dot}{id}")
}

/// A line of the page, matches marked.
fn drawn_line(
    app: &App,
    history: &History,
    page: &PastPage,
    at: usize,
    spans: &[preview::Span],
) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let query = &history.asked.query;
    let is_sought = history
        .find
        .as_ref()
        .is_some_and(|it| it.sought().is_some());
    let matches: Vec<Range<usize>> = if is_sought {
        let first = page.found.partition_point(|(line, _)| *line < at);
        let here = page.found[first..].iter();
        let here = here.take_while(|(line, _)| *line == at);
        here.map(|(_, range)| range.clone()).collect()
    } else if query.is_empty() {
        Vec::new()
    } else {
        let text: String = spans.iter().map(|span| span.text.as_str()).collect();
        highlight(&text, Field::LastPrompt, query, Tier::Substring)
    };
    let mut drawn = Vec::new();
    let mut start = 0;
    for span in spans {
        let end = start + span.text.len();
        let inside: Vec<Range<usize>> = matches
            .iter()
            .filter(|range| range.start < end && range.end > start)
            .map(|range| range.start.max(start) - start..range.end.min(end) - start)
            .collect();
        drawn.extend(marked(&span.text, &inside, theme.tone(span.tone), theme));
        start = end;
    }
    drawn
}
