//! Matches in what is not shown at all, such as hidden thinking: they cannot be shown, but "no match"
//! alone would be wrong.

use std::collections::BTreeSet;

use super::FindTarget;
use crate::preview::{Level, TurnPos, Visibility};
use crate::transcript::{
    ContentPart, NoteOrigin, StepKind, ToolCall, Turn, TurnOpening, is_clipped,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// In an answer or its tools, while only prompts are shown.
    Answers,
    Thinking,
    /// In a note of the program.
    Notes,
    /// Maybe in the unread end of a text that is too long.
    TooLong,
}

/// Where the hidden parts of a turn match, or may match.
pub fn unseen(sought: &FindTarget, turn: &Turn, cwd: Option<&str>) -> BTreeSet<Unseen> {
    let (level, thinking, noise) = sought.options;
    let mut unseen = BTreeSet::new();
    let has = |text: &str| text.lines().any(|line| sought.is_in(line));
    for (at, step) in turn.steps.iter().enumerate() {
        let place = TurnPos {
            turn: 0,
            step: Some(at),
        };
        let kind = match &step.what {
            StepKind::Thinking(text) if thinking == Visibility::Hidden && has(text) => {
                Unseen::Thinking
            }
            StepKind::Text(text) if level == Level::Prompts && has(text) => Unseen::Answers,
            StepKind::Tool(_) | StepKind::Output { .. }
                if level == Level::Prompts && sought.lines_hidden(turn, place, cwd) > 0 =>
            {
                Unseen::Answers
            }
            _ => continue,
        };
        unseen.insert(kind);
    }
    let mut notes = turn
        .noise
        .iter()
        .filter(|note| note.whose == NoteOrigin::Program);
    if noise == Visibility::Hidden && notes.any(|note| has(&note.text)) {
        unseen.insert(Unseen::Notes);
    }
    if is_cut(turn) {
        unseen.insert(Unseen::TooLong);
    }
    unseen
}

/// Was the end of one of its texts not read?
fn is_cut(turn: &Turn) -> bool {
    let of_call = |call: &ToolCall| {
        let parts = call.result.iter().flat_map(|result| &result.parts);
        parts.into_iter().any(|part| match part {
            ContentPart::Text(text) => is_clipped(text),
            ContentPart::Image(_) | ContentPart::Other(_) => false,
        })
    };
    let opening = match &turn.opening {
        TurnOpening::Prompt { text, .. } => is_clipped(text),
        _ => false,
    };
    opening
        || turn.steps.iter().any(|step| match &step.what {
            StepKind::Text(text) | StepKind::Thinking(text) | StepKind::Reply(text) => {
                is_clipped(text)
            }
            StepKind::Output { text, errors } => is_clipped(text) || is_clipped(errors),
            StepKind::Tool(call) => of_call(call),
            StepKind::Recap(_) | StepKind::ApiError(_) | StepKind::Interrupted => false,
        })
}
