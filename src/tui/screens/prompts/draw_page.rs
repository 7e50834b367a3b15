//! Draws the prompt under the cursor in full, and where and when it was asked.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::draw::date;
use super::{PastPage, PastRow, Prompts};
use crate::preview;
use crate::search::{ConversationFate, Field, PromptHit, Tier, View, highlight, project_label};
use crate::text::size;
use crate::tui::context::Context;
use crate::tui::host::Env;
use crate::tui::keymap::Action;
use crate::tui::layout::Focus;
use crate::tui::theme::Theme;
use crate::tui::widgets::{clean, line_of, marked, number, put, split_matches};

impl Prompts {
    /// Draws the prompt. Returns the position of the caret in the find bar.
    pub(super) fn draw_page(
        &self,
        area: Rect,
        env: Env<'_>,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let hit = self.cursor()?;
        let row = self.cursor_row()?;
        let theme = env.context.theme();
        let room = usize::from(area.width.saturating_sub(2));
        let header = self.page_header(area.height);
        let title = match self.focus {
            Focus::Preview => theme.strong().patch(theme.you()),
            Focus::List => theme.strong(),
        };
        let also = self.elsewhere_row().map(|row| also(row, env.context));
        let texts = [
            Some((place_and_time(row, env.context), title)),
            Some(self.fate(hit, row, theme)),
            also.map(|text| (text, theme.text())),
            Some((theme.signs().horizontal.repeat(room), theme.dim())),
        ];
        for (line, (text, style)) in (0..header).zip(texts.into_iter().flatten()) {
            let spans = vec![Span::raw(" "), Span::styled(clean(&text, room), style)];
            put(buffer, line_of(area, line), &Line::from(spans));
        }
        let find = u16::from(self.reader.find.is_some()).min(area.height - header);
        let body = Rect {
            y: area.y + header,
            height: area.height - header - find,
            ..area
        };
        match (self.page(), &self.reader.large) {
            (Some(page), _) => self.draw_lines(page, body, env.context, buffer),
            (None, Some((_, bytes))) => {
                let text = Span::styled(format!("reading {}", size(*bytes)), theme.dim());
                let line = Line::from(vec![Span::raw(" "), text]);
                put(buffer, line_of(body, 0), &line);
            }
            (None, None) => {}
        }
        let below = Rect {
            y: body.bottom(),
            height: find,
            ..area
        };
        let find = self.reader.find.as_ref()?;
        let has_more = self.page().is_some_and(|page| page.has_more_matches);
        let result = match (find.text(), self.reader.match_count()) {
            (None, _) => String::new(),
            (Some(_), _) if !self.reader.is_searched() => "searching…".to_owned(),
            (Some(_), (_, 0)) => "no match".to_owned(),
            (Some(_), (at, count)) if has_more => format!("{at} of {count}+"),
            (Some(_), (at, count)) => format!("{at} of {count}"),
        };
        find.draw(result, theme, below, buffer)
    }

    fn draw_lines(&self, page: &PastPage, body: Rect, context: &Context, buffer: &mut Buffer) {
        let theme = context.theme();
        let lines = page.lines.iter().enumerate().skip(self.reader.top);
        for (line, (at, spans)) in (0..body.height).zip(lines) {
            let mut drawn = vec![Span::raw(" ")];
            if page.more > 0 && at + 1 == page.lines.len() {
                let size = size(page.more as u64);
                let key = context.key(Action::OpenMessage);
                let text = format!("{size} more: {key} opens all of it");
                drawn.push(Span::styled(text, theme.attention()));
            } else {
                drawn.extend(self.line_spans(page, at, spans, theme));
            }
            put(buffer, line_of(body, line), &Line::from(drawn));
        }
    }

    /// A line of the page, matches marked.
    fn line_spans(
        &self,
        page: &PastPage,
        at: usize,
        spans: &[preview::Span],
        theme: Theme,
    ) -> Vec<Span<'static>> {
        let find = self.reader.find.as_ref().and_then(|find| find.text());
        let query = &self.query.query;
        let matches: Vec<Range<usize>> = if find.is_some() {
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
            let inside = split_matches(&matches, start..end);
            drawn.extend(marked(&span.text, &inside, theme.tone(span.tone), theme));
            start = end;
        }
        drawn
    }

    fn fate(&self, hit: PromptHit, row: &PastRow, theme: Theme) -> (String, Style) {
        let dot = theme.signs().dot;
        let id = row.prompt.session.as_deref().unwrap_or_default();
        let times = match (self.view, hit.count) {
            (View::Prompts, count @ 2..) => format!("{dot}asked {} times", number(count as usize)),
            _ => String::new(),
        };
        let (fate, style) = match hit.fate {
            ConversationFate::There => ("conversation still there", theme.dim()),
            ConversationFate::Deleted => (
                "conversation deleted by cleanup, prompts only",
                theme.attention(),
            ),
            ConversationFate::Missing => {
                ("conversation not on disk, prompts only", theme.attention())
            }
            ConversationFate::Empty => ("the file of its conversation is empty", theme.attention()),
            ConversationFate::Unknown => {
                return (format!("of no known session{times}"), theme.dim());
            }
        };
        (format!("{fate}{dot}{id}{times}"), style)
    }
}

fn place_and_time(row: &PastRow, context: &Context) -> String {
    let dot = context.theme().signs().dot;
    let project = match row.prompt.project.as_str() {
        "" => "no known project".to_owned(),
        project => format!("{} {}", project_label(project), context.tilde(project)),
    };
    let time = date(context, row.prompt.timestamp, "%Y-%m-%d %H:%M");
    format!("{project}{dot}{time}")
}

/// Where the same was asked before, in a conversation that can be opened.
fn also(row: &PastRow, context: &Context) -> String {
    let dot = context.theme().signs().dot;
    let id = row.prompt.session.as_deref().unwrap_or_default();
    let place = match project_label(&row.prompt.project) {
        "" => String::new(),
        project => format!(" in {project}"),
    };
    let when = row.since(context.millis());
    format!("also{place}, {when}: still there{dot}{id}")
}
