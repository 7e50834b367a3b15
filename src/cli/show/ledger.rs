//! `show` for people: who said what, with tool runs folded to a line.

use std::fmt::Write;

use chrono::{DateTime, Local};

use super::{Shown, Span};
use crate::cli::surroundings::Stdout;
use crate::text::{sanitize, wrap};
use crate::transcript::{
    By, Image, Interruption, Opening, Step, ToolCall, Turn, Typed, What, describe_run,
};

/// Widest text that is comfortable to read.
const READABLE: usize = 100;
/// `Claude │ `
const MARGIN: usize = 9;

/// The conversation as a ledger. In a pipe lines are not broken: whoever reads them can.
pub fn ledger(shown: &Shown, stdout: Stdout) -> String {
    let columns = match stdout {
        Stdout::Terminal { columns, .. } => columns.clamp(MARGIN + 20, READABLE) - MARGIN,
        Stdout::Pipe => usize::MAX,
    };
    let mut page = Page {
        text: String::new(),
        columns,
    };
    for turn in &shown.conversation.turns {
        page.turn(turn);
    }
    page.text
}

struct Page {
    text: String,
    columns: usize,
}

impl Page {
    fn turn(&mut self, turn: &Turn) {
        let time = clock(turn.at);
        match &turn.opening {
            Opening::Prompt {
                text,
                images,
                typed,
            } => {
                let mut said = vec![text.clone()];
                said.extend(images.iter().map(picture));
                if *typed == Typed::Ahead {
                    said.push("(typed while Claude was busy)".to_owned());
                }
                self.say("You", &time, &said.join("\n"));
            }
            Opening::Command { name, arguments } => {
                self.say("You", &time, format!("{name} {arguments}").trim_end());
            }
            Opening::Shell { command } => self.say("You", &time, &format!("! {command}")),
            Opening::Compaction {
                summary,
                tokens_before,
                ..
            } => {
                let tokens = tokens_before
                    .map(|tokens| format!(": {}k tokens", tokens / 1000))
                    .unwrap_or_default();
                let _ = writeln!(self.text, "── compacted{tokens} ──\n");
                if let Some(summary) = summary {
                    self.say("", "", summary);
                }
            }
            Opening::Unasked => {}
        }
        self.steps(&turn.steps);
    }

    /// Neighbouring tool calls are one line; thinking is left out.
    fn steps(&mut self, steps: &[Step]) {
        let mut run: Vec<&ToolCall> = Vec::new();
        for step in steps {
            let time = clock(step.at);
            match &step.what {
                What::Tool(call) => {
                    run.push(call);
                    continue;
                }
                What::Thinking { .. } => continue,
                _ => self.run(&mut run),
            }
            match &step.what {
                What::Text { text } => self.say("Claude", &time, text),
                What::Output { text, errors } => {
                    self.say("", "", &format!("{text}\n{errors}"));
                }
                What::Recap { text } => self.say("", &time, &format!("while away: {text}")),
                What::ApiError { text } => self.say("error", &time, text),
                What::Interrupted => self.say("", &time, "(interrupted)"),
                What::Tool(_) | What::Thinking { .. } => {}
            }
        }
        self.run(&mut run);
    }

    fn run(&mut self, run: &mut Vec<&ToolCall>) {
        if !run.is_empty() {
            let words = describe_run(run.drain(..));
            self.say("Claude", "", &format!("▸ {words}"));
        }
    }

    /// A paragraph: who in the margin of its first line, when in that of its second.
    fn say(&mut self, who: &str, when: &str, text: &str) {
        let text: Vec<String> = text.trim_end().lines().map(sanitize_line).collect();
        let lines = match self.columns {
            usize::MAX => text,
            columns => wrap(&text.join("\n"), columns),
        };
        let margins = [who, when].into_iter().chain(std::iter::repeat(""));
        for (line, margin) in lines.iter().zip(margins) {
            let row = format!("{margin:>6} │ {line}");
            let _ = writeln!(self.text, "{}", row.trim_end());
        }
        self.text.push('\n');
    }
}

fn sanitize_line(line: &str) -> String {
    // A tab has no width of its own; sanitising would make it one space.
    sanitize(&line.replace('\t', "    ")).into_owned()
}

fn picture(image: &Image) -> String {
    format!("[image {}]", crate::text::size(image.bytes))
}

fn clock(at: Option<i64>) -> String {
    let time = at.and_then(DateTime::from_timestamp_millis);
    time.map_or_else(String::new, |time| {
        time.with_timezone(&Local).format("%H:%M").to_string()
    })
}

/// What was shown, and everything about it that a person should know, in one line.
pub fn closing_line(shown: &Shown) -> String {
    let messages = shown.chain.messages(&shown.index).count();
    let counted = |count: u64, noun: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {noun}{plural}")
    };
    let health = &shown.index.health;
    let mut notes = Vec::new();
    match &shown.conversation.interruption {
        Interruption::None => {}
        Interruption::Prompt { by: By::Person, .. } => notes.push("you interrupted it".to_owned()),
        Interruption::Prompt { .. } => notes.push("the last prompt was not answered".to_owned()),
        Interruption::Turn { by, .. } => notes.push(match by {
            By::End { tools } if !tools.is_empty() => {
                format!("stopped while running {}", sanitize(&tools.join(", ")))
            }
            _ => "stopped in the middle of a turn".to_owned(),
        }),
    }
    let tree = shown.tree();
    if tree.len() > 1 && shown.span == Span::Resumed {
        notes.push(format!("{} branches: --branches lists them", tree.len()));
    }
    let turns = &shown.conversation.turns;
    if matches!(turns.first(), Some(turn) if matches!(turn.opening, Opening::Compaction { .. })) {
        notes.push("compacted: --before-compaction shows what came before".to_owned());
    }
    if health.bad > 0 {
        notes.push(counted(health.bad, "bad line"));
    }
    if health.glued > 0 {
        notes.push(counted(health.glued, "glued line"));
    }
    if health.torn_end {
        notes.push("the last line is torn".to_owned());
    }
    if shown.chain.gaps > 0 {
        let gaps = counted(shown.chain.gaps as u64, "gap");
        let percent = tree.reach(&shown.chain).percent();
        notes.push(format!(
            "{gaps}: what lies before is out of reach, Claude will see {percent} % of the turns"
        ));
    }
    let messages = counted(messages as u64, "message");
    if notes.is_empty() {
        messages
    } else {
        format!("{messages} ({})", notes.join("; "))
    }
}
