//! Shows where a prompt of the history was asked.

use super::{Pending, Sessions};
use crate::preview::Coverage;
use crate::reader::PromptTarget;
use crate::search::RowId;
use crate::tui::Host;

/// A prompt to show in its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevealTarget {
    pub row: RowId,
    pub prompt: PromptTarget,
}

impl Sessions {
    /// Shows a prompt as soon as its conversation is read.
    pub fn go_to_prompt(&mut self, target: RevealTarget) {
        self.revealed = Some(target);
        self.pending = Some(Pending::Reveal);
        self.reader.row = None;
    }

    /// The conversation is here: says where the prompt is if resume does not lead there.
    pub(super) fn reveal(&mut self, host: &mut Host<'_>) {
        let row = self.revealed.as_ref().map(|target| target.row);
        let is_there = row.is_some() && row == self.reader.row;
        let Some(page) = self.reader.page().filter(|_| is_there) else {
            return;
        };
        // A page that is older than the last request says nothing of the prompt.
        let is_answered = self.reader.answered == Some(self.reader.generation);
        let is_whole = page.known == Coverage::Whole || page.landing.is_some();
        if self.pending != Some(Pending::Reveal) || !is_answered || !is_whole {
            return;
        }
        self.pending = None;
        match &page.landing {
            None => host.add("this prompt was not found in the conversation"),
            Some(landing) if landing.leaf.is_some() => {
                host.add("this branch was rewound. Resume uses another one");
            }
            // Turns before a compaction have negative numbers.
            Some(landing) if landing.line.place.turn < 0 => {
                host.add("this is before a compaction: resume brings back a summary of it");
            }
            Some(_) => {}
        }
    }
}
