//! A card over the panes: a headline, some lines, and numbered choices.
//!
//! If it does not fit, only the choice under the cursor shows its command; if that does not fit
//! either, the card scrolls. The headline and the choice under the cursor are the last to go.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::{Motion, clean, columns, line_of, put, scrolled};
use crate::text::{sanitize, width};
use crate::tui::{Context, Focus, Theme};

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

/// A line of a card, and the choice that it belongs to.
type CardLine = (Option<usize>, Line<'static>);

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
        let (choice, _) = view.lines.get(usize::from(line))?;
        Some(*choice)
    }

    fn view(&self, context: &Context) -> CardView {
        let body = body(context);
        let theme = context.theme();
        let room = usize::from(body.height.saturating_sub(1));
        let columns = usize::from(body.width.saturating_sub(2));
        let all = self.laid_out(columns, theme, |_| true);
        let mut lines = if all.len() <= room {
            all
        } else {
            self.laid_out(columns, theme, |at| at == self.cursor)
        };
        let is_current = |(choice, _): &CardLine| *choice == Some(self.cursor);
        let headline = self.headline(columns, theme).len();
        // Half of a low card is for what Enter does, if that takes so much.
        let choice = lines.iter().filter(|line| is_current(line)).count();
        let choice = choice.min(room.div_ceil(2));
        let pinned = headline.min(room - choice);
        let mut body = if pinned < headline {
            // Scrolling up shows all of it.
            let rest = std::mem::take(&mut lines);
            lines.extend(self.cut_headline(pinned, columns, theme));
            rest
        } else {
            lines.split_off(pinned)
        };
        let page = room.saturating_sub(pinned);
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

    fn laid_out(
        &self,
        columns: usize,
        theme: Theme,
        shows_command: impl Fn(usize) -> bool,
    ) -> Vec<CardLine> {
        let mut lines: Vec<CardLine> = self.head(columns, theme).map(|line| (None, line)).collect();
        for (at, choice) in self.choices.iter().enumerate() {
            let (bar, style) = if at == self.cursor {
                (theme.signs().bar, theme.strong())
            } else {
                (" ", theme.text())
            };
            let mut number = format!("{} ", at + 1);
            let mut add = |text: &str, style: Style| {
                for part in wrapped(text, columns.saturating_sub(INDENT)) {
                    // The bar marks every line of the choice: its first one may be scrolled away.
                    let line = Line::from(vec![
                        Span::styled(format!(" {bar} "), theme.you()),
                        Span::styled(std::mem::replace(&mut number, "  ".to_owned()), theme.dim()),
                        Span::styled(part, style),
                    ]);
                    lines.push((Some(at), line));
                }
            };
            add(&choice.label, style);
            if shows_command(at) {
                add(&choice.command, theme.dim());
            }
        }
        lines
    }

    /// What is above the choices.
    pub fn head(&self, columns: usize, theme: Theme) -> impl Iterator<Item = Line<'static>> {
        let about = self.lines.iter();
        let about = about.flat_map(move |text| indented(text, columns, theme.text()));
        let headline = self.headline(columns, theme).into_iter();
        headline.chain(about).chain([Line::default()])
    }

    /// The headline in as many lines as it needs, and the title after the last of them.
    fn headline(&self, columns: usize, theme: Theme) -> Vec<Line<'static>> {
        let mut parts = wrapped(&self.headline, columns);
        let last = parts.pop().unwrap_or_default();
        let above = parts.iter().map(|part| headline(part, "", theme, columns));
        let last = headline(&last, &self.title, theme, columns);
        above.chain([last]).collect()
    }

    /// The headline in so many lines, cut.
    fn cut_headline(
        &self,
        lines: usize,
        columns: usize,
        theme: Theme,
    ) -> impl Iterator<Item = CardLine> {
        let parts = wrapped(&self.headline, columns);
        let whole = lines.saturating_sub(1).min(parts.len());
        let rest = parts[whole..].join(" ");
        let last = (lines > 0).then_some(rest);
        let parts = parts.into_iter().take(whole).chain(last);
        parts.map(move |part| (None, headline(&part, "", theme, columns)))
    }

    /// Draws the card.
    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let view = self.view(context);
        let hints = [
            (view.above, "more above (Up)"),
            (view.below, "more below (Down)"),
        ];
        let hints = hints.into_iter().filter(|(lines, _)| *lines > 0);
        let hints: Vec<&str> = hints.map(|(_, text)| text).collect();
        let hint = hints.join(context.theme().signs().dot);
        let lines: Vec<Line<'_>> = view.lines.into_iter().map(|(_, line)| line).collect();
        draw_lines(&lines, &hint, context, frame.buffer_mut());
    }
}

/// Draws the lines of a card, a rule below them, and a hint on it. The panes below stay visible.
pub fn draw_lines(lines: &[Line<'_>], hint: &str, context: &Context, buffer: &mut Buffer) {
    let area = body(context);
    let theme = context.theme();
    let height = columns(lines.len()).min(area.height);
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
    for (row, line) in (0..height).zip(lines) {
        put(buffer, line_of(area, row), line);
    }
    if !hint.is_empty() {
        let hint = Line::styled(format!("  {hint} "), theme.dim());
        put(buffer, line_of(area, height), &hint);
    }
}

/// Columns of a card that scrolls, and its lines below the headline.
pub fn room(context: &Context) -> (usize, usize) {
    let area = body(context);
    let lines = usize::from(area.height.saturating_sub(2)).max(1);
    (usize::from(area.width.saturating_sub(2)), lines)
}

/// Scrolls so many lines below a headline. `top` is the first visible one.
pub fn scroll(top: &mut usize, motion: Motion, count: usize, context: &Context) {
    let (_, page) = room(context);
    let last = count.saturating_sub(page);
    *top = scrolled((*top).min(last), motion, page, last);
}

/// Draws a card whose lines scroll below its headline.
pub fn draw_scrolled(
    headline: Line<'static>,
    lines: Vec<Line<'static>>,
    top: usize,
    context: &Context,
    buffer: &mut Buffer,
) {
    let (count, (_, page)) = (lines.len(), room(context));
    let top = top.min(count.saturating_sub(page));
    let mut shown = vec![headline];
    shown.extend(lines.into_iter().skip(top).take(page));
    let last = top + shown.len() - 1;
    let hint = if last - top < count {
        format!("lines {} to {last} of {count}, Up and Down scroll", top + 1)
    } else {
        String::new()
    };
    draw_lines(&shown, &hint, context, buffer);
}

/// The area that cards cover.
pub fn body(context: &Context) -> Rect {
    context.layout(Focus::List).body()
}

/// The first line of a card.
pub fn headline(text: &str, title: &str, theme: Theme, room: usize) -> Line<'static> {
    let mut spans = vec![Span::styled(
        format!("  {}", clean(text, room, theme)),
        theme.attention(),
    )];
    if !title.is_empty() {
        let title = format!("{}{}", theme.signs().dot, clean(title, room / 2, theme));
        spans.push(Span::styled(title, theme.dim()));
    }
    Line::from(spans)
}

/// A text of a card in as many lines as it needs.
pub fn indented(text: &str, columns: usize, style: Style) -> Vec<Line<'static>> {
    let parts = wrapped(text, columns.saturating_sub(INDENT)).into_iter();
    let line = |part| Line::from(vec![" ".repeat(INDENT).into(), Span::styled(part, style)]);
    parts.map(line).collect()
}

/// A text, safe to print, broken between words. A word that is longer than a line is broken too:
/// nothing of a command gets lost.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines: Vec<String> = Vec::new();
    for word in sanitize(text).split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                let mut line = String::new();
                for c in word.graphemes(true) {
                    if width(&line) + width(c) > columns {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push_str(c);
                }
                lines.push(line);
            }
        }
    }
    lines
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
