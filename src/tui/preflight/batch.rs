//! The card of several marked sessions: what happens to each of them, in lines.

use crate::resume::Batch;

use super::{INDENT, broken};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchCard {
    pub batch: Batch,
    /// The first visible line below the headline.
    pub top: usize,
}

/// A line below the headline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchLine {
    Title(String),
    Decided(String),
    Command(String),
    Heading(String),
    Why(String),
    Blank,
}

impl BatchCard {
    pub fn new(batch: Batch) -> Self {
        Self { batch, top: 0 }
    }

    /// Everything below the headline, wrapped to so many columns.
    pub fn lines(&self, columns: usize) -> Vec<BatchLine> {
        let room = columns.saturating_sub(INDENT);
        let mut lines = Vec::new();
        let mut add = |text: &str, kind: fn(String) -> BatchLine| {
            lines.extend(broken(text, room).into_iter().map(kind));
        };
        for going in &self.batch.going {
            add(&going.title, BatchLine::Title);
            for (finding, answer) in &going.decided {
                let text = format!("{}. {}", finding.headline, finding.label_of(answer));
                add(&text, BatchLine::Decided);
            }
            for note in &going.plan.notes {
                add(&note.line(), BatchLine::Decided);
            }
            add(&going.plan.command_line(), BatchLine::Command);
        }
        if self.batch.staying.is_empty() {
            return lines;
        }
        if !lines.is_empty() {
            lines.push(BatchLine::Blank);
        }
        let mut add = |text: &str, kind: fn(String) -> BatchLine| {
            lines.extend(broken(text, room).into_iter().map(kind));
        };
        add(
            "Left out: resume these one by one to decide",
            BatchLine::Heading,
        );
        for staying in &self.batch.staying {
            add(&staying.title, BatchLine::Title);
            add(&staying.why, BatchLine::Why);
        }
        lines
    }
}
