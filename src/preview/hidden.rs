//! What is inside a fold, as texts to look through: finding must not end where folds are closed.

use std::borrow::Cow;

use super::agents::{Agent, AgentWork, agent_lines};
use super::calls::{Amount, Sheet, UNBROKEN, Wants, call_lines};
use super::ledger::{MOST_TYPED, Manner};
use super::line::{PageLine, Span, TurnPos, plain_text};
use super::markdown::{MOST_BYTES, markdown_of};
use super::options::{Fold, Level, Options};
use crate::text::beginning;
use crate::transcript::{StepKind, ToolCall, Turn, TurnOpening};

/// The texts inside the fold at a place, whether it is open or not, of a session that ran in `cwd`;
/// of what calls gave back only what is wanted, for that is most of it.
pub fn hidden_texts<'a>(
    turn: &'a Turn,
    place: TurnPos,
    cwd: Option<&str>,
    wants: Wants<'_>,
) -> Vec<Cow<'a, str>> {
    let mut texts = Vec::new();
    let Some(step) = place.step else {
        if let TurnOpening::Compaction { summary, .. } = &turn.opening {
            texts.extend(summary.as_deref().map(Cow::Borrowed));
        }
        return texts;
    };
    let steps = turn.steps.get(step..).unwrap_or_default();
    for (n, step) in steps.iter().enumerate() {
        match &step.what {
            StepKind::Tool(call) => {
                let sheet = Sheet {
                    wants: Some(wants),
                    ..Sheet::unbroken(cwd, Amount::Whole)
                };
                texts.extend(of_call(call, sheet).into_iter().map(Cow::Owned));
            }
            _ if n > 0 => break,
            StepKind::Thinking(text) => texts.push(Cow::Borrowed(text)),
            StepKind::Output { text, errors } => {
                texts.extend([Cow::Borrowed(text.as_str()), Cow::Borrowed(errors)]);
            }
            StepKind::Text(_)
            | StepKind::Reply(_)
            | StepKind::Recap(_)
            | StepKind::ApiError(_)
            | StepKind::Interrupted => {}
        }
        if !matches!(step.what, StepKind::Tool(_)) {
            break;
        }
    }
    texts
}

/// A call as opening all of it shows it, its lines unbroken.
fn of_call(call: &ToolCall, sheet: Sheet<'_>) -> Vec<String> {
    texts_of(&call_lines(call, sheet))
}

fn texts_of(lines: &[Vec<Span>]) -> Vec<String> {
    lines.iter().map(|line| plain_text(line)).collect()
}

/// A long text as it is shown, and with what is left out of it.
#[derive(Debug, Default)]
pub struct LongText {
    pub shown: Vec<String>,
    pub whole: Vec<String>,
}

/// The text at a place of which something may be left out.
pub fn long_text(turn: &Turn, place: TurnPos, cwd: Option<&str>) -> LongText {
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    let Some(step) = place.step else {
        return match &turn.opening {
            TurnOpening::Prompt { text, .. } | TurnOpening::Peer { text, .. } => LongText {
                shown: lines(beginning(text, MOST_TYPED)),
                whole: lines(text),
            },
            _ => LongText::default(),
        };
    };
    match turn.steps.get(step).map(|step| &step.what) {
        Some(StepKind::Text(said)) => {
            let lines = |most| texts_of(&markdown_of(said, most, UNBROKEN, None));
            LongText {
                shown: lines(MOST_BYTES),
                whole: lines(usize::MAX),
            }
        }
        Some(StepKind::Tool(call)) => LongText {
            shown: of_call(call, Sheet::unbroken(cwd, Amount::Readable)),
            whole: of_call(call, Sheet::unbroken(cwd, Amount::Whole)),
        },
        _ => LongText::default(),
    }
}

/// What an agent did as opening all of it shows it, a text for each line.
pub fn agent_texts(agent: &Agent, manner: Manner<'_>) -> Vec<String> {
    let manner = Manner {
        columns: UNBROKEN,
        painter: None,
        ..manner
    };
    let AgentWork::Read(turns) = &agent.work else {
        return Vec::new();
    };
    let places = (0..).zip(&**turns).flat_map(|(turn, read)| {
        let steps = (0..read.steps.len()).map(Some);
        let steps = steps.chain([None]);
        steps.map(move |step| TurnPos { turn, step })
    });
    let options = Options {
        level: Level::Full,
        toggled: places.map(Fold::Rest).collect(),
        thinking: manner.options.thinking,
        ..Options::default()
    };
    let lines = agent_lines(turns, manner, &options);
    lines.iter().map(PageLine::text).collect()
}
