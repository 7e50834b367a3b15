//! The list: headings and rows in sight, or why there are none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::words::number;
use super::{line_of, put, row};
use crate::text::{width, wrap};
use crate::tui::app::{App, Scan};
use crate::tui::keymap::Action;
use crate::tui::layout::{Layout, Switch};
use crate::tui::listing::{Heading, Item};

pub fn draw(app: &App, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.list;
    if area.is_empty() {
        return;
    }
    let visible = app.listing.visible(app.pane());
    if visible.is_empty() {
        empty(app, area, buffer);
        return;
    }
    let density = layout.density(app.panes);
    for placed in visible {
        match placed.item {
            Item::Heading(heading) => {
                draw_heading(app, heading, line_of(area, placed.line), buffer);
            }
            Item::Row(position) => {
                let rest = Rect {
                    y: area.y + placed.line,
                    height: area.height - placed.line,
                    ..area
                };
                row::draw(app, position, density, rest, buffer);
            }
        }
    }
}

fn draw_heading(app: &App, heading: Heading, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let line = match heading {
        Heading::Day(day) => Line::from(Span::styled(format!(" {}", day.title()), theme.dim())),
        Heading::Fuzzy => {
            let rule = theme.signs().horizontal;
            let text = format!(" {rule}{rule} fuzzy ");
            let rest = usize::from(area.width).saturating_sub(width(&text) + 1);
            Line::from(Span::styled(text + &rule.repeat(rest), theme.dim()))
        }
    };
    put(buffer, area, &line);
}

/// Says why there is nothing, and what to do about it.
fn empty(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = app.setting.theme;
    let mut lines: Vec<(String, bool)> = Vec::new();
    let counts = app.listing.counts;
    let over = matches!(app.scan, Scan::Over(_));
    if !over && counts.searched == 0 {
        return;
    }
    let key = |action| app.setting.keymap.name(action);
    if app.is_searching() && over {
        return;
    }
    let closed = match &app.scan {
        Scan::Over(trouble) => trouble.folders.as_slice(),
        Scan::Listing | Scan::Reading { .. } => &[],
    };
    if counts.searched == 0 && !closed.is_empty() {
        for (folder, reason) in closed {
            let folder = app.tilde(&folder.to_string_lossy());
            lines.push((format!("{folder} cannot be read: {reason}."), true));
        }
    } else if counts.searched == 0 {
        lines.push((
            format!(
                "No Claude Code sessions yet under {}.",
                app.setting.places.join(", ")
            ),
            true,
        ));
        lines.push((
            "Start one with `claude`, or try `claude-resume --demo`.".to_owned(),
            false,
        ));
    } else {
        let place = if app.is_here() { " here" } else { "" };
        let what = if app.asked.query.is_empty() {
            format!("No sessions{place}.")
        } else {
            let plural = if counts.shown == 1 { "" } else { "s" };
            format!(
                "Nothing in titles or prompts of {} session{plural}{place}.",
                number(counts.shown)
            )
        };
        lines.push((what, true));
        if app.is_here()
            && counts.elsewhere > 0
            && let Some(key) = key(Action::Scope)
        {
            let count = number(counts.elsewhere);
            lines.push((format!("{key}  search all projects: {count} there"), false));
        }
        if app.hidden_kinds == Switch::Off
            && counts.hidden > 0
            && let Some(key) = key(Action::HiddenKinds)
        {
            lines.push((
                format!("{key}  show {} hidden", number(counts.hidden)),
                false,
            ));
        }
        if !app.asked.query.is_empty()
            && let Some(key) = key(Action::Back)
        {
            lines.push((format!("{key}  clear the query"), false));
        }
        if !over {
            lines.push(("Still looking.".to_owned(), false));
        }
    }
    let mut row = area.height.min(4) / 3;
    for (text, strong) in lines {
        let style = if strong { theme.text() } else { theme.dim() };
        for part in wrap(&text, usize::from(area.width.saturating_sub(4))) {
            let line = Line::from(vec![Span::raw("   "), Span::styled(part, style)]);
            put(buffer, line_of(area, row), &line);
            row += 1;
        }
        if strong {
            row += u16::from(area.height > 6);
        }
    }
}
