//! Matches in what is not shown at all, such as hidden thinking: they cannot be shown, but "no match"
//! alone would be wrong.

use std::collections::BTreeSet;

use super::FindTarget;
use crate::preview::{Level, Noise, Thinking, TurnPos};
use crate::transcript::{Opening, Part, ToolCall, Turn, What, Whose, is_clipped};

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
            What::Thinking { text } if thinking == Thinking::Hidden && has(text) => {
                Unseen::Thinking
            }
            What::Text { text } if level == Level::Prompts && has(text) => Unseen::Answers,
            What::Tool(_) | What::Output { .. }
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
        .filter(|note| note.whose == Whose::Program);
    if noise == Noise::Hidden && notes.any(|note| has(&note.text)) {
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
            Part::Text { text } => is_clipped(text),
            Part::Image(_) | Part::Other { .. } => false,
        })
    };
    let opening = match &turn.opening {
        Opening::Prompt { text, .. } => is_clipped(text),
        _ => false,
    };
    opening
        || turn.steps.iter().any(|step| match &step.what {
            What::Text { text } | What::Thinking { text } | What::Reply { text } => {
                is_clipped(text)
            }
            What::Output { text, errors } => is_clipped(text) || is_clipped(errors),
            What::Tool(call) => of_call(call),
            What::Recap { .. } | What::ApiError { .. } | What::Interrupted => false,
        })
}
