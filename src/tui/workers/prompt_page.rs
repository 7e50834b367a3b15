//! Prompts laid out: the typed text, and the pasted texts set apart from it.

use std::path::Path;

use chrono::FixedOffset;

use crate::history::{Lacking, Prompt, PromptPart, expand, flat};
use crate::preview::{PageLine, Span, Speaker, Tone, TurnPos, wrap};
use crate::text::size;
use crate::tui::dates::moment;
use crate::tui::screens::PastText;

/// A prompt may be megabytes; further lines are not laid out, and a note says so.
const MOST_LINES: usize = 20_000;

/// Lays out prompts that were asked one after another. Their dates are shown in this zone, if any.
pub fn lay_out(
    prompts: &[Prompt],
    root: &Path,
    columns: usize,
    dates: Option<FixedOffset>,
) -> (Vec<PageLine>, PastText) {
    let mut lines = Vec::new();
    let mut more = 0;
    let mut texts = Vec::new();
    let mut lacking = Lacking::default();
    for (turn, prompt) in (0..).zip(prompts) {
        let mut end = |line: Vec<Span>| more += end_line(&mut lines, line, turn, columns);
        if let Some(zone) = dates {
            if turn > 0 {
                end(Vec::new());
            }
            let when = moment(prompt.timestamp, zone, "%Y-%m-%d %H:%M");
            end(vec![Span::new(&when, Tone::Dim)]);
        }
        let pieces = expand(prompt, root);
        let mut line = Vec::new();
        for piece in &pieces {
            let (text, note, tone) = match piece {
                PromptPart::Typed(text) => (*text, "", Tone::Plain),
                PromptPart::Pasted(text) => (&**text, "", Tone::Code),
                PromptPart::Image(text) => (*text, "", Tone::Dim),
                PromptPart::Expired(text) => (*text, " (paste expired)", Tone::Error),
                PromptPart::Changed(text) => (*text, " (paste changed on disk)", Tone::Error),
                PromptPart::TooMuch(text) => (*text, " (too much to put back)", Tone::Error),
            };
            for (n, part) in text.split('\n').enumerate() {
                if n > 0 {
                    end(std::mem::take(&mut line));
                }
                line.push(Span::new(part, tone));
            }
            line.push(Span::new(note, tone));
        }
        end(line);
        lacking = lacking.and(Lacking::of(&pieces));
        texts.push(flat(&pieces));
    }
    let turn = lines.last().map_or(0, |line: &PageLine| line.place.turn);
    if more > 0 {
        let note = format!("{} more: open it to see all", size(more as u64));
        lines.push(page_line(vec![Span::new(&note, Tone::Error)], turn));
    }
    let project = prompts.last().map(|prompt| Path::new(&prompt.project));
    let text = PastText {
        text: texts.join("\n\n"),
        lacking,
        has_project: project.is_some_and(Path::is_dir),
        root: root.to_owned(),
    };
    (lines, text)
}

/// Lays out a line. Returns how many bytes of it exceed the limit.
fn end_line(lines: &mut Vec<PageLine>, line: Vec<Span>, turn: i64, columns: usize) -> usize {
    let room = MOST_LINES.saturating_sub(lines.len());
    let mut wrapped = match room {
        0 => vec![line],
        _ => wrap(&line, columns),
    };
    let rest = wrapped.split_off(room.min(wrapped.len()));
    lines.extend(wrapped.into_iter().map(|spans| page_line(spans, turn)));
    rest.iter().flatten().map(|span| span.text.len()).sum()
}

/// A line of a prompt, as one of a conversation.
fn page_line(spans: Vec<Span>, turn: i64) -> PageLine {
    PageLine {
        speaker: Speaker::You,
        margin: String::new(),
        spans,
        place: TurnPos::opening(turn),
        fold: None,
        within: None,
        call: None,
        of_agent: None,
    }
}

#[cfg(test)]
#[path = "prompt_page_tests.rs"]
mod tests;
