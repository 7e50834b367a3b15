//! Draws a conversation: what it is, its lines, the find bar.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Content, Reader, ReaderPane};
use crate::list::Row;
use crate::preview::{self, Coverage, LedgerHead, Speaker};
use crate::reader::{Searched, Unseen};
use crate::store::Status;
use crate::text::{width, wrap};
use crate::tui::host::Env;
use crate::tui::keymap::Action;
use crate::tui::layout::GUTTER;
use crate::tui::theme::Theme;
use crate::tui::widgets::{clean, line_of, marked, put, split_matches};

/// Files from this size on take long enough to say so.
const LARGE: u64 = 16 * 1024 * 1024;

impl Reader {
    /// Draws the reader of a row. Returns the position of the caret in the find bar.
    pub fn draw(
        &self,
        row: &Row,
        env: Env<'_>,
        pane: ReaderPane,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let area = pane.area;
        if area.is_empty() {
            return None;
        }
        let height = self.header(area);
        if height > 0 {
            let header = Rect { height, ..area };
            self.draw_header(row, env, pane.focused, header, buffer);
        }
        let area = Rect {
            y: area.y + height,
            height: area.height - height,
            ..area
        };
        // A word that is gone before it can be read would only flicker.
        if let (Content::Loading, size @ LARGE..) = (&self.content, row.session.file.size) {
            let text = format!("reading {}…", crate::text::size(size));
            say_in(&text, env.context.theme().dim(), area, buffer);
        }
        self.draw_text(env, ReaderPane { area, ..pane }, buffer)
    }

    /// Draws the lines and the find bar. Returns the position of the caret in it.
    pub fn draw_text(
        &self,
        env: Env<'_>,
        pane: ReaderPane,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let area = pane.area;
        let find = u16::from(self.find.is_some()).min(area.height);
        let body = Rect {
            height: area.height - find,
            ..area
        };
        self.draw_body(env, pane.focused, body, buffer);
        let below = Rect {
            y: body.bottom(),
            height: find,
            ..area
        };
        let result = self.find_result(env, usize::from(below.width));
        let find = self.find.as_ref()?;
        find.draw(result, env.context.theme(), below, buffer)
    }

    /// How many matches there are, and what was not searched if there is room to say so.
    fn find_result(&self, env: Env<'_>, room: usize) -> String {
        let (Some(text), Some(page)) = (self.find_text(), self.page()) else {
            return String::new();
        };
        let (at, count) = self.match_count();
        let is_over = self.is_searched();
        let mut result = match (count, page.found.searched) {
            _ if !is_over => "searching…".to_owned(),
            (0, _) => "no match".to_owned(),
            (count, Searched::Enough) => format!("{at} of {count}+"),
            (count, Searched::Everything | Searched::Partly) => format!("{at} of {count}"),
        };
        let dot = env.context.theme().signs().dot;
        let unseen = page.found.unseen.iter().map(|unseen| {
            let (name, action) = match unseen {
                Unseen::Answers => ("answers", Action::Folds),
                Unseen::Thinking => ("thinking", Action::Thinking),
                Unseen::Notes => ("notes", Action::Noise),
            };
            match env.context.key(action).as_str() {
                "" => name.to_owned(),
                key => format!("{name} ({key})"),
            }
        });
        let unseen = unseen.collect::<Vec<_>>().join(", ");
        let also = if count == 0 { "in" } else { "also in" };
        let unseen = (is_over && !unseen.is_empty()).then(|| format!("{also} {unseen}"));
        let before =
            (page.head == LedgerHead::Compacted).then(|| "not before the compaction".to_owned());
        // Without any other match, say it even if it does not fit.
        let notes = unseen.map(|it| (it, count == 0)).into_iter();
        for (note, must) in notes.chain(before.map(|it| (it, false))) {
            if must || width(text) + width(&result) + width(dot) + width(&note) + 8 <= room {
                result.push_str(dot);
                result.push_str(&note);
            }
        }
        result
    }

    /// What the conversation is, and if there is room whether the session runs, and a rule.
    fn draw_header(&self, row: &Row, env: Env<'_>, focused: bool, area: Rect, buffer: &mut Buffer) {
        let theme = env.context.theme();
        let signs = theme.signs();
        let room = usize::from(area.width.saturating_sub(2));
        let style = if focused {
            theme.strong().patch(theme.you())
        } else {
            theme.strong()
        };
        let mut lines = vec![vec![Span::styled(clean(&row.title(), room, theme), style)]];
        if let Some(page) = self.page() {
            // The title stays: its style shows where the keys go.
            let styled = |span: &preview::Span| {
                let span = Span::styled(span.text.clone(), theme.tone(span.tone));
                plain(span, theme)
            };
            let card = page.card.lines.iter().skip(1);
            lines.extend(card.map(|spans| spans.iter().map(styled).collect()));
        } else {
            let meta = &row.session.meta;
            let project = meta.cwd.as_deref().map(|cwd| env.context.tilde(cwd));
            let branch = meta.git_branch.as_deref().map(str::to_owned);
            let place: Vec<String> = project.into_iter().chain(branch).collect();
            let place = clean(&place.join(signs.dot), room, theme);
            lines.push(vec![Span::styled(place, theme.dim())]);
        }
        let above = area.height.saturating_sub(1).max(1);
        for (at, mut spans) in (0..above).zip(lines) {
            spans.insert(0, Span::raw(" "));
            put(buffer, line_of(area, at), &Line::from(spans));
        }
        if above == area.height {
            return;
        }
        let mut line = vec![Span::raw(" ")];
        let status = env.data.running.of(&row.session).map(|live| live.status);
        let (sign, words, style) = match status {
            Some(Status::Busy) => (signs.busy, "busy", theme.live()),
            Some(Status::Shell) => (signs.busy, "runs a shell command", theme.live()),
            Some(Status::Waiting) => (signs.waiting, "waiting for you", theme.attention()),
            Some(Status::Idle) => (signs.idle, "open and idle", theme.live()),
            Some(Status::Unknown) => (signs.idle, "open", theme.live()),
            None => ("", "", theme.dim()),
        };
        let is_partial = self
            .page()
            .is_some_and(|page| page.known == Coverage::Newest);
        if let Some(words) = self.found_where() {
            line.push(Span::styled(format!("{words} "), theme.attention()));
        } else if is_partial && row.session.file.size > LARGE {
            let text = format!("reading the rest{} ", theme.glyphs.write("…"));
            line.push(Span::styled(text, theme.dim()));
        } else if !words.is_empty() {
            line.push(Span::styled(format!("{sign} {words} "), style));
        } else if let Some(days) = env.expires_in(row) {
            let text = format!("{}{days}d until Claude Code deletes it ", signs.expires);
            line.push(Span::styled(text, theme.attention()));
        }
        let rule = usize::from(area.width.saturating_sub(1));
        line.push(Span::styled(signs.horizontal.repeat(rule), theme.dim()));
        put(buffer, line_of(area, above), &Line::from(line));
    }

    /// What resuming does not bring back of a place that a search led to.
    fn found_where(&self) -> Option<&'static str> {
        self.target.as_ref()?;
        let turn = self.line(self.cursor)?.place.turn;
        if self.landing.as_ref().is_some_and(|landing| landing.is_near) {
            return Some("what was found cannot be shown here: this is from that time");
        }
        let landing = self.landing.as_ref();
        if landing.is_some_and(|it| it.leaf.is_some() && it.leaf == self.leaf) {
            Some("on a rewound branch: resume loads another one")
        } else {
            (turn < 0).then_some("before the compaction: Claude no longer sees this")
        }
    }

    fn draw_body(&self, env: Env<'_>, focused: bool, area: Rect, buffer: &mut Buffer) {
        let theme = env.context.theme();
        let (text, style) = match &self.content {
            Content::Loading => return,
            Content::Page(page) if !page.scroll.is_empty() => {
                let asked = self.asked.as_ref();
                let matcher = asked.and_then(|asked| asked.find.matcher());
                let rows = usize::from(area.height);
                let matcher = matcher.unwrap_or_default();
                let marks = matcher.marks(&page.scroll, self.top, rows, page.columns);
                let rest = page.scroll.len().saturating_sub(self.top);
                let lines = page.scroll.from(self.top).take(rest);
                let lines = (self.top..).zip(lines).zip(&marks);
                for (row, ((at, line), marks)) in (0..area.height).zip(lines) {
                    let is_here = focused && at == self.cursor;
                    let line = draw_line(line, marks, is_here, page.has_margin(), theme);
                    put(buffer, line_of(area, row), &line);
                }
                return;
            }
            Content::Page(_) => ("no messages".to_owned(), theme.dim()),
            Content::Failed(reason) => (reason.clone(), theme.broken()),
        };
        say_in(&text, style, area, buffer);
    }
}

fn say_in(text: &str, style: Style, area: Rect, buffer: &mut Buffer) {
    let room = usize::from(area.width.saturating_sub(2));
    for (row, text) in (0..area.height).zip(wrap(text, room)) {
        let line = vec![Span::raw(" "), Span::styled(text, style)];
        put(buffer, line_of(area, row), &Line::from(line));
    }
}

/// A line with its margin, matches marked.
fn draw_line(
    line: &preview::PageLine,
    matches: &[Range<usize>],
    is_here: bool,
    has_margin: bool,
    theme: Theme,
) -> Line<'static> {
    let width = usize::from(GUTTER) - 3;
    let margin = match line.speaker {
        Speaker::You => theme.you(),
        Speaker::Claude | Speaker::Peer | Speaker::Note | Speaker::Files => theme.dim(),
    };
    let (gutter, gutter_style) = if is_here {
        (theme.signs().bar, theme.you())
    } else {
        (theme.signs().gutter, theme.dim())
    };
    let mut spans = if has_margin {
        vec![
            Span::styled(format!("{:>width$}", line.margin), margin),
            Span::styled(format!(" {gutter} "), gutter_style),
        ]
    } else if is_here {
        vec![Span::styled(gutter, gutter_style)]
    } else {
        vec![Span::raw(" ")]
    };
    let mut start = 0;
    for span in &line.spans {
        let end = start + span.text.len();
        let inside = split_matches(matches, start..end);
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
