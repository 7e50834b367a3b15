use std::sync::Arc;

use serde_json::json;

use super::{Agent, AgentWork, Agents};
use crate::preview::{Fold, Level, Manner, Options, PageLine, TurnPos, render};
use crate::transcript::{
    ContentPart, StepKind, ToolCall, ToolResult, Turn, TurnOpening, TurnStep, Typed,
};

fn call(id: &str, name: &str, output: &str) -> StepKind {
    StepKind::Tool(Box::new(ToolCall {
        id: id.to_owned(),
        name: Some(name.to_owned()),
        input: json!({"command": id, "description": id}),
        result: Some(ToolResult {
            parts: vec![ContentPart::Text(output.to_owned())],
            is_error: false,
            detail: json!(null),
            at: None,
            entry: None,
        }),
    }))
}

fn turn(steps: Vec<StepKind>) -> Turn {
    let step = |what| TurnStep {
        uuid: String::new(),
        at: None,
        what,
        mark: None,
    };
    Turn {
        opening: TurnOpening::Prompt {
            text: "go".to_owned(),
            images: Vec::new(),
            typed: Typed::AtThePrompt,
        },
        uuid: String::new(),
        at: None,
        steps: steps.into_iter().map(step).collect(),
        noise: Vec::new(),
        mark: None,
    }
}

/// A call that started an agent, which ran two commands with words between them.
fn laid(options: &Options) -> Vec<PageLine> {
    let said = StepKind::Text("half".to_owned());
    let inner = turn(vec![
        call("one", "Bash", "FIRST"),
        said,
        call("two", "Bash", "SECOND"),
    ]);
    let mut agents = Agents::default();
    let work = AgentWork::Read(Arc::new(vec![inner]));
    agents.put("t".to_owned(), Agent { kind: None, work });
    let manner = Manner {
        options,
        columns: 60,
        clock: &|_| None,
        painter: None,
        agents: &agents,
        cwd: None,
    };
    render(&[turn(vec![call("t", "Task", "done")])], manner)
}

fn shows(lines: &[PageLine], text: &str) -> bool {
    lines.iter().any(|line| line.text().contains(text))
}

#[test]
fn a_run_inside_an_agent_opens_by_itself_and_closes_again() {
    let place = TurnPos {
        turn: 0,
        step: Some(0),
    };
    let mut options = Options::default();
    options.toggle(Fold::Part(place));
    options.toggle(Fold::Agent(place, 0));
    let closed = laid(&options);
    let titles: Vec<Fold> = closed.iter().filter_map(|line| line.fold).collect();
    let inner = |step| {
        let inner = TurnPos {
            turn: 0,
            step: Some(step),
        };
        Fold::Inside(place, 0, inner)
    };
    let around = [Fold::Part(place), Fold::Agent(place, 0)];
    assert_eq!(titles, [&around[..], &[inner(0), inner(2)]].concat());
    assert!(!shows(&closed, "FIRST") && !shows(&closed, "SECOND"));
    options.toggle(inner(2));
    let opened = laid(&options);
    assert!(!shows(&opened, "FIRST") && shows(&opened, "SECOND"));
    let mut inside = opened.iter().filter(|line| line.text().contains("SECOND"));
    let line = inside.next().expect("shown");
    assert_eq!(line.within, Some(inner(2)), "Enter closes the innermost");
    options.toggle(inner(2));
    assert_eq!(laid(&options), closed);
    // Where everything is open, one of them can be closed.
    options = Options {
        level: Level::Full,
        ..Options::default()
    };
    options.toggle(inner(0));
    let lines = laid(&options);
    assert!(!shows(&lines, "FIRST") && shows(&lines, "SECOND"));
}
