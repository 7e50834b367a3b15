//! What resuming makes of an entry, where that is not what the reader would expect.

use super::LedgerPage;
use crate::preview::line::{Tone, TurnPos};
use crate::transcript::{EntryMark, LeftOut, ToolCall, describe_run};

impl LedgerPage<'_> {
    /// What comes before an entry.
    pub(super) fn gap(&mut self, place: TurnPos, mark: Option<EntryMark>) {
        if mark == Some(EntryMark::AfterGap) {
            let words = "── gap: an entry is missing here. Claude joins both sides ──";
            self.remark(place, words, Tone::Error);
        }
    }

    /// What comes after an entry.
    pub(super) fn left_out(&mut self, place: TurnPos, mark: Option<EntryMark>) {
        if let Some(words) = why_left_out(mark) {
            self.remark(place, &words, Tone::Dim);
        }
    }
}

/// Says that resuming leaves an entry out, and why. An error of the API, and an answer without a
/// word, speak for themselves.
pub fn why_left_out(mark: Option<EntryMark>) -> Option<String> {
    let Some(EntryMark::LeftOut(reason)) = mark else {
        return None;
    };
    let why = match reason {
        LeftOut::SecondOnLine => "another entry comes before it on its line",
        LeftOut::NoCall => "its tool call is missing",
        LeftOut::RepeatedId => "its tool id was used before",
        LeftOut::NoResult => "the tool never returned a result",
        LeftOut::ApiError | LeftOut::Empty => return None,
    };
    Some(format!("(resume leaves this out: {why})"))
}

/// Calls in a row in words, with how many of them resuming leaves out.
pub fn describe_sent_run(run: &[(&ToolCall, Option<EntryMark>)], cwd: Option<&str>) -> String {
    let words = describe_run(run.iter().map(|(call, _)| *call), cwd);
    let left_out = run.iter().filter_map(|(_, mark)| why_left_out(*mark));
    match left_out.count() {
        0 => words,
        all if all == run.len() => format!("{words} (resume leaves this out)"),
        some => format!("{words} (resume leaves {some} out)"),
    }
}

/// What resuming makes of a call, if that is not to send it as it stands.
pub fn what_is_sent(mark: Option<EntryMark>) -> Option<String> {
    match mark {
        Some(EntryMark::MadeUp) => Some("(resume tells Claude that it was interrupted)".to_owned()),
        mark => why_left_out(mark),
    }
}
