//! `--dry-run`: the plan with its reasons, for people or for scripts.

use std::io::Write;

use serde_json::{Value, json};

use crate::resume::{Change, Finding, Plan, PlanStep, printable};
use crate::text::{escape_json, sanitize};

/// The plan as one JSON object.
pub fn print_json(out: &mut impl Write, plan: &Plan, open: &[Finding]) -> anyhow::Result<()> {
    let object = object(plan, open);
    writeln!(out, "{}", escape_json(&serde_json::to_string(&object)?))?;
    Ok(())
}

/// The plan in lines.
pub fn print(out: &mut impl Write, plan: &Plan, open: &[Finding]) -> anyhow::Result<()> {
    for step in &plan.steps {
        writeln!(out, "first      {}", printable(&step.shown()))?;
    }
    writeln!(out, "run        {}", printable(&plan.command))?;
    if let Some(directory) = &plan.directory {
        writeln!(out, "in         {}", sanitize(&directory.to_string_lossy()))?;
    }
    for change in &plan.environment {
        match change {
            Change::Set(name, value) => {
                writeln!(
                    out,
                    "with       {name}={}",
                    sanitize(&value.to_string_lossy())
                )?;
            }
            Change::Remove(name) => writeln!(out, "without    {name}")?,
        }
    }
    for reason in &plan.reasons {
        writeln!(
            out,
            "because    {}: {}",
            reason.about,
            sanitize(reason.text)
        )?;
    }
    for note in &plan.notes {
        writeln!(out, "note       {}", note.line())?;
    }
    for finding in open {
        writeln!(out, "decide     {}", finding.line())?;
        for choice in &finding.choices {
            let mark = if finding.safe() == Some(choice) {
                "--yes "
            } else {
                ""
            };
            writeln!(out, "           - {mark}{}: {}", choice.label, choice.shows)?;
        }
    }
    Ok(())
}

fn object(plan: &Plan, open: &[Finding]) -> Value {
    let env: serde_json::Map<String, Value> = plan
        .environment
        .iter()
        .map(|change| match change {
            Change::Set(name, value) => ((*name).to_owned(), json!(value.to_string_lossy())),
            Change::Remove(name) => ((*name).to_owned(), Value::Null),
        })
        .collect();
    let steps: Vec<Vec<String>> = plan.steps.iter().map(PlanStep::command).collect();
    let reasons: Vec<Value> = plan
        .reasons
        .iter()
        .map(|reason| json!({"about": reason.about, "text": reason.text}))
        .collect();
    let warnings: Vec<Value> = plan
        .notes
        .iter()
        .map(|note| json!({"topic": note.topic.name(), "text": note.line()}))
        .collect();
    let questions: Vec<Value> = open.iter().map(finding).collect();
    json!({
        "id": plan.id,
        "program": plan.command.first(),
        "argv": plan.command,
        "cwd": plan.directory.as_ref().map(|path| path.to_string_lossy()),
        "env": env,
        "steps": steps,
        "reasons": reasons,
        "warnings": warnings,
        "questions": questions,
    })
}

fn finding(finding: &Finding) -> Value {
    let choices: Vec<Value> = finding
        .choices
        .iter()
        .map(|choice| {
            json!({
                "label": choice.label,
                "command": choice.shows,
                "safe": finding.safe() == Some(choice),
            })
        })
        .collect();
    json!({
        "topic": finding.topic.name(),
        "headline": finding.headline,
        "lines": finding.lines,
        "choices": choices,
    })
}
