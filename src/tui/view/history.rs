//! The history: prompts or deleted sessions, a line or two each.

mod header;
mod page;

use chrono::DateTime;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::words::{clean, marked, number, width_of};
use super::{line_of, put};
use crate::history::Passed;
use crate::search::{ConversationFate, Field, PromptHit, Tier, View, highlight, project_label};
use crate::text::{age, pad, width, wrap};
use crate::tui::app::App;
use crate::tui::history::{History, PastItem, PastRow, PastSpan};
use crate::tui::keymap::Action;
use crate::tui::layout::Layout;
use crate::tui::theme::Glyphs;

/// Columns for an age, and for a project where there is room.
const AGE: usize = 4;
const PROJECT: usize = 10;
/// The least that the footer keeps for keys.
const KEYS: usize = 32;
/// Narrower lists show no project.
const ROOMY: u16 = 44;

/// Draws everything but the rules and the footer. Says where the caret is.
pub fn draw(
    app: &App,
    history: &History,
    layout: &Layout,
    buffer: &mut Buffer,
) -> Option<Position> {
    draw_list(app, history, layout.list, buffer);
    let finding = page::draw(app, history, layout.preview, buffer);
    let typing = header::draw(app, history, layout.query, buffer);
    finding.or(typing)
}

fn draw_list(app: &App, history: &History, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let lines = app.history_lines();
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
        (what_is_left(history, room), theme.attention()),
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

/// What the rows have in common, as long as there is room for it.
fn what_is_left(history: &History, room: usize) -> String {
    let (deleted, missing) = (number(history.deleted), number(history.missing));
    let texts = match (history.deleted, history.missing) {
        (0, 1..) => [
            "no conversation left, prompts only".to_owned(),
            String::new(),
        ],
        (_, 0) => [
            "conversation deleted by clean-up, prompts only".to_owned(),
            "deleted by clean-up, prompts only".to_owned(),
        ],
        (_, _) => [
            format!("prompts only: {deleted} deleted by clean-up, {missing} gone otherwise"),
            format!("{deleted} deleted, {missing} gone otherwise"),
        ],
    };
    let [long, short] = texts;
    if width(&long) <= room || short.is_empty() {
        long
    } else {
        short
    }
}

/// How many conversations clean-up takes soon.
fn expiring(history: &History) -> String {
    match history.progress.expiring {
        None => String::new(),
        Some(0) => "no session expires within 7 days".to_owned(),
        Some(1) => "1 session expires within 7 days".to_owned(),
        Some(count) => format!("{} sessions expire within 7 days", number(count)),
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
        let fate = match self.hit.fate {
            ConversationFate::Deleted if self.history.view == View::Prompts => "deleted",
            ConversationFate::Missing => "not on disk",
            ConversationFate::Empty => "empty",
            ConversationFate::Deleted | ConversationFate::There | ConversationFate::Unknown => "",
        };
        let row = self.history.row(self.hit.row);
        let date = match (self.history.view, row) {
            (View::Prompts, Some(row)) if row.prompt.timestamp == 0 => "no date",
            _ => "",
        };
        // One can go there: that is worth more than what became of this one.
        let other = self.hit.elsewhere().and_then(|row| self.history.row(row));
        let now = self.app.now.timestamp_millis();
        let also = other.map(|other| format!("also {}", other.since(now)));
        let fate = also.as_deref().unwrap_or(fate);
        for note in [date, fate] {
            if !notes.is_empty() && !note.is_empty() {
                notes.push(' ');
            }
            notes.push_str(note);
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
        let last = if span.first == span.last {
            String::new()
        } else {
            format!("{dot}last: {}", clean(&span.last.display, 200))
        };
        let text = format!("     {id}{dot}{dates}{last}");
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
        || "no date".to_owned(),
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
    let of_sessions = history.asked.query.of_sessions();
    let mut lines: Vec<String> = Vec::new();
    if progress.read == 0 && progress.over && progress.unreadable == 0 {
        lines.push("No prompt history yet: Claude Code writes it as you ask.".to_owned());
    } else if !of_sessions.is_empty() {
        let verb = if of_sessions.len() == 1 { "is" } else { "are" };
        lines.push(format!("{} {verb} not for prompts.", of_sessions.join(" ")));
    } else if history.asked.query.is_empty() {
        lines.push(format!("No {what} here."));
    } else if history.view == View::Deleted {
        lines.push(format!("Nothing in {what}."));
    } else if history.tier == Some(Tier::Substring) {
        lines.push("No prompt has this as it stands. Still looking for loose matches.".to_owned());
    } else {
        lines.push(format!("Nothing in {} {what}.", number(history.prompts)));
    }
    if !of_sessions.is_empty() {
        lines.push("Of prompts you can ask project: since: before: id:".to_owned());
    }
    if history.counts.elsewhere > 0
        && history.view == View::Prompts
        && let Some(key) = app.setting.keymap.name(Action::HistoryScope)
    {
        let count = number(history.counts.elsewhere);
        lines.push(format!("{key}  look farther: {count} there"));
    }
    if let Some(text) = unsearched(history) {
        lines.push(format!("There are {text}."));
    }
    if !progress.over {
        lines.push("Still reading.".to_owned());
    }
    let mut row = area.height.min(4) / 3;
    for (n, text) in lines.iter().enumerate() {
        let style = if n == 0 { theme.text() } else { theme.dim() };
        for part in wrap(text, usize::from(area.width.saturating_sub(4))) {
            let line = Line::from(vec![Span::raw("   "), Span::styled(part, style)]);
            put(buffer, line_of(area, row), &line);
            row += 1;
        }
    }
}

/// What no search looks into, if something is searched for.
fn unsearched(history: &History) -> Option<String> {
    match history.progress.unsearched {
        _ if history.asked.query.is_empty() => None,
        0 => None,
        1 => Some("pastes of 1 prompt not searched".to_owned()),
        count => Some(format!("pastes of {} prompts not searched", number(count))),
    }
}

/// How far the reading is, for a footer of so many columns.
pub fn progress(app: &App, history: &History, columns: usize) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let progress = history.progress;
    if !progress.over {
        let spinner = theme.signs().spinner;
        let sign = spinner[(progress.read / 4000) % spinner.len()];
        let text = format!("reading {} {sign}", number(progress.read));
        return vec![Span::styled(text, theme.dim())];
    }
    if progress.unreadable > 0 {
        let text = match progress.unreadable {
            1 => "the history cannot be read".to_owned(),
            count => format!("{count} histories cannot be read"),
        };
        return vec![Span::styled(text, theme.broken())];
    }
    if let Some(text) = unsearched(history) {
        let text = if width(&text) + KEYS > columns {
            "pastes not searched".to_owned()
        } else {
            text
        };
        return vec![Span::styled(text, theme.attention())];
    }
    // The keys are what one needs to go on: this is short.
    match progress.passed {
        Passed {
            malformed: 0,
            blank: 0,
        } => Vec::new(),
        Passed {
            malformed: 0,
            blank,
        } => {
            vec![Span::styled(
                format!("{} empty", number(blank)),
                theme.dim(),
            )]
        }
        Passed { malformed, .. } => {
            let lines = if malformed == 1 { "line" } else { "lines" };
            let text = format!("{} bad {lines}", number(malformed));
            vec![Span::styled(text, theme.attention())]
        }
    }
}
