//! The lines before the turns of a ledger, and between them: how it begins, and notes.

use super::{LedgerPage, Manner};
use crate::preview::line::{PageLine, Speaker, Tone, TurnPos};
use crate::preview::options::Fold;

/// What a conversation begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LedgerHead {
    /// Its beginning.
    #[default]
    Beginning,
    /// A compaction: what lies before it can be looked up.
    Compacted,
    /// A compaction, and the parts before this many compactions are shown.
    Shown(usize),
    /// A compaction, and what lay before it is in no file any more.
    Gone,
    /// A parent that is named and not there.
    Gap,
}

impl LedgerPage<'_> {
    fn before_compaction(&mut self, place: TurnPos, fold: Fold) {
        let words = "what was said before the compaction";
        self.title(Speaker::Note, place, words, fold, "");
        self.blank(place);
    }

    /// Something about the files of a conversation, which is no part of it.
    pub(super) fn remark(&mut self, place: TurnPos, words: &str, tone: Tone) {
        let lines = self.flowed(words, tone);
        self.say(Speaker::Files, place, "", lines);
    }
}

/// The lines before the first turn, whose number is given.
pub fn render_head(head: LedgerHead, number: i64, manner: Manner<'_>) -> Vec<PageLine> {
    let mut page = LedgerPage::new(manner);
    let place = TurnPos::opening(number);
    match head {
        LedgerHead::Beginning => {}
        LedgerHead::Compacted => page.before_compaction(place, Fold::Earlier),
        LedgerHead::Shown(compactions) => page.before_compaction(place, Fold::Before(compactions)),
        LedgerHead::Gone => page.remark(
            place,
            "── what was said before is in no file any more ──",
            Tone::Dim,
        ),
        LedgerHead::Gap => page.remark(
            place,
            "── a gap: what lies before is out of reach ──",
            Tone::Error,
        ),
    }
    page.lines
}

/// A line of our own between two turns.
pub fn render_note(words: &str, number: i64, manner: Manner<'_>) -> Vec<PageLine> {
    let mut page = LedgerPage::new(manner);
    page.remark(TurnPos::opening(number), words, Tone::Dim);
    page.lines
}
