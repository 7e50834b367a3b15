//! One message as plain text, for the clipboard and for other programs: whole, and not wrapped.

use super::calls::{Amount, Sheet, call_lines};
use super::line::{TurnPos, plain_text};
use crate::text::{is_blank, printed};
use crate::transcript::{StepKind, ToolCall, Turn, TurnOpening, TurnStep};

/// The text of the message at a place of a turn, as it was written; a run of tools is
/// one message.
pub fn message(turn: &Turn, place: TurnPos) -> Option<String> {
    let text = match place.step {
        None => opening(&turn.opening),
        Some(step) => step_text(turn.steps.get(step..)?),
    };
    (!is_blank(&text)).then(|| text.trim_end().to_owned())
}

fn opening(opening: &TurnOpening) -> String {
    match opening {
        TurnOpening::Prompt { text, .. } | TurnOpening::Peer { text, .. } => text.clone(),
        TurnOpening::Command { name, arguments } => format!("{name} {arguments}"),
        TurnOpening::Shell(command) => command.clone(),
        TurnOpening::Compaction { summary, .. } => summary.clone().unwrap_or_default(),
        TurnOpening::Unasked => String::new(),
    }
}

/// The text of the first of these steps, with the calls that follow a call.
fn step_text(steps: &[TurnStep]) -> String {
    let run = steps.iter().map_while(TurnStep::call);
    let run: Vec<String> = run.map(call_text).collect();
    if !run.is_empty() {
        return run.join("\n");
    }
    match steps.first().map(|step| &step.what) {
        Some(
            StepKind::Text(text)
            | StepKind::Thinking(text)
            | StepKind::Reply(text)
            | StepKind::Recap(text)
            | StepKind::ApiError(text),
        ) => text.clone(),
        Some(StepKind::Output { text, errors }) => {
            let lines = text.lines().chain(errors.lines()).map(printed);
            lines.collect::<Vec<_>>().join("\n")
        }
        Some(StepKind::Interrupted | StepKind::Tool(_)) | None => String::new(),
    }
}

fn call_text(call: &ToolCall) -> String {
    let lines = call_lines(call, Sheet::unbroken(None, Amount::Everything));
    let lines: Vec<String> = lines.iter().map(|line| plain_text(line)).collect();
    lines.join("\n")
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
