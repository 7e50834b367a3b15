//! The query line: what is typed, the query it stands for, and how it could go on.

use chrono::{DateTime, FixedOffset};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::{Edit, Input, columns, put, put_right, width_of};
use crate::search::{Completion, Generation, Query, Values, completions};
use crate::text::{sanitize, width};
use crate::tui::theme::Theme;

/// Columns that the typed text keeps at least.
const LEAST: usize = 16;

/// What is searched for in place of a text that nothing has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The whole query.
    pub text: String,
    /// The words of it that are others.
    pub words: String,
    /// The key that searches for the text as it was typed.
    pub undo: String,
}

/// The rest of a half-typed operator or name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub rest: String,
    /// What it finds, in a few words; empty for names.
    pub hint: &'static str,
}

#[derive(Debug, Default)]
pub struct QueryLine {
    pub input: Input,
    /// The text that the screen was opened with.
    pub given: String,
    /// The text that the query was parsed from.
    parsed: String,
    pub query: Query,
    /// What is searched for in place of the text, because nothing has that.
    pub corrected: Option<Correction>,
    /// Was that refused for this text?
    keeps_typed: bool,
    /// The newest search.
    pub generation: Generation,
    /// The newest search that was answered.
    pub answered: Option<Generation>,
    pub completion: Option<Offer>,
}

impl QueryLine {
    pub fn new(text: &str, now: &DateTime<FixedOffset>) -> Self {
        let input = Input::new(text);
        Self {
            given: input.text().to_owned(),
            parsed: input.text().to_owned(),
            query: Query::parse(input.text(), now),
            input,
            ..Self::default()
        }
    }

    /// Is the answer to the newest search still missing?
    pub fn is_searching(&self) -> bool {
        self.answered != Some(self.generation)
    }

    /// Edits the line. Right of the last letter takes the completion.
    pub fn edit(&mut self, how: Edit) {
        match self.completion.take() {
            Some(offer) if how == Edit::Right => self.input.insert(&offer.rest),
            _ => self.input.edit(how),
        }
    }

    /// Parses the text if it changed, and says whether it did. What `2d` means changes with the
    /// clock, so only another text is another query.
    pub fn parse(&mut self, now: &DateTime<FixedOffset>) -> bool {
        let is_new = self.input.text() != self.parsed;
        if is_new {
            self.input.text().clone_into(&mut self.parsed);
            self.query = Query::parse(&self.parsed, now);
            self.corrected = None;
            self.keeps_typed = false;
        }
        is_new
    }

    /// Takes another query in place of the text, unless that was refused. Returns whether it did.
    pub fn correct(&mut self, correction: Correction, now: &DateTime<FixedOffset>) -> bool {
        let is_wanted = !self.keeps_typed && self.corrected.is_none();
        if is_wanted {
            self.query = Query::parse(&correction.text, now);
            self.corrected = Some(correction);
        }
        is_wanted
    }

    /// Takes the text as it was typed again. Returns whether something else was searched for.
    pub fn keep_typed(&mut self, now: &DateTime<FixedOffset>) -> bool {
        let was_corrected = self.corrected.take().is_some();
        if was_corrected {
            self.keeps_typed = true;
            self.query = Query::parse(&self.parsed, now);
        }
        was_corrected
    }

    /// Looks up how the line could go on, if it ends in a half-typed operator or a name after one.
    pub fn complete(&mut self, values: Values<'_>, is_offered: impl Fn(&Completion) -> bool) {
        let text = self.input.text();
        self.completion = None;
        if !self.input.is_at_end() {
            return;
        }
        let offers = completions(text, text.len(), values).into_iter();
        self.completion = offers.filter(is_offered).find_map(|completion| {
            let typed = text.get(completion.replace)?;
            // One letter is the beginning of a word far more often than of an operator.
            let is_begun =
                typed.len() > 1 || text.ends_with(':') || !completion.insert.ends_with(':');
            let rest = completion.insert.strip_prefix(typed)?;
            (is_begun && !rest.trim().is_empty()).then(|| Offer {
                rest: rest.to_owned(),
                hint: completion.hint,
            })
        });
    }

    /// Draws the line after a label, and the first of the statuses that fits at its right. Returns
    /// the position of the caret.
    pub fn draw(
        &self,
        label: &str,
        statuses: impl IntoIterator<Item = Vec<Span<'static>>>,
        theme: Theme,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let total = usize::from(area.width);
        let typed = width(self.input.text()) + 2;
        let wanted = typed.min(total / 2).max(LEAST);
        let label = format!(" {label}{} ", theme.signs().prompt);
        let fits = |spans: &Vec<_>| width_of(spans) + width(&label) + 1 + wanted <= total;
        let right = statuses.into_iter().find(fits).unwrap_or_default();
        let right_width = width_of(&right);
        let gap = usize::from(right_width > 0) * 2;
        let room = total.saturating_sub(width(&label) + right_width + gap);
        let (shown, caret) = window(self.input.text(), self.input.cursor_column(), room);
        let mut spans = vec![Span::styled(label.clone(), theme.you())];
        let hint = "type to search";
        if !self.input.is_empty() {
            let left = room.saturating_sub(width(&shown) + 1);
            spans.push(Span::styled(shown, theme.strong()));
            let offer = self.completion.as_ref().map(|offer| offer.rest.clone());
            let corrected = self.corrected.iter().flat_map(|correction| {
                let words = sanitize(&correction.words);
                let undo = &correction.undo;
                let whole = format!("  not found: showing {words} ({undo}: as typed)");
                [whole, format!("  showing {words}")]
            });
            let mut behind = corrected.chain(offer);
            let behind = behind.find(|text| width(text) <= left);
            spans.extend(behind.map(|text| Span::styled(text, theme.dim())));
        } else if room >= hint.len() + 2 {
            spans.push(Span::styled(hint, theme.dim()));
        }
        put(buffer, area, &Line::from(spans));
        put_right(buffer, area, right);
        let x = area.x.saturating_add(columns(width(&label) + caret));
        (x < area.right()).then_some(Position::new(x, area.y))
    }
}

/// The part of a line around the caret that fits, and the caret's column in it.
pub fn window(text: &str, caret: usize, room: usize) -> (String, usize) {
    // The caret needs a column of its own after the text.
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
