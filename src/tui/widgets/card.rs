//! A card over the panes: a headline, some lines, and numbered choices.
//!
//! If it does not fit, only the choice under the cursor shows its command; if that does not fit
//! either, the card scrolls.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Motion, clean, columns, line_of, put};
use crate::text::{sanitize, width};
use crate::tui::context::Context;
use crate::tui::layout::Focus;
use crate::tui::theme::Theme;

/// Columns before a command.
const INDENT: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Card {
    pub headline: String,
    /// What the card is about, after the headline.
    pub title: String,
    pub lines: Vec<String>,
    pub choices: Vec<CardChoice>,
    pub cursor: usize,
    /// Lines scrolled away from the position that follows the cursor.
    pub scrolled: isize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardChoice {
    pub label: String,
    /// The command that it leads to.
    pub command: String,
}

/// A line of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardLine {
    Headline(String),
    About(String),
    /// The first line of a choice.
    Choice(usize, String),
    /// The rest of its label.
    Label(usize, String),
    /// A part of its command.
    Command(usize, String),
    Blank,
}

impl CardLine {
    /// The choice that it belongs to.
    fn choice(&self) -> Option<usize> {
        match self {
            Self::Choice(at, _) | Self::Label(at, _) | Self::Command(at, _) => Some(*at),
            Self::Headline(_) | Self::About(_) | Self::Blank => None,
        }
    }
}

/// The visible part of a card.
struct CardView {
    lines: Vec<CardLine>,
    /// Hidden lines before and after it.
    above: usize,
    below: usize,
    /// Lines that fit below the headline.
    page: usize,
    /// Hidden lines of the choice under the cursor, before and after it.
    choice_above: usize,
    choice_below: usize,
}

impl Card {
    /// Puts the cursor on a choice.
    pub fn point(&mut self, at: usize) {
        let at = at.min(self.choices.len().saturating_sub(1));
        // At the first or the last choice the viewport is already there.
        if at != self.cursor {
            self.cursor = at;
            self.scrolled = 0;
        }
    }

    /// Moves to the next or previous choice, after the hidden lines of this one were scrolled into
    /// sight; before the first choice, to the top of the card.
    pub fn go(&mut self, motion: Motion, context: &Context) {
        let view = self.view(context);
        let (by, lines, end) = match motion {
            Motion::Lines(by) => (by, 1, self.cursor.saturating_add_signed(by)),
            Motion::Pages(by) if by < 0 => (by, view.page.max(1), 0),
            Motion::Pages(by) => (by, view.page.max(1), usize::MAX),
            Motion::First => return self.point(0),
            Motion::Last => return self.point(usize::MAX),
        };
        let unseen = match by {
            ..0 if self.cursor == 0 => view.above,
            ..0 => view.choice_above,
            _ => view.choice_below,
        };
        let lines = isize::try_from(lines.min(unseen)).unwrap_or(0);
        if lines > 0 && view.page > 0 {
            self.scrolled += lines * by.signum();
        } else {
            self.point(end);
        }
    }

    /// The choice on a line of the screen. `None` outside of the card.
    pub fn choice_at(&self, line: u16, context: &Context) -> Option<Option<usize>> {
        let line = line.checked_sub(body(context).y)?;
        let view = self.view(context);
        let line = view.lines.get(usize::from(line))?;
        Some(line.choice())
    }

    fn view(&self, context: &Context) -> CardView {
        let body = body(context);
        let room = usize::from(body.height.saturating_sub(1));
        let columns = usize::from(body.width.saturating_sub(2));
        let all = self.laid_out(columns, |_| true);
        let mut lines = if all.len() <= room {
            all
        } else {
            self.laid_out(columns, |at| at == self.cursor)
        };
        // The headline stays visible, unless there is room for little more than a choice.
        let pinned = usize::from(room > 3).min(lines.len());
        let mut body = lines.split_off(pinned);
        let page = room.saturating_sub(pinned);
        let is_current = |line: &CardLine| line.choice() == Some(self.cursor);
        let first = body.iter().position(is_current).unwrap_or(0);
        let end = body.iter().rposition(is_current).map_or(0, |last| last + 1);
        // The choice itself matters more than the end of its command.
        let top = end.saturating_sub(page).min(first);
        let top = top.saturating_add_signed(self.scrolled);
        let top = top.min(body.len().saturating_sub(page));
        let below = body.len().saturating_sub(top + page);
        body.truncate(top + page);
        lines.extend(body.into_iter().skip(top));
        CardView {
            lines,
            above: top,
            below,
            page,
            choice_above: top.saturating_sub(first),
            choice_below: end.saturating_sub(top + page),
        }
    }

    fn laid_out(&self, columns: usize, shows_command: impl Fn(usize) -> bool) -> Vec<CardLine> {
        let room = columns.saturating_sub(INDENT);
        let mut lines = vec![CardLine::Headline(self.headline.clone())];
        for line in &self.lines {
            lines.extend(wrapped(line, room).into_iter().map(CardLine::About));
        }
        lines.push(CardLine::Blank);
        for (at, choice) in self.choices.iter().enumerate() {
            let mut parts = wrapped(&choice.label, room).into_iter();
            let first = parts.next().unwrap_or_default();
            lines.push(CardLine::Choice(at, first));
            lines.extend(parts.map(|part| CardLine::Label(at, part)));
            if shows_command(at) {
                let parts = wrapped(&choice.command, room).into_iter();
                lines.extend(parts.map(|part| CardLine::Command(at, part)));
            }
        }
        lines
    }

    /// Draws the card. The panes below it stay visible.
    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let area = body(context);
        let theme = context.theme();
        let view = self.view(context);
        let buffer = frame.buffer_mut();
        clear(area, view.lines.len(), theme, buffer);
        for (row, line) in (0..area.height).zip(&view.lines) {
            put(buffer, line_of(area, row), &self.line(line, theme, area));
        }
        let hints = [
            (view.above, "more above (Up)"),
            (view.below, "more below (Down)"),
        ];
        let hints = hints.into_iter().filter(|(lines, _)| *lines > 0);
        let hints: Vec<&str> = hints.map(|(_, text)| text).collect();
        if !hints.is_empty() {
            let place = line_of(area, columns(view.lines.len()));
            let text = format!("  {} ", hints.join(theme.signs().dot));
            put(buffer, place, &Line::styled(text, theme.dim()));
        }
    }

    fn line(&self, line: &CardLine, theme: Theme, area: Rect) -> Line<'static> {
        let room = usize::from(area.width.saturating_sub(2));
        // The bar marks every line of the choice: its first one may be scrolled away.
        let is_current = line.choice() == Some(self.cursor);
        let bar = if is_current { theme.signs().bar } else { " " };
        let bar = Span::styled(format!(" {bar} "), theme.you());
        let label = if is_current {
            theme.strong()
        } else {
            theme.text()
        };
        let indented = |sign: String, text: &str, style: Style| {
            let text = clean(text, room.saturating_sub(INDENT));
            let sign = Span::styled(sign, theme.dim());
            Line::from(vec![bar.clone(), sign, Span::styled(text, style)])
        };
        let blank = "  ".to_owned();
        match line {
            CardLine::Headline(text) => headline(text, &self.title, theme, room),
            CardLine::About(text) => indented(blank, text, theme.text()),
            CardLine::Choice(at, text) => indented(format!("{} ", at + 1), text, label),
            CardLine::Label(_, text) => indented(blank, text, label),
            CardLine::Command(_, text) => indented(blank, text, theme.dim()),
            CardLine::Blank => Line::default(),
        }
    }
}

/// The area that cards cover.
pub fn body(context: &Context) -> Rect {
    context.layout(Focus::List).body()
}

/// The first line of a card.
pub fn headline(text: &str, title: &str, theme: Theme, room: usize) -> Line<'static> {
    let mut spans = vec![Span::styled(
        format!("  {}", clean(text, room)),
        theme.attention(),
    )];
    if !title.is_empty() {
        let title = format!("{}{}", theme.signs().dot, clean(title, room / 2));
        spans.push(Span::styled(title, theme.dim()));
    }
    Line::from(spans)
}

/// Clears so many lines and draws a rule below them.
pub fn clear(area: Rect, lines: usize, theme: Theme, buffer: &mut Buffer) {
    let height = columns(lines).min(area.height);
    for row in 0..=height {
        let (sign, style) = if row == height {
            (theme.signs().horizontal, theme.dim())
        } else {
            (" ", Style::new())
        };
        for position in line_of(area, row).positions() {
            if let Some(cell) = buffer.cell_mut(position) {
                cell.reset();
                cell.set_symbol(sign).set_style(style);
            }
        }
    }
}

/// A text, safe to print, wrapped at spaces if there are any.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let safe = sanitize(text);
    let mut lines = vec![String::new()];
    for word in safe.split_inclusive(' ') {
        let mut word = word;
        loop {
            let line = lines.last_mut().map(|line| (width(line), line));
            let Some((used, line)) = line else { break };
            if used + width(word.trim_end()) <= columns {
                line.push_str(word);
                break;
            }
            if used > 0 {
                lines.push(String::new());
                continue;
            }
            // A word that is longer than a line is cut.
            let mut end = 0;
            for (at, c) in word.char_indices() {
                if width(&word[..at + c.len_utf8()]) > columns {
                    break;
                }
                end = at + c.len_utf8();
            }
            let (head, tail) = word.split_at(end.max(1).min(word.len()));
            line.push_str(head);
            word = tail;
            lines.push(String::new());
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
