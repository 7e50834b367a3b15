//! What resuming makes of an entry, where that is not what the reader would expect.

use super::Page;
use crate::preview::line::{TurnPos, Tone};
use crate::transcript::{LeftOut, Mark, ToolCall, describe_run};

impl Page<'_> {
    /// What comes before an entry.
    pub(super) fn gap(&mut self, place: TurnPos, mark: Option<Mark>) {
        if mark == Some(Mark::AfterGap) {
            let words = "── gap: an entry is missing here. Claude joins both sides ──";
            self.remark(place, words, Tone::Error);
        }
    }

    /// What comes after an entry.
    pub(super) fn left_out(&mut self, place: TurnPos, mark: Option<Mark>) {
        if let Some(words) = why_left_out(mark) {
            self.remark(place, &words, Tone::Dim);
        }
    }
}

/// Says that resuming leaves an entry out, and why. An error of the API, and an answer without a
/// word, speak for themselves.
pub fn why_left_out(mark: Option<Mark>) -> Option<String> {
    let Some(Mark::LeftOut(reason)) = mark else {
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
pub fn describe_sent_run(run: &[(&ToolCall, Option<Mark>)], cwd: Option<&str>) -> String {
    let words = describe_run(run.iter().map(|(call, _)| *call), cwd);
    let left_out = run.iter().filter_map(|(_, mark)| why_left_out(*mark));
    match left_out.count() {
        0 => words,
        all if all == run.len() => format!("{words} (resume leaves this out)"),
        some => format!("{words} (resume leaves {some} out)"),
    }
}

/// What resuming makes of a call, if that is not to send it as it stands.
pub fn what_is_sent(mark: Option<Mark>) -> Option<String> {
    match mark {
        Some(Mark::MadeUp) => Some("(resume tells Claude that it was interrupted)".to_owned()),
        mark => why_left_out(mark),
    }
}
