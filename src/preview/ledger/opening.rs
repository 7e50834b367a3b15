//! What opens a turn: a prompt, a command, or a compaction.

use super::LedgerPage;
use crate::preview::line::{Speaker, Tone, TurnPos, picture};
use crate::preview::markdown::markdown;
use crate::text::{beginning, size, truncate};
use crate::transcript::{Turn, TurnOpening, Typed};

/// Bytes of a prompt that are laid out. A pasted log is cut, and said to be.
pub(in crate::preview) const MOST_TYPED: usize = 64 * 1024;
/// Columns of a shell line that its output is called by.
const MOST_NAMED: usize = 30;

impl LedgerPage<'_> {
    pub(super) fn opening(&mut self, place: TurnPos, turn: &Turn) {
        let when = self.time(turn.at);
        match &turn.opening {
            TurnOpening::Prompt {
                text,
                images,
                typed,
            } => {
                // What was typed or pasted is no Markdown: its lines are its lines.
                let is_whole = self.is_whole(place);
                let most = if is_whole { usize::MAX } else { MOST_TYPED };
                let shown = beginning(text, most);
                let mut lines = self.flowed(shown, Tone::Plain);
                if shown.len() < text.len() {
                    let rest = size((text.len() - shown.len()) as u64);
                    lines.extend(self.flowed(&format!("[{rest} more]"), Tone::Fold));
                }
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
            TurnOpening::Command { name, arguments } => {
                let text = format!("{name} {arguments}");
                let lines = self.flowed(text.trim_end(), Tone::Plain);
                self.say(Speaker::You, place, &when, lines);
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
}

/// What is called an output here: that of the command which opens the turn.
pub(super) fn output_of(opening: &TurnOpening) -> String {
    match opening {
        TurnOpening::Command { name, .. } => format!("output of {name}"),
        TurnOpening::Shell(command) => {
            let command = command.lines().next().unwrap_or_default();
            format!("output of {}", truncate(command, MOST_NAMED))
        }
        TurnOpening::Prompt { .. } | TurnOpening::Compaction { .. } | TurnOpening::Unasked => {
            "output of a command".to_owned()
        }
    }
}
