//! What a key, or the start, waits for: the rows, the preview, the card before a session is resumed.
//!
//! A frame that shows one of them is an answer, and drawn at once. Everything else that arrives is
//! background: more rows of the same search, fuzzy matches, progress.

use super::app::App;
use super::pacer::FrameCause;
use crate::search::{Generation, RowId};

/// The newest answers that the state holds.
#[derive(Debug, Clone, Copy)]
pub struct Awaited {
    rows: Option<Generation>,
    preview: Option<Generation>,
    prompts: Option<Generation>,
    prompt: Option<RowId>,
    probing: bool,
}

impl Awaited {
    /// Why a frame is wanted, if the answers are these after some messages.
    pub fn cause_since(self, before: Self) -> FrameCause {
        let is_answer = self.rows > before.rows
            || self.preview > before.preview
            || self.prompts > before.prompts
            || (self.prompt.is_some() && self.prompt != before.prompt)
            || (before.probing && !self.probing);
        if is_answer {
            FrameCause::Answer
        } else {
            FrameCause::Background
        }
    }
}

impl App {
    /// The newest answers. No rows are no answer: some may follow, as fuzzy matches or from files that
    /// are not read yet.
    pub fn awaited(&self) -> Awaited {
        let has_rows = self.listing.found_rows() > 0;
        let history = self.history.as_deref();
        let prompts = history.filter(|history| !history.hits.is_empty());
        let page = history.and_then(|history| history.page.as_ref());
        Awaited {
            rows: self.asked.answered.filter(|_| has_rows),
            preview: self.preview.answered,
            prompts: prompts.and_then(|history| history.asked.answered),
            prompt: page.map(|(of, _)| of.row),
            probing: self.probing,
        }
    }
}
