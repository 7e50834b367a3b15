use serde_json::Value;

use super::{CardFacts, Gist, card, lasted, measures};
use crate::transcript::{
    Breaks, Cost, CostSource, FileChange, Health, Interruption, StepKind, StoppedBy, Turn,
    TurnOpening, TurnStep,
};

#[test]
fn what_a_session_cost_stands_in_one_line() {
    let mut gist = Gist::default();
    gist.usage.context = Some(79_400);
    gist.state.cost = Some(Cost {
        usd: 1.916,
        lines_added: Some(41),
        lines_removed: Some(0),
        duration: Some(7_500_000),
        api_duration: None,
        tool_duration: None,
        model_usage: Value::Null,
        source: CostSource::Config,
    });
    let parts = measures(&gist, &CardFacts::default());
    let wanted = ["79k context", "$1.92", "2h 5m", "+41 -0 lines"];
    assert!(
        wanted
            .iter()
            .all(|part| parts.iter().any(|one| one == part)),
        "{parts:?}"
    );
    // What nobody counted is not told.
    gist.state.cost = None;
    let parts = measures(&gist, &CardFacts::default());
    assert!(
        !parts
            .iter()
            .any(|part| part.contains("lines") || part.contains('$')),
        "{parts:?}"
    );
}

#[test]
fn a_duration_has_at_most_two_units() {
    let of = |minutes: u64| lasted(minutes * 60_000).unwrap_or_default();
    assert_eq!(
        [0, 1, 59, 60, 61, 47 * 60, 50 * 60].map(of),
        ["", "1m", "59m", "1h", "1h 1m", "47h", "2d"]
    );
}

fn lines(gist: &Gist, facts: &CardFacts, columns: usize) -> Vec<String> {
    let lines = card(gist, facts, columns).lines.into_iter();
    let text = |line: Vec<super::Span>| line.into_iter().map(|span| span.text).collect();
    lines.map(text).collect()
}

fn stopped_in(tools: &[&str]) -> Interruption {
    Interruption::Turn {
        uuid: String::new(),
        by: StoppedBy::End {
            tools: tools.iter().map(ToString::to_string).collect(),
        },
    }
}

#[test]
fn what_is_wrong_comes_before_where_it_is() {
    let gist = Gist {
        interruption: stopped_in(&["Bash"]),
        ..Gist::default()
    };
    let mut facts = CardFacts {
        title: "Fix it".to_owned(),
        project: Some("~/shop".to_owned()),
        branch: Some("main".to_owned()),
        breaks: Breaks {
            has_circle: true,
            ..Breaks::default()
        },
        health: Health {
            bad: 4,
            nul_runs: 1,
            torn_end: true,
            ..Health::default()
        },
        ..CardFacts::default()
    };
    let shown = lines(&gist, &facts, 200);
    assert_eq!(
        shown[1],
        "stopped while running Bash   ⚠ 4 bad lines; 1 run of zero bytes; \
         the last line is torn; its entries form a circle"
    );
    assert_eq!(shown[2], "~/shop · main");
    assert_eq!(card(&gist, &facts, 200).urgent, 1);
    // What still runs was not stopped.
    facts.running = Some("busy".to_owned());
    assert!(lines(&gist, &facts, 200)[1].starts_with("● busy   ⚠"));
    let sound = CardFacts {
        branches: 3,
        ..CardFacts::default()
    };
    assert_eq!(card(&Gist::default(), &sound, 200).urgent, 0);
}

#[test]
fn no_line_ends_with_the_dot_that_stands_between_two_things() {
    let facts = CardFacts {
        project: Some("~/a-folder".to_owned()),
        branch: Some("a-branch".to_owned()),
        ..CardFacts::default()
    };
    for columns in 8..30 {
        let shown = lines(&Gist::default(), &facts, columns);
        assert!(!shown.iter().any(|line| line.ends_with('·')), "{shown:?}");
    }
}

#[test]
fn files_take_two_lines_at_most_and_are_not_torn_apart() {
    let mut gist = Gist::default();
    gist.state.files = (1..=9)
        .map(|n| FileChange {
            path: format!("/w/src/controllers/of_the_shop_{n}.rs"),
            added: 10 * n,
            removed: n,
            hunks: Vec::new(),
            reported_in: Vec::new(),
        })
        .collect();
    gist.cwd = Some("/w".to_owned());
    let shown = |gist: &Gist, columns| lines(gist, &CardFacts::default(), columns).split_off(1);
    assert_eq!(
        shown(&gist, 64),
        [
            "files src/controllers/of_the_shop_1.rs +10 -1",
            "  src/controllers/of_the_shop_2.rs +20 -2 · 7 more",
        ]
    );
    for columns in 30..160 {
        let shown = shown(&gist, columns);
        assert!(shown.len() <= 2, "{shown:?}");
        let torn = |line: &String| line.trim_start().starts_with(['+', '-', '·']);
        assert!(!shown.iter().any(torn), "{shown:?}");
    }
    gist.state.files.truncate(2);
    assert_eq!(shown(&gist, 200).len(), 1);
}

#[test]
fn the_last_question_is_one_that_claude_had_to_answer() {
    let turn = |opening, what| Turn {
        opening,
        uuid: String::new(),
        at: None,
        steps: vec![TurnStep {
            uuid: String::new(),
            at: None,
            what,
            mark: None,
        }],
        noise: Vec::new(),
        mark: None,
    };
    let command = |name: &str, what| {
        let (name, arguments) = (name.to_owned(), String::new());
        turn(TurnOpening::Command { name, arguments }, what)
    };
    let said = |text: &str| StepKind::Text(text.to_owned());
    let bye = StepKind::Output {
        text: "Bye!".to_owned(),
        errors: String::new(),
    };
    let mut gist = Gist::default();
    gist.take(&turn(TurnOpening::Shell("make".to_owned()), said("Made.")));
    gist.take(&command("/exit", bye.clone()));
    let end = ["you    ! make", "Claude Made."];
    assert_eq!(lines(&gist, &CardFacts::default(), 80)[2..], end);
    gist.take(&command("/review", said("Fine.")));
    gist.take(&command("/exit", bye));
    let end = ["you    /review", "Claude Fine."];
    assert_eq!(lines(&gist, &CardFacts::default(), 80)[2..], end);
}

#[test]
fn tools_that_were_stopped_are_counted() {
    let gist = Gist {
        interruption: stopped_in(&["Bash", "Read", "Bash"]),
        ..Gist::default()
    };
    let state = &lines(&gist, &CardFacts::default(), 80)[1];
    assert_eq!(state, "stopped while running 2 Bash, Read");
}

#[test]
fn a_table_in_the_last_answer_is_told_without_its_rule() {
    let table = "Done:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    assert_eq!(super::without_marks(table), "Done: a │ b 1 │ 2");
}
