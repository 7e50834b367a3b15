//! Notes between the steps of a turn: what the user attached, and what the program wrote.

use super::LedgerPage;
use crate::preview::flow::hard;
use crate::preview::line::{Span, Speaker, Tone, TurnPos, plain_text};
use crate::preview::options::{Level, Visibility};
use crate::text::truncate;
use crate::transcript::{self, NoteOrigin, Turn};

/// Lines that are shown of a note of the program where everything is open.
const MOST_NOISE: usize = 20;

impl LedgerPage<'_> {
    /// What the user attached and what the program wrote before a step, one line each.
    pub(super) fn noise(&mut self, place: TurnPos, turn: &Turn, before: usize) {
        let notes = turn.noise.iter().filter(|note| note.before == before);
        for note in notes.filter(|note| !note.text.is_empty()) {
            match (note.whose, self.manner.options.noise) {
                (NoteOrigin::Person, _) => {
                    self.note(place, &format!("attached {}", note.text), Tone::Dim);
                }
                (NoteOrigin::Task, _) => self.note(place, &format!("· {}", note.text), Tone::Dim),
                (NoteOrigin::Program, Visibility::Hidden) => {}
                (NoteOrigin::Program, Visibility::Shown) => self.note_of_program(place, note),
            }
        }
    }

    fn note_of_program(&mut self, place: TurnPos, note: &transcript::ProgramNote) {
        let kind = note.kind.replace('_', " ");
        let most = match self.manner.options.level {
            Level::Full => MOST_NOISE,
            Level::Prompts | Level::Summary => 1,
        };
        let mut shown = note.text.lines().filter(|line| !line.trim().is_empty());
        let first = Span::new(&format!("· {kind}: "), Tone::Dim);
        let rest = shown.next().unwrap_or_default();
        let mut spans = vec![first, Span::new(rest, Tone::Comment)];
        if most == 1 {
            let line = truncate(&plain_text(&spans), self.manner.columns);
            spans = vec![Span::new(&line, Tone::Comment)];
        }
        let mut lines = hard(&spans, &[], self.manner.columns);
        for line in shown.take(most - 1) {
            let span = Span::new(line, Tone::Comment);
            lines.extend(hard(&[span], &[Span::indent()], self.manner.columns));
        }
        for spans in lines {
            self.push(Speaker::Note, place, String::new(), spans, None);
        }
        self.blank(place);
    }
}
