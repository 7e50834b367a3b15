//! What a transcript has of a message, unchanged: every text that a call was given and gave back, and
//! Markdown with its signs. For the words that the usual layout does not show.

use serde_json::Value;

use super::flow::hard;
use super::line::{Span, Tone};
use crate::text::{printed, without_escapes};
use crate::transcript::{ContentPart, StepKind, ToolCall, Turn, TurnOpening, TurnStep};

/// The texts of a step. `None` if it is shown as it is.
pub(super) fn recorded_step(step: &TurnStep, columns: usize) -> Option<Vec<Vec<Span>>> {
    match &step.what {
        StepKind::Tool(call) => Some(recorded_call(call, columns)),
        StepKind::Text(text) | StepKind::Thinking(text) => Some(lines_of(text, columns)),
        _ => None,
    }
}

/// The same for what opens a turn.
pub(super) fn recorded_opening(turn: &Turn, columns: usize) -> Option<Vec<Vec<Span>>> {
    match &turn.opening {
        TurnOpening::Compaction { summary, .. } => Some(lines_of(summary.as_deref()?, columns)),
        _ => None,
    }
}

fn recorded_call(call: &ToolCall, columns: usize) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    texts_of(&call.input, &mut |text| {
        lines.extend(lines_of(text, columns));
    });
    for part in call.result.iter().flat_map(|result| &result.parts) {
        if let ContentPart::Text(text) = part {
            lines.extend(lines_of(text, columns));
        }
    }
    lines
}

/// Hands out every text in an input.
fn texts_of(input: &Value, take: &mut dyn FnMut(&str)) {
    match input {
        Value::String(text) => take(text),
        Value::Array(values) => values.iter().for_each(|value| texts_of(value, take)),
        Value::Object(fields) => fields.values().for_each(|value| texts_of(value, take)),
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => take(&input.to_string()),
    }
}

fn lines_of(text: &str, columns: usize) -> Vec<Vec<Span>> {
    let lines = text.lines().flat_map(|line| {
        let line = without_escapes(&printed(line)).into_owned();
        hard(&[Span::new(&line, Tone::Dim)], &[], columns)
    });
    lines.collect()
}
