//! The query line: prompt, text, scope, counts. Says where the caret is.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::put;
use super::words::{columns, number, width_of};
use crate::list::Sort;
use crate::text::width;
use crate::tui::app::{App, Scan};
use crate::tui::keymap::Action;
use crate::tui::layout::Switch;

/// The least that the query keeps for itself.
const QUERY: usize = 16;

/// Draws the line. Returns where the caret stands, if there is room for one.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let theme = app.setting.theme;
    let total = usize::from(area.width);
    // What does not fit is left out, the least needed first.
    let details = [
        Detail::ScopeKey,
        Detail::Scope,
        Detail::Hidden,
        Detail::Counts,
    ];
    let right = details
        .map(|detail| status(app, detail))
        .into_iter()
        .find(|spans| width_of(spans) + 4 + QUERY <= total)
        .unwrap_or_default();
    let right_width = width_of(&right);
    let prompt = format!(" {} ", theme.signs().prompt);
    let room =
        total.saturating_sub(width(&prompt) + right_width + usize::from(right_width > 0) * 2);
    let (shown, caret) = window(
        app.asked.input.text(),
        app.asked.input.cursor_column(),
        room,
    );
    let mut spans = vec![Span::styled(prompt.clone(), theme.you())];
    if app.asked.input.is_empty() {
        let hint = "type to search";
        if room >= hint.len() + 2 {
            spans.push(Span::styled(hint, theme.dim()));
        }
    } else {
        let left = room.saturating_sub(width(&shown) + 1);
        spans.push(Span::styled(shown, theme.strong()));
        let offer = app.asked.completion.as_ref();
        if let Some(offer) = offer.filter(|offer| width(&offer.rest) <= left) {
            spans.push(Span::styled(offer.rest.clone(), theme.dim()));
        }
    }
    put(buffer, area, &Line::from(spans));
    let right_area = Rect {
        x: area
            .right()
            .saturating_sub(columns(right_width) + 1)
            .max(area.x),
        ..area
    };
    if right_width > 0 {
        put(buffer, right_area, &Line::from(right));
    }
    let x = area.x.saturating_add(columns(width(&prompt) + caret));
    (x < area.right()).then_some(Position::new(x, area.y))
}

/// What stands right of the query, the least needed last. The key of the scope goes first, then
/// the scope, which the rows tell too; an order that one does not expect is said to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Detail {
    Counts,
    Hidden,
    Scope,
    ScopeKey,
}

fn status(app: &App, detail: Detail) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let dot = theme.signs().dot;
    let mut spans = Vec::new();
    if app.order != Sort::Activity {
        let by = match app.order {
            Sort::Activity => "activity",
            Sort::Created => "beginning",
            Sort::Size => "size",
            Sort::Title => "title",
        };
        spans.push(Span::styled(format!("by {by}   "), theme.dim()));
    }
    if detail >= Detail::Scope {
        spans.extend(scope(app, detail));
        spans.push(Span::raw("   "));
    }
    spans.push(Span::styled(counts(app), theme.text()));
    if detail < Detail::Hidden {
        return spans;
    }
    let hidden = app.listing.counts.hidden;
    match app.hidden_kinds {
        Switch::On => spans.push(Span::styled(
            format!("{dot}hidden shown"),
            theme.attention(),
        )),
        Switch::Off if hidden > 0 => {
            let text = format!("{dot}{} hidden", number(hidden));
            spans.push(Span::styled(text, theme.dim()));
        }
        Switch::Off => {}
    }
    spans
}

/// Both scopes, the one that counts in brackets.
fn scope(app: &App, detail: Detail) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let Some(here) = app.here_words() else {
        return vec![Span::styled("all projects", theme.text())];
    };
    let (near, far) = if app.is_here() {
        (format!("[{here}]"), "all".to_owned())
    } else {
        (here.to_owned(), "[all]".to_owned())
    };
    let style = |text: &str| {
        if text.starts_with('[') {
            theme.strong()
        } else {
            theme.dim()
        }
    };
    let mut spans = vec![
        Span::styled(near.clone(), style(&near)),
        Span::styled(theme.signs().dot, theme.dim()),
        Span::styled(far.clone(), style(&far)),
    ];
    let key = app.setting.keymap.name(Action::Scope);
    if let Some(key) = key.filter(|_| detail >= Detail::ScopeKey) {
        spans.push(Span::styled(format!(" ({key})"), theme.dim()));
    }
    spans
}

fn counts(app: &App) -> String {
    let shown = app.listing.found_rows();
    match (&app.scan, app.asked.query.is_empty()) {
        (Scan::Listing, _) => String::new(),
        (_, true) if shown == 1 => "1 session".to_owned(),
        (_, true) => format!("{} sessions", number(shown)),
        (_, false) => {
            let all = app.listing.counts.shown;
            format!("{} of {}", number(shown), number(all))
        }
    }
}

/// The part of a line around the caret that fits, and the caret's column in it.
pub fn window(text: &str, caret: usize, room: usize) -> (String, usize) {
    // The caret needs a column of its own behind the text.
    let room = room.saturating_sub(1);
    let skip = caret.saturating_sub(room);
    let mut shown = String::new();
    let mut column = 0;
    let mut start = 0;
    for grapheme in text.graphemes(true) {
        let end = column + width(grapheme);
        if column < skip {
            start = end;
        } else if end <= start.max(skip) + room {
            shown.push_str(grapheme);
        }
        column = end;
    }
    (shown, caret - start.min(caret))
}
