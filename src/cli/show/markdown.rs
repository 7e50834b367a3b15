//! `show --md`: the conversation as a Markdown document.

use std::io::{self, Write};

use super::head::local;
use super::shown::Shown;
use crate::preview::{CardFacts, Span, describe_sent_run, masthead, picture, why_left_out};
use crate::text::{sanitize, sanitize_lines};
use crate::transcript::{EntryMark, StepKind, ToolCall, Turn, TurnOpening, TurnStep};

pub fn print(out: &mut impl Write, shown: &Shown, facts: &CardFacts) -> anyhow::Result<()> {
    let head = masthead(&shown.gist(), facts, usize::MAX);
    let text = |line: &Vec<Span>| {
        line.iter()
            .map(|span| span.text.as_str())
            .collect::<String>()
    };
    let mut head = head.iter().map(text);
    writeln!(out, "# {}\n", head.next().unwrap_or_default())?;
    for line in head {
        writeln!(out, "{line}\n")?;
    }
    shown.for_each_turn(&mut |turn| print_turn(out, turn, shown.cwd()))
}

fn print_turn(out: &mut impl Write, turn: &Turn, cwd: Option<&str>) -> io::Result<()> {
    let when = when(turn.at);
    match &turn.opening {
        TurnOpening::Prompt { text, images, .. } => {
            writeln!(out, "## You{when}\n")?;
            paragraph(out, text)?;
            for image in images {
                writeln!(out, "{}\n", picture(image))?;
            }
        }
        TurnOpening::Command { name, arguments } => {
            let command = format!("{name} {arguments}");
            writeln!(out, "## You{when}\n\n{}\n", code(command.trim_end()))?;
        }
        TurnOpening::Shell(command) => {
            writeln!(out, "## You{when}\n")?;
            fenced(out, &format!("! {command}"))?;
        }
        TurnOpening::Peer { text, name } => {
            let name = name.as_deref().map(|name| format!(" ({})", sanitize(name)));
            writeln!(out, "## Peer{}{when}\n", name.unwrap_or_default())?;
            paragraph(out, text)?;
        }
        TurnOpening::Compaction { summary, .. } => {
            writeln!(out, "## Compacted{when}\n")?;
            if let Some(summary) = summary {
                paragraph(out, summary)?;
            }
        }
        TurnOpening::Unasked => {}
    }
    print_mark(out, turn.mark)?;
    print_steps(out, &turn.steps, cwd)
}

fn print_steps(out: &mut impl Write, steps: &[TurnStep], cwd: Option<&str>) -> io::Result<()> {
    let mut run: Vec<(&ToolCall, Option<EntryMark>)> = Vec::new();
    let mut named = false;
    for step in steps {
        match &step.what {
            StepKind::Tool(call) => {
                run.push((call, step.mark));
                continue;
            }
            StepKind::Thinking(_) => continue,
            _ => print_run(out, &mut run, cwd)?,
        }
        match &step.what {
            StepKind::Text(text) => {
                if !std::mem::replace(&mut named, true) {
                    writeln!(out, "## Claude{}\n", when(step.at))?;
                }
                paragraph(out, text)?;
            }
            StepKind::Output { text, errors } => fenced(out, format!("{text}\n{errors}").trim())?,
            StepKind::Reply(text) => {
                writeln!(out, "## You{}\n", when(step.at))?;
                paragraph(out, text)?;
                named = false;
            }
            StepKind::Recap(text) => paragraph(out, &format!("*While away:* {text}"))?,
            StepKind::ApiError(text) => paragraph(out, &format!("**Error:** {text}"))?,
            StepKind::Interrupted => paragraph(out, "*(interrupted)*")?,
            StepKind::Tool(_) | StepKind::Thinking(_) => {}
        }
        print_mark(out, step.mark)?;
    }
    print_run(out, &mut run, cwd)
}

fn print_mark(out: &mut impl Write, mark: Option<EntryMark>) -> io::Result<()> {
    match why_left_out(mark) {
        Some(words) => writeln!(out, "*{words}*\n"),
        None => Ok(()),
    }
}

fn print_run(
    out: &mut impl Write,
    run: &mut Vec<(&ToolCall, Option<EntryMark>)>,
    cwd: Option<&str>,
) -> io::Result<()> {
    if run.is_empty() {
        return Ok(());
    }
    writeln!(out, "> {}\n", sanitize(&describe_sent_run(run, cwd)))?;
    run.clear();
    Ok(())
}

/// Text that is Markdown already, made safe to print. An open fence is closed, because it would
/// include everything that follows.
fn paragraph(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut open: Option<&str> = None;
    for line in text.trim_end().lines() {
        open = match (open, fence(line)) {
            (None, Some((fence, _))) => Some(fence),
            (Some(open), Some((fence, ""))) if fence.starts_with(open) => None,
            (open, _) => open,
        };
        writeln!(out, "{}", sanitize_lines(line))?;
    }
    if let Some(open) = open {
        writeln!(out, "{open}")?;
    }
    writeln!(out)
}

/// The fence at the beginning of a line, and the text after it.
fn fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(sign);
    let fence = line.get(..line.len() - rest.len())?;
    // Inline code is not a fence.
    (fence.len() >= 3 && !rest.contains('`')).then_some((fence, rest))
}

/// A code block. Its fence is longer than any inside.
fn fenced(out: &mut impl Write, text: &str) -> io::Result<()> {
    let inside = text
        .lines()
        .map(|line| line.chars().take_while(|c| *c == '`').count())
        .max();
    let fence = "`".repeat(inside.unwrap_or_default().max(2) + 1);
    writeln!(out, "{fence}")?;
    for line in text.lines() {
        writeln!(out, "{}", sanitize_lines(line))?;
    }
    writeln!(out, "{fence}\n")
}

fn code(text: &str) -> String {
    format!("`{}`", sanitize(&text.replace('`', "'").replace('\n', " ")))
}

fn when(at: Option<i64>) -> String {
    let time = at.and_then(local);
    time.map_or_else(String::new, |time| {
        time.format(" · %Y-%m-%d %H:%M").to_string()
    })
}
