//! What is inside a fold, as texts to look through: finding must not end where folds are closed.

use std::borrow::Cow;

use super::agents::{Agent, Told};
use super::calls::{Amount, Sheet, call_lines};
use super::ledger::Manner;
use super::line::{Place, Span};
use super::message::UNBROKEN;
use super::options::{Level, Options};
use crate::transcript::{Opening, ToolCall, Turn, What};

/// The texts inside the fold at a place, whether it is open or not, of a session that ran in `cwd`.
pub fn hidden_texts<'a>(turn: &'a Turn, place: Place, cwd: Option<&str>) -> Vec<Cow<'a, str>> {
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
            What::Tool(call) => of_call(call, cwd, &mut texts),
            _ if n > 0 => break,
            What::Thinking { text } => texts.push(Cow::Borrowed(text)),
            What::Output { text, errors } => {
                texts.extend([Cow::Borrowed(text.as_str()), Cow::Borrowed(errors)]);
            }
            What::Text { .. }
            | What::Reply { .. }
            | What::Recap { .. }
            | What::ApiError { .. }
            | What::Interrupted => {}
        }
        if !matches!(step.what, What::Tool(_)) {
            break;
        }
    }
    texts
}

/// A call as opening it shows it, its lines unbroken: what is not shown then is not found either.
fn of_call<'a>(call: &'a ToolCall, cwd: Option<&str>, texts: &mut Vec<Cow<'a, str>>) {
    let sheet = Sheet {
        columns: UNBROKEN,
        cwd,
        syntaxes: None,
        amount: Amount::Readable,
    };
    let text = |line: Vec<Span>| line.into_iter().map(|span| span.text).collect::<String>();
    let lines = call_lines(call, sheet).into_iter();
    texts.extend(lines.map(|line| Cow::Owned(text(line))));
}

/// What an agent did as opening all of it shows it, a text for each line.
pub fn agent_texts(agent: &Agent, manner: Manner<'_>) -> Vec<String> {
    let manner = Manner {
        columns: UNBROKEN,
        syntaxes: None,
        ..manner
    };
    let options = Options {
        level: Level::Full,
        thinking: manner.options.thinking,
        ..Options::default()
    };
    let lines = agent.lines(manner, &options).into_iter();
    let text = |line: Told| line.spans.into_iter().map(|span| span.text).collect();
    lines.map(text).collect()
}
