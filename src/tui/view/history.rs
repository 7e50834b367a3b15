//! The history: prompts or deleted sessions, the one under the cursor in full, and the query line.

use std::ops::Range;

use chrono::DateTime;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::header::window;
use super::words::{clean, columns, marked, number, width_of, wrapped};
use super::{line_of, put};
use crate::preview;
use crate::search::{Fate, Field, PromptHit, Tier, View, highlight, project_label};
use crate::text::{age, pad, width};
use crate::tui::app::App;
use crate::tui::history::{History, PastItem, PastRow, PastSpan};
use crate::tui::keymap::Action;
use crate::tui::layout::{Focus, Layout};
use crate::tui::theme::Glyphs;
use crate::tui::update::{list_lines, scopes};

/// Columns for an age, and for a project where there is room.
const AGE: usize = 4;
const PROJECT: usize = 10;
/// Narrower lists show no project.
const ROOMY: u16 = 44;
/// The least that the query keeps for itself.
const QUERY: usize = 16;

/// Draws everything but the rules and the footer. Says where the caret is.
pub fn draw(
    app: &App,
    history: &History,
    layout: &Layout,
    buffer: &mut Buffer,
) -> Option<Position> {
    draw_list(app, history, layout.list, buffer);
    draw_page(app, history, layout.preview, buffer);
    draw_header(app, history, layout.query, buffer)
}

fn draw_list(app: &App, history: &History, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let lines = list_lines(app);
    let banner = area.height - lines;
    if banner > 0 {
        draw_banner(app, history, area, buffer);
    }
    let area = Rect {
        y: area.y + banner,
        height: lines,
        ..area
    };
    let visible = history.visible(lines);
    if visible.is_empty() {
        draw_nothing(app, history, area, buffer);
        return;
    }
    for (line, item) in visible {
        match item {
            PastItem::Fuzzy => {
                let rule = app.setting.theme.signs().horizontal;
                let text = format!(" {rule}{rule} fuzzy ");
                let rest = usize::from(area.width).saturating_sub(width(&text) + 1);
                let style = app.setting.theme.dim();
                let text = Line::styled(text + &rule.repeat(rest), style);
                put(buffer, line_of(area, line), &text);
            }
            PastItem::Row(position) => {
                let Some(hit) = history.hits.get(position) else {
                    continue;
                };
                let is_cursor = position == history.position();
                let row = RowView {
                    app,
                    history,
                    hit: *hit,
                    is_cursor,
                };
                row.draw(area, line, buffer);
            }
        }
    }
}

/// What deleted sessions are, and how long the others have.
fn draw_banner(app: &App, history: &History, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let texts = [
        (
            "conversation deleted by clean-up, prompts only".to_owned(),
            theme.attention(),
        ),
        (
            format!("cleanupPeriodDays {}", app.setting.retention),
            theme.dim(),
        ),
        (expiring(history), theme.dim()),
    ];
    for (line, (text, style)) in (0..).zip(texts) {
        let text = clean(&text, room);
        let line_area = line_of(area, line);
        let spans = vec![Span::raw(" "), Span::styled(text, style)];
        put(buffer, line_area, &Line::from(spans));
    }
}

/// How many conversations clean-up takes soon.
fn expiring(history: &History) -> String {
    match history.progress.expiring {
        0 => "no session expires within 7 days".to_owned(),
        1 => "1 session expires within 7 days".to_owned(),
        count => format!("{} sessions expire within 7 days", number(count)),
    }
}

struct RowView<'a> {
    app: &'a App,
    history: &'a History,
    hit: PromptHit,
    is_cursor: bool,
}

impl RowView<'_> {
    fn draw(&self, area: Rect, line: u16, buffer: &mut Buffer) {
        let row = self.history.row(self.hit.row);
        let span = row.and_then(|row| row.span.as_ref());
        match (self.history.view, row, span) {
            (View::Prompts, row, _) => {
                let text = row.map_or("", |row| &row.prompt.display);
                let spans = self.line(row, text, &self.notes(), area.width);
                put(buffer, line_of(area, line), &Line::from(spans));
            }
            (View::Deleted, Some(row), Some(span)) => {
                let first = self.line(Some(row), &span.first.display, &self.notes(), area.width);
                put(buffer, line_of(area, line), &Line::from(first));
                if line + 1 < area.height {
                    let last = self.last(span, area.width);
                    put(buffer, line_of(area, line + 1), &Line::from(last));
                }
            }
            (View::Deleted, _, _) => {}
        }
    }

    /// What stands at the end of a row.
    fn notes(&self) -> String {
        let mut notes = String::new();
        match (self.history.view, self.hit.count) {
            (View::Deleted, 1) => notes.push_str("1 prompt"),
            (View::Deleted, count) => notes = format!("{} prompts", number(count as usize)),
            (View::Prompts, 0 | 1) => {}
            (View::Prompts, count) => {
                let sign = match self.app.setting.theme.glyphs {
                    Glyphs::Unicode => "×",
                    Glyphs::Ascii => "x",
                };
                notes = format!("{sign}{count}");
            }
        }
        if self.history.view == View::Prompts && self.hit.fate == Fate::Deleted {
            if !notes.is_empty() {
                notes.push(' ');
            }
            notes.push_str("deleted");
        }
        notes
    }

    fn line(
        &self,
        row: Option<&std::sync::Arc<PastRow>>,
        text: &str,
        notes: &str,
        columns: u16,
    ) -> Vec<Span<'static>> {
        let theme = self.app.setting.theme;
        let now = self.app.now.timestamp_millis();
        let when = row.map_or(String::new(), |row| match row.prompt.timestamp {
            0 => String::new(),
            then => age(then, now),
        });
        let mut spans = vec![
            self.bar(),
            Span::styled(format!("{} ", pad(&when, AGE)), theme.dim()),
        ];
        if columns >= ROOMY {
            let project = row.map_or("", |row| project_label(&row.prompt.project));
            let shown = clean(project, PROJECT);
            let rest = PROJECT.saturating_sub(width(&shown)) + 1;
            spans.extend(self.marked(&shown, Field::Project, theme.dim()));
            spans.push(Span::raw(" ".repeat(rest)));
        }
        let used = width_of(&spans) + width(notes) + 2;
        let room = usize::from(columns).saturating_sub(used);
        let shown = clean(text, room);
        let rest = room.saturating_sub(width(&shown)) + 1;
        let base = if self.is_cursor {
            theme.strong()
        } else {
            theme.text()
        };
        spans.extend(self.marked(&shown, Field::Title, base));
        spans.push(Span::raw(" ".repeat(rest)));
        spans.push(Span::styled(notes.to_owned(), theme.dim()));
        spans
    }

    /// The second line of a session: how it ended, and what it was called.
    fn last(&self, span: &PastSpan, columns: u16) -> Vec<Span<'static>> {
        let theme = self.app.setting.theme;
        let id = span.last.session.as_deref().unwrap_or_default();
        let id = clean(crate::text::beginning(id, 8), 8);
        let from = date(self.app, span.first.timestamp, "%Y-%m-%d");
        let to = date(self.app, span.last.timestamp, "%Y-%m-%d");
        let dates = if from == to {
            to
        } else {
            format!("{from} to {to}")
        };
        let dot = theme.signs().dot;
        let mut text = format!("     {id}{dot}{dates}");
        if span.first != span.last {
            let last = clean(&span.last.display, 200);
            text += &format!("{dot}last: {last}");
        }
        let room = usize::from(columns).saturating_sub(3);
        vec![
            self.bar(),
            Span::styled(crate::text::truncate(&text, room), theme.dim()),
        ]
    }

    fn bar(&self) -> Span<'static> {
        let theme = self.app.setting.theme;
        if self.is_cursor {
            Span::styled(format!("{} ", theme.signs().bar), theme.you())
        } else {
            Span::raw(" ".repeat(width(theme.signs().bar) + 1))
        }
    }

    fn marked(&self, shown: &str, field: Field, base: Style) -> Vec<Span<'static>> {
        let query = &self.history.asked.query;
        if query.is_empty() {
            return vec![Span::styled(shown.to_owned(), base)];
        }
        let matches = highlight(shown, field, query, self.hit.tier);
        marked(shown, &matches, base, self.app.setting.theme)
    }
}

fn date(app: &App, timestamp: i64, format: &str) -> String {
    let moment = DateTime::from_timestamp_millis(timestamp).filter(|_| timestamp != 0);
    moment.map_or_else(
        || "at no known time".to_owned(),
        |moment| {
            let local = moment.with_timezone(app.now.offset());
            local.format(format).to_string()
        },
    )
}

/// Says why there is nothing, and what to do about it.
fn draw_nothing(app: &App, history: &History, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let progress = history.progress;
    if history.is_searching() || (!progress.over && history.asked.query.is_empty()) {
        return;
    }
    let what = match history.view {
        View::Deleted => "sessions of which only the prompts are left",
        View::Prompts => "prompts",
    };
    let mut lines: Vec<String> = Vec::new();
    if progress.read == 0 && progress.over {
        lines.push("No prompt history yet: Claude Code writes it as you ask.".to_owned());
    } else if history.asked.query.is_empty() {
        lines.push(format!("No {what} here."));
    } else {
        lines.push(format!(
            "Nothing in {} {what}.",
            number(history.counts.shown)
        ));
    }
    if history.counts.elsewhere > 0
        && history.view == View::Prompts
        && let Some(key) = app.setting.keymap.name(Action::HistoryScope)
    {
        let count = number(history.counts.elsewhere);
        lines.push(format!("{key}  look farther: {count} there"));
    }
    if !progress.over {
        lines.push("Still reading.".to_owned());
    }
    let mut row = area.height.min(4) / 3;
    for (n, text) in lines.iter().enumerate() {
        let style = if n == 0 { theme.text() } else { theme.dim() };
        for part in wrapped(text, usize::from(area.width.saturating_sub(4))) {
            let line = Line::from(vec![Span::raw("   "), Span::styled(part, style)]);
            put(buffer, line_of(area, row), &line);
            row += 1;
        }
    }
}

/// The prompt under the cursor in full, and where and when it was asked.
fn draw_page(app: &App, history: &History, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let (Some(hit), Some(row)) = (history.cursor(), history.cursor_row()) else {
        return;
    };
    let theme = app.setting.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let header = History::page_header(area.height);
    let title = match app.focus {
        Focus::Preview => theme.strong().patch(theme.you()),
        Focus::List => theme.strong(),
    };
    let (fate, style) = fate(app, history, hit, row);
    let texts = [
        (place_and_time(app, row), title),
        (fate, style),
        (theme.signs().horizontal.repeat(room), theme.dim()),
    ];
    for (line, (text, style)) in (0..header).zip(texts) {
        let line_area = line_of(area, line);
        let spans = vec![Span::raw(" "), Span::styled(clean(&text, room), style)];
        put(buffer, line_area, &Line::from(spans));
    }
    let body = Rect {
        y: area.y + header,
        height: area.height - header,
        ..area
    };
    let Some(page) = history.current_page() else {
        return;
    };
    let lines = page.lines.iter().skip(history.page_top);
    for (line, spans) in (0..body.height).zip(lines) {
        let mut drawn = vec![Span::raw(" ")];
        drawn.extend(drawn_line(app, history, spans));
        put(buffer, line_of(body, line), &Line::from(drawn));
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
        Fate::There => (format!("session {id} still there{times}"), theme.dim()),
        Fate::Deleted => (
            format!("conversation deleted by clean-up, prompts only{dot}{id}{times}"),
            theme.attention(),
        ),
        Fate::Unknown => (format!("of no known session{times}"), theme.dim()),
    }
}

/// A line of the page, matches marked.
fn drawn_line(app: &App, history: &History, spans: &[preview::Span]) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let query = &history.asked.query;
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let matches = if query.is_empty() {
        Vec::new()
    } else {
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

fn draw_header(app: &App, history: &History, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let theme = app.setting.theme;
    let total = usize::from(area.width);
    let mode = match history.view {
        View::Prompts => "history",
        View::Deleted => "deleted",
    };
    let prompt = format!(" {mode} {} ", theme.signs().prompt);
    let full = [scope(app, history), counts(app, history)].concat();
    let right = [full, counts(app, history), Vec::new()]
        .into_iter()
        .find(|spans| width_of(spans) + width(&prompt) + 3 + QUERY <= total)
        .unwrap_or_default();
    let right_width = width_of(&right);
    let room = total.saturating_sub(width(&prompt) + right_width + 2);
    let input = &history.asked.input;
    let (shown, caret) = window(input.text(), input.cursor_column(), room);
    let mut spans = vec![Span::styled(prompt.clone(), theme.you())];
    let hint = "type to search";
    if !input.is_empty() {
        spans.push(Span::styled(shown, theme.strong()));
    } else if room >= hint.len() + 2 {
        spans.push(Span::styled(hint, theme.dim()));
    }
    put(buffer, area, &Line::from(spans));
    if right_width > 0 {
        let x = area.right().saturating_sub(columns(right_width) + 1);
        put(buffer, Rect { x, ..area }, &Line::from(right));
    }
    let x = area.x.saturating_add(columns(width(&prompt) + caret));
    (x < area.right()).then_some(Position::new(x, area.y))
}

/// All scopes, the one that counts in brackets.
fn scope(app: &App, history: &History) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let mut spans = Vec::new();
    for scope in scopes(app, history) {
        if !spans.is_empty() {
            spans.push(Span::styled(theme.signs().dot, theme.dim()));
        }
        spans.push(if scope == history.scope() {
            Span::styled(format!("[{}]", scope.words()), theme.strong())
        } else {
            Span::styled(scope.words(), theme.dim())
        });
    }
    if let Some(key) = app.setting.keymap.name(Action::HistoryScope) {
        spans.push(Span::styled(format!(" ({key})"), theme.dim()));
    }
    spans.push(Span::raw("   "));
    spans
}

fn counts(app: &App, history: &History) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let dot = theme.signs().dot;
    let shown = history.hits.len();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let text = match (history.view, history.asked.query.is_empty()) {
        (View::Deleted, _) => format!("{} session{}", number(shown), plural(shown)),
        (View::Prompts, true) => format!("{} prompt{}", number(shown), plural(shown)),
        (View::Prompts, false) => {
            let all = history.counts.shown;
            format!("{} of {} prompt{}", number(shown), number(all), plural(all))
        }
    };
    let mut spans = vec![Span::styled(text, theme.text())];
    if history.view == View::Prompts && history.deleted > 0 {
        let text = format!("{dot}{} deleted", number(history.deleted));
        spans.push(Span::styled(text, theme.dim()));
    }
    spans
}

/// How far the reading is, for the footer.
pub fn progress(app: &App, history: &History) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let progress = history.progress;
    if !progress.over {
        let spinner = theme.signs().spinner;
        let sign = spinner[(progress.read / 4000) % spinner.len()];
        let text = format!("reading {} {sign}", number(progress.read));
        return vec![Span::styled(text, theme.dim())];
    }
    match progress.malformed {
        0 => Vec::new(),
        1 => vec![Span::styled("1 bad line passed over", theme.attention())],
        count => vec![Span::styled(
            format!("{} bad lines passed over", number(count)),
            theme.attention(),
        )],
    }
}
