//! The last line: the keys that matter now, and the progress. What just happened is above it.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Edit, Offer, columns, put, put_right, width_of};
use crate::text::wrap;
use crate::tui::{Action, Binding, Context, KeyLayer, Notice};

/// What a screen says in the footer.
#[allow(missing_debug_implementations)]
pub struct Footer<'a> {
    pub layers: &'static [KeyLayer],
    /// The word for a key; `None` if it is not worth a place here, or would do nothing.
    pub word: &'a dyn Fn(&'static Binding) -> Option<Cow<'static, str>>,
    pub completion: Option<&'a Offer>,
    /// What is wrong with the query.
    pub problem: Option<&'a str>,
    pub progress: Vec<Span<'static>>,
}

pub fn draw(
    footer: Footer<'_>,
    status: Option<&Notice>,
    context: &Context,
    area: Rect,
    buffer: &mut Buffer,
) {
    if area.is_empty() {
        return;
    }
    let theme = context.theme();
    let said = match status {
        Some(Notice::Done(text)) => Some((text.as_str(), theme.live())),
        Some(Notice::Trouble(text)) => Some((text.as_str(), theme.attention())),
        None => footer.problem.map(|text| (text, theme.attention())),
    };
    if let Some((text, style)) = said {
        let y = area.y.saturating_sub(1);
        draw_text(text, style, Rect { y, ..area }, buffer);
    }
    let total = usize::from(area.width);
    let right_width = width_of(&footer.progress);
    // A space at both ends, and two between keys and progress.
    let between = if right_width == 0 { 0 } else { 2 };
    let room = total.saturating_sub(right_width + between + 2);
    let mut spans = vec![Span::raw(" ")];
    spans.extend(keys(&footer, context, room));
    put(buffer, area, &Line::from(spans));
    if right_width + 2 <= total {
        put_right(buffer, area, footer.progress);
    }
}

/// The text takes lines above the keys for as long as it is shown. This is the last of them.
fn draw_text(text: &str, style: Style, area: Rect, buffer: &mut Buffer) {
    let room = usize::from(area.width.saturating_sub(2));
    let lines = wrap(text, room);
    let most = usize::from(area.y / 2) + 1;
    let count = columns(lines.len().min(most));
    for (line, text) in (0..count).zip(&lines) {
        let y = area.y + 1 + line - count;
        let area = Rect { y, ..area };
        let blank = " ".repeat(usize::from(area.width));
        put(buffer, area, &Line::raw(blank));
        let line = vec![Span::raw(" "), Span::styled(text.clone(), style)];
        put(buffer, area, &Line::from(line));
    }
}

/// As many keys as fit, in the order of the table.
fn keys(footer: &Footer<'_>, context: &Context, room: usize) -> Vec<Span<'static>> {
    let theme = context.theme();
    let mut spans: Vec<Span<'static>> = Vec::new();
    if let Some(offer) = footer.completion {
        let key = context.key(Action::Edit(Edit::Right));
        spans.push(Span::styled(key, theme.text()));
        let hint = match offer.hint {
            "" => " complete".to_owned(),
            hint => format!(" complete ({hint})"),
        };
        spans.push(Span::styled(hint, theme.dim()));
    }
    for (binding, chords) in context.setting.keymap.lines() {
        let (Some(chord), true) = (chords.first(), footer.layers.contains(&binding.layer)) else {
            continue;
        };
        let Some(word) = (footer.word)(binding) else {
            continue;
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
