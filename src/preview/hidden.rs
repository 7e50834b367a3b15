//! What is inside a fold, as texts to look through: finding must not end where folds are closed.

use std::borrow::Cow;

use serde_json::Value;

use super::line::Place;
use crate::transcript::{Opening, ToolCall, Turn, What};

/// The texts inside the fold at a place, whether it is open or not.
pub fn hidden_texts(turn: &Turn, place: Place) -> Vec<Cow<'_, str>> {
    let mut texts = Vec::new();
    let Some(step) = place.step else {
        if let Opening::Compaction { summary, .. } = &turn.opening {
            texts.extend(summary.as_deref().map(Cow::Borrowed));
        }
        return texts;
    };
    let steps = turn.steps.get(step..).unwrap_or_default();
    for (n, step) in steps.iter().enumerate() {
        match &step.what {
            What::Tool(call) => of_call(call, &mut texts),
            _ if n > 0 => break,
            What::Thinking { text } => texts.push(Cow::Borrowed(text)),
            What::Output { text, errors } => {
                texts.extend([Cow::Borrowed(text.as_str()), Cow::Borrowed(errors)]);
            }
            What::Text { .. } | What::Recap { .. } | What::ApiError { .. } | What::Interrupted => {}
        }
        if !matches!(step.what, What::Tool(_)) {
            break;
        }
    }
    texts
}

fn of_call<'a>(call: &'a ToolCall, texts: &mut Vec<Cow<'a, str>>) {
    of_value(&call.input, texts);
    if let Some(result) = &call.result {
        texts.push(Cow::Owned(result.text()));
        // The patch of an edit is shown, and stands nowhere else.
        let hunks = result.detail["structuredPatch"].as_array();
        for hunk in hunks.into_iter().flatten() {
            of_value(&hunk["lines"], texts);
        }
    }
}

fn of_value<'a>(value: &'a Value, texts: &mut Vec<Cow<'a, str>>) {
    match value {
        Value::String(text) => texts.push(Cow::Borrowed(text)),
        Value::Array(items) => items.iter().for_each(|item| of_value(item, texts)),
        Value::Object(fields) => fields.values().for_each(|item| of_value(item, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
