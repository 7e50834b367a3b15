//! `--dry-run`: the plan with its reasons, as text or as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::resume::{Change, Finding, Plan, PlanStep, printable};
use crate::text::{escape_json, sanitize};

/// Prints the plan as one JSON object.
pub fn print_json(out: &mut impl Write, plan: &Plan, open: &[Finding]) -> anyhow::Result<()> {
    let object = object(plan, open);
    writeln!(out, "{}", escape_json(&serde_json::to_string(&object)?))?;
    Ok(())
}

/// Prints the plan as lines.
pub fn print(out: &mut impl Write, plan: &Plan, open: &[Finding]) -> anyhow::Result<()> {
    let mut line = |label: &str, text: &str| -> io::Result<()> {
        writeln!(out, "{label:<10} {}", sanitize(text))
    };
    for step in &plan.steps {
        line("first", &printable(&step.shown()))?;
    }
    line("run", &printable(&plan.command))?;
    if let Some(directory) = &plan.directory {
        line("in", &directory.to_string_lossy())?;
    }
    for change in &plan.environment {
        match change {
            Change::Set(name, value) => line("with", &format!("{name}={}", value.display()))?,
            Change::Remove(name) => line("without", name)?,
        }
    }
    for reason in &plan.reasons {
        line("because", &format!("{}: {}", reason.about, reason.text))?;
    }
    for note in &plan.notes {
        line("note", &note.line())?;
    }
    for finding in open {
        line("decide", &finding.line())?;
        for choice in &finding.choices {
            let is_safe = finding.safe() == Some(choice);
            let mark = if is_safe { "--yes " } else { "" };
            line("", &format!("- {mark}{}: {}", choice.label, choice.shows))?;
        }
    }
    Ok(())
}

fn object(plan: &Plan, open: &[Finding]) -> Value {
    let env = plan.environment.iter().map(|change| match change {
        Change::Set(name, value) => ((*name).to_owned(), json!(value.to_string_lossy())),
        Change::Remove(name) => ((*name).to_owned(), Value::Null),
    });
    let steps = plan.steps.iter().map(PlanStep::command);
    let reasons = plan.reasons.iter();
    let reasons = reasons.map(|it| json!({"about": it.about, "text": it.text}));
    let notes = plan.notes.iter();
    let warnings = notes.map(|note| json!({"topic": note.topic.name(), "text": note.line()}));
    json!({
        "id": plan.id,
        "program": plan.command.first(),
        "argv": plan.command,
        "cwd": plan.directory.as_ref().map(|path| path.to_string_lossy()),
        "env": env.collect::<serde_json::Map<String, Value>>(),
        "steps": steps.collect::<Vec<_>>(),
        "reasons": reasons.collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
        "questions": open.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let choices = finding.choices.iter().map(|choice| {
        let is_safe = finding.safe() == Some(choice);
        json!({"label": choice.label, "command": choice.shows, "safe": is_safe})
    });
    json!({
        "topic": finding.topic.name(),
        "headline": finding.headline,
        "lines": finding.lines,
        "choices": choices.collect::<Vec<_>>(),
    })
}
