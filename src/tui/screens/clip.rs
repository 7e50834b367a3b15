//! A text that did not get to a clipboard, or may not have: for the mouse of the terminal.
//!
//! Its lines begin in the first column and are broken only where the screen ends, so that what is
//! selected has nothing in it but line breaks.

use ratatui::Frame;
use ratatui::text::Line;
use unicode_segmentation::UnicodeSegmentation;

use super::Flow;
use crate::text::{sanitize, width};
use crate::tui::clipboard::Copied;
use crate::tui::widgets::{
    card_area, card_headline, card_room, draw_scrolled, indented, scroll_card,
};
use crate::tui::{Action, Context};

/// What a tab is drawn as.
const TAB: &str = "    ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipCard {
    copied: Copied,
    /// The first visible line below the headline.
    top: usize,
}

impl ClipCard {
    pub fn new(copied: Copied) -> Self {
        Self { copied, top: 0 }
    }

    pub fn on_action(&mut self, action: Action, context: &Context) -> Flow {
        match action {
            Action::Move(motion) => {
                let count = self.lines(context).len();
                scroll_card(&mut self.top, motion, count, context);
                Flow::Stay
            }
            Action::Choose | Action::Back => Flow::Pop,
            _ => Flow::Stay,
        }
    }

    fn lines(&self, context: &Context) -> Vec<Line<'static>> {
        let (theme, (columns, _)) = (context.theme(), card_room(context));
        let select = "select it here with the mouse:".to_owned();
        let mut lines: Vec<Line<'static>> = Vec::new();
        for text in self.copied.reasons().into_iter().chain([select]) {
            lines.extend(indented(&text, columns, theme.text()));
        }
        lines.push(Line::default());
        let columns = usize::from(card_area(context).width);
        for line in self.copied.clip.text.lines() {
            lines.extend(broken(line, columns).into_iter().map(Line::from));
        }
        lines.push(Line::default());
        lines
    }

    pub fn draw(&self, context: &Context, frame: &mut Frame<'_>) {
        let (columns, _) = card_room(context);
        let (place, what) = (self.copied.place(), self.copied.clip.what);
        let headline = card_headline(place, what, context.theme(), columns);
        let lines = self.lines(context);
        draw_scrolled(headline, lines, self.top, context, frame.buffer_mut());
    }
}

/// A line in parts of at most so many columns, with all its spaces.
fn broken(line: &str, columns: usize) -> Vec<String> {
    let line = sanitize(&line.replace('\t', TAB)).into_owned();
    let mut parts = vec![String::new()];
    let mut used = 0;
    for c in line.graphemes(true) {
        if used + width(c) > columns && used > 0 {
            parts.push(String::new());
            used = 0;
        }
        used += width(c);
        if let Some(part) = parts.last_mut() {
            part.push_str(c);
        }
    }
    parts
}

#[cfg(test)]
#[path = "clip_tests.rs"]
mod tests;
