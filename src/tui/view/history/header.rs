//! The query line of the history: what is typed, which prompts are looked at, how many there are.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::super::header::window;
use super::super::put;
use super::super::words::{columns, number, width_of};
use crate::search::View;
use crate::text::width;
use crate::tui::app::App;
use crate::tui::history::History;
use crate::tui::keymap::Action;

/// The least that the query keeps for itself.
const QUERY: usize = 16;

/// Draws the line. Says where the caret is.
pub fn draw(app: &App, history: &History, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let theme = app.setting.theme;
    let total = usize::from(area.width);
    let mode = match history.view {
        View::Prompts => "history",
        View::Deleted => "deleted",
    };
    let prompt = format!(" {mode} {} ", theme.signs().prompt);
    let full = [scope(app, history), counts(app, history)].concat();
    let scope = format!("[{}]", history.scope().words());
    let least = vec![Span::styled(scope, theme.strong())];
    let brief = [&least[..], &[Span::raw("   ")], &counts(app, history)].concat();
    // What is typed is worth more than what is known by heart.
    let typed = width(history.asked.input.text()) + 2;
    let wanted = typed.min(total / 2).max(QUERY);
    let fits = |spans: &Vec<_>, query: usize| width_of(spans) + width(&prompt) + 3 + query <= total;
    // What is looked at is said as long as there is room for anything.
    let right = [full, brief]
        .into_iter()
        .find(|spans| fits(spans, wanted))
        .or_else(|| fits(&least, QUERY).then_some(least))
        .unwrap_or_default();
    let right_width = width_of(&right);
    let room = total.saturating_sub(width(&prompt) + right_width + 2);
    let input = &history.asked.input;
    let (shown, caret) = window(input.text(), input.cursor_column(), room);
    let mut spans = vec![Span::styled(prompt.clone(), theme.you())];
    let hint = "type to search";
    if !input.is_empty() {
        let left = room.saturating_sub(width(&shown) + 1);
        spans.push(Span::styled(shown, theme.strong()));
        let offer = history.asked.completion.as_ref();
        if let Some(offer) = offer.filter(|offer| width(&offer.rest) <= left) {
            spans.push(Span::styled(offer.rest.clone(), theme.dim()));
        }
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
    for scope in app.history_scopes(history) {
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
            let all = history.prompts;
            // Loose matches come later.
            let more = if history.is_counting() { "+" } else { "" };
            let shown = number(shown);
            format!("{shown}{more} of {} prompt{}", number(all), plural(all))
        }
    };
    let mut spans = vec![Span::styled(text, theme.text())];
    if history.view == View::Prompts && history.deleted > 0 {
        let text = format!("{dot}{} deleted", number(history.deleted));
        spans.push(Span::styled(text, theme.dim()));
    }
    spans
}
