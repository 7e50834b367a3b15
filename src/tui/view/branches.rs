//! The branches of a conversation: where each left, how far it went, and how it ended.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::words::clean;
use super::{line_of, put};
use crate::text::{age, pad};
use crate::transcript::Branch;
use crate::tui::app::App;
use crate::tui::layout::branches_in_sight;

/// Columns for where a branch left.
const PLACE: usize = 22;

pub fn draw(app: &App, cursor: usize, frame: &mut Frame<'_>) {
    let area = frame.area();
    let theme = app.setting.theme;
    let signs = theme.signs();
    let buffer = frame.buffer_mut();
    let room = usize::from(area.width.saturating_sub(2));
    let title = app
        .listing
        .cursor_row()
        .and_then(|row| row.session.meta.title())
        .map_or("(no title)", |(_, title)| title);
    let title = clean(&format!("branches of \"{title}\""), room.saturating_sub(2));
    let title = Line::from(vec![
        Span::styled(format!(" {} ", signs.forks), theme.you()),
        Span::styled(title, theme.strong()),
    ]);
    put(buffer, line_of(area, 0), &title);
    let Some(page) = app.preview.page() else {
        return;
    };
    let (_, top) = branches_in_sight(area.height, cursor);
    let last = page.branches.len().saturating_sub(1);
    let lines = 2..area.height.saturating_sub(2);
    let shown = page.branches.iter().enumerate().skip(top);
    for (line, (at, branch)) in lines.zip(shown) {
        let is_here = at == cursor;
        let bar = if is_here { signs.bar } else { " " };
        let twig = match at {
            0 => "",
            _ if at == last => signs.last_twig,
            _ => signs.twig,
        };
        let is_shown = match &app.preview.leaf {
            Some(leaf) => branch.leaf == *leaf,
            None => branch.is_resumed,
        };
        let style = if is_here {
            theme.strong()
        } else {
            theme.text()
        };
        let mut spans = vec![
            Span::styled(format!(" {bar} "), theme.you()),
            Span::styled(twig, theme.dim()),
        ];
        let place = place(branch, signs.busy);
        let place = pad(&place, PLACE.saturating_sub(crate::text::width(twig)));
        let place_style = if branch.is_resumed {
            theme.live()
        } else {
            style
        };
        spans.push(Span::styled(place, place_style));
        spans.push(Span::styled(measures(app, branch), theme.dim()));
        let used: usize = super::words::width_of(&spans);
        let prompt = branch.last_prompt.as_deref().unwrap_or_default();
        let mark = if is_shown { "  (shown)" } else { "" };
        let left = room.saturating_sub(used + mark.len() + 2);
        spans.push(Span::styled(format!("\"{}\"", clean(prompt, left)), style));
        spans.push(Span::styled(mark, theme.dim()));
        put(buffer, line_of(area, line), &Line::from(spans));
    }
    let dot = signs.dot;
    let footer = format!(" Enter preview it{dot}Esc back");
    put(
        buffer,
        line_of(area, area.height.saturating_sub(1)),
        &Line::from(Span::styled(footer, theme.dim())),
    );
}

fn place(branch: &Branch, mark: &str) -> String {
    match &branch.left_at {
        _ if branch.is_resumed => format!("{mark} resume takes this"),
        Some(_) => format!("left after turn {}", branch.shared_turns),
        None if branch.is_cut_off => "cut off by damage".to_owned(),
        None => "began anew".to_owned(),
    }
}

fn measures(app: &App, branch: &Branch) -> String {
    let turns = match branch.turns {
        1 => "1 turn".to_owned(),
        turns => format!("{turns} turns"),
    };
    let now = app.now.timestamp_millis();
    let when = branch.at.map_or_else(String::new, |at| age(at, now));
    format!("{turns:>9} {when:>5}  ")
}
