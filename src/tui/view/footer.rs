//! The last line: the keys that matter now, or what just happened, and how far the scan is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::put;
use super::words::{columns, number, width_of};
use crate::search::{Query, View};
use crate::text::wrap;
use crate::tui::app::{App, Ending, Scan};
use crate::tui::history::{Choice, History};
use crate::tui::input::Edit;
use crate::tui::keymap::{Action, Place};
use crate::tui::layout::{Focus, Switch};
use crate::tui::message::{HereKind, Notice};
use crate::tui::update::{fold_here, is_about_files};

pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = app.setting.theme;
    let total = usize::from(area.width);
    let right = progress(app, total);
    let right_width = width_of(&right);
    // A space before, a space behind, and two between keys and progress.
    let between = if right_width == 0 { 0 } else { 2 };
    let room = total.saturating_sub(right_width + between + 2);
    let mut spans = vec![Span::raw(" ")];
    match &app.notice {
        Some(notice) => {
            let (text, style) = match notice {
                Notice::Done(text) => (text, theme.live()),
                Notice::Trouble(text) => (text, theme.attention()),
            };
            draw_notice(text, style, area, buffer);
            return;
        }
        None => match query(app).problems().first() {
            Some(problem) => {
                draw_notice(&problem.message, theme.attention(), area, buffer);
                return;
            }
            None => spans.extend(keys(app, room)),
        },
    }
    put(buffer, area, &Line::from(spans));
    if right_width + 2 <= total {
        let x = area.right().saturating_sub(columns(right_width) + 1);
        put(buffer, Rect { x, ..area }, &Line::from(right));
    }
}

/// What just happened. A long text takes lines above the footer for as long as it is shown.
fn draw_notice(text: &str, style: Style, area: Rect, buffer: &mut Buffer) {
    let room = usize::from(area.width.saturating_sub(2));
    let lines = wrap(text, room);
    let most = usize::from(area.y / 2) + 1;
    let count = columns(lines.len().min(most));
    for (line, text) in (0..count).zip(&lines) {
        let y = area.y + 1 + line - count;
        let blank = " ".repeat(usize::from(area.width));
        let area = Rect { y, ..area };
        put(buffer, area, &Line::raw(blank));
        let line = Line::from(vec![Span::raw(" "), Span::styled(text.clone(), style)]);
        put(buffer, area, &line);
    }
}

/// As many keys as there is room for, in the order of the table.
fn keys(app: &App, room: usize) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    let place = app.place();
    let mut spans: Vec<Span<'static>> = Vec::new();
    let offer = match (place, &app.history) {
        (Place::Typing, _) => app.asked.completion.as_ref(),
        (Place::HistoryTyping, Some(history)) => history.asked.completion.as_ref(),
        _ => None,
    };
    if let Some(offer) = offer {
        let key = app.setting.keymap.name(Action::Edit(Edit::Right));
        spans.push(Span::styled(key.unwrap_or_default(), theme.text()));
        let hint = match offer.hint {
            "" => " complete".to_owned(),
            hint => format!(" complete ({hint})"),
        };
        spans.push(Span::styled(hint, theme.dim()));
    }
    for (binding, chords) in app.setting.keymap.lines() {
        let (Some(word), Some(chord)) = (binding.footer, chords.first()) else {
            continue;
        };
        if !binding.places.contains(&place) || !is_useful(app, binding.action, place) {
            continue;
        }
        let word = match binding.action {
            Action::Scope if !app.is_here() => app.here_words().unwrap_or("this repo"),
            Action::Open => match (place, fold_here(app)) {
                (Place::Preview, Some(fold)) if app.preview.options.is_open(fold) => "close",
                (Place::Preview, Some(_)) => "open",
                (Place::Finding | Place::HistoryFinding, _) => "done",
                (_, _) if matches!(app.setting.ending, Ending::Print(_)) => "choose",
                (_, _) => word,
            },
            Action::Resume if matches!(app.setting.ending, Ending::Print(_)) => "choose",
            Action::GoToSession => go_to(app).unwrap_or(word),
            Action::SwitchFocus if app.focus == Focus::Preview => "list",
            _ => word,
        };
        let dot = if spans.is_empty() {
            ""
        } else {
            theme.signs().dot
        };
        let next = [
            Span::styled(dot, theme.dim()),
            Span::styled(chord.to_string(), theme.text()),
            Span::styled(format!(" {word}"), theme.dim()),
        ];
        if width_of(&spans) + width_of(&next) > room {
            break;
        }
        spans.extend(next);
    }
    spans
}

/// What Enter does in the history, where it does not go to a session.
fn go_to(app: &App) -> Option<&'static str> {
    let history = app.history.as_ref()?;
    match (history.view, history.choice) {
        (View::Deleted, _) => Some("its prompts"),
        (View::Prompts, Choice::Print) => Some("choose"),
        (View::Prompts, Choice::Go) => None,
    }
}

/// A key that would do nothing is not offered.
fn is_useful(app: &App, action: Action, place: Place) -> bool {
    match action {
        Action::SwitchFocus
        | Action::GoToSession
        | Action::CopyPrompt
        | Action::NewSession
        | Action::ResumePast
        | Action::Find
        | Action::NextMatch
            if app.history.is_some() =>
        {
            let history = app.history.as_deref();
            let hit = history.and_then(History::cursor);
            let is_session = history.is_some_and(|it| it.view == View::Deleted);
            let prints = history.is_some_and(|it| it.choice == Choice::Print);
            let leads = hit.is_some_and(|hit| hit.leads_somewhere());
            match action {
                Action::NextMatch => history.is_some_and(|it| it.match_count().1 > 0),
                Action::ResumePast => !prints && leads,
                Action::GoToSession if go_to(app).is_none() => leads,
                Action::NewSession => hit.is_some() && !is_session && !prints,
                _ => hit.is_some(),
            }
        }
        Action::Resume | Action::SwitchFocus => app.listing.cursor().is_some(),
        Action::Open if place == Place::Preview => !is_about_files(app),
        Action::Find | Action::CopyMessage | Action::Folds => app.preview.length() > 0,
        Action::Branches => {
            let page = app.preview.page();
            page.is_some_and(|page| page.branches.len() > 1)
        }
        Action::NextMatch => !app.preview.marks().is_empty(),
        Action::Scope => {
            let nowhere = app.here.is_some_and(|here| here.kind == HereKind::Nowhere);
            place != Place::Preview && !nowhere && app.listing.counts.searched > 0
        }
        _ => true,
    }
}

/// The query that counts now.
fn query(app: &App) -> &Query {
    let history = app.history.as_ref();
    history.map_or(&app.asked.query, |history| &history.asked.query)
}

fn progress(app: &App, columns: usize) -> Vec<Span<'static>> {
    let theme = app.setting.theme;
    if app.probing || app.awaiting.is_some() {
        return vec![Span::styled("looking around", theme.dim())];
    }
    if let Some(history) = &app.history {
        return super::history::progress(app, history, columns);
    }
    let spinner = theme.signs().spinner;
    match &app.scan {
        Scan::Listing => vec![Span::styled("looking for sessions", theme.dim())],
        Scan::Reading { read, total } => {
            // Turns with the work, not with the clock.
            let sign = spinner[(read / 400) % spinner.len()];
            let text = format!("scanning {}/{} {sign}", number(*read), number(*total));
            vec![Span::styled(text, theme.dim())]
        }
        Scan::Over(trouble) if !trouble.folders.is_empty() => {
            let count = trouble.folders.len();
            let folders = if count == 1 { "folder" } else { "folders" };
            vec![Span::styled(
                format!("{count} {folders} cannot be read"),
                theme.broken(),
            )]
        }
        Scan::Over(_) if app.mouse == Switch::Off => {
            vec![Span::styled("mouse off", theme.dim())]
        }
        Scan::Over(_) => Vec::new(),
    }
}
