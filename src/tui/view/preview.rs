//! The preview: what the session is, then the conversation that resuming brings back.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::words::{clean, columns, marked};
use super::{line_of, put};
use crate::list::Row;
use crate::preview::{self, Coverage, LedgerHead, Speaker};
use crate::search::Query;
use crate::store::Status;
use crate::text::{sanitize, width, wrap};
use crate::tui::app::App;
use crate::tui::keymap::Action;
use crate::tui::layout::{Focus, GUTTER};
use crate::tui::reading::{Content, Find, Stage};
use crate::tui::seek::{Searched, Unseen, marks};
use crate::tui::theme::Theme;

/// Files from this size on take long enough to be waited for.
const LARGE: u64 = 16 * 1024 * 1024;

/// Draws the preview. Returns where the caret stands, if something is typed in it.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let row = app.listing.cursor_row()?;
    if area.is_empty() {
        return None;
    }
    let height = app.preview_header(area);
    let header = Rect { height, ..area };
    if height == 1 {
        draw_title(app, row, header, buffer);
    } else if height > 1 {
        draw_card(app, row, header, buffer);
    }
    let find = u16::from(app.preview.find.is_some()).min(area.height - height);
    let body = Rect {
        y: area.y + height,
        height: area.height - height - find,
        ..area
    };
    draw_body(app, body, buffer);
    let below = Rect {
        y: body.bottom(),
        height: find,
        ..area
    };
    let sought = app.preview.find.as_ref()?;
    let said = found(app, usize::from(below.width));
    draw_find(app, sought, said, below, buffer)
}

/// What is looked for here, and what is said of how often it is there.
pub fn draw_find(
    app: &App,
    find: &Find,
    said: String,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let theme = app.setting.theme;
    let room = usize::from(area.width).saturating_sub(width(&said) + 5);
    let typed = find.input.text();
    // The end of what is typed is where one types.
    let mut shown = sanitize(typed).into_owned();
    while width(&shown) > room {
        shown = shown.chars().skip(1).collect();
    }
    let style = match find.stage {
        Stage::Typing => theme.strong(),
        Stage::Typed => theme.text(),
    };
    let line = Line::from(vec![
        Span::styled(" /", theme.you()),
        Span::styled(shown.clone(), style),
    ]);
    put(buffer, area, &line);
    let right = columns(width(&said) + 1);
    let x = area.right().saturating_sub(right).max(area.x);
    put(
        buffer,
        Rect {
            x,
            width: area.right() - x,
            ..area
        },
        &Line::styled(said, theme.dim()),
    );
    let before = find.input.cursor_column().min(width(&shown));
    let caret = Position::new(area.x + 2 + columns(before), area.y);
    (find.stage == Stage::Typing && caret.x < area.right()).then_some(caret)
}

/// How often it is there, and what was not looked through, if there is room to say so.
fn found(app: &App, room: usize) -> String {
    let (Some(sought), Some(page)) = (app.preview.sought(), app.preview.page()) else {
        return String::new();
    };
    let (at, count) = app.preview.count();
    let mut said = match (count, page.found.searched) {
        _ if !app.preview.is_looked_through() => "looking…".to_owned(),
        (0, _) => "no match".to_owned(),
        (count, Searched::Enough) => format!("{at} of {count}+"),
        (count, Searched::Everything | Searched::Partly) => format!("{at} of {count}"),
    };
    let dot = app.setting.theme.signs().dot;
    let unseen = unseen(app, &page.found.unseen, count);
    let before =
        (page.head == LedgerHead::Compacted).then(|| "not before the compaction".to_owned());
    let is_over = app.preview.is_looked_through();
    let unseen = unseen.filter(|_| is_over).map(|it| (it, count == 0));
    // Where nothing else was found it has to be said.
    for (rest, has_to) in unseen.into_iter().chain(before.map(|it| (it, false))) {
        if has_to || width(sought) + width(&said) + width(dot) + width(&rest) + 8 <= room {
            said.push_str(dot);
            said.push_str(&rest);
        }
    }
    said
}

/// Where else it is, and with what key that is shown.
fn unseen(app: &App, unseen: &BTreeSet<Unseen>, count: usize) -> Option<String> {
    let key = |name: &str, action| match app.setting.keymap.name(action) {
        Some(key) => format!("{name} ({key})"),
        None => name.to_owned(),
    };
    let is_in = unseen.iter().filter_map(|unseen| match unseen {
        Unseen::Answers => Some(key("answers", Action::Folds)),
        Unseen::Thinking => Some(key("thinking", Action::Thinking)),
        Unseen::Notes => Some(key("notes", Action::Noise)),
        Unseen::TooLong => None,
    });
    let is_in: Vec<String> = is_in.collect();
    let mut parts = Vec::new();
    if !is_in.is_empty() {
        let also = if count == 0 { "in" } else { "also in" };
        parts.push(format!("{also} {}", is_in.join(", ")));
    }
    if unseen.contains(&Unseen::TooLong) {
        parts.push("not in texts cut for their length".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(app.setting.theme.signs().dot))
}

/// What is known at once, until the conversation was read.
fn draw_title(app: &App, row: &Row, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let meta = &row.session.meta;
    let title = clean(meta.title().map_or("(no title)", |(_, title)| title), room);
    let style = match app.focus {
        Focus::Preview => theme.strong().patch(theme.you()),
        Focus::List => theme.strong(),
    };
    let title = Line::from(vec![Span::raw(" "), Span::styled(title, style)]);
    put(buffer, line_of(area, 0), &title);
    let mut place: Vec<String> = Vec::new();
    place.extend(meta.cwd.as_deref().map(|cwd| app.tilde(cwd)));
    place.extend(meta.git_branch.as_deref().map(str::to_owned));
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
        for (line, spans) in (1..above).zip(page.card.lines.iter().skip(1)) {
            let mut drawn = vec![Span::raw(" ")];
            drawn.extend(
                spans
                    .iter()
                    .map(|span| Span::styled(span.text.clone(), theme.tone(span.tone)))
                    .map(|span| plain(span, theme)),
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
    let status = app.live.of(&row.session).map(|live| live.status);
    let (sign, words, style) = match status {
        Some(Status::Busy) => (signs.busy, "busy", theme.live()),
        Some(Status::Shell) => (signs.busy, "runs a shell command", theme.live()),
        Some(Status::Waiting) => (signs.waiting, "waiting for you", theme.attention()),
        Some(Status::Idle) => (signs.idle, "open and idle", theme.live()),
        Some(Status::Unknown) => (signs.idle, "open", theme.live()),
        None => ("", "", theme.dim()),
    };
    let is_partial = app
        .preview
        .page()
        .is_some_and(|page| page.known == Coverage::Newest);
    if is_partial && row.session.file.size > LARGE {
        let text = format!("reading the rest{} ", theme.glyphs.write("…"));
        line.insert(1, Span::styled(text, theme.dim()));
    } else if !words.is_empty() {
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
            Some(row) if row.session.file.size > LARGE => {
                let size = crate::text::size(row.session.file.size);
                (format!("reading {size}…"), theme.dim())
            }
            Some(_) | None => return,
        },
        Content::Page(page) if !page.scroll.is_empty() => {
            let sought = app.preview.sought().map(Query::phrase);
            let query = sought.as_ref().unwrap_or(&app.asked.query);
            let rest = page.scroll.len().saturating_sub(app.preview.top);
            let lines = page.scroll.from(app.preview.top).take(rest);
            let rows = usize::from(area.height);
            let marks = marks(&page.scroll, app.preview.top, rows, page.columns, query);
            let lines = (app.preview.top..).zip(lines).zip(&marks);
            for (row, ((at, line), marks)) in (0..area.height).zip(lines) {
                let is_here = app.focus == Focus::Preview && at == app.preview.cursor;
                put(
                    buffer,
                    line_of(area, row),
                    &drawn(app, line, marks, is_here),
                );
            }
            return;
        }
        Content::Page(_) => ("nothing was said".to_owned(), theme.dim()),
        Content::Failed(reason) => {
            let lines = wrap(reason, room);
            for (row, text) in (0..area.height).zip(lines) {
                let line = vec![Span::raw(" "), Span::styled(text, theme.broken())];
                put(buffer, line_of(area, row), &Line::from(line));
            }
            return;
        }
    };
    let line = Line::from(vec![Span::raw(" "), Span::styled(text, style)]);
    put(buffer, line_of(area, 0), &line);
}

/// A line with its margin, matches marked.
fn drawn(
    app: &App,
    line: &preview::PageLine,
    matches: &[Range<usize>],
    is_here: bool,
) -> Line<'static> {
    let theme = app.setting.theme;
    let width = usize::from(GUTTER) - 3;
    let margin = match line.speaker {
        Speaker::You => theme.you(),
        Speaker::Claude | Speaker::Note | Speaker::Files => theme.dim(),
    };
    let (gutter, gutter_style) = if is_here {
        (theme.signs().bar, theme.you())
    } else {
        (theme.signs().gutter, theme.dim())
    };
    let mut spans = vec![
        Span::styled(format!("{:>width$}", line.margin), margin),
        Span::styled(format!(" {gutter} "), gutter_style),
    ];
    let mut start = 0;
    for span in &line.spans {
        let end = start + span.text.len();
        let inside: Vec<Range<usize>> = matches
            .iter()
            .filter(|range| range.start < end && range.end > start)
            .map(|range| range.start.max(start) - start..range.end.min(end) - start)
            .collect();
        let drawn = marked(&span.text, &inside, theme.tone(span.tone), theme);
        spans.extend(drawn.into_iter().map(|span| plain(span, theme)));
        start = end;
    }
    Line::from(spans)
}

/// The signs of the ledger in letters that every terminal has.
fn plain(span: Span<'static>, theme: Theme) -> Span<'static> {
    match theme.glyphs.write(&span.content) {
        Cow::Borrowed(_) => span,
        Cow::Owned(content) => Span::styled(content, span.style),
    }
}
