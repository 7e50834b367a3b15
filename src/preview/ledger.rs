//! The ledger: who said what, with everything else folded to a line.

use chrono::NaiveDateTime;

use super::calls::call_lines;
use super::flow::flow;
use super::line::{Line, Place, Span, Speaker, Tone, picture};
use super::markdown::markdown;
use super::options::{Fold, Level, Options, Thinking};
use crate::text::{beginning, size};
use crate::transcript::{Opening, Step, ToolCall, Turn, Typed, What, describe_run};

/// Bytes of a prompt that are laid out. A pasted log is cut, and said to be.
const MOST_TYPED: usize = 64 * 1024;

/// Turns milliseconds since the epoch into the time on the wall.
pub type Clock<'a> = &'a dyn Fn(i64) -> Option<NaiveDateTime>;

/// Lays out turns in lines whose text is at most `columns` wide; the margin comes on top.
pub fn render(turns: &[Turn], options: &Options, columns: usize, clock: Clock<'_>) -> Vec<Line> {
    let mut page = Page {
        columns: columns.max(1),
        options,
        clock,
        lines: Vec::new(),
        day: None,
    };
    for (n, turn) in turns.iter().enumerate() {
        page.turn(n, turn);
    }
    while page.lines.last().is_some_and(|line| line.spans.is_empty()) {
        page.lines.pop();
    }
    page.lines
}

struct Page<'a> {
    columns: usize,
    options: &'a Options,
    clock: Clock<'a>,
    lines: Vec<Line>,
    /// The day of the last turn.
    day: Option<chrono::NaiveDate>,
}

impl Page<'_> {
    fn turn(&mut self, n: usize, turn: &Turn) {
        let place = Place {
            turn: n,
            step: None,
        };
        let time = turn.at.and_then(self.clock);
        if let Some(day) = time.map(|time| time.date())
            && self.day.replace(day).is_some_and(|known| known != day)
        {
            let words = day.format("── %A, %-d %B %Y ──").to_string();
            self.note(place, &words, Tone::Dim);
        }
        let when = time.map(|time| time.format("%H:%M").to_string());
        self.opening(place, turn, &when.unwrap_or_default());
        if self.options.level > Level::Prompts {
            self.steps(n, &turn.steps);
        }
    }

    fn opening(&mut self, place: Place, turn: &Turn, when: &str) {
        match &turn.opening {
            Opening::Prompt {
                text,
                images,
                typed,
            } => {
                // What was typed or pasted is no Markdown: its lines are its lines.
                let mut lines = self.flowed(beginning(text, MOST_TYPED), Tone::Plain);
                if text.len() > MOST_TYPED {
                    let rest = size((text.len() - MOST_TYPED) as u64);
                    lines.extend(self.flowed(&format!("[{rest} more]"), Tone::Dim));
                }
                for image in images {
                    lines.extend(self.flowed(&picture(image), Tone::Dim));
                }
                if *typed == Typed::Ahead {
                    lines.extend(self.flowed("(typed while Claude was busy)", Tone::Dim));
                }
                self.say(Speaker::You, place, when, lines);
            }
            Opening::Command { name, arguments } => {
                let text = format!("{name} {arguments}");
                let lines = self.flowed(text.trim_end(), Tone::Plain);
                self.say(Speaker::You, place, when, lines);
            }
            Opening::Shell { command } => {
                let lines = self.flowed(&format!("! {command}"), Tone::Code);
                self.say(Speaker::You, place, when, lines);
            }
            Opening::Compaction {
                summary,
                tokens_before,
                ..
            } => {
                let tokens = tokens_before.map(|tokens| format!(": {}k tokens", tokens / 1000));
                let words = format!("── compacted{} ──", tokens.unwrap_or_default());
                self.note(place, &words, Tone::Dim);
                if let Some(summary) = summary {
                    self.folded(place, "summary", |columns| markdown(summary, columns));
                }
            }
            Opening::Unasked => {}
        }
    }

    /// Neighbouring tool calls are one fold.
    fn steps(&mut self, turn: usize, steps: &[Step]) {
        let mut at = 0;
        while at < steps.len() {
            let place = Place {
                turn,
                step: Some(at),
            };
            let run = steps[at..].iter().map_while(|step| match &step.what {
                What::Tool(call) => Some(&**call),
                _ => None,
            });
            let run: Vec<&ToolCall> = run.collect();
            if run.is_empty() {
                self.step(place, &steps[at]);
                at += 1;
            } else {
                self.run(place, &run);
                at += run.len();
            }
        }
    }

    fn run(&mut self, place: Place, run: &[&ToolCall]) {
        let words = describe_run(run.iter().copied());
        self.folded(place, &words, |columns| {
            run.iter()
                .flat_map(|call| call_lines(call, columns))
                .collect()
        });
    }

    fn step(&mut self, place: Place, step: &Step) {
        let when = step.at.and_then(self.clock);
        let when = when.map_or_else(String::new, |time| time.format("%H:%M").to_string());
        match &step.what {
            What::Text { text } => {
                let lines = markdown(text, self.columns);
                self.say(Speaker::Claude, place, &when, lines);
            }
            What::Thinking { text } => {
                if self.options.thinking == Thinking::Shown {
                    self.folded(place, "thought", |columns| markdown(text, columns));
                }
            }
            What::Output { text, errors } => {
                let lines = text.lines().count() + errors.lines().count();
                let words = match lines {
                    1 => "output".to_owned(),
                    lines => format!("output, {lines} lines"),
                };
                self.folded(place, &words, |columns| {
                    let plain = text.lines().map(|line| Span::new(line, Tone::Dim));
                    let wrong = errors.lines().map(|line| Span::new(line, Tone::Error));
                    plain
                        .chain(wrong)
                        .flat_map(|span| super::flow::hard(&[span], &[], columns))
                        .collect()
                });
            }
            What::Recap { text } => {
                let lines = self.flowed(&format!("while away: {text}"), Tone::Emphasis);
                self.say(Speaker::Note, place, &when, lines);
            }
            What::ApiError { text } => {
                let lines = self.flowed(text, Tone::Error);
                self.say(Speaker::Note, place, "error", lines);
            }
            What::Interrupted => self.note(place, "── interrupted ──", Tone::Dim),
            What::Tool(_) => {}
        }
    }

    /// A line that opens, and what is in it if it is open.
    fn folded(&mut self, place: Place, words: &str, inside: impl FnOnce(usize) -> Vec<Vec<Span>>) {
        let fold = Fold(place);
        let is_open = self.options.is_open(fold);
        let mark = if is_open { "▾ " } else { "▸ " };
        let title = [Span::new(&format!("{mark}{words}"), Tone::Fold)];
        let indent = [Span::new("  ", Tone::Plain)];
        let mut margin = if place.step.is_some() && !self.goes_on(Speaker::Claude, place) {
            "Claude".to_owned()
        } else {
            String::new()
        };
        for spans in flow(&title, &[], &indent, self.columns) {
            let margin = std::mem::take(&mut margin);
            self.push(Speaker::Claude, place, margin, spans, Some(fold));
        }
        if is_open {
            let room = self.columns.saturating_sub(2).max(1);
            for spans in inside(room) {
                let mut whole = indent.to_vec();
                whole.extend(spans);
                let whole = super::flow::hard(&whole, &[], self.columns);
                let first = whole.into_iter().next().unwrap_or_default();
                self.push(Speaker::Claude, place, String::new(), first, None);
            }
        }
        self.blank(place);
    }

    fn flowed(&self, text: &str, tone: Tone) -> Vec<Vec<Span>> {
        text.lines()
            .flat_map(|line| flow(&[Span::new(line, tone)], &[], &[], self.columns))
            .collect()
    }

    fn note(&mut self, place: Place, words: &str, tone: Tone) {
        let lines = self.flowed(words, tone);
        self.say(Speaker::Note, place, "", lines);
    }

    /// A paragraph: who in the margin of its first line, when in that of its second. Claude is
    /// named once in a row.
    fn say(&mut self, speaker: Speaker, place: Place, when: &str, lines: Vec<Vec<Span>>) {
        let goes_on = speaker == Speaker::Claude && self.goes_on(speaker, place);
        let margins = match speaker {
            Speaker::You => ["You", when],
            Speaker::Claude if goes_on => ["", ""],
            Speaker::Claude => ["Claude", when],
            Speaker::Note => [when, ""],
        };
        let margins = margins.into_iter().chain(std::iter::repeat(""));
        for (spans, margin) in lines.into_iter().zip(margins) {
            self.push(speaker, place, margin.to_owned(), spans, None);
        }
        self.blank(place);
    }

    /// Has the same one spoken last, in the same turn?
    fn goes_on(&self, speaker: Speaker, place: Place) -> bool {
        let mut spoken = self.lines.iter().rev();
        spoken
            .find(|line| !line.spans.is_empty())
            .is_some_and(|line| line.speaker == speaker && line.place.turn == place.turn)
    }

    fn blank(&mut self, place: Place) {
        self.push(Speaker::Note, place, String::new(), Vec::new(), None);
    }

    fn push(
        &mut self,
        speaker: Speaker,
        place: Place,
        margin: String,
        spans: Vec<Span>,
        fold: Option<Fold>,
    ) {
        self.lines.push(Line {
            speaker,
            margin,
            spans,
            place,
            fold,
        });
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
