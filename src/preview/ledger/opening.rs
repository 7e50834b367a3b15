//! What opens a turn: a prompt, a command, or a compaction.

use super::LedgerPage;
use crate::preview::flow::hard;
use crate::preview::line::{Span, Speaker, Tone, TurnPos, picture};
use crate::preview::markdown::markdown;
use crate::preview::options::{Fold, Level};
use crate::text::{beginning, printed, size, truncate};
use crate::transcript::{StepKind, Turn, TurnOpening, Typed};

/// Bytes of a prompt that are laid out. A pasted log is cut, and said to be.
pub(in crate::preview) const MOST_TYPED: usize = 64 * 1024;
/// Columns of a shell line that its output is called by.
const MOST_NAMED: usize = 30;
/// Columns of the name of another session.
const MOST_OF_A_NAME: usize = 60;

impl LedgerPage<'_> {
    /// What a command printed that Claude had no part in, such as `/model` or `/exit`: both are one
    /// fold, so that a conversation ends with what was said in it.
    pub(super) fn output_with_command<'t>(&self, turn: &'t Turn) -> Option<(&'t str, &'t str)> {
        let is_command = matches!(turn.opening, TurnOpening::Command { .. });
        let first = turn
            .steps
            .first()
            .filter(|_| is_command && !turn.is_human())?;
        match &first.what {
            StepKind::Output { text, errors }
                if self.manner.options.level > Level::Prompts && first.mark.is_none() =>
            {
                Some((text, errors))
            }
            _ => None,
        }
    }

    pub(super) fn opening(&mut self, place: TurnPos, turn: &Turn) {
        let when = self.time(turn.at);
        match &turn.opening {
            TurnOpening::Prompt {
                text,
                images,
                typed,
            } => {
                let mut lines = self.typed(place, text);
                for image in images {
                    lines.extend(self.flowed(&picture(image), Tone::Dim));
                }
                if *typed == Typed::Ahead {
                    lines.extend(self.flowed("(typed while Claude was busy)", Tone::Dim));
                }
                let first = self.lines.len();
                self.say(Speaker::You, place, &when, lines);
                self.lead_on(first, place);
            }
            TurnOpening::Peer { text, name } => {
                let mut lines = self.typed(place, text);
                let name = name.as_deref().map(|name| truncate(name, MOST_OF_A_NAME));
                let from = name.map(|name| format!("(sent by the session \"{name}\")"));
                let from = from.unwrap_or_else(|| "(sent by another session)".to_owned());
                lines.extend(self.flowed(&from, Tone::Dim));
                let first = self.lines.len();
                self.say(Speaker::Peer, place, &when, lines);
                self.lead_on(first, place);
            }
            TurnOpening::Command { name, arguments } => {
                let text = format!("{name} {arguments}");
                let text = text.trim_end();
                if let Some((printed, errors)) = self.output_with_command(turn) {
                    let fold = Fold::Part(TurnPos::step(place.turn, 0));
                    let words = with_lines(text, printed, errors);
                    self.title(Speaker::Note, place, &words, fold, &when);
                    if self.manner.options.is_open(fold) {
                        let lines = output_lines(printed, errors, self.room_inside());
                        self.inside(fold, lines, None);
                    }
                    self.blank(TurnPos::step(place.turn, 0));
                } else {
                    let lines = self.flowed(text, Tone::Plain);
                    self.say(Speaker::You, place, &when, lines);
                }
            }
            TurnOpening::Shell(command) => {
                let lines = self.flowed(&format!("! {command}"), Tone::Code);
                self.say(Speaker::You, place, &when, lines);
            }
            TurnOpening::Compaction {
                summary,
                tokens_before,
                ..
            } => {
                let tokens = tokens_before.map(|tokens| format!(": {}k tokens", tokens / 1000));
                let words = format!("── compacted{} ──", tokens.unwrap_or_default());
                self.note(place, &words, Tone::Dim);
                if let Some(summary) = summary {
                    let painter = self.manner.painter;
                    self.folded(Speaker::Note, place, "summary", "", |columns| {
                        markdown(summary, columns, painter)
                    });
                }
            }
            TurnOpening::Unasked => {}
        }
    }

    /// What was typed or pasted is no Markdown: its lines are its lines.
    fn typed(&self, place: TurnPos, text: &str) -> Vec<Vec<Span>> {
        let is_whole = self.is_whole(place);
        let most = if is_whole { usize::MAX } else { MOST_TYPED };
        let shown = beginning(text, most);
        let mut lines = self.flowed(shown, Tone::Plain);
        if shown.len() < text.len() {
            let rest = size((text.len() - shown.len()) as u64);
            lines.extend(self.flowed(&format!("[{rest} more]"), Tone::Fold));
        }
        lines
    }
}

/// An output as it is shown inside a fold.
pub(super) fn output_lines(text: &str, errors: &str, columns: usize) -> Vec<Vec<Span>> {
    let span = |line: &str, tone| Span::new(&printed(line), tone);
    let plain = text.lines().map(|line| span(line, Tone::Dim));
    let wrong = errors.lines().map(|line| span(line, Tone::Error));
    let spans = plain.chain(wrong);
    spans.flat_map(|span| hard(&[span], &[], columns)).collect()
}

/// The title of an output, with its length.
pub(super) fn with_lines(words: &str, text: &str, errors: &str) -> String {
    match text.lines().count() + errors.lines().count() {
        0 | 1 => words.to_owned(),
        lines => format!("{words}, {lines} lines"),
    }
}

/// What is called an output here: that of the command which opens the turn.
pub(super) fn output_of(opening: &TurnOpening) -> String {
    match opening {
        TurnOpening::Command { name, .. } => format!("output of {name}"),
        TurnOpening::Shell(command) => {
            let command = command.lines().next().unwrap_or_default();
            format!("output of {}", truncate(command, MOST_NAMED))
        }
        TurnOpening::Prompt { .. }
        | TurnOpening::Peer { .. }
        | TurnOpening::Compaction { .. }
        | TurnOpening::Unasked => "output of a command".to_owned(),
    }
}
