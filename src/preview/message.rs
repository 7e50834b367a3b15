//! One message as plain text, for the clipboard and for other programs: whole, and not wrapped.

use super::calls::{Amount, Sheet, call_lines};
use super::line::{TurnPos, plain_text};
use super::printed::printed;
use crate::text::is_blank;
use crate::transcript::{Opening, Step, ToolCall, Turn, What};

/// The text of the message that stands at a place of a turn, as it was written; a run of tools is
/// one message.
pub fn message(turn: &Turn, place: TurnPos) -> Option<String> {
    let text = match place.step {
        None => opening(&turn.opening),
        Some(step) => step_text(turn.steps.get(step..)?),
    };
    (!is_blank(&text)).then(|| text.trim_end().to_owned())
}

fn opening(opening: &Opening) -> String {
    match opening {
        Opening::Prompt { text, .. } => text.clone(),
        Opening::Command { name, arguments } => format!("{name} {arguments}"),
        Opening::Shell(command) => command.clone(),
        Opening::Compaction { summary, .. } => summary.clone().unwrap_or_default(),
        Opening::Unasked => String::new(),
    }
}

/// The text of the first of these steps, with the calls that follow a call.
fn step_text(steps: &[Step]) -> String {
    let run = steps.iter().map_while(Step::call);
    let run: Vec<String> = run.map(call_text).collect();
    if !run.is_empty() {
        return run.join("\n");
    }
    match steps.first().map(|step| &step.what) {
        Some(
            What::Text(text)
            | What::Thinking(text)
            | What::Reply(text)
            | What::Recap(text)
            | What::ApiError(text),
        ) => text.clone(),
        Some(What::Output { text, errors }) => {
            let lines = text.lines().chain(errors.lines()).map(printed);
            lines.collect::<Vec<_>>().join("\n")
        }
        Some(What::Interrupted | What::Tool(_)) | None => String::new(),
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
